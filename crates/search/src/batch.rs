//! Many simulations of one tree at once, `batch=N`: one search fills the lanes of an engine that steps them together.
//!
//! There is one [`Worker`] and one [`Simulation`] per lane. Before every tick the simulations are resumed in the order of their
//! lanes. Nothing depends on a clock but the end, so the same seed and number of simulations give the same move.
//!
//! **Virtual loss.** Simulations that leave the root together would all follow the same arms, since none has a result yet.
//! Therefore each counts its visits on the way down, with a score of 0 for whoever decides, and the next one sees an arm that
//! has just been lost once more. At its end a simulation takes these visits back, and the ordinary backup adds them again
//! with the true scores. By hand, for UCT with c = 0.4, arms with 3 of 4 and 2 of 4 points, and simulations that leave one
//! after the other:
//!
//! ```text
//!   in flight   arm 0                                  arm 1                                  leaves by
//!   none        3/4 + 0.4·sqrt(ln  8 / 4) = 1.038      2/4 + 0.4·sqrt(ln  8 / 4) = 0.788      arm 0
//!   0           3/5 + 0.4·sqrt(ln  9 / 5) = 0.865      2/4 + 0.4·sqrt(ln  9 / 4) = 0.796      arm 0
//!   0, 0        3/6 + 0.4·sqrt(ln 10 / 6) = 0.748      2/4 + 0.4·sqrt(ln 10 / 4) = 0.803      arm 1
//! ```
//!
//! The tree that others see has no simulation under way in it: their visits are taken back when the search pauses, and counted
//! again when it goes on. What is in flight at the end leaves no visits behind.

use crate::{
    budget::Meter,
    lane::{LaneEngine, LaneRoot},
    memory,
    runner::RunState,
    simulate::Simulation,
    tree::{NodeId, Tree},
    worker::Worker,
};
use ludens_game::Game;

/// The engine and the simulations in its lanes.
pub(crate) struct Batch {
    engine: LaneEngine,
    /// By lane.
    simulations: Vec<Simulation>,
    /// By lane, once a search has begun.
    roots: Vec<LaneRoot>,
    /// How many simulations have left the root.
    in_flight: usize,
    /// Lanes whose scores have just been computed.
    served: Vec<usize>,
}

impl Batch {
    /// As many lanes as the worker's settings say; none if that is one or the game has no lanes.
    pub(crate) fn new<G: Game>(game: &G, worker: &Worker) -> Option<Batch> {
        let count = worker.settings.batch.lanes();
        let engine = if count > 1 { game.lanes(count)? } else { return None };
        Some(Batch {
            engine: LaneEngine::new(engine, count),
            simulations: (0..count).map(|_| Simulation::new(&worker.chain.space)).collect(),
            roots: Vec::new(),
            in_flight: 0,
            served: Vec::new(),
        })
    }

    /// The bytes that the simulations hold.
    pub(crate) fn bytes(&self) -> usize {
        memory::of_vec(&self.simulations) + self.simulations.iter().map(Simulation::bytes).sum::<usize>()
    }

    /// A search begins at a state.
    pub(crate) fn begin_search(&mut self, state: &[u64]) {
        let engine = &mut self.engine;
        self.roots.clear();
        self.roots.extend((0..self.simulations.len()).map(|lane| engine.set_root(lane, state)));
        self.simulations.iter_mut().for_each(Simulation::abandon);
        self.in_flight = 0;
        engine.clear(self.roots[0]);
    }

    /// Steps of the simulations in flight.
    pub(crate) fn steps_in_flight(&self) -> u64 {
        self.simulations.iter().map(|simulation| simulation.steps).sum()
    }

    /// Makes simulations until the budget is spent, the root is solved or somebody asks to stop.
    pub(crate) fn drive(&mut self, worker: &mut Worker, meter: &mut Meter, stop: &dyn Fn() -> bool) -> RunState {
        worker.virtual_loss = true;
        self.count_flights(&mut worker.tree, 1);
        let progress = self.fly(worker, meter, stop);
        self.count_flights(&mut worker.tree, -1);
        worker.virtual_loss = false;
        progress
    }

    /// Adds the visits of everything in flight to the tree, or takes them back.
    fn count_flights(&self, tree: &mut Tree, sign: i32) {
        for simulation in self.simulations.iter().filter(|simulation| !simulation.is_home()) {
            count_visits(tree, &simulation.path, &simulation.picked, sign);
        }
    }

