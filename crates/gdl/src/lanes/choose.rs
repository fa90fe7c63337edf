//! Uniform random choice among the legal moves, in all lanes at once and without looking at any lane by itself.
//!
//! Numbers are bit-sliced too: bit `i` of a number of every lane is a column.
//!
//! 1. The legal moves are counted in a tree: each node adds the counts of its two children.
//! 2. Each lane draws a number below its count.
//! 3. From the root down a lane goes left if its number is below the left child's count; otherwise it subtracts that count
//!    and goes right. In each lane exactly one node of a level is reached, so all nodes share one subtraction.

use super::column::Column;
use ludens_game::{Rng, Seed};

/// Random bits of a draw. A move's probability is off by at most one in `2^RANDOM_BITS`.
const RANDOM_BITS: usize = 24;

/// Eight generators side by side.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    state: [Column; 4],
}

impl Streams {
    pub(super) fn new(rng: &mut Rng) -> Streams {
        let root = Seed::new(rng.next_u64());
        // The first outputs of split generators are as good as any state.
        let mut rngs: [Rng; 8] = std::array::from_fn(|index| root.at(index as u64).rng());
        Streams { state: std::array::from_fn(|_| Column(std::array::from_fn(|index| rngs[index].next_u64()))) }
    }

    /// xoshiro256++, as [`Rng`] computes it.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Column {
        let [s0, s1, s2, s3] = self.state;
        let out = Column::map2(s0, s3, |s0, s3| s0.wrapping_add(s3).rotate_left(23).wrapping_add(s0));
        let s2 = s2 ^ s0;
        let s3 = s3 ^ s1;
        let shifted = Column::map2(s1, s1, |s1, _| s1 << 17);
        self.state = [s0 ^ s3, s1 ^ s2, s2 ^ shifted, Column::map2(s3, s3, |s3, _| s3.rotate_left(45))];
        out
    }
}

/// Room for the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    counts: Vec<Column>,
    /// Where the counts of each level begin, leaves first. The leaves themselves are not copied.
    levels: Vec<usize>,
    reached: Vec<Column>,
}

/// The moves of a role among which is chosen.
#[derive(Clone, Copy)]
pub(super) struct Options<'p> {
    /// The slots that say whether they are legal.
    pub(super) legal: &'p [u32],
    /// The slots that are to say which is made.
    pub(super) made: &'p [u32],
}

/// Chooses a legal move in all lanes that have one.
#[inline(always)]
pub(super) fn choose(options: Options<'_>, values: &mut [Column], scratch: &mut Scratch, streams: &mut Streams) {
    if options.legal.is_empty() {
        return;
    }
    let height = options.legal.len().next_power_of_two().trailing_zeros() as usize;
    // The registers hold the numbers if their length is known beforehand.
    match height {
        0 => values[options.made[0] as usize] = values[options.legal[0] as usize],
        1..=3 => choose_within::<4>(options, values, scratch, streams),
        4..=5 => choose_within::<6>(options, values, scratch, streams),
        6..=7 => choose_within::<8>(options, values, scratch, streams),
        8..=9 => choose_within::<10>(options, values, scratch, streams),
        _ => choose_within::<32>(options, values, scratch, streams),
    }
}

/// The same for trees whose counts have at most `BITS` bits.
#[inline(always)]
fn choose_within<const BITS: usize>(
    options: Options<'_>,
    values: &mut [Column],
    scratch: &mut Scratch,
    streams: &mut Streams,
) {
    count(options.legal, values, scratch);
    let height = scratch.levels.len() - 1;
    let root = &scratch.counts[scratch.levels[height]..];
    let total: [Column; BITS] = std::array::from_fn(|bit| if bit <= height { root[bit] } else { Column::FALSE });
    let mut number = draw(&total, streams);
    scratch.reached.clear();
    scratch.reached.push(total.into_iter().fold(Column::FALSE, |any, bit| any | bit));
    for level in (1..height).rev() {
        descend(level, &mut number, scratch);
    }
    // The last level writes what is made.
    let mut left = Column::FALSE;
    for (&reached, pair) in scratch.reached.iter().zip(options.legal.chunks(2)) {
        left = left | (reached & values[pair[0] as usize]);
    }
    left = left & !number[0];
    for (&reached, pair) in scratch.reached.iter().zip(options.made.chunks(2)) {
        values[pair[0] as usize] = reached & left;
        if let Some(&right) = pair.get(1) {
            values[right as usize] = reached & !left;
        }
    }
}

