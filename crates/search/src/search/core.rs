//! [`Core`]: everything of a search that does not depend on the type of its game, so that it is compiled once and not for
//! every game.

use crate::{
    budget::{Budget, Meter},
    report::Effort,
    runner::Runner,
    settings::{Final, Settings},
    solver,
    spec::Spec,
    trail::CodeSpace,
    tree::{NodeId, Tree},
    worker::{Parts, Worker},
};
use ludens_game::{Move, Role, Seed};

/// The player's seat, its trees and what became of its last search.
pub(super) struct Core {
    pub(super) role: Role,
    pub(super) spec: Spec,
    pub(super) settings: Settings,
    pub(super) space: CodeSpace,
    /// One per thread.
    pub(super) runners: Vec<Runner>,
    pub(super) steps_played: u32,
    /// The move of the last choice, from the position that the player is in.
    pub(super) chosen: Option<Move>,
    pub(super) effort: Effort,
    pub(super) seed: Seed,
}

/// A move at the root, all threads added up.
pub(super) struct RootArm {
    pub(super) mv: Move,
    pub(super) visits: u64,
    /// The mean score, if there were any visits.
    pub(super) score: Option<f64>,
    /// The mean score of all simulations in which the move was played at any time.
    pub(super) amaf: Option<f64>,
}

impl Core {
    pub(super) fn new(role: Role, spec: &Spec, space: CodeSpace) -> Core {
        let mut core = Core {
            role,
            spec: spec.clone(),
            settings: spec.settings(),
            space,
            runners: Vec::new(),
            steps_played: 0,
            chosen: None,
            effort: Effort::default(),
            seed: Seed::new(0),
        };
        core.runners = (0..core.settings.threads).map(|_| Runner::new(core.new_worker())).collect();
        core.start(core.seed);
        core
    }

    pub(super) fn new_worker(&self) -> Worker {
        let (select, select_args) = self.spec.select();
        Worker::new(Parts {
            space: self.space.clone(),
            settings: self.settings.clone(),
            select: (select.build)(select_args),
            policies: self.spec.policies().iter().map(|policy| policy.build(&self.space)).collect(),
            rng: self.seed.rng(),
        })
    }

    /// A new game begins.
    pub(super) fn start(&mut self, seed: Seed) {
        self.seed = seed;
        self.steps_played = 0;
        self.chosen = None;
        self.effort = Effort::default();
        for (index, runner) in (0..).zip(&mut self.runners) {
            runner.worker.reset(seed.at(index).rng());
        }
    }

    /// The real game advanced by a joint move, to a position with this hash.
    pub(super) fn observe(&mut self, joint: &[Move], hash: Option<u64>) {
        self.steps_played += 1;
        self.chosen = None;
        for Runner { worker, .. } in &mut self.runners {
            worker.new_turn();
            if self.settings.reuse {
                let root = worker.successor(joint, hash);
                worker.tree.advance(root);
            } else {
                worker.tree.clear();
            }
        }
    }

    /// The limits of the next search, if there is something to think about where the role has these legal moves.
    pub(super) fn begin(&mut self, legals: &[Move], budget: &Budget) -> Option<Budget> {
        self.effort = Effort::default();
        self.chosen = None;
        let is_first = self.steps_played == 0;
        let thinks_anyway = self.settings.think_every || (is_first && budget.first.is_some());
        let is_forced = legals.len() == 1 && !thinks_anyway;
        (!is_forced && self.spec.searches()).then(|| budget.of_search(is_first, self.settings.pace))
    }

    /// Notes what the search that `meter` measures has cost so far.
    pub(super) fn end(&mut self, meter: &Meter) {
        self.effort = Effort {
            simulations: self.runners.iter().map(|runner| runner.worker.simulations).sum(),
            steps: self.runners.iter().map(|runner| runner.worker.steps).sum(),
            time: meter.elapsed(),
        };
    }

