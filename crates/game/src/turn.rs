//! [`TurnGame`]: what the author of an alternating game writes.

use crate::{Game, Move, Rng, Role, Turn, View};

/// A game in which exactly one role moves at a time.
///
/// Implementing this trait makes a type a [`Game`]: every role gets one more move, the *noop*, with the id
/// [`TurnGame::moves`], which is its only legal move while another role is to move.
///
/// The methods mean the same as in [`Game`], for the role to move. Eight methods are the rules; all others have
/// defaults that are correct for any game. Override them for speed ([`random_move`](TurnGame::random_move)), for transpositions
/// ([`hash`](TurnGame::hash)), and for people ([`move_name`](TurnGame::move_name), [`view`](TurnGame::view)).
pub trait TurnGame: Send + Sync {
    /// A position.
    type State: Clone + Send + Sync;

    /// The name that opens the game again, with all parameters.
    fn name(&self) -> String;

    /// The names of the roles, in role order.
    fn role_names(&self) -> &[&'static str];

    /// The number of move ids of `role`, without the noop.
    fn moves(&self, role: Role) -> usize;

    /// The initial position.
    fn initial(&self) -> Self::State;

    /// Whose turn it is.
    fn to_move(&self, state: &Self::State) -> Role;

    /// Replaces `out` with the legal moves of the role to move, ascending; empty only if the game is over.
    fn legals(&self, state: &Self::State, out: &mut Vec<Move>);

    /// Replaces `out` with the moves that a playout considers.
    fn playout_moves(&self, state: &Self::State, out: &mut Vec<Move>) {
        self.legals(state, out);
    }

    /// A uniformly random one of [`playout_moves`](TurnGame::playout_moves), or `None` if the game is over.
    ///
    /// Override it if a random move can be found without listing all moves.
    fn random_move(&self, state: &Self::State, rng: &mut Rng) -> Option<Move> {
        if self.scores(state, &mut vec![0.0; self.role_names().len()]) {
            return None;
        }
        let mut moves = Vec::new();
        self.playout_moves(state, &mut moves);
        Some(moves[rng.below(moves.len() as u32) as usize])
    }

    /// Whether [`random_move`](TurnGame::random_move) does not list the moves.
    fn has_fast_draws(&self) -> bool {
        false
    }

    /// Whether a legal move wins at once: it ends the game, the role to move scores 1 and all others 0. `None` where the game finds that
    /// out only by playing it.
    fn wins(&self, state: &Self::State, mv: Move) -> Option<bool> {
        let _ = (state, mv);
        None
    }

    /// Plays a legal move of the role to move.
    fn play(&self, state: &mut Self::State, mv: Move);

    /// Whether the game is over, and if so the scores.
    fn scores(&self, state: &Self::State, out: &mut [f64]) -> bool;

    /// The scores of a state at which a simulation is cut off.
    fn cutoff_scores(&self, state: &Self::State, out: &mut [f64]) {
        if !self.scores(state, out) {
            out.fill(0.5);
        }
    }

    /// The number of feature codes of `role`, without the noop's.
    fn code_count(&self, role: Role) -> usize {
        self.moves(role)
    }

    /// Replaces `out` with the feature codes of `moves`.
    fn codes(&self, _state: &Self::State, moves: &[Move], out: &mut Vec<u32>) {
        out.clear();
        out.extend(moves.iter().map(|m| m.0));
    }

    /// A hash of everything the future depends on. Without one, transpositions are not found.
    fn hash(&self, state: &Self::State) -> Option<u64> {
        let _ = state;
        None
    }

    /// The name of a move; by default its number.
    fn move_name(&self, role: Role, mv: Move) -> String {
        let _ = role;
        mv.0.to_string()
    }

    /// Parses a move's name; by default compares it with every name.
    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        (0..self.moves(role) as u32).map(Move).find(|&mv| self.move_name(role, mv).eq_ignore_ascii_case(text))
    }

    /// A picture of the position; by default an empty one.
    fn view(&self, state: &Self::State) -> View {
        let _ = state;
        View::default()
    }

