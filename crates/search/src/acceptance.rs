//! [`Acceptance`]: Gibbs sampling without a list of the moves.
//!
//! A move is drawn uniformly and taken with probability `w / top`, where `w = exp(value / τ)` and `top` is at least the largest weight
//! of any move; otherwise another one is drawn. So moves are played with probabilities proportional to their weights, whichever of them
//! are legal, and nobody has to list or weigh the others. A move without a value is taken at once.
//!
//! By hand, with τ = 0.5 and values 0.5 and 1.0: the weights are e and e², so the first is taken with probability 1/e = 0.3679 when it
//! is drawn, the second always. Of two moves the first is played with probability 0.3679 / 1.3679 = 0.2689, as Gibbs sampling has it.

use crate::{exp::exp, memory, trail::CodeSpace};
use ludens_game::{Rng, Role};

/// The largest weights are looked for again after so many simulations: values fall, too.
const REFRESH: u32 = 64;

/// The weights of all moves.
#[derive(Clone, Debug)]
pub(crate) struct Acceptance {
    temperature: f64,
    /// By code; infinite for a move without a value.
    weights: Vec<f64>,
    /// By role: at least the largest of its finite weights.
    tops: Vec<f64>,
    /// By role: its first code, and the end of all codes.
    firsts: Vec<usize>,
    simulations: u32,
}

impl Acceptance {
    pub(crate) fn new(space: &CodeSpace, temperature: f64) -> Acceptance {
        let firsts = Role::all(space.roles()).map(|role| space.first(role) as usize);
        Acceptance {
            temperature,
            weights: vec![f64::INFINITY; space.total()],
            tops: vec![0.0; space.roles()],
            firsts: firsts.chain([space.total()]).collect(),
            simulations: 0,
        }
    }

    /// A move has a new value.
    #[inline]
    pub(crate) fn set(&mut self, role: Role, code: u32, value: f64) {
        let weight = exp(value / self.temperature);
        self.weights[code as usize] = weight;
        self.tops[role.index()] = self.tops[role.index()].max(weight);
    }

    /// All values are new; `None`: a move has none.
    pub(crate) fn set_all(&mut self, value: impl Fn(u32) -> Option<f64>) {
        for (code, weight) in (0..).zip(&mut self.weights) {
            *weight = value(code).map_or(f64::INFINITY, |value| exp(value / self.temperature));
        }
        self.refresh();
    }

    /// A simulation has been learned.
    #[inline]
    pub(crate) fn end_simulation(&mut self) {
        self.simulations += 1;
        if self.simulations.is_multiple_of(REFRESH) {
            self.refresh();
        }
    }

    fn refresh(&mut self) {
        for (top, bounds) in self.tops.iter_mut().zip(self.firsts.windows(2)) {
            let finite = self.weights[bounds[0]..bounds[1]].iter().copied().filter(|weight| weight.is_finite());
            *top = finite.fold(0.0, f64::max);
        }
    }

    /// Whether a move that was drawn is taken.
    #[inline]
    pub(crate) fn takes(&self, role: Role, code: u32, rng: &mut Rng) -> bool {
        rng.unit() * self.tops[role.index()] < self.weights[code as usize]
    }

    /// The bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        memory::of_vec(&self.weights) + memory::of_vec(&self.tops) + memory::of_vec(&self.firsts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::Seed;

    #[test]
    fn probabilities_by_hand() {
        // The example at the top; the other role's move weighs more and does not matter.
        let mut acceptance = Acceptance::new(&CodeSpace::by_hand(&[3, 1]), 0.5);
        acceptance.set(Role(0), 0, 0.5);
        acceptance.set(Role(0), 1, 1.0);
        acceptance.set(Role(1), 3, 3.0);
        let mut rng = Seed::new(1).rng();
        let mut taken = |acceptance: &Acceptance, code| {
            (0..100_000).filter(|_| acceptance.takes(Role(0), code, &mut rng)).count() as f64 / 100_000.0
        };
        assert!((taken(&acceptance, 0) - 0.3679).abs() < 0.01);
        assert_eq!((taken(&acceptance, 1), taken(&acceptance, 2)), (1.0, 1.0));
        // The better move becomes worse: e^1.2 against e. Its old weight stays the top until the weights are looked through.
        acceptance.set(Role(0), 1, 0.6);
        assert!((taken(&acceptance, 0) - 0.3679).abs() < 0.01);
        (0..REFRESH).for_each(|_| acceptance.end_simulation());
        assert!((taken(&acceptance, 0) - 0.8187).abs() < 0.01);
        acceptance.set_all(|code| (code == 0).then_some(0.1));
        assert_eq!((taken(&acceptance, 0), taken(&acceptance, 1)), (1.0, 1.0));
    }
}
