//! Breakthrough against its slow version, and facts about it.

use crate::slow::{self, Slow, legal, line};
use crate::slow_race::{self, SlowRace};
use ludens_game::check::{Plan, conformance};
use ludens_game::{Objective, Role, Seed, TurnGame};
use ludens_games::breakthrough::{Breakthrough, MAX_SIDE, MIN_HEIGHT, MIN_WIDTH};

/// One rank forward: straight to empty cells, diagonally to any.
fn rule(files: i32, ranks: i32, captures: bool) -> bool {
    ranks == 1 && (files.abs() == 1 || files == 0 && !captures)
}

fn slow_game(width: usize, height: usize) -> SlowRace {
    SlowRace::new(width, height, rule)
}

#[test]
fn agrees_with_the_slow_version() {
    for (width, height) in [(MIN_WIDTH, MIN_HEIGHT), (5, 5), (8, 8), (3, 9), (9, 4)] {
        slow::agree(&Breakthrough::<u64>::new(width, height), || slow_game(width, height), 200, 1);
    }
    slow::agree(&Breakthrough::<u128>::new(6, 6), || slow_game(6, 6), 200, 2);
    slow::agree(&Breakthrough::<u128>::new(MAX_SIDE, MAX_SIDE), || slow_game(MAX_SIDE, MAX_SIDE), 200, 3);
}

#[test]
fn keeps_the_promises_of_games() {
    let plan = Plan { walks: 100, max_steps: 1_000, seed: 4 };
    for (width, height) in [(MIN_WIDTH, MIN_HEIGHT), (5, 5), (8, 8)] {
        slow::keeps_promises(&Breakthrough::<u64>::new(width, height), plan, 50);
    }
    slow::keeps_promises(&Breakthrough::<u128>::new(MAX_SIDE, 10), plan, 50);
}

#[test]
fn counts_move_paths() {
    let tables: [(usize, usize, &[u64]); 3] = [
        (8, 8, &[22, 484, 11_132, 256_036, 6_182_818]),
        (5, 5, &[13, 156, 1_924, 23_084, 289_828]),
        (3, 4, &[4, 20, 112, 500, 2_422, 9_526, 40_172]),
    ];
    for (width, height, table) in tables {
        slow::counts_paths(&Breakthrough::<u64>::new(width, height), &slow_game(width, height), table);
        slow::counts_paths(&Breakthrough::<u128>::new(width, height), &slow_game(width, height), table);
    }
}

#[test]
fn pawns_capture_diagonally_only() {
    let game = Breakthrough::<u64>::new(5, 5);
    let state = line(&game, &["c2-c3"]);
    assert_eq!(legal(&game, &state, "c4-c3"), None, "a pawn straight ahead blocks");
    for capture in ["b4-c3", "d4-c3"] {
        assert!(legal(&game, &state, capture).is_some(), "{capture}");
    }
    let state = line(&game, &["c2-c3", "b4-c3"]);
    let view = game.view(&state);
    let pawns = |role| view.cells.iter().filter(|cell| cell.piece == Some(role)).count();
    assert_eq!((pawns(0), pawns(1)), (9, 10));
}

#[test]
fn reaching_the_farthest_rank_wins() {
    let game = Breakthrough::<u64>::new(3, 4);
    let mut scores = [f64::NAN; 2];
    let state = line(&game, &["a2-b3", "c4-b3"]);
    assert!(!game.scores(&state, &mut scores));
    let state = line(&game, &["a2-b3", "c4-b3", "b2-a3", "b3-a2"]);
    assert!(!game.scores(&state, &mut scores));
    let state = line(&game, &["a2-b3", "c4-b3", "b2-a3", "b3-a2", "a3-b4"]);
    assert!(game.scores(&state, &mut scores));
    assert_eq!(scores, [1.0, 0.0]);
    assert_eq!(game.random_move(&state, &mut Seed::new(5).rng()), None);
}

#[test]
fn a_side_without_pawns_has_lost() {
    let game = Breakthrough::<u64>::new(3, 9);
    let mut rng = Seed::new(9).rng();
    let mut bare = [0, 0];
    for _ in 0..20_000 {
        let mut state = game.initial();
        while let Some(mv) = game.random_move(&state, &mut rng) {
            game.play(&mut state, mv);
        }
        let view = game.view(&state);
        for role in Role::all(2).filter(|role| view.cells.iter().all(|cell| cell.piece != Some(role.index()))) {
            let mut scores = [f64::NAN; 2];
            assert!(game.scores(&state, &mut scores));
            assert_eq!((scores[role.index()], scores[role.other().index()]), (0.0, 1.0));
            bare[role.index()] += 1;
        }
    }
    assert!(bare.iter().all(|&games| games > 0), "{bare:?} of the games end so");
}

#[test]
fn moves_read_as_players_write_them() {
    let game = Breakthrough::<u64>::new(8, 8);
    let white = legal(&game, &game.initial(), "a2-b3");
    for text in ["a2-b3", "a2b3", "a2xb3", "A2-B3", "A2XB3"] {
        assert_eq!(game.parse_move(Role(0), text), white, "{text}");
    }
    assert_eq!(game.parse_move(Role(1), "a2-b3"), None, "black moves down");
    assert_eq!(game.parse_move(Role(0), "a2-a4"), None);
    assert_eq!(game.touched_cells(Role(0), white.unwrap()), [8, 17]);
}

#[test]
fn codes_tell_captures() {
    slow_race::codes_tell_captures(&Breakthrough::<u64>::new(5, 5), || slow_game(5, 5));
}

#[test]
fn misere_turns_the_scores_round() {
    use ludens_game::Game;
    let (plain, game) = (Breakthrough::<u64>::new(5, 5), Objective::lose(Breakthrough::<u64>::new(5, 5)));
    let mut rng = Seed::new(7).rng();
    for _ in 0..100 {
        let (mut fast, mut slow) = (game.initial(), slow_game(5, 5));
        let mut scores = [f64::NAN; 2];
        while !game.scores(&fast, &mut scores) {
            assert_eq!(slow.scores(), None);
            let mv = plain.random_move(&fast, &mut rng).unwrap();
            slow.play(&game.move_name(plain.to_move(&fast), mv));
            plain.play(&mut fast, mv);
        }
        assert_eq!(slow.scores().unwrap().map(|score| 1.0 - score), scores);
    }
    conformance(&game, Plan { walks: 20, max_steps: 200, seed: 8 }).unwrap();
}

#[test]
fn transpositions_have_equal_hashes() {
    let game = Breakthrough::<u64>::new(8, 8);
    let hash = |names: &[&str]| game.hash(&line(&game, names));
    let one = hash(&["a2-a3", "a7-a6", "h2-h3", "h7-h6"]);
    assert_eq!(one, hash(&["h2-h3", "h7-h6", "a2-a3", "a7-a6"]));
    assert_ne!(one, hash(&["a2-a3", "a7-a6", "h2-h3", "g7-g6"]));
}
