//! GRAVE (Cazenave 2015): RAVE with the AMAF sums of the nearest node upwards that has at least `ref` simulations.
//!
//! `(1-β)·Q + β·Q'` with `β = p'/(p' + p + bias·p'·p)`, p and p' the visits of the arm and of its AMAF sum. Unvisited arms have
//! β = 1; without AMAF data they come first.
//!
//! Two additions of our own. With `c` there is an exploration term, that of an unvisited arm as if it had one visit: sooner or later
//! every arm is tried, whatever its AMAF sum says. With `from` only nodes of so many simulations collect sums: nearly all nodes have
//! fewer, and no node needs sums before it has `ref`.

use super::{Junction, Pick, Select, TIES, Ties, best_arm, exploration};
use crate::{params::Param, registry::SelectEntry, tree::Arm};
use ludens_game::Rng;

pub(super) const ENTRY: SelectEntry = SelectEntry {
    name: "grave",
    about: "RAVE with the AMAF sums of the nearest ancestor that has enough simulations",
    params: &[
        Param::whole("ref", 50, (0, 1 << 31), "simulations before an ancestor's sums are used"),
        Param::whole("from", 0, (0, 1 << 31), "simulations before a node collects AMAF sums, which take memory"),
        Param::number("bias", 1e-10, (0.0, 1e9), "how fast the AMAF sums lose weight"),
        Param::number("c", 0.0, (0.0, 1e6), "weight of exploration"),
        TIES,
    ],
    build: |args| {
        let grave = Grave::new(args.whole("ref") as u32, args.number("bias"), args.number("c"));
        Box::new(grave.collecting_from(args.whole("from") as u32).with(Ties::of(args, 0.0)))
    },
};

/// The rule and its parameters. The paper: `ref=50, bias=1e-10`.
#[derive(Clone, Debug)]
pub(crate) struct Grave {
    pub(crate) reference: u32,
    pub(crate) from: u32,
    pub(crate) bias: f64,
    pub(crate) c: f64,
    ties: Ties,
    values: Vec<f64>,
}

impl Grave {
    pub(crate) fn new(reference: u32, bias: f64, c: f64) -> Grave {
        Grave { reference, from: 0, bias, c, ties: Ties::RANDOM, values: Vec::new() }
    }

    pub(super) fn collecting_from(self, from: u32) -> Grave {
        Grave { from, ..self }
    }

    pub(super) fn with(self, ties: Ties) -> Grave {
        Grave { ties, ..self }
    }
}

impl Select for Grave {
    fn wants_amaf(&self) -> bool {
        true
    }

    fn reference_visits(&self) -> u32 {
        self.reference
    }

    fn amaf_from(&self, _: bool) -> u32 {
        self.from
    }

    fn pick(&mut self, junction: &Junction<'_>, rng: &mut Rng) -> Pick {
        let log = f64::from(junction.visits.max(1)).ln();
        let (bias, c) = (self.bias, self.c);
        let value = |arm: &Arm| {
            let amaf = &junction.reference[arm.mv.index()];
            let (p, p_amaf) = (f64::from(arm.visits), f64::from(amaf.visits));
            match (amaf.mean(), arm.visits) {
                (None, 0) => f64::INFINITY,
                (Some(q_amaf), 0) => q_amaf + exploration(c, log, 1.0),
                (q_amaf, _) => {
                    let beta = p_amaf / (p_amaf + p + bias * p_amaf * p);
                    (1.0 - beta) * arm.mean() + beta * q_amaf.unwrap_or(0.0) + exploration(c, log, p)
                }
            }
        };
        best_arm(junction.arms, value, &mut self.values, self.ties, rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{select::test_arms, tree::Amaf};
    use ludens_game::Seed;

    #[test]
    fn formula_by_hand() {
        // bias = 0.01:
        //   arm 0: p = 10, p' = 30: β = 30/(30+10+0.01·300) = 0.6977; 0.3023·0.6 + 0.6977·0.5 = 0.5302
        //   arm 1: p = 20, p' = 20: β = 20/(40+4) = 0.4545;           0.5455·0.4 + 0.4545·0.8 = 0.5818
        let arms = test_arms(&[(10, 6.0), (20, 8.0)]);
        let reference = [Amaf { visits: 30, score: 15.0 }, Amaf { visits: 20, score: 16.0 }];
        let junction = Junction { arms: &arms, visits: 30, amaf: &[], reference: &reference, moves_last: false };
        let mut rng = Seed::new(1).rng();
        assert_eq!(Grave::new(50, 0.01, 0.0).pick(&junction, &mut rng), Pick::Arm(1));
        // bias = 1: β = 30/340 and 20/440: 0.6·0.912 + 0.5·0.088 = 0.591 against 0.4·0.955 + 0.8·0.045 = 0.418.
        assert_eq!(Grave::new(50, 1.0, 0.0).pick(&junction, &mut rng), Pick::Arm(0));
    }

    #[test]
    fn exploration_tries_what_amaf_dislikes() {
        // ln 30 = 3.4012, c = 0.4, bias = 0.01. Arm 0: p = p' = 30, β = 30/(60+9) = 0.4348, mean and AMAF 0.6:
        // 0.6 + 0.4·sqrt(3.4012/30) = 0.7347. Arm 1, never visited: 0.2 + 0.4·sqrt(3.4012) = 0.9377.
        let arms = test_arms(&[(30, 18.0), (0, 0.0)]);
        let reference = [Amaf { visits: 30, score: 18.0 }, Amaf { visits: 10, score: 2.0 }];
        let junction = Junction { arms: &arms, visits: 30, amaf: &[], reference: &reference, moves_last: false };
        let mut rng = Seed::new(1).rng();
        assert_eq!(Grave::new(50, 0.01, 0.4).pick(&junction, &mut rng), Pick::Arm(1));
        // With c = 0.2: 0.6674 against 0.5688.
        assert_eq!(Grave::new(50, 0.01, 0.2).pick(&junction, &mut rng), Pick::Arm(0));
    }

    #[test]
    fn an_arm_without_any_data_comes_first() {
        let arms = test_arms(&[(3, 3.0), (0, 0.0)]);
        let reference = [Amaf { visits: 3, score: 3.0 }, Amaf::default()];
        let junction = Junction { arms: &arms, visits: 3, amaf: &[], reference: &reference, moves_last: false };
        assert_eq!(Grave::new(50, 1e-10, 0.0).pick(&junction, &mut Seed::new(1).rng()), Pick::Arm(1));
    }
}