/// Fills the tree of counts. A node of level `n` has `n + 1` bits, the lowest first.
#[inline(always)]
fn count(legal: &[u32], values: &[Column], scratch: &mut Scratch) {
    let Scratch { counts, levels, .. } = scratch;
    counts.clear();
    levels.clear();
    levels.push(0);
    levels.push(0);
    for pair in legal.chunks(2) {
        let a = values[pair[0] as usize];
        let b = pair.get(1).map_or(Column::FALSE, |&b| values[b as usize]);
        counts.push(a ^ b);
        counts.push(a & b);
    }
    let mut nodes = legal.len().div_ceil(2);
    let mut bits = 2;
    while nodes > 1 {
        let start = levels[levels.len() - 1];
        levels.push(counts.len());
        for pair in 0..nodes.div_ceil(2) {
            let a = start + 2 * pair * bits;
            if 2 * pair + 1 == nodes {
                for bit in 0..bits {
                    counts.push(counts[a + bit]);
                }
                counts.push(Column::FALSE);
                continue;
            }
            let mut carry = Column::FALSE;
            for bit in 0..bits {
                let (a, b) = (counts[a + bit], counts[a + bits + bit]);
                counts.push(a ^ b ^ carry);
                carry = majority(a, b, carry);
            }
            counts.push(carry);
        }
        nodes = nodes.div_ceil(2);
        bits += 1;
    }
}

#[inline(always)]
fn majority(a: Column, b: Column, c: Column) -> Column {
    Column::map3(a, b, c, |a, b, c| (a & b) | (c & (a | b)))
}

/// A number below `total` in every lane where that is not 0: the product with a random fraction, rounded down.
#[inline(always)]
fn draw<const BITS: usize>(total: &[Column; BITS], streams: &mut Streams) -> [Column; BITS] {
    let mut number = [Column::FALSE; BITS];
    for _ in 0..RANDOM_BITS {
        let random = streams.next();
        let mut carry = Column::FALSE;
        // The sum is halved at once: its lowest bit decides nothing any more.
        for bit in 0..BITS {
            let addend = total[bit] & random;
            if bit > 0 {
                number[bit - 1] = number[bit] ^ addend ^ carry;
            }
            carry = majority(number[bit], addend, carry);
        }
        number[BITS - 1] = carry;
    }
    number
}

/// From the nodes of a level that are reached to their children.
#[inline(always)]
fn descend<const BITS: usize>(level: usize, number: &mut [Column; BITS], scratch: &mut Scratch) {
    let Scratch { counts, levels, reached } = scratch;
    let bits = level + 1;
    let start = levels[level];
    let mut left_count = [Column::FALSE; BITS];
    for (node, &reached) in reached.iter().enumerate() {
        let child = start + 2 * node * bits;
        for (sum, &count) in left_count.iter_mut().zip(&counts[child..child + bits]) {
            *sum = *sum | (reached & count);
        }
    }
    let mut rest = [Column::FALSE; BITS];
    let mut borrow = Column::FALSE;
    for bit in 0..BITS {
        rest[bit] = number[bit] ^ left_count[bit] ^ borrow;
        borrow = majority(!number[bit], left_count[bit], borrow);
    }
    for bit in 0..BITS {
        number[bit] = borrow.choose(number[bit], rest[bit]);
    }
    let nodes = reached.len();
    let children = child_count(levels, counts.len(), level);
    reached.resize(children, Column::FALSE);
    for node in (0..nodes).rev() {
        let here = reached[node];
        if let Some(right) = reached.get_mut(2 * node + 1) {
            *right = here & !borrow;
        }
        reached[2 * node] = here & borrow;
    }
}

/// The number of nodes of a level.
#[inline(always)]
fn child_count(levels: &[usize], end: usize, level: usize) -> usize {
    let end = levels.get(level + 1).copied().unwrap_or(end);
    (end - levels[level]) / (level + 1)
}
