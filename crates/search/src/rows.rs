//! [`Rows`]: what is known about the moves after a context, in blocks of consecutive moves.
//!
//! A row is found once per decision by its context. Its blocks exist only where a move was legal, so that a row of a game
//! with many moves stays small; within a block every move has its lane, so that one instruction handles several moves.
//!
//! ```text
//!   index    context ──► row
//!   places   [ block, block, none, block … | … ]     per row, one entry per 16 moves
//!   blocks   [ 16 lanes | 16 lanes | … ]
//! ```

use crate::table::{Context, GramTable};

/// Moves per block.
pub(crate) const LANES: usize = 16;

/// A row's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowId(u32);

impl RowId {
    /// The row as an index into tables by row.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Rows of blocks by context.
#[derive(Clone, Debug)]
pub(crate) struct Rows<B> {
    /// The row of a context, plus one.
    index: GramTable<u32>,
    visits: Vec<u32>,
    blocks_per_row: usize,
    /// The place of a block, plus one.
    places: Vec<u32>,
    blocks: Vec<B>,
}

/// The code under which the index has a context's row.
const ROW: u32 = 0;

impl<B: Copy + Default> Rows<B> {
    /// Rows for moves below `moves`.
    pub(crate) fn new(moves: usize) -> Rows<B> {
        Rows {
            index: GramTable::new(),
            visits: Vec::new(),
            blocks_per_row: moves.div_ceil(LANES),
            places: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// The row of a context, if it has one.
    #[inline]
    pub(crate) fn find(&self, context: Context) -> Option<RowId> {
        self.index.get(context, ROW).map(|&row| RowId(row - 1))
    }

    /// The row of a context, which is made if absent.
    #[inline]
    pub(crate) fn row(&mut self, context: Context) -> RowId {
        let place = self.index.place(context, ROW);
        let row = self.index.at(place);
        if *row == 0 {
            self.visits.push(0);
            self.places.resize(self.places.len() + self.blocks_per_row, 0);
            *row = self.visits.len() as u32;
        }
        RowId(*row - 1)
    }

    /// How often the row was adapted.
    #[inline]
    pub(crate) fn visits(&self, row: RowId) -> u32 {
        self.visits[row.index()]
    }

    /// Counts one more adaptation.
    #[inline]
    pub(crate) fn visit(&mut self, row: RowId) {
        self.visits[row.index()] += 1;
    }

    /// The n-th block of a row, if it has one.
    #[inline]
    pub(crate) fn block(&self, row: RowId, n: usize) -> Option<&B> {
        let place = self.places[row.index() * self.blocks_per_row + n];
        self.blocks.get((place as usize).wrapping_sub(1))
    }

    /// The place of the n-th block of a row, which is made if absent. Places stay valid.
    #[inline]
    pub(crate) fn place(&mut self, row: RowId, n: usize) -> usize {
        let place = &mut self.places[row.index() * self.blocks_per_row + n];
        if *place == 0 {
            self.blocks.push(B::default());
            *place = self.blocks.len() as u32;
        }
        *place as usize - 1
    }

    /// The block at a place.
    #[inline]
    pub(crate) fn at(&mut self, place: usize) -> &mut B {
        &mut self.blocks[place]
    }

    /// All blocks, and the visits of all rows.
    pub(crate) fn all_mut(&mut self) -> (&mut [B], &mut [u32]) {
        (&mut self.blocks, &mut self.visits)
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.index.clear();
        self.visits.clear();
        self.places.clear();
        self.blocks.clear();
    }
}

/// Some moves as blocks of lanes: 1 where a move is, 0 where none is; as factors, so that lanes need no branches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mask {
    blocks: Vec<(u32, [f32; LANES])>,
}

impl Mask {
    /// Replaces the moves; they ascend.
    #[inline]
    pub(crate) fn set(&mut self, moves: &[u32]) {
        self.blocks.clear();
        let mut last = u32::MAX;
        for &mv in moves {
            let n = mv / LANES as u32;
            if n != last {
                self.blocks.push((n, [0.0; LANES]));
                last = n;
            }
            let block = self.blocks.len() - 1;
            self.blocks[block].1[mv as usize % LANES] = 1.0;
        }
    }

    /// The numbers of the blocks that have moves, with their lanes.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &[f32; LANES])> + Clone {
        self.blocks.iter().map(|(n, lanes)| (*n as usize, lanes))
    }

    /// The move of a lane, counted over all blocks that have moves.
    #[inline]
    pub(crate) fn mv(&self, lane: usize) -> u32 {
        self.blocks[lane / LANES].0 * LANES as u32 + (lane % LANES) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn behaves_like_a_map(cells in proptest::collection::vec((0..30_u32, 0..100_usize), 0..500)) {
            let mut rows = Rows::<[u32; LANES]>::new(100);
            for round in 1..3 {
                let mut map = HashMap::new();
                for &(context, mv) in &cells {
                    let row = rows.row(Context::one(context));
                    rows.visit(row);
                    let place = rows.place(row, mv / LANES);
                    rows.at(place)[mv % LANES] += round;
                    *map.entry((context, mv)).or_insert(0) += round;
                }
                for context in 0..30 {
                    let row = rows.find(Context::one(context));
                    let expected = cells.iter().filter(|cell| cell.0 == context).count() as u32;
                    prop_assert_eq!(row.map_or(0, |row| rows.visits(row)), expected);
                    for mv in 0..100 {
                        let block = row.and_then(|row| rows.block(row, mv / LANES));
                        let found = block.map_or(0, |block| block[mv % LANES]);
                        prop_assert_eq!(found, map.get(&(context, mv)).copied().unwrap_or(0));
                    }
                }
                rows.clear();
            }
        }
    }

    #[test]
    fn masks_hold_moves_in_lanes() {
        let mut mask = Mask::default();
        for moves in [vec![3, 15, 16, 40, 47], vec![], vec![31]] {
            mask.set(&moves);
            let lanes = mask.iter().flat_map(|(_, lanes)| lanes).copied();
            let found: Vec<_> =
                (0..).zip(lanes).filter(|&(_, bit)| bit == 1.0).map(|(lane, _)| mask.mv(lane)).collect();
            assert_eq!(found, moves);
        }
    }
}
