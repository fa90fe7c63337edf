//! Whether the cells of a board are squares or hexagons: the rules say which cells are neighbours.
//!
//! A relation that never changes and that speaks of two cells tells in which directions one leads to the other. If these are
//! the six directions of hexagons, the board is drawn so. Two kinds of coordinates are usual: both axes of the lattice
//! and one of the diagonals, or rows in which cells lie two columns apart and which are shifted by one.

use super::{Background, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How the cells of a board lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tiling {
    Squares,
    /// Hexagons whose third direction goes up in one key and down in the other: the rows are drawn from top to bottom.
    HexDown,
    /// Hexagons whose third direction goes up in both keys: the rows are drawn from bottom to top.
    HexUp,
    /// Hexagons in rows with two columns between neighbours.
    Doubled,
}

/// The six directions by the tiling, half of them; the others are opposite.
const DIRECTIONS: [(Tiling, [(i32, i32); 3]); 3] = [
    (Tiling::HexDown, [(1, 0), (0, 1), (1, -1)]),
    (Tiling::HexUp, [(1, 0), (0, 1), (1, 1)]),
    (Tiling::Doubled, [(2, 0), (1, 1), (1, -1)]),
];

/// The tiling of a board with two keys, whose values are in order.
pub(super) fn tiling(background: &Background, sides: &[Vec<TermId>], cells: &[Box<[TermId]>]) -> Tiling {
    let [columns, rows] = sides else { return Tiling::Squares };
    let numbered = |side: &[TermId]| side.iter().copied().zip(0..).collect::<FxHashMap<TermId, i32>>();
    let (columns, rows) = (numbered(columns), numbered(rows));
    let known: FxHashSet<&[TermId]> = cells.iter().map(|cell| &**cell).collect();
    let place = |cell: &[TermId]| known.contains(cell).then(|| (columns[&cell[0]], rows[&cell[1]]));
    let directions = |pairs: &Pairs| -> BTreeSet<(i32, i32)> {
        let steps = pairs.iter().filter_map(|pair| Some((place(&pair[..2])?, place(&pair[2..])?)));
        steps.flat_map(|(from, to)| [(to.0 - from.0, to.1 - from.1), (from.0 - to.0, from.1 - to.1)]).collect()
    };
    let found = background.pairs.iter().find_map(|pairs| {
        let seen = directions(pairs);
        let fits = |half: &[(i32, i32); 3]| {
            half.iter().flat_map(|&(x, y)| [(x, y), (-x, -y)]).collect::<BTreeSet<_>>() == seen
        };
        DIRECTIONS.iter().find(|(_, half)| fits(half)).map(|(tiling, _)| *tiling)
    });
    let even = |cell: &[TermId]| (columns[&cell[0]] + rows[&cell[1]]) % 2;
    match found {
        // Between the cells of such a row there is room, and nothing else.
        Some(Tiling::Doubled) if cells.iter().map(|cell| even(cell)).collect::<BTreeSet<_>>().len() > 1 => {
            Tiling::Squares
        }
        Some(tiling) => tiling,
        None => Tiling::Squares,
    }
}

/// Pairs of cells: two keys each.
pub(super) type Pairs = Vec<[TermId; 4]>;

/// Relations with more rows than this say more than who is whose neighbour.
const MAX_ROWS: usize = 20_000;

/// Relations with more arguments are not looked at.
const MAX_ARGUMENTS: usize = 8;

/// What the rows of a relation may say about pairs of cells: any four arguments in a row.
pub(super) fn pairs<'r>(rows: impl ExactSizeIterator<Item = &'r [TermId]>) -> Vec<Pairs> {
    if rows.len() > MAX_ROWS {
        return Vec::new();
    }
    let mut found: Vec<Pairs> = Vec::new();
    for row in rows.filter(|row| (4..=MAX_ARGUMENTS).contains(&row.len())) {
        for (place, pair) in row.windows(4).enumerate() {
            if found.len() <= place {
                found.push(Vec::new());
            }
            found[place].extend(<[TermId; 4]>::try_from(pair));
        }
    }
    found
}
