//! What a GPU does: searches of 1,000 simulations from the initial position, thousands at once, beside one core of the processor.

use super::lockstep::{PLAYERS, SIMULATIONS, Speed, single};
use super::{Args, open_games, show_progress};
use crate::{Console, Failure, arguments::cores, console::grouped, notation::deciders};
use ludens_game::{Role, Seed};
use ludens_gpu::{Card, CardError, GpuGame, Job, MemoryPlan, PlayerCode, Sheet, Sink};
use ludens_search::{Budget, Effort, InMemory, Playable, Played, Spec};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A search on a card may take half as much memory again as one of the processor: tables grow by doubling.
fn with_room(bytes: usize) -> usize {
    bytes + bytes / 2
}

/// Searches that are begun one after the other in each seat, so that time ends a measurement and not a lack of games.
const SEARCHES: usize = 32;

/// Seats to be filled at most.
const MOST_SEATS: usize = 1 << 19;

#[derive(Serialize)]
struct Measurement {
    game: String,
    player: String,
    at_once: usize,
    /// Seats that fitted into memory.
    seats: usize,
    simulations_per_s: f64,
    steps_per_s: f64,
    /// One core of the processor.
    single: Speed,
    /// How many times as fast as one core, by steps.
    gain: f64,
    left_out: usize,
    compiling_s: f64,
    playing_s: f64,
    launches: u64,
    pool_bytes: u64,
}

pub(super) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let cards = ludens_arena::gpu().map_err(|error| Failure::Usage(error.to_string()))?;
    let card = &cards[0];
    let games = open_games(args)?;
    let defaults = || PLAYERS.iter().map(|&player| player.to_owned()).collect();
    let players: Vec<String> = if args.players.is_empty() { defaults() } else { args.players.clone() };
    prepare(card, &games, &players)?;
    let mut measurements = Vec::new();
    if !console.json {
        writeln!(console.out, "{}", card.describe())?;
        let titles = ["game", "player", "at once", "sims/s", "steps/s", "one core sims/s", "times"];
        writeln!(console.out, "{}", row(titles.map(str::to_owned)))?;
    }
    for game in &games {
        for player in &players {
            let spec: Spec = player.parse().map_err(|error| Failure::Usage(format!("{player}: {error}")))?;
            let single = single(game, &spec, args).map_err(|error| Failure::Usage(error.to_string()))?;
            for &at_once in &args.at_once {
                show_progress(&format!("{}, {player}, {at_once} at once", game.name()));
                let m = measure(card, game, (&**player, &spec), (at_once, single), args).map_err(Failure::Usage)?;
                show_progress("");
                if !console.json {
                    let whole = |number: f64| grouped(number.round() as u64);
                    writeln!(
                        console.out,
                        "{}",
                        row([
                            m.game.clone(),
                            player.clone(),
                            grouped(m.seats as u64),
                            whole(m.simulations_per_s),
                            whole(m.steps_per_s),
                            whole(m.single.simulations_per_s),
                            whole(m.gain),
                        ])
                    )?;
                    console.out.flush()?;
                }
                measurements.push(m);
            }
        }
    }
    if console.json {
        return console.json(&measurements);
    }
    for &at_once in &args.at_once {
        let gains: Vec<f64> = measurements.iter().filter(|m| m.at_once == at_once).map(|m| m.gain.ln()).collect();
        let (mean, count) = ((gains.iter().sum::<f64>() / gains.len() as f64).exp(), gains.len());
        writeln!(console.out, "{at_once} at once: {mean:.0} times one core, geometric mean of {count} rows")?;
    }
    Ok(())
}

/// A row of the table, which is shown as soon as it is measured.
fn row([game, player, at_once, simulations, steps, single, times]: [String; 7]) -> String {
    format!("{game:<22} {player:<22} {at_once:>8} {simulations:>13} {steps:>15} {single:>15} {times:>7}")
}

