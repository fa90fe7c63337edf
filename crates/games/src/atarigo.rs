//! Atari Go: black and white in turn place a stone on an empty point, and the first to capture wins.
//!
//! Chains without liberties are captured as in Go. A stone that has no liberty and captures nothing may not be placed, unless
//! [`Rules::suicide`] says otherwise. There is no passing: a player who has to move and cannot has lost, as zugzwang is commonly
//! counted (others call such a game drawn, or let the player pass).

use crate::goban::{Goban, Points};
use crate::placing::{Placing, Rule, State, Stone};
use ludens_game::Role;

/// Whether a stone that has no liberty and captures nothing may be placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Suicide {
    /// It may not.
    #[default]
    Illegal,
    /// It may, and loses at once: it captures its own chain.
    Loses,
}

/// The variants of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Whether there are suicides.
    pub suicide: Suicide,
    /// Whether playouts leave their own one-point eyes alone while there is anything else to do. Legality is not touched.
    pub eyes: bool,
}

/// Atari Go on a board that fits into `W` words; see [`words`](crate::goban::words).
pub type AtariGo<const W: usize> = Placing<Rules, W>;

impl<const W: usize> AtariGo<W> {
    /// The game on `size` × `size` points, [`MIN_SIZE`](crate::goban::MIN_SIZE) to [`MAX_SIZE`](crate::goban::MAX_SIZE).
    pub fn new(size: usize, rules: Rules) -> AtariGo<W> {
        Placing::on(size, rules)
    }
}

impl<const W: usize> Rule<W> for Rules {
    fn name(&self, size: usize) -> String {
        let suicide = if self.suicide == Suicide::Loses { ",suicide=loses" } else { "" };
        let eyes = if self.eyes { ",eyes=on" } else { "" };
        format!("atarigo:{size}x{size}{suicide}{eyes}")
    }

    /// None once somebody has captured.
    #[inline]
    fn legal(&self, state: &State<W>) -> Points<W> {
        let standoff = &state.standoff;
        match self.suicide {
            _ if state.winner.is_some() => Points::EMPTY,
            Suicide::Illegal => standoff.breathing(state.to_move) | standoff.captures(state.to_move),
            Suicide::Loses => standoff.stones.empty(),
        }
    }

    #[inline]
    fn considered(&self, board: &Goban<W>, state: &State<W>) -> Points<W> {
        let legal = self.legal(state);
        if !self.eyes {
            return legal;
        }
        let sensible = legal - state.standoff.stones.eyes(board, state.to_move);
        if sensible.is_empty() { legal } else { sensible }
    }

    /// The first capture wins, and a suicide captures its own chain.
    #[inline]
    fn decide(&self, board: &Goban<W>, state: &mut State<W>, placed: Stone<W>) -> Option<Role> {
        let Stone { point, role, captured } = placed;
        let stones = &mut state.standoff.stones;
        if !captured.is_empty() {
            Some(role)
        } else if stones.chain(point).liberties.is_empty() {
            stones.remove(board, stones.chain(point).stones, role);
            Some(role.other())
        } else {
            None
        }
    }
}
