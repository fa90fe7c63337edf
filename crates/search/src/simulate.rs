//! One simulation, from top to bottom: descend, expand, playout, backup, learn.
//!
//! Every driver runs this code: a single search whose game answers at once (`runner.rs`), hundreds of searches that step
//! together (`lockstep.rs`), and many simulations of one tree (`batch.rs`). What all simulations of a search share (tree,
//! policies, selection, budget) is the [`Worker`]; what belongs to one simulation is here. Where the [`World`] cannot
//! answer at once, [`Simulation::resume`] returns `Pending` and goes on from the same [`Stage`] when it is called again.

use crate::{
    backup::backup,
    batch::count_visits,
    memory,
    policy::Leaf,
    select::{Junction, Pick},
    solver,
    trail::{CodeSpace, Trail},
    tree::{Amaf, Arm, NodeId, Tree},
    worker::Worker,
    world::World,
};
use ludens_game::{Move, Role};
use std::task::{Poll, ready};

/// A simulation under way.
pub(crate) struct Simulation {
    stage: Stage,
    /// The nodes it has visited, from the root.
    pub(crate) path: Vec<NodeId>,
    /// The arms picked at them, one per decider, node by node.
    pub(crate) picked: Vec<u32>,
    /// Its steps, as the policies read them.
    pub(crate) trail: Trail,
    /// The scores of its end.
    pub(crate) scores: Vec<f64>,
    /// The joint move to play next.
    joint: Vec<Move>,
    /// The steps it has made.
    pub(crate) steps: u64,
    /// Whether it has added its node and goes on from there.
    has_added: bool,
}

/// Where a simulation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// At the root, not yet begun.
    Home,
    /// At a node of the tree.
    Node(NodeId),
    /// Below a node: the arms picked there have been played.
    Below,
    /// Outside the tree, with at most this many steps to go.
    Playout(u32),
    /// Before a node with a move that wins at once.
    Refuted(NodeId),
    /// At its end: the scores are known.
    Over,
}

impl Simulation {
    pub(crate) fn new(space: &CodeSpace) -> Simulation {
        let roles = space.roles();
        Simulation {
            stage: Stage::Home,
            path: Vec::new(),
            picked: Vec::new(),
            trail: Trail::new(space),
            scores: vec![0.0; roles],
            joint: vec![Move(0); roles],
            steps: 0,
            has_added: false,
        }
    }

    /// Whether it is at the root, not yet begun.
    #[inline]
    pub(crate) fn is_home(&self) -> bool {
        self.stage == Stage::Home
    }

    /// Whether it reads or changes the tree when it goes on. Only a playout does not.
    #[inline]
    pub(crate) fn needs_tree(&self) -> bool {
        !matches!(self.stage, Stage::Playout(_))
    }

    /// Gives up whatever is under way.
    pub(crate) fn abandon(&mut self) {
        self.stage = Stage::Home;
        self.steps = 0;
    }

