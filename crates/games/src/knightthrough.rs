//! Knightthrough: Breakthrough with knights, as the General Game Playing repository has it.
//!
//! Each side has two ranks of knights. A knight leaps only forward, two ranks up and one file aside or one rank up and two
//! files aside, and takes what it lands on. Whoever brings a knight to the farthest rank, or takes the last knight of the
//! other side, wins. The repository's rules know no end for a side without a move, and on four or more files none is
//! needed: the foremost knight can always leap two files aside, and none of its own stands there.

use crate::bits::Word;
use crate::grid::Grid;
use crate::race::{Advance, Race, Runner};
use ludens_game::{Piece, Role};

/// The fewest files: on three, a knight in the middle can be stuck.
pub const MIN_WIDTH: usize = 4;
/// The fewest ranks: on four, White's first leap wins.
pub const MIN_HEIGHT: usize = 5;
/// The most files, and the most ranks.
pub const MAX_SIDE: usize = 11;

/// Knightthrough on a board of at most `W::BITS` cells.
pub type Knightthrough<W> = Race<Knight, W, 4>;

/// The pieces of [`Knightthrough`].
#[derive(Debug)]
pub struct Knight;

impl Runner<4> for Knight {
    const GAME: &'static str = "knightthrough";

    const STEPS: [Advance; 4] = [
        Advance { step: (-2, 1), captures: true },
        Advance { step: (-1, 2), captures: true },
        Advance { step: (1, 2), captures: true },
        Advance { step: (2, 1), captures: true },
    ];

    fn pieces() -> [Piece; 2] {
        [Piece::of(Role(0), "white knight", '♘', 'N'), Piece::of(Role(1), "black knight", '♞', 'n')]
    }
}

impl<W: Word> Knightthrough<W> {
    /// The game on `width` files and `height` ranks.
    pub fn new(width: usize, height: usize) -> Knightthrough<W> {
        debug_assert!((MIN_WIDTH..=MAX_SIDE).contains(&width) && (MIN_HEIGHT..=MAX_SIDE).contains(&height));
        Race::on(Grid { width, height })
    }
}
