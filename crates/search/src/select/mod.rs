//! Selection: which arm a deciding role follows inside the tree.

use crate::{
    params::{Args, Param},
    registry::SelectEntry,
    tree::{Amaf, Arm},
};
use ludens_game::Rng;

/// Declares the files of the selection rules and lists their entries.
macro_rules! selects {
    ($($file:ident),*) => {
        $(mod $file;)*

        /// All selection rules. A new one is a file with an `ENTRY` and its name here.
        pub static SELECTS: &[SelectEntry] = &[$($file::ENTRY),*];
    };
}

selects![uct, rave, grave, amaf];

#[cfg(test)]
pub(crate) use uct::Uct;

/// What a selection rule sees of a node, for one deciding role.
pub(crate) struct Junction<'a> {
    /// The role's arms.
    pub(crate) arms: &'a [Arm],
    /// How many simulations went on from the node.
    pub(crate) visits: u32,
    /// The AMAF sums of the role's moves at the node, by move id; empty if the rule does not want them.
    pub(crate) amaf: &'a [Amaf],
    /// The same at the nearest node upwards (the node itself included) that has enough simulations; the root's if none.
    pub(crate) reference: &'a [Amaf],
    /// Whether moves last, if the rule asks; see `lasting.rs`.
    pub(crate) moves_last: bool,
}

/// What a selection rule decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    /// Follow this arm.
    Arm(usize),
    /// Try one of the arms that have no visit yet, the playout policy chooses which.
    AskPolicy,
}

/// A selection rule.
pub(crate) trait Select: Send {
    /// Whether the rule wants AMAF sums.
    fn wants_amaf(&self) -> bool {
        false
    }

    /// Whether the rule asks if moves last.
    fn wants_lasting(&self) -> bool {
        false
    }

    /// How many simulations make a node good enough as a reference for AMAF sums.
    fn reference_visits(&self) -> u32 {
        0
    }

    /// The visits after which a node collects AMAF sums, where moves last and elsewhere; 0: from the beginning.
    fn amaf_from(&self, moves_last: bool) -> u32 {
        let _ = moves_last;
        0
    }

    /// Chooses.
    fn pick(&mut self, junction: &Junction<'_>, rng: &mut Rng) -> Pick;
}

/// Which of the arms without a visit is tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unvisited {
    /// Any.
    Random,
    /// In the game's order of moves.
    First,
    /// In the reverse of that order.
    Last,
    /// What the playout policy likes.
    Policy,
}

impl Unvisited {
    /// The order that a word of a spec means.
    fn of(word: &str) -> Unvisited {
        match word {
            "first" => Unvisited::First,
            "last" => Unvisited::Last,
            "policy" => Unvisited::Policy,
            _ => Unvisited::Random,
        }
    }

    /// One of the arms without a visit, if there is any.
    fn pick(self, arms: &[Arm], rng: &mut Rng) -> Option<Pick> {
        match self {
            Unvisited::First => arms.iter().position(|arm| arm.visits == 0).map(Pick::Arm),
            Unvisited::Last => arms.iter().rposition(|arm| arm.visits == 0).map(Pick::Arm),
            Unvisited::Policy => arms.iter().any(|arm| arm.visits == 0).then_some(Pick::AskPolicy),
            Unvisited::Random => {
                let unvisited = arms.iter().filter(|arm| arm.visits == 0).count() as u32;
                if unvisited == 0 {
                    return None;
                }
                let nth = rng.below(unvisited) as usize;
                let mut places = (0..arms.len()).filter(|&place| arms[place].visits == 0);
                places.nth(nth).map(Pick::Arm)
            }
        }
    }
}

/// `c·sqrt(ln N / n)`, which AMAF rules mostly do without.
#[inline]
fn exploration(c: f64, log: f64, visits: f64) -> f64 {
    if c == 0.0 { 0.0 } else { c * (log / visits).sqrt() }
}

/// The parameter of all rules for [`Ties`].
const TIES: Param = Param::word("ties", &["random", "first"], "which of several best arms to follow");

/// Which of several best arms is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ties {
    /// The first in the game's order of moves, instead of any.
    pub(crate) first: bool,
    /// Arms within this distance of the best one are as good.
    pub(crate) band: f64,
}

impl Ties {
    /// What a spec says, for arms within `band` of the best one.
    fn of(args: &Args, band: f64) -> Ties {
        Ties { first: args.word("ties") == "first", band }
    }

    /// Any of the arms with exactly the best value.
    pub(crate) const RANDOM: Ties = Ties { first: false, band: 0.0 };
}

/// The arm of the largest value. `values` is memory to work in.
fn best_arm(arms: &[Arm], value: impl Fn(&Arm) -> f64, values: &mut Vec<f64>, ties: Ties, rng: &mut Rng) -> Pick {
    values.clear();
    values.extend(arms.iter().map(value));
    Pick::Arm(best(values, ties, rng))
}

/// The place of the largest value.
fn best(values: &[f64], ties: Ties, rng: &mut Rng) -> usize {
    let top = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let near = |value: f64| value >= top - ties.band;
    let count = values.iter().filter(|&&value| near(value)).count() as u32;
    let nth = if count > 1 && !ties.first { rng.below(count) as usize } else { 0 };
    (0..values.len()).filter(|&place| near(values[place])).nth(nth).expect("the largest value is near itself")
}

/// Arms with the given visits and score sums, with the moves 0, 1, 2, ….
#[cfg(test)]
fn test_arms(stats: &[(u32, f64)]) -> Vec<Arm> {
    let arm = |(id, &(visits, score)): (usize, &(u32, f64))| Arm::sample(id as u32, visits, score);
    stats.iter().enumerate().map(arm).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::Seed;

    #[test]
    fn best_draws_from_the_band() {
        let mut rng = Seed::new(1).rng();
        let values = [0.5, 0.995, 1.0, 0.98, f64::NEG_INFINITY];
        let any = |band: f64| Ties { band, ..Ties::RANDOM };
        assert!((0..50).all(|_| best(&values, any(0.0), &mut rng) == 2));
        let mut seen = [0; 5];
        for _ in 0..200 {
            seen[best(&values, any(0.01), &mut rng)] += 1;
        }
        assert!(seen[1] > 60 && seen[2] > 60 && seen[0] + seen[3] + seen[4] == 0, "{seen:?}");
    }

    #[test]
    fn the_first_of_equals_is_no_matter_of_chance() {
        let (mut rng, mut untouched) = (Seed::new(1).rng(), Seed::new(1).rng());
        let first = |band: f64| Ties { first: true, band };
        // Places 1 and 3 have the best value; with a band of 0.1 place 0 is as good.
        let values = [0.7, 0.75, 0.2, 0.75];
        assert_eq!((best(&values, first(0.0), &mut rng), best(&values, first(0.1), &mut rng)), (1, 0));
        assert_eq!(rng.below(1 << 30), untouched.below(1 << 30), "nothing was drawn");
    }
}
