//! Lasting: one policy where moves last, another elsewhere. Our own addition, not from the papers.
//!
//! Where [moves last](crate::lasting), AMAF sums guide the search. They need playouts that differ from each other: a policy that nearly
//! always plays what it thinks best says the same of every position, however often its moves win. So a soft policy serves best there,
//! which a bandit over the scores of playouts would never find out. Only the policy that chooses learns.

use super::{Decision, Leaf, Needs, Policy, Share};
use crate::{
    chain::choose_seriously,
    lasting::MANY_ARMS,
    registry::{Member, PolicyEntry},
    trail::Trail,
};
use ludens_game::{Rng, Role};

pub(super) const ENTRY: PolicyEntry = PolicyEntry::over(
    "lasting",
    "the first of two policies where moves stay possible, as in games of placing stones; the second elsewhere",
    "mast(tau=0.2,sample=draw)|auto",
    |_, _, members| Box::new(WhereMovesLast::new(members)),
)
.members(2, 2);

/// Two policies, the first for moves that last.
struct WhereMovesLast {
    members: Vec<Member>,
    /// Which of them chooses.
    chosen: usize,
    /// The playouts of this step of the real game.
    playouts: f64,
}

impl WhereMovesLast {
    fn new(members: Vec<Member>) -> WhereMovesLast {
        WhereMovesLast { members, chosen: 1, playouts: 0.0 }
    }

    fn chosen(&mut self) -> &mut [Box<dyn Policy>] {
        &mut self.members[self.chosen].policies
    }

    fn all(&self) -> impl Iterator<Item = &Box<dyn Policy>> {
        self.members.iter().flat_map(|member| &member.policies)
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Box<dyn Policy>> {
        self.members.iter_mut().flat_map(|member| &mut member.policies)
    }
}

impl Policy for WhereMovesLast {
    fn needs(&self) -> Needs {
        let own = Needs { trail: true, leaf: true, lasting: true, ..Needs::default() };
        self.all().fold(own, |needs, policy| needs.and(policy.needs()))
    }

    fn begin(&mut self, leaf: &Leaf<'_>, rng: &mut Rng) {
        self.chosen = usize::from(!leaf.moves_last || leaf.root_arms() < MANY_ARMS);
        self.playouts += 1.0;
        self.chosen().iter_mut().for_each(|policy| policy.begin(leaf, rng));
    }

    fn explores(&self, role: Role, rng: &mut Rng) -> bool {
        self.members[self.chosen].policies.first().is_none_or(|policy| policy.explores(role, rng))
    }

    fn draws(&self) -> bool {
        matches!(&self.members[self.chosen].policies[..], [only] if only.draws())
    }

    fn takes(&self, role: Role, code: u32, rng: &mut Rng) -> bool {
        self.members[self.chosen].policies[0].takes(role, code, rng)
    }

    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize> {
        Some(choose_seriously(self.chosen(), decision, rng))
    }

    fn learn(&mut self, trail: &Trail, scores: &[f64]) {
        self.chosen().iter_mut().for_each(|policy| policy.learn(trail, scores));
    }

    fn new_turn(&mut self) {
        self.playouts = 0.0;
        self.all_mut().for_each(|policy| policy.new_turn());
    }

    fn reset(&mut self) {
        (self.chosen, self.playouts) = (1, 0.0);
        self.all_mut().for_each(|policy| policy.reset());
    }

    fn bytes(&self) -> usize {
        self.all().map(|policy| policy.bytes()).sum()
    }

    fn value_of(&self, code: u32) -> Option<f64> {
        self.members[self.chosen].policies.iter().find_map(|policy| policy.value_of(code))
    }

    fn shares(&self, role: Role) -> Vec<Share> {
        let Member { name, policies } = &self.members[self.chosen];
        let shares: Vec<_> = policies.iter().flat_map(|policy| policy.shares(role)).collect();
        if shares.is_empty() {
            return vec![Share { policy: name.clone(), playouts: self.playouts, score: None }];
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        trail::CodeSpace,
        tree::{NewNode, NodeId, Tree, TreeOptions},
    };
    use ludens_game::{Move, Seed};

    /// Counts what it learns.
    #[derive(Default)]
    struct Learner(usize);

    impl Policy for Learner {
        fn choose(&mut self, _: &Decision<'_>, _: &mut Rng) -> Option<usize> {
            Some(0)
        }

        fn learn(&mut self, _: &Trail, _: &[f64]) {
            self.0 += 1;
        }

        fn bytes(&self) -> usize {
            self.0
        }
    }

    /// A tree whose root has so many arms for role 0.
    fn root(arms: u32) -> (Tree, Vec<NodeId>) {
        let mut tree =
            Tree::new(TreeOptions { roles: 1, amaf: None, amaf_from: 0, transpositions: false, byte_limit: 1 << 20 });
        let mut node = NewNode::new(1);
        node.legals[0] = (0..arms).map(Move).collect();
        node.codes[0] = (0..arms).collect();
        let root = tree.add(&node);
        tree.set_root(root);
        (tree, vec![root])
    }

    #[test]
    fn the_first_policy_chooses_and_learns_where_moves_last() {
        let member = |name: &str| Member { name: name.into(), policies: vec![Box::new(Learner::default())] };
        let mut lasting = WhereMovesLast::new(vec![member("soft"), member("other")]);
        let trail = Trail::by_hand(&CodeSpace::by_hand(&[40]), &[]);
        let mut rng = Seed::new(1).rng();
        let chosen = [(true, 16, "soft"), (true, 15, "other"), (false, 16, "other"), (true, 40, "soft")];
        for (moves_last, arms, name) in chosen {
            let (tree, path) = root(arms);
            lasting.begin(&Leaf { tree: &tree, path: &path, simulations: 100, moves_last }, &mut rng);
            lasting.learn(&trail, &[1.0]);
            assert_eq!(lasting.shares(Role(0))[0].policy, name, "{moves_last}, {arms} arms");
        }
        let learned: Vec<_> = lasting.members.iter().map(|member| member.policies[0].bytes()).collect();
        assert_eq!(learned, [2, 2]);
    }
}
