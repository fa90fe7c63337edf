//! One simulation, from top to bottom: descend, expand, playout, backup, learn.
//!
//! Written once, as an async function: it awaits every step that the world makes, so that a driver may run one search
//! whose game answers at once, or hundreds of searches that take their steps together.

use crate::{backup, worker::Worker, world::World};

/// How the walk through the tree ended.
enum End {
    /// At a node whose scores are known; they are filled in.
    Known,
    /// At the depth limit.
    Cut,
    /// At a position from which a playout goes on.
    Open,
}

/// Makes one simulation from the root of the worker's tree.
pub(crate) async fn simulate<W: World>(worker: &mut Worker, world: &mut W) {
    world.reset();
    worker.begin_simulation();
    match descend(worker, world).await {
        End::Known => {}
        End::Cut => world.cutoff_scores(&mut worker.walk.scores).await,
        End::Open => playout(worker, world).await,
    }
    backup::backup(worker);
    worker.walk.learn();
    worker.simulations += 1;
}

/// Follows the tree until it ends, and adds one node there.
async fn descend<W: World>(worker: &mut Worker, world: &mut W) -> End {
    let mut node = worker.tree.root().expect("a search has a root");
    for _ in 0..worker.settings.depth {
        if worker.enter(node) {
            return End::Known;
        }
        world.advance(&worker.walk.joint).await;
        match worker.follow(|| world.hash()) {
            Ok(next) => node = next,
            Err(hash) => {
                let is_over = world.scores(&mut worker.walk.scores).await;
                return if worker.expand(world, hash, is_over) { End::Known } else { End::Open };
            }
        }
    }
    End::Cut
}

/// Plays on to the end of the game or the depth limit.
async fn playout<W: World>(worker: &mut Worker, world: &mut W) {
    let limit = worker.begin_playout();
    world.play_out(&mut worker.walk, limit).await;
}
