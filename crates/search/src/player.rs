//! [`Player`]: whoever sits at a seat, with the game's type forgotten, and [`Playable`]: the game that it sits at.

use crate::{Budget, Effort, Learned, Report, Schedule, Search, SearchError, Spec};
use ludens_game::{DynGame, Game, Move, Role, Seed};
use std::{ops::ControlFlow, sync::Arc, time::Duration};

/// A player at one seat of one game. The types of games are erased here, once per move of the real game.
pub trait Player: Send {
    /// A new game begins.
    fn start(&mut self, seed: Seed);

    /// Chooses a legal move of its role. `stop` is asked between simulations and ends the search early.
    fn choose(&mut self, budget: &Budget, stop: &dyn Fn() -> bool) -> (Move, Effort);

    /// Chooses the same move, and shows meanwhile what it thinks.
    fn choose_watched(&mut self, budget: &Budget, watch: &mut Watch<'_>) -> (Move, Effort) {
        let _ = watch;
        self.choose(budget, &|| false)
    }

    /// The joint move that was played.
    fn observe(&mut self, joint: &[Move]);

    /// What it thought at its last choice.
    fn report(&self) -> Report {
        Report::default()
    }
}

/// Somebody who wants to see a search at work. Looking does not change what it finds.
pub struct Watch<'w> {
    /// The time between two looks.
    pub interval: Duration,
    /// Sees the state of the search, and may end it.
    pub look: &'w mut dyn FnMut(&Report) -> ControlFlow<()>,
}

/// Any game, with its type forgotten, that a search can play.
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

    /// Plays all games of a schedule in up to `lanes` lanes that make their steps together; `false`, and nothing played,
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
