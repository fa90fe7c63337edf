//! The rulesheets in the binary, as a user meets them.

use crate::ludens::ludens;
use ludens_catalog::SHEETS;
use serde_json::Value;

#[test]
fn every_sheet_can_be_played() {
    for sheet in SHEETS {
        let name = format!("gdl:{}", sheet.name);
        // A match needs two seats.
        let args: &[&str] = match sheet.roles().len() {
            1 => &["play", &name, "--as", "none", "--against", "uct+mast", "--sims", "20"],
            _ => &["match", &name, "uct+mast", "uct", "--sims", "20", "--games", "2"],
        };
        let run = ludens(args, "");
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{name}");
        assert!(run.out.contains(&name), "{name}: {}", run.out);
    }
}

#[test]
fn every_sheet_is_checked_without_remarks() {
    for sheet in SHEETS {
        let name = format!("gdl:{}", sheet.name);
        let run = ludens(&["gdl", "check", &name], "");
        assert_eq!((run.code, run.out), (Some(0), format!("{name}: no errors, no warnings\n")));
    }
}

#[test]
fn show_prints_the_rules() {
    let nim = SHEETS.iter().find(|sheet| sheet.name == "nim").expect("there is nim");
    assert_eq!(ludens(&["gdl", "show", "gdl:nim"], "").out, nim.text);
    let told: Value = serde_json::from_str(&ludens(&["gdl", "show", "gdl:nim", "--json"], "").out).expect("JSON");
    assert_eq!(told, nim.text);
}

#[test]
fn unknown_sheets_are_refused_with_the_known_ones() {
    for args in [&["play", "gdl:conect4"][..], &["gdl", "info", "gdl:conect4"]] {
        let run = ludens(args, "");
        assert_eq!((run.code, run.err.lines().count()), (Some(2), 1), "{}", run.err);
        let parts = ["unknown rulesheet \"conect4\" (did you mean \"connect4\"?)", "amazons6, atarigo5", "tictactoe"];
        assert!(parts.iter().all(|part| run.err.contains(part)), "{}", run.err);
    }
}

#[test]
fn boards_are_drawn() {
    // A move in the middle of every board, as the player sees it.
    for (game, moves, line) in [
        ("gdl:atarigo5", "(put 3 4)", " 4 · ·(B)· ·"),
        ("gdl:domineering", "(place 1 3 1 4)", " 4(V)· · · · · · ·"),
        ("gdl:hex7", "(put 2 5)", "     5 ·(R)· · · · ·"),
        ("gdl:amazons6", "(move 2 1 2 4) (shoot 6 4)", " 4 · W · · ·(a)"),
        ("gdl:pegs", "(jump 1 3 1 5)", "     5(p)2"),
        ("gdl:col3", "(colour 5 5)", " 5 · · · ·(R)"),
        ("gdl:nogo5", "(put 1 1)", " 1(B)· · · ·"),
        ("gdl:tictactoe", "(mark 2 2)", " 2 ·(X)·"),
    ] {
        let run = ludens(&["play", game, "--moves", moves], "quit\n");
        assert_eq!(run.code, Some(0), "{game}: {}", run.err);
        assert!(run.out.lines().any(|shown| shown == line), "{game}: {}", run.out);
    }
}
