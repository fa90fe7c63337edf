//! Experiments in a folder: what their records say, down to single games.
//!
//! Records are only read, and a line that is being written is left alone, so that an experiment can be looked at while it is
//! played.

use crate::{
    problem::Problem,
    server::{App, aside},
};
use axum::{
    Json,
    extract::{Path as At, State},
};
use ludens_arena::{
    Cell, CellId, CellResults, Experiment, GameRecord, JournalLine, OpenGames, Planned, Results, journals_in, load,
    papers::{self, PAPERS, Selection, Table},
    read_journal,
    report::{Column, Document, DocumentBlock, Grid, experiment_document, summarize},
};
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

/// Where experiments are.
pub(crate) struct Folders {
    /// A folder per experiment, with its records.
    pub(crate) results: PathBuf,
    /// The files that say what is played.
    pub(crate) experiments: PathBuf,
    /// The files that were read, so that their games are not opened again and again.
    read: Mutex<Vec<Plan>>,
}

/// What a file says, as of when it was written.
struct Plan {
    path: PathBuf,
    written: SystemTime,
    experiment: Option<Arc<Experiment>>,
}

/// The records of a folder.
struct Records {
    results: Results,
    seed: u64,
    /// When the last of them was written.
    written: Option<SystemTime>,
}

impl Records {
    /// The time since the last of them was written.
    fn age(&self) -> Option<Duration> {
        self.written.and_then(|time| time.elapsed().ok())
    }
}

impl Folders {
    pub(crate) fn new(results: PathBuf, experiments: PathBuf) -> Folders {
        Folders { results, experiments, read: Mutex::default() }
    }

    /// The experiments with records, by the names of their folders.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.results).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| journals_in(&entry.path()).is_ok_and(|journals| !journals.is_empty()));
        let mut names: Vec<_> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    /// The folder of an experiment. Only names that are listed are known: no path leads out of the folder.
    fn folder(&self, name: &str) -> Result<PathBuf, Problem> {
        let names = self.names();
        if names.iter().any(|known| known == name) {
            return Ok(self.results.join(name));
        }
        Err(Problem::missing(format!("there are no records of {name:?}; experiments: {}", names.join(", "))))
    }

    fn records(&self, name: &str) -> Result<Records, Problem> {
        let mut records = Records { results: Results::default(), seed: 0, written: None };
        for path in journals_in(&self.folder(name)?).map_err(Problem::broken)? {
            records.written = records.written.max(written(&path));
            for line in read_journal(&path).map_err(Problem::broken)?.lines {
                if let JournalLine::Cell(cell) = &line {
                    records.seed = cell.seed;
                }
                records.results.add(line);
            }
        }
        Ok(records)
    }

    /// What was planned: by the file of an experiment or a paper, or else just what was played.
    fn experiment(&self, name: &str, records: &Records) -> Experiment {
        if let Some(planned) = self.plan(name) {
            return Experiment::clone(&planned);
        }
        let played = |id: &CellId| records.results.cells.get(id).is_some_and(|cell| !cell.games.is_empty());
        if let Some(paper) = PAPERS.iter().find(|paper| paper.name == name) {
            let tables = paper.all_tables();
            let mut experiment = papers::experiment(paper, &tables.iter().collect::<Vec<_>>(), &Selection::default());
            experiment.cells.retain(|planned| played(&planned.cell.id(experiment.seed)));
            return experiment;
        }
        let cells = records.results.order.iter().map(|id| &records.results.cells[id]);
        let planned = cells.map(|cell| Planned {
            cell: Arc::new(cell.cell.clone()),
            games: (cell.games.len() + cell.broken.len()) as u64,
        });
        Experiment {
            name: name.to_owned(),
            about: String::new(),
            seed: records.seed,
            counting: Default::default(),
            stop: None,
            cells: planned.collect(),
        }
    }