/// Compiles everything that will be measured, on all cores.
fn prepare(card: &Card, games: &[Arc<dyn Playable>], players: &[String]) -> Result<(), Failure> {
    let mut jobs = Vec::new();
    for game in games {
        let sheet = sheet(game).map_err(Failure::Usage)?;
        for player in players {
            let spec: Spec = player.parse().map_err(|error| Failure::Usage(format!("{player}: {error}")))?;
            jobs.push(job(&sheet, &spec, 0, 1).map_err(Failure::Usage)?);
        }
    }
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            show_progress(&format!("compiling {} kernels", jobs.len()));
            card.prepare(job)?;
        }
        Ok(())
    };
    let compiled: Result<(), CardError> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores()).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a compiler does not panic"))
    });
    compiled.map_err(|error| Failure::Usage(error.to_string()))
}

fn sheet(game: &Arc<dyn Playable>) -> Result<Arc<Sheet>, String> {
    let no_rules = || format!("{} cannot be played on a GPU: only compiled rulesheets can", game.name());
    Ok(Arc::new(Sheet::new(&game.circuit().ok_or_else(no_rules)?)?))
}

/// First searches of about so many seats.
fn job(sheet: &Arc<Sheet>, player: &Spec, seed: u64, seats: usize) -> Result<Job, String> {
    let code = PlayerCode::new(player, &Budget::simulations(SIMULATIONS))?;
    let roles = sheet.roles();
    let game = |number| GpuGame { seats: vec![0; roles], seed: Seed::new(seed).at(number) };
    let games = (0..seats.div_ceil(roles) as u64).map(game).collect();
    Ok(Job::new(sheet.clone(), vec![code], games).only_searches())
}

/// What a search of a player takes in the memory of the processor.
fn search_bytes(game: &Arc<dyn Playable>, spec: &Spec) -> Result<usize, String> {
    let role = deciders(&*game.clone().start(), game.role_names().len()).first().copied().unwrap_or(Role(0));
    let player = game.clone().player(role, spec, Arc::new(InMemory::default()));
    let mut player = player.map_err(|error| error.to_string())?;
    player.start(Seed::new(0));
    player.choose(&Budget::simulations(SIMULATIONS), &|| false);
    Ok(player.report().bytes)
}

/// Searches for as long as all runs together, or until all have ended.
fn measure(
    card: &Card,
    game: &Arc<dyn Playable>,
    (player, spec): (&str, &Spec),
    (at_once, single): (usize, Speed),
    args: &Args,
) -> Result<Measurement, String> {
    let seats = (SEARCHES * at_once).min(MOST_SEATS.max(at_once));
    let job = job(&sheet(game)?, spec, args.seed, seats)?;
    let plan = MemoryPlan { seat_bytes: with_room(search_bytes(game, spec)?), memory: 1.0, warps: 1.0, lanes: at_once };
    let limit = Duration::from_secs_f64(args.seconds * f64::from(args.runs));
    let mut clock = Clock { begun: None, limit, left_out: 0 };
    let time = card.play(&job, plan, &mut clock).map_err(|error| error.to_string())?;
    let effort = Effort { simulations: time.simulations, steps: time.steps, time: time.playing };
    let speed = Speed::new(effort, time.playing.max(Duration::from_nanos(1)));
    Ok(Measurement {
        game: game.name(),
        player: player.to_owned(),
        at_once,
        seats: time.lanes,
        simulations_per_s: speed.simulations_per_s,
        steps_per_s: 1e9 / speed.ns_per_step,
        single,
        gain: single.ns_per_step / speed.ns_per_step,
        left_out: clock.left_out,
        compiling_s: time.compiling.as_secs_f64(),
        playing_s: time.playing.as_secs_f64(),
        launches: time.launches,
        pool_bytes: time.pool,
    })
}

/// Ends a measurement.
struct Clock {
    begun: Option<Instant>,
    limit: Duration,
    left_out: usize,
}

impl Sink for Clock {
    fn finished(&mut self, _: usize, played: Option<Played>) {
        self.left_out += usize::from(played.is_none());
    }

    fn searched(&mut self, _: u64) {
        self.begun.get_or_insert_with(Instant::now);
    }

    fn is_stopped(&self) -> bool {
        crate::interrupt::asked() || self.begun.is_some_and(|begun| begun.elapsed() >= self.limit)
    }
}
