//! Uniform random choice among the legal moves, in all lanes at once and without looking at any lane by itself.
//!
//! Numbers are bit-sliced too: bit `i` of a number of every lane is a column.
//!
//! 1. The legal moves are counted in groups of eight, and the groups in a tree: each node adds the counts of its children.
//! 2. Each lane draws a number below its count.
//! 3. From the root down a lane goes left if its number is below the left child's count; otherwise it subtracts that count
//!    and goes right. In each lane exactly one node of a level is reached, so all nodes share one subtraction.
//! 4. In the group that it reaches, a lane counts its number down at every legal move, and makes the one at which it is 0.

use super::column::Column;
use crate::tape::FALSE;
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

/// Moves of a group.
const GROUP: usize = 8;

/// Bits of the count of a group.
const GROUP_BITS: usize = 4;

/// A tree over the possible moves of a role.
#[derive(Debug)]
pub(super) struct Tree {
    /// The slots that say whether the moves are legal, in full groups.
    legal: Vec<u32>,
    /// The slots that are to say which move is made.
    made: Vec<u32>,
    /// Nodes of each level, from the groups up to the root. Counts have one bit more than those of the level below.
    levels: Vec<Level>,
    /// Columns for all counts.
    columns: usize,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    /// Where its counts begin.
    start: usize,
    /// Bits of a count.
    bits: usize,
    nodes: usize,
    /// Whether another node makes their number even; nothing is ever counted there.
    is_padded: bool,
}

impl Tree {
    /// A tree for moves by their slots. `nowhere`: a slot that nobody reads.
    pub(super) fn new(legal: &[u32], made: &[u32], nowhere: u32) -> Tree {
        let (mut legal, mut made) = (legal.to_vec(), made.to_vec());
        let (mut levels, mut columns) = (Vec::new(), 0);
        // A single move is no choice.
        if legal.len() > 1 {
            let mut nodes = legal.len().div_ceil(GROUP);
            legal.resize(nodes * GROUP, FALSE);
            made.resize(nodes * GROUP, nowhere);
            loop {
                let is_padded = nodes > 1 && nodes % 2 == 1;
                let bits = GROUP_BITS + levels.len();
                levels.push(Level { start: columns, bits, nodes, is_padded });
                let all = nodes + usize::from(is_padded);
                columns += all * bits;
                if nodes == 1 {
                    break;
                }
                nodes = all / 2;
            }
        }
        Tree { legal, made, levels, columns }
    }

    /// Chooses a legal move in all lanes that have one.
    #[inline(always)]
    pub(super) fn choose(&self, values: &mut [Column], scratch: &mut Scratch, streams: &mut Streams) {
        // Registers hold the numbers if their length is known beforehand.
        match self.levels.len() {
            0 => {
                for (&legal, &made) in self.legal.iter().zip(&self.made) {
                    values[made as usize] = values[legal as usize];
                }
            }
            1 => self.choose_within::<4>(values, scratch, streams),
            2..=3 => self.choose_within::<6>(values, scratch, streams),
            4..=5 => self.choose_within::<8>(values, scratch, streams),
            6..=7 => self.choose_within::<10>(values, scratch, streams),
            8..=9 => self.choose_within::<12>(values, scratch, streams),
            _ => self.choose_within::<32>(values, scratch, streams),
        }
    }

