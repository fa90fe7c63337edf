//! [`Player`]: a type-erased player at one seat, and [`Playable`]: a game that can create players.

use crate::{Budget, Effort, Learned, Report, Schedule, Search, SearchError, Spec};
use ludens_game::{DynGame, Game, Move, Role, Seed};
use std::{ops::ControlFlow, sync::Arc, time::Duration};

/// A player at one seat of one game. The types of games are erased here, once per move of the real game.
pub trait Player: Send {
    /// A new game begins.
    fn start(&mut self, seed: Seed);

    /// Chooses a legal move of its role. `stop` is polled between simulations and can end the search early.
    fn choose(&mut self, budget: &Budget, stop: &dyn Fn() -> bool) -> (Move, Effort);

    /// Chooses the same move while reporting its progress.
    fn choose_watched(&mut self, budget: &Budget, watch: &mut SearchObserver<'_>) -> (Move, Effort) {
        let _ = watch;
        self.choose(budget, &|| false)
    }

    /// Takes note of the joint move that was played.
    fn observe(&mut self, joint: &[Move]);

    /// What it thought when it last chose.
    fn report(&self) -> Report {
        Report::default()
    }
}

/// An observer of a running search. Observing does not change what the search finds.
pub struct SearchObserver<'w> {
    /// The time between two reports.
    pub interval: Duration,
    /// Receives the state of the search and can end it.
    pub look: &'w mut dyn FnMut(&Report) -> ControlFlow<()>,
}

/// Any game that a search can play, with its type erased.
pub trait Playable: DynGame {
    /// A player for `role`, see [`Search::new`].
    ///
    /// # Errors
    /// If the spec's policies cannot handle the size of the game.
    fn player(
        self: Arc<Self>,
        role: Role,
        spec: &Spec,
        learned: Arc<dyn Learned>,
    ) -> Result<Box<dyn Player>, SearchError>;

    /// Plays all games of a schedule in up to `lanes` lanes that step together. Returns `false`, and plays nothing,
    /// if the game has no lanes.
    ///
    /// # Errors
    /// If a spec cannot play the game.
    fn lockstep(
        self: Arc<Self>,
        lanes: usize,
        schedule: &mut dyn Schedule,
        learned: Arc<dyn Learned>,
    ) -> Result<bool, SearchError>;
}

impl<G: Game + 'static> Playable for G {
    fn player(
        self: Arc<Self>,
        role: Role,
        spec: &Spec,
        learned: Arc<dyn Learned>,
    ) -> Result<Box<dyn Player>, SearchError> {
        Ok(Box::new(Search::new(self, role, spec, learned)?))
    }

    fn lockstep(
        self: Arc<Self>,
        lanes: usize,
        schedule: &mut dyn Schedule,
        learned: Arc<dyn Learned>,
    ) -> Result<bool, SearchError> {
        crate::lockstep::lockstep(&self, lanes, schedule, &learned)
    }
}
