//! [`Points`]: sets of points, as bits; [`PerPoint`]: tables with an entry for every point.
//!
//! Nothing here relies on instructions that plain x86-64 lacks: counting bits and finding the k-th one both come from one
//! multiplication that sums up the bytes of a word (Vigna, "Broadword implementation of rank/select queries", 2008).

use ludens_game::Rng;
use std::ops::{BitAnd, BitOr, BitOrAssign, Index, IndexMut, Sub, SubAssign};

/// A set of up to `64 * W` points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Points<const W: usize>([u64; W]);

impl<const W: usize> Points<W> {
    /// No point.
    pub const EMPTY: Points<W> = Points([0; W]);

    /// One point.
    #[inline]
    pub fn single(point: usize) -> Points<W> {
        let mut words = [0; W];
        words[point >> 6] = 1 << (point & 63);
        Points(words)
    }

    /// Whether `point` belongs to the set.
    #[inline]
    pub fn contains(self, point: usize) -> bool {
        self.0[point >> 6] >> (point & 63) & 1 == 1
    }

    /// Whether there is no point in the set.
    #[inline]
    pub fn is_empty(self) -> bool {
        self == Points::EMPTY
    }

    /// Whether there is exactly one point in the set.
    #[inline]
    pub fn is_single(self) -> bool {
        let mut words = self.0.into_iter().filter(|&word| word != 0);
        matches!((words.next(), words.next()), (Some(word), None) if word.is_power_of_two())
    }

    /// The number of points in the set.
    #[inline]
    pub fn len(self) -> u32 {
        self.0.into_iter().map(|word| count(prefix_sums(word))).sum()
    }

    /// The point with exactly `rank` smaller ones in the set; `rank` is below [`len`](Points::len).
    #[inline]
    pub fn nth(self, rank: u32) -> usize {
        let mut left = rank;
        for (index, &word) in self.0.iter().enumerate() {
            let sums = prefix_sums(word);
            // The last word needs no test: with one word there is nothing to choose.
            if index == W - 1 || left < count(sums) {
                return index << 6 | nth_bit(word, sums, left);
            }
            left -= count(sums);
        }
        unreachable!("a set has at least one word")
    }

    /// A point of the set, each with the same probability; `None` if there is none.
    #[inline]
    pub fn random(self, rng: &mut Rng) -> Option<usize> {
        let count = self.len();
        (count > 0).then(|| self.nth(rng.below(count)))
    }

    /// The points in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        Ascending { words: self.0, index: 0 }
    }

    /// All points moved to numbers that are greater by `shift`, which is below 64.
    #[inline]
    pub fn up(self, shift: usize) -> Points<W> {
        Points(std::array::from_fn(|index| {
            let carry = if index == 0 { 0 } else { self.0[index - 1] >> (64 - shift) };
            self.0[index] << shift | carry
        }))
    }

    /// All points moved to numbers that are smaller by `shift`, which is below 64.
    #[inline]
    pub fn down(self, shift: usize) -> Points<W> {
        Points(std::array::from_fn(|index| {
            let carry = if index == W - 1 { 0 } else { self.0[index + 1] << (64 - shift) };
            self.0[index] >> shift | carry
        }))
    }

    /// The set mixed into `hash`.
    #[inline]
    pub fn hash(self, hash: u64) -> u64 {
        self.0.into_iter().fold(hash, mix)
    }
}

/// One step of a hash: `word` mixed into `hash` by the output function of SplitMix64.
#[inline]
pub(super) fn mix(hash: u64, word: u64) -> u64 {
    let mut z = hash.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ word;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl<const W: usize> FromIterator<usize> for Points<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(points: I) -> Points<W> {
        points.into_iter().fold(Points::EMPTY, |set, point| set | Points::single(point))
    }
}

impl<const W: usize> BitAnd for Points<W> {
    type Output = Points<W>;
    #[inline]
    fn bitand(self, other: Points<W>) -> Points<W> {
        Points(std::array::from_fn(|index| self.0[index] & other.0[index]))
    }
}

impl<const W: usize> BitOr for Points<W> {
    type Output = Points<W>;
    #[inline]
    fn bitor(self, other: Points<W>) -> Points<W> {
        Points(std::array::from_fn(|index| self.0[index] | other.0[index]))
    }
}

/// The points of the first set that are not in the second.
impl<const W: usize> Sub for Points<W> {
    type Output = Points<W>;
    #[inline]
    fn sub(self, other: Points<W>) -> Points<W> {
        Points(std::array::from_fn(|index| self.0[index] & !other.0[index]))
    }
}

impl<const W: usize> BitOrAssign for Points<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Points<W>) {
        *self = *self | other;
    }
}

impl<const W: usize> SubAssign for Points<W> {
    #[inline]
    fn sub_assign(&mut self, other: Points<W>) {
        *self = *self - other;
    }
}

