//! The geometry of a hexagonal board of hexagons: cells, their names and neighbours, and sets of stones.
//!
//! Cells have a *file* (a letter, from 0) and a *rank* (a number, from 0 at the bottom). On a board of side `n` both run
//! over `0..2n-1`, and the cells are those with `|file - rank| < n`. A rank is a row of hexagons and shifted by half a cell
//! against the next one, so that a cell touches these six:
//!
//! ```text
//!    (f, r+1) (f+1, r+1)
//! (f-1, r)  (f, r)  (f+1, r)
//!    (f-1, r-1) (f, r-1)
//! ```

use ludens_game::{Cell, Label, Layout, Piece, View};

/// The largest side for which a rank, with a blank cell at either end, fits into the `u32` of a [`Stones`] row.
pub(crate) const MAX_SIDE: usize = 12;

/// The number of cells of the largest board.
pub(crate) const MAX_CELLS: usize = 3 * MAX_SIDE * (MAX_SIDE - 1) + 1;

/// Files and ranks of the largest board.
const MAX_RANKS: usize = 2 * MAX_SIDE - 1;

/// The steps (file, rank) to the six neighbours, clockwise from the left.
const STEPS: [(i32, i32); 6] = [(-1, 0), (0, 1), (1, 1), (1, 0), (0, -1), (-1, -1)];

/// An empty board. Cells are numbered rank by rank from the bottom, each from the left.
pub(crate) struct HexBoard {
    pub(crate) side: usize,
    pub(crate) sites: Box<[Site]>,
}

/// What is always true of a cell.
pub(crate) struct Site {
    file: u8,
    rank: u8,
    /// Which edges (bits 0 to 5) or which corner (bits 6 to 11) of the board the cell belongs to. Corner cells belong to no
    /// edge. Edges and corners are counted around the board, and corner `i` lies between the edges `i` and `i + 1`.
    pub(crate) border: u16,
    /// The six neighbours, clockwise from the left; [`NOWHERE`] beyond the border.
    pub(crate) neighbours: [u16; 6],
}

/// The number of no cell.
pub(crate) const NOWHERE: u16 = u16::MAX;

impl HexBoard {
    /// A board of the given side, at most [`MAX_SIDE`].
    pub(crate) fn new(side: usize) -> HexBoard {
        debug_assert!((2..=MAX_SIDE).contains(&side));
        let n = side as i32;
        let ranks = 2 * n - 1;
        let places: Vec<(i32, i32)> = (0..ranks)
            .flat_map(|rank| (0..ranks).map(move |file| (rank, file)))
            .filter(|(rank, file)| (rank - file).abs() < n)
            .collect();
        let site = |&(rank, file): &(i32, i32)| Site {
            file: file as u8,
            rank: rank as u8,
            border: border(n, file, rank),
            neighbours: STEPS.map(|(right, up)| {
                places.binary_search(&(rank + up, file + right)).map_or(NOWHERE, |neighbour| neighbour as u16)
            }),
        };
        HexBoard { side, sites: places.iter().map(site).collect() }
    }

    /// The number of cells.
    #[inline]
    pub(crate) fn cells(&self) -> usize {
        self.sites.len()
    }

    /// The number of ranks, which is that of files, too.
    #[inline]
    pub(crate) fn ranks(&self) -> usize {
        2 * self.side - 1
    }

    /// The name of a cell: its file as a letter and its rank as a number from 1.
    pub(crate) fn cell_name(&self, cell: usize) -> String {
        let site = &self.sites[cell];
        format!("{}{}", file_letter(site.file), site.rank + 1)
    }

    /// The cell of a name, in either case.
    pub(crate) fn parse_cell(&self, name: &str) -> Option<usize> {
        let mut rest = name.trim().chars();
        let file = rest.next()?.to_ascii_lowercase();
        let rank = Some(rest.as_str()).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        let place = (rank.parse().ok()?, file);
        self.sites.binary_search_by_key(&place, |site| (site.rank + 1, file_letter(site.file))).ok()
    }

    /// A picture of the empty board: ranks are named at their left ends, files at their lower ends.
    pub(crate) fn view(&self, pieces: Vec<Piece>) -> View {
        let last = self.ranks() as i32 - 1;
        let place = |site: &Site| (i32::from(site.file), last - i32::from(site.rank));
        let cells = (self.sites.iter().enumerate())
            .map(|(cell, site)| {
                let (x, y) = place(site);
                Cell { name: self.cell_name(cell), x, y, piece: None, marked: false }
            })
            .collect();
        let left_ends = self.sites.iter().filter(|site| site.neighbours[0] == NOWHERE).map(|site| {
            let (x, y) = place(site);
            Label { text: (site.rank + 1).to_string(), x: x - 1, y }
        });
        let lower_ends = self.sites.iter().filter(|site| site.neighbours[4] == NOWHERE).map(|site| {
            let (x, y) = place(site);
            Label { text: file_letter(site.file).to_string(), x, y: y + 1 }
        });
        View { layout: Layout::Hex, cells, pieces, labels: left_ends.chain(lower_ends).collect(), notes: Vec::new() }
    }
}

fn file_letter(file: u8) -> char {
    char::from(b'a' + file)
}

