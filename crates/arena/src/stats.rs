//! What a number of games says about a win rate.

/// An interval of win rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The standard normal quantile of a two-sided interval of 95 %.
const Z95: f64 = 1.959_963_984_540_054;

/// Wilson's score interval of 95 % for `points` out of `games`; draws are half points. Without games: all of [0, 1].
pub fn wilson(points: f64, games: u64) -> Interval {
    if games == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = games as f64;
    let (rate, z2) = (points / n, Z95 * Z95);
    let centre = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).max(0.0).sqrt();
    Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_examples_of_wilson() {
        // Newcombe (1998), Table I, method 3: 81/263, 15/148, 0/20, 1/29.
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
    fn never_nan() {
        for (points, games) in [(0.0, 0), (0.0, 1), (1.0, 1), (0.5, 1), (1e9, 1_000_000_000)] {
            let interval = wilson(points, games);
            assert!(0.0 <= interval.low && interval.low <= interval.high && interval.high <= 1.0, "{interval:?}");
        }
    }
}
