//! Legal moves as rows of bits: listing them, counting them, drawing one.

use super::net::{Net, Values};
use ludens_game::{Move, Rng};

impl Net {
    /// The words of the output row with a role's legal moves.
    #[inline]
    fn legal_row<'v>(&self, values: &'v Values, role: usize) -> &'v [u64] {
        &values.out[self.legal_words[role]..self.legal_words[role + 1]]
    }

    #[inline]
    pub(super) fn is_terminal(&self, values: &Values) -> bool {
        values.out[self.legal_words[self.legal_words.len() - 1]] & 1 == 1
    }

    /// Whether a role has several legal moves.
    pub(super) fn has_choice(&self, values: &Values, role: usize) -> bool {
        let mut seen = 0;
        self.forced[role].is_none()
            && self.legal_row(values, role).iter().any(|&word| {
                let several = word & word.wrapping_sub(1) != 0 || (word != 0 && seen != 0);
                seen |= word;
                several
            })
    }

    /// Appends the legal moves of a role, ascending.
    pub(super) fn legals(&self, values: &Values, role: usize, out: &mut Vec<Move>) {
        for (index, &word) in self.legal_row(values, role).iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                out.push(Move(index as u32 * 64 + rest.trailing_zeros()));
                rest &= rest - 1;
            }
        }
    }

    /// A legal move of a role, each with the same probability, if there is one.
    #[inline]
    pub(super) fn random_legal(&self, values: &Values, role: usize, rng: &mut Rng) -> Option<Move> {
        if let Some(only) = self.forced[role] {
            return Some(Move(only));
        }
        let row = self.legal_row(values, role);
        let count: u32 = row.iter().map(|word| word.count_ones()).sum();
        if count == 0 {
            return None;
        }
        let mut skip = if count == 1 { 0 } else { rng.below(count) };
        for (index, &word) in row.iter().enumerate() {
            let here = word.count_ones();
            if skip < here {
                return Some(Move(index as u32 * 64 + nth_bit(word, skip)));
            }
            skip -= here;
        }
        unreachable!("the number drawn is below the number of moves")
    }

    /// Plays a joint move and writes the next state to `row`.
    #[inline]
    pub(super) fn advance(&self, values: &mut Values, joint: &[Move], row: &mut [u64]) {
        for (role, mv) in joint.iter().enumerate() {
            self.set_move(values, role, mv.0);
        }
        self.next_state(values, row);
    }
}

/// The place of the set bit that has `n` set bits below it.
#[inline]
fn nth_bit(mut word: u64, n: u32) -> u32 {
    for _ in 0..n {
        word &= word - 1;
    }
    word.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_bit_counts_from_below() {
        let word = 0x8000_0100_0030_0005_u64;
        let places: Vec<_> = (0..word.count_ones()).map(|n| nth_bit(word, n)).collect();
        assert_eq!(places, [0, 2, 20, 21, 40, 63]);
    }
}