    /// The arms of the player's role at the root.
    pub(super) fn root_arms(&self) -> Vec<RootArm> {
        let mut arms: Vec<RootArm> = Vec::new();
        let mut sums = Vec::new();
        for Runner { worker, .. } in &self.runners {
            let Some(root) = worker.tree.root() else { continue };
            let amaf = worker.tree.amaf_of(root, self.role);
            for (place, arm) in worker.tree.arms_of(root, self.role).unwrap_or_default().iter().enumerate() {
                if arms.len() <= place {
                    arms.push(RootArm { mv: arm.mv, visits: 0, score: None, amaf: None });
                    sums.push(0.0);
                }
                arms[place].visits += u64::from(arm.visits);
                arms[place].amaf = amaf.get(arm.mv.index()).and_then(|sums| sums.mean());
                sums[place] += arm.score;
            }
        }
        for (arm, sum) in arms.iter_mut().zip(sums) {
            arm.score = (arm.visits > 0).then(|| sum / arm.visits as f64);
        }
        arms
    }

    /// The choice after a search, where the role has these legal moves; a player that does not search draws from
    /// `considered`.
    pub(super) fn conclude(&mut self, legals: &[Move], considered: &[Move]) -> (Move, Effort) {
        let mv = match *legals {
            [only] => only,
            _ if !self.spec.searches() => self.random_move(considered),
            _ => self.final_move().unwrap_or(legals[0]),
        };
        self.chosen = Some(mv);
        (mv, self.effort)
    }

    /// The move of a player that does not search. It depends on the seed and the step alone, so that a player that was made
    /// anew goes on as the one before would have.
    fn random_move(&self, considered: &[Move]) -> Move {
        let mut rng = self.seed.named("random").at(u64::from(self.steps_played)).rng();
        considered[rng.below(considered.len() as u32) as usize]
    }

    /// The move to play, from the arms at the root.
    fn final_move(&mut self) -> Option<Move> {
        if let Some(mv) = self.proven_move() {
            return Some(mv);
        }
        let mut arms = self.root_arms();
        if arms.iter().any(|arm| !self.is_lost(arm.mv)) {
            arms.retain(|arm| !self.is_lost(arm.mv));
        }
        let value = |arm: &RootArm| {
            let score = arm.score.unwrap_or(-1.0);
            match self.settings.final_by {
                Final::Visits => (arm.visits as f64, score),
                Final::Score => (score, 0.0),
            }
        };
        let best = arms.iter().map(value).max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)))?;
        let candidates: Vec<_> = arms.iter().filter(|arm| value(arm) == best).map(|arm| arm.mv).collect();
        let rng = &mut self.runners[0].worker.chain.rng;
        Some(candidates[rng.below(candidates.len() as u32) as usize])
    }

    /// With the solver, where the result of the root is known: the move that gets it.
    fn proven_move(&self) -> Option<Move> {
        self.decided_roots().find_map(|(tree, root)| {
            tree.result(root)?;
            Some(tree.arms(root, 0)[solver::best_known(tree, root)?].mv)
        })
    }

    /// Whether a move of the player's role at the root is proven to score nothing.
    fn is_lost(&self, mv: Move) -> bool {
        self.decided_roots().any(|(tree, root)| {
            let arm = tree.arms(root, 0).iter().position(|arm| arm.mv == mv);
            arm.is_some_and(|arm| solver::is_lost(tree, root, arm))
        })
    }

    /// With the solver, the trees at whose root the player's role decides alone.
    fn decided_roots(&self) -> impl Iterator<Item = (&Tree, NodeId)> {
        let trees = self.runners.iter().filter(|_| self.settings.solver).map(|runner| &runner.worker.tree);
        let roots = trees.filter_map(|tree| Some((tree, tree.root()?)));
        roots.filter(|&(tree, root)| tree.deciders(root) == 1 && tree.decider(root, 0) == self.role)
    }
}
