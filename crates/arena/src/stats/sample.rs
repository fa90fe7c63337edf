//! Points of games, or of rounds, of which only the sums are kept.

use super::interval::{Interval, Z95, wilson};
use serde::Serialize;
use std::ops::AddAssign;

/// Observations between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Sample {
    /// How many.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
}

impl Sample {
    /// One more observation.
    pub fn add(&mut self, value: f64) {
        *self += Sample { count: 1, sum: value, squares: value * value };
    }

    /// The mean, if there is anything.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// The variance with the divisor `count - less`; 0 where there is too little.
    fn variance(&self, less: u64) -> f64 {
        match self.mean() {
            Some(mean) if self.count > less => ((self.squares - self.sum * mean) / (self.count - less) as f64).max(0.0),
            _ => 0.0,
        }
    }

    /// The variance of the observations themselves.
    pub fn spread(&self) -> f64 {
        self.variance(0)
    }

    /// Wilson's interval, each observation counted as one game.
    pub fn wilson(&self) -> Interval {
        wilson(self.sum, self.count)
    }

    /// The papers' interval: the mean ± 1.96 standard errors of the mean (with n - 1).
    pub fn normal(&self) -> Interval {
        self.mean().map_or(Interval::ALL, |mean| Interval::around(mean, self.half_width()))
    }

    /// Half of the papers' interval.
    pub fn half_width(&self) -> f64 {
        if self.count == 0 { 0.0 } else { Z95 * (self.variance(1) / self.count as f64).sqrt() }
    }
}

impl AddAssign for Sample {
    fn add_assign(&mut self, other: Sample) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Sample {
        let mut sample = Sample::default();
        values.into_iter().for_each(|value| sample.add(value));
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_paper() {
        // sironi2021, Table 1: 88.8 (±2.77) and 78.2 (±3.62) from 500 games without draws.
        for (wins, games, half) in [(444, 500, 0.0277), (391, 500, 0.0362)] {
            let sample: Sample = (0..games).map(|game| f64::from(u8::from(game < wins))).collect();
            assert!((sample.half_width() - half).abs() < 5e-5, "{}", sample.half_width());
        }
    }

    #[test]
    fn little_is_no_reason_for_nan() {
        let mut sample = Sample::default();
        assert_eq!((sample.mean(), sample.normal(), sample.half_width()), (None, Interval::ALL, 0.0));
        sample.add(1.0);
        assert_eq!((sample.normal(), sample.spread()), (Interval { low: 1.0, high: 1.0 }, 0.0));
    }

    #[test]
    fn pooling_is_adding() {
        let (a, b): (Sample, Sample) = ([1.0, 0.5].into_iter().collect(), [0.0].into_iter().collect());
        let mut pooled = a;
        pooled += b;
        assert_eq!(pooled, [1.0, 0.5, 0.0].into_iter().collect());
    }
}
