//! The default player survives every game: `analyze`, `match` and the page under a short clock, on the whole catalogue and, where
//! they are at hand, on real rulesheets. Whatever panics is named with its game. To open a rulesheet can take longer than all that is
//! done with it: while a game is open here, the page need not compile it.
//!
//! `LUDENS_REPEATS=100` plays everything that often, from other positions and with other seeds.

// The tests of the page need more of it.
#[allow(dead_code)]
#[path = "../../web/tests/it/client/mod.rs"]
mod client;
mod page;

use crate::{
    Console, Failure,
    cmd::analyze,
    notation::{deciders, joint, read_move},
};
use clap::Parser;
use ludens_arena::{Cell, Contestant, Counting, Experiment, Fastest, OpenGames, Planned, Run, Seats, Shard, Store};
use ludens_catalog::{self as catalog, Entry, GAMES, SHEETS};
use ludens_game::toy::Pit;
use ludens_game::{Move, Position, Role, Seed};
use ludens_search::{Budget, DEFAULT_PLAYER, InMemory, Playable, isolate};
use page::Page;
use std::collections::BTreeSet;
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};
use std::time::{Duration, Instant};

/// How long a search may take.
const CLOCK: Duration = Duration::from_millis(10);

/// So many steps from the start a position lies at most.
const DEPTH: u32 = 12;

/// The arguments of `analyze`.
#[derive(Parser)]
struct AnalyzeCommand {
    #[command(flatten)]
    args: analyze::Args,
}

/// A native game at its smallest size.
fn smallest(entry: &Entry) -> String {
    let [size, _] = entry.params[0].kind.bounds().expect("the first parameter is the size");
    format!("{}:{size}", entry.name)
}

fn repeats() -> u64 {
    std::env::var("LUDENS_REPEATS").map_or(1, |text| text.parse().expect("a number of repeats"))
}

/// A position some random steps from the start, in which the game is not over.
fn random_position(game: &Arc<dyn Playable>, seed: Seed) -> Box<dyn Position> {
    let mut rng = seed.rng();
    let mut position = game.clone().start();
    for _ in 0..rng.below(DEPTH) {
        let legal: Vec<_> = Role::all(game.role_names().len()).map(|role| position.legals(role)).collect();
        // Rules that leave a role without a move are unsound; nobody goes on from there.
        if legal.iter().any(Vec::is_empty) {
            break;
        }
        let joint: Vec<_> = legal.iter().map(|moves| moves[rng.below(moves.len() as u32) as usize]).collect();
        position.advance(&joint);
        if position.scores().is_some() {
            position.undo();
            break;
        }
    }
    position
}

/// Three moves of `analyze` in a row, each of which has to be legal.
fn analyze_three_moves(name: &str, game: &Arc<dyn Playable>, seed: Seed) -> Result<(), String> {
    let number = (seed.value() % 1000).to_string();
    // Slow sheets need the whole clock for a few simulations; quick ones would make a thousand, which show no more than a hundred.
    let budget = format!("sims=100,ms={}", CLOCK.as_millis());
    let line = AnalyzeCommand::parse_from(["analyze", name, "--budget", &budget, "--seed", &number]);
    let roles = game.role_names();
    let mut position = random_position(game, seed);
    for _ in 0..3 {
        if position.scores().is_some() {
            break;
        }
        let role = deciders(&*position, roles.len()).first().copied().unwrap_or(Role(0));
        let mut out = Vec::new();
        analyze::analyze(&line.args, (game, &*position), &mut Console::new(&mut out, true))
            .map_err(|failure| failure.to_string())?;
        let told: serde_json::Value = serde_json::from_slice(&out).map_err(|error| error.to_string())?;
        let chosen = told["move"].as_str().ok_or("no move")?;
        let mv = read_move(&*position, role, chosen, &roles)?;
        position.advance(&joint(&*position, roles.len(), &[(role, mv)]));
    }
    Ok(())
}

