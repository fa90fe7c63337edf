//! Players that several tests use.

use ludens_game::{Game, Move, Role, Seed};
use ludens_search::{Budget, InMemory, Player, Search, Spec};
use std::sync::Arc;

/// A player for `role`, seeded.
pub fn player<G: Game>(game: &Arc<G>, role: u8, spec: &str, seed: u64) -> Search<G> {
    let spec: Spec = spec.parse().expect(spec);
    let mut player = Search::new(game.clone(), Role(role), &spec, Arc::new(InMemory::default())).expect("small game");
    player.start(Seed::new(seed));
    player
}

/// Chooses with a number of simulations.
pub fn choose<G: Game>(player: &mut Search<G>, simulations: u64) -> Move {
    player.choose(&Budget::simulations(simulations), &|| false).0
}
