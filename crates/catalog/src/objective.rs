//! What becomes of a game once its constructor has settled its type.

use ludens_game::{Game, Misere};
use ludens_search::Playable;
use std::sync::Arc;

pub(super) trait Objective {
    fn play<G: Game + 'static>(game: G) -> Arc<dyn Playable>;
}

/// The game as it is.
pub(super) struct Win;

impl Objective for Win {
    fn play<G: Game + 'static>(game: G) -> Arc<dyn Playable> {
        Arc::new(game)
    }
}

/// The misère game.
pub(super) struct Lose;

impl Objective for Lose {
    fn play<G: Game + 'static>(game: G) -> Arc<dyn Playable> {
        Arc::new(Misere(game))
    }
}
