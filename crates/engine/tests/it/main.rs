//! Whole sessions, from lines to lines.

use ludens_engine::{Options, serve};
use ludens_search::InMemory;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::io::{Cursor, Read};
use std::sync::{Arc, mpsc};

fn options(searches: usize) -> Options {
    Options { searches, memory: 256 << 20, learned: Arc::new(InMemory::default()) }
}

/// All answers to some lines.
fn answers(searches: usize, input: impl Read + Send + 'static) -> Vec<Value> {
    let mut out = Vec::new();
    serve(options(searches), input, &mut out).expect("memory can be written");
    let text = String::from_utf8(out).expect("answers are text");
    text.lines().map(|line| serde_json::from_str(line).expect("an answer is JSON")).collect()
}

fn lines(values: &[Value]) -> Cursor<Vec<u8>> {
    Cursor::new(values.iter().map(|value| format!("{value}\n")).collect::<String>().into_bytes())
}

/// An input that a test writes to while the engine reads.
struct Live(mpsc::Receiver<Vec<u8>>, Vec<u8>);

impl Read for Live {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let count = buffer.len().min(self.1.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

#[test]
fn many_positions_are_answered_each_under_its_id_and_turn() {
    let query = json!({ "id": "a", "game": "breakthrough:5", "moves": ["a2-a3", "a4-b3"], "turns": [0, 1, 2],
                        "player": "uct+mast", "budget": "sims=200" });
    let other = json!({ "id": "b", "game": "gdl:tictactoe", "budget": "sims=100", "report_every": 1e-9 });
    let all = answers(2, lines(&[query, other]));
    let of = |id: &str, turn: usize| {
        let last = all.iter().rfind(|answer| answer["id"] == id && answer["turn"] == turn);
        last.unwrap_or_else(|| panic!("{id} {turn}: {all:?}"))
    };
    for (turn, role) in [(0, "white"), (1, "black"), (2, "white")] {
        let answer = of("a", turn);
        assert_eq!((&answer["event"], &answer["role"], &answer["cut"]), (&json!("done"), &json!(role), &Value::Null));
        assert_eq!(answer["thought"]["simulations"], 200);
        assert!(answer["thought"]["arms"].as_array().expect("arms").iter().any(|arm| arm["move"] == answer["move"]));
    }
    assert_eq!(of("b", 0)["event"], "done");
    let same =
        json!({ "id": "c", "game": "breakthrough:5", "moves": ["a2-a3"], "player": "uct+mast", "budget": "sims=200" });
    let again = answers(1, lines(&[same]));
    assert_eq!(again[0]["thought"]["arms"], of("a", 1)["thought"]["arms"], "the same seed gives the same answer");
}

#[test]
fn what_waits_is_cancelled_and_what_runs_ends_early() {
    let (send, receive) = mpsc::channel();
    let say = move |value: Value| send.send(format!("{value}\n").into_bytes()).expect("the engine reads");
    let long = |id: &str| json!({ "id": id, "game": "breakthrough:8", "budget": "ms=60000", "report_every": 0.1 });
    say(long("runs"));
    say(long("waits"));
    let (reports, told) = mpsc::channel();
    let engine = std::thread::spawn(move || {
        let mut out = Watched { sender: reports, line: Vec::new() };
        serve(options(1), Live(receive, Vec::new()), &mut out).expect("the test listens");
    });
    let next = || told.recv_timeout(std::time::Duration::from_secs(20)).expect("an answer");
    let first = next();
    assert_eq!((&first["id"], &first["event"]), (&json!("runs"), &json!("report")));
    say(json!({ "id": "twice", "action": "version" }));
    say(long("runs"));
    say(json!({ "id": "stop", "action": "terminate_all" }));
    drop(say);
    let mut rest =
        std::iter::from_fn(|| told.recv().ok()).filter(|answer| answer["event"] != "report").collect::<Vec<_>>();
    engine.join().expect("it ends with its input");
    rest.sort_by_key(|answer| answer["event"].to_string());
    let told: Vec<String> = rest.iter().map(|answer| format!("{} {}", answer["id"], answer["event"])).collect();
    let expected = ["stop acknowledged", "waits cancelled", "runs done", "runs failed", "twice version"];
    assert_eq!(told.join(", ").replace('"', ""), expected.join(", "));
    assert_eq!(rest[2]["cut"], "it was cancelled");
    assert_eq!(rest[3]["error"], "the id \"runs\" is in use");
}

/// Gives every line to the test.
struct Watched {
    sender: mpsc::Sender<Value>,
    line: Vec<u8>,
}

impl std::io::Write for Watched {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let _ = self.sender.send(serde_json::from_slice(&self.line).expect("an answer is JSON"));
                self.line.clear();
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn bad_questions_are_answered_with_the_reason() {
    let ask = |more: Value| {
        let mut query = json!({ "id": "q", "game": "breakthrough:5", "budget": "sims=10" });
        for (key, value) in more.as_object().expect("fields") {
            query[key] = value.clone();
        }
        let all = answers(1, lines(&[query]));
        assert_eq!((all.len(), &all[0]["event"]), (1, &json!("failed")), "{all:?}");
        all[0]["error"].as_str().expect("a reason").to_owned()
    };
    for (more, why) in [
        (json!({ "game": "chess" }), "unknown game"),
        (json!({ "moves": ["a1"] }), "move 1: \"a1\" is not a legal move of white"),
        (json!({ "turns": [1] }), "there is no turn 1: 0 moves are given"),
        (json!({ "player": "magic" }), "selection rules: "),
        (json!({ "player": "uct@threads=2" }), "at most 1 thread here, not 2"),
        (json!({ "budget": "hours=3" }), "limits: sims"),
        (json!({ "budget": "ms=600000" }), "300 s here"),
        (json!({ "role": "red" }), "there is no role \"red\"; roles: white, black"),
        (json!({ "game": "domineering:2", "moves": ["a1-a2"] }), "the game is over"),
        (json!({ "priority": "high" }), "invalid type"),
    ] {
        let error = ask(more.clone());
        assert!(error.contains(why), "{more}: {error}");
    }
    let long = format!("{}\n{{\"id\":\"v\",\"action\":\"version\"}}\n", "x".repeat(3 << 20));
    let all = answers(1, Cursor::new(long.into_bytes()));
    assert!(all[0]["error"].as_str().expect("a reason").contains("at most 1048576 bytes"), "{all:?}");
    assert_eq!((all.len(), &all[1]["id"], &all[1]["searches"]), (2, &json!("v"), &json!(1)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_end_the_session(input in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut input = input;
        input.extend(b"\n{\"id\":\"last\",\"action\":\"version\"}\n");
        let all = answers(1, Cursor::new(input));
        prop_assert_eq!(&all.last().expect("an answer")["id"], "last");
    }
}
