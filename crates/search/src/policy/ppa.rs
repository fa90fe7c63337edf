//! PPA, playout policy adaptation (ppa2015), with move features (PPAF) and memory (PPAFM, ppafm2017) as parameters.
//!
//! A move is chosen with probability proportional to `exp(k·W(p,a))`. After a simulation, for every step at which role p
//! had a choice, with π from the weights before the simulation:
//! `W(p,played) += f·α` and `W(p,a) -= f·α·π(a)` for all legal a, `π(a) ∝ exp(W(p,a))`.
//! `update=winner`: f = 1 for the single role with the highest score, nobody on a tie; `update=payoff`: f = the role's own
//! score. A role alone in its game wins with a score of 1.
//!
//! ppa2015: α = 1, weights start anew at every move (`keep=0`). ppafm2017: α = 0.32, `features=on`; PPAFM has `keep=1`.
//! sironi2021: `keep=1`.

use super::{Decision, Needs, Policy};
use crate::{
    averages::KEEP,
    params::{Args, Param, SWITCH_OFF},
    registry::PolicyEntry,
    trail::{Choice, CodeSpace, Trail},
    weights::Weights,
};
use ludens_game::{Rng, Role};

pub(super) const ENTRY: PolicyEntry = PolicyEntry::new(
    "ppa",
    "playout policy adaptation: softmax weights that move towards the winner's moves",
    |args, space| {
        let learned = args.word("initial") == "learned";
        Box::new(Ppa::new(space, PpaOptions { features: args.on("features"), learned, ..PpaOptions::of(args) }))
    },
)
.params(&[
    ALPHA,
    K,
    UPDATE,
    SCALE,
    KEEP,
    Param::word("features", SWITCH_OFF, "learn about moves together with their features"),
    Param::word("initial", &["uniform", "learned"], "weights at the start of a game: all equal, or learned beforehand"),
]);

pub(super) const ALPHA: Param = Param::number("alpha", 1.0, (0.0, 1e6), "learning rate");
pub(super) const K: Param =
    Param::number("k", 1.0, (0.0, 1e6), "sharpness: a move is drawn with probability proportional to exp(k·weight)");
pub(super) const UPDATE: Param =
    Param::word("update", &["winner", "payoff"], "who learns: only the winner, or every role by its score");
pub(super) const SCALE: Param = Param::number("scale", 1.0, (0.0, 1e6), "factor applied to the scores before learning");

/// Who learns from a simulation, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Update {
    /// The one winner.
    Winner,
    /// Every role, by its score.
    Payoff,
}

impl Update {
    /// How much a choice counts: payoffs are discounted, who won is not.
    #[inline]
    pub(crate) fn discount(self, trail: &Trail, choice: &Choice) -> f64 {
        match self {
            Update::Payoff => trail.discount(choice.step as usize),
            Update::Winner => 1.0,
        }
    }

    /// How much `role` learns from these scores.
    #[inline]
    pub(crate) fn factor(self, role: Role, scores: &[f64]) -> f64 {
        let own = scores[role.index()];
        match self {
            Update::Payoff => own,
            Update::Winner if scores.len() == 1 => f64::from(u8::from(own == 1.0)),
            Update::Winner => {
                let others = scores.iter().enumerate().filter(|&(other, _)| other != role.index());
                f64::from(u8::from(others.map(|(_, &score)| score).all(|score| score < own)))
            }
        }
    }
}

/// The parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PpaOptions {
    pub(crate) alpha: f64,
    pub(crate) k: f64,
    pub(crate) update: Update,
    /// Scores are multiplied by this before they act as payoffs.
    pub(crate) scale: f64,
    /// What the weights are multiplied by after a step of the game.
    pub(crate) keep: f64,
    /// Whether codes carry move features.
    pub(crate) features: bool,
    /// Whether the weights at the start of a game are learned beforehand.
    pub(crate) learned: bool,
}

impl PpaOptions {
    /// What NPPA has in common with PPA.
    pub(super) fn of(args: &Args) -> PpaOptions {
        PpaOptions {
            alpha: args.number("alpha"),
            k: args.number("k"),
            update: if args.word("update") == "payoff" { Update::Payoff } else { Update::Winner },
            scale: args.number("scale"),
            keep: args.number("keep"),
            features: false,
            learned: false,
        }
    }
}