    /// The same where counts have at most `BITS` bits.
    #[inline(always)]
    fn choose_within<const BITS: usize>(&self, values: &mut [Column], scratch: &mut Scratch, streams: &mut Streams) {
        let Scratch { counts, reached } = scratch;
        if counts.len() < self.columns {
            counts.resize(self.columns, Column::FALSE);
            reached.resize(self.columns, Column::FALSE);
        }
        self.count(values, counts);
        let root = self.levels[self.levels.len() - 1];
        let mut total = [Column::FALSE; BITS];
        total[..root.bits].copy_from_slice(&counts[root.start..][..root.bits]);
        let mut number = draw(&total, streams);
        reached[0] = total.iter().fold(Column::FALSE, |any, &bit| any | bit);
        for pair in self.levels.windows(2).rev() {
            descend(pair, &mut number, counts, reached);
        }
        let groups = self.legal.chunks_exact(GROUP).zip(self.made.chunks_exact(GROUP));
        for (&here, (legal, made)) in reached.iter().zip(groups) {
            let mut left = [number[0], number[1], number[2]];
            for (&legal, &made) in legal.iter().zip(made) {
                let is_legal = values[legal as usize];
                let is_last = !(left[0] | left[1] | left[2]);
                values[made as usize] = here & is_legal & is_last;
                let mut borrow = is_legal;
                for bit in &mut left {
                    let lower = borrow & !*bit;
                    *bit = *bit ^ borrow;
                    borrow = lower;
                }
            }
        }
    }

    /// Fills the tree with counts, the lowest bit first.
    #[inline(always)]
    fn count(&self, values: &[Column], counts: &mut [Column]) {
        for (group, sum) in self.legal.chunks_exact(GROUP).zip(counts.chunks_exact_mut(GROUP_BITS)) {
            let legal: [Column; GROUP] = std::array::from_fn(|place| values[group[place] as usize]);
            sum.copy_from_slice(&count_group(legal));
        }
        for (index, level) in self.levels.iter().enumerate() {
            let bits = level.bits;
            if level.is_padded {
                counts[level.start + level.nodes * bits..][..bits].fill(Column::FALSE);
            }
            let Some(above) = self.levels.get(index + 1) else { return };
            let (below, above) = counts.split_at_mut(above.start);
            let pairs = below[level.start..].chunks_exact(2 * bits).zip(above.chunks_exact_mut(bits + 1));
            for (pair, sum) in pairs {
                let (a, b) = pair.split_at(bits);
                let mut carry = Column::FALSE;
                for ((&a, &b), sum) in a.iter().zip(b).zip(&mut *sum) {
                    *sum = a ^ b ^ carry;
                    carry = majority(a, b, carry);
                }
                sum[bits] = carry;
            }
        }
    }
}

/// How many of eight are true.
#[inline(always)]
fn count_group(bits: [Column; GROUP]) -> [Column; GROUP_BITS] {
    let add = |a: Column, b: Column, c: Column| (a ^ b ^ c, majority(a, b, c));
    let [b0, b1, b2, b3, b4, b5, b6, b7] = bits;
    let ((s0, t0), (s1, t1)) = (add(b0, b1, b2), add(b3, b4, b5));
    let (s2, t2) = (b6 ^ b7, b6 & b7);
    let (ones, t3) = add(s0, s1, s2);
    let (u0, f0) = add(t0, t1, t2);
    let (twos, f1) = (u0 ^ t3, u0 & t3);
    [ones, twos, f0 ^ f1, f0 & f1]
}

/// From the nodes that are reached on the higher of two levels to those on the lower one.
#[inline(always)]
fn descend<const BITS: usize>(
    levels: &[Level],
    number: &mut [Column; BITS],
    counts: &[Column],
    reached: &mut [Column],
) {
    let [Level { start, bits, .. }, Level { nodes: parents, .. }] = [levels[0], levels[1]];
    let counts = &counts[start..][..2 * parents * bits];
    let mut left_count = [Column::FALSE; BITS];
    match bits {
        4 => add_left::<4>(&mut left_count[..4], counts, &reached[..parents]),
        5 => add_left::<5>(&mut left_count[..5], counts, &reached[..parents]),
        _ => {
            for (counts, &node) in counts.chunks_exact(2 * bits).zip(&reached[..parents]) {
                for (sum, &count) in left_count.iter_mut().zip(&counts[..bits]) {
                    *sum = *sum | (node & count);
                }
            }
        }
    }
    let mut rest = [Column::FALSE; BITS];
    let mut goes_left = Column::FALSE;
    for bit in 0..BITS {
        rest[bit] = number[bit] ^ left_count[bit] ^ goes_left;
        goes_left = majority(!number[bit], left_count[bit], goes_left);
    }
    for bit in 0..BITS {
        number[bit] = goes_left.choose(number[bit], rest[bit]);
    }
    for node in (0..parents).rev() {
        let here = reached[node];
        reached[2 * node + 1] = here & !goes_left;
        reached[2 * node] = here & goes_left;
    }
}