    /// The cells of the view that a move touches.
    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize> {
        let _ = (role, mv);
        Vec::new()
    }
}

const NOOP: &str = "noop";

impl<T: TurnGame> Game for T {
    type State = T::State;

    fn name(&self) -> String {
        TurnGame::name(self)
    }

    fn role_names(&self) -> Vec<String> {
        TurnGame::role_names(self).iter().map(|&name| name.to_owned()).collect()
    }

    #[inline]
    fn roles(&self) -> usize {
        TurnGame::role_names(self).len()
    }

    #[inline]
    fn moves(&self, role: Role) -> usize {
        TurnGame::moves(self, role) + 1
    }

    fn idle_move(&self, role: Role) -> Option<Move> {
        Some(noop(self, role))
    }

    fn initial(&self) -> Self::State {
        TurnGame::initial(self)
    }

    #[inline]
    fn turn(&self, state: &Self::State) -> Turn {
        Turn::One(self.to_move(state))
    }

    #[inline]
    fn legals(&self, state: &Self::State, role: Role, out: &mut Vec<Move>) {
        if role == self.to_move(state) {
            TurnGame::legals(self, state, out);
        } else {
            out.clear();
            out.push(noop(self, role));
        }
    }

    #[inline]
    fn playout_moves(&self, state: &Self::State, role: Role, out: &mut Vec<Move>) {
        if role == self.to_move(state) {
            TurnGame::playout_moves(self, state, out);
        } else {
            out.clear();
            out.push(noop(self, role));
        }
    }

    #[inline]
    fn draw_move(&self, state: &Self::State, role: Role, rng: &mut Rng) -> Option<Move> {
        if role != self.to_move(state) {
            return Some(noop(self, role));
        }
        if self.has_fast_draws() { self.random_move(state, rng) } else { None }
    }

    #[inline]
    fn wins(&self, state: &Self::State, role: Role, mv: Move) -> Option<bool> {
        if role == self.to_move(state) { TurnGame::wins(self, state, mv) } else { None }
    }

    #[inline]
    fn advance(&self, state: &mut Self::State, joint: &[Move]) {
        self.play(state, joint[self.to_move(state).index()]);
    }

    #[inline]
    fn scores(&self, state: &Self::State, out: &mut [f64]) -> bool {
        TurnGame::scores(self, state, out)
    }

    fn cutoff_scores(&self, state: &Self::State, out: &mut [f64]) {
        TurnGame::cutoff_scores(self, state, out);
    }

    fn code_count(&self, role: Role) -> usize {
        TurnGame::code_count(self, role) + 1
    }

    #[inline]
    fn codes(&self, state: &Self::State, role: Role, moves: &[Move], out: &mut Vec<u32>) {
        if role == self.to_move(state) {
            TurnGame::codes(self, state, moves, out);
        } else {
            out.clear();
            out.push(TurnGame::code_count(self, role) as u32);
        }
    }

    #[inline]
    fn hash(&self, state: &Self::State) -> Option<u64> {
        TurnGame::hash(self, state)
    }

    fn move_name(&self, role: Role, mv: Move) -> String {
        if mv == noop(self, role) { NOOP.to_owned() } else { TurnGame::move_name(self, role, mv) }
    }

    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        if text.eq_ignore_ascii_case(NOOP) { Some(noop(self, role)) } else { TurnGame::parse_move(self, role, text) }
    }

    fn view(&self, state: &Self::State) -> View {
        TurnGame::view(self, state)
    }

    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize> {
        if mv == noop(self, role) { Vec::new() } else { TurnGame::touched_cells(self, role, mv) }
    }

    fn has_fast_playout(&self) -> bool {
        true
    }

    fn playout(&self, state: &mut Self::State, rng: &mut Rng, limit: u32) -> u32 {
        let mut steps = 0;
        while steps < limit
            && let Some(mv) = self.random_move(state, rng)
        {
            self.play(state, mv);
            steps += 1;
        }
        steps
    }
}

/// The only legal move of `role` while another role is to move.
#[inline]
fn noop<T: TurnGame>(game: &T, role: Role) -> Move {
    Move(TurnGame::moves(game, role) as u32)
}
