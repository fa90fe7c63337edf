//! [`Game`]: all that a search may know of a game.

use crate::{Lanes, Move, Rng, Role, Turn, View};

/// A finite game of any number of roles with simultaneous moves.
///
/// One **step** takes a *joint move*: one legal move of every role, in role order. A role that has nothing to decide has
/// exactly one legal move (in alternating games a *noop*). Scores are in `[0, 1]`, one per role, from that role's own
/// point of view.
///
/// The game itself is immutable and shared; what changes is in [`Game::State`]. In a terminal state only
/// [`scores`](Game::scores), [`hash`](Game::hash) and [`view`](Game::view) may be asked.
pub trait Game: Send + Sync {
    /// A position. Cloning is how a search keeps one.
    type State: Clone + Send + Sync;

    /// The name under which the game can be opened again, with all parameters: `breakthrough:8x8`.
    fn name(&self) -> String;

    /// The names of the roles, in role order. There is at least one.
    fn role_names(&self) -> Vec<String>;

    /// The number of roles.
    fn roles(&self) -> usize {
        self.role_names().len()
    }

    /// The moves of `role` are `0..moves(role)`. Not every id need ever be legal.
    fn moves(&self, role: Role) -> usize;

    /// A move that `role` has only when it has no other, if one is known: nobody ever chooses it, so nobody needs to learn
    /// about it.
    fn idle_move(&self, role: Role) -> Option<Move> {
        let _ = role;
        None
    }

    /// The initial position.
    fn initial(&self) -> Self::State;

    /// Who decides in `state`.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Replaces `out` by the legal moves of `role`, ascending. There is at least one.
    fn legals(&self, state: &Self::State, role: Role, out: &mut Vec<Move>);

    /// Replaces `out` by the moves that a playout considers: a non-empty subset of the legal moves, ascending.
    ///
    /// By default all of them. Games in which senseless moves keep a random game from ending (filling one's own eyes in Go)
    /// may leave those out here; the tree still sees every legal move.
    fn playout_moves(&self, state: &Self::State, role: Role, out: &mut Vec<Move>) {
        self.legals(state, role, out);
    }

    /// Plays one step: `joint[r]` is the legal move of role `r`.
    fn advance(&self, state: &mut Self::State, joint: &[Move]);

    /// Whether the game is over. If so, fills `out` (one place per role) with the scores, otherwise leaves it alone.
    fn scores(&self, state: &Self::State, out: &mut [f64]) -> bool;

    /// The scores of a state at which play is cut off before its end: neither won nor lost unless the game knows better.
    fn cutoff_scores(&self, state: &Self::State, out: &mut [f64]) {
        if !self.scores(state, out) {
            out.fill(0.5);
        }
    }

    /// Why the game ends at `state` without a result, if the rules could not be worked out within their limits. Such a state is
    /// over, and its scores are those of a cut-off.
    fn failure(&self, state: &Self::State) -> Option<String> {
        let _ = state;
        None
    }

    /// The feature codes of `role` are `0..code_count(role)`.
    fn code_count(&self, role: Role) -> usize {
        self.moves(role)
    }

    /// Replaces `out` by the feature codes of `moves`, moves of `role` legal in `state`.
    ///
    /// A code is the number under which a policy with move features learns about a move: the move together with what the
    /// game finds remarkable about it here (a capture, the neighbouring stones). By default the move alone.
    fn codes(&self, _state: &Self::State, _role: Role, moves: &[Move], out: &mut Vec<u32>) {
        out.clear();
        out.extend(moves.iter().map(|m| m.0));
    }

    /// A hash of everything that the future of `state` depends on: equal states have equal hashes. `None`: the game offers
    /// none, so transpositions cannot be found.
    fn hash(&self, state: &Self::State) -> Option<u64> {
        let _ = state;
        None
    }

    /// The name of a move as players of the game write it; by default its number. Distinct for distinct legal moves of a state.
    fn move_name(&self, role: Role, mv: Move) -> String {
        let _ = role;
        mv.0.to_string()
    }

    /// Reads what [`move_name`](Game::move_name) writes, and usual variants of it; legality is not checked.
    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        (0..self.moves(role) as u32).map(Move).find(|&mv| self.move_name(role, mv).eq_ignore_ascii_case(text))
    }

    /// A picture of the position; by default an empty one.
    fn view(&self, state: &Self::State) -> View {
        let _ = state;
        View::default()
    }

    /// The cells of the [`View`] that a move touches, as indices, in the order in which a hand would touch them.
    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize> {
        let _ = (role, mv);
        Vec::new()
    }

    /// What computes the rules one position at a time, as `bench` names it: `machine`, or `interp` for rules that are
    /// interpreted word by word.
    fn engine(&self) -> &'static str {
        "machine"
    }

    /// An engine for at least `count` positions that take their steps together, in the initial state and with that as their
    /// home; `None` if the game has none.
    fn lanes(&self, count: usize) -> Option<Box<dyn Lanes>> {
        let _ = count;
        None
    }

    /// The state as a row of bits, as [`Lanes`] take it. Only for games that have lanes.
    fn row<'s>(&self, state: &'s Self::State) -> Option<&'s [u64]> {
        let _ = state;
        None
    }

    /// Whether [`playout`](Game::playout) is faster than asking for the moves step by step.
    fn has_fast_playout(&self) -> bool {
        false
    }

    /// Plays uniformly among [`playout_moves`](Game::playout_moves) until the game is over, a role has no move or `limit` steps
    /// are done; returns the number of steps.
    fn playout(&self, state: &mut Self::State, rng: &mut Rng, limit: u32) -> u32 {
        let mut legal = Vec::new();
        let mut joint = Vec::with_capacity(self.roles());
        let mut scores = vec![0.0; self.roles()];
        for step in 0..limit {
            if self.scores(state, &mut scores) {
                return step;
            }
            joint.clear();
            for role in Role::all(self.roles()) {
                self.playout_moves(state, role, &mut legal);
                if legal.is_empty() {
                    return step;
                }
                joint.push(legal[rng.below(legal.len() as u32) as usize]);
            }
            self.advance(state, &joint);
        }
        limit
    }
}
