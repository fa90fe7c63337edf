//! Many simulations of one tree in flight, `batch=N`: one search fills the lanes of an engine that steps them together.
//!
//! The worker has one tree, one set of policies and one generator. A [`Flight`] has what belongs to a single simulation: its
//! path, its picks and its walk. Before every tick each flight in turn takes the worker's place, looks at what its lane
//! has become and says what to play next; so the rules of `simulate.rs` hold here too, step by step, in the order of the
//! lanes. Nothing depends on a clock but the end, and the same seed and number of simulations give the same move.
//!
//! **Virtual loss.** Flights that leave together would all follow the same arms, since none has a result yet. Therefore a
//! flight counts its visits on the way down, with a score of 0 for whoever decides, and the next one sees an arm that has
//! just been lost once more. Whatever ends a flight first takes these visits back; if it has come to an end of the game,
//! the ordinary backup then adds the visits again, with the true scores. By hand, for UCT with c = 0.4, arms with 3 of 4
//! and 2 of 4 points, and flights that leave one after the other:
//!
//! ```text
//!   in flight   arm 0                                  arm 1                                  leaves by
//!   none        3/4 + 0.4·sqrt(ln  8 / 4) = 1.038      2/4 + 0.4·sqrt(ln  8 / 4) = 0.788      arm 0
//!   0           3/5 + 0.4·sqrt(ln  9 / 5) = 0.865      2/4 + 0.4·sqrt(ln  9 / 4) = 0.796      arm 0
//!   0, 0        3/6 + 0.4·sqrt(ln 10 / 6) = 0.748      2/4 + 0.4·sqrt(ln 10 / 4) = 0.803      arm 1
//! ```
//!
//! The tree that others see has no flights in it: they are taken back when the search pauses, and counted again when it
//! goes on. What is still in the air at the end leaves no visits behind.

use crate::{
    backup::backup,
    budget::Meter,
    drive::Progress,
    lane::{LaneSight, Patience, play_joint},
    memory,
    tree::{NodeId, Tree},
    walk::{Lent, Walk},
    worker::Worker,
};
use ludens_game::{Game, Lanes};
use std::mem::swap;

/// The engine and the simulations in its lanes.
pub(crate) struct Batch {
    engine: Box<dyn Lanes>,
    /// By lane.
    flights: Vec<Flight>,
    /// How many of them have left the root.
    in_air: usize,
    /// The phase of the root.
    home_phase: u32,
    /// Lanes at the end of a game that wait for its scores, since the last tick.
    waiting: Vec<usize>,
    patience: Patience,
    /// Room for a state.
    row: Vec<u64>,
}

/// One simulation.
struct Flight {
    stage: Stage,
    walk: Lent<Walk>,
    path: Vec<NodeId>,
    picked: Vec<u32>,
}

/// Where a simulation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// At the root, and it has not begun.
    Home,
    /// It has played the arms that it picked at the last node of its path.
    Descent,
    /// Outside of the tree, with so many steps to go at most.
    Playout(u32),
}

impl Flight {
    /// Takes the worker's place, or gives it back.
    #[inline]
    fn change_places(&mut self, worker: &mut Worker) {
        // What was learned and what chance decides belong to the search.
        swap(&mut self.walk.policies, &mut worker.walk.policies);
        swap(&mut self.walk.rng, &mut worker.walk.rng);
        swap(&mut self.walk, &mut worker.walk);
        swap(&mut self.path, &mut worker.path);
        swap(&mut self.picked, &mut worker.picked);
    }
}

impl Batch {
    /// As many flights as the worker's settings say; none if that is one or the game has no lanes.
    pub(crate) fn new<G: Game>(game: &G, worker: &Worker) -> Option<Batch> {
        let count = worker.settings.batch.lanes();
        let engine = if count > 1 { game.lanes(count)? } else { return None };
        let flight = || {
            let Walk { space, needs, rng, .. } = &*worker.walk;
            let walk = Walk::new(space.clone(), Vec::new(), *needs, rng.clone());
            Flight { stage: Stage::Home, walk: Lent::new(walk), path: Vec::new(), picked: Vec::new() }
        };
        let flights = (0..count).map(|_| flight()).collect();
        Some(Batch {
            engine,
            flights,
            in_air: 0,
            home_phase: 0,
            waiting: Vec::new(),
            patience: Patience::default(),
            row: Vec::new(),
        })
    }

