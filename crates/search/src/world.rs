//! [`World`]: what a simulation asks of a game while it walks through it.
//!
//! In [`Local`] the game answers at once. In the lane of an engine that steps many positions together the answer may have to
//! wait: the world then says `Pending`, and the simulation is resumed when the engine has made its tick.

use crate::options::Options;
use ludens_game::{Game, Move, Rng, Role};
use std::task::Poll;

/// One walker in a game: a position that starts at the root of a search and goes forward.
pub(crate) trait World {
    /// Goes to the root. `Pending`: it cannot leave the root yet and has to be asked again.
    fn start(&mut self) -> Poll<()>;
    /// Plays a joint move. `Pending`: it will have been played when the simulation is resumed.
    fn advance(&mut self, joint: &[Move]) -> Poll<()>;
    /// See [`Game::scores`]. `Pending`: it has to be asked again.
    fn scores(&mut self, out: &mut [f64]) -> Poll<bool>;
    /// See [`Game::cutoff_scores`]; the game is not over.
    fn cutoff_scores(&mut self, out: &mut [f64]);
    /// See [`Game::hash`].
    fn hash(&mut self) -> Option<u64>;
    /// See [`Game::legals`].
    fn legals(&self, role: Role, out: &mut Vec<Move>);
    /// See [`Game::codes`].
    fn codes(&self, role: Role, moves: &[Move], out: &mut Vec<u32>);
    /// Whether a joint move of legal moves ends the game at once, and with which scores. The world stays where it is.
    fn look_ahead(&mut self, joint: &[Move], out: &mut [f64]) -> bool;
    /// See [`Game::wins`].
    fn wins(&self, role: Role, mv: Move) -> Option<bool>;
    /// The same after a joint move that does not end the game, for a move that `role` may have there if it alone decides.
    fn look_further(&mut self, joint: &[Move], role: Role, mv: Move, out: &mut [f64]) -> bool;
    /// See [`Game::draw_move`].
    fn draw(&self, role: Role, rng: &mut Rng) -> Option<Move> {
        let _ = (role, rng);
        None
    }
    /// The moves that a role can choose from in a playout; `room` is used if they have to be written down.
    fn options<'a>(&'a self, role: Role, room: &'a mut Vec<Move>) -> Options<'a>;
    /// [`Game::playout`], where that is faster than asking for the moves step by step.
    fn uniform_playout(&mut self, rng: &mut Rng, limit: u32) -> Option<u32> {
        let _ = (rng, limit);
        None
    }
}

/// A world with one state, whose game answers at once.
pub(crate) struct Local<'g, G: Game> {
    game: &'g G,
    root: &'g G::State,
    state: G::State,
    /// Where a move leads that is only looked at.
    ahead: G::State,
    /// Room for the moves there, and for a joint one.
    moves: Vec<Move>,
    answer: Vec<Move>,
}

impl<'g, G: Game> Local<'g, G> {
    pub(crate) fn new(game: &'g G, root: &'g G::State) -> Self {
        Local { game, root, state: root.clone(), ahead: root.clone(), moves: Vec::new(), answer: Vec::new() }
    }
}

impl<G: Game> World for Local<'_, G> {
    #[inline]
    fn start(&mut self) -> Poll<()> {
        self.state.clone_from(self.root);
        Poll::Ready(())
    }

    #[inline]
    fn advance(&mut self, joint: &[Move]) -> Poll<()> {
        self.game.advance(&mut self.state, joint);
        Poll::Ready(())
    }

    #[inline]
    fn scores(&mut self, out: &mut [f64]) -> Poll<bool> {
        Poll::Ready(self.game.scores(&self.state, out))
    }

    fn cutoff_scores(&mut self, out: &mut [f64]) {
        self.game.cutoff_scores(&self.state, out);
    }

    #[inline]
    fn hash(&mut self) -> Option<u64> {
        self.game.hash(&self.state)
    }

    #[inline]
    fn legals(&self, role: Role, out: &mut Vec<Move>) {
        self.game.legals(&self.state, role, out);
    }

    #[inline]
    fn codes(&self, role: Role, moves: &[Move], out: &mut Vec<u32>) {
        self.game.codes(&self.state, role, moves, out);
    }

    fn look_ahead(&mut self, joint: &[Move], out: &mut [f64]) -> bool {
        self.ahead.clone_from(&self.state);
        self.game.advance(&mut self.ahead, joint);
        self.game.scores(&self.ahead, out)
    }

    #[inline]
    fn wins(&self, role: Role, mv: Move) -> Option<bool> {
        self.game.wins(&self.state, role, mv)
    }

    fn look_further(&mut self, joint: &[Move], role: Role, mv: Move, out: &mut [f64]) -> bool {
        let Local { game, ahead, moves, answer, .. } = self;
        ahead.clone_from(&self.state);
        game.advance(ahead, joint);
        if game.scores(ahead, out) {
            return false;
        }
        answer.clear();
        for decider in Role::all(joint.len()) {
            game.legals(ahead, decider, moves);
            if moves.len() > 1 && decider != role || decider == role && moves.binary_search(&mv).is_err() {
                return false;
            }
            answer.push(if decider == role { mv } else { moves[0] });
        }
        if game.wins(ahead, role, mv) == Some(false) {
            return false;
        }
        game.advance(ahead, answer);
        game.scores(ahead, out)
    }

    #[inline]
    fn options<'a>(&'a self, role: Role, room: &'a mut Vec<Move>) -> Options<'a> {
        self.game.playout_moves(&self.state, role, room);
        Options::Listed(room)
    }

    #[inline]
    fn draw(&self, role: Role, rng: &mut Rng) -> Option<Move> {
        self.game.draw_move(&self.state, role, rng)
    }

    #[inline]
    fn uniform_playout(&mut self, rng: &mut Rng, limit: u32) -> Option<u32> {
        self.game.has_fast_playout().then(|| self.game.playout(&mut self.state, rng, limit))
    }
}
