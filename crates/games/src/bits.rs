//! Boards as machine words: bit `c` is cell `c`.
//!
//! The games are generic over [`Word`], so that boards of at most 64 cells live in one register and only larger ones pay
//! for `u128`. Plain x86-64 has no instruction that counts bits, let alone one that finds the k-th of them; [`Ranked`]
//! gets both from one multiplication.

use ludens_game::Rng;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr, Sub};

/// An unsigned integer that holds one bit per cell of a board.
pub trait Word:
    Copy
    + Eq
    + Send
    + Sync
    + 'static
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The number of cells that fit.
    const BITS: usize;
    /// No cell.
    const EMPTY: Self;
    /// Cell 0 alone.
    const FIRST: Self;
    /// The registers that the word takes.
    type Parts: Copy + AsRef<[Ranked]>;

    /// The word's registers, lowest cells first.
    fn parts(self) -> Self::Parts;

    /// The word turned towards its lower end.
    fn rotate_right(self, by: u32) -> Self;

    /// The lowest set bit.
    fn trailing_zeros(self) -> u32;

    /// A hash of `seed` and the word, every bit of which depends on every bit of both.
    fn hash(self, seed: u64) -> u64;

    /// One cell alone.
    #[inline]
    fn cell(cell: usize) -> Self {
        Self::FIRST << cell as u32
    }

    /// Whether the cell is in the set.
    #[inline]
    fn has(self, cell: usize) -> bool {
        (self >> cell as u32) & Self::FIRST != Self::EMPTY
    }

    /// The cells of the set, ascending.
    #[inline]
    fn cells(self) -> impl Iterator<Item = usize> {
        let mut rest = self;
        std::iter::from_fn(move || {
            (rest != Self::EMPTY).then(|| {
                let cell = rest.trailing_zeros();
                rest = rest & (rest - Self::FIRST);
                cell as usize
            })
        })
    }
}

impl Word for u64 {
    const BITS: usize = 64;
    const EMPTY: u64 = 0;
    const FIRST: u64 = 1;
    type Parts = [Ranked; 1];

    #[inline]
    fn parts(self) -> [Ranked; 1] {
        [Ranked::new(self)]
    }

    #[inline]
    fn rotate_right(self, by: u32) -> u64 {
        u64::rotate_right(self, by)
    }

    #[inline]
    fn trailing_zeros(self) -> u32 {
        u64::trailing_zeros(self)
    }

    #[inline]
    fn hash(self, seed: u64) -> u64 {
        mix(self, seed)
    }
}

impl Word for u128 {
    const BITS: usize = 128;
    const EMPTY: u128 = 0;
    const FIRST: u128 = 1;
    type Parts = [Ranked; 2];

    #[inline]
    fn parts(self) -> [Ranked; 2] {
        [Ranked::new(self as u64), Ranked::new((self >> 64) as u64)]
    }

    #[inline]
    fn rotate_right(self, by: u32) -> u128 {
        u128::rotate_right(self, by)
    }

    #[inline]
    fn trailing_zeros(self) -> u32 {
        u128::trailing_zeros(self)
    }

    #[inline]
    fn hash(self, seed: u64) -> u64 {
        mix((self >> 64) as u64, mix(self as u64, seed))
    }
}

/// A hash of a word and a seed: for one seed no two words collide.
///
/// The seed is spread over all bits before it meets the word. Seeds are often as small as a role, and a position with
/// another one to move must not look like a position that differs in a few cells.
#[inline]
fn mix(word: u64, seed: u64) -> u64 {
    finalize(word ^ finalize(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)))
}

/// The output function of SplitMix64 (Steele, Lea, Flood 2014): a bijection that spreads every input bit.
#[inline]
fn finalize(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// 64 cells of a set: how many there are, and which is the k-th.
///
/// Byte `i` of `sums` is the number of set bits in the bytes `0..=i`: the last byte is the count, and the first byte that
/// exceeds k is where the k-th bit lies. The bytes are compared all at once, by subtracting below a high bit that catches
/// the borrow.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    bits: u64,
    sums: u64,
}

/// The lowest bit of every byte.
const LOWS: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const HIGHS: u64 = LOWS << 7;

