//! RAVE (Gelly and Silver 2007), in the form of ppr2016: `(1-β)·w/n + β·w'/n' + c·sqrt(ln N/n)`, `β = sqrt(r/(r+3n))`.
//!
//! `w'/n'` is the mean over all simulations through the node in which the role played the move at the node or later.

use super::{Junction, Pick, Select, TIES, Ties, Unvisited, best_arm, exploration};
use crate::{params::Param, registry::SelectEntry, tree::Arm};
use ludens_game::Rng;

pub(super) const ENTRY: SelectEntry = SelectEntry {
    name: "rave",
    about: "mean score blended with AMAF (all moves as first) sums, which weigh sqrt(r/(r+3n))",
    params: &[
        Param::number("r", 130.0, (0.0, 1e9), "visits for which the AMAF sums matter"),
        Param::number("c", 0.0, (0.0, 1e6), "weight of exploration"),
        Param::word("unvisited", &["amaf", "random", "first", "last", "policy"], "which unvisited arm to try first"),
        TIES,
    ],
    build: |args| {
        let first = match args.word("unvisited") {
            "amaf" => None,
            other => Some(Unvisited::of(other)),
        };
        Box::new(Rave::new(args.number("r"), args.number("c"), first).with(Ties::of(args, 0.0)))
    },
};

/// The rule and its parameters. ppr2016: `r=130, c=0, unvisited=random`.
#[derive(Clone, Debug)]
pub(crate) struct Rave {
    pub(crate) r: f64,
    pub(crate) c: f64,
    /// `None`: an unvisited arm has its AMAF value, and without that it comes first.
    pub(crate) unvisited: Option<Unvisited>,
    ties: Ties,
    values: Vec<f64>,
}

impl Rave {
    pub(crate) fn new(r: f64, c: f64, unvisited: Option<Unvisited>) -> Rave {
        Rave { r, c, unvisited, ties: Ties::RANDOM, values: Vec::new() }
    }

    pub(super) fn with(self, ties: Ties) -> Rave {
        Rave { ties, ..self }
    }
}

impl Select for Rave {
    fn wants_amaf(&self) -> bool {
        true
    }

    fn pick(&mut self, junction: &Junction<'_>, rng: &mut Rng) -> Pick {
        if let Some(pick) = self.unvisited.and_then(|unvisited| unvisited.pick(junction.arms, rng)) {
            return pick;
        }
        let log = f64::from(junction.visits.max(1)).ln();
        let (r, c) = (self.r, self.c);
        let value = |arm: &Arm| {
            let amaf = junction.amaf[arm.mv.index()].mean();
            if arm.visits == 0 {
                return amaf.unwrap_or(f64::INFINITY);
            }
            let visits = f64::from(arm.visits);
            let beta = (r / (r + 3.0 * visits)).sqrt();
            let mean = arm.mean();
            (1.0 - beta) * mean + beta * amaf.unwrap_or(mean) + exploration(c, log, visits)
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
        // r = 130, c = 0:
        //   arm 0: n = 10, β = sqrt(130/160) = 0.9014; 0.0986·0.8 + 0.9014·0.4 = 0.4394
        //   arm 1: n =  2, β = sqrt(130/136) = 0.9777; 0.0223·0.0 + 0.9777·0.5 = 0.4888
        //   arm 2: n =  1, β = sqrt(130/133) = 0.9887; 0.0113·1.0 + 0.9887·0.45 = 0.4562
        let arms = test_arms(&[(10, 8.0), (2, 0.0), (1, 1.0)]);
        let amaf = [(20, 8.0), (10, 5.0), (20, 9.0)].map(|(visits, score)| Amaf { visits, score });
        let junction = Junction { arms: &arms, visits: 13, amaf: &amaf, reference: &[], moves_last: false };
        let mut rng = Seed::new(1).rng();
        assert_eq!(Rave::new(130.0, 0.0, None).pick(&junction, &mut rng), Pick::Arm(1));
        // With r = 0 the AMAF part vanishes: 0.8, 0, 1.
        assert_eq!(Rave::new(0.0, 0.0, None).pick(&junction, &mut rng), Pick::Arm(2));
    }

    #[test]
    fn unvisited_arms_have_their_amaf_value() {
        let arms = test_arms(&[(4, 2.0), (0, 0.0), (0, 0.0)]);
        let mut amaf =
            [Amaf { visits: 4, score: 2.0 }, Amaf { visits: 10, score: 4.0 }, Amaf { visits: 5, score: 3.0 }];
        let mut rng = Seed::new(1).rng();
        let mut pick = |amaf: &[Amaf]| {
            let junction = Junction { arms: &arms, visits: 4, amaf, reference: &[], moves_last: false };
            Rave::new(130.0, 0.0, None).pick(&junction, &mut rng)
        };
        assert_eq!(pick(&amaf), Pick::Arm(2));
        amaf[1] = Amaf::default();
        assert_eq!(pick(&amaf), Pick::Arm(1));
    }
}
