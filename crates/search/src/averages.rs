//! Mean scores by code: the table behind MAST and the one-move grams of NST.

use crate::{memory, params::Param};

pub(crate) const FPU: Param = Param::number("fpu", 1.0, (0.0, 1.0), "value of an unseen move");
pub(crate) const KEEP: Param = Param::number("keep", 1.0, (0.0, 1.0), "share kept after each step of the game");

/// Visits and mean score of every code.
#[derive(Clone, Debug)]
pub(crate) struct Averages {
    unseen: f64,
    visits: Vec<u32>,
    sums: Vec<f64>,
    means: Vec<f64>,
}

impl Averages {
    /// A table for `codes` codes in which an unseen one counts as `unseen`.
    pub(crate) fn new(codes: usize, unseen: f64) -> Averages {
        Averages { unseen, visits: vec![0; codes], sums: vec![0.0; codes], means: vec![unseen; codes] }
    }

    #[inline]
    pub(crate) fn add(&mut self, code: u32, score: f64) {
        let code = code as usize;
        self.visits[code] += 1;
        self.sums[code] += score;
        self.means[code] = self.sums[code] / f64::from(self.visits[code]);
    }

    /// The mean score of every code.
    #[inline]
    pub(crate) fn means(&self) -> &[f64] {
        &self.means
    }

    /// The same, for who changes them for a while and puts them back.
    #[inline]
    pub(crate) fn means_mut(&mut self) -> &mut [f64] {
        &mut self.means
    }

    /// The mean score of a code that was seen.
    pub(crate) fn get(&self, code: u32) -> Option<f64> {
        (self.visits[code as usize] > 0).then(|| self.means[code as usize])
    }

    /// A step of the real game: this share of the visits stays.
    pub(crate) fn decay(&mut self, keep: f64) {
        if keep == 1.0 {
            return;
        }
        for code in 0..self.visits.len() {
            self.visits[code] = decayed(self.visits[code], keep);
            if self.visits[code] == 0 {
                self.means[code] = self.unseen;
            }
            self.sums[code] = self.means[code] * f64::from(self.visits[code]);
        }
    }

    /// The bytes that the table holds.
    pub(crate) fn bytes(&self) -> usize {
        memory::of_vec(&self.visits) + memory::of_vec(&self.sums) + memory::of_vec(&self.means)
    }

    pub(crate) fn clear(&mut self) {
        self.visits.fill(0);
        self.sums.fill(0.0);
        self.means.fill(self.unseen);
    }
}

/// The visits that stay after a step: rounded, halves up.
#[inline]
pub(crate) fn decayed(visits: u32, keep: f64) -> u32 {
    (f64::from(visits) * keep + 0.5).floor() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decay_rounds_visits_and_keeps_means() {
        // keep = 0.2: 1 and 2 visits become 0.2 and 0.4, rounded 0: gone. 3 visits become 0.6, rounded 1.
        // 13 visits become 2.6, rounded 3.
        let mut table = Averages::new(4, 1.0);
        for (code, visits) in [(0, 1), (1, 2), (2, 3), (3, 13)] {
            (0..visits).for_each(|visit| table.add(code, if visit == 0 { 1.0 } else { 0.0 }));
        }
        table.decay(0.2);
        assert_eq!(table.visits, [0, 0, 1, 3]);
        assert_eq!(table.means()[..2], [1.0, 1.0]);
        assert_eq!(table.get(1), None);
        assert_eq!((table.get(2), table.get(3)), (Some(1.0 / 3.0), Some(1.0 / 13.0)));
        // The next score joins the mean with the weight of the visits that stayed: (1/3·1 + 1)/2.
        table.add(2, 1.0);
        assert!((table.get(2).unwrap() - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn halves_round_up() {
        assert_eq!([decayed(1, 0.5), decayed(3, 0.5), decayed(5, 0.1)], [1, 2, 1]);
    }
}
