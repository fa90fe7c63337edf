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

use super::{
    Decision, Needs, Policy,
    ppa::{ALPHA, K, PpaOptions, SCALE, UPDATE, Update},
};
use crate::{
    averages::{KEEP, decayed},
    blocks::{CodeBlock, Floats, Mask, WIDTH, Weighed},
    grams::{L, ORDER, Order, V},
    memory,
    pick::sample,
    registry::{Memory, PolicyEntry},
    rows::{RowId, Rows},
    trail::{Choice, CodeSpace, Trail},
    weights::{Weights, softmax},
};
use ludens_game::Rng;
use multiversion::multiversion;

pub(super) const ENTRY: PolicyEntry =
    PolicyEntry::new("nppa", "playout policy adaptation on sequences of up to three moves", |args, space| {
        let options = NppaOptions {
            ppa: PpaOptions::of(args),
            length: args.whole("L") as usize,
            min_visits: args.whole("V") as u16,
            order: Order::of(args),
        };
        Box::new(Nppa::new(space, options))
    })
    .params(&[ALPHA, K, UPDATE, SCALE, KEEP, L, V, ORDER])
    .memory(Memory::Sequences);

/// The parameters beside those of PPA.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NppaOptions {
    pub(crate) ppa: PpaOptions,
    /// The longest gram, 1 to 3.
    pub(crate) length: usize,
    /// How many visits make a longer gram count.
    pub(crate) min_visits: u16,
    pub(crate) order: Order,
}

/// Sums of exponentials in this range come from values that were not cut off.
const SAFE: std::ops::Range<f32> = 1e-30..1e30;

/// A change of a block that waits for the end of the simulation.
#[derive(Clone, Copy, Debug)]
struct Pending {
    row: RowId,
    block: CodeBlock,
    changes: Floats,
}

/// The policy and its weights.
#[derive(Clone, Debug)]
pub(crate) struct Nppa {
    options: NppaOptions,
    space: CodeSpace,
    singles: Weights,
    /// The weights of the 1-grams again, as blocks want them, with room for a block behind the last one.
    single_lanes: Vec<f32>,
    longer: Rows,
    /// The adaptations of this simulation: which row, for which decision.
    uses: Vec<(RowId, u32)>,
    /// By row: the last simulation that used it, and the last one that used it more than once.
    used: Vec<(u32, u32)>,
    simulation: u32,
    /// Changes of rows that are used more than once: they must not see each other.
    pending: Vec<Pending>,
    mask: Mask,
    weighed: Weighed,
    values: Vec<f64>,
    scratch: Vec<f64>,
}