/// The policy and its weights.
#[derive(Clone, Debug)]
pub(crate) struct Ppa {
    options: PpaOptions,
    space: CodeSpace,
    weights: Weights,
}

impl Ppa {
    pub(crate) fn new(space: &CodeSpace, options: PpaOptions) -> Ppa {
        let codes = if options.features { space.total_features() } else { space.total() };
        Ppa { options, space: space.clone(), weights: Weights::new(codes, options.k) }
    }

    #[inline]
    fn first(&self, role: Role) -> u32 {
        if self.options.features { self.space.first_feature(role) } else { self.space.first(role) }
    }
}

impl Policy for Ppa {
    fn needs(&self) -> Needs {
        Needs { trail: true, legal: true, features: self.options.features, ..Needs::default() }
    }

    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize> {
        let first = self.first(decision.role);
        Some(self.weights.choose(first, decision.legal, rng))
    }

    fn learn(&mut self, trail: &Trail, scores: &[f64]) {
        let PpaOptions { alpha, update, scale, .. } = self.options;
        for choice in trail.choices() {
            let rate = update.factor(choice.role, scores) * update.discount(trail, choice) * scale * alpha;
            if rate != 0.0 {
                let first = self.first(choice.role);
                self.weights.adapt(first, trail.legal(choice), choice.played as usize, rate);
            }
        }
        self.weights.apply();
    }

    fn new_turn(&mut self) {
        if self.options.keep == 0.0 {
            self.weights.clear();
        } else {
            self.weights.scale(self.options.keep);
        }
    }

    fn reset(&mut self) {
        self.weights.clear();
    }

    fn value_of(&self, code: u32) -> Option<f64> {
        // With features a move has many codes; no one of them is its weight.
        (!self.options.features).then(|| self.weights.get(code))
    }

    fn starts_learned(&self) -> bool {
        self.options.learned
    }

    fn snapshot(&self) -> Vec<f64> {
        self.weights.all().to_vec()
    }

    fn restore(&mut self, snapshot: &[f64]) {
        self.weights.set(snapshot);
    }

