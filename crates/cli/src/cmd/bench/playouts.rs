//! How fast uniform playouts are.

use super::{Args, median, open_games, show_progress};
use crate::{Console, Failure, arguments::EngineChoice, console::grouped};
use ludens_game::{DynGame, Lanes, Playouts, Position, Rng, Role, Seed};
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Serialize)]
struct Measurement {
    game: String,
    engine: &'static str,
    playouts_per_s: f64,
    steps_per_s: f64,
    mean_length: f64,
    mean_branching: f64,
}

pub(super) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let games = open_games(args)?;
    let mut measurements = Vec::new();
    for (index, game) in games.iter().enumerate() {
        let progress = format!("{} ({} of {})", game.name(), index + 1, games.len());
        show_progress(&progress);
        let game: Arc<dyn DynGame> = game.clone();
        let runner = Runner::new(&game, args.engine)?;
        measurements.push(measure(&game, runner, args));
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
            m.engine.to_owned(),
            whole(m.playouts_per_s),
            whole(m.steps_per_s),
            short(m.mean_length),
            short(m.mean_branching),
        ]
    });
    let columns = [
        ("game", false),
        ("engine", false),
        ("playouts/s", true),
        ("steps/s", true),
        ("length", true),
        ("branching", true),
    ];
    console.table(&columns, rows.collect())
}

/// Who plays.
enum Runner<'g> {
    /// One position.
    Single(&'g dyn DynGame),
    /// Many, in blocks of the smallest size there is: more of them only crowd the caches.
    Lanes(Box<dyn Lanes>),
}

impl<'g> Runner<'g> {
    fn new(game: &'g Arc<dyn DynGame>, engine: EngineChoice) -> Result<Runner<'g>, Failure> {
        let lanes = match engine {
            EngineChoice::Machine | EngineChoice::Interp | EngineChoice::Gpu => None,
            EngineChoice::Auto | EngineChoice::Lanes => game.lanes(1),
        };
        match lanes {
            Some(lanes) => Ok(Runner::Lanes(lanes)),
            None if engine == EngineChoice::Lanes => Err(Failure::Usage(format!(
                "{} has no lanes: only compiled rulesheets have them; other engines: auto, machine, interp",
                game.name()
            ))),
            None => Ok(Runner::Single(&**game)),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Runner::Single(game) => game.engine(),
            Runner::Lanes(_) => "lanes",
        }
    }

    /// Some work: playouts, or ticks of all lanes.
    fn run(&mut self, amount: u64, rng: &mut Rng) -> Playouts {
        match self {
            Runner::Single(game) => game.playouts(amount, rng, u32::MAX),
            Runner::Lanes(lanes) => {
                let done = lanes.random_playouts(amount, rng);
                Playouts { count: done.count, steps: done.steps }
            }
        }
    }
}

fn measure(game: &Arc<dyn DynGame>, mut runner: Runner<'_>, args: &Args) -> Measurement {
    let time = Duration::from_secs_f64(args.seconds);
    let seed = Seed::new(args.seed);
    let runs: Vec<_> = (0..args.runs).map(|run| timed(&mut runner, time, seed.at(u64::from(run)))).collect();
    let rate = |part: fn(&Playouts) -> u64| {
        median(runs.iter().map(|(playouts, seconds)| part(playouts) as f64 / seconds).collect())
    };
    Measurement {
        game: game.name(),
        engine: runner.name(),
        playouts_per_s: rate(|playouts| playouts.count),
        steps_per_s: rate(|playouts| playouts.steps),
        mean_length: mean_length(&**game, time, seed.named("length")),
        mean_branching: mean_branching(game, seed.named("branching")),
    }
}

/// Playouts for at least `time`, and the seconds that they took.
fn timed(runner: &mut Runner<'_>, time: Duration, seed: Seed) -> (Playouts, f64) {
    let mut rng = seed.rng();
    let mut total = Playouts::default();
    let mut batch = 1;
    let start = Instant::now();
    loop {
        let Playouts { count, steps } = runner.run(batch, &mut rng);
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

/// The mean number of steps of whole playouts, one after the other. Lanes do not tell it: when the clock stops, each has a
/// playout under way, and those are longer than most.
fn mean_length(game: &dyn DynGame, time: Duration, seed: Seed) -> f64 {
    let (Playouts { count, steps }, _) = timed(&mut Runner::Single(game), time, seed);
    steps as f64 / count as f64
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
            step(&mut *position, roles, &mut rng);
        }
    }
    branches / states
}

/// Every role plays a uniformly random one of the moves that a playout considers.
fn step(position: &mut dyn Position, roles: usize, rng: &mut Rng) {
    let random = |role| {
        let moves = position.playout_moves(role);
        moves[rng.below(moves.len() as u32) as usize]
    };
    let joint: Vec<_> = Role::all(roles).map(random).collect();
    position.advance(&joint);
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::toy::Race;

    #[test]
    fn branching_counts_joint_moves() {
        let race: Arc<dyn DynGame> = Arc::new(Race::new(5));
        assert_eq!(mean_branching(&race, Seed::new(1)), 8.0);
    }
}
