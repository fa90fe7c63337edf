//! Intervals of rates.

use serde::Serialize;

/// An interval of win rates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The standard normal quantile of a two-sided interval of 95 %.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

impl Interval {
    /// The interval before the first game.
    pub const ALL: Interval = Interval { low: 0.0, high: 1.0 };

    /// A centre and what lies on either side of it, within [0, 1].
    pub fn around(centre: f64, half: f64) -> Interval {
        Interval { low: (centre - half).clamp(0.0, 1.0), high: (centre + half).clamp(0.0, 1.0) }
    }
}

/// Wilson's score interval of 95 % for `points` out of `games`; draws are half points. Without games: all of [0, 1].
pub fn wilson(points: f64, games: u64) -> Interval {
    if games == 0 {
        return Interval::ALL;
    }
    let n = games as f64;
    let (rate, z2) = (points / n, Z95 * Z95);
    let centre = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).max(0.0).sqrt();
    // At the ends rounding must not push the rate itself out of its interval.
    Interval { low: (centre - half).max(0.0).min(rate), high: (centre + half).min(1.0).max(rate) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_examples_of_wilson() {
        // Newcombe (1998), Statistics in Medicine 17: 857, Table I, method 3.
        for (wins, games, low, high) in [
            (81.0, 263, 0.2553, 0.3662),
            (15.0, 148, 0.0624, 0.1605),
            (0.0, 20, 0.0, 0.1611),
            (1.0, 29, 0.0061, 0.1718),
        ] {
            let interval = wilson(wins, games);
            assert!(
                (interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5,
                "{wins}/{games}: {interval:?}"
            );
        }
    }

    #[test]
    fn never_nan_and_always_around_the_rate() {
        for (points, games) in [(0.0, 0), (0.0, 1), (1.0, 1), (0.5, 1), (7.0, 7), (1e9, 1_000_000_000)] {
            let interval = wilson(points, games);
            assert!(0.0 <= interval.low && interval.low <= interval.high && interval.high <= 1.0, "{interval:?}");
            if games > 0 {
                let rate = points / games as f64;
                assert!(interval.low <= rate && rate <= interval.high, "{interval:?}");
            }
        }
    }
}
