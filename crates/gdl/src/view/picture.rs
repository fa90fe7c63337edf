//! [`Picture`]: where the cells and labels of one grid lie.

use super::{Evidence, tiling::Tiling};
use crate::terms::TermId;
use ludens_game::{Cell, Label};
use rustc_hash::FxHashMap;

/// Where the cells of one grid lie. A grid of two keys is one board; with more keys the first ones say which board.
pub(super) struct Picture<'a> {
    evidence: Evidence<'a>,
    /// The values of the keys, in order.
    sides: &'a [Vec<TermId>],
    numbers: Vec<FxHashMap<TermId, i32>>,
    tiling: Tiling,
    /// Columns for the labels at the left of each board.
    margin: i32,
    pub(super) width: i32,
    pub(super) height: i32,
}

impl<'a> Picture<'a> {
    pub(super) fn new(evidence: Evidence<'a>, sides: &'a [Vec<TermId>], tiling: Tiling) -> Picture<'a> {
        let numbers = sides.iter().map(|side| side.iter().copied().zip(0..).collect()).collect();
        let mut picture = Picture { evidence, sides, numbers, tiling, margin: 0, width: 0, height: 0 };
        picture.margin = picture.longest(picture.columns() + 1) / 2 + 1;
        let (outer_width, outer_height) = match sides {
            [boards, _, _] => (boards.len() as i32, 1),
            [boards, rows, _, _] => (boards.len() as i32, rows.len() as i32),
            _ => (1, 1),
        };
        picture.width = outer_width * picture.board_width();
        picture.height = outer_height * picture.board_height();
        picture
    }

    /// The key that says which column; the next one says which row.
    fn columns(&self) -> usize {
        self.sides.len() - 2
    }

    fn side(&self, key: usize) -> i32 {
        self.sides[key].len() as i32
    }

    fn board_width(&self) -> i32 {
        self.margin + self.side(self.columns()) + 1
    }

    fn board_height(&self) -> i32 {
        self.side(self.columns() + 1) + self.longest(self.columns()) + i32::from(self.sides.len() > 2)
    }

    /// Letters of the longest name on a side.
    fn longest(&self, key: usize) -> i32 {
        self.sides[key].iter().map(|&value| self.text(value).chars().count() as i32).max().unwrap_or(0)
    }

    fn text(&self, value: TermId) -> String {
        self.evidence.terms.text(value, self.evidence.symbols)
    }

    pub(super) fn name(&self, keys: &[TermId]) -> String {
        keys.iter().map(|&key| self.text(key)).collect::<Vec<_>>().join(" ")
    }

    /// The upper left cell of the board with these numbers.
    fn origin(&self, board: &[i32]) -> (i32, i32) {
        let (column, row) = match board {
            [] => (0, 0),
            [column] => (*column, 0),
            [column, row, ..] => (*column, self.side(1) - 1 - row),
        };
        let title = i32::from(self.sides.len() > 2);
        (column * self.board_width() + self.margin, row * self.board_height() + title)
    }

    pub(super) fn position(&self, keys: &[TermId]) -> Option<(i32, i32)> {
        let numbers = self.numbers.iter().zip(keys).map(|(numbers, key)| numbers.get(key).copied());
        let numbers: Vec<i32> = numbers.collect::<Option<_>>()?;
        let (board, cell) = numbers.split_at(self.columns());
        let (x, y) = self.origin(board);
        let upwards = self.side(self.columns() + 1) - 1 - cell[1];
        Some(match self.tiling {
            Tiling::Squares => (x + cell[0], y + upwards),
            Tiling::HexDown => (cell[0], cell[1]),
            Tiling::HexUp => (cell[0], upwards),
            // Every row of hexagons is drawn half a cell to the right of the row above it.
            Tiling::Doubled => ((cell[0] - upwards).div_euclid(2), upwards),
        })
    }

    /// The texts at the border of the cells.
    pub(super) fn labels(&self, cells: &[Cell]) -> Vec<Label> {
        if self.tiling == Tiling::Squares { self.square_labels() } else { self.hex_labels(cells) }
    }

    /// The name of each row beside it and, where the columns are rows of the lattice too, of each column below it.
    fn hex_labels(&self, cells: &[Cell]) -> Vec<Label> {
        let [columns, rows] = self.sides else { return Vec::new() };
        let row = |(number, &value): (i32, &TermId)| {
            let y = if self.tiling == Tiling::HexDown { number } else { rows.len() as i32 - 1 - number };
            let left = cells.iter().filter(|cell| cell.y == y).map(|cell| cell.x).min()?;
            Some(Label { text: self.text(value), x: left - 1, y })
        };
        let column = |(x, &value): (i32, &TermId)| {
            let below = cells.iter().filter(|cell| cell.x == x).map(|cell| cell.y).max()?;
            Some(Label { text: self.text(value), x, y: below + 1 })
        };
        let mut labels: Vec<Label> = (0..).zip(rows).filter_map(row).collect();
        if self.tiling != Tiling::Doubled {
            labels.extend((0..).zip(columns).filter_map(column));
        }
        labels
    }

    fn square_labels(&self) -> Vec<Label> {
        let boards: Vec<Vec<i32>> = match self.columns() {
            0 => vec![vec![]],
            1 => (0..self.side(0)).map(|board| vec![board]).collect(),
            _ => (0..self.side(0)).flat_map(|x| (0..self.side(1)).map(move |y| vec![x, y])).collect(),
        };
        let mut labels = Vec::new();
        for board in boards {
            let (left, top) = self.origin(&board);
            let height = self.side(self.columns() + 1);
            for (x, &value) in (left..).zip(&self.sides[self.columns()]) {
                // Names of columns run downwards: there is room for one letter.
                let letters = self.text(value);
                let column = (top + height..).zip(letters.chars());
                labels.extend(column.map(|(y, letter)| Label { text: letter.to_string(), x, y }));
            }
            for (row, &value) in (0..).zip(&self.sides[self.columns() + 1]) {
                labels.push(Label { text: self.text(value), x: left - 1, y: top + height - 1 - row });
            }
            if !board.is_empty() {
                let values: Vec<_> = board.iter().zip(self.sides).map(|(&n, side)| side[n as usize]).collect();
                let text = self.name(&values);
                let x = left + text.chars().count() as i32 / 2;
                labels.push(Label { text, x, y: top - 1 });
            }
        }
        labels
    }
}
