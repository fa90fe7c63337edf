//! Sheets without errors are played by both engines, which must tell the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ludens_game::{Game, Move, Role};
use ludens_gdl::ground::Limits;
use ludens_gdl::{Checked, Engine, GdlGame, Interpreter, open};
use std::sync::Arc;
use std::time::Duration;

const LIMITS: Limits = Limits { time: Duration::from_secs(1), atoms: 2_000, instances: 20_000, ..Limits::DEFAULT };
const STEPS: usize = 5;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let Ok(opened) = open("sheet", &text, LIMITS) else { return };
    let Engine::Machine(machine) = opened.engine else { return };
    let interpreter = Interpreter::new("sheet", Arc::new(Checked::new(&text).rules));
    let (mut here, mut there) = (machine.initial(), interpreter.initial());
    for step in 0..STEPS {
        let (ours, theirs) = (picture(&*machine, &here), picture(&interpreter, &there));
        if interpreter.exhausted() {
            return;
        }
        assert_eq!(ours, theirs, "step {step}");
        if ours.terminal || ours.legal.iter().any(Vec::is_empty) {
            return;
        }
        machine.view(&here);
        let joint: Vec<&String> = ours.legal.iter().map(|names| &names[step % names.len()]).collect();
        play(&*machine, &mut here, &joint);
        play(&interpreter, &mut there, &joint);
    }
});

/// All that a game tells about a state.
#[derive(Debug, PartialEq)]
struct Picture {
    facts: Vec<String>,
    terminal: bool,
    legal: Vec<Vec<String>>,
    goals: Vec<Vec<i32>>,
}

fn picture<G: GdlGame>(game: &G, state: &G::State) -> Picture {
    let terminal = game.is_terminal(state);
    let legal = |role| {
        let mut moves = Vec::new();
        if !terminal {
            game.legals(state, role, &mut moves);
        }
        sorted(moves.into_iter().map(|mv| game.move_name(role, mv)))
    };
    Picture {
        facts: sorted(game.facts(state)),
        terminal,
        legal: Role::all(game.roles()).map(legal).collect(),
        goals: Role::all(game.roles()).map(|role| sorted(game.goals(state, role))).collect(),
    }
}

fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_unstable();
    items
}

fn play<G: GdlGame>(game: &G, state: &mut G::State, joint: &[&String]) {
    let parse = |(role, name): (Role, &&String)| game.parse_move(role, name).expect("a legal move has its name");
    let joint: Vec<Move> = Role::all(joint.len()).zip(joint).map(parse).collect();
    game.advance(state, &joint);
}
