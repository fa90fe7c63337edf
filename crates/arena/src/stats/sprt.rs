//! A sequential test: play until one of two hypotheses about the difference in strength is rejected.
//!
//! The generalised sequential probability ratio test on rounds (Wald 1945; the form for paired games is the one of chess
//! testing): with the mean m and the variance v of the rounds' rates and the rates s0, s1 that the hypotheses predict, the
//! logarithm of the likelihood ratio is `n (s1 - s0) (2 m - s0 - s1) / (2 v)`. A round is one game per seating, so that the
//! advantage of a seat is no part of the variance.

use super::{Sample, elo::rate_of_elo};
use serde::{Deserialize, Serialize};

/// The hypotheses, in Elo, and the error rates of the test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative.
    pub elo1: f64,
    /// The probability of accepting the alternative although the null hypothesis holds.
    pub alpha: f64,
    /// The probability of keeping the null hypothesis although the alternative holds.
    pub beta: f64,
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The null hypothesis.
    H0,
    /// The alternative.
    H1,
}

/// Fewer rounds say too little about their variance.
const MIN_ROUNDS: u64 = 8;

/// What is added to the variance in units of one round, so that equal results do not look like certainty.
const PRIOR: f64 = 0.25;

impl Sprt {
    /// The logarithms of the likelihood ratio at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of the likelihood ratio after so many rounds.
    pub fn log_ratio(&self, rounds: &Sample) -> f64 {
        let Some(mean) = rounds.mean() else { return 0.0 };
        let n = rounds.count as f64;
        let (s0, s1) = (rate_of_elo(self.elo0), rate_of_elo(self.elo1));
        let variance = rounds.spread() + PRIOR / (n * n);
        n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }

    /// The first number of rounds after which the test is over, and how it ended. The rounds are taken in their order, so
    /// that it does not matter in which order they were finished.
    pub fn decide(&self, rounds: impl Iterator<Item = f64>) -> Option<(u64, Decision)> {
        let (low, high) = self.bounds();
        let mut sample = Sample::default();
        for rate in rounds {
            sample.add(rate);
            if sample.count < MIN_ROUNDS {
                continue;
            }
            match self.log_ratio(&sample) {
                ratio if ratio >= high => return Some((sample.count, Decision::H1)),
                ratio if ratio <= low => return Some((sample.count, Decision::H0)),
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    #[test]
    fn published_examples() {
        // Stockfish's pull requests 3209, 3209 and 3098: pairs with 0, ½, 1, 1½ and 2 points, and the ratio reported.
        for (pairs, (elo0, elo1), reported) in [
            ([253, 4282, 17604, 4431, 286], (-0.25, 1.25), 2.94),
            ([58, 3302, 33130, 3518, 84], (0.25, 1.25), 2.97),
            ([491, 7345, 29693, 7670, 465], (-0.25, 1.25), 2.96),
        ] {
            let results = pairs.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
            let rounds: Sample = results.flat_map(|(&count, rate)| std::iter::repeat_n(rate, count)).collect();
            let ratio = sprt(elo0, elo1).log_ratio(&rounds);
            assert!((ratio - reported).abs() < 0.01, "{pairs:?}: {ratio}");
        }
        let (low, high) = sprt(0.0, 1.0).bounds();
        assert!((low + 2.944).abs() < 1e-3 && (high - 2.944).abs() < 1e-3);
    }

    #[test]
    fn the_first_crossing_counts() {
        let test = sprt(0.0, 50.0);
        let wins = || std::iter::repeat_n(1.0, 40);
        let (rounds, decision) = test.decide(wins()).expect("forty clean rounds");
        assert_eq!(decision, Decision::H1);
        let and_then_losses = wins().take(rounds as usize).chain(std::iter::repeat_n(0.0, 500));
        assert_eq!(test.decide(and_then_losses), Some((rounds, decision)));
        assert_eq!(test.decide(std::iter::repeat_n(0.0, 40)).map(|end| end.1), Some(Decision::H0));
        assert_eq!(test.decide([0.5, 1.0, 0.0, 0.5].into_iter().cycle().take(16)), None);
        assert_eq!(test.decide(std::iter::empty()), None);
    }

    #[test]
    fn errors_are_as_rare_as_promised() {
        use ludens_game::Seed;
        let test = sprt(0.0, 40.0);
        let mut wrong = 0;
        for run in 0..400 {
            let mut rng = Seed::new(run).rng();
            let games = std::iter::repeat_with(|| f64::from(rng.below(2) + rng.below(2)) / 2.0);
            wrong += u32::from(matches!(test.decide(games.take(20_000)), Some((_, Decision::H1))));
        }
        assert!(wrong <= 400 / 20 + 10, "{wrong} of 400 equal pairs were told apart");
    }
}
