//! What the tests of this crate share.

#![allow(dead_code, unreachable_pub)] // Every test file takes what it needs.

pub mod lanes;

use ludens_game::{Move, Role, Seed};
use ludens_gdl::{Engine, GdlGame, Interpreter, Limits, Opened, Rules, Sheet, open};
use std::sync::Arc;

/// Opens a sheet that must be playable.
pub fn opened(name: &str, text: &str) -> Opened {
    open(name, text, Limits::default()).unwrap_or_else(|remarks| panic!("{name} is refused: {remarks:#?}"))
}

/// The sheet as played by proving.
pub fn interpreter(name: &str, text: &str) -> Interpreter {
    let mut remarks = Vec::new();
    let sheet = Sheet::read(text, &mut remarks);
    let rules = Rules::new(&sheet, &mut remarks);
    assert!(remarks.iter().all(|remark| !remark.is_error()), "{remarks:#?}");
    Interpreter::new(name, Arc::new(rules))
}

/// The names of a state's facts, of all roles' legal moves, and the goals; all sorted.
#[derive(Debug, PartialEq, Eq)]
pub struct Picture {
    pub facts: Vec<String>,
    pub terminal: bool,
    pub legal: Vec<Vec<String>>,
    pub goals: Vec<Vec<i32>>,
}

pub fn picture<G: GdlGame>(game: &G, state: &G::State) -> Picture {
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    let terminal = game.is_terminal(state);
    let roles = || Role::all(game.roles());
    let legal = |role| {
        let mut moves = Vec::new();
        if !terminal {
            game.legals(state, role, &mut moves);
        }
        sorted(moves.into_iter().map(|mv| game.move_name(role, mv)).collect())
    };
    let goals = |role| {
        let mut goals = game.goals(state, role);
        goals.sort_unstable();
        goals
    };
    Picture {
        facts: sorted(game.facts(state)),
        terminal,
        legal: roles().map(legal).collect(),
        goals: roles().map(goals).collect(),
    }
}

/// Plays moves by their names.
pub fn play<G: GdlGame>(game: &G, state: &mut G::State, joint: &[&str]) {
    let joint: Vec<Move> = (Role::all(game.roles()).zip(joint))
        .map(|(role, name)| game.parse_move(role, name).unwrap_or_else(|| panic!("{name} is no move")))
        .collect();
    game.advance(state, &joint);
}

/// Walks two games together at random; everything that they tell must be the same.
pub fn agree<A: GdlGame, B: GdlGame>(a: &A, b: &B, walks: u64, max_steps: usize) {
    for walk in 0..walks {
        let mut rng = Seed::new(11).at(walk).rng();
        let (mut here, mut there) = (a.initial(), b.initial());
        for step in 0..max_steps {
            let (ours, theirs) = (picture(a, &here), picture(b, &there));
            assert_eq!(ours, theirs, "{} walk {walk} step {step}", a.name());
            if ours.terminal || ours.legal.iter().any(Vec::is_empty) {
                break;
            }
            let joint: Vec<&str> =
                ours.legal.iter().map(|names| &*names[rng.below(names.len() as u32) as usize]).collect();
            play(a, &mut here, &joint);
            play(b, &mut there, &joint);
        }
    }
}

/// Walks the machine of a sheet, which must have one, with the interpreter.
pub fn machine_agrees(name: &str, text: &str, walks: u64) {
    match opened(name, text).engine {
        Engine::Machine(machine) => agree(&*machine, &interpreter(name, text), walks, 100),
        Engine::Interpreter { reason, .. } => panic!("{name}: {reason}"),
    }
}

/// Calls `visit` with name, text and trace of every sheet, on all processors.
pub fn for_each_sheet(visit: impl Fn(&str, &str, &str) + Sync) {
    let folder = ludens_gdl::testing::real_sheets();
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".kif").map(str::to_owned))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    let text = std::fs::read(folder.join(format!("{name}.kif"))).unwrap();
                    let trace = std::fs::read_to_string(folder.join(format!("traces/{name}.jsonl"))).unwrap();
                    visit(name, &String::from_utf8_lossy(&text), &trace);
                }
            });
        }
    });
}
