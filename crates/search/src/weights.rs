//! Softmax weights by code and their adaptation: the arithmetic behind PPA and the one-move grams of NPPA.
//!
//! A decision with the legal codes `A` and the played code `m` changes the weights by `W[m] += rate` and
//! `W[a] -= rate·π(a)` for all `a` in `A`, `π(a) = exp(W[a]) / Σ exp(W[b])`. Within one simulation every π is that of the
//! weights before the simulation. Since `exp(W[a])` is then a constant, the decisions of a simulation only add up
//! `rate / Σ exp` per code, and each code is changed once at the end.
//!
//! The exponentials are cached. Where their sum leaves the range in which it is exact, the probabilities are computed
//! from the weights relative to the largest one, so that no weight does harm.

use crate::{
    exp::{exp, exp_all},
    memory,
    pick::sample,
};
use ludens_game::Rng;

/// Sums of exponentials in this range are exact to rounding.
const SAFE: std::ops::Range<f64> = 1e-200..1e300;

/// Weights and what is cached of them.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// Moves are chosen with probability proportional to `exp(k·W)`.
    k: f64,
    weights: Vec<f64>,
    /// `exp(W)`.
    exp: Vec<f64>,
    /// `exp(k·W)`; empty if k is 1.
    exp_k: Vec<f64>,
    /// The sum of `rate / Σ exp` over the decisions of this simulation in which the code was legal.
    shares: Vec<f64>,
    /// The codes with a share.
    touched: Vec<u32>,
    /// The codes that the last simulation changed.
    changed: Vec<u32>,
    /// Changes of single codes in this simulation.
    changes: Vec<(u32, f64)>,
    scratch: Vec<f64>,
}