    /// The bytes that the flights hold.
    pub(crate) fn bytes(&self) -> usize {
        let flight = |flight: &Flight| {
            flight.walk.bytes() + memory::of_vec(&flight.path) + memory::of_vec(&flight.picked) + size_of::<Walk>()
        };
        memory::of_vec(&self.flights) + self.flights.iter().map(flight).sum::<usize>()
    }

    /// A search begins at a state.
    pub(crate) fn begin_search(&mut self, state: &[u64]) {
        self.home_phase = self.engine.phase_of(state);
        for (lane, flight) in self.flights.iter_mut().enumerate() {
            flight.stage = Stage::Home;
            flight.walk.steps = 0;
            self.engine.set_home(lane, state);
        }
        self.in_air = 0;
        self.patience = Patience::default();
        // What the last search told the engine must not become part of this one, and the first flights leave at once.
        self.engine.tick();
        while self.engine.phase() != self.home_phase {
            self.engine.tick();
        }
    }

    /// Steps of simulations that have not come to their ends.
    pub(crate) fn steps_in_air(&self) -> u64 {
        self.flights.iter().map(|flight| flight.walk.steps).sum()
    }

    /// Makes simulations until the budget is spent, the root is solved or somebody asks to stop.
    pub(crate) fn drive(&mut self, worker: &mut Worker, mut meter: Meter, stop: &dyn Fn() -> bool) -> Progress {
        self.count_flights(&mut worker.tree, 1);
        let progress = self.fly(worker, &mut meter, stop);
        self.count_flights(&mut worker.tree, -1);
        progress
    }

    /// Adds the visits of everything in the air to the tree, or takes them back.
    fn count_flights(&self, tree: &mut Tree, sign: i32) {
        for flight in self.flights.iter().filter(|flight| flight.stage != Stage::Home) {
            count_visits(tree, &flight.path, &flight.picked, sign);
        }
    }

    fn fly(&mut self, worker: &mut Worker, meter: &mut Meter, stop: &dyn Fn() -> bool) -> Progress {
        loop {
            if meter.is_late() {
                return Progress::Ended;
            }
            if stop() {
                return Progress::Stopped;
            }
            self.waiting.clear();
            for lane in 0..self.flights.len() {
                if meter.is_spent(worker.simulations, worker.tree.len()) || worker.is_solved() {
                    return Progress::Ended;
                }
                self.prepare(worker, lane, false);
                self.launch(worker, lane, meter);
            }
            let cost = self.engine.settle_cost() * self.flights.len() as f64;
            if self.patience.ends(self.waiting.len(), self.in_air, cost) {
                self.engine.settle();
                for place in 0..self.waiting.len() {
                    let lane = self.waiting[place];
                    self.prepare(worker, lane, true);
                    self.launch(worker, lane, meter);
                }
            }
            self.engine.tick();
        }
    }

    /// Begins a simulation in a lane that has none, if the budget and the rhythm of the engine allow it.
    fn launch(&mut self, worker: &mut Worker, lane: usize, meter: &Meter) {
        let is_free = self.flights[lane].stage == Stage::Home && self.engine.phase() == self.home_phase;
        if !is_free || worker.is_solved() || !meter.allows(worker.simulations + self.in_air as u64) {
            return;
        }
        self.in_air += 1;
        self.flights[lane].change_places(worker);
        worker.begin_simulation();
        self.engine.rewind(lane);
        let root = worker.tree.root().expect("a search has a root");
        let stage = self.enter(worker, lane, root);
        self.settle_in(worker, lane, stage);
    }

