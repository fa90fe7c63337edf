//! Sheets that are meant to hurt, and files that are no sheets: one line with place and reason, exit code 2, in little time and memory.

use crate::ludens::command;
use ludens_gdl::testing::hostile;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Ten times what is promised, for a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(20);

/// Address space in KiB: 200 MB, and what a process reserves without using it.
const SPACE: usize = 300 << 10;

/// Runs the binary in bounded memory; exit code, and everything that it said.
fn bounded(args: &[&str]) -> (Option<i32>, String) {
    let program = command(&[]).get_program().to_owned();
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &format!("ulimit -v {SPACE} && exec \"$0\" \"$@\"")]).arg(program).args(args);
    let start = Instant::now();
    let output = shell.stdin(Stdio::null()).output().expect("a shell");
    assert!(start.elapsed() < PATIENCE, "{args:?} took {:?}", start.elapsed());
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).expect("text"))
}

fn file(name: &str, bytes: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("the file is written");
    path.into_os_string().into_string().expect("the path is text")
}

#[test]
fn hostile_sheets_are_refused_by_every_command() {
    for (number, sheet) in hostile().into_iter().enumerate() {
        let path = file(&format!("hostile{number}.kif"), sheet.text.as_bytes());
        let place = format!("{path}:{}:", sheet.line);
        let commands: [&[&str]; 6] = [
            &["gdl", "check", &path],
            &["gdl", "walk", &path],
            &["gdl", "walk", "--interpret", &path],
            &["gdl", "ground", &path],
            &["play", &path],
            &["analyze", &path, "--sims", "10"],
        ];
        for args in commands {
            let (code, said) = bounded(args);
            assert_eq!(code, Some(2), "{}: {args:?} said {said}", sheet.name);
            assert!(said.contains(sheet.error) && said.contains(&place), "{}: {args:?} said {said}", sheet.name);
        }
    }
}

#[test]
fn files_that_are_no_sheets_are_refused_while_they_are_read() {
    let (code, said) = bounded(&["gdl", "check", "/dev/zero"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("/dev/zero") && said.contains("1048576 bytes"), "{said}");
    let latin1 = file("latin1.kif", b"(role wei\xdf)\n(role wei\xdf2)");
    let (code, said) = bounded(&["gdl", "check", &latin1]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("line 1, column 10: the byte 0xdf is not UTF-8"), "{said}");
    let (code, said) = bounded(&["analyze", &latin1, "--sims", "10"]);
    assert!(code == Some(2) && said.contains("line 1, column 10"), "{said}");
}

#[test]
fn check_refuses_what_play_refuses() {
    let sheet = "(role you) (init a) (legal you go)
(<= p (true a) (not q)) (<= q (not p))
(<= (next a) (does you go) q) (<= terminal (not (true a))) (goal you 0)";
    let path = file("circle.kif", sheet.as_bytes());
    for args in [["gdl", "check", &path], ["gdl", "walk", &path]] {
        let (code, said) = bounded(&args);
        assert_eq!(code, Some(2), "{args:?} said {said}");
        assert!(said.contains("depends on its own negation") && said.contains(&format!("{path}:2:")), "{said}");
    }
}
