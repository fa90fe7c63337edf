//! Sheets that people wrote, against the traces of an independent engine.
//!
//! `LUDENS_WALKS` sets how many random walks machine and interpreter make together on every sheet.

use crate::support::{agree, for_each_sheet, interpreter, opened};
use ludens_gdl::{Engine, GdlGame, trace};
use std::fmt::Write as _;

fn follow<G: GdlGame>(game: &G, trace: &str) -> Option<String> {
    trace::follow(game, trace).err().map(|error| format!("{}: {error}", game.name()))
}

#[test]
fn every_sheet_follows_its_traces() {
    let failures = std::sync::Mutex::new(String::new());
    let slow = std::sync::Mutex::new(Vec::new());
    for_each_sheet(|name, text, trace| {
        let failure = match opened(name, text).engine {
            Engine::Machine(game) => follow(&*game, trace),
            Engine::Interpreter { game, reason } => {
                slow.lock().unwrap().push(format!("{name}: {reason}"));
                follow(&*game, trace)
            }
        };
        if let Some(failure) = failure {
            writeln!(failures.lock().unwrap(), "{failure}").unwrap();
        }
    });
    let (failures, slow) = (failures.into_inner().unwrap(), slow.into_inner().unwrap());
    assert!(failures.is_empty(), "{failures}");
    assert!(slow.len() <= 8, "too many sheets need the interpreter: {slow:#?}");
}

#[test]
fn the_interpreter_follows_all_traces() {
    let failures = std::sync::Mutex::new(String::new());
    for_each_sheet(|name, text, trace| {
        if let Some(failure) = follow(&interpreter(name, text), trace) {
            writeln!(failures.lock().unwrap(), "{failure}").unwrap();
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn machine_and_interpreter_agree() {
    let walks = std::env::var("LUDENS_WALKS").map_or(1, |walks| walks.parse().unwrap());
    for_each_sheet(|name, text, _| {
        if let Engine::Machine(machine) = opened(name, text).engine {
            agree(&*machine, &interpreter(name, text), walks, 60);
        }
    });
}
