//! `ludens match`: which of two players is stronger.

use crate::{
    Console, Failure,
    arguments::{self, BudgetArgs, Engine, cores, number},
    interrupt,
    learned_store::OnDisk,
    open::open_games_for,
    progress::Progress,
};
use ludens_arena::{Cell, CellResults, Contestant, Counting, Experiment, Planned, Run, Seats, Shard, Standing, Store};
use ludens_search::Spec;
use serde::Serialize;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Play a match between two players (or one per role) with seats exchanged, and report win rates
///
/// The default budget is 1,000 simulations per move. Win rates have 95 % intervals (Wilson). Ctrl-C ends the match and reports the games played.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens match misere-breakthrough:5 ppa2015/ppa ppa2015/uct --games 20 --sims 200
  ludens match nogo:5 uct+mast uct+nst --games 4 --sims 100 --seed 7 --threads 2")]
pub(crate) struct Args {
    /// A game such as breakthrough:8, or a .kif file
    game: String,
    /// Players: specs such as "uct+ppa" or presets such as ppa2015/ppa
    #[arg(required = true, num_args = 1.., value_parser = arguments::spec)]
    players: Vec<Spec>,
    /// Number of games; a multiple of the number of seatings plays each equally often
    #[arg(long, default_value_t = 100, value_parser = number(1..=u64::MAX), allow_negative_numbers = true)]
    games: u64,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Seed of the match; the same seed gives the same games
    #[arg(long, default_value_t = 1, value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// Games played in parallel [default: one per core]
    #[arg(long, value_parser = number(1..=1024_usize), allow_negative_numbers = true)]
    threads: Option<usize>,
    /// The engine. All engines play the same games, except interp on sheets without `input`
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    engine: Engine,
}

/// Simulations per move if nothing else is said.
const SIMULATIONS: u64 = 1000;

#[derive(Serialize)]
struct Outcome {
    game: String,
    budget: String,
    seed: u64,
    games: u64,
    mean_length: f64,
    players: Vec<PlayerResult>,
}

/// Rates in percent; there is none before the first game has ended.
#[derive(Serialize)]
struct PlayerResult {
    spec: String,
    rate: Option<f64>,
    low: f64,
    high: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    simulations_per_s: f64,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let games = open_games_for(args.engine);
    let game = games.open(&args.game)?;
    let budget = args.budget.or_simulations(SIMULATIONS);
    let players = args.players.iter().map(|spec| Contestant { name: spec.to_string(), spec: spec.clone() });
    let cell = Cell { game: args.game.clone(), budget, players: players.collect(), seats: Seats::All };
    let experiment = Experiment {
        name: "match".into(),
        about: String::new(),
        seed: args.seed,
        counting: Counting::Players,
        stop: None,
        cells: vec![Planned { cell: Arc::new(cell.clone()), games: args.games }],
    };
    interrupt::catch();
    let begun = Instant::now();
    let run = Run {
        experiment: &experiment,
        shard: Shard::default(),
        games: &games,
        learned: Arc::new(OnDisk::in_cache_folder()),
        engine: args.engine.for_experiments(),
        threads: args.threads.unwrap_or_else(cores),
        stop: &interrupt::asked,
    };
    let progress = Progress::new(&experiment, vec![CellResults::new(cell.clone())]);
    let mut store = Store::default();
    let ended = run.go(&mut store, &progress);
    progress.finish();
    ended.map_err(|error| Failure::Usage(error.to_string()))?;
    let results = store.results.cells.remove(&cell.id(args.seed)).unwrap_or_else(|| CellResults::new(cell));
    let standing = |(player, spec)| player_result(spec, &results.standing(Counting::Players, player, u64::MAX));
    let result = Outcome {
        game: game.name(),
        budget: budget.to_string(),
        seed: args.seed,
        games: results.games.len() as u64,
        mean_length: results.mean_steps(u64::MAX),
        players: args.players.iter().enumerate().map(standing).collect(),
    };
    if console.json { console.json(&result) } else { show(&result, args.games, begun.elapsed(), console) }
}

fn player_result(spec: &Spec, standing: &Standing) -> PlayerResult {
    let interval = standing.points.wilson();
    PlayerResult {
        spec: spec.to_string(),
        rate: standing.points.mean().map(|rate| 100.0 * rate),
        low: 100.0 * interval.low,
        high: 100.0 * interval.high,
        wins: standing.wins,
        draws: standing.draws,
        losses: standing.losses,
        simulations_per_s: standing.pace(),
    }
}

fn show(result: &Outcome, wanted: u64, time: Duration, console: &mut Console<'_>) -> Result<(), Failure> {
    let Outcome { game, budget, seed, games, mean_length, players } = result;
    let stopped = if *games < wanted { format!(" (stopped before {wanted})") } else { String::new() };
    writeln!(
        console.out,
        "{game}, {budget}, seed {seed}: {games} games{stopped} of {mean_length:.1} steps in {:.1} s",
        time.as_secs_f64()
    )?;
    let rows = players.iter().map(|player| {
        vec![
            player.spec.clone(),
            player.rate.map_or("-".to_owned(), |rate| format!("{rate:.1} %")),
            format!("{:.1} to {:.1}", player.low, player.high),
            player.wins.to_string(),
            player.draws.to_string(),
            player.losses.to_string(),
            crate::console::grouped(player.simulations_per_s.round() as u64),
        ]
    });
    let columns = [
        ("player", false),
        ("win rate", true),
        ("95 % interval", true),
        ("won", true),
        ("drawn", true),
        ("lost", true),
        ("sims/s", true),
    ];
    console.table(&columns, rows.collect())
}