    /// The bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        self.trail.bytes() + memory::of_vec(&self.path) + memory::of_vec(&self.picked)
    }

    /// Goes on until the simulation has left its results in the tree and the policies, or the world has to answer first, or a tree that is
    /// handed on is needed no more or needed again.
    #[inline]
    pub(crate) fn resume<W: World>(&mut self, worker: &mut Worker, world: &mut W) -> Poll<()> {
        loop {
            let needed_tree = self.needs_tree();
            self.stage = match self.stage {
                Stage::Home => {
                    ready!(world.start());
                    self.trail.clear();
                    self.path.clear();
                    self.picked.clear();
                    self.has_added = false;
                    Stage::Node(worker.tree.root().expect("a search has a root"))
                }
                Stage::Node(node) => {
                    if worker.tree.is_threatened(node) {
                        worker.meet_threats(world, node);
                    }
                    if worker.look_for_win(world, node, &self.path, false) {
                        Stage::Refuted(node)
                    } else if self.descend(worker, node) {
                        Stage::Over
                    } else {
                        self.stage = Stage::Below;
                        ready!(world.advance(&self.joint));
                        Stage::Below
                    }
                }
                Stage::Below => ready!(self.expand(worker, world)),
                Stage::Playout(left) => {
                    ready!(self.playout(worker, world, left));
                    Stage::Over
                }
                Stage::Refuted(node) => {
                    // What the win proves is all that is learned, and the simulation begins again, knowing better.
                    if worker.virtual_loss {
                        count_visits(&mut worker.tree, &self.path, &self.picked, -1);
                    }
                    self.path.push(node);
                    solver::prove_path(&mut worker.tree, &self.path);
                    worker.steps += std::mem::take(&mut self.steps);
                    if worker.tree.result(self.path[0]).is_some() {
                        worker.simulations += 1;
                        self.stage = Stage::Home;
                        return Poll::Ready(());
                    }
                    Stage::Home
                }
                Stage::Over => {
                    self.finish(worker);
                    self.stage = Stage::Home;
                    return Poll::Ready(());
                }
            };
            if worker.hands_on_tree && self.needs_tree() != needed_tree {
                return Poll::Pending;
            }
        }
    }

    /// Visits a node. If its result is known the scores are filled in and this returns `true`; otherwise the joint move is.
    fn descend(&mut self, worker: &mut Worker, node: NodeId) -> bool {
        self.path.push(node);
        worker.tree.touch(node);
        if let Some(scores) = worker.tree.result(node) {
            self.scores.copy_from_slice(scores);
            return true;
        }
        let first_pick = self.picked.len();
        self.pick_arms(worker, node);
        if worker.virtual_loss {
            count_visits(&mut worker.tree, &[node], &self.picked[first_pick..], 1);
        }
        false
    }

    /// Goes to the node that the picked arms lead to; where the tree has none, adds it.
    fn expand<W: World>(&mut self, worker: &mut Worker, world: &mut W) -> Poll<Stage> {
        if self.has_added {
            return Poll::Ready(self.begin_playout(worker));
        }
        let next = self.follow(worker, world);
        let is_cut = self.path.len() >= worker.settings.depth as usize;
        if let (Ok(node), false) = (next, is_cut) {
            return Poll::Ready(Stage::Node(node));
        }
        let is_over = ready!(world.scores(&mut self.scores));
        if !is_over && next.is_ok() {
            world.cutoff_scores(&mut self.scores);
        }
        worker.settings.goals.apply(&mut self.scores);
        Poll::Ready(match next {
            Err(hash) => {
                if !worker.tree.is_full() {
                    let leaf = worker.add_node(world, hash, is_over.then_some(&self.scores));
                    let (node, picks) = last_step(&worker.tree, &self.path, &self.picked);
                    worker.tree.link(node, picks, leaf);
                    if !is_over && worker.look_for_win(world, leaf, &self.path, true) {
                        return Poll::Ready(Stage::Refuted(leaf));
                    }
                    if worker.settings.counts_leaf && !is_over {
                        self.has_added = true;
                        return Poll::Ready(Stage::Node(leaf));
                    }
                    self.path.push(leaf);
                }
                if is_over { Stage::Over } else { self.begin_playout(worker) }
            }
            Ok(_) => Stage::Over,
        })
    }

    /// The node that the last picks lead to; if the tree has none, the hash of its position, if anybody reads it.
    fn follow<W: World>(&self, worker: &mut Worker, world: &mut W) -> Result<NodeId, Option<u64>> {
        let tree = &mut worker.tree;
        let (node, picks) = last_step(tree, &self.path, &self.picked);
        if let Some(child) = tree.child(node, picks) {
            return Ok(child);
        }
        let hash = if tree.transpositions() { world.hash() } else { None };
        let met = tree.find(hash).ok_or(hash)?;
        tree.link(node, picks, met);
        Ok(met)
    }

    fn begin_playout(&mut self, worker: &mut Worker) -> Stage {
        let simulations = if worker.budget > 0 { worker.budget } else { worker.simulations };
        let moves_last = worker.lasting.moves_last();
        worker.chain.begin(&Leaf { tree: &worker.tree, path: &self.path, simulations, moves_last });
        Stage::Playout(worker.settings.depth.saturating_sub(self.steps as u32))
    }

    /// Plays on to the end of the game or for `left` more steps.
    #[inline]
    fn playout<W: World>(&mut self, worker: &mut Worker, world: &mut W, mut left: u32) -> Poll<()> {
        if worker.chain.is_blind()
            && let Some(steps) = world.uniform_playout(&mut worker.chain.rng, left)
        {
            self.steps += u64::from(steps);
            left = 0;
        }
        loop {
            let is_over = ready!(world.scores(&mut self.scores));
            if is_over || left == 0 {
                if !is_over {
                    world.cutoff_scores(&mut self.scores);
                }
                worker.settings.goals.apply(&mut self.scores);
                return Poll::Ready(());
            }
            left -= 1;
            for role in Role::all(self.joint.len()) {
                self.joint[role.index()] = worker.chain.pick_move(world, role, &mut self.trail);
            }
            self.end_step(worker);
            self.stage = Stage::Playout(left);
            ready!(world.advance(&self.joint));
        }
    }

    /// Backup and learning.
    fn finish(&mut self, worker: &mut Worker) {
        if worker.virtual_loss {
            count_visits(&mut worker.tree, &self.path, &self.picked, -1);
        }
        self.trail.set_discount(worker.settings.discount, self.steps as usize);
        backup(worker, self);
        worker.chain.learn(&self.trail, &self.scores);
        worker.look_whether_moves_last(&self.trail);
        worker.simulations += 1;
        worker.steps += std::mem::take(&mut self.steps);
    }

    /// Picks an arm for every decider of a node; fills the joint move, the trail and the picks.
    fn pick_arms(&mut self, worker: &mut Worker, node: NodeId) {
        self.joint.copy_from_slice(worker.tree.forced(node));
        for decider in 0..worker.tree.deciders(node) {
            let mut pick = self.select(worker, node, decider, None);
            if let Pick::Arm(arm) = pick
                && worker.settings.solver
                && worker.tree.deciders(node) == 1
                && solver::is_lost(&worker.tree, node, arm)
            {
                pick = self.select_again(worker, node).unwrap_or(pick);
            }
            let arm = match pick {
                Pick::Arm(arm) => arm,
                Pick::AskPolicy => worker.ask_policy(node, decider, &self.trail),
            };
            let Worker { tree, chain, .. } = &mut *worker;
            let role = tree.decider(node, decider);
            let arms = tree.arms(node, decider);
            let mv = arms[arm].mv;
            if chain.records() {
                self.trail.open_choice(role);
                if chain.needs.legal {
                    self.trail.legal_buffer().extend(arms.iter().map(|arm| arm.code));
                }
                self.trail.close_choice(arm, chain.space.code(role, mv));
            }
            self.joint[role.index()] = mv;
            self.picked.push(arm as u32);
        }
        self.end_step(worker);
    }

    /// What the selection rule picks among the arms of a decider, or among some of them.
    fn select(&self, worker: &mut Worker, node: NodeId, decider: usize, some: Option<&[Arm]>) -> Pick {
        let Worker { tree, select, chain, lasting, .. } = worker;
        let role = tree.decider(node, decider);
        let (amaf, reference): (&[Amaf], &[Amaf]) = if select.wants_amaf() {
            let enough = select.reference_visits();
            let is_enough = |node: NodeId| tree.node(node).visits >= enough && tree.has_amaf(node);
            let nearest = self.path.iter().rev().find(|&&upper| is_enough(upper));
            let reference = *nearest.unwrap_or(&self.path[0]);
            (tree.amaf_of(node, role), tree.amaf_of(reference, role))
        } else {
            (&[], &[])
        };
        let arms = some.unwrap_or_else(|| tree.arms(node, decider));
        let moves_last = lasting.moves_last();
        let junction = Junction { arms, visits: tree.node(node).visits, amaf, reference, moves_last };
        select.pick(&junction, &mut chain.rng)
    }

    /// What the rule picks among the arms that are not proven lost, if there are any; the node has one decider.
    fn select_again(&self, worker: &mut Worker, node: NodeId) -> Option<Pick> {
        let (mut arms, mut places) = std::mem::take(&mut worker.open);
        arms.clear();
        places.clear();
        for (place, arm) in worker.tree.arms(node, 0).iter().enumerate() {
            if !solver::is_lost(&worker.tree, node, place) {
                arms.push(arm.clone());
                places.push(place);
            }
        }
        let pick = (!arms.is_empty()).then(|| match self.select(worker, node, 0, Some(&arms)) {
            Pick::Arm(arm) => Pick::Arm(places[arm]),
            Pick::AskPolicy => Pick::AskPolicy,
        });
        worker.open = (arms, places);
        pick
    }

    /// The joint move is settled.
    #[inline]
    fn end_step(&mut self, worker: &Worker) {
        self.steps += 1;
        if worker.chain.records() {
            let space = &worker.chain.space;
            let codes = Role::all(self.joint.len()).zip(&self.joint).map(|(role, &mv)| space.code(role, mv));
            self.trail.end_step(codes);
        }
    }
}

