//! NPPA, playout policy adaptation on n-grams (sironi2021).
//!
//! Every length l from 1 to L has weights of its own, for the grams (context of l-1 moves, a), with contexts as in NST. At
//! each step at which role p had a choice, and for each length that the trail reaches back to, PPA's rule is applied to the
//! grams of all legal moves in that context, with its own π; every gram so touched counts one visit. The value of a move is
//! the mean of the weights of its 1-gram and of the longer grams with at least V visits, stopping at the first length that
//! has fewer; moves are chosen with probability proportional to `exp(k·value)`.
//!
//! sironi2021: L = 3, V = 7, `alpha=1, update=winner` and `alpha=0.32, update=payoff`. The program behind the second one
//! very probably divided scores by 100 once too often: `scale=0.01` reproduces its table, `scale=1` is what the paper says.

use super::{Decision, Needs, Policy, ppa::PpaOptions};
use crate::{
    averages::decayed,
    grams::Order,
    pick::sample,
    table::{Context, GramTable},
    trail::{CodeSpace, Trail},
    weights::{Weights, softmax, total},
};
use ludens_game::Rng;

/// The parameters beside those of PPA.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NppaOptions {
    pub(crate) ppa: PpaOptions,
    /// The longest gram, 1 to 3.
    pub(crate) length: usize,
    /// How many visits make a longer gram count.
    pub(crate) min_visits: u32,
    pub(crate) order: Order,
}

/// Weight and visits of a gram.
#[derive(Clone, Copy, Debug, Default)]
struct Gram {
    weight: f32,
    visits: u32,
}

/// The code under which a context counts its own visits: at least those of any of its grams.
const WHOLE: u32 = crate::table::MAX_CODES as u32;

/// The policy and its weights.
#[derive(Clone, Debug)]
pub(crate) struct Nppa {
    options: NppaOptions,
    space: CodeSpace,
    singles: Weights,
    longer: GramTable<Gram>,
    /// Changes of this simulation: place of a gram, change of its weight.
    pending: Vec<(u32, f32)>,
    scratch: Vec<f64>,
}

