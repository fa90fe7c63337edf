//! What a search thinks of its moves, read from its trees.

use super::Search;
use crate::{
    report::{ArmReport, Liking, Report},
    runner::Runner,
    tree::Arm,
};
use ludens_game::Game;

impl<G: Game> Search<G> {
    /// What the search thinks.
    pub(super) fn make_report(&self) -> Report {
        let mut arms = self.root_arms();
        arms.sort_by(|a, b| b.visits.cmp(&a.visits).then_with(|| a.mv.cmp(&b.mv)));
        let worker = &self.runners[0].worker;
        let mut likings: Vec<Liking> = self
            .legals()
            .into_iter()
            .filter_map(|mv| {
                let value = worker.liking(self.space.code(self.role, mv))?;
                Some(Liking { name: self.game.move_name(self.role, mv), value })
            })
            .collect();
        likings.sort_by(|a, b| b.value.total_cmp(&a.value));
        let proven =
            worker.tree.root().and_then(|root| worker.tree.result(root)).map(|scores| scores[self.role.index()]);
        Report {
            role: Some(self.role),
            arms,
            line: self.expected_line(),
            proven: proven.filter(|_| self.settings.solver),
            effort: self.effort,
            nodes: self.runners.iter().map(|runner| runner.worker.tree.len()).sum(),
            bytes: self.runners.iter().map(|runner| runner.worker.tree.bytes()).sum(),
            is_full: self.runners.iter().any(|runner| runner.worker.tree.is_full()),
            held: self.runners.iter().map(Runner::bytes).sum(),
            likings,
        }
    }

    /// The arms of the player's role at the root, all threads added up.
    pub(super) fn root_arms(&self) -> Vec<ArmReport> {
        let mut arms: Vec<ArmReport> = Vec::new();
        let mut sums = Vec::new();
        for Runner { worker, .. } in &self.runners {
            let Some(root) = worker.tree.root() else { continue };
            let amaf = worker.tree.amaf_of(root, self.role);
            for (place, arm) in worker.tree.arms_of(root, self.role).unwrap_or_default().iter().enumerate() {
                if arms.len() <= place {
                    let name = self.game.move_name(self.role, arm.mv);
                    arms.push(ArmReport { mv: arm.mv, name, visits: 0, score: None, amaf: None });
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

    /// The move that was chosen and then the arms that the first worker would follow, by name, until the tree ends.
    fn expected_line(&self) -> Vec<String> {
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
            let names = picks.iter().enumerate().map(|(decider, &arm)| {
                self.game.move_name(tree.decider(node, decider), tree.arms(node, decider)[arm as usize].mv)
            });
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
