//! Searches with many simulations in flight: what they find, and that they keep to their budgets.

use crate::common::{choose, player};
use ludens_catalog as catalog;
use ludens_game::toy::TicTacToe;
use ludens_game::{Game, Role, Seed};
use ludens_gdl::{Engine, Limits, Machine};
use ludens_search::{BatchSize, Budget, InMemory, Player, Report, SearchObserver, Spec, presets};
use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

/// Role a chooses a branch, role b a leaf of it. A mean over leaves would prefer the first branch; the second is worth more.
const TRAP: &str = "
    (role a) (role b)
    (init choosing)
    (branch left) (branch right) (branch out)
    (leaf left 1 100) (leaf left 2 100) (leaf left 3 0) (leaf left 4 100)
    (leaf right 1 60) (leaf right 2 60)
    (opposite 100 0) (opposite 0 100) (opposite 60 40)
    (<= (legal a (go ?branch)) (true choosing) (branch ?branch))
    (<= (legal b noop) (true choosing))
    (<= (legal a noop) (true (at ?branch)))
    (<= (legal b (take ?leaf)) (true (at ?branch)) (leaf ?branch ?leaf ?points))
    (<= (next (at ?branch)) (does a (go ?branch)) (distinct ?branch out))
    (<= (next left-early) (does a (go out)))
    (<= (next (worth ?points)) (true (at ?branch)) (does b (take ?leaf)) (leaf ?branch ?leaf ?points))
    (<= terminal (true left-early))
    (<= terminal (true (worth ?points)))
    (<= (goal a 40) (true left-early))
    (<= (goal b 60) (true left-early))
    (<= (goal a ?points) (true (worth ?points)))
    (<= (goal b ?rest) (true (worth ?points)) (opposite ?points ?rest))";

fn machine(name: &str, rules: &str) -> Arc<Machine> {
    match ludens_gdl::open(name, rules, Limits::default()).expect("a sound sheet").engine {
        Engine::Machine(machine) => machine,
        Engine::Interpreter { reason, .. } => panic!("{name} has no machine: {reason}"),
    }
}

fn bundled(name: &str) -> Arc<Machine> {
    machine(name, &catalog::rules(&format!("gdl:{name}")).expect("a rulesheet in the binary"))
}

#[test]
fn exact_values_on_a_small_tree() {
    let game = machine("trap", TRAP);
    let right = game.parse_move(Role(0), "(go right)").expect("a move");
    for spec in ["uct", "uct(fpu=1)", "uct+mast", "uct(unvisited=policy)+ppa", "uct(c=1)+nppa", "uct@tt=off", "grave"] {
        let mut search = player(&game, 0, &format!("{spec}@batch=16"), 1);
        assert_eq!(choose(&mut search, 4000), right, "{spec}");
        let best = &search.report().arms[0];
        assert_eq!(best.mv, right, "{spec}");
        assert!((best.score.unwrap() - 0.6).abs() < 1e-9, "{spec}: {best:?}");
    }
    let mut search = player(&game, 0, "uct@solver=on,batch=16", 1);
    assert_eq!(choose(&mut search, 100_000), right);
    assert_eq!(search.report().proven, Some(0.6));
    assert!(search.effort().simulations < 200, "{}", search.effort().simulations);
}

#[test]
fn forced_wins_are_found() {
    let game = bundled("nim");
    // 3, 4 and 5: the one move that leaves an even position takes two of the three.
    let winning = game.parse_move(Role(0), "(leave a 1)").expect("a move");
    for spec in ["uct(c=0.7)@batch=8", "uct(c=0.7)+mast@batch=64", "uct+mast@batch=200", "uct@batch=32,threads=2"] {
        assert_eq!(choose(&mut player(&game, 0, spec, 3), 30_000), winning, "{spec}");
    }
    for batch in [2, 30, 500] {
        let mut search = player(&game, 0, &format!("uct+mast@solver=on,batch={batch}"), 3);
        assert_eq!(choose(&mut search, 1_000_000), winning, "{batch}");
        assert_eq!(search.report().proven, Some(1.0), "{batch}");
        assert!(search.effort().simulations < 100_000, "{batch}: {}", search.effort().simulations);
    }
}

/// One role; simultaneous moves; three roles; moves in turns, and two in a row; cycles in the rules.
const KINDS: [&str; 6] = ["pegs", "goofspiel", "chinesecheckers3", "tictactoe", "quad7", "atarigo5"];

