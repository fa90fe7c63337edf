//! The guide to writing a game is followed to the letter: its files are written, its commands run, its sessions compared.

use crate::ludens::document::{all_blocks, document, follow, missing_links, words};
use crate::ludens::{command, finish};
use std::path::{Path, PathBuf};

const GUIDE: &str = "docs/write-a-game.md";
const LUDENS: &str = "ludens ";

/// The files that a reader of the guide has written so far, in an own folder.
struct Workspace {
    folder: PathBuf,
    /// The blocks of the only file that grows.
    written: Vec<String>,
}

impl Workspace {
    fn new() -> Workspace {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide");
        std::fs::create_dir_all(&folder).expect("a writable folder");
        Workspace { folder, written: Vec::new() }
    }

    /// `FILE` adds to the file, `FILE instead` replaces what was added last.
    fn write(&mut self, title: &str, lines: &[&str]) {
        let (file, how) = title.split_once(' ').unwrap_or((title, ""));
        match how {
            "" => {}
            "instead" => drop(self.written.pop()),
            _ => panic!("{title:?} is not a way to write a file"),
        }
        self.written.push(lines.iter().map(|line| format!("{line}\n")).collect());
        std::fs::write(self.folder.join(file), self.written.join("\n")).expect("a writable folder");
    }
}

#[test]
fn the_guide_can_be_followed() {
    let text = document(GUIDE);
    let mut workspace = Workspace::new();
    let mut codes = Vec::new();
    for block in all_blocks(&text) {
        match block.language {
            "lisp" if !block.title.is_empty() => workspace.write(block.title, &block.lines),
            "console" => codes.push(follow(&block.lines, LUDENS, &workspace.folder).code),
            "sh" => {
                for line in block.lines {
                    let Some(args) = line.strip_prefix(LUDENS) else {
                        assert!(line.starts_with("cargo install "), "{line}");
                        continue;
                    };
                    let run = finish(command(&words(args)).current_dir(&workspace.folder), "");
                    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{line}");
                    assert!(!run.out.is_empty(), "{line}");
                }
            }
            "lisp" | "" => {}
            other => panic!("a block in {other}"),
        }
    }
    // A reader first meets errors and then a game.
    assert!(codes.contains(&Some(2)) && codes.ends_with(&[Some(0), Some(0)]), "{codes:?}");
}

#[test]
fn every_link_leads_somewhere() {
    assert_eq!(missing_links(GUIDE), Vec::<PathBuf>::new());
}
