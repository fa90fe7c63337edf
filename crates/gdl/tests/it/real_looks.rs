//! Sheets that people wrote: what the checks say about them, and what their boards look like.

use crate::support::opened;
use ludens_game::Game;
use ludens_gdl::testing::real_sheets;
use ludens_gdl::{Checked, Engine, Severity};

fn text(folder: &std::path::Path, name: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(folder.join(format!("{name}.kif"))).unwrap()).into_owned()
}

#[test]
fn no_sheet_has_an_error() {
    let folder = real_sheets();
    let mut warnings = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(name) = name.strip_suffix(".kif") else { continue };
        for remark in Checked::new(&text(&folder, name)).diagnostics {
            assert_eq!(remark.severity, Severity::Warning, "{name}: {remark:?}");
            let known = remark.title.starts_with("nothing needs") || remark.title.ends_with("is not a role");
            assert!(known, "{name}: {remark:?}");
            warnings += 1;
        }
    }
    // Relations that nobody asks for, and one sheet with a goal of somebody who does not play.
    assert!(warnings <= 43, "{warnings} warnings");
}

#[test]
fn boards_are_found() {
    let folder = real_sheets();
    let boards = [
        ("breakthrough", 64, 32),
        ("knightThrough", 64, 32),
        ("checkers", 64, 24),
        ("connect4", 49, 7),
        ("connect5", 64, 0),
        ("quad_7x7", 45, 0),
        ("pentago", 36, 0),
        ("tictactoe_3d_2player", 64, 0),
        ("reversi", 64, 4),
        ("othello-comp2007", 64, 4),
        ("skirmish", 64, 32),
        ("pawnWhopping", 64, 16),
        ("sheepAndWolf", 64, 5),
        ("ttcc4", 34, 9),
        ("ttcc4_2player", 31, 6),
        ("chinook", 64, 28),
        ("nineBoardTicTacToe", 81, 0),
        ("sudokuGrade1", 81, 31),
        ("eightPuzzle", 9, 8),
        ("peg", 33, 32),
        // Named places and heaps are no grids.
        ("chineseCheckers3", 0, 0),
        ("nim3", 0, 0),
        ("survival", 0, 0),
    ];
    for (name, cells, pieces) in boards {
        let Engine::Machine(game) = opened(name, &text(&folder, name)).engine else { panic!("{name} is slow") };
        let view = game.view(&game.initial());
        let filled = view.cells.iter().filter(|cell| cell.piece.is_some()).count();
        assert_eq!((view.cells.len(), filled), (cells, pieces), "{name}");
    }
}
