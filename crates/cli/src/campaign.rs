//! Running experiments for a person: records in a folder, progress while they are played, and what to do when it stops.

use crate::{
    Console, Failure,
    arguments::{EngineChoice, cores, number},
    failure::FAULT,
    interrupt,
    learned_store::OnDisk,
    open::note,
    progress::LiveTable,
};
use ludens_arena::{
    BrokenRecord, CellResults, Ending, Experiment, JournalError, OpenGames, Results, Run, RunError, Shard, Store, Task,
    counted,
    report::{Document, Grid},
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How every command that plays experiments is told where and with what.
#[derive(Clone, clap::Args)]
pub(crate) struct RunArgs {
    /// Folder for the records [default: results/NAME]
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Games played in parallel [default: one per core]
    #[arg(long, value_parser = number(1..=1024_usize), allow_negative_numbers = true)]
    pub(crate) threads: Option<usize>,
    /// The engine. All engines play the same games, except interp on sheets without `input`
    #[arg(long, value_enum, default_value_t = EngineChoice::Auto)]
    pub(crate) engine: EngineChoice,
    /// Play games again in which the program failed; by default they are skipped
    #[arg(long)]
    pub(crate) retry_broken: bool,
    /// Play part I of N, counting from 0; /N takes the index from SLURM_ARRAY_TASK_ID, HQ_TASK_ID or JOB_COMPLETION_INDEX
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<Shard>,
}

/// Reads a shard.
fn shard(text: &str) -> Result<Shard, String> {
    Shard::read(text, |name| std::env::var(name).ok())
}

/// The default folder for the records of an experiment.
pub(crate) fn default_folder(name: &str) -> PathBuf {
    Path::new("results").join(name)
}

/// Plays what is left of an experiment, and says what happened. The results are all there are.
pub(crate) fn play(experiment: &Experiment, games: &OpenGames, args: &RunArgs) -> Result<(Results, Ending), Failure> {
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&experiment.name));
    let opened = Store::open(&folder, args.shard.unwrap_or_default()).map_err(refused)?;
    play_in(opened, experiment, games, args, None)
}

/// Plays a task of a plan, or all that the arguments say, with records in a store that was opened.
pub(crate) fn play_in(
    (mut store, repaired): (Store, Option<String>),
    experiment: &Experiment,
    games: &OpenGames,
    args: &RunArgs,
    task: Option<&Task>,
) -> Result<(Results, Ending), Failure> {
    repaired.iter().for_each(|remark| note(remark));
    note_versions(&store.results);
    interrupt::catch();
    let run = Run {
        experiment,
        shard: args.shard.unwrap_or_default(),
        games,
        learned: Arc::new(OnDisk::in_cache_folder()),
        engine: args.engine.for_experiments(),
        threads: args.threads.unwrap_or_else(cores),
        retry_broken: args.retry_broken,
        stop: &interrupt::asked,
    };
    let progress = LiveTable::new(experiment, so_far(experiment, &store.results));
    let ended = match task {
        Some(task) => run.go_task(task, &mut store, &progress),
        None => run.go(&mut store, &progress),
    };
    progress.finish();
    match ended {
        Ok(ending) => Ok((store.results, ending)),
        Err(RunError::Journal(error)) => Err(Failure::Io(std::io::Error::other(format!(
            "{error}; earlier games are saved ({}); run the same command to continue",
            counted(store.results.cells.values().map(|cell| cell.games.len()).sum::<usize>(), "game")
        )))),
        Err(error) => Err(failed(error)),
    }
}

/// Why a run cannot go on: the user can put it right, or the program is at fault.
pub(crate) fn failed(error: RunError) -> Failure {
    match error {
        RunError::Panicked(_) => Failure::Fault(error.to_string()),
        error => Failure::Usage(error.to_string()),
    }
}

/// Says which games failed. They are not counted, and the exit code says so.
pub(crate) fn tell_broken<'b>(broken: impl IntoIterator<Item = &'b BrokenRecord>, advice: &str) -> Result<(), Failure> {
    let lines: Vec<String> = broken.into_iter().map(ToString::to_string).collect();
    if lines.is_empty() {
        return Ok(());
    }
    let are = if lines.len() == 1 { "is" } else { "are" };
    let count = counted(lines.len(), "game");
    note(&format!("{count} failed and {are} not counted: {}{advice}", lines.join("; ")));
    Err(Failure::Told(FAULT))
}

/// The failed games of an experiment.
pub(crate) fn broken_games<'r>(experiment: &Experiment, results: &'r Results) -> Vec<&'r BrokenRecord> {
    let cells = experiment.cells.iter().filter_map(|planned| results.cells.get(&planned.cell.id(experiment.seed)));
    cells.flat_map(|cell| cell.broken.values()).collect()
}

/// What to do about failed games, where records are kept.
pub(crate) const RETRY: &str = "; the same command skips them, --retry-broken plays them again";

/// The results so far, cell by cell.
fn so_far(experiment: &Experiment, results: &Results) -> Vec<CellResults> {
    let of = |planned: &ludens_arena::Planned| {
        let known = results.cells.get(&planned.cell.id(experiment.seed));
        known.cloned().unwrap_or_else(|| CellResults::new((*planned.cell).clone()))
    };
    experiment.cells.iter().map(of).collect()
}

/// Games of another version are as good as its players were; whoever mixes them should know.
fn note_versions(results: &Results) {
    let others: Vec<_> =
        results.provenance().0.into_iter().filter(|version| *version != env!("CARGO_PKG_VERSION")).collect();
    if !others.is_empty() {
        note(&format!("the records include games of version {}", others.join(", ")));
    }
}

/// Records that cannot be used: a failure of the system, or a file that somebody has to put right.
pub(crate) fn refused(error: JournalError) -> Failure {
    match error {
        JournalError::Io { .. } => Failure::Io(std::io::Error::other(error.to_string())),
        JournalError::Line { .. } | JournalError::Busy(_) => Failure::Usage(error.to_string()),
    }
}

/// A table on the terminal.
pub(crate) fn show(console: &mut Console<'_>, grid: &Grid) -> Result<(), Failure> {
    let columns: Vec<_> = grid.columns.iter().map(|column| (&*column.title, column.is_number)).collect();
    console.table(&columns, grid.rows.clone())
}

/// What a report is written as.
pub(crate) struct ReportFiles<'r> {
    /// The folder.
    pub(crate) folder: &'r Path,
    /// The name of all files.
    pub(crate) name: &'r str,
    /// What it says.
    pub(crate) document: &'r Document,
    /// The table for other programs.
    pub(crate) csv: String,
    /// Everything for other programs.
    pub(crate) json: String,
}

impl ReportFiles<'_> {
    /// Writes all of it and gives the path of the web page.
    pub(crate) fn write(&self) -> Result<PathBuf, Failure> {
        std::fs::create_dir_all(self.folder)?;
        let path = |ending: &str| self.folder.join(format!("{}.{ending}", self.name));
        std::fs::write(path("md"), self.document.markdown())?;
        for (file, svg) in self.document.figures() {
            let figures = self.folder.join("figures");
            std::fs::create_dir_all(&figures)?;
            std::fs::write(figures.join(file), svg)?;
        }
        std::fs::write(path("csv"), &self.csv)?;
        std::fs::write(path("json"), &self.json)?;
        let page = path("html");
        std::fs::write(&page, self.document.html())?;
        Ok(page)
    }
}
