//! Random moves by their numbers: [`Lanes::draw_each`](ludens_game::Lanes::draw_each).

use super::block::LaneBlock;
use super::choose::Streams;
use super::column::{Column, WORDS};
use super::program::RoleMoves;
use super::transpose::{Squares, transpose};
use super::vectors::Kernel;
use ludens_game::Move;

/// A random move of a role in all lanes of a block.
pub(super) struct Draw<'a> {
    pub(super) block: &'a mut LaneBlock,
    pub(super) role: &'a RoleMoves,
    /// The slot of the first of its moves.
    pub(super) drawn: u32,
    pub(super) streams: Streams,
    pub(super) moves: &'a mut [Move],
}

impl Kernel for Draw<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Draw { block, role, drawn, mut streams, moves } = self;
        if let [only] = role.moves[..] {
            moves.fill(only);
            return;
        }
        role.draw.choose(&mut block.values, &mut block.scratch, &mut streams);
        // The place of the move among those of the role, bit by bit, and then lane by lane.
        let mut places: Squares = [Column::FALSE; 64];
        let bits = usize::BITS - role.moves.len().leading_zeros();
        for (place, &chosen) in block.values[drawn as usize..][..role.moves.len()].iter().enumerate() {
            for (bit, column) in places[..bits as usize].iter_mut().enumerate() {
                if place >> bit & 1 == 1 {
                    *column = *column | chosen;
                }
            }
        }
        transpose(&mut places);
        for (lane, mv) in moves.iter_mut().enumerate() {
            *mv = role.moves[places[lane / WORDS].0[lane % WORDS] as usize];
        }
    }
}