impl Nppa {
    pub(crate) fn new(space: &CodeSpace, options: NppaOptions) -> Nppa {
        Nppa {
            options,
            space: space.clone(),
            singles: Weights::new(space.total(), options.ppa.k),
            longer: GramTable::new(),
            pending: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Whether some gram of the context may have enough visits.
    #[inline]
    fn counts(&self, context: Option<Context>) -> Option<Context> {
        context.filter(|&context| {
            self.longer.get(context, WHOLE).is_some_and(|whole| whole.visits >= self.options.min_visits)
        })
    }

    /// Notes the changes of one decision for the grams of one context.
    fn adapt(&mut self, context: Context, first: u32, legal: &[u32], played: usize, rate: f64) {
        let whole = self.longer.place(context, WHOLE);
        self.pending.push((whole as u32, 0.0));
        let begin = self.pending.len();
        self.scratch.clear();
        for &code in legal {
            let place = self.longer.place(context, first + code);
            let gram = *self.longer.at(place);
            self.pending.push((place as u32, 0.0));
            self.scratch.push(if gram.weight == 0.0 { 1.0 } else { f64::from(gram.weight).exp() });
        }
        let mut sum = total(&self.scratch);
        if !sum.is_finite() || sum < 1e-200 {
            let places = &self.pending[begin..];
            let longer = &mut self.longer;
            let weights: Vec<_> =
                places.iter().map(|&(place, _)| f64::from(longer.at(place as usize).weight)).collect();
            sum = softmax(&mut self.scratch, weights.into_iter());
        }
        let changes = &mut self.pending[begin..];
        for ((_, change), exp) in changes.iter_mut().zip(&self.scratch) {
            *change = (-rate * exp / sum) as f32;
        }
        changes[played].1 += rate as f32;
    }
}

impl Policy for Nppa {
    fn needs(&self) -> Needs {
        Needs { trail: true, legal: true, ..Needs::default() }
    }

    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize> {
        let Decision { role, first, legal, trail, .. } = *decision;
        let NppaOptions { order, length, min_visits, ppa } = self.options;
        let [one, two] = order.contexts(trail, trail.steps(), role, length);
        let Some(one) = self.counts(one) else {
            return Some(self.singles.choose(first, legal, rng));
        };
        let two = self.counts(two);
        let Nppa { singles, longer, scratch, .. } = self;
        let counts = |gram: &&Gram| gram.visits >= min_visits;
        let value = |&code: &u32| {
            let code = first + code;
            let single = singles.get(code);
            let Some(pair) = longer.get(one, code).filter(counts) else {
                return ppa.k * single;
            };
            match two.and_then(|two| longer.get(two, code)).filter(counts) {
                None => ppa.k * (single + f64::from(pair.weight)) / 2.0,
                Some(triple) => ppa.k * (single + f64::from(pair.weight) + f64::from(triple.weight)) / 3.0,
            }
        };
        let sum = softmax(scratch, legal.iter().map(value));
        Some(sample(scratch, sum, rng))
    }

    fn learn(&mut self, trail: &Trail, scores: &[f64]) {
        let NppaOptions { ppa, order, length, .. } = self.options;
        // Room for all grams at once: places must not move while changes are pending.
        let grams: usize = trail.choices().iter().map(|choice| trail.legal(choice).len() + 1).sum();
        self.longer.reserve(2 * grams);
        for choice in trail.choices() {
            let factor = ppa.update.factor(choice.role, scores);
            if factor == 0.0 && ppa.update == super::Update::Winner {
                continue;
            }
            let rate = factor * ppa.scale * ppa.alpha;
            let (first, legal, played) = (self.space.first(choice.role), trail.legal(choice), choice.played as usize);
            self.singles.adapt(first, legal, played, rate);
            for context in order.contexts(trail, choice.step as usize, choice.role, length).into_iter().flatten() {
                self.adapt(context, first, legal, played, rate);
            }
        }
        self.singles.apply();
        for (place, change) in self.pending.drain(..) {
            let gram = self.longer.at(place as usize);
            gram.weight += change;
            gram.visits += 1;
        }
    }

    fn new_turn(&mut self) {
        let keep = self.options.ppa.keep;
        if keep == 0.0 {
            self.reset();
        } else if keep < 1.0 {
            self.singles.scale(keep);
            self.longer.retain(|gram| {
                gram.weight *= keep as f32;
                gram.visits = decayed(gram.visits, keep);
                gram.visits > 0
            });
        }
    }

    fn reset(&mut self) {
        self.singles.clear();
        self.longer.clear();
    }

    fn liking(&self, code: u32) -> Option<f64> {
        Some(self.singles.get(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Update, test::choose_after};

    const NOOP: (&[u32], usize) = (&[9], 0);

    fn nppa(alpha: f64, min_visits: u32, update: Update) -> (CodeSpace, Nppa) {
        let space = CodeSpace::by_hand(&[10, 10]);
        let ppa = PpaOptions { alpha, k: 1.0, update, scale: 1.0, keep: 1.0, features: false };
        let nppa = Nppa::new(&space, NppaOptions { ppa, length: 3, min_visits, order: Order::Cyclic });
        (space, nppa)
    }

    fn gram(nppa: &Nppa, context: Context, code: u32) -> (f32, u32) {
        nppa.longer.get(context, code).map_or((0.0, 0), |gram| (gram.weight, gram.visits))
    }

    fn close(got: f64, expected: f64) -> bool {
        (got - expected).abs() < 1e-4
    }

    /// Role 0 plays 1 of {1,2}, role 1 plays 5 of {5,6}, role 0 plays 3 of {3,4,7}.
    fn trail(space: &CodeSpace) -> Trail {
        Trail::by_hand(space, &[&[(&[1, 2], 0), NOOP], &[NOOP, (&[5, 6], 0)], &[(&[3, 4, 7], 0), NOOP]])
    }

    #[test]
    fn three_lengths_by_hand() {
        let (space, mut nppa) = nppa(1.0, 1, Update::Winner);
        nppa.learn(&trail(&space), &[1.0, 0.0]);
        // 1-grams of role 0: 1: +1/2, 2: -1/2; 3: +2/3, 4 and 7: -1/3. Role 1 lost: nothing.
        for (code, weight) in [(1, 0.5), (2, -0.5), (3, 2.0 / 3.0), (4, -1.0 / 3.0), (7, -1.0 / 3.0), (15, 0.0)] {
            assert!(close(nppa.singles.get(code), weight), "{code}: {}", nppa.singles.get(code));
        }
        // At the third step the pairs (5, ·) and the triples (1, 5, ·) move in the same way, siblings too; at the first
        // step nothing precedes.
        for context in [Context::one(15), Context::two(1, 15)] {
            for (code, expected) in [(3, 2.0 / 3.0), (4, -1.0 / 3.0), (7, -1.0 / 3.0)] {
                let (weight, visits) = gram(&nppa, context, code);
                assert!(close(f64::from(weight), expected) && visits == 1, "{code}: {weight}");
            }
        }
        assert_eq!(gram(&nppa, Context::one(1), 15), (0.0, 0));
        // Grams of length 2 and 3: three moves and the context's own count each.
        assert_eq!(nppa.longer.len(), 8);
        // Again: each length has its own π, all from exp(2/3) = 1.9477 and twice exp(-1/3) = 0.7165: π = 0.5761, 0.2119.
        nppa.learn(&trail(&space), &[1.0, 0.0]);
        assert!(close(nppa.singles.get(3), 2.0 / 3.0 + 1.0 - 0.5761));
        let (weight, visits) = gram(&nppa, Context::two(1, 15), 4);
        assert!(close(f64::from(weight), -1.0 / 3.0 - 0.2119) && visits == 2);
    }

    #[test]
    fn the_same_context_twice_uses_the_weights_before_the_simulation() {
        let (space, mut nppa) = nppa(1.0, 1, Update::Winner);
        // Role 1's noop precedes both choices of role 0 at steps 1 and 2.
        let step: &[(&[u32], usize)] = &[(&[3, 4], 0), NOOP];
        nppa.learn(&Trail::by_hand(&space, &[step, step, step]), &[1.0, 0.0]);
        assert_eq!(gram(&nppa, Context::one(19), 3), (1.0, 2));
        assert_eq!(gram(&nppa, Context::two(3, 19), 4), (-0.5, 1));
    }

    #[test]
    fn threshold_and_value() {
        let (space, mut nppa) = nppa(1.0, 2, Update::Winner);
        let history: &[&[(&[u32], usize)]] = &[&[(&[1, 2], 0), NOOP], &[NOOP, (&[5, 6], 0)]];
        let share = |nppa: &mut Nppa| {
            // The probability of move 3 against 4 and 7, read off the scratch after a choice.
            choose_after(nppa, &space, history, 0, &[3, 4, 7]);
            nppa.scratch[0] / nppa.scratch.iter().sum::<f64>()
        };
        nppa.learn(&trail(&space), &[1.0, 0.0]);
        // One visit is too few: the 1-grams alone, without the scratch.
        assert!(nppa.counts(Some(Context::one(15))).is_none());
        nppa.learn(&trail(&space), &[1.0, 0.0]);
        // All three lengths have the weights 1.0906, -0.5452, -0.5452: their mean is the same.
        let (a, b) = (1.0906_f64.exp(), (-0.5452_f64).exp());
        assert!(close(share(&mut nppa), a / (a + 2.0 * b)), "{}", share(&mut nppa));
        // Role 0 wins with 4 after another first move: the triple of (1, 5) stays, pair and 1-gram change.
        let other: &[&[(&[u32], usize)]] = &[&[(&[1, 2], 1), NOOP], &[NOOP, (&[5, 6], 0)], &[(&[3, 4, 7], 1), NOOP]];
        nppa.learn(&Trail::by_hand(&space, other), &[1.0, 0.0]);
        // π = 0.7196, 0.1402, 0.1402: pair and 1-gram are now 0.3710, 0.3146, -0.6854; the triple 1.0906, -0.5452, -0.5452.
        let value = |short: f64, triple: f64| ((2.0 * short + triple) / 3.0).exp();
        let (a, b, c) = (value(0.3710, 1.0906), value(0.3146, -0.5452), value(-0.6854, -0.5452));
        assert!((share(&mut nppa) - a / (a + b + c)).abs() < 1e-3, "{}", share(&mut nppa));
    }

    #[test]
    fn payoffs_count_visits_even_at_score_zero() {
        let (space, mut nppa) = nppa(0.32, 1, Update::Payoff);
        nppa.learn(&trail(&space), &[0.0, 0.5]);
        assert_eq!(gram(&nppa, Context::one(15), 3), (0.0, 1));
        // Role 1, f·α = 0.16, π = 1/2: ±0.08.
        let (weight, visits) = gram(&nppa, Context::one(1), 15);
        assert!(close(f64::from(weight), 0.08) && visits == 1);
        assert!(close(nppa.singles.get(16), -0.08));
    }

    #[test]
    fn huge_weights_do_no_harm() {
        let (space, mut nppa) = nppa(1e6, 1, Update::Winner);
        for _ in 0..4 {
            nppa.learn(&trail(&space), &[1.0, 0.0]);
        }
        let history: &[&[(&[u32], usize)]] = &[&[(&[1, 2], 0), NOOP], &[NOOP, (&[5, 6], 0)]];
        assert_eq!(choose_after(&mut nppa, &space, history, 0, &[3, 4, 7]), Some(0));
        assert!(gram(&nppa, Context::one(15), 3).0.is_finite());
    }
}
