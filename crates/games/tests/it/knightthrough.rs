//! Knightthrough against its slow version, and facts about it.

use crate::slow::{self, legal, line};
use crate::slow_race::{self, SlowRace};
use ludens_game::check::Plan;
use ludens_game::{Role, Seed, TurnGame};
use ludens_games::knightthrough::{Knightthrough, MAX_SIDE, MIN_HEIGHT, MIN_WIDTH};

/// A knight's leap forward, captures or not.
fn rule(files: i32, ranks: i32, _captures: bool) -> bool {
    ranks > 0 && ranks * files.abs() == 2
}

fn slow_game(width: usize, height: usize) -> SlowRace {
    SlowRace::new(width, height, rule)
}

#[test]
fn agrees_with_the_slow_version() {
    for (width, height) in [(MIN_WIDTH, MIN_HEIGHT), (5, 5), (8, 8), (4, 11), (11, 5)] {
        slow::agree(&Knightthrough::<u64>::new(width, height), || slow_game(width, height), 200, 1);
    }
    slow::agree(&Knightthrough::<u128>::new(6, 6), || slow_game(6, 6), 200, 2);
    slow::agree(&Knightthrough::<u128>::new(MAX_SIDE, MAX_SIDE), || slow_game(MAX_SIDE, MAX_SIDE), 200, 3);
}

#[test]
fn keeps_the_promises_of_games() {
    let plan = Plan { walks: 100, max_steps: 1_000, seed: 4 };
    for (width, height) in [(MIN_WIDTH, MIN_HEIGHT), (5, 5), (8, 8)] {
        slow::keeps_promises(&Knightthrough::<u64>::new(width, height), plan, 50);
    }
    slow::keeps_promises(&Knightthrough::<u128>::new(MAX_SIDE, 10), plan, 50);
}

#[test]
fn counts_move_paths() {
    let tables: [(usize, usize, &[u64]); 3] = [
        (8, 8, &[40, 1_600, 63_520, 2_521_306]),
        (5, 5, &[22, 470, 9_622, 178_820, 3_167_444]),
        (4, 5, &[16, 246, 3_574, 45_970, 553_260]),
    ];
    for (width, height, table) in tables {
        slow::counts_paths(&Knightthrough::<u64>::new(width, height), &slow_game(width, height), table);
        slow::counts_paths(&Knightthrough::<u128>::new(width, height), &slow_game(width, height), table);
    }
}

#[test]
fn knights_leap_forward_over_anything_and_capture_where_they_land() {
    let game = Knightthrough::<u64>::new(5, 5);
    let start = game.initial();
    for leap in ["c1-b3", "c1-d3", "c2-b4", "c2-d4", "c2-a3", "c2-e3"] {
        assert!(legal(&game, &start, leap).is_some(), "{leap}");
    }
    for step in ["c1-a2", "c1-e2", "c2-c3", "c2-b3"] {
        assert_eq!(legal(&game, &start, step), None, "{step}");
    }
    let state = line(&game, &["c2-b4"]);
    let view = game.view(&state);
    let knights = |role| view.cells.iter().filter(|cell| cell.piece == Some(role)).count();
    assert_eq!((knights(0), knights(1)), (10, 9));
    let white = legal(&game, &start, "c2-b4").unwrap();
    for text in ["c2b4", "C2xB4"] {
        assert_eq!(game.parse_move(Role(0), text), Some(white));
    }
    assert_eq!(game.parse_move(Role(1), "c2-b4"), None, "black moves down");
}

#[test]
fn codes_tell_captures() {
    slow_race::codes_tell_captures(&Knightthrough::<u64>::new(5, 5), || slow_game(5, 5));
}

#[test]
fn reaching_the_farthest_rank_wins() {
    let game = Knightthrough::<u64>::new(5, 5);
    let state = line(&game, &["c2-a3", "c4-b2", "a3-b5"]);
    let mut scores = [f64::NAN; 2];
    assert!(game.scores(&state, &mut scores));
    assert_eq!(scores, [1.0, 0.0]);
    assert_eq!(game.random_move(&state, &mut Seed::new(5).rng()), None);
}
