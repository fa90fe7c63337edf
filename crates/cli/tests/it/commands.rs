//! The commands that print and end, and what bad arguments get to hear.

use crate::ludens::{command, ludens, refused_in_one_line};
use serde_json::Value;

/// The single JSON value that a successful run prints.
fn json(args: &[&str]) -> Value {
    let run = ludens(args, "");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{args:?}");
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{args:?}: {error} in {}", run.out))
}

fn names(value: &Value) -> Vec<&str> {
    value.as_array().expect("an array").iter().map(|name| name.as_str().expect("a name")).collect()
}

#[test]
fn games_lists_the_catalogue() {
    let games = json(&["games", "--json"]);
    let games = games.as_array().expect("an array");
    let listed: Vec<_> = games.iter().map(|game| game["name"].as_str().expect("a name")).collect();
    let (sheets, native): (Vec<&str>, Vec<&str>) = listed.iter().partition(|name| name.starts_with("gdl:"));
    assert!(native.contains(&"breakthrough") && native.contains(&"misere-nogo"), "{native:?}");
    assert!(sheets.contains(&"gdl:connect4") && sheets.contains(&"gdl:tictactoe"), "{sheets:?}");
    let is_sheet = |game: &&Value| game["name"].as_str().is_some_and(|name| name.starts_with("gdl:"));
    let measured =
        |paper: &str| games.iter().filter(is_sheet).filter(|game| names(&game["papers"]).contains(&paper)).count();
    assert_eq!((measured("sironi2021"), measured("tak2012")), (14, 14));
    for game in games {
        assert!(!names(&game["roles"]).is_empty(), "{game}");
        assert!(!game["about"].as_str().expect("a description").is_empty(), "{game}");
    }
    let go = games.iter().find(|game| game["name"] == "go").expect("go is a game");
    assert_eq!((&go["params"][1]["name"], &go["params"][1]["default"]), (&"komi".into(), &"7.5".into()));

    let text = ludens(&["games"], "");
    assert_eq!(text.code, Some(0));
    assert!(listed.iter().all(|name| text.out.contains(name)), "{}", text.out);
}

#[test]
fn perft_counts_paths() {
    let count = json(&["perft", "breakthrough:8", "--depth", "1", "--json"]);
    assert_eq!(count, serde_json::json!({"game": "breakthrough:8x8", "depth": 1, "nodes": 22}));
    let text = ludens(&["perft", "havannah:4", "--depth", "2"], "");
    assert_eq!((text.code, text.out.as_str()), (Some(0), "havannah:4 has 1,332 paths of 2 steps\n"));
}

#[test]
fn bench_measures_playouts() {
    let args = ["bench", "breakthrough:5", "havannah:4", "--seconds", "0.01", "--runs", "3"];
    let rows = json(&[&args[..], &["--json"]].concat());
    let rows = rows.as_array().expect("an array");
    let games: Vec<_> = rows.iter().map(|row| row["game"].as_str().expect("a name")).collect();
    assert_eq!(games, ["breakthrough:5x5", "havannah:4"]);
    for row in rows {
        let number = |field: &str| row[field].as_f64().unwrap_or_else(|| panic!("{field} in {row}"));
        assert_eq!(row["engine"], "machine", "{row}");
        assert!(number("playouts_per_s") > 0.0, "{row}");
        assert!(number("steps_per_s") > number("playouts_per_s"), "{row}");
        assert!((2.0..=37.0).contains(&number("mean_length")), "{row}");
        assert!((2.0..=37.0).contains(&number("mean_branching")), "{row}");
    }
    let text = ludens(&args, "");
    assert_eq!((text.code, text.err.as_str()), (Some(0), ""), "progress is for terminals");
    assert_eq!(text.out.lines().count(), 4, "{}", text.out);
}

#[test]
fn bench_without_games_measures_all_of_them() {
    let rows = json(&["bench", "--seconds", "0.001", "--runs", "1", "--json"]);
    let games = json(&["games", "--json"]);
    let names = games.as_array().expect("an array").iter().map(|game| game["name"].as_str().expect("a name"));
    let native = names.filter(|name| !name.starts_with("gdl:")).count();
    assert_eq!(rows.as_array().expect("an array").len(), native);
}

