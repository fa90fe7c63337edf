//! Experiments that are played from the page, one at a time; the others wait for their turn.
//!
//! What is played and recorded is what `ludens experiment run` plays and records, in the same folder. The file of an
//! experiment that the page has made up lies beside its records, so that both programs can go on with it. Pausing ends the
//! run after the games under way; going on plays what is left.

use crate::{
    problem::Problem,
    results::Answer,
    server::{App, aside},
};
use axum::{
    Json,
    extract::{Path as At, State},
};
use ludens_arena::{Ending, Experiment, GameRecord, OpenGames, Run, RunObserver, Shard, Store, load};
use ludens_catalog as catalog;
use ludens_search::{Learned, isolate};
use serde::{Deserialize, Serialize};
use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

/// The file of an experiment that the page has made up, in the folder of its records.
pub(crate) const PLAN: &str = "experiment.toml";

/// How many runs are listed; those that are over go first.
const MAX_RUNS: usize = 30;

/// More games than this in a cell are asked for by mistake.
const MAX_GAMES: u64 = 100_000;

/// An experiment as the page asks for it.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct NewRun {
    name: String,
    games: Vec<String>,
    budgets: Vec<String>,
    players: Vec<String>,
    games_per_cell: u64,
    /// Whether a cell ends as soon as a sequential test tells the players apart.
    sprt: bool,
}

/// A run on the page.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Run"))]
pub(crate) struct Told {
    name: String,
    state: RunState,
    games: u64,
    wanted: u64,
    /// Why it has failed.
    error: Option<String>,
}

/// What becomes of a run.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum RunState {
    Waiting,
    Running,
    Paused,
    Done,
    Failed,
}

/// What can be done with a run.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    /// Plays what is left of an experiment, as soon as it is its turn.
    Start,
    Pause,
    /// Ends it and takes it off the list. Its records stay.
    Stop,
}

/// A run, and how its thread is reached.
struct Entry {
    experiment: Arc<Experiment>,
    state: RunState,
    error: Option<String>,
    count: Arc<Count>,
}

/// What a run and the page tell each other.
#[derive(Default)]
struct Count {
    stop: AtomicBool,
    games: AtomicU64,
}

impl Count {
    /// For what is left: the games played before are counted when it begins.
    fn new() -> Arc<Count> {
        Arc::default()
    }
}

struct Counting<'c> {
    count: &'c Count,
    wanted: u64,
}

impl RunObserver for Counting<'_> {
    fn begin(&self, left: &[u64]) {
        self.count.games.store(self.wanted.saturating_sub(left.iter().sum()), Ordering::Relaxed);
    }

    fn game(&self, _cell: usize, _game: &GameRecord) {
        self.count.games.fetch_add(1, Ordering::Relaxed);
    }
}

fn wanted(experiment: &Experiment) -> u64 {
    experiment.cells.iter().map(|planned| planned.games).sum()
}

/// All runs of this server.
pub(crate) struct Runs {
    results: PathBuf,
    threads: usize,
    learned: Arc<dyn Learned>,
    list: Mutex<List>,
}

#[derive(Default)]
struct List {
    entries: Vec<Entry>,
    /// Whether a thread plays them.
    has_thread: bool,
}

impl Runs {
    pub(crate) fn new(results: PathBuf, threads: usize, learned: Arc<dyn Learned>) -> Runs {
        Runs { results, threads: threads.max(1), learned, list: Mutex::default() }
    }

    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn told(&self) -> Vec<Told> {
        let tell = |entry: &Entry| Told {
            name: entry.experiment.name.clone(),
            state: entry.state,
            games: entry.count.games.load(Ordering::Relaxed),
            wanted: wanted(&entry.experiment),
            error: entry.error.clone(),
        };
        self.list().entries.iter().map(tell).collect()
    }

    /// Puts an experiment at the end of the queue.
    fn add(self: &Arc<Runs>, experiment: Arc<Experiment>) {
        let mut list = self.list();
        let count = Count::new();
        match list.entries.iter_mut().find(|entry| entry.experiment.name == experiment.name) {
            Some(entry) if matches!(entry.state, RunState::Waiting | RunState::Running) => return,
            Some(entry) => *entry = Entry { experiment, state: RunState::Waiting, error: None, count },
            None => list.entries.push(Entry { experiment, state: RunState::Waiting, error: None, count }),
        }
        while list.entries.len() > MAX_RUNS {
            let over = |entry: &Entry| !matches!(entry.state, RunState::Waiting | RunState::Running);
            let Some(place) = list.entries.iter().position(over) else { break };
            list.entries.remove(place);
        }
        if !std::mem::replace(&mut list.has_thread, true) {
            let runs = self.clone();
            std::thread::spawn(move || runs.work());
        }
    }

