//! [`Player`]: whoever sits at a seat, with the game's type forgotten.

use crate::{Budget, Effort, Report};
use ludens_game::{Move, Seed};

/// A player at one seat of one game. The types of games are erased here, once per move of the real game.
pub trait Player: Send {
    /// A new game begins.
    fn start(&mut self, seed: Seed);

    /// Chooses a legal move of its role. `stop` is asked between simulations and ends the search early.
    fn choose(&mut self, budget: &Budget, stop: &dyn Fn() -> bool) -> (Move, Effort);

    /// The joint move that was played.
    fn observe(&mut self, joint: &[Move]);

    /// What it thought at its last choice.
    fn report(&self) -> Report {
        Report::default()
    }
}
