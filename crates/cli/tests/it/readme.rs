//! The documents tell the truth: their commands work, their sessions look as shown, their lists are current, their links lead
//! somewhere. The guides to writing a game and to GGP matches have tests of their own.

use crate::ludens::document::{blocks, document, follow, missing_links, root, words};
use crate::ludens::{command, finish, ludens};
use std::{collections::BTreeSet, path::PathBuf};

const LUDENS: &str = "cargo run --release -- ";

/// Documents that other tests follow step by step: `guide.rs`, `ggp.rs` and `web.rs`.
const GUIDES: [&str; 3] = ["docs/write-a-game.md", "docs/ggp.md", "docs/web.md"];

/// All documents, as paths from the top folder.
fn documents() -> Vec<String> {
    let folder = root().join("docs").read_dir().expect("there are documents");
    let names = folder.map(|file| file.expect("a readable folder").file_name().to_string_lossy().into_owned());
    let mut documents: Vec<String> =
        names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect();
    documents.sort();
    documents.extend(["README.md".to_owned(), "ARCHITECTURE.md".to_owned()]);
    documents
}

#[test]
fn every_command_works() {
    let texts: Vec<String> =
        documents().iter().filter(|path| !GUIDES.contains(&&***path)).map(|path| document(path)).collect();
    let lines = texts.iter().flat_map(|text| blocks(text, "sh").concat());
    let folder = std::env::temp_dir().join(format!("ludens-readme-results-{}", std::process::id()));
    let results = folder.to_str().expect("a path in UTF-8");
    let mut seen = BTreeSet::new();
    for line in lines {
        let Some(args) = line.strip_prefix(LUDENS).or(line.strip_prefix("ludens ")) else {
            let script = std::fs::metadata(root().join(line)).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert!(script.is_file(), "{line}");
            continue;
        };
        let mut args = words(args);
        if !seen.insert(args.clone()) {
            continue;
        }
        // `engines.rs` does.
        if args.starts_with(&["bench", "--network"]) {
            continue;
        }
        let is_quick = args.contains(&"--quick");
        if ["experiment", "reproduce"].contains(&args[0]) {
            args.extend(["--out", results]);
        }
        if is_quick {
            // As it stands it takes two minutes.
            args.extend(["--games", "2", "--shard", "0/32"]);
        }
        if args[0] == "bench" && !args[1].starts_with("--") {
            args.extend(["--seconds", "0.01", "--runs", "1"]);
        }
        // What talks to other programs waits for a word of them.
        let input = match args[0] {
            "gtp" => "quit\n",
            "engine" => "{\"id\":\"v\",\"action\":\"version\"}\n",
            _ => "",
        };
        let run = finish(command(&args).current_dir(root()), input);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{line}");
        assert!(!run.out.is_empty(), "{line}");
    }
    assert!(seen.len() >= 25, "{seen:?}");
    std::fs::remove_dir_all(folder).expect("it was written");
}

#[test]
fn every_session_looks_as_it_is_shown() {
    let text = document("README.md");
    let sessions = blocks(&text, "console");
    assert!(!sessions.is_empty());
    for session in sessions {
        follow(&session, LUDENS, root());
    }
}

#[test]
fn generated_documents_are_current() {
    let folder = std::env::temp_dir().join(format!("ludens-docs-{}", std::process::id()));
    let path = folder.to_str().expect("a path in UTF-8");
    let run = ludens(&["docs", path, "--json"], "");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let written: Vec<PathBuf> = serde_json::from_str(&run.out).expect("JSON");
    assert!(!written.is_empty());
    for path in &written {
        let name = path.file_name().expect("a file").to_string_lossy();
        let fresh = std::fs::read_to_string(path).expect("it was written");
        assert!(document(&format!("docs/{name}")) == fresh, "docs/{name} is outdated: run cargo run -- docs docs");
    }
    std::fs::remove_dir_all(folder).expect("it was written");
}

#[test]
fn the_first_documents_stay_short() {
    assert!(document("README.md").lines().count() <= 150);
    assert!(document("ARCHITECTURE.md").len() <= 15 * 1024);
}

/// The files in the tables of the code map, with the folder of their crate.
fn mapped_files(map: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folder = None;
    for line in map.lines() {
        if let Some(name) = line.strip_prefix("**`crates/").and_then(|rest| rest.split('`').next()) {
            folder = Some(root().join("crates").join(name));
        }
        let (Some(folder), Some(row)) = (&folder, line.strip_prefix("| `")) else { continue };
        let names = row.split('|').next().unwrap_or_default().split('`').step_by(2);
        files.extend(names.filter(|name| !name.trim().is_empty()).map(|name| match name.starts_with("ui/") {
            true => folder.join(name),
            false => folder.join("src").join(name),
        }));
    }
    files
}

#[test]
fn the_code_map_names_files_that_exist() {
    let mut files = mapped_files(&document("ARCHITECTURE.md"));
    assert!(files.len() > 100, "{}", files.len());
    files.retain(|file| !file.exists());
    assert_eq!(files, Vec::<PathBuf>::new());
    let wrong = mapped_files("**`crates/game`**: words.\n| `game.rs`, `none.rs` | x |");
    let exist: Vec<bool> = wrong.iter().map(|file| file.exists()).collect();
    assert_eq!(exist, [true, false]);
}

#[test]
fn every_link_leads_somewhere() {
    for path in documents() {
        assert_eq!(missing_links(&path), Vec::<PathBuf>::new(), "{path}");
    }
}

#[test]
fn the_rulesheet_is_a_game_without_remarks() {
    let text = document("README.md");
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
