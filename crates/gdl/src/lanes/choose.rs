//! Uniform random choice among the legal moves, in all lanes at once and without looking at any lane by itself.
//!
//! Numbers are bit-sliced too: bit `i` of a number of every lane is a column.
//!
//! 1. The legal moves are counted in a tree: each node adds the counts of its two children.
//! 2. Each lane draws a number below its count.
//! 3. From the root down a lane goes left if its number is below the left child's count; otherwise it subtracts that count
//!    and goes right. In each lane exactly one node of a level is reached, so all nodes share one subtraction.

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

/// A tree over the possible moves of a role. Every level but the root's has an even number of nodes.
#[derive(Debug)]
pub(super) struct Tree {
    /// The slots that say whether the moves are legal: the leaves.
    legal: Vec<u32>,
    /// The slots that are to say which move is made.
    made: Vec<u32>,
    /// Inner nodes of each level, from above the leaves up to the root. Level `n` adds up to `2^n`, so that its counts have
    /// `n + 1` bits.
    levels: Vec<Level>,
    /// Columns for all counts.
    columns: usize,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    /// Where its counts begin.
    start: usize,
    /// How many nodes have children.
    nodes: usize,
    /// Whether another one makes their number even; nothing is ever counted there.
    is_padded: bool,
}

impl Tree {
    /// A tree for moves by their slots. `nowhere`: a slot that nobody reads.
    pub(super) fn new(legal: &[u32], made: &[u32], nowhere: u32) -> Tree {
        let (mut legal, mut made) = (legal.to_vec(), made.to_vec());
        let (mut levels, mut columns) = (Vec::new(), 0);
        // A single move is no choice.
        let mut nodes = if legal.len() == 1 { 0 } else { legal.len().div_ceil(2) };
        if nodes > 0 && legal.len() % 2 == 1 {
            legal.push(FALSE);
            made.push(nowhere);
        }
        while nodes > 0 {
            let is_padded = nodes > 1 && nodes % 2 == 1;
            levels.push(Level { start: columns, nodes, is_padded });
            let all = nodes + usize::from(is_padded);
            columns += all * (levels.len() + 1);
            nodes = all / 2;
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
            1..=3 => self.choose_within::<4>(values, scratch, streams),
            4..=5 => self.choose_within::<6>(values, scratch, streams),
            6..=7 => self.choose_within::<8>(values, scratch, streams),
            8..=9 => self.choose_within::<10>(values, scratch, streams),
            _ => self.choose_within::<32>(values, scratch, streams),
        }
    }

    /// The same where counts have at most `BITS` bits.
    #[inline(always)]
    fn choose_within<const BITS: usize>(&self, values: &mut [Column], scratch: &mut Scratch, streams: &mut Streams) {
        let Scratch { counts, reached } = scratch;
        if counts.len() < self.columns {
            counts.resize(self.columns, Column::FALSE);
            reached.resize(self.legal.len(), Column::FALSE);
        }
        self.count(values, counts);
        let height = self.levels.len();
        let root = self.levels[height - 1].start;
        let mut total = [Column::FALSE; BITS];
        total[..=height].copy_from_slice(&counts[root..=root + height]);
        let mut number = draw(&total, streams);
        reached[0] = total.iter().fold(Column::FALSE, |any, &bit| any | bit);
        for level in (1..height).rev() {
            self.descend(level, &mut number, counts, reached);
        }
        // The children of the last nodes are the moves.
        let nodes = &reached[..self.levels[0].nodes];
        let mut left = Column::FALSE;
        for (&node, pair) in nodes.iter().zip(self.legal.chunks_exact(2)) {
            left = left | (node & values[pair[0] as usize]);
        }
        left = left & !number[0];
        for (&node, pair) in nodes.iter().zip(self.made.chunks_exact(2)) {
            values[pair[0] as usize] = node & left;
            values[pair[1] as usize] = node & !left;
        }
    }

    /// Fills the tree with counts, the lowest bit first.
    #[inline(always)]
    fn count(&self, values: &[Column], counts: &mut [Column]) {
        for (pair, sum) in self.legal.chunks_exact(2).zip(counts.chunks_exact_mut(2)) {
            let (a, b) = (values[pair[0] as usize], values[pair[1] as usize]);
            sum[0] = a ^ b;
            sum[1] = a & b;
        }
        for (index, level) in self.levels.iter().enumerate() {
            let bits = index + 2;
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

    /// From the nodes above a level to those of it.
    #[inline(always)]
    fn descend<const BITS: usize>(
        &self,
        level: usize,
        number: &mut [Column; BITS],
        counts: &[Column],
        reached: &mut [Column],
    ) {
        let bits = level + 1;
        let parents = self.levels[level].nodes;
        let counts = &counts[self.levels[level - 1].start..][..2 * parents * bits];
        let mut left_count = [Column::FALSE; BITS];
        match bits {
            2 => add_left::<2>(&mut left_count[..2], counts, &reached[..parents]),
            3 => add_left::<3>(&mut left_count[..3], counts, &reached[..parents]),
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