/// The last node of a path at which arms were picked, and these.
#[inline]
fn last_step<'p>(tree: &Tree, path: &[NodeId], picked: &'p [u32]) -> (NodeId, &'p [u32]) {
    let node = *path.last().expect("the root is on the path");
    (node, &picked[picked.len() - tree.deciders(node)..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        select::{Uct, Unvisited},
        worker::Parts,
        world::Local,
    };
    use ludens_game::{Game, Seed, toy::TicTacToe};

    /// By hand: nine simulations from the empty board try its nine cells in turn, each adds the node behind its cell, and there the
    /// first of eight cells is free. The node counts that move, or nothing.
    #[test]
    fn a_new_node_counts_the_simulation_that_adds_it_if_told_to() {
        let game = TicTacToe;
        let initial = Game::initial(&game);
        for (spec, visits) in [("uct", 0), ("uct@leaf=count", 1)] {
            let mut worker = Worker::new(Parts {
                space: CodeSpace::of(&game),
                settings: spec.parse::<crate::Spec>().expect("a spec").settings(),
                select: Box::new(Uct::new(0.4, f64::INFINITY, Unvisited::First)),
                policies: Vec::new(),
                rng: Seed::new(1).rng(),
            });
            let mut world = Local::new(&game, &initial);
            worker.begin_search(&mut world, 0);
            let mut simulation = Simulation::new(&CodeSpace::of(&game));
            for _ in 0..9 {
                assert!(simulation.resume(&mut worker, &mut world).is_ready());
            }
            let (tree, root) = (&worker.tree, worker.tree.root().expect("a root"));
            assert_eq!(tree.len(), 10, "{spec}: one node a simulation");
            for cell in 0..9 {
                let child = tree.child(root, &[cell]).expect("a node behind every cell");
                let arms: Vec<_> = tree.arms(child, 0).iter().map(|arm| arm.visits).collect();
                assert_eq!((tree.node(child).visits, arms[0]), (visits, visits), "{spec}");
                assert!(arms[1..].iter().all(|&others| others == 0));
            }
        }
    }
}
