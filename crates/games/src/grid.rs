//! Rectangular boards with chess coordinates: cell `y * width + x`, file `a` and rank `1` are `x = 0` and `y = 0`.

use crate::bits::Word;

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Number of files.
    pub width: usize,
    /// Number of ranks.
    pub height: usize,
}

/// A displacement on the board: files to the right, ranks upwards.
pub type Step = (isize, isize);

impl Grid {
    /// The number of cells.
    pub fn cells(self) -> usize {
        self.width * self.height
    }

    /// The cell one step away, unless that leaves the board.
    pub fn neighbour(self, cell: usize, (dx, dy): Step) -> Option<usize> {
        let x = (cell % self.width).checked_add_signed(dx).filter(|&x| x < self.width)?;
        let y = (cell / self.width).checked_add_signed(dy).filter(|&y| y < self.height)?;
        Some(y * self.width + x)
    }

    /// The set of the cells for which `contains` holds.
    pub fn set<W: Word>(self, contains: impl Fn(usize) -> bool) -> W {
        assert!(self.cells() <= W::BITS, "the board does not fit the word");
        (0..self.cells()).filter(|&cell| contains(cell)).fold(W::EMPTY, |set, cell| set | W::cell(cell))
    }

    /// The set of the cells of some ranks.
    pub fn ranks<W: Word>(self, ranks: std::ops::Range<usize>) -> W {
        self.set(|cell| ranks.contains(&(cell / self.width)))
    }

    /// A cell's name: `e4`.
    pub fn name(self, cell: usize) -> String {
        format!("{}{}", char::from(b'a' + (cell % self.width) as u8), cell / self.width + 1)
    }

    /// The name of a move that concerns two cells: `e2-e4`.
    pub fn pair_name(self, first: usize, second: usize) -> String {
        format!("{}-{}", self.name(first), self.name(second))
    }

    /// Reads two cells, in either case, with or without a `-` or `x` between them.
    pub fn parse_pair(self, text: &str) -> Option<(usize, usize)> {
        let text = text.trim().to_ascii_lowercase();
        let (first, rest) = self.parse_cell(&text)?;
        let (second, rest) = self.parse_cell(rest.strip_prefix(['-', 'x']).unwrap_or(rest))?;
        rest.is_empty().then_some((first, second))
    }

    /// Reads a cell at the beginning of a text, and returns what follows it.
    fn parse_cell(self, text: &str) -> Option<(usize, &str)> {
        let rank = text.strip_prefix(|file: char| file.is_ascii_lowercase())?;
        let x = usize::from(text.as_bytes()[0] - b'a');
        let rest = rank.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let y = rank[..rank.len() - rest.len()].parse::<usize>().ok()?.checked_sub(1)?;
        (x < self.width && y < self.height).then_some((y * self.width + x, rest))
    }
}

/// Looks from every cell of a board one step in the same direction, all at once.
#[derive(Clone, Copy, Debug)]
pub struct Look<W> {
    turn: u32,
    inside: W,
}

impl<W: Word> Look<W> {
    /// A look in the direction of `step`.
    pub fn new(grid: Grid, step: Step) -> Look<W> {
        let distance = step.0 + step.1 * grid.width as isize;
        Look {
            turn: distance.rem_euclid(W::BITS as isize) as u32,
            inside: grid.set(|cell| grid.neighbour(cell, step).is_some()),
        }
    }

    /// The cells from which one step leads to a cell of `set` (and not off the board).
    #[inline]
    pub fn at(self, set: W) -> W {
        set.rotate_right(self.turn) & self.inside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks_like_stepping<W: Word>(grid: Grid) {
        let set: W = grid.set(|cell| cell % 3 == 0 || cell % 7 == 2);
        for step in (-2..=2).flat_map(|dx| (-2..=2).map(move |dy| (dx, dy))) {
            let expected: W = grid.set(|cell| grid.neighbour(cell, step).is_some_and(|there| set.has(there)));
            assert!(Look::new(grid, step).at(set) == expected, "{step:?}");
        }
    }

    #[test]
    fn looks_do_not_wrap_around() {
        looks_like_stepping::<u64>(Grid { width: 8, height: 8 });
        looks_like_stepping::<u64>(Grid { width: 3, height: 5 });
        looks_like_stepping::<u128>(Grid { width: 11, height: 11 });
        looks_like_stepping::<u128>(Grid { width: 5, height: 5 });
    }

    #[test]
    fn names_read_back() {
        let grid = Grid { width: 11, height: 10 };
        for cell in 0..grid.cells() {
            let other = grid.cells() - 1 - cell;
            assert_eq!(grid.parse_pair(&grid.pair_name(cell, other)), Some((cell, other)));
        }
        let expected = grid.parse_pair("a9-b10");
        assert_eq!(expected, Some((88, 100)));
        for variant in ["a9b10", "A9B10", "a9xb10", " a9-B10 "] {
            assert_eq!(grid.parse_pair(variant), expected, "{variant}");
        }
        for wrong in
            ["", "a9", "a9-", "a0-a1", "l1-a1", "a1-a11", "a1--a2", "a1-a2?", "é1-a2", "a1-a99999999999999999999"]
        {
            assert_eq!(grid.parse_pair(wrong), None, "{wrong}");
        }
    }
}
