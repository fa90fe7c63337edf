//! Go: stones on a square board, their chains, and the area of each colour.

use ludens_game::{Role, View};

/// What is on every point, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stones {
    size: usize,
    points: Vec<Option<Role>>,
}

impl Stones {
    /// The stones of a picture.
    pub(crate) fn of(view: &View) -> Stones {
        let points: Vec<_> =
            view.cells.iter().map(|cell| cell.piece.and_then(|piece| view.pieces[piece].role)).collect();
        Stones { size: points.len().isqrt(), points }
    }

    /// Whose stone is on a point.
    pub(crate) fn at(&self, point: usize) -> Option<Role> {
        self.points[point]
    }

    /// The number of points.
    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// The points next to a point.
    pub(crate) fn neighbours(&self, point: usize) -> impl Iterator<Item = usize> {
        let (x, y, size) = (point % self.size, point / self.size, self.size);
        let inside = [x > 0, x + 1 < size, y > 0, y + 1 < size];
        let places = [point.wrapping_sub(1), point + 1, point.wrapping_sub(size), point + size];
        places.into_iter().zip(inside).filter(|(_, inside)| *inside).map(|(place, _)| place)
    }

    /// All points that are connected to a point and look like it: a chain, or a region of empty points.
    pub(crate) fn connected(&self, point: usize) -> Vec<usize> {
        let mut found = vec![point];
        let mut next = 0;
        while let Some(&point) = found.get(next) {
            for neighbour in self.neighbours(point) {
                if self.at(neighbour) == self.at(point) && !found.contains(&neighbour) {
                    found.push(neighbour);
                }
            }
            next += 1;
        }
        found
    }

    /// Every chain and every region of empty points.
    pub(crate) fn groups(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.len()];
        let mut groups = Vec::new();
        for point in 0..self.len() {
            if !seen[point] {
                let group = self.connected(point);
                group.iter().for_each(|&point| seen[point] = true);
                groups.push(group);
            }
        }
        groups
    }

    /// Takes stones off the board.
    pub(crate) fn remove(&mut self, points: &[usize]) {
        points.iter().for_each(|&point| self.points[point] = None);
    }

    /// By point: the colour whose area it is in. Empty points belong to a colour if no other colour touches their region.
    pub(crate) fn owners(&self) -> Vec<Option<Role>> {
        let mut owners = self.points.clone();
        for region in self.groups().into_iter().filter(|group| self.at(group[0]).is_none()) {
            let mut borders: Vec<Role> =
                region.iter().flat_map(|&point| self.neighbours(point)).filter_map(|point| self.at(point)).collect();
            borders.dedup();
            if let Some(&owner) = borders.first()
                && borders.iter().all(|&role| role == owner)
            {
                region.iter().for_each(|&point| owners[point] = Some(owner));
            }
        }
        owners
    }

    /// How many points a colour's area has.
    pub(crate) fn area(&self, role: Role) -> usize {
        self.owners().into_iter().filter(|&owner| owner == Some(role)).count()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A board drawn with `X` for black, `O` for white and `.` for nothing, the upper line first.
    pub(crate) fn drawn(lines: &[&str]) -> Stones {
        let stone = |c: char| match c {
            'X' => Some(Role(0)),
            'O' => Some(Role(1)),
            _ => None,
        };
        Stones { size: lines.len(), points: lines.iter().rev().flat_map(|line| line.chars().map(stone)).collect() }
    }

    #[test]
    fn areas_by_hand() {
        // Black has 5 stones and 4 points, white 7 stones and 2 points; the rest touches both.
        let board = drawn(&[
            "..XO.", //
            "..X.O", //
            "XXXOO", //
            "...O.", //
            "...OO",
        ]);
        assert_eq!((board.area(Role(0)), board.area(Role(1))), (9, 9));
        assert_eq!(drawn(&["..", ".."]).area(Role(0)), 0, "an empty board is nobody's");
        assert_eq!(drawn(&["X.", ".."]).area(Role(0)), 4);
    }

    #[test]
    fn chains_by_hand() {
        let board = drawn(&[
            "XX.", //
            "X.O", //
            ".OO",
        ]);
        let mut chain = board.connected(6);
        chain.sort_unstable();
        assert_eq!(chain, [3, 6, 7]);
        assert_eq!(board.groups().len(), 5);
        assert_eq!(board.neighbours(0).collect::<Vec<_>>(), [1, 3]);
    }
}
