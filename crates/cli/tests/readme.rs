//! The README tells the truth: its commands work, and its sessions look as it shows them.

#[allow(dead_code)]
mod ludens;

use ludens::document::{blocks, document, follow, missing_links, root, words};
use ludens::{command, finish, ludens};
use std::path::PathBuf;

const LUDENS: &str = "cargo run --release -- ";

fn readme() -> String {
    document("README.md")
}

#[test]
fn every_command_works() {
    let text = readme();
    let commands: Vec<_> = blocks(&text, "sh").concat();
    assert!(commands.len() >= 6, "{commands:?}");
    let folder = std::env::temp_dir().join(format!("ludens-readme-results-{}", std::process::id()));
    let results = folder.to_str().expect("a path in UTF-8");
    for line in commands {
        let Some(args) = line.strip_prefix(LUDENS) else {
            let script = std::fs::metadata(root().join(line)).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert!(script.is_file(), "{line}");
            continue;
        };
        let mut args = words(args);
        let is_quick = args.contains(&"--quick");
        if ["experiment", "reproduce"].contains(&args[0]) {
            args.extend(["--out", results]);
        }
        if is_quick {
            // As it stands it takes two minutes.
            args.extend(["--games", "2"]);
        }
        let run = finish(command(&args).current_dir(root()), "");
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{line}");
        assert!(!run.out.is_empty(), "{line}");
    }
    std::fs::remove_dir_all(folder).expect("it was written");
}

#[test]
fn every_session_looks_as_it_is_shown() {
    let text = readme();
    let sessions = blocks(&text, "console");
    assert!(!sessions.is_empty());
    for session in sessions {
        follow(&session, LUDENS, root());
    }
}

#[test]
fn every_game_is_named() {
    let games: serde_json::Value = serde_json::from_str(&ludens(&["games", "--json"], "").out).expect("JSON");
    let text = readme();
    for game in games.as_array().expect("an array") {
        let name = game["name"].as_str().expect("a name");
        assert!(text.contains(&format!("`{name}`")), "{name} is missing");
    }
}

#[test]
fn every_link_leads_somewhere() {
    assert_eq!(missing_links("README.md"), Vec::<PathBuf>::new());
}

#[test]
fn the_rulesheet_is_a_game_without_remarks() {
    let text = readme();
    let sheets = blocks(&text, "lisp");
    let file = std::env::temp_dir().join(format!("ludens-readme-{}.kif", std::process::id()));
    assert_eq!(sheets.len(), 1);
    std::fs::write(&file, sheets[0].join("\n")).expect("a writable folder");
    let path = file.to_str().expect("a path in UTF-8");
    let check = ludens(&["gdl", "check", path, "--json"], "");
    assert_eq!((check.code, check.err.as_str()), (Some(0), ""), "{}", check.out);
    let remarks: serde_json::Value = serde_json::from_str(&check.out).expect("JSON");
    assert!(!check.out.contains("\"severity\":\"warning\""), "{remarks}");
    // Two heaps of two are lost for who begins: whatever one takes, the other takes from the other heap.
    let contest =
        ludens(&["match", path, "uct@solver=on", "uct@solver=on", "--games", "4", "--sims", "200", "--json"], "");
    let result: serde_json::Value = serde_json::from_str(&contest.out).expect("JSON");
    assert_eq!(result["players"][0]["wins"], 2, "{result}");
    let perft = ludens(&["perft", path, "--depth", "1", "--json"], "");
    assert!(perft.out.contains("\"nodes\":4"), "{}", perft.out);
    std::fs::remove_file(&file).expect("it was written");
}
