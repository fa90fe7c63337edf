//! [`Rows`]: weights and visits of all moves after a context, in blocks of consecutive moves.
//!
//! A row is found once per decision by its context. Its blocks exist only where a move was legal, so that a row of a game
//! with many moves stays small. Which grams of a block have enough visits stands beside the block's place: where none
//! has, as mostly in long contexts, the block itself is not touched.
//!
//! ```text
//!   index    context ──► row
//!   places   [ block and ripe bits | none | block and ripe bits … | … ]     per row, one entry per 16 moves
//!   weights  [ 16 weights | 16 weights | … ]     a cache line each
//!   visits   [ 16 visits | 16 visits | … ]
//! ```

use crate::{
    blocks::{CodeBlock, Floats, WIDTH},
    memory,
    table::{Context, GramTable},
};

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

/// The weights of sixteen moves in one context: a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct FloatLine(Floats);

/// Where the grams of sixteen moves are.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Their block, plus one; 0: there is none.
    block: u32,
    /// Which of them have enough visits.
    ripe: u16,
}

/// Rows of grams by context.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// The row of a context, plus one.
    index: GramTable<u32>,
    rows: u32,
    places_per_row: usize,
    min_visits: u16,
    counts_on: bool,
    places: Vec<Place>,
    weights: Vec<FloatLine>,
    visits: Vec<[u16; WIDTH]>,
}

/// The code under which the index has a context's row.
const ROW: u32 = 0;

impl Rows {
    /// Rows for moves below `moves`, of which those with `min_visits` are ripe. Unless it `counts_on` a block's visits may
    /// stay where they are when all moves that are visited are ripe.
    pub(crate) fn new(moves: usize, min_visits: u16, counts_on: bool) -> Rows {
        Rows {
            index: GramTable::new(),
            rows: 0,
            places_per_row: moves.div_ceil(WIDTH),
            min_visits,
            counts_on,
            places: Vec::new(),
            weights: Vec::new(),
            visits: Vec::new(),
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
            self.rows += 1;
            self.places.resize(self.places.len() + self.places_per_row, Place::default());
            *row = self.rows;
        }
        RowId(*row - 1)
    }

    #[inline]
    fn place(&self, row: RowId, block: usize) -> Place {
        self.places[row.index() * self.places_per_row + block]
    }

    /// The weights of a block and which of them have enough visits, if any of the block's moves has.
    #[inline(always)]
    pub(crate) fn ripe(&self, row: RowId, block: CodeBlock) -> Option<(&Floats, u16)> {
        let place = self.place(row, block.index());
        if place.ripe & block.bits == 0 {
            return None;
        }
        Some((&self.weights[place.block as usize - 1].0, place.ripe))
    }

    /// The weight of a move if it has enough visits.
    pub(crate) fn ripe_weight(&self, row: RowId, mv: u32) -> Option<f32> {
        let (block, lane) = (mv as usize / WIDTH, mv as usize % WIDTH);
        let place = self.place(row, block);
        (place.ripe >> lane & 1 == 1).then(|| self.weights[place.block as usize - 1].0[lane])
    }

    /// The weights of a block, which is made if absent.
    #[inline(always)]
    pub(crate) fn weights(&mut self, row: RowId, block: CodeBlock) -> &Floats {
        let place = &mut self.places[row.index() * self.places_per_row + block.index()];
        if place.block == 0 {
            self.weights.push(FloatLine::default());
            self.visits.push([0; WIDTH]);
            place.block = self.weights.len() as u32;
        }
        &self.weights[place.block as usize - 1].0
    }

    /// Adds to the weights of a block that is there; each of its moves counts a visit.
    #[inline(always)]
    pub(crate) fn change(&mut self, row: RowId, block: CodeBlock, changes: &Floats) {
        let place = &mut self.places[row.index() * self.places_per_row + block.index()];
        let weights = &mut self.weights[place.block as usize - 1].0;
        for lane in 0..WIDTH {
            weights[lane] += changes[lane];
        }
        if self.counts_on || block.bits & !place.ripe != 0 {
            let visits = &mut self.visits[place.block as usize - 1];
            for (lane, visits) in visits.iter_mut().enumerate() {
                *visits = visits.saturating_add(block.bits >> lane & 1);
            }
            place.ripe = ripe(visits, self.min_visits);
        }
    }

