//! Ours beside the published figures.

use super::{Entry, Measured, Table};
use crate::{
    cell::{Cell, CellId},
    counts::Points,
    stats::{Interval, Z95, wilson},
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
    /// The variance of a game relative to that of a game that is won or lost: below 1 where games are drawn and wins are shared.
    pub spread: f64,
}

impl Rate {
    /// So many points of so many games, with Wilson's interval.
    pub fn of_points(points: f64, games: u64) -> Option<Rate> {
        let rate = points / games as f64;
        (games > 0).then(|| Rate { rate, interval: wilson(points, games), games, spread: 1.0 })
    }

    /// A rate that is printed with half of its 95 % interval, which tells the spread.
    pub(super) fn printed(rate: f64, half: f64, games: u64) -> Rate {
        let (shown, plain) = ((half / Z95).powi(2) * games as f64, rate * (1.0 - rate));
        let spread = if plain > 0.0 { (shown / plain).clamp(0.25, 1.0) } else { 1.0 };
        Rate { rate, interval: Interval::around(rate, half), games, spread }
    }

    /// The mean of the rates of several cells. Every cell weighs the same, however many games it has.
    pub(crate) fn mean_of(rates: &[Rate]) -> Option<Rate> {
        if let [only] = rates {
            return Some(*only);
        }
        let count = rates.len() as f64;
        let mean = rates.iter().map(|rate| rate.rate).sum::<f64>() / count;
        let half = rates.iter().map(|rate| rate.half_width().powi(2)).sum::<f64>().sqrt() / count;
        let games = rates.iter().map(|rate| rate.games).sum();
        (!rates.is_empty()).then(|| Rate { rate: mean, interval: Interval::around(mean, half), games, spread: 1.0 })
    }

    /// Half of the interval.
    pub(super) fn half_width(&self) -> f64 {
        (self.interval.high - self.interval.low) / 2.0
    }
}

/// How two rates compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// They differ by no more than chance explains: |z| is at most 1.96.
    Agrees,
    /// They differ by more.
    Differs,
    /// Half of our 95 % interval is wider than [`WIDEST`]: the games say too little.
    TooFewGames,
}

/// A rate that is not known to ten points says nothing.
pub const WIDEST: f64 = 0.1;

impl Verdict {
    /// All verdicts, the best first.
    pub const ALL: [Verdict; 3] = [Verdict::Agrees, Verdict::Differs, Verdict::TooFewGames];

    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::TooFewGames => "too few games",
        }
    }

    /// The verdict on our rate, by its distance from the published one in standard errors.
    fn of(ours: &Rate, z: f64) -> Verdict {
        if ours.half_width() > WIDEST {
            Verdict::TooFewGames
        } else if z.abs() <= Z95 {
            Verdict::Agrees
        } else {
            Verdict::Differs
        }
    }
}

/// The difference of two rates of cells in standard errors, pooled: what it would be worth if both were the same. Where a paper prints
/// its interval, that tells how much less the points vary than plain wins.
fn pooled_z(ours: &Rate, published: &Rate) -> f64 {
    let (n, m) = (ours.games as f64, published.games as f64);
    let pooled = (ours.rate * n + published.rate * m) / (n + m);
    let variance = pooled * (1.0 - pooled) * published.spread * (1.0 / n + 1.0 / m);
    if variance > 0.0 { (ours.rate - published.rate) / variance.sqrt() } else { 0.0 }
}

/// The same for means over several cells, by their intervals.
fn z_of_means(ours: &Rate, published: &Rate) -> f64 {
    let error = ours.half_width().hypot(published.half_width()) / Z95;
    if error > 0.0 { (ours.rate - published.rate) / error } else { 0.0 }
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
    /// The cell whose games were counted; a mean over several has none.
    pub cell: Option<CellId>,
    /// The published figure.
    pub published: Option<Rate>,
    /// Ours, if there are games of every cell.
    pub ours: Option<Rate>,
    /// Ours less the published one, in standard errors.
    pub z: Option<f64>,
    /// How they compare.
    pub verdict: Option<Verdict>,
}

