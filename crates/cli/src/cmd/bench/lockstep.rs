//! What lockstep gains: hundreds of searches that take their steps together, against the same searches one after the other.
//!
//! Both make searches of 1,000 simulations from the initial position on, with the same playout policy, on one thread. The
//! gain compares the time *per step simulated*, because playouts get shorter when a game goes on. Single searches are made for
//! as long as all runs of `bench` together, lockstep until every lane has made one.

use super::{Args, open_games, show_progress};
use crate::{Console, Failure, console::grouped, notation::deciders};
use ludens_game::{Role, Seed};
use ludens_search::{Budget, Effort, InMemory, LaneGame, Playable, Played, Schedule, SearchError, Spec};
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The presets of sironi2021 that learn in different ways.
pub(super) const PLAYERS: &[&str] =
    &["sironi2021/random", "sironi2021/mast", "sironi2021/nst", "sironi2021/ppa1", "sironi2021/nppa1"];

pub(super) const SIMULATIONS: u64 = 1000;

const LANES: usize = 512;

#[derive(Serialize)]
struct Measurement {
    game: String,
    player: &'static str,
    single: Speed,
    lanes: Speed,
    /// How many times faster a step is in lanes.
    gain: f64,
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct Speed {
    pub(super) simulations_per_s: f64,
    pub(super) ns_per_step: f64,
}

impl Speed {
    pub(super) fn new(effort: Effort, time: Duration) -> Speed {
        Speed {
            simulations_per_s: effort.simulations as f64 / time.as_secs_f64(),
            ns_per_step: time.as_nanos() as f64 / effort.steps.max(1) as f64,
        }
    }
}

pub(super) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let games = open_games(args)?;
    if let Some(game) = games.iter().find(|game| game.lanes(1).is_none()) {
        let message = format!("{} has no lanes: only compiled rulesheets have them", game.name());
        return Err(Failure::Usage(message));
    }
    let mut measurements = Vec::new();
    for (index, game) in games.iter().enumerate() {
        for &player in PLAYERS {
            show_progress(&format!("{} ({} of {}), {player}", game.name(), index + 1, games.len()));
            measurements.push(measure(game, player, args).map_err(|error| Failure::Usage(error.to_string()))?);
        }
    }
    show_progress("");
    if console.json {
        return console.json(&measurements);
    }
    let rows = measurements.iter().map(|m| {
        let whole = |number: f64| grouped(number.round() as u64);
        vec![
            m.game.clone(),
            m.player.to_owned(),
            whole(m.single.simulations_per_s),
            whole(m.lanes.simulations_per_s),
            whole(m.single.ns_per_step),
            whole(m.lanes.ns_per_step),
            format!("{:.2}", m.gain),
        ]
    });
    let columns = [
        ("game", false),
        ("player", false),
        ("single sims/s", true),
        ("lanes sims/s", true),
        ("single ns/step", true),
        ("lanes ns/step", true),
        ("gain", true),
    ];
    console.table(&columns, rows.collect())?;
    for &player in PLAYERS {
        let gains: Vec<f64> = measurements.iter().filter(|m| m.player == player).map(|m| m.gain.ln()).collect();
        let mean = (gains.iter().sum::<f64>() / gains.len() as f64).exp();
        writeln!(console.out, "{player}: {mean:.2} times as fast in lanes, geometric mean of {} games", gains.len())?;
    }
    Ok(())
}

fn measure(game: &Arc<dyn Playable>, player: &'static str, args: &Args) -> Result<Measurement, SearchError> {
    let spec: Spec = player.parse().expect("the presets can be read");
    let single = single(game, &spec, args)?;
    let lanes = lanes(game, &spec, args)?;
    let gain = single.ns_per_step / lanes.ns_per_step;
    Ok(Measurement { game: game.name(), player, single, lanes, gain })
}

/// First searches of games, one after the other.
pub(super) fn single(game: &Arc<dyn Playable>, spec: &Spec, args: &Args) -> Result<Speed, SearchError> {
    let role = deciders(&*game.clone().start(), game.role_names().len()).first().copied().unwrap_or(Role(0));
    let mut player = game.clone().player(role, spec, Arc::new(InMemory::default()))?;
    let time = Duration::from_secs_f64(args.seconds * f64::from(args.runs));
    let mut total = Effort::default();
    let begun = Instant::now();
    for number in 0.. {
        player.start(Seed::new(args.seed).at(number));
        total += player.choose(&Budget::simulations(SIMULATIONS), &|| false).1;
        if begun.elapsed() >= time {
            break;
        }
    }
    Ok(Speed::new(total, begun.elapsed()))
}

/// Games in all lanes until each has made a search.
fn lanes(game: &Arc<dyn Playable>, spec: &Spec, args: &Args) -> Result<Speed, SearchError> {
    let mut searches = Searches {
        seats: vec![spec.clone(); game.role_names().len()],
        seed: Seed::new(args.seed),
        begun: 0,
        ended: 0,
        total: Effort::default(),
    };
    let begun = Instant::now();
    game.clone().lockstep(LANES, &mut searches, Arc::new(InMemory::default()))?;
    Ok(Speed::new(searches.total, begun.elapsed()))
}

/// Games that are given up when as many searches have ended as there are lanes.
struct Searches {
    seats: Vec<Spec>,
    seed: Seed,
    begun: u64,
    ended: usize,
    total: Effort,
}

impl Schedule for Searches {
    fn next(&mut self) -> Option<LaneGame> {
        self.begun += 1;
        let (number, seats) = (self.begun, self.seats.clone());
        Some(LaneGame { number, seats, budget: Budget::simulations(SIMULATIONS), seed: self.seed.at(number) })
    }

    fn searched(&mut self, effort: Effort) {
        self.ended += 1;
        self.total += effort;
    }

    fn finished(&mut self, _: u64, _: Played) {}

    fn is_stopped(&self) -> bool {
        self.ended >= LANES
    }
}