    /// The experiment of that name among the files.
    fn plan(&self, name: &str) -> Option<Arc<Experiment>> {
        let entries = std::fs::read_dir(&self.experiments).ok()?.flatten().map(|entry| entry.path());
        let files = entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
        let mut plans = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        for path in files {
            let Some(now) = written(&path) else { continue };
            if plans.iter().any(|plan| plan.path == path && plan.written == now) {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let experiment = load(&path.display().to_string(), &text, &OpenGames::default()).ok().map(Arc::new);
            plans.retain(|plan| plan.path != path);
            plans.push(Plan { path, written: now, experiment });
        }
        plans.iter().filter_map(|plan| plan.experiment.clone()).find(|experiment| experiment.name == name)
    }

    fn list(&self) -> Result<Value, Problem> {
        let row = |name: &String| -> Value {
            let records = match self.records(name) {
                Ok(records) => records,
                Err(problem) => return json!({ "name": name, "error": problem.message }),
            };
            let experiment = self.experiment(name, &records);
            let ExperimentProgress { games, wanted, is_live } = progress(&experiment, &records);
            let age = records.age().map(|age| age.as_secs());
            json!({ "name": name, "about": experiment.about, "cells": experiment.cells.len(), "games": games,
                    "wanted": wanted, "age": age, "live": is_live })
        };
        let rows: Vec<Value> = self.names().iter().map(row).collect();
        Ok(json!({ "folder": self.results, "experiments": rows }))
    }

    fn one(&self, name: &str) -> Result<Value, Problem> {
        let records = self.records(name)?;
        let experiment = self.experiment(name, &records);
        let summary = summarize(&experiment, &records.results);
        let ExperimentProgress { games, wanted, is_live } = progress(&experiment, &records);
        let cells: Vec<_> = summary.cells.iter().map(|cell| cell.cell.to_string()).collect();
        let mut told = told(&experiment_document(&summary));
        told["cells"] = json!(cells);
        told["games"] = json!(games);
        told["wanted"] = json!(wanted);
        told["live"] = json!(is_live);
        Ok(told)
    }

    fn cell(&self, name: &str, cell: &str) -> Result<Value, Problem> {
        let id: CellId = cell.parse().map_err(Problem::bad)?;
        let records = self.records(name)?;
        let found = records.results.cells.get(&id);
        let found = found.ok_or_else(|| Problem::missing(format!("{name} has no cell {cell}")))?;
        let row = |game: &GameRecord| {
            json!({ "index": game.index, "seats": game.seats, "scores": game.scores, "end": game.end,
                    "steps": game.steps })
        };
        let games: Vec<_> = found.games.values().map(row).collect();
        Ok(json!({ "cell": found.cell, "games": games }))
    }

    /// What was played in a game, and its record with the moves.
    pub(crate) fn game(&self, name: &str, cell: &str, index: u64) -> Result<(Cell, GameRecord), Problem> {
        let id: CellId = cell.parse().map_err(Problem::bad)?;
        let is_wanted = |game: &GameRecord| game.cell == id && game.index == index;
        let (mut described, mut found) = (None, None);
        for path in journals_in(&self.folder(name)?).map_err(Problem::broken)? {
            for line in read_journal(&path).map_err(Problem::broken)?.lines {
                match line {
                    JournalLine::Cell(cell) if cell.id == id => described = Some(cell.cell),
                    JournalLine::Game(game) if is_wanted(&game) => found = found.or(Some(game)),
                    _ => {}
                }
            }
        }
        let missing = || Problem::missing(format!("{name} has no game {index} of the cell {cell}"));
        described.zip(found).ok_or_else(missing)
    }

    fn papers(&self) -> Result<Value, Problem> {
        let mut rows = Vec::new();
        for paper in PAPERS {
            let records = self.paper_records(paper.name);
            let tables = paper.all_tables();
            let compared: Vec<_> = tables.iter().map(|table| (table, papers::compare(table, &records))).collect();
            let presets = ludens_search::PAPERS.iter().find(|other| other.name == paper.name);
            rows.push(json!({
                "name": paper.name,
                "citation": presets.map_or("", |presets| presets.citation),
                "overview": grid(&papers::overview_grid(&compared)),
            }));
        }
        Ok(json!(rows))
    }

    /// The records of a paper; none if nothing of it was played here.
    fn paper_records(&self, name: &str) -> Results {
        self.records(name).map(|records| records.results).unwrap_or_default()
    }

    fn paper(&self, name: &str) -> Result<Value, Problem> {
        let Some(paper) = PAPERS.iter().find(|paper| paper.name == name) else {
            let known: Vec<_> = PAPERS.iter().map(|paper| paper.name).collect();
            return Err(Problem::missing(format!("unknown paper {name:?}; papers: {}", known.join(", "))));
        };
        let records = self.paper_records(name);
        let tables: Vec<(Table, &Results)> = paper.all_tables().into_iter().map(|table| (table, &records)).collect();
        let mut document = papers::reproduction_document(&format!("Reproduction of {name}"), &tables);
        document.blocks.extend(tables.iter().flat_map(|(table, results)| unmeasured(table, results)));
        Ok(told(&document))
    }
}

/// The published figures of a table that nobody has measured here yet.
fn unmeasured(table: &Table, results: &Results) -> Vec<DocumentBlock> {
    let row = |line: papers::Comparison| {
        let published = line.published.filter(|_| line.ours.is_none())?;
        let interval = format!("{:.1} to {:.1}", 100.0 * published.interval.low, 100.0 * published.interval.high);
        Some(vec![
            line.game,
            line.budget,
            line.player,
            line.opponent,
            format!("{:.1}", 100.0 * published.rate),
            interval,
        ])
    };
    let rows: Vec<_> = papers::compare(table, results).into_iter().filter_map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let words = ["game", "budget", "player", "against"].map(Column::text);
    let numbers = ["published %", "95 % interval"].map(Column::number);
    let columns = words.into_iter().chain(numbers).collect();
    let heading = format!("{}: published, not measured here", table.id());
    vec![DocumentBlock::Heading(heading), DocumentBlock::Table(Grid { columns, rows })]
}

/// Records younger than this belong to somebody who is still playing.
const LIVE: Duration = Duration::from_secs(60);

fn written(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}

/// How far an experiment has come.
struct ExperimentProgress {
    games: u64,
    wanted: u64,
    is_live: bool,
}

fn progress(experiment: &Experiment, records: &Records) -> ExperimentProgress {
    let played = |planned: &Planned| {
        let games = records.results.cells.get(&planned.cell.id(experiment.seed));
        let count = |cell: &CellResults| {
            let broken = cell.broken.range(..planned.games).count();
            (cell.games.range(..planned.games).count() as u64, broken as u64)
        };
        games.map_or((0, 0), count)
    };
    let (games, broken): (Vec<u64>, Vec<u64>) = experiment.cells.iter().map(played).unzip();
    let (games, broken) = (games.iter().sum(), broken.iter().sum::<u64>());
    let wanted = experiment.cells.iter().map(|planned| planned.games).sum();
    ExperimentProgress {
        games,
        wanted,
        is_live: games + broken < wanted && records.age().is_some_and(|age| age < LIVE),
    }
}

fn grid(grid: &Grid) -> Value {
    let columns: Vec<_> =
        grid.columns.iter().map(|column| json!({ "title": column.title, "number": column.is_number })).collect();
    json!({ "columns": columns, "rows": grid.rows })
}

fn told(document: &Document) -> Value {
    let block = |block: &DocumentBlock| match block {
        DocumentBlock::Heading(text) => json!({ "heading": text }),
        DocumentBlock::Text(text) => json!({ "text": text }),
        DocumentBlock::Table(table) => json!({ "table": grid(table) }),
        DocumentBlock::Plot(svg) => json!({ "plot": svg }),
    };
    json!({ "title": document.title, "blocks": document.blocks.iter().map(block).collect::<Vec<_>>() })
}

pub(crate) type Answer = Result<Json<Value>, Problem>;

async fn reading(app: Arc<App>, read: impl FnOnce(&Folders) -> Result<Value, Problem> + Send + 'static) -> Answer {
    aside(move || read(&app.folders)).await.map(Json)
}

pub(crate) async fn list(State(app): State<Arc<App>>) -> Answer {
    reading(app, Folders::list).await
}

pub(crate) async fn one(State(app): State<Arc<App>>, At(name): At<String>) -> Answer {
    reading(app, move |folders| folders.one(&name)).await
}

pub(crate) async fn cell(State(app): State<Arc<App>>, At((name, cell)): At<(String, String)>) -> Answer {
    reading(app, move |folders| folders.cell(&name, &cell)).await
}

pub(crate) async fn papers(State(app): State<Arc<App>>) -> Answer {
    reading(app, Folders::papers).await
}

pub(crate) async fn paper(State(app): State<Arc<App>>, At(name): At<String>) -> Answer {
    reading(app, move |folders| folders.paper(&name)).await
}
