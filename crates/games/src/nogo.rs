//! Nogo: black and white in turn place a stone on an empty point. Captures and suicides are both forbidden, and who cannot
//! move has lost.
//!
//! The legal points of both roles follow from sets that [`Standoff`] keeps up to date, so that a random move is the k-th
//! bit of a set.

use crate::goban::{Goban, PATTERNS, Points, ROLES, Standoff};
use ludens_game::{Move, Rng, Role, TurnGame, View};

/// Nogo on a board that fits into `W` words; see [`words`](crate::goban::words).
#[derive(Clone, Debug)]
pub struct Nogo<const W: usize> {
    board: Goban<W>,
}

/// A position.
#[derive(Clone, Debug)]
pub struct State<const W: usize> {
    standoff: Standoff<W>,
    to_move: Role,
}

impl<const W: usize> Nogo<W> {
    /// The game on `size` × `size` points, [`MIN_SIZE`](crate::goban::MIN_SIZE) to [`MAX_SIZE`](crate::goban::MAX_SIZE).
    pub fn new(size: usize) -> Nogo<W> {
        Nogo { board: Goban::new(size) }
    }
}

impl<const W: usize> State<W> {
    #[inline]
    fn legal(&self) -> Points<W> {
        self.standoff.breathing(self.to_move) - self.standoff.captures(self.to_move)
    }
}

impl<const W: usize> TurnGame for Nogo<W> {
    type State = State<W>;

    fn name(&self) -> String {
        format!("nogo:{0}x{0}", self.board.size())
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
        State { standoff: Standoff::new(&self.board), to_move: Role(0) }
    }

    #[inline]
    fn to_move(&self, state: &State<W>) -> Role {
        state.to_move
    }

    fn legals(&self, state: &State<W>, out: &mut Vec<Move>) {
        out.clear();
        out.extend(state.legal().iter().map(|point| Move(point as u32)));
    }

    #[inline]
    fn random_move(&self, state: &State<W>, rng: &mut Rng) -> Option<Move> {
        state.legal().random(rng).map(|point| Move(point as u32))
    }

    #[inline]
    fn play(&self, state: &mut State<W>, mv: Move) {
        state.standoff.place(&self.board, mv.index(), state.to_move);
        state.to_move = state.to_move.other();
    }

    #[inline]
    fn scores(&self, state: &State<W>, out: &mut [f64]) -> bool {
        let over = state.legal().is_empty();
        if over {
            out[state.to_move.index()] = 0.0;
            out[state.to_move.other().index()] = 1.0;
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
        Some(state.standoff.stones.hash(u64::from(state.to_move.0)))
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
