//! [`World`]: what a simulation asks of a game while it walks through it.
//!
//! A simulation is written once, as an async function, and every answer that may have to wait for others is awaited: in
//! [`Local`] the game answers at once, in a batch engine the answer comes when all lanes have asked.

use crate::{
    options::Options,
    walk::{Legals, Lent, Sight, Walk},
};
use ludens_game::{Game, Move, Role};

/// One walker in a game: a position that starts at the root of a search and goes forward.
pub(crate) trait World: Legals {
    /// Back to the root position.
    fn reset(&mut self);
    /// Plays a joint move.
    fn advance(&mut self, joint: &[Move]) -> impl Future<Output = ()>;
    /// See [`Game::scores`].
    fn scores(&mut self, out: &mut [f64]) -> impl Future<Output = bool>;
    /// See [`Game::cutoff_scores`].
    fn cutoff_scores(&mut self, out: &mut [f64]) -> impl Future<Output = ()>;
    /// See [`Game::hash`].
    fn hash(&mut self) -> Option<u64>;
    /// Plays on, to the end of the game or for `limit` steps; the walk then has the scores.
    fn play_out(&mut self, walk: &mut Lent<Walk>, limit: u32) -> impl Future<Output = ()>;
}

/// A world with one state, whose game answers at once.
pub(crate) struct Local<'g, G: Game> {
    game: &'g G,
    root: &'g G::State,
    state: G::State,
}

impl<'g, G: Game> Local<'g, G> {
    pub(crate) fn new(game: &'g G, root: &'g G::State) -> Self {
        Local { game, root, state: root.clone() }
    }
}

impl<G: Game> Legals for Local<'_, G> {
    #[inline]
    fn legals(&self, role: Role, out: &mut Vec<Move>) {
        self.game.legals(&self.state, role, out);
    }

    #[inline]
    fn codes(&self, role: Role, moves: &[Move], out: &mut Vec<u32>) {
        self.game.codes(&self.state, role, moves, out);
    }
}

impl<G: Game> World for Local<'_, G> {
    #[inline]
    fn reset(&mut self) {
        self.state.clone_from(self.root);
    }

    #[inline]
    async fn advance(&mut self, joint: &[Move]) {
        self.game.advance(&mut self.state, joint);
    }

    #[inline]
    async fn scores(&mut self, out: &mut [f64]) -> bool {
        self.game.scores(&self.state, out)
    }

    async fn cutoff_scores(&mut self, out: &mut [f64]) {
        self.game.cutoff_scores(&self.state, out);
    }

    #[inline]
    fn hash(&mut self) -> Option<u64> {
        self.game.hash(&self.state)
    }

    #[inline]
    async fn play_out(&mut self, walk: &mut Lent<Walk>, limit: u32) {
        let (game, walk) = (self.game, &mut **walk);
        if walk.is_blind() && game.has_fast_playout() {
            walk.steps += u64::from(game.playout(&mut self.state, &mut walk.rng, limit));
        } else {
            for _ in 0..limit {
                if game.scores(&self.state, &mut walk.scores) {
                    return;
                }
                walk.pick_moves(self);
                game.advance(&mut self.state, &walk.joint);
            }
        }
        game.cutoff_scores(&self.state, &mut walk.scores);
    }
}

impl<G: Game> Sight for Local<'_, G> {
    #[inline]
    fn options<'a>(&'a self, role: Role, room: &'a mut Vec<Move>) -> Options<'a> {
        self.game.playout_moves(&self.state, role, room);
        Options::Listed(room)
    }
}