    /// Plays whatever waits, until nothing does.
    fn work(&self) {
        loop {
            let (experiment, count) = {
                let mut list = self.list();
                let Some(entry) = list.entries.iter_mut().find(|entry| entry.state == RunState::Waiting) else {
                    list.has_thread = false;
                    return;
                };
                entry.state = RunState::Running;
                (entry.experiment.clone(), entry.count.clone())
            };
            let ended = isolate(|| self.play(&experiment, &count)).unwrap_or_else(|panicked| {
                Err(format!("the run failed: {}; this is a bug in Ludens", ludens_arena::one_line(&panicked)))
            });
            let mut list = self.list();
            if let Some(entry) = list.entries.iter_mut().find(|entry| Arc::ptr_eq(&entry.count, &count)) {
                (entry.state, entry.error) = match ended {
                    Ok(Ending::Complete) => (RunState::Done, None),
                    Ok(Ending::Stopped) => (RunState::Paused, None),
                    Err(error) => (RunState::Failed, Some(error)),
                };
            }
        }
    }

    fn play(&self, experiment: &Experiment, count: &Count) -> Result<Ending, String> {
        let folder = self.results.join(&experiment.name);
        let (mut store, _) = Store::open(&folder, Shard::default()).map_err(|error| error.to_string())?;
        let games = OpenGames::default();
        let stop = || count.stop.load(Ordering::Relaxed);
        let run =
            Run { learned: self.learned.clone(), threads: self.threads, stop: &stop, ..Run::new(experiment, &games) };
        run.go(&mut store, &Counting { count, wanted: wanted(experiment) }).map_err(|error| error.to_string())
    }

    fn act(&self, name: &str, action: Action) -> Result<(), Problem> {
        let mut list = self.list();
        let place = list.entries.iter().position(|entry| entry.experiment.name == name);
        let place = place.ok_or_else(|| Problem::missing(format!("nothing of the name {name:?} is being played")))?;
        let entry = &mut list.entries[place];
        entry.count.stop.store(true, Ordering::Relaxed);
        if entry.state == RunState::Waiting {
            entry.state = RunState::Paused;
        }
        if action == Action::Stop {
            list.entries.remove(place);
        }
        Ok(())
    }
}

/// The file of an experiment.
fn file(new: &NewRun) -> String {
    let quoted = |text: &String| serde_json::Value::from(text.as_str()).to_string();
    let list = |texts: &[String]| texts.iter().map(quoted).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "name = {}\nabout = \"Started from the page.\"\ngames = [{}]\nbudgets = [{}]\ngames-per-cell = {}\n\n[players]\n",
        quoted(&new.name),
        list(&new.games),
        list(&new.budgets),
        new.games_per_cell
    );
    for player in &new.players {
        let _ = writeln!(text, "{0} = {0}", quoted(player));
    }
    if new.sprt {
        text += "\n[stop]\nrule = \"sprt\"\nelo0 = 0\nelo1 = 30\n";
    }
    text
}

/// Reads what the page asks for, and puts the file of it beside the records to come.
fn plan(new: &NewRun, results: &Path) -> Result<Experiment, Problem> {
    if let Some(path) = new.games.iter().find(|game| catalog::is_file(game)) {
        return Err(Problem::bad(format!("{path} is a file; the page plays games of the catalogue only")));
    }
    if !(1..=MAX_GAMES).contains(&new.games_per_cell) {
        return Err(Problem::bad(format!("the number of games must be between 1 and {MAX_GAMES}")));
    }
    let text = file(new);
    let experiment = load(PLAN, &text, &OpenGames::default()).map_err(Problem::bad)?;
    let folder = results.join(&experiment.name);
    let path = folder.join(PLAN);
    let is_known = std::fs::read_to_string(&path).is_ok_and(|known| known == text);
    if folder.exists() && !is_known {
        let name = &experiment.name;
        return Err(Problem::bad(format!("there are records of another experiment {name:?}; choose another name")));
    }
    std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, text)).map_err(Problem::broken)?;
    Ok(experiment)
}

pub(crate) async fn list(State(app): State<Arc<App>>) -> Json<Vec<Told>> {
    Json(app.runs.told())
}

pub(crate) async fn begin(State(app): State<Arc<App>>, Json(new): Json<NewRun>) -> Answer<Vec<Told>> {
    aside(move || {
        let experiment = plan(&new, &app.runs.results)?;
        app.runs.add(Arc::new(experiment));
        Ok(app.runs.told())
    })
    .await
    .map(Json)
}

pub(crate) async fn act(State(app): State<Arc<App>>, At((name, action)): At<(String, Action)>) -> Answer<Vec<Told>> {
    aside(move || {
        if action == Action::Start {
            let planned = app.folders.plan(&name);
            app.runs.add(planned.ok_or_else(|| Problem::missing(format!("there is no plan of {name:?}")))?);
        } else {
            app.runs.act(&name, action)?;
        }
        Ok(app.runs.told())
    })
    .await
    .map(Json)
}