/// See [`Site::border`].
fn border(n: i32, file: i32, rank: i32) -> u16 {
    let last = 2 * n - 2;
    let lines = [rank == 0, file - rank == n - 1, file == last, rank == last, rank - file == n - 1, file == 0];
    let on = |edge: usize| lines[edge % 6];
    match (0..6).find(|&edge| on(edge) && on(edge + 1)) {
        Some(corner) => 1 << (6 + corner),
        None => (0..6).filter(|&edge| on(edge)).map(|edge| 1 << edge).sum(),
    }
}

/// A set of cells: one word per rank, one bit per file, with a blank rank and file all around.
#[derive(Clone)]
pub(crate) struct Stones([u32; MAX_RANKS + 2]);

impl Stones {
    pub(crate) const NONE: Stones = Stones([0; MAX_RANKS + 2]);

    #[inline]
    pub(crate) fn put(&mut self, site: &Site) {
        self.0[usize::from(site.rank) + 1] |= 2 << site.file;
    }

    #[inline]
    pub(crate) fn has(&self, site: &Site) -> bool {
        self.0[usize::from(site.rank) + 1] & 2 << site.file != 0
    }

    /// The words of the lowest `count` ranks.
    #[inline]
    pub(crate) fn ranks(&self, count: usize) -> &[u32] {
        &self.0[1..=count]
    }

    /// Which cells around `site` are in the set, and whether it is itself: an index into [`RUNS`].
    #[inline]
    pub(crate) fn around(&self, site: &Site) -> usize {
        let rank = usize::from(site.rank);
        let [below, level, above] = [self.0[rank], self.0[rank + 1], self.0[rank + 2]];
        let below = below >> site.file & 0b11;
        let level = level >> site.file & 0b111;
        let above = above >> site.file >> 1 & 0b11;
        (below | level << 2 | above << 5) as usize
    }
}

/// What [`Stones::around`] says if the set has a cell and all six neighbours.
pub(crate) const FILLED: usize = 0b111_1111;

/// The bits of [`Stones::around`] that stand for the six neighbours, clockwise from the left.
const CLOCKWISE: [usize; 6] = [2, 5, 6, 4, 1, 0];

/// How the neighbours in a set lie around a cell: they form at most three *runs*, each of cells that touch the next.
#[derive(Clone, Copy)]
pub(crate) struct Runs {
    count: u8,
    /// One neighbour of each run.
    heads: [u8; 3],
    /// As bits, the neighbours that have both others beside them in the set.
    middles: u8,
}

impl Runs {
    /// One neighbour (an index into [`Site::neighbours`]) of each run.
    #[inline]
    pub(crate) fn heads(&self) -> &[u8] {
        &self.heads[..usize::from(self.count)]
    }

    /// The neighbours that have both others beside them in the set.
    #[inline]
    pub(crate) fn middles(&self) -> impl Iterator<Item = usize> + use<> {
        let mut middles = self.middles;
        std::iter::from_fn(move || {
            let lowest = (middles != 0).then(|| middles.trailing_zeros() as usize);
            middles &= middles.wrapping_sub(1);
            lowest
        })
    }
}

/// The runs for every value of [`Stones::around`].
pub(crate) static RUNS: [Runs; FILLED + 1] = {
    let mut table = [Runs { count: 0, heads: [0; 3], middles: 0 }; FILLED + 1];
    let mut around = 0;
    while around <= FILLED {
        table[around] = runs(around);
        around += 1;
    }
    table
};

const fn runs(around: usize) -> Runs {
    let mut runs = Runs { count: 0, heads: [0; 3], middles: 0 };
    let mut neighbour = 0;
    while neighbour < 6 {
        let before = around >> CLOCKWISE[(neighbour + 5) % 6] & 1 != 0;
        let here = around >> CLOCKWISE[neighbour] & 1 != 0;
        let after = around >> CLOCKWISE[(neighbour + 1) % 6] & 1 != 0;
        if here && !before {
            runs.heads[runs.count as usize] = neighbour as u8;
            runs.count += 1;
        }
        if here && before && after {
            runs.middles |= 1 << neighbour;
        }
        neighbour += 1;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_corners_and_six_edges_without_them() {
        for side in 3..=MAX_SIDE {
            let board = HexBoard::new(side);
            assert_eq!(board.cells(), 3 * side * (side - 1) + 1);
            let belonging = |bit: u16| board.sites.iter().filter(|site| site.border == 1 << bit).count();
            assert!((0..6).all(|edge| belonging(edge) == side - 2), "edges of side {side}");
            assert!((6..12).all(|corner| belonging(corner) == 1), "corners of side {side}");
            let inner = board.sites.iter().filter(|site| !site.neighbours.contains(&NOWHERE));
            assert!(inner.clone().all(|site| site.border == 0));
            assert_eq!(inner.count(), board.cells() - 6 * (side - 1));
        }
    }

    #[test]
    fn neighbours_are_mutual_and_seen_by_stones() {
        let board = HexBoard::new(MAX_SIDE);
        for (cell, site) in board.sites.iter().enumerate() {
            for (direction, &neighbour) in site.neighbours.iter().enumerate().filter(|(_, cell)| **cell != NOWHERE) {
                let other = &board.sites[usize::from(neighbour)];
                assert_eq!(usize::from(other.neighbours[(direction + 3) % 6]), cell);
                let mut stones = Stones::NONE;
                stones.put(other);
                assert_eq!(stones.around(site), 1 << CLOCKWISE[direction]);
                assert_eq!(RUNS[stones.around(site)].heads(), [direction as u8]);
            }
        }
    }
}
