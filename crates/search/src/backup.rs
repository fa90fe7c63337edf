//! Backup: what a simulation leaves behind in the tree.

use crate::{simulate::Simulation, solver, trail::Trail, tree::Tree, worker::Worker};

/// The moves of a simulation as AMAF sums want them, gathered once: every code once, with the last step at which it was
/// played, the latest first. The moves played at a node or later are then the first ones of the list.
#[derive(Clone, Debug)]
pub(crate) struct AmafGather {
    codes: Vec<Played>,
    /// By code: the number of the simulation in which it was last seen.
    seen: Vec<u32>,
    simulation: u32,
}

#[derive(Clone, Copy, Debug)]
struct Played {
    code: u32,
    last_step: u32,
    role: u8,
}

impl AmafGather {
    pub(crate) fn new(codes: usize) -> AmafGather {
        AmafGather { codes: Vec::new(), seen: vec![0; codes], simulation: 0 }
    }

    fn gather(&mut self, trail: &Trail) {
        self.codes.clear();
        self.simulation = self.simulation.wrapping_add(1);
        if self.simulation == 0 {
            self.seen.fill(0);
            self.simulation = 1;
        }
        for choice in trail.choices().iter().rev() {
            let seen = &mut self.seen[choice.code as usize];
            if *seen != self.simulation {
                *seen = self.simulation;
                self.codes.push(Played { code: choice.code, last_step: choice.step, role: choice.role.0 });
            }
        }
    }
}

/// Writes visits, scores and AMAF sums of the path, and proves what can be proven.
pub(crate) fn backup(worker: &mut Worker, simulation: &Simulation) {
    let Worker { tree, amaf, chain, settings, .. } = worker;
    let Simulation { path, picked, scores, trail, .. } = simulation;
    let mut picks = picked.iter();
    for (index, &node) in path.iter().enumerate() {
        // The last node of a path is new, or its scores are known; only where memory or depth ended it, arms were picked.
        if index + 1 == path.len() && picks.len() == 0 {
            break;
        }
        tree.add_visits(node, 1);
        let discount = trail.discount(index);
        for decider in 0..tree.deciders(node) {
            let arm = *picks.next().expect("one pick per decider") as usize;
            let score = scores[tree.decider(node, decider).index()];
            let arm = tree.arm_mut(node, decider, arm);
            arm.visits += 1;
            arm.score += score * discount;
        }
    }
    if chain.needs.amaf {
        amaf.gather(trail);
        add_amaf(tree, path, amaf, (trail, scores));
    }
    if settings.solver {
        solver::prove_path(tree, path);
    }
}

fn add_amaf(tree: &mut Tree, path: &[crate::tree::NodeId], amaf: &AmafGather, (trail, scores): (&Trail, &[f64])) {
    for (depth, &node) in (0..).zip(path) {
        let Some(sums) = tree.amaf_mut(node) else { continue };
        for played in amaf.codes.iter().take_while(|played| played.last_step >= depth) {
            let sum = &mut sums[played.code as usize];
            sum.visits += 1;
            sum.score += (scores[usize::from(played.role)] * trail.discount(played.last_step as usize)) as f32;
        }
    }
}
