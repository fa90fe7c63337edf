//! The kernels, compiled for the host.

use crate::support::{Match, PLAYERS, on_all_cores};
use ludens_catalog::SHEETS;
use ludens_gpu::emulate::{self, EmulateError, Emulation};
use ludens_search::Played;
use std::path::{Path, PathBuf};

/// A few simulations, and more where a game begins.
const BRIEF: &str = "first=9,sims=6";

/// Two warps, and many launches.
fn emulation(is_checked: bool) -> Emulation<'static> {
    // Where programs are kept between the tests.
    let folder = Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/kernels"));
    Emulation { warps: 2, ticks: 700, pool: 2 << 30, is_checked, folder }
}

/// Plays a match in emulated kernels; none if there is no compiler.
fn emulated(played: &Match, emulation: Emulation<'_>) -> Option<Vec<Option<Played>>> {
    match emulate::play(&played.job(), emulation) {
        Ok(games) => Some(games),
        Err(EmulateError::NoCompiler) => {
            println!("SKIPPED: {}", EmulateError::NoCompiler);
            None
        }
        Err(error) => panic!("{}: {error}", played.game.name()),
    }
}

fn assert_equal(game: &str, specs: &[&str], budget: &str, games: u64) {
    let played = Match::new(game, specs, budget, games);
    if let Some(games) = emulated(&played, emulation(false)) {
        played.compare(&games);
    }
}

/// The same with checks of every access to memory.
fn assert_clean(game: &str, specs: &[&str], budget: &str, games: u64) {
    let played = Match::new(game, specs, budget, games);
    if let Some(games) = emulated(&played, emulation(true)) {
        played.compare(&games);
    }
}

/// Three roles, simultaneous moves, recursive rules.
#[test]
fn sheets_of_every_kind() {
    let sheets = ["gdl:ttcc4-3p", "gdl:goofspiel", "gdl:hex7"];
    on_all_cores(&sheets, |sheet| assert_equal(sheet, PLAYERS, BRIEF, PLAYERS.len() as u64));
}

/// Sequences decide at nodes, too, and after replies.
const UNVISITED_BY_SEQUENCES: &[&str] =
    &["uct(unvisited=policy)+nppa(V=2)", "uct(unvisited=policy)+nst(V=2)", "uct(unvisited=policy)+lgrf(n=2)+nppa(V=2)"];

/// Trees that are kept, lose nodes and grow; tables that grow and decay.
#[test]
fn long_searches() {
    let matches: [(&str, &[&str], &str, u64); 4] = [
        ("gdl:connect4", PLAYERS, "first=5000,steps=3000", 26),
        ("gdl:breakthrough", &["sironi2021/mast", "sironi2021/nppa1", "sironi2021/nst"], "sims=120", 3),
        ("misere-gdl:tictactoe", PLAYERS, "first=500,sims=250", 40),
        ("gdl:connect4", UNVISITED_BY_SEQUENCES, "sims=200", 4),
    ];
    on_all_cores(&matches, |&(game, players, budget, games)| assert_equal(game, players, budget, games));
}

/// Three picks of six numbers and scores that add up to anything: what is learned differs from the scores of the rules, which take
/// longer than a step, so that lanes at known ends wait beside others that are given theirs.
#[test]
fn scores_that_are_not_those_of_the_rules() {
    let mut rules = String::from(
        "(role white) (role black) (init (control white)) (init (pick 1))
         (succ 1 2) (succ 2 3) (succ 3 4) (other white black) (other black white)
         (<= (legal ?who (take ?n)) (true (control ?who)) (number ?n))
         (<= (legal ?who noop) (other ?who ?other) (true (control ?other)))
         (<= (next (taken ?pick ?n)) (true (pick ?pick)) (does ?who (take ?n)))
         (<= (next (taken ?pick ?n)) (true (taken ?pick ?n)))
         (<= (next (pick ?next)) (true (pick ?pick)) (succ ?pick ?next))
         (<= (next (control ?other)) (true (control ?who)) (other ?who ?other))
         (<= terminal (true (pick 4)))\n",
    );
    (0..6).for_each(|n| rules += &format!("(number {n})"));
    for (index, (role, factor)) in
        (0..432).map(|index| (index, if index % 2 == 0 { ("white", 37) } else { ("black", 53) }))
    {
        let (a, b, c) = (index / 2 / 36, index / 2 / 6 % 6, index / 2 % 6);
        let points = index * factor % 101;
        rules += &format!("(<= (goal {role} {points}) (true (taken 1 {a})) (true (taken 2 {b})) (true (taken 3 {c})))");
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scores.kif");
    std::fs::write(&file, rules).expect("a folder for the tests");
    assert_equal(&file.to_string_lossy(), &["uct@goals=difference", "tak2012/mast", "uct"], "sims=150", 30);
}

/// Simultaneous moves and recursive rules.
#[test]
fn accesses_to_memory_are_in_bounds() {
    on_all_cores(&["gdl:goofspiel", "gdl:hex7"], |sheet| assert_clean(sheet, PLAYERS, BRIEF, PLAYERS.len() as u64));
}

/// Games for which there is no memory are left out; the others are what they are with enough of it.
#[test]
fn little_memory_stops_some_games_only() {
    for game in ["gdl:goofspiel", "gdl:connect4"] {
        let played = Match::new(game, PLAYERS, "sims=60", 34);
        let mut left_out = Vec::new();
        for mebibytes in [2, 4, 6, 8, 12, 16, 24] {
            let Some(games) = emulated(&played, Emulation { pool: mebibytes << 20, ..emulation(true) }) else { return };
            played.compare_played(&games);
            left_out.push(games.iter().filter(|game| game.is_none()).count());
            // With still more memory nothing is different.
            if left_out.ends_with(&[0]) {
                break;
            }
        }
        assert!(left_out.iter().any(|count| (1..34).contains(count)), "{game}: {left_out:?} of 34 games were left out");
    }
}

#[test]
#[ignore = "compiles the kernels for all sheets, minutes: cargo test -p ludens-gpu --test it -- --ignored"]
fn every_sheet_with_every_player_in_bounds() {
    on_all_cores(SHEETS, |sheet| assert_clean(&format!("gdl:{}", sheet.name), PLAYERS, BRIEF, PLAYERS.len() as u64));
}

#[test]
#[ignore = "compiles the kernels for all sheets, minutes: cargo test -p ludens-gpu --test it -- --ignored"]
fn every_sheet_with_every_player() {
    on_all_cores(SHEETS, |sheet| assert_equal(&format!("gdl:{}", sheet.name), PLAYERS, BRIEF, PLAYERS.len() as u64));
}

/// Sheets of others: simultaneous moves, one to six roles, cycles, roles without a legal move.
#[test]
#[ignore = "needs rulesheets that are not part of the project; where they are: LUDENS_SHARED"]
fn real_sheets() {
    let shared = std::env::var("LUDENS_SHARED").unwrap_or_else(|_| "../../../shared".into());
    let names = [
        "3pffa",
        "asteroids",
        "biddingTicTacToe_10coins",
        "buttons",
        "connectFourSimultaneous",
        "dotsAndBoxes",
        "eightPuzzle",
        "chineseCheckers6",
    ];
    let files: Vec<PathBuf> = names.iter().map(|name| Path::new(&shared).join(format!("gdl/{name}.kif"))).collect();
    on_all_cores(&files, |file| assert_equal(&file.to_string_lossy(), PLAYERS, BRIEF, PLAYERS.len() as u64));
}
