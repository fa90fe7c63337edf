//! [`Options`]: the moves that a role can choose from, in whatever form the world has them.

use ludens_game::{LegalRow, Move};

/// The moves of one role, at least one, ascending. A move that is drawn by chance needs no list of all.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Options<'a> {
    /// One after the other.
    Listed(&'a [Move]),
    /// As a row of bits.
    Row(LegalRow<'a>),
}

impl<'a> Options<'a> {
    /// How many there are.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        match self {
            Options::Listed(moves) => moves.len(),
            Options::Row(row) => row.count() as usize,
        }
    }

    /// The move that has `place` moves before it.
    #[inline]
    pub(crate) fn nth(&self, place: usize) -> Move {
        match self {
            Options::Listed(moves) => moves[place],
            Options::Row(row) => row.nth(place as u32),
        }
    }

    /// All of them; `room` is used if they have to be written down.
    #[inline]
    pub(crate) fn list(self, room: &'a mut Vec<Move>) -> &'a [Move] {
        match self {
            Options::Listed(moves) => moves,
            Options::Row(row) => {
                row.list(room);
                room
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_say_the_same() {
        let all: Vec<_> = (0..100).map(Move).collect();
        let moves = [Move(2), Move(63), Move(64), Move(99)];
        let row = LegalRow { bits: &[1 << 2 | 1 << 63, 1 | 1 << 35], stride: 1, moves: &all };
        for options in [Options::Listed(&moves), Options::Row(row)] {
            assert_eq!(options.count(), 4);
            assert_eq!([0, 1, 2, 3].map(|place| options.nth(place)), moves);
            assert_eq!(options.list(&mut vec![Move(7)]), moves);
        }
    }
}
