//! The board of Go, shared by the games that are played with its stones: geometry, names of points, pictures.
//!
//! Points are numbered from the bottom left, file by file within a rank. Sets of points are [`Points`], bits in `W` words;
//! a game picks the smallest `W` that holds its board ([`words`]), so that up to 8×8 a set is one machine word.
//! [`Stones`] are the chains on the board with their liberties, [`Standoff`] what two games know in addition in which
//! nothing has been captured yet.

mod points;
mod standoff;
mod stones;

pub use points::{PerPoint, Points};
pub use standoff::Standoff;
pub use stones::{Chain, Placed, Stones};

use ludens_game::{Piece, View};

/// The smallest board.
pub const MIN_SIZE: usize = 2;
/// The largest board.
pub const MAX_SIZE: usize = 19;

/// The names of both roles: black moves first.
pub const ROLES: &[&str] = &["black", "white"];

/// The number of feature codes of a point: what its four neighbours hold, each one of four contents.
pub const PATTERNS: usize = 256;

/// The number of words, the `W` of the games' types, that a board of this size is played with.
pub const fn words(size: usize) -> usize {
    match size {
        0..=8 => 1,
        9..=11 => 2,
        _ => 6,
    }
}

/// A square board.
#[derive(Clone, Debug)]
pub struct Goban<const W: usize> {
    size: usize,
    all: Points<W>,
    first_file: Points<W>,
    last_file: Points<W>,
    first_rank: Points<W>,
    last_rank: Points<W>,
    near: PerPoint<Points<W>, W>,
}

impl<const W: usize> Goban<W> {
    /// A board of `size` × `size` points, [`MIN_SIZE`] to [`MAX_SIZE`] and at most `64 * W` points.
    pub fn new(size: usize) -> Goban<W> {
        assert!((MIN_SIZE..=MAX_SIZE).contains(&size) && size * size <= 64 * W, "{size}×{size} points in {W} words");
        let points_where = |holds: &dyn Fn(usize, usize) -> bool| {
            (0..size * size).filter(|point| holds(point % size, point / size)).collect::<Points<W>>()
        };
        let last = size - 1;
        let mut board = Goban {
            size,
            all: points_where(&|_, _| true),
            first_file: points_where(&|file, _| file == 0),
            last_file: points_where(&|file, _| file == last),
            first_rank: points_where(&|_, rank| rank == 0),
            last_rank: points_where(&|_, rank| rank == last),
            near: PerPoint::filled(Points::EMPTY),
        };
        for point in 0..size * size {
            board.near[point] = board.spread(Points::single(point));
        }
        board
    }

    /// Points on a side.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Number of points.
    #[inline]
    pub fn point_count(&self) -> usize {
        self.size * self.size
    }

    /// All points.
    #[inline]
    pub fn all(&self) -> Points<W> {
        self.all
    }

    /// The points at the edge.
    #[inline]
    pub fn border(&self) -> Points<W> {
        self.first_file | self.last_file | self.first_rank | self.last_rank
    }

    /// The neighbours of a point.
    #[inline]
    pub fn near(&self, point: usize) -> Points<W> {
        self.near[point]
    }

    /// The points whose neighbour to the north, east, south and west is in `points` or beyond the edge.
    #[inline]
    pub fn looks(&self, points: Points<W>) -> [Points<W>; 4] {
        [
            points.down(self.size) | self.last_rank,
            self.west(points) | self.last_file,
            points.up(self.size) & self.all | self.first_rank,
            self.east(points) | self.first_file,
        ]
    }

    /// All neighbours of `points`.
    #[inline]
    pub fn spread(&self, points: Points<W>) -> Points<W> {
        (points.up(self.size) | points.down(self.size) | self.east(points) | self.west(points)) & self.all
    }

    /// The points diagonally next to one of `points`, and those diagonally next to at least two.
    #[inline]
    pub fn diagonals(&self, points: Points<W>) -> (Points<W>, Points<W>) {
        let (east, west) = (self.east(points), self.west(points));
        let (mut one, mut two) = (Points::EMPTY, Points::EMPTY);
        for corner in [east.up(self.size), east.down(self.size), west.up(self.size), west.down(self.size)] {
            two |= one & corner;
            one |= corner;
        }
        (one & self.all, two & self.all)
    }

