//! Boards as machine words: bit `c` is cell `c`.
//!
//! The games are generic over [`Word`], so that boards of at most 64 cells live in one register and only larger ones pay
//! for `u128`. Plain x86-64 has no instruction that counts bits, let alone one that finds the k-th of them; [`Ranked`]
//! gets both from one multiplication.

use ludens_game::Rng;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr, Sub};

/// An unsigned integer that holds one bit per cell of a board.
pub trait Word:
    Copy
    + Eq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The number of cells that fit.
    const BITS: u32;
    /// No cell.
    const EMPTY: Self;
    /// Cell 0 alone.
    const FIRST: Self;

    /// The word whose every byte is `byte`.
    fn splat(byte: u8) -> Self;

    /// The lowest byte.
    fn low_byte(self) -> u8;

    /// The sum of all bytes up to and including each byte, modulo 256.
    fn byte_prefix_sums(self) -> Self;

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
        (self >> cell as u32).low_byte() & 1 == 1
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

macro_rules! word {
    ($word:ty, $hash:expr) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const EMPTY: $word = 0;
            const FIRST: $word = 1;

            #[inline]
            fn splat(byte: u8) -> $word {
                <$word>::MAX / 0xff * <$word>::from(byte)
            }

            #[inline]
            fn low_byte(self) -> u8 {
                self as u8
            }

            #[inline]
            fn byte_prefix_sums(self) -> $word {
                self.wrapping_mul(<$word>::MAX / 0xff)
            }

            #[inline]
            fn rotate_right(self, by: u32) -> $word {
                <$word>::rotate_right(self, by)
            }

            #[inline]
            fn trailing_zeros(self) -> u32 {
                <$word>::trailing_zeros(self)
            }

            #[inline]
            fn hash(self, seed: u64) -> u64 {
                $hash(self, seed)
            }
        }
    };
}

word!(u64, mix);
word!(u128, |word: u128, seed| mix((word >> 64) as u64, mix(word as u64, seed)));

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

/// A set of cells that knows how many there are and which is the k-th.
///
/// Byte `i` of `sums` is the number of set bits in the bytes `0..=i` of the word: the last byte is the count, and the
/// first byte that exceeds k is where the k-th bit lies. Bytes are compared all at once by subtracting below a high bit
/// that catches the borrow, so a word may have at most 127 set bits.
#[derive(Clone, Copy)]
pub struct Ranked<W> {
    word: W,
    sums: W,
}

impl<W: Word> Ranked<W> {
    /// Counts the bits: pairs, nibbles, bytes, then all bytes up to each byte.
    #[inline]
    pub fn new(word: W) -> Ranked<W> {
        let pairs = word - ((word >> 1) & W::splat(0x55));
        let nibbles = (pairs & W::splat(0x33)) + ((pairs >> 2) & W::splat(0x33));
        let bytes = (nibbles + (nibbles >> 4)) & W::splat(0x0f);
        Ranked { word, sums: bytes.byte_prefix_sums() }
    }

    /// The number of cells in the set.
    #[inline]
    pub fn count(self) -> u32 {
        u32::from((self.sums >> (W::BITS - 8)).low_byte())
    }

    /// The cell with exactly `k` cells of the set below it.
    #[inline]
    pub fn select(self, k: u32) -> usize {
        debug_assert!(k < self.count() && self.count() < 128);
        let beyond = ((self.sums | W::splat(0x80)) - W::splat(k as u8 + 1)) & W::splat(0x80);
        let start = beyond.trailing_zeros() & !7;
        let before = u32::from(((self.sums << 8) >> start).low_byte());
        let byte = (self.word >> start).low_byte();
        start as usize + usize::from(SELECT_IN_BYTE[usize::from(byte)][(k - before) as usize & 7])
    }
}

/// `SELECT_IN_BYTE[byte][k]` is the position of the k-th set bit of `byte`.
static SELECT_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut k) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][k] = bit;
                k += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// One of the set bits of all `words`, each with the same probability: the index of its word, and its cell.
///
/// Which word it is cannot be predicted, so that is found by counting instead of branching.
#[inline]
pub fn random_cell<W: Word, const N: usize>(words: [W; N], rng: &mut Rng) -> Option<(usize, usize)> {
    let ranked = words.map(Ranked::new);
    let total: u32 = ranked.iter().map(|word| word.count()).sum();
    if total == 0 {
        return None;
    }
    let drawn = rng.below(total);
    let (mut index, mut start, mut end) = (0, 0, 0);
    for word in &ranked[..N - 1] {
        end += word.count();
        index += usize::from(drawn >= end);
        start = if drawn >= end { end } else { start };
    }
    Some((index, ranked[index].select(drawn - start)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::Seed;

    fn ranks_like_counting<W: Word>(random: impl Fn(&mut Rng) -> W) {
        let mut rng = Seed::new(1).rng();
        for _ in 0..2_000 {
            let word = random(&mut rng);
            let cells: Vec<_> = (0..W::BITS as usize).filter(|&cell| word.has(cell)).collect();
            assert!(word.cells().eq(cells.iter().copied()));
            let ranked = Ranked::new(word);
            assert_eq!(ranked.count() as usize, cells.len());
            assert!((0..ranked.count()).map(|k| ranked.select(k)).eq(cells));
        }
    }

    /// Words of all densities: the conjunction of up to four draws.
    fn sparse(rng: &mut Rng) -> u64 {
        (0..=rng.below(4)).fold(u64::MAX, |word, _| word & rng.next_u64())
    }

    #[test]
    fn ranked_words_agree_with_counting() {
        ranks_like_counting(sparse);
        ranks_like_counting(|rng| u128::from(sparse(rng)) << 64 | u128::from(sparse(rng)));
        ranks_like_counting(|_| u64::MAX);
        ranks_like_counting(|_| u128::MAX >> 1);
        ranks_like_counting(|_| 0_u64);
    }

    #[test]
    fn random_cells_come_from_all_words() {
        let words = [0b1001_u64, 0, 1 << 63];
        let mut rng = Seed::new(2).rng();
        let mut seen: Vec<_> = (0..200).filter_map(|_| random_cell(words, &mut rng)).collect();
        seen.sort();
        seen.dedup();
        assert_eq!(seen, [(0, 0), (0, 3), (2, 63)]);
        assert_eq!(random_cell([0_u64; 3], &mut rng), None);
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