/// The beginning of a match, or all of it where it is short.
fn begin_match(name: &str, game: &Arc<dyn Playable>, seed: Seed) -> Result<(), String> {
    let spec = DEFAULT_PLAYER.parse().expect("the default player");
    let player = Contestant { name: DEFAULT_PLAYER.into(), spec };
    let players = vec![player; game.role_names().len()];
    let cell = Cell { game: name.into(), budget: Budget::time(CLOCK), players, seats: Seats::Given };
    let experiment = Experiment {
        name: "match".into(),
        about: String::new(),
        seed: seed.value(),
        counting: Counting::Players,
        stop: None,
        cells: vec![Planned { cell: Arc::new(cell), games: 1, first: 0 }],
    };
    let opened = game.clone();
    let begun = Instant::now();
    let run = Run {
        experiment: &experiment,
        shard: Shard::default(),
        games: &OpenGames::with(move |_| Ok(opened.clone())),
        learned: Arc::new(InMemory::default()),
        engine: &Fastest,
        threads: 1,
        retry_broken: false,
        stop: &|| begun.elapsed() > 2 * CLOCK,
    };
    let mut store = Store::default();
    run.go(&mut store, &()).map_err(|error| error.to_string())?;
    let broken = store.results.cells.values().flat_map(|cell| cell.broken.values()).next();
    broken.map_or(Ok(()), |broken| Err(broken.to_string()))
}

/// Plays all games on all processors. Games that cannot be opened are left out and named. There must be games of every kind.
fn survive(names: &[String], repeats: u64) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let page = Page::start(threads);
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let kinds = Mutex::new(BTreeSet::new());
    let work = || {
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            let game = match isolate(|| catalog::open(name)) {
                Ok(Ok(game)) => game,
                Ok(Err(error)) => {
                    eprintln!("LEFT OUT: {error}");
                    continue;
                }
                Err(panicked) => {
                    failed.lock().unwrap().push(format!("{name} cannot be opened: {panicked}"));
                    continue;
                }
            };
            let roles = game.role_names().len();
            let kind = (roles, deciders(&*game.clone().start(), roles).len() > 1);
            kinds.lock().unwrap().insert((roles.min(3), kind.1));
            for repeat in 0..repeats {
                let seed = Seed::new(1).named(name).at(repeat);
                for (command, play) in
                    [("analyze", analyze_three_moves as fn(&str, &_, _) -> _), ("match", begin_match)]
                {
                    let played =
                        isolate(|| play(name, &game, seed)).unwrap_or_else(|panicked| Err(panicked.to_string()));
                    if let Err(why) = played {
                        failed.lock().unwrap().push(format!("{command} {name}: {why}"));
                    }
                }
                match page.play(name, seed) {
                    Ok(shown) if shown == kind => {}
                    Ok(shown) => failed.lock().unwrap().push(format!("page {name}: {shown:?} instead of {kind:?}")),
                    Err(why) => failed.lock().unwrap().push(format!("page {name}: {why}")),
                }
            }
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{} of {} games:\n{}", failed.len(), names.len(), failed.join("\n"));
    // One role, two and more; in turns and at the same time.
    let kinds = kinds.into_inner().unwrap();
    assert!([(1, false), (2, false), (2, true), (3, false)].iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
}

#[test]
fn a_search_that_panics_is_one_line_with_a_replay() {
    let line = AnalyzeCommand::parse_from(["analyze", "pit", "--player", "uct(c=1)", "--moves", "stay", "--seed", "9"]);
    let game: Arc<dyn Playable> = Arc::new(Pit);
    let mut position = game.clone().start();
    position.advance(&[Move(0)]);
    let mut out = Vec::new();
    let failed = analyze::analyze(&line.args, (&game, &*position), &mut Console::new(&mut out, true));
    let failure = failed.expect_err("the game fails");
    assert!(matches!(failure, Failure::Fault(_)), "{failure}");
    let text = failure.to_string();
    assert!(text.starts_with("the search failed: fell into the pit at ") && !text.contains('\n'), "{text}");
    let replay =
        "replay with: ludens analyze pit --moves stay --player 'uct(c=1)' --budget sims=10000 --as role0 --seed 9";
    assert!(text.ends_with(replay), "{text}");
}

#[test]
fn the_default_player_survives_the_catalogue() {
    let native = GAMES.iter().flat_map(|entry| [entry.name.to_owned(), smallest(entry)]);
    let sheets = SHEETS.iter().flat_map(|sheet| ["gdl", "misere-gdl"].map(|form| format!("{form}:{}", sheet.name)));
    let names: Vec<String> = native.chain(sheets).collect();
    assert!(names.len() > 80, "{names:?}");
    survive(&names, repeats());
}

#[test]
fn the_default_player_survives_real_sheets() {
    survive(&ludens_gdl::testing::real_sheet_files(), repeats());
}