/// The points of a set in ascending order.
struct Ascending<const W: usize> {
    words: [u64; W],
    /// The word in which the next point is looked for. It never leaves the set, so that with one word it is a constant.
    index: usize,
}

impl<const W: usize> Iterator for Ascending<W> {
    type Item = usize;
    #[inline]
    fn next(&mut self) -> Option<usize> {
        loop {
            let word = &mut self.words[self.index];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(self.index << 6 | bit);
            }
            if self.index == W - 1 {
                return None;
            }
            self.index += 1;
        }
    }
}

const LOW_BITS: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// Byte `i` of the result: the number of set bits in the bytes `0..=i` of `word`.
#[inline]
fn prefix_sums(word: u64) -> u64 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    bytes.wrapping_mul(LOW_BITS)
}

/// The number of set bits of a word, from its prefix sums.
#[inline]
fn count(sums: u64) -> u32 {
    (sums >> 56) as u32
}

/// The position of the set bit of `word` with exactly `rank` set bits below it.
#[inline]
fn nth_bit(word: u64, sums: u64, rank: u32) -> usize {
    // The bit is in the first byte whose prefix sum exceeds the rank. Sums and rank have seven bits, so that the high bit of
    // a byte survives the subtraction exactly if the sum does not exceed the rank.
    let rank = u64::from(rank);
    let passed = ((rank.wrapping_mul(LOW_BITS) | HIGH_BITS).wrapping_sub(sums) & HIGH_BITS) >> 7;
    let shift = (passed.wrapping_mul(LOW_BITS) >> 56) * 8;
    let before = (sums << 8) >> shift & 0xff;
    let byte = word >> shift & 0xff;
    (shift + u64::from(NTH_BIT_OF_BYTE[byte as usize][(rank - before) as usize & 7])) as usize
}

/// `[byte][rank]`: the position of the set bit of `byte` with exactly `rank` set bits below it.
static NTH_BIT_OF_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][rank] = bit;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// A table with an entry for every point. In rows of 64, because an index within a row needs no check of its bounds.
#[derive(Clone, Debug)]
pub struct PerPoint<T, const W: usize>([[T; 64]; W]);

impl<T: Copy, const W: usize> PerPoint<T, W> {
    /// The table with the same entry everywhere.
    pub fn filled(entry: T) -> PerPoint<T, W> {
        PerPoint([[entry; 64]; W])
    }
}

impl<T, const W: usize> Index<usize> for PerPoint<T, W> {
    type Output = T;
    #[inline]
    fn index(&self, point: usize) -> &T {
        &self.0[point >> 6][point & 63]
    }
}

impl<T, const W: usize> IndexMut<usize> for PerPoint<T, W> {
    #[inline]
    fn index_mut(&mut self, point: usize) -> &mut T {
        &mut self.0[point >> 6][point & 63]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::Seed;

    #[test]
    fn counts_and_ranks_agree_with_the_list_of_points() {
        fn check<const W: usize>() {
            let mut rng = Seed::new(W as u64).rng();
            for round in 0..2000 {
                // Dense, even and sparse sets.
                let words = std::array::from_fn(|_| match round % 3 {
                    0 => rng.next_u64() | rng.next_u64() | rng.next_u64(),
                    1 => rng.next_u64(),
                    _ => rng.next_u64() & rng.next_u64() & rng.next_u64() & rng.next_u64(),
                });
                let set = Points::<W>(words);
                let list: Vec<usize> = (0..64 * W).filter(|&point| set.contains(point)).collect();
                assert_eq!(set.iter().collect::<Vec<_>>(), list);
                assert_eq!(set.len() as usize, list.len());
                assert_eq!((0..set.len()).map(|rank| set.nth(rank)).collect::<Vec<_>>(), list);
                assert_eq!(list.into_iter().collect::<Points<W>>(), set);
            }
            let full = Points::<W>([u64::MAX; W]);
            assert_eq!((0..full.len()).map(|rank| full.nth(rank)).collect::<Vec<_>>(), full.iter().collect::<Vec<_>>());
        }
        check::<1>();
        check::<2>();
        check::<6>();
    }

    #[test]
    fn sets_of_one_point_are_told_from_others() {
        for a in 0..128 {
            assert!(Points::<2>::single(a).is_single());
            for b in (0..128).filter(|&b| b != a) {
                assert!(!(Points::<2>::single(a) | Points::single(b)).is_single());
            }
        }
        assert!(!Points::<2>::EMPTY.is_single());
    }

    #[test]
    fn shifts_carry_over_words() {
        for point in 0..128_usize {
            for shift in [1, 9, 19] {
                let moved = point + shift;
                let up = if moved < 128 { Points::<2>::single(moved) } else { Points::EMPTY };
                assert_eq!(Points::<2>::single(point).up(shift), up);
                let down = point.checked_sub(shift).map_or(Points::<2>::EMPTY, Points::single);
                assert_eq!(Points::<2>::single(point).down(shift), down);
            }
        }
    }
}