impl Weights {
    pub(crate) fn new(codes: usize, k: f64) -> Weights {
        Weights {
            k,
            weights: vec![0.0; codes],
            exp: vec![1.0; codes],
            exp_k: if k == 1.0 { Vec::new() } else { vec![1.0; codes] },
            shares: vec![0.0; codes],
            touched: Vec::new(),
            changed: Vec::new(),
            changes: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// The weight of a code.
    #[inline]
    pub(crate) fn get(&self, code: u32) -> f64 {
        self.weights[code as usize]
    }

    /// The codes that the last simulation changed.
    pub(crate) fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// All weights.
    pub(crate) fn all(&self) -> &[f64] {
        &self.weights
    }

    /// Chooses among the codes `first + legal[i]`.
    #[inline]
    pub(crate) fn choose(&mut self, first: u32, legal: &[u32], rng: &mut Rng) -> usize {
        let exp = if self.k == 1.0 { &self.exp } else { &self.exp_k };
        let exp = &exp[first as usize..];
        self.scratch.clear();
        self.scratch.extend(legal.iter().map(|&code| exp[code as usize]));
        let mut sum = total(&self.scratch);
        if !SAFE.contains(&sum) {
            let (weights, k) = (&self.weights[first as usize..], self.k);
            sum = softmax(&mut self.scratch, legal.iter().map(|&code| k * weights[code as usize]));
        }
        sample(&self.scratch, sum, rng)
    }

    /// Takes a decision into account; the weights change when the simulation is over.
    #[inline]
    pub(crate) fn adapt(&mut self, first: u32, legal: &[u32], played: usize, rate: f64) {
        let exp = &self.exp[first as usize..];
        let sum = {
            let (blocks, rest) = legal.as_chunks::<4>();
            let mut sums = [0.0; 4];
            for block in blocks {
                for (sum, &code) in sums.iter_mut().zip(block) {
                    *sum += exp[code as usize];
                }
            }
            sums.iter().sum::<f64>() + rest.iter().map(|&code| exp[code as usize]).sum::<f64>()
        };
        if SAFE.contains(&sum) {
            let share = rate / sum;
            let shares = &mut self.shares[first as usize..];
            for &code in legal {
                let total = &mut shares[code as usize];
                if *total == 0.0 {
                    self.touched.push(first + code);
                }
                *total += share;
            }
        } else {
            let weights = &self.weights[first as usize..];
            let sum = softmax(&mut self.scratch, legal.iter().map(|&code| weights[code as usize]));
            let change = |(&code, &weight): (&u32, &f64)| (first + code, -rate * weight / sum);
            self.changes.extend(legal.iter().zip(&self.scratch).map(change));
        }
        self.changes.push((first + legal[played], rate));
    }

    /// The simulation is over: changes the weights.
    pub(crate) fn apply(&mut self) {
        for &code in &self.touched {
            let code = code as usize;
            self.weights[code] -= self.exp[code] * std::mem::take(&mut self.shares[code]);
        }
        for &(code, change) in &self.changes {
            self.weights[code as usize] += change;
        }
        self.touched.extend(self.changes.iter().map(|&(code, _)| code));
        refresh(&mut self.exp, &self.weights, &self.touched, (1.0, &mut self.scratch));
        if self.k != 1.0 {
            refresh(&mut self.exp_k, &self.weights, &self.touched, (self.k, &mut self.scratch));
        }
        self.changes.clear();
        std::mem::swap(&mut self.touched, &mut self.changed);
        self.touched.clear();
    }

    /// Sets all weights.
    pub(crate) fn set(&mut self, weights: &[f64]) {
        self.weights.copy_from_slice(weights);
        self.refresh_all();
    }

    /// Multiplies all weights.
    pub(crate) fn scale(&mut self, factor: f64) {
        if factor == 1.0 {
            return;
        }
        self.weights.iter_mut().for_each(|weight| *weight *= factor);
        self.refresh_all();
    }

    fn refresh_all(&mut self) {
        let k = self.k;
        self.exp.iter_mut().zip(&self.weights).for_each(|(cached, &weight)| *cached = exp(weight));
        self.exp_k.iter_mut().zip(&self.weights).for_each(|(cached, &weight)| *cached = exp(k * weight));
    }

    /// The bytes that the tables hold.
    pub(crate) fn bytes(&self) -> usize {
        let by_code = [&self.weights, &self.exp, &self.exp_k, &self.shares, &self.scratch].map(memory::of_vec);
        let lists = [&self.touched, &self.changed].map(memory::of_vec);
        by_code.iter().chain(&lists).sum::<usize>() + memory::of_vec(&self.changes)
    }

    /// All weights become 0.
    pub(crate) fn clear(&mut self) {
        self.weights.fill(0.0);
        self.exp.fill(1.0);
        self.exp_k.fill(1.0);
    }
}

/// Caches `exp(k·W)` of the given codes, all at once.
fn refresh(cached: &mut [f64], weights: &[f64], codes: &[u32], (k, scratch): (f64, &mut Vec<f64>)) {
    scratch.clear();
    scratch.extend(codes.iter().map(|&code| k * weights[code as usize]));
    exp_all(scratch);
    for (&code, &exp) in codes.iter().zip(&*scratch) {
        cached[code as usize] = exp;
    }
}

/// The sum of the weights, four at a time.
#[inline]
pub(crate) fn total(weights: &[f64]) -> f64 {
    let (blocks, rest) = weights.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for block in blocks {
        for (sum, weight) in sums.iter_mut().zip(block) {
            *sum += weight;
        }
    }
    sums.iter().sum::<f64>() + rest.iter().sum::<f64>()
}

/// Fills `out` with `exp(value - largest value)` and returns their sum: positive and finite whatever the values.
#[inline]
pub(crate) fn softmax(out: &mut Vec<f64>, values: impl Iterator<Item = f64> + Clone) -> f64 {
    let largest = values.clone().fold(f64::NEG_INFINITY, f64::max);
    out.clear();
    out.extend(values.map(|value| value - largest));
    exp_all(out);
    total(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::Seed;

    #[test]
    fn huge_weights_do_no_harm() {
        for size in [1e3, 1e6, 1e300] {
            let mut weights = Weights::new(6, 1.0);
            weights.set(&[size, -size, size, -size, -size, 0.0]);
            let mut rng = Seed::new(1).rng();
            let mut shares = [0; 3];
            for _ in 0..10_000 {
                shares[weights.choose(0, &[0, 1, 2], &mut rng)] += 1;
            }
            assert!(shares[1] == 0 && shares[0] > 4700 && shares[2] > 4700, "{shares:?}");
            // All far below: still a fair choice between equals.
            let low = (0..10_000).filter(|_| weights.choose(0, &[3, 4], &mut rng) == 0).count();
            assert!((4700..5300).contains(&low), "{low}");
            // π = (1/2, 0, 1/2) and (1/2, 1/2).
            weights.adapt(0, &[0, 1, 2], 0, 1.0);
            weights.adapt(0, &[3, 4], 1, 1.0);
            weights.apply();
            let expected = [size + 0.5, -size, size - 0.5, -size - 0.5, -size + 0.5, 0.0];
            for (code, expected) in (0..).zip(expected) {
                assert_eq!(weights.get(code), expected, "weight {code} at {size}");
            }
            assert!(weights.all().iter().all(|weight| weight.is_finite()));
        }
    }

    #[test]
    fn k_sharpens_the_choice_but_not_the_adaptation() {
        let mut weights = Weights::new(2, 2.0);
        weights.set(&[0.0, 1.0]);
        let mut rng = Seed::new(1).rng();
        let draws = (0..40_000).filter(|_| weights.choose(0, &[0, 1], &mut rng) == 1).count();
        // exp(2)/(1 + exp(2)) = 0.8808.
        assert!((draws as f64 / 40_000.0 - 0.8808).abs() < 0.01);
        // π(1) = exp(1)/(1 + exp(1)) = 0.7311.
        weights.adapt(0, &[0, 1], 0, 1.0);
        weights.apply();
        assert!((weights.get(1) - (1.0 - 0.7311)).abs() < 1e-4);
        assert!((weights.get(0) - 0.7311).abs() < 1e-4);
    }
}
