//! [`View`]: a picture of a position as plain data, for terminals and browsers alike.

use crate::Role;

/// What the coordinates of a [`View`] mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// `x` to the right, `y` downwards.
    Square,
    /// Rows of hexagons: `x` to the right, `y` downwards, each row half a cell to the right of the row above it.
    Hex,
    /// The cells are a list; coordinates have no meaning.
    #[default]
    Free,
}

/// A picture of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// What the coordinates mean.
    pub layout: Layout,
    /// All cells, in an order that is the same for every position of the game.
    pub cells: Vec<Cell>,
    /// The kinds of pieces that [`Cell::piece`] refers to.
    pub pieces: Vec<Piece>,
    /// Coordinates at the border.
    pub labels: Vec<Label>,
    /// What the cells do not show, one sentence each.
    pub notes: Vec<String>,
}

/// A place of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The place's name in moves: `e4`.
    pub name: String,
    /// Position, see [`Layout`].
    pub x: i32,
    /// Position, see [`Layout`].
    pub y: i32,
    /// The piece on this cell, an index into [`View::pieces`].
    pub piece: Option<usize>,
    /// Whether the last move touched it.
    pub marked: bool,
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// In words: `white pawn`.
    pub name: String,
    /// One character of width one.
    pub glyph: char,
    /// The same for ASCII-only terminals.
    pub ascii: char,
    /// Whose piece it is.
    pub role: Option<Role>,
}

/// A text at the border, in the coordinates of the cells; it ends at its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The text.
    pub text: String,
    /// Position, see [`Layout`].
    pub x: i32,
    /// Position, see [`Layout`].
    pub y: i32,
}

impl Piece {
    /// A piece that belongs to a role.
    pub fn of(role: Role, name: &str, glyph: char, ascii: char) -> Piece {
        Piece { name: name.to_owned(), glyph, ascii, role: Some(role) }
    }

    /// Black and white stones, of roles 0 and 1.
    pub fn stones() -> Vec<Piece> {
        vec![Piece::of(Role(0), "black stone", '●', 'X'), Piece::of(Role(1), "white stone", '○', 'O')]
    }
}

impl View {
    /// An empty rectangular board: files `a, b, …` from the left, ranks `1, 2, …` from the bottom.
    ///
    /// The cell of file `x` and rank `y` (both from 0) has the index `y * width + x`.
    pub fn square(width: usize, height: usize, pieces: Vec<Piece>) -> View {
        let (w, h) = (width as i32, height as i32);
        let cells = (0..h)
            .flat_map(|rank| (0..w).map(move |file| (file, rank)))
            .map(|(file, rank)| Cell {
                name: format!("{}{}", file_letter(file as usize), rank + 1),
                x: file,
                y: h - 1 - rank,
                piece: None,
                marked: false,
            })
            .collect();
        let files = (0..w).map(|file| Label { text: file_letter(file as usize).to_string(), x: file, y: h });
        let ranks = (0..h).map(|rank| Label { text: (rank + 1).to_string(), x: -1, y: h - 1 - rank });
        View { layout: Layout::Square, cells, pieces, labels: files.chain(ranks).collect(), notes: Vec::new() }
    }

    /// Marks the cells that the last move touched.
    pub fn mark(&mut self, cells: impl IntoIterator<Item = usize>) {
        for cell in cells {
            self.cells[cell].marked = true;
        }
    }
}

/// The letter of a file, from 0: `a` to `z`.
fn file_letter(file: usize) -> char {
    char::from(b'a' + u8::try_from(file).expect("boards are narrower than 26 files"))
}