#[test]
fn bad_arguments_are_one_line_with_the_choices() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["playy"], &["playy", "games", "play", "perft", "bench"]),
        (&["games", "--colour"], &["--colour", "usage: ludens games"]),
        (&["play"], &["<GAME>", "usage: ludens play"]),
        (&["play", "chess"], &["unknown game \"chess\"", "atarigo", "havannah", "misere-nogo"]),
        (&["play", "breaktrough:5"], &["did you mean \"breakthrough\"?"]),
        (&["play", "chess\n\x1b[2J"], &["unknown game \"chess\\n\\u{1b}[2J\""]),
        (&["perft", "havannah:99", "--depth", "1"], &["havannah: side cannot be \"99\"", "3 to 12"]),
        (&["perft", "breakthrough:1x1", "--depth", "1"], &["size cannot be \"1x1\"", "to 11x11"]),
        (
            &["perft", "go:5,kom=1", "--depth", "1"],
            &["unknown parameter \"kom\" (did you mean \"komi\"?)", "size, komi, eyes"],
        ),
        (&["perft", "go:5"], &["--depth"]),
        (&["perft", "go:5", "--depth", "-1"], &["'-1'", "0 to 99"]),
        (&["perft", "go:5", "--depth", "4000000000"], &["'4000000000'", "0 to 99"]),
        (&["bench", "go:5", "chess"], &["unknown game \"chess\"", "atarigo"]),
        (&["bench", "go:5", "--seconds", "inf"], &["'inf'", "0.001 to 3600"]),
        (&["bench", "go:5", "--engine", "lanes"], &["go:5x5", "has no lanes", "auto, machine, interp"]),
        (&["bench", "go:5", "--engine", "interp"], &["go:5x5 is a native game", "only rulesheets", "tictactoe"]),
        (&["bench", "--engine", "interp"], &["is a native game", "gdl:NAME"]),
        (&["match", "go:5", "uct", "uct", "--engine", "interp"], &["go:5x5 is a native game", "a .kif file"]),
        (&["bench", "go:5", "--engine", "lane"], &["'lane'", "auto, machine, lanes, gpu, interp"]),
        (&["bench", "go:5", "--policies", "--engine", "lanes"], &["go:5x5 has no lanes", "only compiled rulesheets"]),
        (&["bench", "go:5", "--runs", "0"], &["'0'", "1 to 1000"]),
        (&["player", "--port", "70000"], &["'70000'", "0 to 65535"]),
        (&["player", "--host", "here"], &["'here'"]),
        (&["player", "--player", "magic"], &["selection rules: uct, rave, grave"]),
        (&["player", "--mem", "3"], &["at least 64KiB"]),
        (&["player", "--log", "no/such/folder/log"], &["cannot write the log no/such/folder/log"]),
        (&["referee", "gdl:nim", "random"], &["needs 2 players, for first, second; 1 given"]),
        (&["referee", "gdl:nimm", "random"], &["did you mean \"nim\"?"]),
        (&["referee", "go:5", "random", "random"], &["has no rulesheet to send", "gdl:NAME", "tictactoe"]),
        (&["referee", "gdl:nim", "random", "host:0"], &["not random, human or an address", "selection rules: uct"]),
        (&["referee", "gdl:nim", "random", "random", "--start", "0"], &["'0'", "1 to 86400"]),
        (&["referee", "gdl:nim", "random", "random", "--matches", "-1"], &["'-1'", "1 to"]),
        (&["play", "go:5", "--against", "me"], &["'me'", "human, random"]),
        (&["play", "go:5", "--as", "red"], &["no role \"red\"", "black, white"]),
        (&["play", "go:5", "--seed", "x"], &["'x'", "0 to 18446744073709551615"]),
        (&["play", "havannah:3", "--moves", "a1 q9"], &["move 2: \"q9\"", "b1, c1", "e5"]),
        (&["play", "havannah:3", "--moves", "a1,a1"], &["a1 is taken by a white stone", "b1, c1", "e5"]),
        (&["play", "domineering:2", "--moves", "a1-a2 a1-b1"], &["after the end of the game"]),
    ];
    refused_in_one_line(cases);
}

#[test]
fn without_arguments_there_is_help() {
    let nothing = ludens(&[], "");
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(2), ""));
    let help = ludens(&["--help"], "");
    assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
    for text in [nothing.err, help.out] {
        assert!(["games", "play", "match"].iter().all(|command| text.contains(command)), "{text}");
        assert!(!text.contains("docs"), "a command for developers is not listed: {text}");
    }
    assert_eq!(ludens(&["--version"], "").out, concat!("ludens ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    for args in
        [&["games"][..], &["games", "--json"], &["--help"], &["perft", "go:5", "--depth", "1"], &["play", "go:5"]]
    {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = command(args).stdout(writer).stdin(std::process::Stdio::null()).output().expect("it starts");
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::File::create("/dev/full").expect("Linux has it");
    let output = command(&["games"]).stdout(full).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.starts_with("error: cannot read or write: ") && text.lines().count() == 1, "{text}");
}
