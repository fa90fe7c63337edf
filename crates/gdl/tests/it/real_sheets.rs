//! Sheets that people wrote, against the traces of an independent engine.
//!
//! Opening a sheet can take longer than all that is done with it, so one test makes all checks of the fast engines. Lanes follow with
//! the widest vectors, and on about every third sheet, chosen by its name, with all that the processor has; `lanes.rs` tries all on
//! random games.
//! `LUDENS_WALKS` sets how many random walks machine and interpreter make together on every sheet.

use crate::support::lanes::{Walk, lanes_agree};
use crate::support::{agree, for_each_sheet, interpreter, opened};
use ludens_game::{Game, Move, Role};
use ludens_gdl::{Engine, GdlGame, Machine, Vectors, trace};
use std::fmt::Write as _;

fn follow<G: GdlGame>(game: &G, trace: &str) -> Option<String> {
    trace::follow(game, trace).err().map(|error| format!("{}: {error}", game.name()))
}

#[test]
fn every_engine_plays_every_sheet_alike() {
    let walks = std::env::var("LUDENS_WALKS").map_or(1, |walks| walks.parse().unwrap());
    let failures = std::sync::Mutex::new(String::new());
    let slow = std::sync::Mutex::new(Vec::new());
    for_each_sheet(|name, text, trace| {
        let failure = match opened(name, text).engine {
            Engine::Machine(machine) => {
                let failure = follow(&*machine, trace);
                if failure.is_none() {
                    agree(&*machine, &interpreter(name, text), walks, 60);
                    lanes_follow(&machine, trace, name.len().is_multiple_of(4));
                }
                failure
            }
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

/// Lanes follow a trace with the widest vectors, or with all that the processor has.
fn lanes_follow(machine: &Machine, trace: &str, with_all: bool) {
    let given = given(machine, trace);
    let chosen = if with_all { Vectors::available() } else { vec![Vectors::best()] };
    let mut sets: Vec<_> = chosen.into_iter().map(|vectors| machine.lanes_with(512, vectors)).collect();
    // Every walk of the trace in two lanes, random walks in some others.
    let lane = |index: usize| index * 67 % 512;
    let walks = (given.iter().cloned().chain(given.iter().cloned()).chain([Vec::new(), Vec::new()]).enumerate())
        .map(|(index, given)| Walk { lane: lane(index), given });
    lanes_agree(machine, &mut sets, &walks.collect::<Vec<_>>(), 20);
}

/// The joint moves of every walk of a trace.
fn given(machine: &Machine, trace: &str) -> Vec<Vec<Vec<Move>>> {
    let mut walks: Vec<Vec<Vec<Move>>> = Vec::new();
    for line in trace.lines().skip(1) {
        let entry: serde_json::Value = serde_json::from_str(line).expect("a line of a trace");
        let walk = entry["walk"].as_u64().expect("its walk") as usize;
        walks.resize(walks.len().max(walk + 1), Vec::new());
        if let Some(joint) = entry["joint"].as_array() {
            let names = Role::all(joint.len()).zip(joint);
            let moves =
                names.map(|(role, name)| machine.parse_move(role, name.as_str().expect("a name")).expect("a move"));
            walks[walk].push(moves.collect());
        }
    }
    walks
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
