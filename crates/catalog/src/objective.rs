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
        erase(game)
    }
}

/// The misère game.
pub(super) struct Lose;

impl Objective for Lose {
    fn play<G: Game + 'static>(game: G) -> Arc<dyn Playable> {
        erase(Misere(game))
    }
}

/// Forgets the type of a game.
fn erase<G: Game + 'static>(game: G) -> Arc<dyn Playable> {
    // The conformance suite needs the type. In a release it would be compiled for every game and never called.
    #[cfg(test)]
    if let Some(plan) = tests::PLAN.get() {
        let walks = ludens_game::check::conformance(&game, plan);
        assert_eq!(walks.map(|walks| walks.count), Ok(plan.walks), "{}", game.name());
    }
    Arc::new(game)
}

#[cfg(test)]
mod tests {
    use crate::GAMES;
    use ludens_game::check::Plan;
    use std::cell::Cell;

    thread_local! {
        /// How to check every game that is opened in this thread.
        pub(super) static PLAN: Cell<Option<Plan>> = const { Cell::new(None) };
    }

    #[test]
    fn every_entry_conforms() {
        PLAN.set(Some(Plan { walks: 5, max_steps: 1000, seed: 1 }));
        for entry in GAMES {
            for params in ["", "5"] {
                entry.open(params).expect("every game has a board of 5");
            }
        }
    }
}