    #[inline]
    fn east(&self, points: Points<W>) -> Points<W> {
        (points.up(1) & self.all) - self.first_file
    }

    #[inline]
    fn west(&self, points: Points<W>) -> Points<W> {
        points.down(1) - self.last_file
    }

    /// The name of a point: `d4`.
    pub fn point_name(&self, point: usize) -> String {
        format!("{}{}", file_letter(point % self.size), point / self.size + 1)
    }

    /// Reads the name of a point, in small or capital letters.
    pub fn parse_point(&self, text: &str) -> Option<usize> {
        let letter = text.chars().next()?.to_ascii_lowercase();
        let file = (0..self.size).find(|&file| file_letter(file) == letter)?;
        let digits = &text[letter.len_utf8()..];
        let rank: usize = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
        (1..=self.size).contains(&rank).then(|| (rank - 1) * self.size + file)
    }

    /// The empty board as a picture, with the letters of Go players.
    pub fn view(&self) -> View {
        let mut view = View::square(self.size, self.size, Piece::stones());
        for (point, cell) in view.cells.iter_mut().enumerate() {
            cell.name = self.point_name(point);
        }
        for (file, label) in view.labels.iter_mut().take(self.size).enumerate() {
            label.text = file_letter(file).to_string();
        }
        view
    }
}

/// The letter of a file, from 0. Go players leave out `i`, which looks like `j` on old diagrams.
fn file_letter(file: usize) -> char {
    char::from(b'a' + file as u8 + u8::from(file >= 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_named_without_the_letter_i() {
        let board = Goban::<6>::new(19);
        for point in 0..361 {
            let name = board.point_name(point);
            assert_eq!(board.parse_point(&name), Some(point));
            assert_eq!(board.parse_point(&name.to_uppercase()), Some(point));
        }
        assert_eq!(board.point_name(8), "j1");
        assert_eq!(board.point_name(360), "t19");
        for text in ["", "i5", "a0", "a20", "u1", "a", "a+1", "5", "é1", "a1b"] {
            assert_eq!(board.parse_point(text), None, "{text}");
        }
        let view = board.view();
        assert_eq!(view.cells[8].name, "j1");
        assert_eq!(view.labels[18].text, "t");
        assert_eq!(view.labels[19].text, "1");
    }

    #[test]
    fn neighbours_agree_with_the_coordinates() {
        fn check<const W: usize>(size: usize) {
            let board = Goban::<W>::new(size);
            let place = |point: usize| ((point % size) as i32, (point / size) as i32);
            for point in 0..size * size {
                let (x, y) = place(point);
                let steps = |other: usize| {
                    let (u, v) = place(other);
                    ((u - x).abs(), (v - y).abs())
                };
                let near: Points<W> = (0..size * size).filter(|&p| matches!(steps(p), (0, 1) | (1, 0))).collect();
                let corners: Points<W> = (0..size * size).filter(|&p| steps(p) == (1, 1)).collect();
                assert_eq!(board.near(point), near);
                assert_eq!(board.diagonals(Points::single(point)), (corners, Points::EMPTY));

                let looks = board.looks(Points::single(point));
                for (look, (dx, dy)) in looks.into_iter().zip([(0, 1), (1, 0), (0, -1), (-1, 0)]) {
                    let is_seen = |&from: &usize| {
                        let (u, v) = place(from);
                        let seen = (u + dx, v + dy);
                        seen == (x, y) || seen.0.min(seen.1) < 0 || seen.0.max(seen.1) >= size as i32
                    };
                    assert_eq!(look, (0..size * size).filter(is_seen).collect());
                }
            }
        }
        check::<1>(2);
        check::<1>(8);
        check::<2>(9);
        check::<2>(11);
        check::<6>(12);
        check::<6>(19);
    }

    #[test]
    fn sets_have_room_for_their_boards() {
        assert!((MIN_SIZE..=MAX_SIZE).all(|size| size * size <= 64 * words(size)));
    }
}
