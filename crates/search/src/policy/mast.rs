//! MAST, the move-average sampling technique (Finnsson and Björnsson 2008; tak2012, sironi2021).
//!
//! `Q(p,a)` = mean score of role p over all occurrences of its move a in all simulations, tree and playout. Unseen moves
//! count as `fpu` (1: the best). tak2012: Gibbs with τ = 0.1 on the [0,1] scale, or ε-greedy. sironi2021: ε = 0.4, and a
//! share of 0.2 of the visits stays after every step of the game.

use super::{Decision, Needs, Policy};
use crate::{
    acceptance::Acceptance,
    averages::{Averages, FPU, KEEP},
    params::Param,
    pick::{EPS, Picker, TAU, either_eps_or_tau},
    registry::PolicyEntry,
    trail::Trail,
};
use ludens_game::{Rng, Role};

pub(super) const ENTRY: PolicyEntry = PolicyEntry::new(
    "mast",
    "move averages: moves with high mean scores, regardless of the position",
    |args, space| {
        let mast = Mast::new(space.total(), Picker::of(args), args.number("keep"), args.number("fpu"));
        let draws = args.word("sample") == "draw";
        Box::new(Mast { acceptance: draws.then(|| Acceptance::new(space, args.number("tau"))), ..mast })
    },
)
.params(&[EPS, TAU, SAMPLE, KEEP, FPU])
.check(|args| {
    if args.word("sample") == "draw" && args.number("tau") < COLDEST {
        return Err(format!("with sample=draw needs a tau of at least {COLDEST}"));
    }
    either_eps_or_tau(args)
});

const SAMPLE: Param = Param::word(
    "sample",
    &["list", "draw"],
    "with tau: weigh all legal moves, or draw moves until one is taken, which is faster where a game draws without a list",
);

/// The least temperature with `sample=draw`: below it most draws would be in vain.
const COLDEST: f64 = 0.05;

/// The policy and its table.
#[derive(Clone, Debug)]
pub(crate) struct Mast {
    picker: Picker,
    keep: f64,
    averages: Averages,
    /// With `sample=draw`.
    acceptance: Option<Acceptance>,
}

impl Mast {
    pub(crate) fn new(codes: usize, picker: Picker, keep: f64, fpu: f64) -> Mast {
        Mast { picker, keep, averages: Averages::new(codes, fpu), acceptance: None }
    }
}

impl Policy for Mast {
    fn needs(&self) -> Needs {
        Needs { trail: true, ..Needs::default() }
    }

    fn explores(&self, _: Role, rng: &mut Rng) -> bool {
        self.picker.explores(rng)
    }

    fn draws(&self) -> bool {
        self.acceptance.is_some()
    }

    fn takes(&self, role: Role, code: u32, rng: &mut Rng) -> bool {
        self.acceptance.as_ref().is_none_or(|acceptance| acceptance.takes(role, code, rng))
    }

    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize> {
        let moves = decision.moves;
        let means = &self.averages.means()[decision.first as usize..];
        Some(self.picker.pick(moves.iter().map(|mv| means[mv.index()]), rng))
    }

    fn learn(&mut self, trail: &Trail, scores: &[f64]) {
        for step in 0..trail.steps() {
            let discount = trail.discount(step);
            for (role, code) in trail.moves(step) {
                self.averages.add(code, scores[role.index()] * discount);
                if let Some(acceptance) = &mut self.acceptance {
                    acceptance.set(role, code, self.averages.means()[code as usize]);
                }
            }
        }
        if let Some(acceptance) = &mut self.acceptance {
            acceptance.end_simulation();
        }
    }

    fn new_turn(&mut self) {
        self.averages.decay(self.keep);
        if let Some(acceptance) = self.acceptance.as_mut().filter(|_| self.keep < 1.0) {
            acceptance.set_all(|code| self.averages.get(code));
        }
    }

    fn reset(&mut self) {
        self.averages.clear();
        if let Some(acceptance) = &mut self.acceptance {
            acceptance.set_all(|_| None);
        }
    }

    fn value_of(&self, code: u32) -> Option<f64> {
        self.averages.get(code)
    }

    fn bytes(&self) -> usize {
        self.averages.bytes() + self.acceptance.as_ref().map_or(0, Acceptance::bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pick::Rule, policy::test::choose, trail::CodeSpace};

    #[test]
    fn averages_by_hand() {
        // Role 0 has the moves 0 to 3 (codes 0 to 3), role 1 the moves 0 to 2 (codes 4 to 6).
        let space = CodeSpace::by_hand(&[4, 3]);
        let mut mast = Mast::new(space.total(), Picker::new(Rule::Greedy(0.0)), 0.2, 1.0);
        // Role 0 plays 1, then 1 again, then 2; role 1 always its noop 0. Scores 0.5 and 0.5.
        let steps: &[&[(&[u32], usize)]] =
            &[&[(&[0, 1], 1), (&[0], 0)], &[(&[1, 2], 0), (&[0], 0)], &[(&[2], 0), (&[0], 0)]];
        mast.learn(&Trail::by_hand(&space, steps), &[0.5, 0.5]);
        mast.learn(&Trail::by_hand(&space, &[&[(&[0, 1], 1), (&[0], 0)]]), &[1.0, 0.0]);
        // Move 1: twice 0.5 and once 1 = 2/3. Move 2: 0.5. Role 1's noop: three times 0.5 and once 0 = 0.375.
        assert_eq!(mast.value_of(1), Some(2.0 / 3.0));
        assert_eq!((mast.value_of(2), mast.value_of(4), mast.value_of(0)), (Some(0.5), Some(0.375), None));
        // Of the seen moves 1 is the best; an unseen move is better still.
        assert_eq!(choose(&mut mast, &space, 0, &[1, 2]), Some(0));
        assert_eq!(choose(&mut mast, &space, 0, &[1, 2, 3]), Some(2));
        // A step of the game: 3 visits become 1, 1 visit becomes 0, 4 visits become 1.
        mast.new_turn();
        assert_eq!((mast.value_of(1), mast.value_of(2), mast.value_of(4)), (Some(2.0 / 3.0), None, Some(0.375)));
    }

    #[test]
    fn discounted_averages_by_hand() {
        // Role 0 plays 1, 1 and 2 and wins; with a discount of 0.5 these count 0.25, 0.5 and 1.
        let space = CodeSpace::by_hand(&[3, 1]);
        let mut mast = Mast::new(space.total(), Picker::new(Rule::Greedy(0.0)), 1.0, 1.0);
        let step: &[(&[u32], usize)] = &[(&[1, 2], 0), (&[0], 0)];
        let last: &[(&[u32], usize)] = &[(&[1, 2], 1), (&[0], 0)];
        let mut trail = Trail::by_hand(&space, &[step, step, last]);
        trail.set_discount(0.5, 3);
        mast.learn(&trail, &[1.0, 0.0]);
        assert_eq!((mast.value_of(1), mast.value_of(2), mast.value_of(3)), (Some(0.375), Some(1.0), Some(0.0)));
    }
}
