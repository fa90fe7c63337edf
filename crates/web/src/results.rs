//! Experiments in a folder: what their records say, down to single games.
//!
//! Records are only read, and a line that is being written is left alone, so that an experiment can be looked at while it is
//! played.

use crate::{
    answers::{CellGames, Document, ExperimentReport, Experiments, LIVE, Listed, PaperOverview, Progress, curve},
    problem::Problem,
    runs::PLAN,
    server::{App, aside},
};
use axum::{
    Json,
    extract::{Path as At, Query, State},
};
use ludens_arena::{
    Cell, CellId, CellResults, Experiment, GameRecord, JournalLine, OpenGames, Planned, Results, journals_in, load,
    papers::{self, Measured, PAPERS, Paper, Selection, Table},
    read_journal,
    report::{Column, DocumentBlock, Grid, experiment_document, summarize},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
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
    /// The entries of the list, as of when the records and the plans were written: reading all records takes seconds.
    listed: Mutex<HashMap<String, (Stamp, Listed)>>,
}

/// When the records of an experiment were written, how long they are, and when the last plan was.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    records: Option<SystemTime>,
    bytes: u64,
    plans: Option<SystemTime>,
}

/// A part of a list.
#[derive(Deserialize)]
pub(crate) struct Page {
    #[serde(default)]
    from: usize,
    count: Option<usize>,
}

impl Page {
    /// What is on it, of so many at most.
    fn of<T>(&self, all: impl Iterator<Item = T>, most: usize) -> Vec<T> {
        all.skip(self.from).take(self.count.unwrap_or(most).min(most)).collect()
    }
}

/// Experiments on a page of the list.
const MAX_EXPERIMENTS: usize = 60;

/// Games on a page of a cell.
const MAX_GAMES: usize = 200;

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
        Folders { results, experiments, read: Mutex::default(), listed: Mutex::default() }
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
            first: 0,
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
    pub(crate) fn plan(&self, name: &str) -> Option<Arc<Experiment>> {
        let files = self.plan_files().chain([self.results.join(name).join(PLAN)]);
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

    /// The files of experiments that people wrote.
    fn plan_files(&self) -> impl Iterator<Item = PathBuf> {
        let entries = std::fs::read_dir(&self.experiments).into_iter().flatten().flatten().map(|entry| entry.path());
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
    }

    fn stamp(&self, name: &str, plans: Option<SystemTime>) -> Stamp {
        let files = journals_in(&self.results.join(name)).unwrap_or_default();
        let bytes = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
        Stamp {
            records: files.iter().filter_map(|path| written(path)).max(),
            bytes: files.iter().map(bytes).sum(),
            plans,
        }
    }

    fn list(&self, page: &Page) -> Result<Experiments, Problem> {
        let plans = self.plan_files().filter_map(|path| written(&path)).max();
        let row = |name: String| {
            let stamp = self.stamp(&name, plans);
            let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((as_of, known)) = listed.get_mut(&name)
                && *as_of == stamp
            {
                known.grow_older(stamp.records.and_then(|time| time.elapsed().ok()));
                return known.clone();
            }
            drop(listed);
            let fresh = self.row(name.clone());
            self.listed.lock().unwrap_or_else(PoisonError::into_inner).insert(name, (stamp, fresh.clone()));
            fresh
        };
        let names = self.names();
        let total = names.len();
        let experiments = page.of(names.into_iter(), MAX_EXPERIMENTS).into_iter().map(row).collect();
        Ok(Experiments { folder: self.results.clone(), total, experiments })
    }

    /// An experiment in the list.
    fn row(&self, name: String) -> Listed {
        let records = match self.records(&name) {
            Ok(records) => records,
            Err(problem) => return Listed::Unreadable { name, error: problem.message },
        };
        let experiment = self.experiment(&name, &records);
        let progress = progress(&experiment, &records);
        let (cells, age) = (experiment.cells.len(), records.age().map(|age| age.as_secs()));
        Listed::Readable { name, about: experiment.about, cells, progress, age }
    }

    fn one(&self, name: &str) -> Result<ExperimentReport, Problem> {
        let records = self.records(name)?;
        let experiment = self.experiment(name, &records);
        let summary = summarize(&experiment, &records.results);
        Ok(ExperimentReport {
            document: (&experiment_document(&summary)).into(),
            cells: summary.cells.iter().map(|cell| cell.cell.to_string()).collect(),
            progress: progress(&experiment, &records),
        })
    }

    fn cell(&self, name: &str, cell: &str, page: &Page) -> Result<CellGames, Problem> {
        let id: CellId = cell.parse().map_err(Problem::bad)?;
        let records = self.records(name)?;
        let found = records.results.cells.get(&id);
        let found = found.ok_or_else(|| Problem::missing(format!("{name} has no cell {cell}")))?;
        let games = page.of(found.games.values().map(Into::into), MAX_GAMES);
        Ok(CellGames { cell: (&found.cell).into(), total: found.games.len(), games, curve: curve(found) })
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

    fn papers(&self) -> Result<Vec<PaperOverview>, Problem> {
        let row = |paper: &&'static Paper| {
            let (measured, source) = self.measured(paper, &self.paper_records(paper.name));
            let tables = paper.all_tables();
            let compared: Vec<_> = tables.iter().map(|table| (table, papers::compare(table, &measured))).collect();
            let overview = (&papers::overview_grid(&compared)).into();
            let citation = format!("{}. {source}", paper.source().citation);
            PaperOverview { name: paper.name, citation, overview }
        };
        Ok(PAPERS.iter().map(row).collect())
    }

    /// The records of a paper; none if nothing of it was played here.
    fn paper_records(&self, name: &str) -> Results {
        self.records(name).map(|records| records.results).unwrap_or_default()
    }

    /// What is shown of a paper, and where it comes from: of every figure the longer count, that of its records or the one that came
    /// with the program. A few games, such as those of `reproduce --quick`, do not hide what is known.
    fn measured(&self, paper: &'static Paper, records: &Results) -> (Measured, String) {
        let own = Measured::of(paper, records);
        if own.counts.is_empty() {
            return (Measured::committed(), "Nothing was played here: the figures come with the program.".into());
        }
        let folder = self.results.join(paper.name);
        let source = format!(
            "Each figure comes from the records in {} or with the program, whichever has more games.",
            folder.display()
        );
        (own.or(&Measured::committed()), source)
    }

    fn paper(&self, name: &str) -> Result<Document, Problem> {
        let Some(paper) = PAPERS.iter().find(|paper| paper.name == name) else {
            let known: Vec<_> = PAPERS.iter().map(|paper| paper.name).collect();
            return Err(Problem::missing(format!("unknown paper {name:?}; papers: {}", known.join(", "))));
        };
        let records = self.paper_records(name);
        let (measured, source) = self.measured(paper, &records);
        let tables: Vec<(Table, &Results)> = paper.all_tables().into_iter().map(|table| (table, &records)).collect();
        let mut document = papers::reproduction_document(&format!("Reproduction of {name}"), &tables, &measured);
        document.blocks.insert(0, DocumentBlock::Text(source));
        document.blocks.extend(tables.iter().flat_map(|(table, _)| unmeasured(table, &measured)));
        Ok((&document).into())
    }
}

