//! Games at the keyboard, with the keyboard replaced by a pipe.

use crate::ludens::{command, finish, ludens};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// The output of a session that must end well.
fn session(args: &[&str], input: impl AsRef<[u8]>) -> String {
    let run = ludens(&[&["play"], args].concat(), input);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{args:?}\n{}", run.out);
    run.out
}

fn events(args: &[&str], input: &str) -> Vec<Value> {
    let out = session(&[args, &["--json"]].concat(), input);
    out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e} in {line}"))).collect()
}

#[test]
fn two_people_play_to_the_end() {
    // White connects the two lower corners along the edge.
    let out = session(&["havannah:3"], "a1\nc3\nb1\nd3\nc1\n");
    let expected = "\
havannah:3: white and black take turns at this keyboard. Type a move, or \"help\".

   5 · · ·
  4 · · · ·
 3 · · · · ·
  2 · · · · e
   1 · · · d
      a b c

white> a1
";
    assert!(out.starts_with(expected), "{out}");
    assert!(out.ends_with("1 ○ ○(○)d\n      a b c\n\nwhite wins.\n"), "{out}");
}

#[test]
fn misere_turns_the_result_round() {
    assert!(session(&["domineering:2"], "a1-a2\n").ends_with("vertical wins.\n"));
    assert!(session(&["misere-domineering:2"], "a1-a2\n").ends_with("horizontal wins.\n"));
}

#[test]
fn illegal_input_hears_why_and_what_is_legal() {
    let out = session(&["havannah:3"], "a1\na1\nq9\n");
    let legal = "18 legal moves for black:\n  b1 c1 a2 b2 c2 d2 a3 b3 c3 d3 e3 b4 c4 d4 e4 c5 d5 e5\n";
    assert!(out.contains(&format!("a1 is taken by a white stone.\n{legal}")), "{out}");
    assert!(out.contains(&format!("\"q9\" is not a move of this game.\n{legal}")), "{out}");
    assert!(out.ends_with("black> \nThe input ended before the game was over.\n"), "{out}");
}

#[test]
fn moves_of_the_other_side_and_halves_of_moves_are_told_apart() {
    let out = session(&["breakthrough:5"], "a4-a3\na2\nb2-a3\nb2-b3\n");
    assert!(out.contains("\"a4-a3\" is a move of black, not of white.\n"), "{out}");
    assert!(out.contains("\"a2\" is an incomplete move.\n"), "{out}");
    assert!(out.contains("\"b2-b3\" is a move of white, not of black.\n"), "{out}");
}

#[test]
fn commands_at_the_prompt() {
    let out = session(&["havannah:3"], "hint\nMOVES\nhelp\nundo\na1\nundo\na1\nresign\n");
    assert_eq!(out.matches("19 legal moves for white:").count(), 2, "{out}");
    assert!(out.contains("  undo "), "{out}");
    assert!(out.contains("There is nothing to undo."), "{out}");
    assert!(out.contains("Back at the start."), "{out}");
    assert!(out.ends_with("black resigns. white wins.\n"), "{out}");
    assert!(session(&["havannah:3"], "quit\na1\n").ends_with("white> quit\nYou left before the game was over.\n"));
}

#[test]
fn undo_against_a_random_mover_takes_its_reply_back_too() {
    let out = session(&["havannah:3", "--as", "Black", "--against", "random"], "undo\nhint\nc3\nundo\nquit\n");
    assert!(out.starts_with("havannah:3: you are black, white moves at random."), "{out}");
    assert!(out.contains("There is nothing to undo."), "{out}");
    // White's first move stays, black's and white's answer go.
    assert!(out.contains("Back after step 1."), "{out}");
}

#[test]
fn the_seed_decides_what_a_random_mover_does() {
    let game = |seed| session(&["go:5", "--against", "random", "--seed", seed], "c3\nc3\n");
    assert_eq!(game("1"), game("1"));
    assert_ne!(game("1"), game("2"));
}

