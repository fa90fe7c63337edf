//! Auto: finds out during play which playout policy suits the game. Our own addition, not from the papers; the idea of tuning
//! a search on line with a bandit is that of SA-MCTS (Sironi, Liu, Winands 2018).
//!
//! When a playout begins, *every role by itself* draws one of the member policies for the whole playout: if all roles used the
//! same one, its score would say nothing about it. Afterwards the member that a role had is credited with the role's score.
//! Which member a role draws is decided by UCB1-Tuned (Auer, Cesa-Bianchi, Fischer 2002) over these scores: the largest
//!
//! ```text
//!   mean + sqrt( ln N / n · min( 1/4, variance + sqrt(2 ln N / n) ) )
//! ```
//!
//! with n playouts of the member and N of all. By hand, with scores 1, 1, 0, 1 for member 0 and 0, 1 for member 1 (N = 6,
//! ln 6 = 1.7918):
//!
//! ```text
//!   member 0: mean 0.75, variance 0.1875, ln N / n = 0.4479, 0.1875 + 0.9465 > 1/4: 0.75 + sqrt(0.4479 / 4) = 1.0846
//!   member 1: mean 0.50, variance 0.2500, ln N / n = 0.8959, 0.2500 + 1.3386 > 1/4: 0.50 + sqrt(0.8959 / 4) = 0.9733
//! ```
//!
//! All members learn from every simulation, whoever chose its moves: they average or adapt to the moves that were played. Between
//! the steps of the real game a share `keep` of the bandit's statistics stays, since what suits the opening may not suit the
//! end.

use super::{Decision, Leaf, Needs, Policy, Share};
use crate::{
    chain::choose_seriously,
    params::Param,
    registry::{Member, PolicyEntry},
    trail::{CodeSpace, Trail},
};
use ludens_game::{Rng, Role};

pub(super) const ENTRY: PolicyEntry = PolicyEntry::over(
    "auto",
    "a bandit chooses among other policies: auto(mast|nst|…)",
    "mast(tau=0.1)|lgrf(n=2)+nst(eps=0.2)|ppa(alpha=0.32)",
    |args, space, members| Box::new(Auto::new(members, space.clone(), args.number("keep"))),
)
.params(&[Param::number("keep", 0.5, (0.0, 1.0), "share of the bandit's statistics that stays after every step")]);

/// The members, and what every role knows about them.
pub(crate) struct Auto {
    members: Vec<Member>,
    space: CodeSpace,
    keep: f64,
    /// Per role and member.
    scores: Vec<Vec<Tally>>,
    /// Per role: the member that chooses for it.
    chosen: Vec<usize>,
    /// Whether a playout has begun whose scores are still to come.
    is_under_way: bool,
}

/// The scores of the playouts of one member.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Tally {
    fn add(&mut self, score: f64) {
        self.count += 1.0;
        self.sum += score;
        self.squares += score * score;
    }

    fn scale(&mut self, by: f64) {
        self.count *= by;
        self.sum *= by;
        self.squares *= by;
    }

    fn mean(&self) -> Option<f64> {
        (self.count > 0.0).then(|| self.sum / self.count)
    }

    /// UCB1-Tuned; infinite if there is nothing to go by.
    fn bound(&self, log: f64) -> f64 {
        let Some(mean) = self.mean() else { return f64::INFINITY };
        let share = log / self.count;
        let variance = self.squares / self.count - mean * mean;
        mean + (share * f64::min(0.25, variance + (2.0 * share).sqrt())).sqrt()
    }
}

impl Auto {
    fn new(members: Vec<Member>, space: CodeSpace, keep: f64) -> Auto {
        let roles = space.roles();
        Auto {
            scores: vec![vec![Tally::default(); members.len()]; roles],
            chosen: vec![0; roles],
            members,
            space,
            keep,
            is_under_way: false,
        }
    }

    /// The member with the highest score for a role so far.
    fn best(&self, role: Role) -> usize {
        let mean = |member: usize| self.scores[role.index()][member].mean().unwrap_or(0.0);
        (0..self.members.len()).max_by(|&a, &b| mean(a).total_cmp(&mean(b)).then(b.cmp(&a))).unwrap_or(0)
    }

    fn policies(&mut self) -> impl Iterator<Item = &mut Box<dyn Policy>> {
        self.members.iter_mut().flat_map(|member| &mut member.policies)
    }
}

/// The member of the largest bound, ties at random: roles that know nothing yet shall not all draw the same.
fn draw(scores: &[Tally], rng: &mut Rng) -> usize {
    // Less than one playout may be left of the statistics.
    let log = scores.iter().map(|tally| tally.count).sum::<f64>().max(1.0).ln();
    let best = scores.iter().map(|tally| tally.bound(log)).fold(f64::NEG_INFINITY, f64::max);
    let is_best = |tally: &&Tally| tally.bound(log) == best;
    let ties = scores.iter().filter(is_best).count() as u32;
    let nth = if ties > 1 { rng.below(ties) as usize } else { 0 };
    (0..scores.len()).filter(|&member| is_best(&&scores[member])).nth(nth).expect("the largest bound is a bound")
}

impl Policy for Auto {
    fn needs(&self) -> Needs {
        let own = Needs { trail: true, leaf: true, ..Needs::default() };
        let policies = self.members.iter().flat_map(|member| &member.policies);
        policies.fold(own, |needs, policy| needs.and(policy.needs()))
    }

    fn begin(&mut self, leaf: &Leaf<'_>, rng: &mut Rng) {
        for (scores, chosen) in self.scores.iter().zip(&mut self.chosen) {
            *chosen = draw(scores, rng);
        }
        self.is_under_way = true;
        self.policies().for_each(|policy| policy.begin(leaf, rng));
    }

