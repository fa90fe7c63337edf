//! RAVE where moves last, GRAVE elsewhere. Our own addition, not from the papers.
//!
//! Where [moves last](crate::lasting), one simulation tells about many moves of a node, and exploring them one by one is a waste: RAVE
//! without exploration is best. Elsewhere what the sums say misleads, and GRAVE with exploration is best. A node with few arms is soon
//! explored, so it is always left to GRAVE.

use super::{Junction, Pick, Select, TIES, Ties, grave::Grave, rave::Rave};
use crate::{lasting::MANY_ARMS, params::Param, registry::SelectEntry};
use ludens_game::Rng;

pub(super) const ENTRY: SelectEntry = SelectEntry {
    name: "amaf",
    about: "RAVE where moves stay possible, as in games of placing stones; GRAVE elsewhere",
    params: &[
        Param::whole("ref", 50, (0, 1 << 31), "GRAVE: simulations before an ancestor's sums are used"),
        Param::whole(
            "from",
            10,
            (0, 1 << 31),
            "GRAVE: simulations before a node collects AMAF sums, which take memory",
        ),
        Param::number("bias", 0.02, (0.0, 1e9), "GRAVE: how fast the AMAF sums lose weight"),
        Param::number("c", 0.2, (0.0, 1e6), "GRAVE: weight of exploration"),
        Param::number("r", 500.0, (0.0, 1e9), "RAVE: visits for which the AMAF sums matter"),
        TIES,
    ],
    build: |args| {
        let ties = Ties::of(args, 0.0);
        let grave = Grave::new(args.whole("ref") as u32, args.number("bias"), args.number("c"));
        Box::new(RaveOrGrave {
            grave: grave.collecting_from(args.whole("from") as u32).with(ties),
            rave: Rave::new(args.number("r"), 0.0, None).with(ties),
        })
    },
};

/// The visits after which a node collects sums where moves last: RAVE reads those of the node itself.
const RAVE_FROM: u32 = 2;

/// Both rules.
struct RaveOrGrave {
    grave: Grave,
    rave: Rave,
}

impl Select for RaveOrGrave {
    fn wants_amaf(&self) -> bool {
        true
    }

    fn wants_lasting(&self) -> bool {
        true
    }

    fn reference_visits(&self) -> u32 {
        self.grave.reference_visits()
    }

    fn amaf_from(&self, moves_last: bool) -> u32 {
        if moves_last { RAVE_FROM } else { self.grave.amaf_from(false) }
    }

    fn pick(&mut self, junction: &Junction<'_>, rng: &mut Rng) -> Pick {
        if !junction.moves_last || junction.arms.len() < MANY_ARMS {
            return self.grave.pick(junction, rng);
        }
        // A node that collects no sums yet uses those of its ancestor.
        let amaf = if junction.amaf.is_empty() { junction.reference } else { junction.amaf };
        self.rave.pick(&Junction { amaf, ..*junction }, rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{params::Args, select::test_arms, tree::Amaf};
    use ludens_game::Seed;

    #[test]
    fn rave_where_moves_last_and_grave_elsewhere() {
        // Sixteen arms, of which arm 1 was never visited; N = 30, ln 30 = 3.4012.
        let mut visits = [(2, 1.0); 16];
        visits[1] = (0, 0.0);
        let arms = test_arms(&visits);
        let mut amaf = [Amaf { visits: 20, score: 8.0 }; 16];
        amaf[2] = Amaf { visits: 20, score: 12.0 };
        let junction = |moves_last, arms| Junction { arms, visits: 30, amaf: &amaf, reference: &amaf, moves_last };
        let mut rule = (ENTRY.build)(&Args::read(ENTRY.params, "").expect("defaults"));
        let mut rng = Seed::new(1).rng();
        // RAVE: β = sqrt(500/506) = 0.9941; arm 2 has 0.0059·0.5 + 0.9941·0.6 = 0.5994, all others about 0.4.
        assert_eq!(rule.pick(&junction(true, &arms), &mut rng), Pick::Arm(2));
        // GRAVE: arm 1 has 0.4 + 0.2·sqrt(3.4012) = 0.7688; arm 2, with β = 20/(20 + 2 + 0.02·40) = 0.8772,
        // 0.1228·0.5 + 0.8772·0.6 + 0.2·sqrt(3.4012/2) = 0.5877 + 0.2608 = 0.8485; the others 0.4123 + 0.2608 = 0.6731.
        assert_eq!(rule.pick(&junction(false, &arms), &mut rng), Pick::Arm(2));
        // Without its good AMAF sum arm 2 is like the others, and the unvisited arm comes first.
        let even = [Amaf { visits: 20, score: 8.0 }; 16];
        let few = Junction { reference: &even, ..junction(true, &arms[..15]) };
        assert_eq!(rule.pick(&few, &mut rng), Pick::Arm(1));
    }
}
