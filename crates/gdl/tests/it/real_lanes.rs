//! Lanes on sheets that people wrote.

use crate::support::lanes::{Walk, lanes_agree};
use crate::support::{for_each_sheet, opened};
use ludens_game::{Game, Move, Role};
use ludens_gdl::{Engine, Machine, Vectors};

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
fn lanes_follow_all_traces_on_all_vectors() {
    for_each_sheet(|name, text, trace| {
        let Engine::Machine(machine) = opened(name, text).engine else { return };
        let given = given(&machine, trace);
        for vectors in Vectors::available() {
            let mut lanes = machine.lanes_with(512, vectors);
            // Every walk of the trace in two lanes, random walks in some others.
            let lane = |index: usize| index * 67 % 512;
            let walks =
                (given.iter().cloned().chain(given.iter().cloned()).chain([Vec::new(), Vec::new()]).enumerate())
                    .map(|(index, given)| Walk { lane: lane(index), given });
            lanes_agree(&machine, &mut lanes, &walks.collect::<Vec<_>>(), 20);
        }
    });
}