impl Comparison {
    /// A figure with the rates of its cells.
    fn new(table: &Table, entry: &Entry, measured: &Measured) -> Comparison {
        let rates: Option<Vec<Rate>> = entry.cells.iter().map(|cell| rate(cell, measured)).collect();
        let ours = rates.and_then(|rates| Rate::mean_of(&rates));
        let is_mean = entry.cells.len() > 1;
        let z = entry.published.zip(ours).map(|(published, ours)| match is_mean {
            true => z_of_means(&ours, &published),
            false => pooled_z(&ours, &published),
        });
        Comparison {
            table: table.id(),
            game: entry.game.clone(),
            budget: entry.cells.first().map(|cell| cell.budget.to_string()).unwrap_or_default(),
            player: entry.player.clone(),
            opponent: entry.opponent.clone(),
            cell: entry.cells.first().filter(|_| !is_mean).map(|cell| cell.id(super::SEED)),
            published: entry.published,
            ours,
            z,
            verdict: ours.zip(z).map(|(ours, z)| Verdict::of(&ours, z)),
        }
    }

    /// A cell that only takes part in a mean.
    pub(super) fn of_cell(table: &Table, cell: &Cell, measured: &Measured) -> Comparison {
        Comparison {
            table: table.id(),
            game: cell.game.clone(),
            budget: cell.budget.to_string(),
            player: cell.players[0].name.clone(),
            opponent: cell.players[1].name.clone(),
            cell: Some(cell.id(super::SEED)),
            published: None,
            ours: rate(cell, measured),
            z: None,
            verdict: None,
        }
    }
}

/// The rate of a cell, if it has games.
fn rate(cell: &Cell, measured: &Measured) -> Option<Rate> {
    let Points { games, sum, .. } = measured.counts.points(cell.id(super::SEED));
    Rate::of_points(sum, games)
}

/// Puts our results beside a table's figures, entry by entry.
pub fn compare(table: &Table, measured: &Measured) -> Vec<Comparison> {
    table.entries.iter().map(|entry| Comparison::new(table, entry, measured)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(points: f64, games: u64) -> Rate {
        Rate::of_points(points, games).unwrap()
    }

    fn verdict(ours: &Rate, published: &Rate) -> Verdict {
        Verdict::of(ours, pooled_z(ours, published))
    }

    #[test]
    fn standard_errors_by_hand() {
        // 60 of 100 beside 100 of 200: pooled 160/300, variance 0.5333 · 0.4667 · 0.015 = 0.003733, 0.1 / 0.0611 = 1.6366.
        let z = pooled_z(&rate(60.0, 100), &rate(100.0, 200));
        assert!((z - 1.6366).abs() < 1e-4, "{z}");
        // Half of the plain interval of 100 in 200 is 1.96 · sqrt(0.25/200) = 6.93 points. If 4.9 are printed, draws leave half of
        // the variance, and z is sqrt(2) times as large.
        let z = pooled_z(&rate(60.0, 100), &Rate::printed(0.5, 0.049, 200));
        assert!((z - 1.6366 * 2_f64.sqrt()).abs() < 1e-3, "{z}");
        assert_eq!(pooled_z(&rate(50.0, 50), &rate(500.0, 500)), 0.0);
    }

    #[test]
    fn verdicts() {
        let published = rate(406.0, 500); // 81.2 %
        assert_eq!(verdict(&rate(80.0, 100), &published), Verdict::Agrees);
        assert_eq!(verdict(&rate(269.0, 500), &published), Verdict::Differs);
        // Half of Wilson's interval around 50 % is above 10 points up to 92 games.
        assert_eq!(verdict(&rate(46.0, 92), &rate(250.0, 500)), Verdict::TooFewGames);
        assert_eq!(verdict(&rate(46.5, 93), &rate(250.0, 500)), Verdict::Agrees);
        assert_eq!(verdict(&rate(0.0, 6), &rate(500.0, 500)), Verdict::TooFewGames);
    }

    #[test]
    fn means_weigh_cells_equally() {
        // 90 of 100 and 100 of 1,000: 0.9 and 0.1, 0.5 and not 190 of 1,100.
        let mean = Rate::mean_of(&[rate(90.0, 100), rate(100.0, 1000)]).unwrap();
        assert!((mean.rate - 0.5).abs() < 1e-12 && mean.games == 1100);
        let halves = [rate(90.0, 100).half_width(), rate(100.0, 1000).half_width()];
        assert!((mean.half_width() - halves[0].hypot(halves[1]) / 2.0).abs() < 1e-12);
        assert_eq!(Rate::mean_of(&[rate(3.0, 4)]), Some(rate(3.0, 4)));
        assert_eq!(Rate::mean_of(&[]), None);
    }
}
