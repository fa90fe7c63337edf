//! Plays one game between players.

use ludens_game::{Move, Role, Seed};
use ludens_search::{Budget, Effort, Playable, Player};
use std::sync::Arc;

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The joint moves.
    pub moves: Vec<Vec<Move>>,
    /// The scores of the roles.
    pub scores: Vec<f64>,
    /// What each role's player computed.
    pub efforts: Vec<Effort>,
}

/// Plays a game to its end: `players[r]` sits at role r and gets the seed `seed.at(r)`. `None` if `stop` said so first.
pub fn play(
    game: &Arc<dyn Playable>,
    players: &mut [&mut Box<dyn Player>],
    setup: (Budget, Seed),
    stop: &dyn Fn() -> bool,
) -> Option<Game> {
    let (budget, seed) = setup;
    let mut position = game.clone().start();
    let mut efforts = vec![Effort::default(); players.len()];
    for (role, player) in (0..).zip(players.iter_mut()) {
        player.start(seed.at(role));
    }
    loop {
        if let Some(scores) = position.scores() {
            return Some(Game { moves: position.history().to_vec(), scores, efforts });
        }
        let mut joint = Vec::with_capacity(players.len());
        for (player, total) in players.iter_mut().zip(&mut efforts) {
            let (mv, effort) = player.choose(&budget, stop);
            *total += effort;
            joint.push(mv);
        }
        if stop() {
            return None;
        }
        for (role, mv) in Role::all(joint.len()).zip(&joint) {
            debug_assert!(position.legals(role).contains(mv), "players choose legal moves");
        }
        position.advance(&joint);
        for player in players.iter_mut() {
            player.observe(&joint);
        }
    }
}
