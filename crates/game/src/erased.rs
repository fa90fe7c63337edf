//! [`DynGame`] and [`Position`]: type-erased games, for code that opens them by name at run time.
//!
//! Searches are generic over [`Game`]; user interfaces, servers and referees act once per move and use the erased form.

use crate::check::{self, Plan, Violation, Walks};
use crate::{Game, Lanes, Move, Rng, Role, RuleCircuit, Turn, View, perft};
use std::sync::Arc;

/// Any game, with its type erased.
pub trait DynGame: Send + Sync {
    /// See [`Game::name`].
    fn name(&self) -> String;
    /// See [`Game::role_names`].
    fn role_names(&self) -> Vec<String>;
    /// See [`Game::moves`].
    fn moves(&self, role: Role) -> usize;
    /// See [`Game::engine`].
    fn engine(&self) -> &'static str;
    /// See [`perft`](crate::perft()).
    fn perft(&self, depth: u32) -> u64;
    /// See [`check::conformance`].
    ///
    /// # Errors
    /// The first promise that the game breaks.
    fn conformance(&self, plan: Plan) -> Result<Walks, Violation>;
    /// Plays uniform playouts from the initial position with the game's own fast path, each at most `limit` steps.
    fn playouts(&self, count: u64, rng: &mut Rng, limit: u32) -> Playouts;
    /// See [`Game::lanes`].
    fn lanes(&self, count: usize) -> Option<Box<dyn Lanes>>;
    /// See [`Game::circuit`].
    fn circuit(&self) -> Option<RuleCircuit>;
    /// The initial position, ready to be played on.
    fn start(self: Arc<Self>) -> Box<dyn Position>;
}

/// What a batch of uniform playouts did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Playouts {
    /// Number of playouts.
    pub count: u64,
    /// Steps of all of them.
    pub steps: u64,
}

/// A position of some game, with the moves that led to it.
pub trait Position: Send {
    /// See [`Game::turn`].
    fn turn(&self) -> Turn;
    /// See [`Game::legals`].
    fn legals(&self, role: Role) -> Vec<Move>;
    /// See [`Game::playout_moves`].
    fn playout_moves(&self, role: Role) -> Vec<Move>;
    /// The scores, if the game is over.
    fn scores(&self) -> Option<Vec<f64>>;
    /// See [`Game::failure`].
    fn failure(&self) -> Option<String>;
    /// Plays a joint move of legal moves.
    fn advance(&mut self, joint: &[Move]);
    /// Undoes the last step; `false` if there is none.
    fn undo(&mut self) -> bool;
    /// The joint moves played so far.
    fn history(&self) -> &[Vec<Move>];
    /// See [`Game::move_name`].
    fn move_name(&self, role: Role, mv: Move) -> String;
    /// See [`Game::parse_move`].
    fn parse_move(&self, role: Role, text: &str) -> Option<Move>;
    /// A picture of the position in which the cells of the last step are marked.
    fn view(&self) -> View;
    /// See [`Game::touched_cells`].
    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize>;
    /// See [`Game::row`].
    fn row(&self) -> Option<&[u64]>;
}

impl<G: Game + 'static> DynGame for G {
    fn name(&self) -> String {
        Game::name(self)
    }

    fn role_names(&self) -> Vec<String> {
        Game::role_names(self)
    }

    fn moves(&self, role: Role) -> usize {
        Game::moves(self, role)
    }

    fn engine(&self) -> &'static str {
        Game::engine(self)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    fn conformance(&self, plan: Plan) -> Result<Walks, Violation> {
        check::conformance(self, plan)
    }

    fn playouts(&self, count: u64, rng: &mut Rng, limit: u32) -> Playouts {
        let initial = self.initial();
        let steps = (0..count).map(|_| u64::from(self.playout(&mut initial.clone(), rng, limit))).sum();
        Playouts { count, steps }
    }

    fn lanes(&self, count: usize) -> Option<Box<dyn Lanes>> {
        Game::lanes(self, count)
    }

    fn circuit(&self) -> Option<RuleCircuit> {
        Game::circuit(self)
    }

    fn start(self: Arc<Self>) -> Box<dyn Position> {
        let states = vec![self.initial()];
        Box::new(PlayedLine { game: self, states, history: Vec::new() })
    }
}

/// A line of play: every state from the initial one, and the joint moves between them.
struct PlayedLine<G: Game> {
    game: Arc<G>,
    states: Vec<G::State>,
    history: Vec<Vec<Move>>,
}

impl<G: Game> PlayedLine<G> {
    fn state(&self) -> &G::State {
        self.states.last().expect("a line has its initial state")
    }
}

impl<G: Game> Position for PlayedLine<G> {
    fn turn(&self) -> Turn {
        self.game.turn(self.state())
    }

    fn legals(&self, role: Role) -> Vec<Move> {
        let mut out = Vec::new();
        self.game.legals(self.state(), role, &mut out);
        out
    }

    fn playout_moves(&self, role: Role) -> Vec<Move> {
        let mut out = Vec::new();
        self.game.playout_moves(self.state(), role, &mut out);
        out
    }

    fn scores(&self) -> Option<Vec<f64>> {
        let mut out = vec![0.0; self.game.roles()];
        self.game.scores(self.state(), &mut out).then_some(out)
    }

    fn failure(&self) -> Option<String> {
        self.game.failure(self.state())
    }

    fn advance(&mut self, joint: &[Move]) {
        let mut next = self.state().clone();
        self.game.advance(&mut next, joint);
        self.states.push(next);
        self.history.push(joint.to_vec());
    }

    fn undo(&mut self) -> bool {
        let undone = self.history.pop().is_some();
        if undone {
            self.states.pop();
        }
        undone
    }

    fn history(&self) -> &[Vec<Move>] {
        &self.history
    }

    fn move_name(&self, role: Role, mv: Move) -> String {
        self.game.move_name(role, mv)
    }

    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        self.game.parse_move(role, text)
    }

    fn view(&self) -> View {
        let mut view = self.game.view(self.state());
        if let Some(joint) = self.history.last() {
            for (role, &mv) in Role::all(joint.len()).zip(joint) {
                view.mark(self.game.touched_cells(role, mv));
            }
        }
        view
    }

    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize> {
        self.game.touched_cells(role, mv)
    }

    fn row(&self) -> Option<&[u64]> {
        self.game.row(self.state())
    }
}
