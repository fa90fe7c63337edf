//! Matches, experiments and reproductions: played without the GIL, with progress, and given to Python as JSON.

use crate::error::{Raised, bad};
use crate::game::as_game;
use crate::interrupt::LOOK;
use crate::player::{LEARNED, read_budget};
use ludens::arena::papers::{self, Comparison, Measured, PAPERS, Selection, Table, compare};
use ludens::arena::{
    BrokenRecord, Cell, CellResults, Contestant, Counting, Experiment, Filter, GameRecord, OpenGames, Results, Run,
    RunError, RunObserver, Seats, Shard, Store, load, report::summarize,
};
use ludens::search::{Budget, Learned};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

/// How a campaign is played, for a person who waits.
struct Setup<'p> {
    threads: Option<usize>,
    /// Called with the games played and wanted.
    progress: Option<&'p Bound<'p, PyAny>>,
    /// Where records are kept.
    out: Option<PathBuf>,
    raised: Raised,
}

/// Watches a run and hands on what Python wants to know.
#[derive(Default)]
struct CampaignObserver {
    wanted: AtomicU64,
    played: AtomicU64,
    stopped: AtomicBool,
    raised: Raised,
    records: Mutex<Vec<GameRecord>>,
    notes: Mutex<Vec<String>>,
}

impl RunObserver for CampaignObserver {
    fn begin(&self, left: &[u64]) {
        self.wanted.store(left.iter().sum(), Relaxed);
    }

    fn game(&self, _cell: usize, game: &GameRecord) {
        self.played.fetch_add(1, Relaxed);
        self.records.lock().unwrap_or_else(PoisonError::into_inner).push(game.clone());
    }

    fn broken(&self, _cell: usize, _game: &BrokenRecord) {
        self.played.fetch_add(1, Relaxed);
        // An exception of a game written in Python ends the run.
        if self.raised.is_set() {
            self.stopped.store(true, Relaxed);
        }
    }

    fn note(&self, text: &str) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
    }
}

/// What was played: all results, the games of this run, and what the user should know.
struct Played {
    results: Results,
    records: Vec<GameRecord>,
}

/// Plays what is left of an experiment. The run has threads of its own; this one shows progress and listens for Ctrl-C.
fn play(py: Python<'_>, experiment: &Experiment, games: &OpenGames, setup: &Setup<'_>) -> PyResult<Played> {
    if setup.threads.is_some_and(|threads| !(1..=1024).contains(&threads)) {
        return Err(bad("threads: give 1 to 1024"));
    }
    let observer = CampaignObserver { raised: setup.raised.clone(), ..CampaignObserver::default() };
    let mut store = match &setup.out {
        None => Store::default(),
        Some(folder) => {
            let (store, repaired) = Store::open(folder, Shard::default()).map_err(bad)?;
            repaired.iter().for_each(|remark| observer.note(remark));
            store
        }
    };
    let progress = setup.progress.map(|progress| progress.clone().unbind());
    let threads = setup.threads;
    let ended = py.detach(|| {
        let stop = || observer.stopped.load(Relaxed);
        let learned: Arc<dyn Learned> = LEARNED.clone();
        let whole = Run::new(experiment, games);
        let run = Run { learned, threads: threads.unwrap_or(whole.threads), stop: &stop, ..whole };
        let (tell, done) = mpsc::channel();
        std::thread::scope(|scope| {
            let (run, store, observer) = (&run, &mut store, &observer);
            scope.spawn(move || {
                let ended = run.go(store, observer);
                // Whoever waits for it is there until this thread has ended.
                let _ = tell.send(ended);
            });
            let mut interrupted = Ok(());
            loop {
                let ended = done.recv_timeout(LOOK);
                if interrupted.is_ok() {
                    interrupted = Python::attach(|py| show(py, progress.as_ref(), observer));
                }
                if interrupted.is_err() {
                    observer.stopped.store(true, Relaxed);
                }
                match ended {
                    Ok(ended) => return interrupted.map(|()| ended),
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => return Err(bad("the run failed")),
                }
            }
        })
    })?;
    if let Some(error) = setup.raised.take() {
        return Err(error);
    }
    ended.map_err(|error| match error {
        RunError::Panicked(_) => crate::error::Fault::new_err(error.to_string()),
        error => bad(error),
    })?;
    for note in observer.notes.into_inner().unwrap_or_else(PoisonError::into_inner) {
        py.import("warnings")?.call_method1("warn", (note,))?;
    }
    let mut records = observer.records.into_inner().unwrap_or_else(PoisonError::into_inner);
    records.sort_by_key(|record| (record.cell, record.index));
    Ok(Played { results: store.results, records })
}

/// Shows how far a run is, and listens.
fn show(py: Python<'_>, progress: Option<&Py<PyAny>>, observer: &CampaignObserver) -> PyResult<()> {
    py.check_signals()?;
    if let Some(progress) = progress {
        progress.call1(py, (observer.played.load(Relaxed), observer.wanted.load(Relaxed)))?;
    }
    Ok(())
}

/// Anything as JSON.
fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(bad)
}

/// A match, as `ludens match --json` tells it, with the games.
#[derive(Serialize)]
struct MatchOutcome {
    game: String,
    budget: String,
    seed: u64,
    games: u64,
    mean_length: f64,
    players: Vec<PlayerRow>,
    broken: Vec<BrokenRecord>,
    records: Vec<GameRecord>,
}

