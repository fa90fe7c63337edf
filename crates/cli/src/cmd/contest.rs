//! `ludens match`: which of two players is stronger.

use crate::{
    Console, Failure,
    arguments::{self, BudgetArgs, number},
    interrupt,
    learned_store::OnDisk,
    open::open_game,
};
use indicatif::{ProgressBar, ProgressStyle};
use ludens_arena::{Contest, Standing};
use ludens_game::Seed;
use ludens_search::Spec;
use serde::Serialize;
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Play a match between two players (or one per role), seats exchanged, and say who is stronger
///
/// Unless a budget is given every move is searched for 1,000 simulations.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A game of the catalogue or a .kif file, such as breakthrough:8
    game: String,
    /// Players: specs such as "uct+ppa" or presets such as ppa2015/ppa
    #[arg(required = true, num_args = 1.., value_parser = arguments::spec)]
    players: Vec<Spec>,
    /// Number of games; all seatings are played equally often if it is a multiple of their number
    #[arg(long, default_value_t = 100, value_parser = number(1..=u64::MAX), allow_negative_numbers = true)]
    games: u64,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Seed of the match: the same seed gives the same games
    #[arg(long, default_value_t = 1, value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// Games played at the same time [default: one per core]
    #[arg(long, value_parser = number(1..=1024_usize), allow_negative_numbers = true)]
    threads: Option<usize>,
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
    let game = open_game(&args.game)?;
    let budget = args.budget.or_simulations(SIMULATIONS);
    let learned = Arc::new(OnDisk::in_cache_folder());
    let setup = (budget, Seed::new(args.seed));
    let contest = Contest::new(game.clone(), args.players.clone(), setup, learned)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or(cores).min(usize::try_from(args.games).unwrap_or(usize::MAX));
    interrupt::catch();
    let bar = progress_bar(args.games);
    let (steps, begun) = (AtomicU64::new(0), Instant::now());
    let standings = contest
        .run((args.games, threads), &interrupt::asked, &|_, game| {
            steps.fetch_add(game.moves.len() as u64, Ordering::Relaxed);
            bar.inc(1);
        })
        .map_err(|error| Failure::Usage(error.to_string()))?;
    bar.finish_and_clear();
    let played = standings[0].games();
    let result = Outcome {
        game: game.name(),
        budget: budget.to_string(),
        seed: args.seed,
        games: played,
        mean_length: if played > 0 { steps.into_inner() as f64 / played as f64 } else { 0.0 },
        players: args.players.iter().zip(&standings).map(|(spec, standing)| player_result(spec, standing)).collect(),
    };
    if console.json { console.json(&result) } else { show(&result, args.games, begun.elapsed(), console) }
}

fn player_result(spec: &Spec, standing: &Standing) -> PlayerResult {
    let interval = standing.interval();
    PlayerResult {
        spec: spec.to_string(),
        rate: standing.rate().map(|rate| 100.0 * rate),
        low: 100.0 * interval.low,
        high: 100.0 * interval.high,
        wins: standing.wins,
        draws: standing.draws,
        losses: standing.losses,
        simulations_per_s: standing.effort.pace(),
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

/// A bar on the terminal with the time left; nothing where there is none.
fn progress_bar(games: u64) -> ProgressBar {
    let template = "{wide_bar} {pos} of {len} games, {per_sec}, {eta} left";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(games).with_style(style)
}
