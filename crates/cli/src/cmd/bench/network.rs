//! What the way over a match costs: the simulations of the network player in one step, beside those of a plain search.
//!
//! The player gets START and one PLAY from a referee in this program, so that its threads, clocks and kept tree are those of a real
//! match; only the socket is missing. The plain search begins in the same position and takes as long as the player took.

use super::{Args, show_progress};
use crate::{Console, Failure, cmd::referee::rules};
use ludens_catalog as catalog;
use ludens_catalog::SHEETS;
use ludens_game::{Role, Seed};
use ludens_ggp::{
    Contestant, Inside, Journal, MatchObserver, NetworkPlayer, Occasion, Options, Referee, RefereeGame, Seat, Summons,
    Trouble,
};
use ludens_search::{Budget, DEFAULT_PLAYER, InMemory, Spec};
use serde::Serialize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The clocks of the match, in seconds.
const START: u64 = 2;
const PLAY: u64 = 2;

#[derive(Serialize)]
struct Measurement {
    game: String,
    /// The share of the play clock after which the move came.
    clock_used: f64,
    player_simulations_per_second: f64,
    search_simulations_per_second: f64,
    /// The player's speed relative to that of the plain search.
    ratio: f64,
}

pub(super) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let names = if args.games.is_empty() {
        SHEETS.iter().map(|sheet| format!("gdl:{}", sheet.name)).collect()
    } else {
        args.games.clone()
    };
    let mut measurements = Vec::new();
    for (index, name) in names.iter().enumerate() {
        show_progress(&format!("{name} ({} of {})", index + 1, names.len()));
        measurements.push(measure(name, args.seed)?);
    }
    show_progress("");
    if console.json {
        return console.json(&measurements);
    }
    let rows = measurements.iter().map(|m| {
        vec![
            m.game.clone(),
            format!("{:.0} %", 100.0 * m.clock_used),
            format!("{:.0}", m.player_simulations_per_second),
            format!("{:.0}", m.search_simulations_per_second),
            format!("{:.2}", m.ratio),
        ]
    });
    let columns = [("game", false), ("clock", true), ("player sims/s", true), ("search sims/s", true), ("ratio", true)];
    console.table(&columns, rows.collect())?;
    Ok(writeln!(
        console.out,
        "\n{DEFAULT_PLAYER}, one step with a clock of {PLAY} s; clock: the share of it that was used"
    )?)
}

fn measure(name: &str, seed: u64) -> Result<Measurement, Failure> {
    let game = RefereeGame::open(name, &rules(name)?).map_err(|error| Failure::Usage(error.to_string()))?;
    let spec: Spec = DEFAULT_PLAYER.parse().expect("the default player is a spec");
    let (simulations, time) = one_step(&game, &spec, Seed::new(seed))?;
    let spec: Spec = format!("{spec}@think=every").parse().expect("the default player can think at every step");
    let playable = catalog::open(name)?;
    let mut plain = playable
        .player(Role(0), &spec, Arc::new(InMemory::default()))
        .map_err(|error| Failure::Usage(error.to_string()))?;
    plain.start(Seed::new(seed));
    let (_, effort) = plain.choose(&Budget::time(time), &|| false);
    let (player, search) =
        (simulations as f64 / time.as_secs_f64(), effort.simulations as f64 / effort.time.as_secs_f64());
    Ok(Measurement {
        game: name.to_owned(),
        clock_used: time.as_secs_f64() / PLAY as f64,
        player_simulations_per_second: player,
        search_simulations_per_second: search,
        ratio: player / search,
    })
}

/// The simulations of the first role's first step, and the time until its answer.
fn one_step(game: &RefereeGame, spec: &Spec, seed: Seed) -> Result<(u64, Duration), Failure> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&lines);
    let journal = Journal::new(move |line| heard.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned()));
    let options = Options { seed, journal, ..Options::new("bench", spec.clone()) };
    let player =
        Arc::new(Timed { inside: Inside::new("bench", NetworkPlayer::new(options)), answered: Mutex::new(None) });
    let mut seats = vec![Seat::Random; game.roles().len()];
    seats[0] = Seat::Contestant(player.clone());
    let (id, journal) = ("bench".to_owned(), Journal::silent());
    let referee = Referee { game, id, start: START, play: PLAY, scrambler: None, seed, journal };
    let answered = || player.answered.lock().unwrap_or_else(PoisonError::into_inner).is_some();
    referee.run(&seats, &mut MatchObserver { seen: &mut |_| {}, stop: &answered });
    let time = player.answered.lock().unwrap_or_else(PoisonError::into_inner).take();
    let lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    let simulations = lines.iter().find_map(|line| {
        let (_, rest) = line.rsplit_once(" after ")?;
        rest.strip_suffix(" simulations")?.parse().ok()
    });
    let failed = || Failure::Usage(format!("{}: the player made no step: {}", game.name(), lines.join("; ")));
    simulations.zip(time).ok_or_else(failed)
}

/// Takes the time of the first move.
struct Timed {
    inside: Inside,
    answered: Mutex<Option<Duration>>,
}

impl Contestant for Timed {
    fn name(&self) -> String {
        self.inside.name()
    }

    fn ask(&self, occasion: &Occasion<'_>) -> Result<String, Trouble> {
        let begun = Instant::now();
        let answer = self.inside.ask(occasion);
        if occasion.summons == Summons::Play {
            self.answered.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(begun.elapsed());
        }
        answer
    }
}
