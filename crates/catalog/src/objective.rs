//! What becomes of a game once its constructor has settled its type.

use ludens_game::{Game, Objective};
use ludens_search::Playable;
use std::sync::Arc;

/// The game as it is, or its misère form.
pub(super) fn with_objective<G: Game + 'static>(game: G, is_misere: bool) -> Arc<dyn Playable> {
    Arc::new(if is_misere { Objective::lose(game) } else { Objective::win(game) })
}