impl Nppa {
    pub(crate) fn new(space: &CodeSpace, options: NppaOptions) -> Nppa {
        // What happens to visits beyond the threshold matters only if some of them are taken away later.
        let counts_on = options.ppa.keep < 1.0;
        Nppa {
            options,
            singles: Weights::new(space.total(), options.ppa.k),
            single_lanes: vec![0.0; space.total() + WIDTH],
            longer: Rows::new(space.largest(), options.min_visits, counts_on),
            space: space.clone(),
            uses: Vec::new(),
            used: Vec::new(),
            simulation: 0,
            pending: Vec::new(),
            mask: Mask::default(),
            weighed: Weighed::default(),
            values: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// How much a decision teaches, if its role learns at all.
    #[inline]
    fn rate(&self, choice: &Choice, trail: &Trail, scores: &[f64]) -> Option<f64> {
        let PpaOptions { alpha, scale, update, .. } = self.options.ppa;
        let factor = update.factor(choice.role, scores);
        (factor > 0.0 || update == Update::Payoff).then(|| factor * update.discount(trail, choice) * scale * alpha)
    }

    /// Notes which rows the decisions of a simulation adapt, and which of them more than once.
    fn note_uses(&mut self, trail: &Trail, scores: &[f64]) {
        self.simulation += 1;
        self.uses.clear();
        let NppaOptions { order, length, .. } = self.options;
        for (index, choice) in (0..).zip(trail.choices()) {
            if self.rate(choice, trail, scores).is_none() {
                continue;
            }
            let [one, two] = order.contexts(trail, choice.step as usize, choice.role, length);
            for context in one.into_iter().chain(two) {
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

    /// Adapts one row to a decision whose legal moves are in the mask. Weights of any size give exact probabilities.
    fn adapt(&mut self, row: RowId, played: u32, rate: f32) {
        let Nppa { longer, mask, weighed, pending, values, scratch, .. } = self;
        weigh_row(longer, row, mask.blocks(), weighed);
        let sum = weighed.sum();
        let share = if SAFE.contains(&sum) {
            -rate / sum
        } else {
            values.clear();
            for &block in mask.blocks() {
                let weights = longer.weights(row, block);
                let legal = |lane| if block.has(lane) { f64::from(weights[lane]) } else { f64::NEG_INFINITY };
                values.extend((0..WIDTH).map(legal));
            }
            let sum = softmax(scratch, values.iter().copied());
            for (lane, exp) in weighed.lanes.as_flattened_mut().iter_mut().zip(scratch) {
                *lane = (*exp / sum) as f32;
            }
            -rate
        };
        scale(&mut weighed.lanes, share);
        let (block, lane) = (played as usize / WIDTH, played as usize % WIDTH);
        let changed = mask.blocks().iter().zip(&mut weighed.lanes).find(|(candidate, _)| candidate.index() == block);
        changed.expect("a move that was played is legal").1[lane] += rate;
        let used_twice = self.used[row.index()].1 == self.simulation;
        if used_twice {
            let changes = mask.blocks().iter().zip(&weighed.lanes);
            pending.extend(changes.map(|(&block, &changes)| Pending { row, block, changes }));
        } else {
            change(longer, row, mask.blocks(), &weighed.lanes);
        }
    }

    /// Fills `values` with the exact value of every move.
    fn fill_values(&mut self, decision: &Decision<'_>, [one, two]: [Option<RowId>; 2]) {
        let Nppa { values, longer, singles, .. } = self;
        let weight = |row: Option<RowId>, mv: u32| longer.ripe_weight(row?, mv).map(f64::from);
        values.clear();
        values.extend(decision.legal.iter().map(|&mv| {
            let single = singles.get(decision.first + mv);
            match (weight(one, mv), weight(two, mv)) {
                (None, _) => single,
                (Some(pair), None) => (single + pair) / 2.0,
                (Some(pair), Some(triple)) => (single + pair + triple) / 3.0,
            }
        }));
    }
}

/// Weighs the legal moves by the exponentials of their weights in a row.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2"))]
fn weigh_row(rows: &mut Rows, row: RowId, blocks: &[CodeBlock], weighed: &mut Weighed) {
    weighed.clear();
    for &block in blocks {
        weighed.push_exp(rows.weights(row, block), block);
    }
}

/// Weighs the legal moves by the exponentials of their values: the weights of the 1-grams in `singles` and of the longer
/// grams in up to two rows.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2"))]
fn weigh_values(
    rows: &Rows,
    (singles, [one, two]): (&[f32], [Option<RowId>; 2]),
    blocks: &[CodeBlock],
    weighed: &mut Weighed,
) {
    weighed.clear();
    for &block in blocks {
        let mut values: Floats =
            *singles[block.index() * WIDTH..].first_chunk().expect("there is room behind the last weight");
        // A gram of three moves has as many visits as its last two moves at most: where it counts, they do too.
        if let Some(row) = one
            && let Some((weights, counts)) = rows.ripe(row, block)
        {
            for lane in 0..WIDTH {
                let mean = (values[lane] + weights[lane]) * 0.5;
                values[lane] = if counts >> lane & 1 == 1 { mean } else { values[lane] };
            }
            if let Some(row) = two
                && let Some((weights, counts)) = rows.ripe(row, block)
            {
                for lane in 0..WIDTH {
                    let mean = (2.0 * values[lane] + weights[lane]) * (1.0 / 3.0);
                    values[lane] = if counts >> lane & 1 == 1 { mean } else { values[lane] };
                }
            }
        }
        weighed.push_exp(&values, block);
    }
}

/// Multiplies all lanes by a factor.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2"))]
fn scale(lanes: &mut [Floats], factor: f32) {
    for lane in lanes.as_flattened_mut() {
        *lane *= factor;
    }
}

/// Adds changes to a row.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2"))]
fn change(rows: &mut Rows, row: RowId, blocks: &[CodeBlock], changes: &[Floats]) {
    for (&block, changes) in blocks.iter().zip(changes) {
        rows.change(row, block, changes);
    }
}

impl Policy for Nppa {
    fn needs(&self) -> Needs {
        Needs { trail: true, legal: true, ..Needs::default() }
    }

    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize> {
        let Decision { role, legal, trail, first, .. } = *decision;
        let NppaOptions { order, length, ppa, .. } = self.options;
        let [one, two] = order.contexts(trail, trail.steps(), role, length);
        let find = |context| self.longer.find(context);
        let rows = [one.and_then(find), two.and_then(find)];
        if ppa.k == 1.0 {
            self.mask.set(legal);
            let singles = &self.single_lanes[first as usize..];
            weigh_values(&self.longer, (singles, rows), self.mask.blocks(), &mut self.weighed);
            let sum = self.weighed.sum();
            if SAFE.contains(&sum) {
                return Some(self.mask.sample(&self.weighed, rng.unit() as f32 * sum));
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
            if let Some(rate) = self.rate(choice, trail, scores) {
                self.adapt(row, legal[choice.played as usize], rate as f32);
            }
        }
        self.uses = uses;
        for Pending { row, block, changes } in self.pending.drain(..) {
            self.longer.change(row, block, &changes);
        }
        for choice in trail.choices() {
            if let Some(rate) = self.rate(choice, trail, scores) {
                self.singles.adapt(self.space.first(choice.role), trail.legal(choice), choice.played as usize, rate);
            }
        }
        self.singles.apply();
        let Nppa { singles, single_lanes, .. } = self;
        for &code in singles.changed() {
            single_lanes[code as usize] = singles.get(code) as f32;
        }
    }

    fn new_turn(&mut self) {
        let keep = self.options.ppa.keep;
        if keep == 0.0 {
            self.reset();
        } else if keep < 1.0 {
            self.singles.scale(keep);
            for (lane, &weight) in self.single_lanes.iter_mut().zip(self.singles.all()) {
                *lane = weight as f32;
            }
            self.longer.change_all(|weight, visits| {
                *visits = decayed(u32::from(*visits), keep) as u16;
                *weight *= if *visits == 0 { 0.0 } else { keep as f32 };
            });
        }
    }

    fn reset(&mut self) {
        self.singles.clear();
        self.single_lanes.fill(0.0);
        self.longer.clear();
        self.used.clear();
        self.simulation = 0;
    }

    fn value_of(&self, code: u32) -> Option<f64> {
        Some(self.singles.get(code))
    }

    fn bytes(&self) -> usize {
        self.singles.bytes()
            + memory::of_vec(&self.single_lanes)
            + self.longer.bytes()
            + memory::of_vec(&self.uses)
            + memory::of_vec(&self.used)
            + memory::of_vec(&self.pending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{policy::test::choose_after, table::Context};

    const NOOP: (&[u32], usize) = (&[9], 0);

    fn nppa(alpha: f64, min_visits: u16, update: Update) -> (CodeSpace, Nppa) {
        let space = CodeSpace::by_hand(&[10, 10]);
        // Where something may be forgotten, visits are counted beyond the threshold.
        let ppa = PpaOptions { alpha, k: 1.0, update, scale: 1.0, keep: 0.5, features: false, learned: false };
        let nppa = Nppa::new(&space, NppaOptions { ppa, length: 3, min_visits, order: Order::Cyclic });
        (space, nppa)
    }

    fn gram(nppa: &Nppa, context: Context, code: u32) -> (f32, u16) {
        let mv = nppa.space.decode(code).1;
        nppa.longer.find(context).and_then(|row| nppa.longer.gram(row, mv.0)).unwrap_or_default()
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
            f64::from(nppa.weighed.lanes[0][3] / nppa.weighed.sum())
        };
        nppa.learn(&trail(&space), &[1.0, 0.0]);
        // One visit is too few: the 1-grams alone have a say.
        let row = nppa.longer.find(Context::one(15)).unwrap();
        assert_eq!(nppa.longer.ripe_weight(row, 3), None);
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