    fn fly(&mut self, worker: &mut Worker, meter: &mut Meter, stop: &dyn Fn() -> bool) -> RunState {
        loop {
            if meter.is_late() {
                return RunState::Ended;
            }
            if stop() {
                return RunState::Stopped;
            }
            for lane in 0..self.simulations.len() {
                if meter.is_spent(worker.simulations, worker.steps, worker.tree.len()) || worker.is_solved() {
                    return RunState::Ended;
                }
                self.resume(worker, lane, false, meter);
            }
            self.engine.compute_scores_if_due(self.in_flight, &mut self.served);
            for place in 0..self.served.len() {
                self.resume(worker, self.served[place], true, meter);
            }
            self.engine.tick();
        }
    }

    /// Goes on in a lane. Where its simulation is over, or there is none, the next one begins if the budget allows it.
    fn resume(&mut self, worker: &mut Worker, lane: usize, is_scored: bool, meter: &Meter) {
        let (simulation, root) = (&mut self.simulations[lane], self.roots[lane]);
        if !simulation.is_home() {
            if simulation.resume(worker, &mut self.engine.world(root, is_scored)).is_pending() {
                return;
            }
            self.in_flight -= 1;
        }
        if worker.is_solved() || !meter.allows(worker.simulations + self.in_flight as u64) {
            return;
        }
        let is_over = simulation.resume(worker, &mut self.engine.world(root, false)).is_ready();
        debug_assert!(!is_over, "a simulation makes a step unless the root is solved");
        self.in_flight += usize::from(!simulation.is_home());
    }
}

/// Adds a visit of every node of a path at which arms were picked, and of these arms, without a score; or takes it back.
pub(crate) fn count_visits(tree: &mut Tree, path: &[NodeId], picked: &[u32], sign: i32) {
    let mut picks = picked.iter();
    for &node in path {
        let deciders = tree.deciders(node);
        // Where nobody decides there are no arms to keep others from.
        if deciders == 0 {
            continue;
        }
        // Only at the last node of a path may nothing have been picked.
        if picks.len() == 0 {
            return;
        }
        tree.add_visits(node, sign);
        for decider in 0..deciders {
            let arm = *picks.next().expect("one pick per decider") as usize;
            let arm = tree.arm_mut(node, decider, arm);
            arm.visits = arm.visits.wrapping_add_signed(sign);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        select::{Junction, Pick, Select, Uct, Unvisited},
        trail::CodeSpace,
    };
    use ludens_game::Seed;

    #[test]
    fn virtual_loss_by_hand() {
        // The example at the top of this file.
        let (mut tree, nodes) = Tree::by_hand(&CodeSpace::by_hand(&[10, 10]), &[(8, &[0, 1], &[])]);
        let root = nodes[0];
        for (arm, score) in [3.0, 2.0].into_iter().enumerate() {
            let arm = tree.arm_mut(root, 0, arm);
            (arm.visits, arm.score) = (4, score);
        }
        let mut uct = Uct::new(0.4, f64::INFINITY, Unvisited::First);
        let mut leave = |tree: &mut Tree| {
            let (arms, visits) = (tree.arms(root, 0), tree.node(root).visits);
            let pick = uct.pick(
                &Junction { arms, visits, amaf: &[], reference: &[], moves_last: false },
                &mut Seed::new(1).rng(),
            );
            let Pick::Arm(arm) = pick else { panic!("all arms were visited") };
            count_visits(tree, &[root], &[arm as u32], 1);
            arm as u32
        };
        let left = [leave(&mut tree), leave(&mut tree), leave(&mut tree)];
        assert_eq!(left, [0, 0, 1]);
        let stats = |tree: &Tree| {
            let arms: Vec<_> = tree.arms(root, 0).iter().map(|arm| (arm.visits, arm.score)).collect();
            (tree.node(root).visits, arms)
        };
        assert_eq!(stats(&tree), (11, vec![(6, 3.0), (5, 2.0)]));
        for arm in left {
            count_visits(&mut tree, &[root], &[arm], -1);
        }
        assert_eq!(stats(&tree), (8, vec![(4, 3.0), (4, 2.0)]));
    }

    #[test]
    fn only_nodes_with_picks_are_counted() {
        let space = CodeSpace::by_hand(&[10, 10]);
        // At the second node nobody decides; the last one is new.
        let (mut tree, path) =
            Tree::by_hand(&space, &[(0, &[0, 1], &[]), (0, &[4], &[]), (0, &[2, 3], &[]), (0, &[5, 6], &[])]);
        count_visits(&mut tree, &path, &[1, 0], 1);
        let visits: Vec<_> = path.iter().map(|&node| tree.node(node).visits).collect();
        assert_eq!(visits, [1, 0, 1, 0]);
        assert_eq!([tree.arms(path[0], 0)[1].visits, tree.arms(path[2], 0)[0].visits], [1, 1]);
        count_visits(&mut tree, &path, &[1, 0], -1);
        assert!(path.iter().all(|&node| tree.node(node).visits == 0));
    }
}
