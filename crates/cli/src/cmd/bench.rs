//! `ludens bench`: how fast uniform playouts are, on one thread.

use crate::{Console, Failure, arguments::number, console::grouped, random::random_move};
use ludens_game::{DynGame, Playouts, Role, Seed};
use ludens_games::catalog::{self, GAMES};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Measure uniform playouts from the initial position on one thread
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Games of the catalogue, such as havannah:6; all of them if none is given
    games: Vec<String>,
    /// Length of one run in seconds
    #[arg(long, default_value_t = 0.4, value_parser = number(0.001..=3600.0), allow_negative_numbers = true)]
    seconds: f64,
    /// Number of runs, of which the median counts
    #[arg(long, default_value_t = 5, value_parser = number(1..=1000_u32), allow_negative_numbers = true)]
    runs: u32,
    /// Seed of the playouts
    #[arg(long, default_value_t = 1, value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
}

#[derive(Serialize)]
struct Measurement {
    game: String,
    playouts_per_s: f64,
    steps_per_s: f64,
    mean_length: f64,
    mean_branching: f64,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let games: Result<Vec<_>, _> = if args.games.is_empty() {
        GAMES.iter().map(|entry| entry.open("")).collect()
    } else {
        args.games.iter().map(|text| catalog::open(text)).collect()
    };
    let games = games?;
    let mut measurements = Vec::new();
    for (index, game) in games.iter().enumerate() {
        let progress = format!("{} ({} of {})", game.name(), index + 1, games.len());
        show_progress(&progress);
        measurements.push(measure(game, args));
    }
    show_progress("");
    if console.json {
        return console.json(&measurements);
    }
    let rows = measurements.iter().map(|m| {
        let whole = |number: f64| grouped(number.round() as u64);
        let short = |number: f64| format!("{number:.1}");
        vec![
            m.game.clone(),
            whole(m.playouts_per_s),
            whole(m.steps_per_s),
            short(m.mean_length),
            short(m.mean_branching),
        ]
    });
    let columns = [("game", false), ("playouts/s", true), ("steps/s", true), ("length", true), ("branching", true)];
    console.table(&columns, rows.collect())
}

/// Replaces the progress line of a terminal; nothing else sees it.
fn show_progress(text: &str) {
    let mut err = io::stderr().lock();
    if err.is_terminal() {
        // Progress that cannot be shown is no reason to stop measuring.
        let _ = write!(err, "\r\x1b[K{text}").and_then(|()| err.flush());
    }
}

fn measure(game: &Arc<dyn DynGame>, args: &Args) -> Measurement {
    let time = Duration::from_secs_f64(args.seconds);
    let seed = Seed::new(args.seed);
    let runs: Vec<_> = (0..args.runs).map(|run| timed(game.as_ref(), time, seed.at(u64::from(run)))).collect();
    let sum = |part: fn(&Playouts) -> u64| runs.iter().map(|(playouts, _)| part(playouts)).sum::<u64>() as f64;
    let rate = |part: fn(&Playouts) -> u64| {
        median(runs.iter().map(|(playouts, seconds)| part(playouts) as f64 / seconds).collect())
    };
    Measurement {
        game: game.name(),
        playouts_per_s: rate(|playouts| playouts.count),
        steps_per_s: rate(|playouts| playouts.steps),
        mean_length: sum(|playouts| playouts.steps) / sum(|playouts| playouts.count),
        mean_branching: mean_branching(game, seed.named("branching")),
    }
}

/// Playouts for at least `time`, and the seconds that they took.
fn timed(game: &dyn DynGame, time: Duration, seed: Seed) -> (Playouts, f64) {
    let mut rng = seed.rng();
    let mut total = Playouts::default();
    let mut batch = 1;
    let start = Instant::now();
    loop {
        let Playouts { count, steps } = game.playouts(batch, &mut rng, u32::MAX);
        total.count += count;
        total.steps += steps;
        let elapsed = start.elapsed();
        if elapsed >= time {
            return (total, elapsed.as_secs_f64());
        }
        // A hundred looks at the clock are enough to stop in time and too few to be measured.
        if elapsed < time / 100 {
            batch *= 2;
        }
    }
}

/// The mean number of joint moves over the states of some uniform playouts.
fn mean_branching(game: &Arc<dyn DynGame>, seed: Seed) -> f64 {
    const WALKS: u64 = 100;
    let (mut branches, mut states) = (0.0, 0.0);
    for walk in 0..WALKS {
        let mut rng = seed.at(walk).rng();
        let mut position = game.clone().start();
        let roles = game.role_names().len();
        while position.scores().is_none() {
            branches += Role::all(roles).map(|role| position.legals(role).len() as f64).product::<f64>();
            states += 1.0;
            let joint: Vec<_> = Role::all(roles).map(|role| random_move(&*position, role, &mut rng)).collect();
            position.advance(&joint);
        }
    }
    branches / states
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::toy::Race;

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0]), 3.0);
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 9.0]), 3.0);
    }

    #[test]
    fn branching_counts_joint_moves() {
        let race: Arc<dyn DynGame> = Arc::new(Race::new(5));
        assert_eq!(mean_branching(&race, Seed::new(1)), 8.0);
    }
}
