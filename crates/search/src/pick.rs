//! Pick rules: from the values of moves to one of them.

use crate::{
    exp::exp_all,
    params::{Args, Param},
};
use ludens_game::Rng;

pub(crate) const EPS: Param =
    Param::number("eps", 0.4, (0.0, 1.0), "probability of a uniformly random move; other moves are greedy");
pub(crate) const TAU: Param =
    Param::number("tau", 0.0, (0.0, 1e6), "temperature of Gibbs sampling, used instead of eps if above 0");

/// Refuses parameters that ask for both ways to pick.
pub(crate) fn either_eps_or_tau(args: &Args) -> Result<(), String> {
    let is_given = |param: Param| crate::params::Value::Number(args.number(param.name)) != param.default;
    if is_given(EPS) && is_given(TAU) {
        return Err("takes either eps (greedy) or tau (Gibbs), not both".into());
    }
    Ok(())
}

/// How a policy that has values chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rule {
    /// With this probability uniformly, otherwise the best value, exact ties uniformly.
    Greedy(f64),
    /// With probability proportional to `exp(value / temperature)`.
    Gibbs(f64),
}

/// A pick rule with the room it works in.
#[derive(Clone, Debug)]
pub(crate) struct Picker {
    rule: Rule,
    values: Vec<f64>,
}

impl Picker {
    pub(crate) fn new(rule: Rule) -> Picker {
        Picker { rule, values: Vec::new() }
    }

    /// The rule that `eps` and `tau` mean.
    pub(crate) fn of(args: &Args) -> Picker {
        let tau = args.number("tau");
        Picker::new(if tau > 0.0 { Rule::Gibbs(tau) } else { Rule::Greedy(args.number("eps")) })
    }

    /// Whether a move shall be drawn uniformly, without looking at values.
    #[inline]
    pub(crate) fn explores(&self, rng: &mut Rng) -> bool {
        match self.rule {
            Rule::Greedy(epsilon) => rng.chance(epsilon),
            Rule::Gibbs(_) => false,
        }
    }

    /// Chooses by values, having decided not to explore.
    #[inline]
    pub(crate) fn pick(&mut self, values: impl Iterator<Item = f64>, rng: &mut Rng) -> usize {
        self.values.clear();
        self.values.extend(values);
        match self.rule {
            Rule::Greedy(_) => greedy(&self.values, rng),
            Rule::Gibbs(temperature) => gibbs(&mut self.values, temperature, rng),
        }
    }
}

/// The place of the largest value, exact ties uniformly.
#[inline]
fn greedy(values: &[f64], rng: &mut Rng) -> usize {
    let best = largest(values);
    let ties = values.iter().map(|&value| u32::from(value == best)).sum::<u32>();
    let mut skip = if ties > 1 { rng.below(ties) } else { 0 };
    for (place, &value) in values.iter().enumerate() {
        if value == best {
            if skip == 0 {
                return place;
            }
            skip -= 1;
        }
    }
    0
}

/// The largest value, found in four lanes that do not wait for each other.
#[inline]
fn largest(values: &[f64]) -> f64 {
    let (blocks, rest) = values.as_chunks::<4>();
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    let mut lanes = [f64::NEG_INFINITY; 4];
    for block in blocks {
        for (lane, &value) in lanes.iter_mut().zip(block) {
            *lane = larger(*lane, value);
        }
    }
    lanes.iter().chain(rest).copied().fold(f64::NEG_INFINITY, larger)
}

/// A place with probability proportional to `exp(value / temperature)`. The values become weights.
fn gibbs(values: &mut [f64], temperature: f64, rng: &mut Rng) -> usize {
    let best = largest(values);
    for value in values.iter_mut() {
        // The best value has the weight 1: nothing overflows, and the sum is positive.
        *value = (*value - best) / temperature;
    }
    exp_all(values);
    sample(values, values.iter().sum(), rng)
}

/// A place with probability proportional to its weight; `sum` is the sum of the weights, positive and finite.
#[inline]
pub(crate) fn sample(weights: &[f64], sum: f64, rng: &mut Rng) -> usize {
    let mut rest = rng.unit() * sum;
    for (place, &weight) in weights.iter().enumerate() {
        rest -= weight;
        if rest < 0.0 {
            return place;
        }
    }
    // Rounding used up the sum: the last move that has a weight at all.
    weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::Seed;

    fn frequencies(rule: Rule, values: &[f64], draws: u32) -> Vec<f64> {
        let mut picker = Picker::new(rule);
        let mut rng = Seed::new(4).rng();
        let mut counts = vec![0; values.len()];
        for _ in 0..draws {
            let place = if picker.explores(&mut rng) {
                rng.below(values.len() as u32) as usize
            } else {
                picker.pick(values.iter().copied(), &mut rng)
            };
            counts[place] += 1;
        }
        counts.into_iter().map(|count| f64::from(count) / f64::from(draws)).collect()
    }

    fn close(got: &[f64], expected: &[f64]) -> bool {
        got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.01)
    }

    #[test]
    fn greedy_shares_ties_and_explores() {
        // ε = 0.4 over four moves: 0.1 each, and the two best share the remaining 0.6.
        let got = frequencies(Rule::Greedy(0.4), &[0.2, 0.7, 0.7, 0.1], 40_000);
        assert!(close(&got, &[0.1, 0.4, 0.4, 0.1]), "{got:?}");
        assert_eq!(frequencies(Rule::Greedy(0.0), &[0.1, 0.9], 100), [0.0, 1.0]);
    }

    #[test]
    fn gibbs_by_hand() {
        // exp(0), exp(1), exp(2) = 1, 2.718, 7.389: shares 0.0900, 0.2447, 0.6652.
        let got = frequencies(Rule::Gibbs(0.1), &[0.5, 0.6, 0.7], 40_000);
        assert!(close(&got, &[0.0900, 0.2447, 0.6652]), "{got:?}");
    }

    #[test]
    fn gibbs_survives_any_value() {
        let got = frequencies(Rule::Gibbs(1e-3), &[1e6, -1e6, 1e6], 10_000);
        assert!(close(&got[..2], &[0.5, 0.0]), "{got:?}");
    }

    #[test]
    fn sample_never_takes_a_move_without_weight() {
        let mut rng = Seed::new(9).rng();
        assert!((0..1000).all(|_| sample(&[0.0, 1e-300, 0.0], 1e-300, &mut rng) == 1));
    }
}