    fn bytes(&self) -> usize {
        self.weights.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::test::frequencies;

    const OPTIONS: PpaOptions = PpaOptions {
        alpha: 1.0,
        k: 1.0,
        update: Update::Winner,
        scale: 1.0,
        keep: 1.0,
        features: false,
        learned: false,
    };

    const NOOP: (&[u32], usize) = (&[3], 0);

    fn ppa(options: PpaOptions) -> (CodeSpace, Ppa) {
        // Two roles with the moves 0, 1, 2 and a noop 3: codes 0 to 3 and 4 to 7.
        let space = CodeSpace::by_hand(&[4, 4]);
        let ppa = Ppa::new(&space, options);
        (space, ppa)
    }

    fn assert_weights(ppa: &Ppa, expected: [f64; 8]) {
        for (code, expected) in (0..).zip(expected) {
            let got = ppa.weights.get(code);
            assert!((got - expected).abs() < 1e-4, "code {code}: {got}, expected {expected}");
        }
    }

    #[test]
    fn two_steps_with_three_legal_moves_by_hand() {
        let (space, mut ppa) = ppa(OPTIONS);
        // Role 0 plays 1 of {0,1,2} and then 2 of {0,2}; role 1 plays 0 of {0,1,2} in between. Role 0 wins.
        let steps: &[&[(&[u32], usize)]] = &[&[(&[0, 1, 2], 1), NOOP], &[NOOP, (&[0, 1, 2], 0)], &[(&[0, 2], 1), NOOP]];
        let trail = Trail::by_hand(&space, steps);
        ppa.learn(&trail, &[1.0, 0.0]);
        // First step: π = 1/3 each: (-1/3, +2/3, -1/3). Third step, π = 1/2 each: (-1/2, ., +1/2).
        assert_weights(&ppa, [-5.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        // exp(W) = 0.4346, 1.9477, 1.1814, sum 3.5637.
        let got = frequencies(&mut ppa, &space, 0, &[0, 1, 2]);
        assert!(got.iter().zip([0.1220, 0.5465, 0.3315]).all(|(a, b)| (a - b).abs() < 0.01), "{got:?}");
        // The same again. First step: π = 0.1220, 0.5465, 0.3315; third: exp 0.4346 and 1.1814, π = 0.2689, 0.7311; both
        // with the weights before the simulation.
        ppa.learn(&trail, &[1.0, 0.0]);
        let w0 = -5.0 / 6.0 - 0.1220 - 0.2689;
        let w1 = 2.0 / 3.0 + 1.0 - 0.5465;
        let w2 = 1.0 / 6.0 - 0.3315 + 1.0 - 0.7311;
        assert_weights(&ppa, [w0, w1, w2, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn a_repeated_move_adds_up() {
        let (space, mut ppa) = ppa(OPTIONS);
        let step: &[(&[u32], usize)] = &[(&[0, 1], 0), NOOP];
        ppa.learn(&Trail::by_hand(&space, &[step, step, step]), &[1.0, 0.0]);
        // Three times +1 - 1/2 and -1/2: the second occurrence does not see the first.
        assert_weights(&ppa, [1.5, -1.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn nobody_learns_from_a_tie() {
        let (space, mut ppa) = ppa(OPTIONS);
        ppa.learn(&Trail::by_hand(&space, &[&[(&[0, 1], 0), (&[0, 1], 1)]]), &[0.5, 0.5]);
        assert_weights(&ppa, [0.0; 8]);
    }

    #[test]
    fn payoffs_teach_every_role() {
        let (space, mut ppa) = ppa(PpaOptions { alpha: 0.32, update: Update::Payoff, ..OPTIONS });
        // Scores 0.75 and 0.25: f·α = 0.24 and 0.08. Role 0 plays 0 of {0,1,2}, role 1 plays 1 of {0,1}.
        ppa.learn(&Trail::by_hand(&space, &[&[(&[0, 1, 2], 0), (&[0, 1], 1)]]), &[0.75, 0.25]);
        assert_weights(&ppa, [0.16, -0.08, -0.08, 0.0, -0.04, 0.04, 0.0, 0.0]);
    }

    #[test]
    fn a_step_of_the_game_scales_the_weights() {
        let (space, mut ppa) = ppa(PpaOptions { keep: 0.5, ..OPTIONS });
        ppa.learn(&Trail::by_hand(&space, &[&[(&[0, 1], 0), NOOP]]), &[1.0, 0.0]);
        ppa.new_turn();
        assert_weights(&ppa, [0.25, -0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let snapshot = ppa.snapshot();
        ppa.reset();
        assert_weights(&ppa, [0.0; 8]);
        ppa.restore(&snapshot);
        assert_weights(&ppa, [0.25, -0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn alone_a_role_learns_from_full_scores() {
        assert_eq!(Update::Winner.factor(Role(0), &[1.0]), 1.0);
        assert_eq!(Update::Winner.factor(Role(0), &[0.9]), 0.0);
        assert_eq!(Update::Winner.factor(Role(1), &[0.2, 0.5, 0.5]), 0.0);
        assert_eq!(Update::Winner.factor(Role(1), &[0.2, 0.6, 0.5]), 1.0);
    }

    #[test]
    fn payoffs_are_discounted_and_wins_are_not() {
        // Role 0 chooses twice, with a discount of 0.5: its payoff of 0.8 counts 0.4 at the first of two steps.
        let space = CodeSpace::by_hand(&[2, 1]);
        let steps: &[&[(&[u32], usize)]] = &[&[(&[0, 1], 0), (&[0], 0)], &[(&[0, 1], 1), (&[0], 0)]];
        let mut trail = Trail::by_hand(&space, steps);
        trail.set_discount(0.5, 2);
        let rates = |update: Update| {
            let rate = |choice: &Choice| update.factor(choice.role, &[0.8, 0.2]) * update.discount(&trail, choice);
            trail.choices().iter().map(rate).collect::<Vec<_>>()
        };
        assert_eq!((rates(Update::Payoff), rates(Update::Winner)), (vec![0.4, 0.8], vec![1.0, 1.0]));
    }
}
