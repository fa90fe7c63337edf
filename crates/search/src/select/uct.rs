//! UCT (Kocsis and Szepesvári 2006), decoupled: every role maximises `Q + c·sqrt(ln N / n)` over its own arms.
//!
//! With `fpu=inf` every arm is tried once before any is tried twice (`unvisited` says in which order); with a finite
//! `fpu` an arm without visits has exactly that value, without an exploration term, and competes with the others.

use super::{Junction, Pick, Select, TIES, Ties, Unvisited, best_arm};
use crate::{params::Param, registry::SelectEntry, tree::Arm};
use ludens_game::Rng;

pub(super) const ENTRY: SelectEntry = SelectEntry {
    name: "uct",
    about: "upper confidence bounds: mean score plus c·sqrt(ln N / n)",
    params: &[
        Param::number("c", 0.4, (0.0, 1e6), "weight of exploration"),
        Param::number(
            "fpu",
            f64::INFINITY,
            (0.0, f64::INFINITY),
            "value of an unvisited arm; inf tries every arm once first",
        ),
        Param::number("band", 0.0, (0.0, 1.0), "choose at random among arms within this distance of the best"),
        Param::word("unvisited", &["random", "first", "last", "policy"], "which unvisited arm to try first"),
        TIES,
    ],
    build: |args| {
        let unvisited = Unvisited::of(args.word("unvisited"));
        let ties = Ties::of(args, args.number("band"));
        Box::new(Uct { ties, ..Uct::new(args.number("c"), args.number("fpu"), unvisited) })
    },
};

/// The rule and its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Uct {
    pub(crate) c: f64,
    /// The value of an unvisited arm; infinite: unvisited arms come first.
    pub(crate) fpu: f64,
    pub(crate) unvisited: Unvisited,
    pub(crate) ties: Ties,
    values: Vec<f64>,
}

impl Uct {
    pub(crate) fn new(c: f64, fpu: f64, unvisited: Unvisited) -> Uct {
        Uct { c, fpu, unvisited, ties: Ties::RANDOM, values: Vec::new() }
    }
}

impl Select for Uct {
    fn pick(&mut self, junction: &Junction<'_>, rng: &mut Rng) -> Pick {
        if self.fpu.is_infinite()
            && let Some(pick) = self.unvisited.pick(junction.arms, rng)
        {
            return pick;
        }
        let log = f64::from(junction.visits).ln();
        let (c, fpu) = (self.c, self.fpu);
        let value = |arm: &Arm| {
            let visits = f64::from(arm.visits);
            if arm.visits == 0 { fpu } else { arm.score / visits + c * (log / visits).sqrt() }
        };
        best_arm(junction.arms, value, &mut self.values, self.ties, rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::test_arms;
    use ludens_game::Seed;

    fn pick(rule: &mut Uct, arms: &[(u32, f64)]) -> Pick {
        let arms = test_arms(arms);
        let visits = arms.iter().map(|arm| arm.visits).sum();
        rule.pick(
            &Junction { arms: &arms, visits, amaf: &[], reference: &[], moves_last: false },
            &mut Seed::new(1).rng(),
        )
    }

    #[test]
    fn formula_by_hand() {
        // N = 8, ln 8 = 2.0794. c = 0.4:
        //   arm 0: 3/5 + 0.4·sqrt(2.0794/5) = 0.6    + 0.2580 = 0.8580
        //   arm 1: 1/2 + 0.4·sqrt(2.0794/2) = 0.5    + 0.4079 = 0.9079
        //   arm 2: 0/1 + 0.4·sqrt(2.0794/1) = 0      + 0.5768 = 0.5768
        let mut rule = Uct::new(0.4, f64::INFINITY, Unvisited::First);
        assert_eq!(pick(&mut rule, &[(5, 3.0), (2, 1.0), (1, 0.0)]), Pick::Arm(1));
        // With c = 0.1: 0.6645, 0.6020, 0.1442.
        rule.c = 0.1;
        assert_eq!(pick(&mut rule, &[(5, 3.0), (2, 1.0), (1, 0.0)]), Pick::Arm(0));
    }

    #[test]
    fn unvisited_arms_come_first_unless_they_have_a_value() {
        let arms = [(1, 1.0), (0, 0.0), (0, 0.0)];
        let mut rule = Uct::new(0.7, f64::INFINITY, Unvisited::First);
        assert_eq!(pick(&mut rule, &arms), Pick::Arm(1));
        rule.unvisited = Unvisited::Last;
        assert_eq!(pick(&mut rule, &arms), Pick::Arm(2));
        rule.unvisited = Unvisited::Policy;
        assert_eq!(pick(&mut rule, &arms), Pick::AskPolicy);
        rule.unvisited = Unvisited::Random;
        assert!(matches!(pick(&mut rule, &arms), Pick::Arm(1 | 2)));
        // fpu = 1: after a first win (N = 1, ln 1 = 0) the arm ties with the unvisited ones; from N = 2 on it leads:
        // 1 + 0.7·sqrt(ln 2 / 2) = 1.412.
        rule.fpu = 1.0;
        assert_eq!(pick(&mut rule, &[(2, 2.0), (0, 0.0), (0, 0.0)]), Pick::Arm(0));
        // A lost arm overtakes the unvisited ones only from N = 9 on: 0.7·sqrt(ln 8) = 1.009, but ties within the band
        // are drawn; at N = 7, 0.7·sqrt(ln 7) = 0.9764 is outside of it.
        assert!(matches!(pick(&mut rule, &[(1, 0.0), (6, 0.0), (0, 0.0)]), Pick::Arm(2)));
    }
}
