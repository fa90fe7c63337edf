//! [`DeadEnds`]: rules of a stranger, made safe to search.
//!
//! Searches rely on every role having a move until the game is over, and on numbers of moves that their tables can hold.
//! Rules that come from a file, a page or the network promise neither.

mod lanes;

use lanes::DeadEndLanes;
use ludens_game::{Game, Lanes, Move, Rng, Role, RuleCircuit, Turn, View};
use std::sync::Arc;

/// Moves of all roles together that a search is asked to tell apart.
const ROOM: usize = 200_000;

/// What a role without a legal move does.
const WAY_OUT: &str = "nil";

/// `G`, in which a role without a legal move has one that ends the game without a winner.
pub struct DeadEnds<G> {
    game: Arc<G>,
    /// Per role: its moves have numbers below this, and the way out has this one.
    room: Vec<usize>,
}

/// A state of a [`DeadEnds`] game.
pub struct State<S> {
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

impl<G: Game> DeadEnds<G> {
    /// The game, made safe to search.
    pub fn new(game: Arc<G>) -> DeadEnds<G> {
        let most = ROOM / game.roles().max(1);
        let room = Role::all(game.roles()).map(|role| game.moves(role).min(most)).collect();
        DeadEnds { game, room }
    }

    fn way_out(&self, role: Role) -> Move {
        Move(self.room[role.index()] as u32)
    }
}

impl<G: Game> Game for DeadEnds<G> {
    type State = State<G::State>;

    fn name(&self) -> String {
        self.game.name()
    }

    fn engine(&self) -> &'static str {
        self.game.engine()
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

    fn failure(&self, state: &Self::State) -> Option<String> {
        self.game.failure(&state.inner)
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

    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize> {
        if mv == self.way_out(role) { Vec::new() } else { self.game.touched_cells(role, mv) }
    }

    fn playout(&self, state: &mut Self::State, rng: &mut Rng, limit: u32) -> u32 {
        let mut scores = vec![0.0; self.roles()];
        if self.scores(state, &mut scores) {
            return 0;
        }
        let steps = self.game.playout(&mut state.inner, rng, limit);
        // It stopped early: the game is over, or a role takes its way out.
        state.is_stuck = steps < limit && !self.game.scores(&state.inner, &mut scores);
        steps + u32::from(state.is_stuck)
    }

    /// None if there are more moves than there is room for: lanes list all.
    fn lanes(&self, count: usize) -> Option<Box<dyn Lanes>> {
        let has_room = Role::all(self.roles()).all(|role| self.game.moves(role) == self.room[role.index()]);
        let lanes = if has_room { self.game.lanes(count)? } else { return None };
        let ways_out = Role::all(self.roles()).map(|role| [self.way_out(role)]).collect();
        Some(Box::new(DeadEndLanes::new(lanes, ways_out)))
    }

    fn circuit(&self) -> Option<RuleCircuit> {
        let mut circuit = self.game.circuit()?;
        let has_room = circuit.moves == self.room;
        circuit.moves.iter_mut().for_each(|moves| *moves += 1);
        has_room.then_some(RuleCircuit { has_ways_out: true, ..circuit })
    }

    fn row<'s>(&self, state: &'s Self::State) -> Option<&'s [u64]> {
        self.game.row(&state.inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, Limits};
    use ludens_game::check::{Plan, conformance};

    /// `you` may step twice; then nobody has a move, and the game is not over.
    const DEAD_END: &str = "(role you) (init (at 0)) (up 0 1) (up 1 2)
        (<= (legal you (go ?x ?y)) (true (at ?x)) (up ?x ?y))
        (<= (next (at ?y)) (does you (go ?x ?y)))
        (<= terminal (true (at 3))) (goal you 100)";

    #[test]
    fn a_dead_end_is_an_end() {
        let Engine::Machine(machine) = crate::open("dead", DEAD_END, Limits::default()).unwrap().engine else {
            panic!("a small sheet has a machine")
        };
        let game = DeadEnds::new(machine);
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

    /// Two roles that step on by one or two; whoever stands on 3 or 4 has no move, unless both are there.
    const FALLS: &str = "(role a) (role b)
        (init (at a 0)) (init (at b 0))
        (up 0 1) (up 0 2) (up 1 2) (up 1 3) (up 2 3) (up 2 4)
        (<= (legal ?r (go ?y)) (true (at ?r ?x)) (up ?x ?y))
        (<= (next (at ?r ?y)) (does ?r (go ?y)))
        (<= (end ?r) (true (at ?r 3))) (<= (end ?r) (true (at ?r 4)))
        (<= terminal (end a) (end b))
        (<= (goal ?r 100) (true (at ?r 4))) (<= (goal ?r 0) (role ?r) (not (true (at ?r 4))))";

    #[test]
    fn lanes_agree_about_dead_ends() {
        let Engine::Machine(machine) = crate::open("falls", FALLS, Limits::default()).unwrap().engine else {
            panic!("a small sheet has a machine")
        };
        let game = DeadEnds::new(machine);
        let mut lanes = game.lanes(8).unwrap();
        let mut rng = ludens_game::Seed::new(3).rng();
        let (mut stuck, mut row, mut legal) = (0, vec![0; lanes.state_words()], Vec::new());
        let mut scores = [[0.0; 2]; 2];
        for walk in 0..200 {
            let mut states = vec![game.initial(); 8];
            (0..8).for_each(|lane| lanes.rewind(lane));
            while lanes.phase() != lanes.phase_of(game.row(&states[0]).unwrap()) {
                lanes.tick();
            }
            for step in 0..4 {
                for (lane, state) in states.iter_mut().enumerate() {
                    if game.scores(state, &mut scores[0]) {
                        continue;
                    }
                    let joint = [Role(0), Role(1)].map(|role| {
                        game.legals(state, role, &mut legal);
                        if step > 0 {
                            assert_eq!(lanes.legal(lane, role).count() as usize, legal.len(), "walk {walk}");
                        }
                        legal[rng.below(legal.len() as u32) as usize]
                    });
                    for role in [Role(0), Role(1)] {
                        lanes.play(lane, role, joint[role.index()]);
                    }
                    game.advance(state, &joint);
                }
                lanes.tick();
                lanes.compute_scores();
                for (lane, state) in states.iter().enumerate() {
                    assert_eq!(lanes.is_terminal(lane), game.scores(state, &mut scores[0]), "walk {walk}");
                    lanes.store(lane, &mut row);
                    assert_eq!(Some(lanes.hash(&row)), game.hash(state), "walk {walk}");
                    if lanes.is_terminal(lane) {
                        lanes.scores(lane, &mut scores[1]);
                        assert_eq!(scores[0], scores[1], "walk {walk}");
                        stuck += u32::from(state.is_stuck);
                    }
                }
            }
            assert!(states.iter().all(|state| game.scores(state, &mut scores[0])));
        }
        assert!(stuck > 100, "{stuck}");
    }
}