    /// Decides what a flight does at the coming tick. `is_scored`: if its game is over the scores are there.
    fn prepare(&mut self, worker: &mut Worker, lane: usize, is_scored: bool) {
        let stage = self.flights[lane].stage;
        if stage == Stage::Home {
            return;
        }
        self.flights[lane].change_places(worker);
        let stage = match stage {
            Stage::Playout(left) => self.play_on(worker, lane, (left, is_scored)),
            _ => self.arrive(worker, lane, is_scored),
        };
        self.settle_in(worker, lane, stage);
    }

    /// The flight gives the worker's place back, in its new stage.
    fn settle_in(&mut self, worker: &mut Worker, lane: usize, stage: Stage) {
        self.flights[lane].change_places(worker);
        self.flights[lane].stage = stage;
        if stage == Stage::Home {
            let steps = std::mem::take(&mut self.flights[lane].walk.steps);
            worker.walk.steps += steps;
            self.in_air -= 1;
        }
    }

    /// Goes to a node of the tree and on from there.
    fn enter(&mut self, worker: &mut Worker, lane: usize, node: NodeId) -> Stage {
        let first_pick = worker.picked.len();
        if worker.enter(node) {
            return land(worker);
        }
        count_visits(&mut worker.tree, &[node], &worker.picked[first_pick..], 1);
        play_joint(&mut *self.engine, lane, &worker.walk.joint);
        Stage::Descent
    }

    /// The arms that were picked have been played.
    fn arrive(&mut self, worker: &mut Worker, lane: usize, is_scored: bool) -> Stage {
        let sight = LaneSight { engine: &*self.engine, lane };
        let next = worker.follow(|| Some(sight.hash(&mut self.row)));
        let is_cut = worker.path.len() >= worker.settings.depth as usize;
        if let (Ok(node), false) = (next, is_cut) {
            return self.enter(worker, lane, node);
        }
        let is_over = self.engine.is_terminal(lane);
        if is_over && !is_scored {
            self.waiting.push(lane);
            return Stage::Descent;
        }
        if is_over {
            self.engine.scores(lane, &mut worker.walk.scores);
        }
        match next {
            Err(hash) => {
                if worker.expand(&sight, hash, is_over) {
                    return land(worker);
                }
                let left = worker.begin_playout();
                self.play_on(worker, lane, (left, false))
            }
            Ok(_) => {
                if !is_over {
                    worker.walk.scores.fill(0.5);
                }
                land(worker)
            }
        }
    }

    /// Makes the next step of a playout.
    #[inline]
    fn play_on(&mut self, worker: &mut Worker, lane: usize, (left, is_scored): (u32, bool)) -> Stage {
        if self.engine.is_terminal(lane) {
            if !is_scored {
                self.waiting.push(lane);
                return Stage::Playout(left);
            }
            self.engine.scores(lane, &mut worker.walk.scores);
            return land(worker);
        }
        let Some(left) = left.checked_sub(1) else {
            worker.walk.scores.fill(0.5);
            return land(worker);
        };
        worker.walk.pick_moves(&LaneSight { engine: &*self.engine, lane });
        play_joint(&mut *self.engine, lane, &worker.walk.joint);
        Stage::Playout(left)
    }
}

/// A simulation has its scores: its virtual visits become real ones.
fn land(worker: &mut Worker) -> Stage {
    count_visits(&mut worker.tree, &worker.path, &worker.picked, -1);
    backup(worker);
    worker.walk.learn();
    worker.simulations += 1;
    Stage::Home
}

/// Adds a visit of every node of a path at which arms were picked, and of these arms, without a score; or takes it back.
fn count_visits(tree: &mut Tree, path: &[NodeId], picked: &[u32], sign: i32) {
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
        let mut uct = Uct::new(0.4, f64::INFINITY, 0.0, Unvisited::First);
        let mut leave = |tree: &mut Tree| {
            let (arms, visits) = (tree.arms(root, 0), tree.node(root).visits);
            let pick = uct.pick(&Junction { arms, visits, amaf: &[], reference: &[] }, &mut Seed::new(1).rng());
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