#[test]
fn no_simulation_is_lost() {
    for name in KINDS {
        let game = bundled(name);
        for (chain, batch) in [("uct+mast", 7), ("rave+nst", 64), ("grave+lgrf+ppa", 30), ("uct(fpu=1)+nppa", 512)] {
            for role in 0..game.roles() as u8 {
                let mut search = player(&game, role, &format!("{chain}@think=every,batch={batch}"), 7);
                choose(&mut search, 333);
                let report = search.report();
                let visits: u64 = report.arms.iter().map(|arm| arm.visits).sum();
                assert_eq!(report.effort.simulations, 333, "{name} {chain}");
                assert!(report.arms.is_empty() || visits == 333, "{name} {chain}: {visits}");
                assert!(report.arms.iter().all(|arm| arm.score.is_none_or(|score| (0.0..=1.0).contains(&score))));
            }
        }
    }
}

/// The moves of a game that a spec plays against itself, and what each choice has cost.
fn record(game: &Arc<Machine>, spec: &str, seed: u64) -> Vec<(u32, u64)> {
    let mut players: Vec<_> = (0..game.roles() as u8)
        .map(|role| player(game, role, spec, Seed::new(seed).at(role.into()).rng().next_u64()))
        .collect();
    let mut state = game.initial();
    let mut record = Vec::new();
    while !game.scores(&state, &mut vec![0.0; players.len()]) {
        let joint: Vec<_> = players.iter_mut().map(|player| choose(player, 150)).collect();
        record.extend(joint.iter().zip(&players).map(|(mv, player)| (mv.0, player.effort().steps)));
        game.advance(&mut state, &joint);
        players.iter_mut().for_each(|player| player.observe(&joint));
    }
    record
}

#[test]
fn the_same_seed_gives_the_same_game() {
    for name in ["connect4", "goofspiel", "tictactoe"] {
        let game = bundled(name);
        for spec in ["uct+mast@solver=on,batch=20", "uct+nppa@batch=64,threads=2", "rave+nst@batch=9,reuse=off"] {
            let first = record(&game, spec, 1);
            assert_eq!(record(&game, spec, 1), first, "{name} {spec}");
            assert_ne!(record(&game, spec, 2), first, "{name} {spec}");
        }
    }
}

#[test]
fn budgets_are_kept() {
    let game = bundled("breakthrough");
    for batch in [16, 512] {
        let mut search = player(&game, 0, &format!("uct+mast@batch={batch}"), 1);
        let (mut spent, mut simulations) = (Duration::MAX, 0);
        // A busy machine may delay one search, or end it before the first simulations of the batch, but not all of them.
        for _ in 0..40 {
            let begun = Instant::now();
            search.choose(&Budget::time(Duration::from_millis(30)), &|| false);
            spent = begun.elapsed();
            assert!(spent >= Duration::from_millis(30), "{spent:?}");
            simulations += search.effort().simulations;
            if spent < Duration::from_millis(36) && simulations > 0 {
                break;
            }
        }
        assert!(spent < Duration::from_millis(36), "{spent:?}");
        assert_eq!(search.report().arms.iter().map(|arm| arm.visits).sum::<u64>(), simulations);
        assert!(simulations > 0);
        let mut search = player(&game, 0, &format!("uct@batch={batch}"), 1);
        search.choose(&"nodes=40".parse().unwrap(), &|| false);
        assert_eq!(search.report().nodes, 40);
    }
}

#[test]
fn auto_is_for_searches_against_a_clock() {
    // Lanes are many times faster here.
    let game = bundled("reversi");
    let arms = |spec: &str| {
        let mut search = player(&game, 0, spec, 4);
        (choose(&mut search, 100), search.report().arms)
    };
    assert_eq!(arms("uct+mast@batch=auto"), arms("uct+mast"));
    let ticks = |spec: &str| {
        let asked = std::cell::Cell::new(0_u64);
        let mut search = player(&game, 0, spec, 4);
        search.choose(&Budget::time(Duration::from_millis(20)), &|| {
            asked.set(asked.get() + 1);
            false
        });
        search.effort().simulations as f64 / asked.get() as f64
    };
    // One question per simulation; or one per tick, when several end.
    assert!(ticks("uct+mast") <= 1.0);
    // A busy machine can disturb the trial, so that it sees no gain.
    assert!((0..20).any(|_| ticks("uct+mast@batch=auto") > 1.5));
}

