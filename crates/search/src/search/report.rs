//! What a search thinks of its moves, read from its trees.

use super::core::Core;
use crate::{
    report::{ArmReport, MoveValue, Report},
    runner::Runner,
    tree::Arm,
};
use ludens_game::{Move, Role};

/// The name of a role's move.
type Names<'n> = &'n dyn Fn(Role, Move) -> String;

impl Core {
    /// What the search thinks, where the role has these legal moves.
    pub(super) fn report(&self, legals: &[Move], name: Names<'_>) -> Report {
        let named = |arm: super::core::RootArm| ArmReport {
            mv: arm.mv,
            name: name(self.role, arm.mv),
            visits: arm.visits,
            score: arm.score,
            amaf: arm.amaf,
        };
        let mut arms: Vec<_> = self.root_arms().into_iter().map(named).collect();
        arms.sort_by(|a, b| b.visits.cmp(&a.visits).then_with(|| a.mv.cmp(&b.mv)));
        let worker = &self.runners[0].worker;
        let valued = |&mv: &Move| {
            let value = worker.policy_value(self.space.code(self.role, mv))?;
            Some(MoveValue { name: name(self.role, mv), value })
        };
        let mut policy_values: Vec<_> = legals.iter().filter_map(valued).collect();
        policy_values.sort_by(|a, b| b.value.total_cmp(&a.value));
        let proven =
            worker.tree.root().and_then(|root| worker.tree.result(root)).map(|scores| scores[self.role.index()]);
        Report {
            role: Some(self.role),
            arms,
            line: self.expected_line(name),
            proven: proven.filter(|_| self.settings.solver),
            effort: self.effort,
            nodes: self.runners.iter().map(|runner| runner.worker.tree.len()).sum(),
            tree_bytes: self.runners.iter().map(|runner| runner.worker.tree.bytes()).sum(),
            is_full: self.runners.iter().any(|runner| runner.worker.tree.is_full()),
            bytes: self.runners.iter().map(Runner::bytes).sum(),
            shares: worker.chain.policies.iter().flat_map(|policy| policy.shares(self.role)).collect(),
            policy_values,
        }
    }

    /// The move that was chosen and then the arms that the first worker would follow, by name, until the tree ends.
    fn expected_line(&self, name: Names<'_>) -> Vec<String> {
        let tree = &self.runners[0].worker.tree;
        let mut line = Vec::new();
        let mut met = Vec::new();
        let mut next = tree.root();
        while let Some(node) = next.filter(|node| !met.contains(node)) {
            met.push(node);
            if tree.is_terminal(node) || tree.node(node).visits == 0 {
                break;
            }
            let own = self.chosen.filter(|_| line.is_empty());
            let pick = |decider| {
                let arms = tree.arms(node, decider);
                let own = own.filter(|_| tree.decider(node, decider) == self.role);
                own.and_then(|own| arms.iter().position(|arm| arm.mv == own)).unwrap_or_else(|| most_visited(arms))
                    as u32
            };
            let picks: Vec<u32> = (0..tree.deciders(node)).map(pick).collect();
            let names = picks
                .iter()
                .enumerate()
                .map(|(decider, &arm)| name(tree.decider(node, decider), tree.arms(node, decider)[arm as usize].mv));
            line.push(names.collect::<Vec<_>>().join("/"));
            next = tree.child(node, &picks);
        }
        line
    }
}

fn most_visited(arms: &[Arm]) -> usize {
    let best = (0..arms.len()).max_by_key(|&arm| (arms[arm].visits, std::cmp::Reverse(arm)));
    best.expect("a decider has arms")
}
