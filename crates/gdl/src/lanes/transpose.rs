//! Between rows of bits, one per lane, and columns of bits, one per gate.

use super::column::{Column, WORDS};
use std::hint::black_box;

/// Eight squares of 64 x 64 bits, side by side.
pub(super) type Squares = [Column; 64];

/// Turns all squares over: bit `i` of row `j` becomes bit `j` of row `i`.
///
/// Bits are exchanged at distances of 32, 16, 8, then 4, 2, 1; eight rows at a time, which is what the registers hold. A
/// compiler that knew the distance of one round to the next would put words of several rounds into one register, and
/// spend most of the time on collecting them.
#[inline(always)]
pub(super) fn transpose(squares: &mut Squares) {
    for start in (0..8).map(black_box) {
        let mut rows: [Column; 8] = std::array::from_fn(|row| squares[start + 8 * row]);
        exchange::<4, 32>(&mut rows, 0x0000_0000_ffff_ffff);
        exchange::<2, 16>(&mut rows, 0x0000_ffff_0000_ffff);
        exchange::<1, 8>(&mut rows, 0x00ff_00ff_00ff_00ff);
        for (row, &value) in rows.iter().enumerate() {
            squares[start + 8 * row] = value;
        }
    }
    for start in (0..64).step_by(8).map(black_box) {
        let mut rows: [Column; 8] = std::array::from_fn(|row| squares[start + row]);
        exchange::<4, 4>(&mut rows, 0x0f0f_0f0f_0f0f_0f0f);
        exchange::<2, 2>(&mut rows, 0x3333_3333_3333_3333);
        exchange::<1, 1>(&mut rows, 0x5555_5555_5555_5555);
        squares[start..start + 8].copy_from_slice(&rows);
    }
}

/// Exchanges the upper bits of rows with the lower ones of those `ROWS` further on, `BITS` apart.
#[inline(always)]
fn exchange<const ROWS: usize, const BITS: u32>(rows: &mut [Column; 8], lower: u64) {
    for row in 0..8 {
        if row & ROWS == 0 {
            for word in 0..WORDS {
                let (a, b) = (rows[row].0[word], rows[row + ROWS].0[word]);
                let different = (a >> BITS ^ b) & lower;
                rows[row].0[word] = a ^ different << BITS;
                rows[row + ROWS].0[word] = b ^ different;
            }
        }
    }
}

/// Copies one word of every lane's row, `stride` words long, to where [`transpose`] wants it.
#[inline(always)]
pub(super) fn read_rows(rows: &[u64], stride: usize, word: usize, squares: &mut Squares) {
    for (lane, row) in rows.chunks_exact(stride).enumerate() {
        squares[lane / WORDS].0[lane % WORDS] = row[word];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::Seed;

    #[test]
    fn rows_become_columns() {
        let mut rng = Seed::new(5).rng();
        let before: Squares = std::array::from_fn(|_| Column(std::array::from_fn(|_| rng.next_u64())));
        let mut after = before;
        transpose(&mut after);
        for square in 0..8 {
            for (i, j) in (0..64).flat_map(|i| (0..64).map(move |j| (i, j))) {
                assert_eq!(after[i].0[square] >> j & 1, before[j].0[square] >> i & 1);
            }
        }
    }
}