/// The published figures of a table that nobody has measured here yet.
fn unmeasured(table: &Table, measured: &Measured) -> Vec<DocumentBlock> {
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
    let rows: Vec<_> = papers::compare(table, measured).into_iter().filter_map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let words = ["game", "budget", "player", "against"].map(Column::text);
    let numbers = ["published %", "95 % interval"].map(Column::number);
    let columns = words.into_iter().chain(numbers).collect();
    let heading = format!("{}: published, not measured here", table.id());
    vec![DocumentBlock::Heading(heading), DocumentBlock::Table(Grid { columns, rows })]
}

fn written(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}

fn progress(experiment: &Experiment, records: &Records) -> Progress {
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
    Progress { games, wanted, live: games + broken < wanted && records.age().is_some_and(|age| age < LIVE) }
}

pub(crate) type Answer<T> = Result<Json<T>, Problem>;

async fn reading<T: Serialize + Send + 'static>(
    app: Arc<App>,
    read: impl FnOnce(&Folders) -> Result<T, Problem> + Send + 'static,
) -> Answer<T> {
    aside(move || read(&app.folders)).await.map(Json)
}

pub(crate) async fn list(State(app): State<Arc<App>>, Query(page): Query<Page>) -> Answer<Experiments> {
    reading(app, move |folders| folders.list(&page)).await
}

pub(crate) async fn one(State(app): State<Arc<App>>, At(name): At<String>) -> Answer<ExperimentReport> {
    reading(app, move |folders| folders.one(&name)).await
}

pub(crate) async fn cell(
    State(app): State<Arc<App>>,
    At((name, cell)): At<(String, String)>,
    Query(page): Query<Page>,
) -> Answer<CellGames> {
    reading(app, move |folders| folders.cell(&name, &cell, &page)).await
}

pub(crate) async fn papers(State(app): State<Arc<App>>) -> Answer<Vec<PaperOverview>> {
    reading(app, Folders::papers).await
}

pub(crate) async fn paper(State(app): State<Arc<App>>, At(name): At<String>) -> Answer<Document> {
    reading(app, move |folders| folders.paper(&name)).await
}