/// Every move is legal in every position, also in the finished ones.
const GO_ON: &str = "
    (role a) (role b)
    (init (left 2))
    (less 2 1) (less 1 0)
    (colour red) (colour green) (colour blue)
    (<= (legal ?role (show ?colour)) (role ?role) (colour ?colour))
    (<= (next (left ?n)) (true (left ?m)) (less ?m ?n))
    (<= (next (shown ?role ?colour)) (does ?role (show ?colour)))
    (<= same (true (shown a ?colour)) (true (shown b ?colour)))
    (<= terminal (true (left 0)))
    (<= (goal a 100) same) (<= (goal a 0) (not same))
    (<= (goal b 100) (not same)) (<= (goal b 0) same)";

#[test]
fn a_trial_leaves_the_search_at_its_root() {
    for (game, arms) in [(machine("go-on", GO_ON), 3), (bundled("tictactoe"), 9), (bundled("nogo5"), 25)] {
        for seed in 0..5 {
            let mut search = player(&game, 0, "uct+mast@solver=on,batch=auto", seed);
            let (mv, _) = search.choose(&Budget::time(Duration::from_millis(2)), &|| false);
            let mut legals = Vec::new();
            game.legals(&game.initial(), Role(0), &mut legals);
            assert!(legals.contains(&mv), "{}", game.name());
            let mut moves: Vec<_> = search.report().arms.iter().map(|arm| arm.mv).collect();
            moves.sort();
            assert_eq!((&moves, moves.len()), (&legals, arms), "{}", game.name());
        }
    }
}

#[test]
fn a_full_tree_stops_growing_and_the_search_goes_on() {
    let game = bundled("tictactoe");
    let mut search = player(&game, 0, "uct@mem=64KiB,batch=50", 2);
    choose(&mut search, 20_000);
    let report = search.report();
    assert!((60_000..70_000).contains(&report.tree_bytes), "{}", report.tree_bytes);
    assert_eq!(report.arms.iter().map(|arm| arm.visits).sum::<u64>(), 20_000);
}

#[test]
fn simulations_end_at_the_depth_limit() {
    let game = bundled("breakthrough");
    let mut search = player(&game, 0, "uct@depth=5,batch=24", 2);
    choose(&mut search, 300);
    assert_eq!(search.effort().steps, 1500);
    assert!(search.report().arms.iter().all(|arm| arm.score == Some(0.5)));
}

#[test]
fn looking_changes_nothing() {
    let game = bundled("connect4");
    for spec in ["uct+ppa@batch=16", "uct+mast@batch=100,threads=2"] {
        let (mut alone, mut watched) = (player(&game, 0, spec, 5), player(&game, 0, spec, 5));
        let budget = Budget::simulations(701);
        let mut looks = 0;
        let mut look = |report: &Report| {
            looks += 1;
            // What is in the air is not seen.
            assert_eq!(report.arms.iter().map(|arm| arm.visits).sum::<u64>(), report.effort.simulations, "{spec}");
            ControlFlow::Continue(())
        };
        let watch = &mut SearchObserver { interval: Duration::ZERO, look: &mut look };
        let (mv, effort) = watched.choose_watched(&budget, watch);
        assert_eq!((mv, effort.simulations), (alone.choose(&budget, &|| false).0, 701), "{spec}");
        assert_eq!(watched.report().arms, alone.report().arms, "{spec}");
        assert!(looks > 20, "{looks}");
    }
}

#[test]
fn no_agent_of_a_paper_has_a_batch() {
    for preset in presets() {
        let spec: Spec = preset.name.parse().expect("a preset");
        assert_eq!(spec.settings().batch, BatchSize::Fixed(1), "{}", preset.name);
    }
}

#[test]
fn without_lanes_nothing_changes() {
    let arms = |spec: &str| {
        let mut search = player(&Arc::new(TicTacToe), 0, spec, 4);
        (choose(&mut search, 500), search.report().arms)
    };
    assert_eq!(arms("uct+mast@batch=64"), arms("uct+mast"));
}

#[test]
fn a_player_started_again_is_like_a_new_one() {
    let game = catalog::open("gdl:connect4").expect("a rulesheet in the binary");
    let spec = "uct+nst@batch=32".parse().expect("a spec");
    let mut first = game.player(Role(0), &spec, Arc::new(InMemory::default())).expect("a small game");
    let mut arms = |seed| {
        first.start(Seed::new(seed));
        // Given up in the middle, with simulations in the air.
        let ticks = std::cell::Cell::new(0);
        first.choose(&Budget::simulations(100), &|| ticks.replace(ticks.get() + 1) > 30);
        first.choose(&Budget::simulations(200), &|| false);
        first.report().arms
    };
    let before = arms(1);
    assert_ne!(arms(2), before);
    assert_eq!(arms(1), before);
}
