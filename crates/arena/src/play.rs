//! Plays one game between players.

use ludens_game::{Move, Role, Seed};
use ludens_search::{Budget, Effort, Playable, Player};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The joint moves.
    pub moves: Vec<Vec<Move>>,
    /// The scores of the roles; nothing but zeros if the game was cut off.
    pub scores: Vec<f64>,
    /// What each role's player computed.
    pub efforts: Vec<Effort>,
    /// How it ended.
    pub end: End,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// In a terminal position.
    #[default]
    Terminal,
    /// After [`MAX_STEPS`], without a result.
    Cut,
}

/// Rules that somebody wrote need not end; a game that takes longer than this has no result.
pub const MAX_STEPS: usize = 10_000;

/// Plays a game to its end: `players[r]` sits at role r and gets the seed `seed.at(r)`. `None` if `stop` said so first.
pub fn play(
    game: &Arc<dyn Playable>,
    players: &mut [&mut Box<dyn Player>],
    setup: (Budget, Seed),
    stop: &dyn Fn() -> bool,
) -> Option<Played> {
    let (budget, seed) = setup;
    let mut position = game.clone().start();
    let mut efforts = vec![Effort::default(); players.len()];
    for (role, player) in (0..).zip(players.iter_mut()) {
        player.start(seed.at(role));
    }
    loop {
        let ended = match position.scores() {
            Some(scores) => Some((scores, End::Terminal)),
            None if position.history().len() >= MAX_STEPS => Some((vec![0.0; players.len()], End::Cut)),
            None => None,
        };
        if let Some((scores, end)) = ended {
            return Some(Played { moves: position.history().to_vec(), scores, efforts, end });
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
