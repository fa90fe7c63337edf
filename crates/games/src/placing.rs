//! Games in which black and white in turn place a stone and nobody passes: what Atari Go and Nogo have in common.
//!
//! A move is a point. Who has to move and cannot has lost. The legal points of both roles follow from sets that [`Standoff`]
//! keeps up to date, so that a random move is the k-th bit of a set.

use crate::goban::{Goban, PATTERNS, Points, ROLES, Standoff};
use ludens_game::{Move, Rng, Role, TurnGame, View};

/// What tells such games apart.
pub trait Rule<const W: usize>: Send + Sync + 'static {
    /// The name of the game on a board of this size.
    fn name(&self, size: usize) -> String;

    /// The legal points.
    fn legal(&self, state: &State<W>) -> Points<W>;

    /// The points that a playout considers.
    fn considered(&self, board: &Goban<W>, state: &State<W>) -> Points<W> {
        let _ = board;
        self.legal(state)
    }

    /// Who wins at once by the stone that was just placed, if anybody does.
    fn decide(&self, board: &Goban<W>, state: &mut State<W>, placed: Stone<W>) -> Option<Role> {
        let _ = (board, state, placed);
        None
    }
}

/// A stone that was just placed.
pub struct Stone<const W: usize> {
    /// Where.
    pub point: usize,
    /// Whose.
    pub role: Role,
    /// What it captured.
    pub captured: Points<W>,
}

/// Such a game on a board that fits into `W` words; see [`words`](crate::goban::words).
#[derive(Clone, Debug)]
pub struct Placing<R, const W: usize> {
    board: Goban<W>,
    rule: R,
}

/// A position.
#[derive(Clone, Debug)]
pub struct State<const W: usize> {
    /// The stones, and where they can be placed.
    pub standoff: Standoff<W>,
    /// Whose turn it is.
    pub to_move: Role,
    /// Who has won, if the rule has decided it.
    pub winner: Option<Role>,
}

impl<R: Rule<W>, const W: usize> Placing<R, W> {
    /// The game on `size` × `size` points, [`MIN_SIZE`](crate::goban::MIN_SIZE) to [`MAX_SIZE`](crate::goban::MAX_SIZE).
    pub(crate) fn on(size: usize, rule: R) -> Placing<R, W> {
        Placing { board: Goban::new(size), rule }
    }
}

impl<R: Rule<W>, const W: usize> TurnGame for Placing<R, W> {
    type State = State<W>;

    fn name(&self) -> String {
        self.rule.name(self.board.size())
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
        out.extend(self.rule.legal(state).iter().map(|point| Move(point as u32)));
    }

    fn playout_moves(&self, state: &State<W>, out: &mut Vec<Move>) {
        out.clear();
        out.extend(self.rule.considered(&self.board, state).iter().map(|point| Move(point as u32)));
    }

    #[inline]
    fn random_move(&self, state: &State<W>, rng: &mut Rng) -> Option<Move> {
        self.rule.considered(&self.board, state).random(rng).map(|point| Move(point as u32))
    }

    #[inline]
    fn play(&self, state: &mut State<W>, mv: Move) {
        let (point, role) = (mv.index(), state.to_move);
        let captured = state.standoff.place(&self.board, point, role);
        state.winner = self.rule.decide(&self.board, state, Stone { point, role, captured });
        state.to_move = role.other();
    }

    #[inline]
    fn scores(&self, state: &State<W>, out: &mut [f64]) -> bool {
        let over = self.rule.legal(state).is_empty();
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
