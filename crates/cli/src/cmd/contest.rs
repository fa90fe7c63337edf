//! `ludens match`: which of two players is stronger.

use crate::{
    Console, Failure,
    arguments::{self, BudgetArgs, EngineChoice, cores, number},
    campaign::{self, failed, tell_broken},
    console::grouped,
    interrupt,
    learned_store::OnDisk,
    open::open_games_for,
    progress::LiveTable,
};
use ludens_arena::{
    BrokenRecord, Cell, CellResults, Contestant, Counting, Experiment, Run, Seats, Shard, Standing, Store, counted,
    report::{Column, Grid},
};
use ludens_search::Spec;
use serde::Serialize;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Play a match between two players (or one per role) with seats exchanged, and report win rates
///
/// The default budget is 1,000 simulations per move. Win rates have 95 % intervals (Wilson); a game with one role has a mean
/// score instead. Ctrl-C ends the match and reports the games played. The exit code is 3 if the program failed in a game; such
/// games are not counted.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens match misere-breakthrough:5 ppa2015/ppa ppa2015/uct --games 20 --sims 200
  ludens match nogo:5 uct+mast uct+nst --games 4 --sims 100 --seed 7 --threads 2")]
pub(crate) struct Args {
    /// A game such as breakthrough:8, or a .kif file
    game: String,
    /// Players: specs such as "uct+ppa", presets such as ppa2015/ppa, or random
    #[arg(required = true, num_args = 1.., value_parser = arguments::spec)]
    players: Vec<Spec>,
    /// Number of games; a multiple of the number of seatings plays each equally often
    #[arg(long, default_value_t = 100, value_parser = number(1..=u64::MAX), allow_negative_numbers = true)]
    games: u64,
    /// Play only the game with this number, counting from 0, as the whole match would
    #[arg(long = "game", value_name = "NUMBER", value_parser = number(0..=u64::MAX - 1), allow_negative_numbers = true,
          conflicts_with = "games")]
    game_number: Option<u64>,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Seed of the match; the same seed gives the same games
    #[arg(long, default_value_t = 1, value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// Games played in parallel [default: one per core]
    #[arg(long, value_parser = number(1..=1024_usize), allow_negative_numbers = true)]
    threads: Option<usize>,
    /// The engine. All engines play the same games, except interp on sheets without `input`
    #[arg(long, value_enum, default_value_t = EngineChoice::Auto)]
    engine: EngineChoice,
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
    /// What the rates are.
    measure: &'static str,
    players: Vec<PlayerResult>,
    /// Failed games, which are not counted.
    broken: Vec<BrokenRecord>,
}

/// Rates in percent; there is none before the first game has ended. Wins, draws and losses are against others.
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
    let until = args.game_number.map_or(args.games, |game| game + 1);
    let experiment = Experiment::of_cell(cell.clone(), until, args.seed);
    let shard = args.game_number.map_or(Shard::default(), |index| Shard { index, count: index + 1 });
    interrupt::catch();
    let begun = Instant::now();
    let run = Run {
        shard,
        learned: Arc::new(OnDisk::in_cache_folder()),
        engine: args.engine.for_experiments(),
        threads: args.threads.unwrap_or_else(cores),
        stop: &interrupt::asked,
        ..Run::new(&experiment, &games)
    };
    let progress = LiveTable::new(&experiment, vec![CellResults::new(cell.clone())]);
    let mut store = Store::default();
    let ended = run.go(&mut store, &progress);
    progress.finish();
    ended.map_err(failed)?;
    let results = store.results.cells.remove(&cell.id(args.seed)).unwrap_or_else(|| CellResults::new(cell));
    let standing = |(player, spec)| player_result(spec, &results.standing(Counting::Players, player, u64::MAX));
    let result = Outcome {
        game: game.name(),
        budget: budget.to_string(),
        seed: args.seed,
        games: results.games.len() as u64,
        mean_length: results.mean_steps(u64::MAX),
        measure: if args.players.len() == 1 { "mean score" } else { "win rate" },
        players: args.players.iter().enumerate().map(standing).collect(),
        broken: results.broken.values().cloned().collect(),
    };
    let wanted = args.game_number.map_or(args.games, |_| 1);
    if console.json {
        console.json(&result)?;
    } else {
        show(&result, wanted, begun.elapsed(), console)?;
    }
    tell_broken(&result.broken, "")
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
    let Outcome { game, budget, seed, games, mean_length, measure, players, broken } = result;
    let is_stopped = games + (broken.len() as u64) < wanted;
    let stopped = if is_stopped { format!(" (stopped before {wanted})") } else { String::new() };
    writeln!(
        console.out,
        "{game}, {budget}, seed {seed}: {}{stopped} of {mean_length:.1} steps in {:.1} s",
        counted(*games as usize, "game"),
        time.as_secs_f64()
    )?;
    let columns = [
        Column::text("player"),
        Column::number(*measure),
        Column::number("95 % interval"),
        Column::number("won"),
        Column::number("drawn"),
        Column::number("lost"),
        Column::number("sims/s"),
    ];
    let rows = players.iter().map(|player| {
        vec![
            player.spec.clone(),
            player.rate.map_or("-".to_owned(), |rate| format!("{rate:.1} %")),
            format!("{:.1} to {:.1}", player.low, player.high),
            player.wins.to_string(),
            player.draws.to_string(),
            player.losses.to_string(),
            grouped(player.simulations_per_s.round() as u64),
        ]
    });
    let grid = Grid { columns: columns.into(), rows: rows.collect() };
    let is_alone = players.len() == 1;
    campaign::show(console, &if is_alone { grid.without(&["won", "drawn", "lost"]) } else { grid })
}
