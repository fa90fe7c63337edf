//! Selection: which arm a deciding role follows inside the tree.

use crate::{
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

selects![uct, rave, grave];

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

    /// How many simulations make a node good enough as a reference for AMAF sums.
    fn reference_visits(&self) -> u32 {
        0
    }

    /// The visits after which a node collects AMAF sums; 0: from the beginning.
    fn amaf_from(&self) -> u32 {
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

/// The arm of the largest value; among all within `band` of it, any. `values` is memory to work in.
fn best_arm(arms: &[Arm], value: impl Fn(&Arm) -> f64, values: &mut Vec<f64>, band: f64, rng: &mut Rng) -> Pick {
    values.clear();
    values.extend(arms.iter().map(value));
    Pick::Arm(best(values, band, rng))
}

/// The place of the largest value; among all within `band` of it, any.
fn best(values: &[f64], band: f64, rng: &mut Rng) -> usize {
    let top = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let near = |value: f64| value >= top - band;
    let count = values.iter().filter(|&&value| near(value)).count() as u32;
    let nth = if count > 1 { rng.below(count) as usize } else { 0 };
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
        assert!((0..50).all(|_| best(&values, 0.0, &mut rng) == 2));
        let mut seen = [0; 5];
        for _ in 0..200 {
            seen[best(&values, 0.01, &mut rng)] += 1;
        }
        assert!(seen[1] > 60 && seen[2] > 60 && seen[0] + seen[3] + seen[4] == 0, "{seen:?}");
    }
}
