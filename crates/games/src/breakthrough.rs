//! Breakthrough (Dan Troyka, 2000).
//!
//! Each side has two ranks of pawns. A pawn moves one cell forward, straight or diagonally, to an empty cell; diagonally
//! it may also take. Whoever brings a pawn to the farthest rank, or takes the last pawn of the other side, wins. Nobody is
//! ever without a move: in front of the foremost pawn there is always a diagonal cell, and none of its own stands there.

use crate::bits::Word;
use crate::grid::Grid;
use crate::race::{Advance, Race, Runner};
use ludens_game::{Piece, Role};

/// The fewest files.
pub const MIN_WIDTH: usize = 3;
/// The fewest ranks: the armies touch.
pub const MIN_HEIGHT: usize = 4;
/// The most files, and the most ranks.
pub const MAX_SIDE: usize = 11;

/// Breakthrough on a board of at most `W::BITS` cells.
pub type Breakthrough<W> = Race<Pawn, W, 3>;

/// The pieces of [`Breakthrough`].
#[derive(Debug)]
pub struct Pawn;

impl Runner<3> for Pawn {
    const GAME: &'static str = "breakthrough";

    const STEPS: [Advance; 3] = [
        Advance { step: (-1, 1), captures: true },
        Advance { step: (0, 1), captures: false },
        Advance { step: (1, 1), captures: true },
    ];

    fn pieces() -> [Piece; 2] {
        [Piece::of(Role(0), "white pawn", '♙', 'P'), Piece::of(Role(1), "black pawn", '♟', 'p')]
    }
}

impl<W: Word> Breakthrough<W> {
    /// The game on `width` files and `height` ranks.
    pub fn new(width: usize, height: usize) -> Breakthrough<W> {
        debug_assert!((MIN_WIDTH..=MAX_SIDE).contains(&width) && (MIN_HEIGHT..=MAX_SIDE).contains(&height));
        Race::on(Grid { width, height })
    }
}