#[test]
fn moves_can_be_given_from_the_start() {
    let given = events(&["havannah:3", "--moves", "a1, c3 b1"], "");
    assert_eq!(given[1]["step"], 3);
    assert_eq!(given[1]["legal"]["black"].as_array().expect("legal moves").len(), 16);
}

#[test]
fn garbage_ends_politely() {
    let long = vec![b'x'; 3_000_000];
    let noise: Vec<u8> = (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for garbage in [&b"\xff\xfe\x00\n\x1b[2J\n\r\r\n"[..], &long, &noise, b"", b"\n\n\n"] {
        for extra in [&["--json"][..], &["--against", "random"]] {
            let out = session(&[&["havannah:4"], extra].concat(), garbage);
            assert!(!out.contains('\x1b'), "an escape sequence came through");
            assert!(out.len() < 4_000_000, "{} bytes of answers", out.len());
        }
    }
}

#[test]
fn no_terminal_no_colour_and_the_locale_decides_the_characters() {
    let ascii = finish(command(&["play", "breakthrough:5"]).env("LC_ALL", "C"), "");
    assert_eq!(ascii.code, Some(0));
    assert!(ascii.out.is_ascii() && ascii.out.contains(" 1 P P P P P"), "{}", ascii.out);
    let unicode = finish(command(&["play", "breakthrough:5"]).env("NO_COLOR", "1"), "");
    assert!(unicode.out.contains('♟') && !unicode.out.contains('\x1b'), "{}", unicode.out);
}

#[test]
fn json_has_one_event_a_line() {
    let events = events(&["domineering:2x2"], "zz\na1-a2\n");
    let kinds: Vec<_> = events.iter().map(|event| event["event"].as_str().expect("a kind")).collect();
    assert_eq!(kinds, ["start", "position", "rejected", "move", "position", "over"]);
    assert_eq!(events[0]["game"], "domineering:2x2");
    assert_eq!(events[0]["roles"], serde_json::json!(["vertical", "horizontal"]));
    assert_eq!(events[1]["board"], serde_json::json!([" 2 . .", " 1 . .", "   a b"]));
    assert_eq!(events[3]["step"], 1);
    assert_eq!(
        events[5],
        serde_json::json!({
            "event": "over", "how": "finished", "scores": {"horizontal": 0.0, "vertical": 1.0}
        })
    );
}

/// Answers every position with the first legal move.
fn play_by_program(game: &str) -> Value {
    let mut child = command(&["play", game, "--against", "random", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a piped input");
    let stdout = BufReader::new(child.stdout.take().expect("a piped output"));
    let mut own = String::new();
    let mut last = Value::Null;
    for line in stdout.lines() {
        last = serde_json::from_str(&line.expect("a line")).expect("JSON");
        match last["event"].as_str() {
            Some("start") => own = last["people"][0].as_str().expect("a role").to_owned(),
            Some("position") => {
                if let Some(mv) = last["legal"][&own][0].as_str() {
                    writeln!(stdin, "{mv}").expect("the game listens");
                }
            }
            _ => {}
        }
    }
    assert!(child.wait().expect("the game ends").success(), "{game}");
    last
}

#[test]
fn programs_can_play_every_game() {
    let listed = ludens(&["games", "--json"], "");
    let games: Value = serde_json::from_str(&listed.out).expect("JSON");
    for game in games.as_array().expect("an array") {
        let name = game["name"].as_str().expect("a name");
        let over = play_by_program(name);
        assert_eq!((&over["event"], &over["how"]), (&"over".into(), &"finished".into()), "{over}");
        let scores: Vec<f64> = over["scores"].as_object().expect("scores").values().filter_map(Value::as_f64).collect();
        assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)), "{over}");
        assert_eq!(Some(scores.len()), game["roles"].as_array().map(Vec::len), "{over}");
        // Goals of a rulesheet may sum up to anything.
        assert!(name.starts_with("gdl:") || scores.iter().sum::<f64>() == 1.0, "{over}");
    }
}