/// Adds up the counts of left children in the lanes that have reached their parents.
#[inline(always)]
fn add_left<const BITS: usize>(sums: &mut [Column], counts: &[Column], reached: &[Column]) {
    let mut left = [Column::FALSE; BITS];
    for (counts, &node) in counts.chunks_exact(2 * BITS).zip(reached) {
        for bit in 0..BITS {
            left[bit] = left[bit] | (node & counts[bit]);
        }
    }
    sums.copy_from_slice(&left);
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

/// Room for the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    counts: Vec<Column>,
    /// Per node of a level: the lanes that have reached it.
    reached: Vec<Column>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slots: the constants, then the legal moves, then those that are made, then one that nobody reads.
    fn tree(moves: u32) -> (Tree, Vec<Column>) {
        let legal: Vec<u32> = (2..2 + moves).collect();
        let made: Vec<u32> = (2 + moves..2 + 2 * moves).collect();
        (Tree::new(&legal, &made, 2 + 2 * moves), vec![Column::FALSE; 3 + 2 * moves as usize])
    }

    #[test]
    fn exactly_one_legal_move_is_made_where_there_is_one() {
        let mut streams = Streams::new(&mut Seed::new(1).rng());
        let mut scratch = Scratch::default();
        for moves in [1, 2, 3, 5, 8, 9, 31, 33, 100, 129, 513, 1030] {
            let (tree, mut values) = tree(moves);
            let n = moves as usize;
            for column in &mut values[2..2 + n] {
                *column = streams.next() & streams.next();
            }
            values[2..2 + n].iter_mut().for_each(|column| column.clear(77));
            tree.choose(&mut values, &mut scratch, &mut streams);
            for lane in 0..512 {
                let legal: Vec<usize> = (0..n).filter(|&mv| values[2 + mv].get(lane)).collect();
                let made: Vec<usize> = (0..n).filter(|&mv| values[2 + n + mv].get(lane)).collect();
                assert_eq!(made.len(), usize::from(!legal.is_empty()), "{moves} moves, lane {lane}");
                assert!(made.iter().all(|mv| legal.contains(mv)), "{moves} moves, lane {lane}");
            }
        }
    }

    #[test]
    fn legal_moves_are_equally_likely() {
        let mut streams = Streams::new(&mut Seed::new(2).rng());
        let mut scratch = Scratch::default();
        let (tree, mut values) = tree(11);
        for mv in [0, 3, 4, 7, 8, 9, 10] {
            values[2 + mv] = Column::TRUE;
        }
        let mut counts = [0_u32; 11];
        for _ in 0..200 {
            tree.choose(&mut values, &mut scratch, &mut streams);
            counts.iter_mut().enumerate().for_each(|(mv, count)| *count += values[13 + mv].count());
        }
        // 102,400 draws among seven moves: each count has mean 14,629 and standard deviation 112.
        let (legal, others): (Vec<u32>, Vec<u32>) = counts.iter().partition(|&&count| count > 0);
        assert_eq!((legal.len(), others.len()), (7, 4), "{counts:?}");
        assert!(legal.iter().all(|count| count.abs_diff(14_629) < 560), "{counts:?}");
    }

    #[test]
    fn streams_are_the_named_generator() {
        let mut streams = Streams { state: std::array::from_fn(|part| Column([part as u64 + 1; 8])) };
        // The values that the reference C code prints for the state 1, 2, 3, 4.
        assert_eq!(streams.next(), Column([41943041; 8]));
        assert_eq!(streams.next(), Column([58720359; 8]));
        assert_eq!(streams.next(), Column([3588806011781223; 8]));
    }
}
