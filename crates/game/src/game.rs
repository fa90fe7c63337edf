//! [`Game`]: everything that a search knows about a game.

use crate::{Lanes, Move, Rng, Role, RuleCircuit, Turn, View};

/// A finite game of any number of roles with simultaneous moves.
///
/// One **step** plays a *joint move*: one legal move of every role, in role order. A role without a choice has
/// exactly one legal move (in alternating games a *noop*). Scores are in `[0, 1]`, one per role, from that role's own
/// point of view.
///
/// The game itself is immutable and shared; everything that changes is in [`Game::State`]. In a terminal state only
/// [`scores`](Game::scores), [`hash`](Game::hash) and [`view`](Game::view) may be called.
pub trait Game: Send + Sync {
    /// A position. A search clones it to keep it.
    type State: Clone + Send + Sync;

    /// The name that opens the game again, with all parameters: `breakthrough:8x8`.
    fn name(&self) -> String;

    /// The names of the roles, in role order. There is at least one.
    fn role_names(&self) -> Vec<String>;

    /// The number of roles.
    fn roles(&self) -> usize {
        self.role_names().len()
    }

    /// The moves of `role` are `0..moves(role)`. Some ids may never be legal.
    fn moves(&self, role: Role) -> usize;

    /// A move that is legal only when `role` has no other, if there is one: it is never a choice, so nothing needs to learn
    /// about it.
    fn idle_move(&self, role: Role) -> Option<Move> {
        let _ = role;
        None
    }

    /// The initial position.
    fn initial(&self) -> Self::State;

    /// Who decides in `state`.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Replaces `out` with the legal moves of `role`, ascending. There is at least one.
    fn legals(&self, state: &Self::State, role: Role, out: &mut Vec<Move>);

    /// Replaces `out` with the moves that a playout considers: a non-empty subset of the legal moves, ascending.
    ///
    /// By default all of them. Games in which pointless moves keep a random game from ending (filling one's own eyes in Go)
    /// may leave those out here; the tree still sees every legal move.
    fn playout_moves(&self, state: &Self::State, role: Role, out: &mut Vec<Move>) {
        self.legals(state, role, out);
    }

    /// A uniformly random one of the [`playout_moves`](Game::playout_moves) of `role`, where the game can draw one without listing them.
    /// The game is not over.
    fn draw_move(&self, state: &Self::State, role: Role, rng: &mut Rng) -> Option<Move> {
        let _ = (state, role, rng);
        None
    }

    /// Whether a legal move of `role`, who alone decides, wins at once: it ends the game, `role` scores 1 and all others 0. `None` where
    /// the game finds that out only by playing it.
    fn wins(&self, state: &Self::State, role: Role, mv: Move) -> Option<bool> {
        let _ = (state, role, mv);
        None
    }

    /// Plays one step: `joint[r]` is the legal move of role `r`.
    fn advance(&self, state: &mut Self::State, joint: &[Move]);

    /// Whether the game is over. If so, fills `out` (one slot per role) with the scores; otherwise leaves it unchanged.
    fn scores(&self, state: &Self::State, out: &mut [f64]) -> bool;

    /// The scores of a state at which a simulation is cut off before the end: 0.5 unless the game knows better.
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

    /// Replaces `out` with the feature codes of `moves`, which are legal moves of `role` in `state`.
    ///
    /// A code is the number under which a policy with move features learns about a move: the move combined with what is
    /// special about it in this state (a capture, the neighbouring stones). By default the move alone.
    fn codes(&self, _state: &Self::State, _role: Role, moves: &[Move], out: &mut Vec<u32>) {
        out.clear();
        out.extend(moves.iter().map(|m| m.0));
    }

    /// A hash of everything that the future of `state` depends on: equal states have equal hashes. `None` if the game has
    /// none; transpositions are then not found.
    fn hash(&self, state: &Self::State) -> Option<u64> {
        let _ = state;
        None
    }

    /// The name of a move as players of the game write it; by default its number. Different legal moves of a state have different names.
    fn move_name(&self, role: Role, mv: Move) -> String {
        let _ = role;
        mv.0.to_string()
    }

    /// Parses what [`move_name`](Game::move_name) writes, and common variants of it. Does not check legality.
    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        (0..self.moves(role) as u32).map(Move).find(|&mv| self.move_name(role, mv).eq_ignore_ascii_case(text))
    }

    /// A picture of the position; by default an empty one.
    fn view(&self, state: &Self::State) -> View {
        let _ = state;
        View::default()
    }

    /// The cells of the [`View`] that a move touches, as indices, in the order in which a player would click them.
    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize> {
        let _ = (role, mv);
        Vec::new()
    }

    /// What computes the rules one position at a time, as `bench` names it: `machine`, or `interp` for rules that are
    /// interpreted word by word.
    fn engine(&self) -> &'static str {
        "machine"
    }

    /// An engine for at least `count` positions that step together. They start in the initial state, which is also their
    /// home. `None` if the game has no such engine.
    fn lanes(&self, count: usize) -> Option<Box<dyn Lanes>> {
        let _ = count;
        None
    }

    /// The rules as circuits, for engines elsewhere. Only for games that have lanes, and with the same meaning.
    fn circuit(&self) -> Option<RuleCircuit> {
        None
    }

    /// The state as a row of bits for [`Lanes`]. Only for games that have lanes.
    fn row<'s>(&self, state: &'s Self::State) -> Option<&'s [u64]> {
        let _ = state;
        None
    }

    /// Whether [`playout`](Game::playout) is faster than listing the moves step by step.
    fn has_fast_playout(&self) -> bool {
        false
    }

    /// Plays uniformly random [`playout_moves`](Game::playout_moves) until the game is over, a role has no move or `limit`
    /// steps are done, and returns the number of steps.
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