    /// Changes weight and visits of every gram.
    pub(crate) fn change_all(&mut self, mut change: impl FnMut(&mut f32, &mut u16)) {
        for place in self.places.iter_mut().filter(|place| place.block > 0) {
            let block = place.block as usize - 1;
            let (weights, visits) = (&mut self.weights[block].0, &mut self.visits[block]);
            weights.iter_mut().zip(&mut *visits).for_each(|(weight, visits)| change(weight, visits));
            place.ripe = ripe(visits, self.min_visits);
        }
    }

    /// The bytes that the rows hold.
    pub(crate) fn bytes(&self) -> usize {
        self.index.bytes() + memory::of_vec(&self.places) + memory::of_vec(&self.weights) + memory::of_vec(&self.visits)
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.index.clear();
        self.rows = 0;
        self.places.clear();
        self.weights.clear();
        self.visits.clear();
    }
}

/// Which lanes have at least so many visits.
#[inline(always)]
fn ripe(visits: &[u16; WIDTH], enough: u16) -> u16 {
    let mut bits = 0;
    for (lane, &visits) in visits.iter().enumerate() {
        bits |= u16::from(visits >= enough) << lane;
    }
    bits
}

#[cfg(test)]
impl Rows {
    /// Weight and visits of a gram, if it has a block.
    pub(crate) fn gram(&self, row: RowId, mv: u32) -> Option<(f32, u16)> {
        let (block, lane) = (mv as usize / WIDTH, mv as usize % WIDTH);
        let block = (self.place(row, block).block as usize).checked_sub(1)?;
        Some((self.weights[block].0[lane], self.visits[block][lane]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::Mask;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn behaves_like_a_map(cells in proptest::collection::vec((0..30_u32, 0..100_u32), 0..500)) {
            let mut rows = Rows::new(100, 3, true);
            for round in 1..3_u8 {
                let mut map = HashMap::new();
                for &(context, mv) in &cells {
                    let row = rows.row(Context::one(context));
                    let mut mask = Mask::default();
                    mask.set(&[mv]);
                    let block = mask.blocks()[0];
                    rows.weights(row, block);
                    let mut changes = [0.0; WIDTH];
                    changes[mv as usize % WIDTH] = f32::from(round);
                    rows.change(row, block, &changes);
                    let cell = map.entry((context, mv)).or_insert((0.0, 0));
                    *cell = (cell.0 + f32::from(round), cell.1 + 1);
                }
                for context in 0..30 {
                    let row = rows.find(Context::one(context));
                    prop_assert_eq!(row.is_some(), cells.iter().any(|cell| cell.0 == context));
                    let Some(row) = row else { continue };
                    for mv in 0..100 {
                        let (weight, visits) = map.get(&(context, mv)).copied().unwrap_or_default();
                        prop_assert_eq!(rows.gram(row, mv).unwrap_or_default(), (weight, visits));
                        prop_assert_eq!(rows.ripe_weight(row, mv), (visits >= 3).then_some(weight));
                    }
                }
                rows.clear();
            }
        }
    }

    #[test]
    fn changing_all_grams_changes_which_are_ripe() {
        let mut rows = Rows::new(20, 2, true);
        let row = rows.row(Context::one(1));
        let mut mask = Mask::default();
        mask.set(&[17, 18]);
        let block = mask.blocks()[0];
        rows.weights(row, block);
        rows.change(row, block, &[1.0; WIDTH]);
        assert_eq!(rows.ripe(row, block), None);
        rows.change(row, block, &[1.0; WIDTH]);
        assert_eq!(rows.ripe(row, block), Some((&[2.0; WIDTH], 0b110)));
        rows.change_all(|weight, visits| {
            *weight *= 0.5;
            *visits -= u16::from(*visits > 0);
        });
        assert_eq!((rows.gram(row, 17), rows.ripe(row, block)), (Some((1.0, 1)), None));
    }
}