impl Ranked {
    /// Counts the bits of pairs, of nibbles, of bytes, then of all bytes up to each byte.
    #[inline]
    pub fn new(bits: u64) -> Ranked {
        let pairs = bits - ((bits >> 1) & 0x5555_5555_5555_5555);
        let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
        let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        Ranked { bits, sums: bytes.wrapping_mul(LOWS) }
    }

    /// The number of set bits.
    #[inline]
    pub fn count(self) -> u32 {
        (self.sums >> 56) as u32
    }

    /// The set bit with exactly `k` set bits below it.
    #[inline]
    pub fn select(self, k: u32) -> usize {
        debug_assert!(k < self.count());
        let beyond = ((self.sums | HIGHS) - LOWS * u64::from(k + 1)) & HIGHS;
        let start = beyond.trailing_zeros() & !7;
        let before = ((self.sums << 8) >> start) as u32 & 0xff;
        let byte = (self.bits >> start) as usize & 0xff;
        start as usize + usize::from(SELECT_IN_BYTE[byte][(k - before) as usize & 7])
    }
}

/// `SELECT_IN_BYTE[byte][k]` is the position of the k-th set bit of `byte`.
static SELECT_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut k) = (0, 0);
        while bit < 8 {
            if (byte >> bit) & 1 == 1 {
                table[byte][k] = bit;
                k += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// One of the cells of all `words`, each with the same probability: the index of its word, and the cell.
///
/// Which part of which word it lies in cannot be predicted, so that is found by counting instead of branching.
#[inline]
pub fn random_cell<W: Word, const N: usize>(words: [W; N], rng: &mut Rng) -> Option<(usize, usize)> {
    let parts = words.map(W::parts);
    let counts = || parts.iter().flat_map(|word| word.as_ref()).map(|part| part.count());
    let total = counts().sum();
    if total == 0 {
        return None;
    }
    let drawn = rng.below(total);
    let (mut index, mut start, mut end) = (0, 0, 0);
    // What lies in none of the other parts lies in the last one.
    for count in counts().take(N * W::BITS / 64 - 1) {
        end += count;
        index += usize::from(drawn >= end);
        start = if drawn >= end { end } else { start };
    }
    let (word, part) = (index / (W::BITS / 64), index % (W::BITS / 64));
    Some((word, 64 * part + parts[word].as_ref()[part].select(drawn - start)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::Seed;

    #[test]
    fn ranks_agree_with_counting() {
        let mut rng = Seed::new(1).rng();
        // Words of all densities: conjunctions of up to four draws.
        let sparse = (0..2_000).map(|_| (0..=rng.below(4)).fold(u64::MAX, |word, _| word & rng.next_u64()));
        for bits in sparse.chain([0, u64::MAX]) {
            let cells: Vec<_> = (0..64).filter(|&cell| bits.has(cell)).collect();
            assert!(bits.cells().eq(cells.iter().copied()));
            let ranked = Ranked::new(bits);
            assert_eq!(ranked.count() as usize, cells.len());
            assert!((0..ranked.count()).map(|k| ranked.select(k)).eq(cells));
        }
    }

    fn draws<W: Word, const N: usize>(words: [W; N]) -> Vec<(usize, usize)> {
        let mut rng = Seed::new(2).rng();
        let mut seen: Vec<_> = (0..200).filter_map(|_| random_cell(words, &mut rng)).collect();
        seen.sort();
        seen.dedup();
        seen
    }

    #[test]
    fn random_cells_come_from_all_parts_of_all_words() {
        assert_eq!(draws([0b1001_u64, 0, 1 << 63]), [(0, 0), (0, 3), (2, 63)]);
        assert_eq!(draws([1_u128 << 64, (1 << 127) | 2]), [(0, 64), (1, 1), (1, 127)]);
        assert_eq!(draws([0_u128; 2]), []);
    }

    #[test]
    fn small_words_and_seeds_do_not_collide() {
        let both = (0..8).flat_map(|seed| (0..1_000_u64).map(move |word| (word, seed)));
        let mut hashes: Vec<u64> =
            both.flat_map(|(word, seed)| [word.hash(seed), (u128::from(word) << 64).hash(seed)]).collect();
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), 2 * 8 * 1_000);
    }
}
