//! Elo: win rates on the scale of chess players, 400 points for odds of ten to one.

use super::Sample;
use serde::Serialize;

/// The rate that a difference of so many points predicts.
pub fn rate_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The difference that a rate stands for; none for 0 and 1, which no finite difference explains.
pub fn elo_of_rate(rate: f64) -> Option<f64> {
    (rate > 0.0 && rate < 1.0).then(|| 400.0 * (rate / (1.0 - rate)).log10())
}

/// A difference in strength. A missing end is unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// The difference that explains the rate best.
    pub difference: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
}

impl Elo {
    /// What a sample of games says: the ends are those of Wilson's interval.
    pub fn of(sample: &Sample) -> Elo {
        let interval = sample.wilson();
        Elo {
            difference: sample.mean().and_then(elo_of_rate),
            low: elo_of_rate(interval.low),
            high: elo_of_rate(interval.high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_of_chess() {
        // The table of Elo's book (1978): 76 % are 200 points, 64 % are 100 points, 91 % are 400 points, rounded.
        for (elo, percent) in [(0.0, 50.0), (100.0, 64.0), (200.0, 76.0), (400.0, 91.0)] {
            assert_eq!((100.0 * rate_of_elo(elo)).round(), percent);
        }
        assert!((elo_of_rate(10.0 / 11.0).unwrap() - 400.0).abs() < 1e-9);
    }

    #[test]
    fn clean_sweeps_have_no_upper_end() {
        let elo = Elo::of(&std::iter::repeat_n(1.0, 20).collect());
        assert_eq!((elo.difference, elo.high), (None, None));
        assert!(elo.low.unwrap() > 250.0, "{elo:?}");
        assert_eq!(Elo::of(&Sample::default()), Elo { difference: None, low: None, high: None });
    }
}
