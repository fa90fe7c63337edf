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
        worker.path.push(node);
        worker.tree.touch(node);
        if let Some(scores) = worker.tree.result(node) {
            worker.walk.scores.copy_from_slice(scores);
            return End::Known;
        }
        let first = worker.picked.len();
        worker.pick_arms(node);
        world.advance(&worker.walk.joint).await;
        if let Some(child) = worker.tree.child(node, &worker.picked[first..]) {
            node = child;
            continue;
        }
        let hash = if worker.tree.transpositions() { world.hash() } else { None };
        let Some(met) = worker.tree.find(hash) else {
            return expand(worker, world, (first, hash)).await;
        };
        worker.tree.link(node, &worker.picked[first..], met);
        node = met;
    }
    End::Cut
}

/// Adds the world's position as a child of the last node of the path, unless the memory is full.
async fn expand<W: World>(worker: &mut Worker, world: &mut W, (first_pick, hash): (usize, Option<u64>)) -> End {
    let is_over = world.scores(&mut worker.walk.scores).await;
    if worker.tree.is_full() {
        return if is_over { End::Known } else { End::Open };
    }
    let parent = *worker.path.last().expect("the root is on the path");
    let leaf = worker.add_node(world, hash, is_over);
    worker.tree.link(parent, &worker.picked[first_pick..], leaf);
    worker.path.push(leaf);
    match worker.tree.result(leaf) {
        Some(scores) => {
            worker.walk.scores.copy_from_slice(scores);
            End::Known
        }
        None => End::Open,
    }
}

/// Plays on to the end of the game or the depth limit.
async fn playout<W: World>(worker: &mut Worker, world: &mut W) {
    let done = worker.path.len() as u32 - 1;
    let limit = worker.settings.depth.saturating_sub(done);
    worker.begin_playout();
    world.play_out(&mut worker.walk, limit).await;
}
