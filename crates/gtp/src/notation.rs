//! Points as the players of a game write them.
//!
//! - Go and all other square boards: `A1` is the lower left point, letters leave out `I`, as GTP says.
//! - Hex: `a1` is the upper left cell, letters include `i`, ranks count downwards, as in HexGui. There the first player connects
//!   top and bottom; in our sheet left and right. So columns and ranks are exchanged.
//! - Havannah: as HavannahGui writes cells, which is as our game names them: files that rise to the left, `i` included.

use ludens_game::{Layout, View};
use std::collections::BTreeMap;

/// The letters of files without `I`.
const GO_LETTERS: &[u8] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";
/// All letters.
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";

/// How the cells of a board are written.
#[derive(Clone, Debug)]
pub(crate) struct Notation {
    /// By cell.
    names: Vec<String>,
    /// The cells by their names in lower case.
    cells: BTreeMap<String, usize>,
    /// Points along the longer side, which `boardsize` means on square boards.
    pub(crate) side: usize,
}

impl Notation {
    /// The notation for a game whose board looks like this.
    ///
    /// # Errors
    /// If the board has no points that GTP could name.
    pub(crate) fn of(game: &str, view: &View) -> Result<Notation, String> {
        let (left, top) = (view.cells.iter().map(|cell| cell.x).min(), view.cells.iter().map(|cell| cell.y).min());
        let (Some(left), Some(top)) = (left, top) else { return Err("it has no board".into()) };
        let place = |cell: &ludens_game::Cell| ((cell.x - left) as usize, (cell.y - top) as usize);
        let width = view.cells.iter().map(|cell| place(cell).0 + 1).max().unwrap_or(0);
        let height = view.cells.iter().map(|cell| place(cell).1 + 1).max().unwrap_or(0);
        if view.layout == Layout::Free || width.max(height) > GO_LETTERS.len() {
            return Err(format!("its board is not one of at most {0} by {0} points", GO_LETTERS.len()));
        }
        // A sheet's last key counts its rows, which a board of hexagons may show from top to bottom.
        let row = |cell: &ludens_game::Cell| cell.name.rsplit(' ').next().and_then(|row| row.parse::<i32>().ok());
        let is_downwards = view.layout == Layout::Hex
            && view.cells.first().and_then(row).is_some_and(|top| view.cells.last().and_then(row) > Some(top));
        let name = |cell: &ludens_game::Cell| {
            let (x, y) = place(cell);
            if is_hex(game) {
                let row = if is_downwards { y } else { height - 1 - y };
                format!("{}{}", char::from(LETTERS[row]), x + 1)
            } else if view.layout == Layout::Hex && !cell.name.contains(' ') {
                cell.name.clone()
            } else {
                format!("{}{}", char::from(GO_LETTERS[x]), height - y)
            }
        };
        let names: Vec<String> = view.cells.iter().map(name).collect();
        let cells = names.iter().enumerate().map(|(cell, name)| (name.to_lowercase(), cell)).collect();
        // A board in the shape of a hexagon is as wide as two sides less the corner that they share; a rhombus is not.
        let is_hexagon = view.layout == Layout::Hex && view.cells.len() < width * height;
        let side = if is_hexagon { width.max(height).div_ceil(2) } else { width.max(height) };
        Ok(Notation { names, cells, side })
    }

    /// The name of a cell.
    pub(crate) fn name(&self, cell: usize) -> &str {
        &self.names[cell]
    }

    /// The cell of a name, in small or capital letters.
    pub(crate) fn cell(&self, name: &str) -> Option<usize> {
        self.cells.get(&name.to_lowercase()).copied()
    }
}

/// Whether a game is Hex, which is played on a rhombus.
fn is_hex(game: &str) -> bool {
    let name = game.rsplit([':', '/']).next().unwrap_or_default();
    name.trim_end_matches(".kif").trim_end_matches(|c: char| c.is_ascii_digit()) == "hex"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notation(game: &str) -> Notation {
        let game = ludens_catalog::open(game).unwrap();
        Notation::of(&game.name(), &game.start().view()).unwrap()
    }

    #[test]
    fn go_players_leave_out_i() {
        let board = notation("go:19");
        assert_eq!((board.name(0), board.name(7), board.name(8), board.name(360)), ("A1", "H1", "J1", "T19"));
        assert_eq!((board.cell("t19"), board.cell("J1"), board.cell("i1")), (Some(360), Some(8), None));
        assert_eq!(board.side, 19);
    }

    #[test]
    fn havannah_players_write_all_letters() {
        let board = notation("havannah:5");
        assert_eq!(board.side, 5);
        // The file in the middle is the longest; those to its right begin one rank higher each.
        let has = |name: &str| board.cell(name).is_some();
        assert!(has("a1") && has("a5") && !has("a6") && has("e9") && has("f2") && !has("f1"));
        assert!(has("i5") && has("i9") && !has("i4"), "i is a file");
    }

    #[test]
    fn hex_players_see_the_first_player_connect_top_and_bottom() {
        let game = ludens_catalog::open("gdl:hex7").unwrap();
        let position = game.clone().start();
        let board = notation("gdl:hex7");
        let red = ludens_game::Role(0);
        let named = |mv: &str| {
            let cells = position.touched_cells(red, position.parse_move(red, mv).unwrap());
            board.name(cells[0]).to_owned()
        };
        // Red connects x = 1 with x = 7: the first rank with the last.
        assert_eq!(named("(put 1 1)"), "a1");
        assert_eq!(named("(put 7 1)"), "a7");
        assert_eq!(named("(put 1 7)"), "g1");
    }

    #[test]
    fn only_hex_is_hex() {
        assert!(is_hex("gdl:hex7") && is_hex("/tmp/hex11.kif") && is_hex("misere-gdl:hex7"));
        assert!(!is_hex("gdl:hexpawn") && !is_hex("go:7x7") && !is_hex("gdl:connect5"));
    }
}
