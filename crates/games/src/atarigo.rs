//! Atari Go: black and white in turn place a stone on an empty point, and the first to capture wins.
//!
//! Chains without liberties are captured as in Go. A stone that has no liberty and captures nothing may not be placed, unless
//! [`Rules::suicide`] says otherwise. There is no passing: a player who has to move and cannot has lost, as zugzwang is commonly
//! counted (others call such a game drawn, or let the player pass).
//!
//! The legal points of both roles follow from sets that [`Standoff`] keeps up to date, so that a random move is the k-th
//! bit of a set.

use crate::goban::{Goban, PATTERNS, Points, ROLES, Standoff};
use ludens_game::{Move, Rng, Role, TurnGame, View};

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
#[derive(Clone, Debug)]
pub struct AtariGo<const W: usize> {
    board: Goban<W>,
    rules: Rules,
}

/// A position.
#[derive(Clone, Debug)]
pub struct State<const W: usize> {
    standoff: Standoff<W>,
    to_move: Role,
    winner: Option<Role>,
}

impl<const W: usize> AtariGo<W> {
    /// The game on `size` × `size` points, [`MIN_SIZE`](crate::goban::MIN_SIZE) to [`MAX_SIZE`](crate::goban::MAX_SIZE).
    pub fn new(size: usize, rules: Rules) -> AtariGo<W> {
        AtariGo { board: Goban::new(size), rules }
    }

    /// The legal points, none once somebody has captured.
    #[inline]
    fn legal(&self, state: &State<W>) -> Points<W> {
        let standoff = &state.standoff;
        match self.rules.suicide {
            _ if state.winner.is_some() => Points::EMPTY,
            Suicide::Illegal => standoff.breathing(state.to_move) | standoff.captures(state.to_move),
            Suicide::Loses => standoff.stones.empty(),
        }
    }

    /// The points that a playout considers.
    #[inline]
    fn considered(&self, state: &State<W>) -> Points<W> {
        let legal = self.legal(state);
        if !self.rules.eyes {
            return legal;
        }
        let sensible = legal - state.standoff.stones.eyes(&self.board, state.to_move);
        if sensible.is_empty() { legal } else { sensible }
    }
}

impl<const W: usize> TurnGame for AtariGo<W> {
    type State = State<W>;

    fn name(&self) -> String {
        let suicide = if self.rules.suicide == Suicide::Loses { ",suicide=loses" } else { "" };
        let eyes = if self.rules.eyes { ",eyes=on" } else { "" };
        format!("atarigo:{0}x{0}{suicide}{eyes}", self.board.size())
    }

    #[inline]
    fn role_names(&self) -> &[&'static str] {
        ROLES
    }

    #[inline]
    fn moves(&self, _role: Role) -> usize {
        self.board.point_count()
    }

    fn initial(&self) -> State<W> {
        State { standoff: Standoff::new(&self.board), to_move: Role(0), winner: None }
    }

    #[inline]
    fn to_move(&self, state: &State<W>) -> Role {
        state.to_move
    }

    fn legals(&self, state: &State<W>, out: &mut Vec<Move>) {
        out.clear();
        out.extend(self.legal(state).iter().map(|point| Move(point as u32)));
    }

    fn playout_moves(&self, state: &State<W>, out: &mut Vec<Move>) {
        out.clear();
        out.extend(self.considered(state).iter().map(|point| Move(point as u32)));
    }

    #[inline]
    fn random_move(&self, state: &State<W>, rng: &mut Rng) -> Option<Move> {
        self.considered(state).random(rng).map(|point| Move(point as u32))
    }

    #[inline]
    fn play(&self, state: &mut State<W>, mv: Move) {
        let (point, mover) = (mv.index(), state.to_move);
        let captured = state.standoff.place(&self.board, point, mover);
        let stones = &mut state.standoff.stones;
        if !captured.is_empty() {
            state.winner = Some(mover);
        } else if stones.chain(point).liberties.is_empty() {
            stones.remove(&self.board, stones.chain(point).stones, mover);
            state.winner = Some(mover.other());
        }
        state.to_move = mover.other();
    }

    #[inline]
    fn scores(&self, state: &State<W>, out: &mut [f64]) -> bool {
        let over = self.legal(state).is_empty();
        if over {
            let winner = state.winner.unwrap_or(state.to_move.other());
            out[winner.index()] = 1.0;
            out[winner.other().index()] = 0.0;
        }
        over
    }

    fn code_count(&self, _role: Role) -> usize {
        self.board.point_count() * PATTERNS
    }

    fn codes(&self, state: &State<W>, moves: &[Move], out: &mut Vec<u32>) {
        out.clear();
        let code = state.standoff.stones.codes(&self.board, state.to_move);
        out.extend(moves.iter().map(|mv| code(mv.index())));
    }

    #[inline]
    fn hash(&self, state: &State<W>) -> Option<u64> {
        let winner = state.winner.map_or(2, |role| u64::from(role.0));
        Some(state.standoff.stones.hash(u64::from(state.to_move.0) << 2 | winner))
    }

    fn move_name(&self, _role: Role, mv: Move) -> String {
        self.board.point_name(mv.index())
    }

    fn parse_move(&self, _role: Role, text: &str) -> Option<Move> {
        self.board.parse_point(text).map(|point| Move(point as u32))
    }

    fn view(&self, state: &State<W>) -> View {
        state.standoff.stones.view(&self.board)
    }

    fn touched_cells(&self, _role: Role, mv: Move) -> Vec<usize> {
        vec![mv.index()]
    }
}