    fn explores(&self, role: Role, rng: &mut Rng) -> bool {
        let member = &self.members[self.chosen[role.index()]];
        member.policies.first().is_none_or(|policy| policy.explores(role, rng))
    }

    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize> {
        let policies = &mut self.members[self.chosen[decision.role.index()]].policies;
        Some(choose_seriously(policies, decision, rng))
    }

    fn learn(&mut self, trail: &Trail, scores: &[f64]) {
        // Simulations that end inside the tree say nothing about playouts.
        if std::mem::take(&mut self.is_under_way) {
            for ((tallies, &member), &score) in self.scores.iter_mut().zip(&self.chosen).zip(scores) {
                tallies[member].add(score);
            }
        }
        self.policies().for_each(|policy| policy.learn(trail, scores));
    }

    fn new_turn(&mut self) {
        let keep = self.keep;
        self.scores.iter_mut().flatten().for_each(|tally| tally.scale(keep));
        self.policies().for_each(|policy| policy.new_turn());
    }

    fn reset(&mut self) {
        self.scores.iter_mut().flatten().for_each(|tally| *tally = Tally::default());
        self.chosen.fill(0);
        self.is_under_way = false;
        self.policies().for_each(|policy| policy.reset());
    }

    fn bytes(&self) -> usize {
        self.members.iter().flat_map(|member| &member.policies).map(|policy| policy.bytes()).sum()
    }

    fn value_of(&self, code: u32) -> Option<f64> {
        let (role, _) = self.space.decode(code);
        self.members[self.best(role)].policies.iter().find_map(|policy| policy.value_of(code))
    }

    fn shares(&self, role: Role) -> Vec<Share> {
        let share = |(member, tally): (&Member, &Tally)| Share {
            policy: member.name.clone(),
            playouts: tally.count,
            score: tally.mean(),
        };
        self.members.iter().zip(&self.scores[role.index()]).map(share).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::test::choose_after;
    use ludens_game::Seed;

    /// Always chooses the same place.
    struct Place(usize);

    impl Policy for Place {
        fn choose(&mut self, _: &Decision<'_>, _: &mut Rng) -> Option<usize> {
            Some(self.0)
        }

        fn bytes(&self) -> usize {
            8
        }
    }

    fn auto() -> Auto {
        let member = |place| Member { name: format!("place{place}"), policies: vec![Box::new(Place(place))] };
        Auto::new(vec![member(0), member(1)], CodeSpace::by_hand(&[4, 4]), 0.5)
    }

    fn tally(scores: &[f64]) -> Tally {
        let mut tally = Tally::default();
        scores.iter().for_each(|&score| tally.add(score));
        tally
    }

    #[test]
    fn bounds_by_hand() {
        // The example at the top of this file.
        let tallies = [tally(&[1.0, 1.0, 0.0, 1.0]), tally(&[0.0, 1.0])];
        let log = 6_f64.ln();
        assert!((tallies[0].bound(log) - 1.0846).abs() < 1e-4, "{}", tallies[0].bound(log));
        assert!((tallies[1].bound(log) - 0.9733).abs() < 1e-4, "{}", tallies[1].bound(log));
        assert_eq!(draw(&tallies, &mut Seed::new(1).rng()), 0);
        // With twenty even results member 0 has a small variance: ln 22 = 3.0910, 0.5 + sqrt(0.1546 · 1/4) = 0.6966 against
        // 0.5 + sqrt(1.5455 / 4) = 1.1216.
        let even = [tally(&[0.5; 20]), tally(&[0.0, 1.0])];
        assert!((even[0].bound(22_f64.ln()) - 0.6966).abs() < 1e-4, "{}", even[0].bound(22_f64.ln()));
        assert_eq!(draw(&even, &mut Seed::new(1).rng()), 1);
    }

    #[test]
    fn every_role_draws_for_itself_and_is_credited_with_its_own_score() {
        let mut auto = auto();
        let space = CodeSpace::by_hand(&[4, 4]);
        let trail = Trail::by_hand(&space, &[]);
        let mut rng = Seed::new(1).rng();
        // Role 0 wins with member 0 and loses with member 1; for role 1 it is the other way round.
        for _ in 0..500 {
            auto.chosen = [0, 1].map(|role: usize| draw(&auto.scores[role], &mut rng)).to_vec();
            auto.is_under_way = true;
            let scores = [f64::from(auto.chosen[0] == 0), f64::from(auto.chosen[1] == 1)];
            auto.learn(&trail, &scores);
        }
        assert_eq!([auto.best(Role(0)), auto.best(Role(1))], [0, 1]);
        let played: Vec<f64> = auto.shares(Role(0)).iter().map(|share| share.playouts).collect();
        assert_eq!(played.iter().sum::<f64>(), 500.0);
        assert!(played[0] > 450.0, "{played:?}");
        // A simulation without a playout changes nothing.
        auto.learn(&trail, &[1.0, 1.0]);
        assert_eq!(auto.shares(Role(0)).iter().map(|share| share.playouts).sum::<f64>(), 500.0);
        auto.new_turn();
        assert_eq!(auto.shares(Role(0)).iter().map(|share| share.playouts).sum::<f64>(), 250.0);
        auto.reset();
        assert!(auto.shares(Role(1)).iter().all(|share| share.score.is_none()));
    }

    #[test]
    fn the_member_of_a_role_chooses_for_it() {
        let mut auto = auto();
        let space = CodeSpace::by_hand(&[4, 4]);
        auto.chosen = vec![1, 0];
        assert_eq!(choose_after(&mut auto, &space, &[], 0, &[0, 1, 2]), Some(1));
        assert_eq!(choose_after(&mut auto, &space, &[], 1, &[0, 1, 2]), Some(0));
    }
}
