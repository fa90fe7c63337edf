//! Lanes tell of every position what the machine tells, whatever the vectors are.

mod support;

use ludens_game::{Game, Lanes, Seed};
use ludens_gdl::{Engine, Machine, Vectors};
use std::sync::Arc;
use support::lanes::{Walk, lanes_agree};
use support::opened;

fn machine(name: &str, text: &str) -> Arc<Machine> {
    match opened(name, text).engine {
        Engine::Machine(machine) => machine,
        Engine::Interpreter { reason, .. } => panic!("{name}: {reason}"),
    }
}

/// Random walks in some lanes of two blocks.
fn walks() -> Vec<Walk> {
    let lanes = (0..1024).step_by(29).chain([63, 64, 511, 512, 1023]);
    lanes.map(|lane| Walk { lane, given: Vec::new() }).collect()
}

const TIC_TAC_TOE: &str = include_str!("sheets/tictactoe.kif");

#[test]
fn tic_tac_toe_on_all_vectors() {
    let game = machine("tictactoe", TIC_TAC_TOE);
    for vectors in Vectors::available() {
        let mut lanes = game.lanes_with(1000, vectors);
        assert_eq!(lanes.lanes(), 1024);
        assert_eq!(lanes.phases(), 2, "whose turn it is is known");
        let ended = lanes_agree(&game, &mut lanes, &walks(), 60);
        assert!(ended > 100, "{}: {ended} games ended", vectors.name());
    }
}

#[test]
fn uniform_playouts_are_those_of_the_machine() {
    let game = machine("tictactoe", TIC_TAC_TOE);
    let mut results = Vec::new();
    for vectors in Vectors::available() {
        let mut lanes = game.lanes_with(512, vectors);
        let done = lanes.wander(4000, &mut Seed::new(1).rng());
        // X wins 0.585 and draws 0.127 of all uniform games, which have 7.653 steps.
        let mean = done.scores[0] / done.count as f64;
        assert!((mean - 0.6484).abs() < 0.003, "{mean}");
        assert_eq!((done.scores[0] + done.scores[1]).round() as u64, done.count);
        let length = done.steps as f64 / done.count as f64;
        assert!((length - 7.653).abs() < 0.02, "{length}");
        results.push(done);
    }
    assert!(results.iter().all(|done| *done == results[0]), "{results:?}");
}

#[test]
fn playouts_begin_at_home() {
    let game = machine("tictactoe", TIC_TAC_TOE);
    let mut lanes = game.lanes_with(1, Vectors::best());
    let mut state = game.initial();
    let [x, noop] =
        [game.parse_move(ludens_game::Role(0), "(mark 2 2)"), game.parse_move(ludens_game::Role(1), "noop")];
    game.advance(&mut state, &[x.unwrap(), noop.unwrap()]);
    for lane in 0..lanes.lanes() {
        lanes.set_home(lane, game.row(&state).unwrap());
    }
    let done = lanes.wander(4000, &mut Seed::new(1).rng());
    let length = done.steps as f64 / done.count as f64;
    assert!(length < 6.7, "{length}");
}
