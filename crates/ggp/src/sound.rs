//! [`Sound`]: a game for searches, whatever the rules of a stranger are like.
//!
//! Searches rely on every role having a move until the game is over, and on numbers of moves that their tables can hold.
//! Rules that come over the network promise neither.

use ludens_game::{Game, Move, Role, Turn, View};
use std::sync::Arc;

/// Moves of all roles together that a search is asked to tell apart.
const ROOM: usize = 200_000;

/// What a role without a legal move does.
const WAY_OUT: &str = "nil";

/// `G`, in which a role without a legal move has one that ends the game without a winner.
pub(crate) struct Sound<G> {
    game: Arc<G>,
    /// Per role: its moves have numbers below this, and the way out has this one.
    room: Vec<usize>,
}

/// A state of a [`Sound`] game.
pub(crate) struct State<S> {
    inner: S,
    is_stuck: bool,
}

impl<S: Clone> Clone for State<S> {
    fn clone(&self) -> State<S> {
        State { inner: self.inner.clone(), is_stuck: self.is_stuck }
    }

    /// Keeps the memory.
    fn clone_from(&mut self, other: &State<S>) {
        self.inner.clone_from(&other.inner);
        self.is_stuck = other.is_stuck;
    }
}

impl<G: Game> Sound<G> {
    pub(crate) fn new(game: Arc<G>) -> Sound<G> {
        let most = ROOM / game.roles().max(1);
        let room = Role::all(game.roles()).map(|role| game.moves(role).min(most)).collect();
        Sound { game, room }
    }

    fn way_out(&self, role: Role) -> Move {
        Move(self.room[role.index()] as u32)
    }
}

impl<G: Game> Game for Sound<G> {
    type State = State<G::State>;

    fn name(&self) -> String {
        self.game.name()
    }

    fn role_names(&self) -> Vec<String> {
        self.game.role_names()
    }

    #[inline]
    fn roles(&self) -> usize {
        self.room.len()
    }

    fn moves(&self, role: Role) -> usize {
        self.room[role.index()] + 1
    }

    fn initial(&self) -> Self::State {
        State { inner: self.game.initial(), is_stuck: false }
    }

    fn turn(&self, state: &Self::State) -> Turn {
        self.game.turn(&state.inner)
    }

    #[inline]
    fn legals(&self, state: &Self::State, role: Role, out: &mut Vec<Move>) {
        self.game.legals(&state.inner, role, out);
        let way_out = self.way_out(role);
        // The moves ascend, so that those beyond the room are the last ones.
        while out.last().is_some_and(|&mv| mv >= way_out) {
            out.pop();
        }
        if out.is_empty() {
            out.push(way_out);
        }
    }

    #[inline]
    fn advance(&self, state: &mut Self::State, joint: &[Move]) {
        state.is_stuck = joint.iter().zip(&self.room).any(|(mv, &room)| mv.index() == room);
        if !state.is_stuck {
            self.game.advance(&mut state.inner, joint);
        }
    }

    #[inline]
    fn scores(&self, state: &Self::State, out: &mut [f64]) -> bool {
        if state.is_stuck {
            out.fill(0.5);
            return true;
        }
        self.game.scores(&state.inner, out)
    }

    fn cutoff_scores(&self, state: &Self::State, out: &mut [f64]) {
        self.game.cutoff_scores(&state.inner, out);
    }

    #[inline]
    fn hash(&self, state: &Self::State) -> Option<u64> {
        self.game.hash(&state.inner).map(|hash| if state.is_stuck { !hash } else { hash })
    }

    fn move_name(&self, role: Role, mv: Move) -> String {
        if mv == self.way_out(role) { WAY_OUT.to_owned() } else { self.game.move_name(role, mv) }
    }

    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        let way_out = (text == WAY_OUT).then(|| self.way_out(role));
        self.game.parse_move(role, text).filter(|&mv| mv < self.way_out(role)).or(way_out)
    }

    fn view(&self, state: &Self::State) -> View {
        self.game.view(&state.inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::check::{Plan, conformance};
    use ludens_gdl::{Engine, Limits};

    /// `you` may step twice; then nobody has a move, and the game is not over.
    const DEAD_END: &str = "(role you) (init (at 0)) (up 0 1) (up 1 2)
        (<= (legal you (go ?x ?y)) (true (at ?x)) (up ?x ?y))
        (<= (next (at ?y)) (does you (go ?x ?y)))
        (<= terminal (true (at 3))) (goal you 100)";

    #[test]
    fn a_dead_end_is_an_end() {
        let Engine::Machine(machine) = ludens_gdl::open("dead", DEAD_END, Limits::default()).unwrap().engine else {
            panic!("a small sheet has a machine")
        };
        let game = Sound::new(machine);
        let walks = conformance(&game, Plan { walks: 3, max_steps: 10, seed: 1 }).unwrap();
        assert_eq!(walks.count, 3);
        let mut state = game.initial();
        let mut legal = Vec::new();
        for _ in 0..3 {
            game.legals(&state, Role(0), &mut legal);
            game.advance(&mut state, &legal[..1]);
        }
        let mut scores = [0.0];
        assert!(game.scores(&state, &mut scores));
        assert_eq!(scores, [0.5]);
    }
}
