//! How well the figures of a table fit: all its cells at once.

use super::{Comparison, Verdict, WIDEST};
use crate::stats::chi_square_tail;
use serde::Serialize;

/// What became of the figures of one or several tables.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Fit {
    /// Figures that were published.
    pub published: usize,
    /// Figures of which we have games.
    pub measured: usize,
    /// By verdict, in the order of [`Verdict::ALL`].
    pub verdicts: [usize; 3],
    /// Half of our widest 95 % interval.
    pub widest: Option<f64>,
    /// The median of the games of all measured cells.
    pub median_games: Option<u64>,
    /// The cells with enough games, which the following numbers are about. Means over cells are not among them.
    pub judged: usize,
    /// The mean of ours less the published rate.
    pub mean_difference: Option<f64>,
    /// The sum of all z² by the number of cells: about 1 if only chance separates the figures.
    pub chi_square: Option<f64>,
    /// How probable a sum of that size or more would then be.
    pub p: Option<f64>,
    /// The three cells that are farthest apart.
    pub farthest: Vec<Far>,
}

/// A cell that is far from the published figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Far {
    /// Ours less the published rate in standard errors.
    pub z: f64,
    /// What was played.
    pub cell: String,
}

impl Fit {
    /// Of some figures.
    pub fn of<'c>(comparisons: impl IntoIterator<Item = &'c Comparison>) -> Fit {
        let mut fit = Fit::default();
        let (mut games, mut judged) = (Vec::new(), Vec::new());
        for line in comparisons {
            fit.published += usize::from(line.published.is_some());
            fit.measured += usize::from(line.ours.is_some());
            if let Some(verdict) = line.verdict {
                fit.verdicts[verdict as usize] += 1;
            }
            if let Some(ours) = line.ours {
                fit.widest = Some(fit.widest.unwrap_or(0.0).max(ours.half_width()));
            }
            let Some((ours, _)) = line.ours.zip(line.cell) else { continue };
            games.push(ours.games);
            if let (Some(published), Some(z), Some(Verdict::Agrees | Verdict::Differs)) =
                (line.published, line.z, line.verdict)
            {
                judged.push((z, ours.rate - published.rate, line));
            }
        }
        games.sort_unstable();
        fit.median_games = games.get(games.len() / 2).copied();
        fit.judged = judged.len();
        if !judged.is_empty() {
            let count = judged.len() as f64;
            let sum: f64 = judged.iter().map(|(z, ..)| z * z).sum();
            fit.mean_difference = Some(judged.iter().map(|(_, difference, _)| difference).sum::<f64>() / count);
            fit.chi_square = Some(sum / count);
            fit.p = Some(chi_square_tail(sum, judged.len()));
        }
        judged.sort_by(|(one, ..), (other, ..)| other.abs().total_cmp(&one.abs()));
        let far = |(z, _, line): &(f64, f64, &Comparison)| Far {
            z: *z,
            cell: format!("{} {} {} vs {}", line.game, line.budget, line.player, line.opponent),
        };
        fit.farthest = judged.iter().take(3).map(far).collect();
        fit
    }

    /// "40 published figures, 30 measured: 20 agree, …".
    pub fn words(&self) -> String {
        let [agree, differ, few] = self.verdicts;
        if self.published == 0 {
            let widest = 100.0 * self.widest.unwrap_or_default();
            let few = if widest > 100.0 * WIDEST { " Some have too few games to tell." } else { "" };
            return format!(
                "{} points measured, the least certain to {widest:.1} points; the paper prints no numbers.{few}",
                self.measured
            );
        }
        let counts = format!(
            "{} published figures, {} measured: {agree} agree, {differ} differ, {few} have too few games.",
            self.published, self.measured
        );
        let Some((chi_square, p)) = self.chi_square.zip(self.p) else { return counts };
        let far: Vec<_> = self.farthest.iter().map(|far| format!("{} ({:+.1})", far.cell, far.z)).collect();
        format!(
            "{counts} Of the {} cells with enough games, ours are {:+.1} points from the published ones on average; chi²/N is \
             {chi_square:.2} (p {}). The farthest: {}.",
            self.judged,
            100.0 * self.mean_difference.unwrap_or_default(),
            if p < 0.001 { probability(p) } else { format!("= {}", probability(p)) },
            far.join("; ")
        )
    }
}

/// A probability as a report shows it.
pub(super) fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".into() } else { format!("{p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CellId, papers::Rate};

    /// A figure with z as given; the rates are 0.5 published and so much more of ours.
    fn line(id: u64, difference: f64, z: f64, games: u64, is_mean: bool) -> Comparison {
        let rate = |rate: f64, games: u64| Rate::of_points(rate * games as f64, games).expect("games");
        let verdict = match games {
            ..93 => Verdict::TooFewGames,
            _ if z.abs() <= 1.96 => Verdict::Agrees,
            _ => Verdict::Differs,
        };
        Comparison {
            table: "paper/1".into(),
            game: format!("game{id}"),
            budget: "sims=10".into(),
            player: "a".into(),
            opponent: "b".into(),
            cell: (!is_mean).then_some(CellId(id)),
            published: Some(rate(0.5, 500)),
            ours: Some(rate(0.5 + difference, games)),
            z: Some(z),
            verdict: Some(verdict),
        }
    }

    #[test]
    fn a_table_by_hand() {
        // Four cells with enough games, one with too few, and a mean, which counts as a figure but not as a cell.
        let lines = [
            line(1, 0.02, 1.0, 100, false),
            line(2, -0.01, -0.5, 200, false),
            line(3, 0.10, 3.0, 300, false),
            line(4, -0.03, -1.5, 400, false),
            line(5, 0.30, 9.0, 4, false),
            line(6, 0.01, 0.1, 1004, true),
        ];
        let fit = Fit::of(&lines);
        assert_eq!((fit.published, fit.measured, fit.verdicts, fit.judged), (6, 6, [4, 1, 1], 4));
        assert_eq!(fit.median_games, Some(200), "of 4, 100, 200, 300, 400");
        // 1 + 0.25 + 9 + 2.25 = 12.5 by 4; the tail for four degrees is (1 + 6.25)·e^-6.25 = 0.0140.
        assert!((fit.chi_square.unwrap() - 3.125).abs() < 1e-12);
        assert!((fit.p.unwrap() - 7.25 * (-6.25_f64).exp()).abs() < 1e-12);
        assert!((fit.mean_difference.unwrap() - 0.02).abs() < 1e-12, "0.08 by 4");
        assert_eq!(fit.farthest.iter().map(|far| far.z).collect::<Vec<_>>(), [3.0, -1.5, 1.0]);
        assert!(fit.words().contains("4 agree, 1 differ, 1 have too few games"), "{}", fit.words());
        let none = Fit::of(&[]);
        assert_eq!((none.chi_square, none.p, none.median_games), (None, None, None));
    }
}