/// One player of a match.
#[derive(Serialize)]
struct PlayerRow {
    player: String,
    rate: Option<f64>,
    low: f64,
    high: f64,
    won: u64,
    drawn: u64,
    lost: u64,
    simulations_per_s: f64,
}

/// Plays a match and returns its results as JSON.
#[pyfunction]
#[pyo3(signature = (game, players, *, games, sims, ms, budget, seed, threads, progress))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn play_match<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    players: Vec<String>,
    games: u64,
    sims: Option<u64>,
    ms: Option<u64>,
    budget: Option<&str>,
    seed: u64,
    threads: Option<usize>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<String> {
    let budget = read_budget((sims, ms, None), budget, 1000)?;
    if games == 0 {
        return Err(bad("games: give 1 or more"));
    }
    let contestant = |spec: &String| Ok(Contestant { name: spec.clone(), spec: spec.parse()? });
    let players = players.iter().map(contestant).collect::<Result<Vec<_>, _>>();
    let players = players.map_err(|error: ludens::search::SpecError| bad(error))?;
    let opened = as_game(game)?;
    let cell = Cell { game: opened.text.clone(), budget, players, seats: Seats::All };
    let experiment = Experiment::of_cell(cell.clone(), games, seed);
    let open = OpenGames::default().and(&opened.text, opened.game.clone());
    let setup = Setup { threads, progress, out: None, raised: opened.raised.clone() };
    let Played { mut results, records } = play(py, &experiment, &open, &setup)?;
    let results = results.cells.remove(&cell.id(seed)).unwrap_or_else(|| CellResults::new(cell.clone()));
    let row = |(place, player): (usize, &Contestant)| {
        let standing = results.standing(Counting::Players, place, u64::MAX);
        let interval = standing.points.wilson();
        PlayerRow {
            player: player.spec.to_string(),
            rate: standing.points.mean(),
            low: interval.low,
            high: interval.high,
            won: standing.wins,
            drawn: standing.draws,
            lost: standing.losses,
            simulations_per_s: standing.pace(),
        }
    };
    json(&MatchOutcome {
        game: opened.raised.catch(|| opened.game.name())?,
        budget: budget.to_string(),
        seed,
        games: results.games.len() as u64,
        mean_length: results.mean_steps(u64::MAX),
        players: cell.players.iter().enumerate().map(row).collect(),
        broken: results.broken.values().cloned().collect(),
        records,
    })
}

/// Plays the experiment of a TOML file and returns its summary and its games as JSON.
#[pyfunction]
#[pyo3(signature = (file, *, out, threads, progress))]
pub(crate) fn play_experiment<'py>(
    py: Python<'py>,
    file: PathBuf,
    out: Option<PathBuf>,
    threads: Option<usize>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<String> {
    let shown = file.display().to_string();
    let text =
        std::fs::read_to_string(&file).map_err(|error| PyOSError::new_err(format!("cannot read {shown}: {error}")))?;
    let games = OpenGames::default();
    let experiment = py.detach(|| load(&shown, &text, &games)).map_err(bad)?;
    let setup = Setup { threads, progress, out, raised: Raised::default() };
    let Played { results, records } = play(py, &experiment, &games, &setup)?;
    json(&(summarize(&experiment, &results), records))
}

/// Plays what is left of some tables of the papers and returns the comparison with the published figures as JSON.
#[pyfunction]
#[pyo3(signature = (target, *, games, only, budgets, out, threads, progress))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn reproduce_tables<'py>(
    py: Python<'py>,
    target: &str,
    games: Option<u64>,
    only: Vec<String>,
    budgets: Vec<String>,
    out: Option<PathBuf>,
    threads: Option<usize>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<String> {
    let tables = papers::find(target).map_err(bad)?;
    if games.is_some_and(|games| !(1..=1_000_000).contains(&games)) {
        return Err(bad("games: give 1 to 1000000"));
    }
    let budgets = budgets.iter().map(|text| text.parse::<Budget>()).collect::<Result<_, _>>().map_err(bad)?;
    let selection = Selection { games, filter: Filter { games: only, budgets }, ..Selection::default() };
    let open = OpenGames::default();
    let mut comparisons: Vec<Comparison> = Vec::new();
    let mut records = Vec::new();
    for paper in PAPERS {
        let of_paper: Vec<&Table> = tables.iter().filter(|table| table.paper.name == paper.name).collect();
        let experiment = papers::experiment(paper, &of_paper, &selection);
        if experiment.cells.is_empty() {
            continue;
        }
        let out = out.as_ref().map(|out| out.join(paper.name));
        let setup = Setup { threads, progress, out, raised: Raised::default() };
        let played = play(py, &experiment, &open, &setup)?;
        let measured = Measured::of(paper, &played.results);
        comparisons.extend(of_paper.iter().flat_map(|table| compare(table, &measured)));
        records.extend(played.records);
    }
    if comparisons.is_empty() {
        return Err(bad(nothing_selected(&tables)));
    }
    json(&(comparisons, records))
}

/// Why a selection is empty: what there is to choose from.
fn nothing_selected(tables: &[Table]) -> String {
    let cells = || tables.iter().flat_map(|table| &table.entries).flat_map(|entry| &entry.cells);
    let mut games: Vec<&str> = cells().map(|cell| &*cell.game).collect();
    let mut budgets: Vec<String> = cells().map(|cell| cell.budget.to_string()).collect();
    games.sort_unstable();
    games.dedup();
    budgets.sort_unstable();
    budgets.dedup();
    format!("no cell matches only and budgets; games: {}; budgets: {}", games.join(", "), budgets.join(", "))
}
