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

use super::{Decision, Needs, Policy, Update, ppa::PpaOptions};
use crate::{
    averages::decayed,
    exp::{exp_all_f32, exp_f32},
    grams::Order,
    pick::sample,
    rows::{LANES, Mask, RowId, Rows},
    table::Context,
    trail::{Choice, CodeSpace, Trail},
    weights::{Weights, softmax},
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

/// The grams of sixteen moves in one context.
#[derive(Clone, Copy, Debug)]
struct Grams {
    weights: [f32; LANES],
    /// `exp(weight / 2)`: the mean of two weights needs the root of each exponential.
    roots: [f32; LANES],
    /// Whole numbers, as floats so that one kind of instruction handles everything.
    visits: [f32; LANES],
}

impl Default for Grams {
    fn default() -> Grams {
        Grams { weights: [0.0; LANES], roots: [1.0; LANES], visits: [0.0; LANES] }
    }
}

impl Grams {
    /// Adds to the weights; every legal move counts a visit.
    #[inline]
    fn change(&mut self, changes: &[f32; LANES], legal: &[f32; LANES]) {
        for lane in 0..LANES {
            self.weights[lane] += changes[lane];
            self.visits[lane] += legal[lane];
            self.roots[lane] = self.weights[lane] * 0.5;
        }
        exp_all_f32(&mut self.roots);
    }
}

/// Sums of exponentials in this range come from roots that were not cut off.
const SAFE: std::ops::Range<f32> = 1e-30..1e30;

/// A change of a block that waits for the end of the simulation.
#[derive(Clone, Copy, Debug)]
struct Pending {
    place: usize,
    changes: [f32; LANES],
    legal: [f32; LANES],
}

/// The policy and its weights.
#[derive(Clone, Debug)]
pub(crate) struct Nppa {
    options: NppaOptions,
    space: CodeSpace,
    singles: Weights,
    /// `exp(weight / 2)` of the 1-grams, with room for a block behind the last one.
    single_roots: Vec<f32>,
    longer: Rows<Grams>,
    /// The adaptations of this simulation: which row, for which decision.
    uses: Vec<(RowId, u32)>,
    /// By row: the last simulation that used it, and the last one that used it more than once.
    used: Vec<(u32, u32)>,
    simulation: u32,
    /// Changes of rows that are used more than once: they must not see each other.
    pending: Vec<Pending>,
    mask: Mask,
    lanes: Vec<f32>,
    values: Vec<f64>,
    scratch: Vec<f64>,
}

impl Nppa {
    pub(crate) fn new(space: &CodeSpace, options: NppaOptions) -> Nppa {
        Nppa {
            options,
            singles: Weights::new(space.total(), options.ppa.k),
            single_roots: vec![1.0; space.total() + LANES],
            longer: Rows::new(space.largest()),
            space: space.clone(),
            uses: Vec::new(),
            used: Vec::new(),
            simulation: 0,
            pending: Vec::new(),
            mask: Mask::default(),
            lanes: Vec::new(),
            values: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// How much a decision teaches, if its role learns at all.
    #[inline]
    fn rate(&self, choice: &Choice, scores: &[f64]) -> Option<f64> {
        let PpaOptions { alpha, scale, update, .. } = self.options.ppa;
        let factor = update.factor(choice.role, scores);
        (factor > 0.0 || update == Update::Payoff).then_some(factor * scale * alpha)
    }

    /// Notes which rows the decisions of a simulation adapt, and which of them more than once.
    fn note_uses(&mut self, trail: &Trail, scores: &[f64]) {
        self.simulation += 1;
        self.uses.clear();
        let NppaOptions { order, length, .. } = self.options;
        for (index, choice) in (0..).zip(trail.choices()) {
            if self.rate(choice, scores).is_none() {
                continue;
            }
            for context in order.contexts(trail, choice.step as usize, choice.role, length).into_iter().flatten() {
                let row = self.longer.row(context);
                if self.used.len() <= row.index() {
                    self.used.resize(row.index() + 1, (0, 0));
                }
                let (last, last_twice) = &mut self.used[row.index()];
                if *last == self.simulation {
                    *last_twice = self.simulation;
                }
                *last = self.simulation;
                self.uses.push((row, index));
            }
        }
    }

    /// Adapts one row to a decision whose legal moves are in the mask.
    fn adapt(&mut self, row: RowId, played: u32, rate: f32) {
        let Nppa { longer, mask, pending, lanes, .. } = self;
        longer.visit(row);
        let mut sums = [0.0_f32; LANES];
        for (n, legal) in mask.iter() {
            let place = longer.place(row, n);
            let grams = longer.at(place);
            for lane in 0..LANES {
                sums[lane] += grams.roots[lane] * grams.roots[lane] * legal[lane];
            }
        }
        let sum: f32 = sums.iter().sum();
        let exact = !SAFE.contains(&sum);
        if exact {
            probabilities(longer, row, mask, lanes);
        }
        let later = self.used[row.index()].1 == self.simulation;
        for (index, (n, legal)) in mask.iter().enumerate() {
            let place = longer.place(row, n);
            let grams = longer.at(place);
            let mut changes = [0.0; LANES];
            if exact {
                (0..LANES).for_each(|lane| changes[lane] = -rate * lanes[index * LANES + lane] * legal[lane]);
            } else {
                let share = -rate / sum;
                (0..LANES).for_each(|lane| changes[lane] = share * grams.roots[lane] * grams.roots[lane] * legal[lane]);
            }
            if played as usize / LANES == n {
                changes[played as usize % LANES] += rate;
            }
            if later {
                pending.push(Pending { place, changes, legal: *legal });
            } else {
                grams.change(&changes, legal);
            }
        }
    }

    /// The row of a context if any of its grams may have enough visits.
    #[inline]
    fn ripe(&self, context: Option<Context>) -> Option<RowId> {
        let row = self.longer.find(context?)?;
        (self.longer.visits(row) >= self.options.min_visits).then_some(row)
    }

    /// Fills `values` with the exact value of every move.
    fn fill_values(&mut self, decision: &Decision<'_>, [one, two]: [Option<RowId>; 2]) {
        let mut values = std::mem::take(&mut self.values);
        let weight = |row: Option<RowId>, mv: usize| {
            let block = self.longer.block(row?, mv / LANES)?;
            let lane = mv % LANES;
            (block.visits[lane] >= self.options.min_visits as f32).then(|| f64::from(block.weights[lane]))
        };
        values.clear();
        values.extend(decision.legal.iter().map(|&mv| {
            let single = self.singles.get(decision.first + mv);
            match (weight(one, mv as usize), weight(two, mv as usize)) {
                (None, _) => single,
                (Some(pair), None) => (single + pair) / 2.0,
                (Some(pair), Some(triple)) => (single + pair + triple) / 3.0,
            }
        }));
        self.values = values;
    }

    /// Fills `lanes` with the exponentials of the values of all legal moves, 0 in between; returns their sum.
    #[inline]
    fn fill_lanes(&mut self, decision: &Decision<'_>, [one, two]: [Option<RowId>; 2]) -> f32 {
        let Nppa { mask, lanes, longer, single_roots, options, singles, .. } = self;
        let min_visits = options.min_visits as f32;
        mask.set(decision.legal);
        lanes.clear();
        let mut sums = [0.0_f32; LANES];
        for (n, legal) in mask.iter() {
            let roots: &[f32; LANES] = single_roots[decision.first as usize + n * LANES..]
                .first_chunk()
                .expect("there is room behind the last root");
            let mut exps: [f32; LANES] = std::array::from_fn(|lane| roots[lane] * legal[lane]);
            let pairs = one.and_then(|row| longer.block(row, n));
            match pairs {
                None => (0..LANES).for_each(|lane| exps[lane] *= roots[lane]),
                Some(pairs) => {
                    for lane in 0..LANES {
                        let counts = pairs.visits[lane] >= min_visits;
                        exps[lane] *= if counts { pairs.roots[lane] } else { roots[lane] };
                    }
                }
            }
            if let (Some(pairs), Some(triples)) = (pairs, two.and_then(|row| longer.block(row, n))) {
                for lane in 0..LANES {
                    // A triple has as many visits as its pair at most.
                    if legal[lane] == 1.0 && triples.visits[lane] >= min_visits {
                        let single = singles.get(decision.first + (n * LANES + lane) as u32) as f32;
                        exps[lane] = exp_f32((single + pairs.weights[lane] + triples.weights[lane]) / 3.0);
                    }
                }
            }
            (0..LANES).for_each(|lane| sums[lane] += exps[lane]);
            lanes.extend_from_slice(&exps);
        }
        sums.iter().sum()
    }
}

/// Fills `lanes` with the probabilities of the legal moves of a row, from weights of any size.
fn probabilities(rows: &Rows<Grams>, row: RowId, mask: &Mask, lanes: &mut Vec<f32>) {
    let weights = mask.iter().flat_map(|(n, legal)| {
        let block = rows.block(row, n).copied().unwrap_or_default();
        (0..LANES).map(move |lane| if legal[lane] == 1.0 { f64::from(block.weights[lane]) } else { f64::NEG_INFINITY })
    });
    let mut exps = Vec::new();
    let sum = softmax(&mut exps, weights);
    lanes.clear();
    lanes.extend(exps.into_iter().map(|exp| (exp / sum) as f32));
}

/// A lane with probability proportional to its weight.
#[inline]
fn sample_lane(lanes: &[f32], sum: f32, rng: &mut Rng) -> usize {
    let mut rest = rng.unit() as f32 * sum;
    let (blocks, _) = lanes.as_chunks::<LANES>();
    for (n, block) in blocks.iter().enumerate() {
        let block_sum: f32 = block.iter().sum();
        if rest < block_sum {
            for (lane, &weight) in block.iter().enumerate() {
                rest -= weight;
                if rest < 0.0 && weight > 0.0 {
                    return n * LANES + lane;
                }
            }
        }
        rest -= block_sum;
    }
    // Rounding used up the sum: the last move that has a weight at all.
    lanes.iter().rposition(|&weight| weight > 0.0).unwrap_or(0)
}

impl Policy for Nppa {
    fn needs(&self) -> Needs {
        Needs { trail: true, legal: true, ..Needs::default() }
    }

    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize> {
        let Decision { role, legal, trail, .. } = *decision;
        let NppaOptions { order, length, ppa, .. } = self.options;
        let contexts = order.contexts(trail, trail.steps(), role, length);
        let rows = contexts.map(|context| self.ripe(context));
        if ppa.k == 1.0 {
            let sum = self.fill_lanes(decision, rows);
            if SAFE.contains(&sum) {
                let mv = self.mask.mv(sample_lane(&self.lanes, sum, rng));
                return legal.binary_search(&mv).ok();
            }
        }
        self.fill_values(decision, rows);
        let sum = softmax(&mut self.scratch, self.values.iter().map(|value| ppa.k * value));
        Some(sample(&self.scratch, sum, rng))
    }

    fn learn(&mut self, trail: &Trail, scores: &[f64]) {
        self.note_uses(trail, scores);
        let uses = std::mem::take(&mut self.uses);
        let mut masked = u32::MAX;
        for &(row, index) in &uses {
            let choice = &trail.choices()[index as usize];
            let legal = trail.legal(choice);
            if masked != index {
                self.mask.set(legal);
                masked = index;
            }
            if let Some(rate) = self.rate(choice, scores) {
                self.adapt(row, legal[choice.played as usize], rate as f32);
            }
        }
        self.uses = uses;
        for Pending { place, changes, legal } in self.pending.drain(..) {
            self.longer.at(place).change(&changes, &legal);
        }
        for choice in trail.choices() {
            if let Some(rate) = self.rate(choice, scores) {
                self.singles.adapt(self.space.first(choice.role), trail.legal(choice), choice.played as usize, rate);
            }
        }
        self.singles.apply();
        let Nppa { singles, single_roots, .. } = self;
        for &code in singles.changed() {
            single_roots[code as usize] = singles.root(code);
        }
    }

    fn new_turn(&mut self) {
        let keep = self.options.ppa.keep;
        if keep == 0.0 {
            self.reset();
        } else if keep < 1.0 {
            self.singles.scale(keep);
            for code in 0..self.space.total() as u32 {
                self.single_roots[code as usize] = self.singles.root(code);
            }
            let (blocks, visits) = self.longer.all_mut();
            visits.iter_mut().for_each(|visits| *visits = decayed(*visits, keep));
            for grams in blocks {
                for lane in 0..LANES {
                    grams.visits[lane] = decayed(grams.visits[lane] as u32, keep) as f32;
                    let gone = grams.visits[lane] == 0.0;
                    grams.weights[lane] *= if gone { 0.0 } else { keep as f32 };
                    grams.roots[lane] = exp_f32(grams.weights[lane] * 0.5);
                }
            }
        }
    }

    fn reset(&mut self) {
        self.singles.clear();
        self.single_roots.fill(1.0);
        self.longer.clear();
        self.used.clear();
        self.simulation = 0;
    }

    fn liking(&self, code: u32) -> Option<f64> {
        Some(self.singles.get(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::test::choose_after;

    const NOOP: (&[u32], usize) = (&[9], 0);

    fn nppa(alpha: f64, min_visits: u32, update: Update) -> (CodeSpace, Nppa) {
        let space = CodeSpace::by_hand(&[10, 10]);
        let ppa = PpaOptions { alpha, k: 1.0, update, scale: 1.0, keep: 1.0, features: false };
        let nppa = Nppa::new(&space, NppaOptions { ppa, length: 3, min_visits, order: Order::Cyclic });
        (space, nppa)
    }

    fn gram(nppa: &Nppa, context: Context, code: u32) -> (f32, u32) {
        let mv = nppa.space.decode(code).1.index();
        let grams = nppa.longer.find(context).and_then(|row| nppa.longer.block(row, mv / LANES));
        grams.map_or((0.0, 0), |grams| (grams.weights[mv % LANES], grams.visits[mv % LANES] as u32))
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
            // The probability of move 3 against 4 and 7, read off the lanes after a choice.
            choose_after(nppa, &space, history, 0, &[3, 4, 7]);
            f64::from(nppa.lanes[3] / nppa.lanes.iter().sum::<f32>())
        };
        nppa.learn(&trail(&space), &[1.0, 0.0]);
        // One visit is too few: the 1-grams alone have a say.
        assert!(nppa.ripe(Some(Context::one(15))).is_none());
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
