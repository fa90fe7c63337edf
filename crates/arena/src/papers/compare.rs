//! Ours beside the published figures.

use super::Table;
use crate::{
    results::{CellResults, Results},
    stats::{Interval, Sample, difference},
};
use serde::Serialize;

/// A win rate with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// The rate.
    pub rate: f64,
    /// The interval.
    pub interval: Interval,
    /// The number of games.
    pub games: u64,
}

impl Rate {
    /// The rate of a sample with Wilson's interval, if there is anything.
    pub fn of(sample: &Sample) -> Option<Rate> {
        Some(Rate { rate: sample.mean()?, interval: sample.wilson(), games: sample.count })
    }
}

/// How two rates compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The difference lies within the joint 95 % interval.
    Agrees,
    /// Otherwise, both are on the same side of 50 % or their intervals overlap.
    SameSide,
    /// Neither.
    Differs,
}

impl Verdict {
    /// All verdicts, the best first.
    pub const ALL: [Verdict; 3] = [Verdict::Agrees, Verdict::SameSide, Verdict::Differs];

    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::SameSide => "same side",
            Verdict::Differs => "differs",
        }
    }
}

/// How two rates compare.
pub fn verdict(ours: &Rate, published: &Rate) -> Verdict {
    let joint = difference((ours.rate, ours.interval), (published.rate, published.interval));
    if joint.low <= 0.0 && joint.high >= 0.0 {
        Verdict::Agrees
    } else if (ours.rate - 0.5) * (published.rate - 0.5) > 0.0 || ours.interval.overlaps(published.interval) {
        Verdict::SameSide
    } else {
        Verdict::Differs
    }
}

/// One figure of a table: published and ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// `PAPER/TABLE`.
    pub table: String,
    /// The game, or "all games".
    pub game: String,
    /// Our budget.
    pub budget: String,
    /// Whose rate.
    pub player: String,
    /// Against whom.
    pub opponent: String,
    /// The published figure.
    pub published: Option<Rate>,
    /// Ours, if there are games of every cell.
    pub ours: Option<Rate>,
    /// How they compare.
    pub verdict: Option<Verdict>,
}

/// Puts our results beside a table's figures, entry by entry.
pub fn compare(table: &Table, results: &Results) -> Vec<Comparison> {
    table
        .entries
        .iter()
        .map(|entry| {
            let ours = pooled(table, &entry.cells, results);
            let verdict = entry.published.zip(ours).map(|(published, ours)| verdict(&ours, &published));
            let budget = entry.cells.first().map(|cell| cell.budget.to_string()).unwrap_or_default();
            Comparison {
                table: table.id(),
                game: entry.game.clone(),
                budget,
                player: entry.player.clone(),
                opponent: entry.opponent.clone(),
                published: entry.published,
                ours,
                verdict,
            }
        })
        .collect()
}

/// The rate over all games of some cells, if each of them has some.
fn pooled(table: &Table, cells: &[std::sync::Arc<crate::cell::Cell>], results: &Results) -> Option<Rate> {
    let mut sample = Sample::default();
    for cell in cells {
        let games: &CellResults = results.cells.get(&cell.id(super::SEED))?;
        let points = games.standing(table.paper.counting, 0, u64::MAX).points;
        if points.count == 0 {
            return None;
        }
        sample += points;
    }
    Rate::of(&sample)
}

/// How many figures there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Figures that were published.
    pub published: usize,
    /// Figures of which we have games.
    pub measured: usize,
    /// By verdict, in the order of [`Verdict::ALL`].
    pub verdicts: [usize; 3],
}

impl Tally {
    /// Counts figures.
    pub fn of<'c>(comparisons: impl IntoIterator<Item = &'c Comparison>) -> Tally {
        let mut tally = Tally::default();
        for comparison in comparisons {
            tally.published += usize::from(comparison.published.is_some());
            tally.measured += usize::from(comparison.ours.is_some());
            if let Some(verdict) = comparison.verdict {
                tally.verdicts[verdict as usize] += 1;
            }
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::wilson;

    fn rate(wins: u64, games: u64) -> Rate {
        let points = wins as f64;
        Rate { rate: points / games as f64, interval: wilson(points, games), games }
    }

    #[test]
    fn verdicts() {
        let published = rate(406, 500); // 81.2 %, 77.5 to 84.4
        assert_eq!(verdict(&rate(80, 100), &published), Verdict::Agrees);
        assert_eq!(verdict(&rate(300, 500), &published), Verdict::SameSide);
        assert_eq!(verdict(&rate(200, 500), &published), Verdict::Differs);
        // On different sides of 50 %, too far apart for chance alone, and yet their intervals meet.
        let (a, b) = (rate(236, 500), rate(272, 500));
        assert_eq!(verdict(&a, &b), Verdict::SameSide);
        assert_eq!(verdict(&b, &a), Verdict::SameSide);
        assert_eq!(verdict(&rate(0, 1), &rate(500, 500)), Verdict::Differs);
        assert_eq!(verdict(&rate(1, 1), &rate(500, 500)), Verdict::Agrees);
    }
}
