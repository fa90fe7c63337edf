//! `ludens experiment run`.

use super::{COPY, read, read_plan, report};
use crate::{
    Console, Failure,
    arguments::number,
    campaign::{self, RETRY, RunArgs, broken_games, default_folder, refused, tell_broken},
    open::{note, open_games_for},
    selection::{FilterArgs, KnownArgs, nothing_left},
};
use ludens_arena::{Ending, Experiment, INDEX_VARIABLES, JournalError, OpenGames, Results, Store, shell_word};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Run an experiment, or what is left of it, and report the results
///
/// The exit code is 3 if the program failed in a game. Such games are recorded but not counted.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens experiment run experiments/adaptation.toml
  ludens experiment run experiments/adaptation.toml --only nogo:5 --budget sims=400")]
pub(crate) struct Args {
    /// The experiment's file
    file: PathBuf,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    known: KnownArgs,
    #[command(flatten)]
    run: RunArgs,
    /// Play one task of a plan that `experiment plan --tasks` has written
    #[arg(long, conflicts_with_all = ["shard", "only", "budget", "with"])]
    plan: Option<PathBuf>,
    /// The task, counting from 0 [default: from SLURM_ARRAY_TASK_ID, HQ_TASK_ID or JOB_COMPLETION_INDEX]
    #[arg(long, requires = "plan", value_parser = number(0..=10_000_000_usize), allow_negative_numbers = true)]
    task: Option<usize>,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let games = open_games_for(args.run.engine);
    let experiment = read(&args.file, &games)?;
    let folder = args.run.out.clone().unwrap_or_else(|| default_folder(&experiment.name));
    if let Some(plan) = &args.plan {
        let (results, ending) = run_task(args, (&experiment, &games), plan, &folder)?;
        if ending == Ending::Complete {
            let status = format!("ludens experiment status {}", folder.display());
            note(&format!("this task is complete; to see the others: {status}"));
        }
        return tell_broken(broken_games(&experiment, &results), RETRY);
    }
    let known = super::known(&args.known, &experiment)?;
    let part = experiment.part(&args.filter.filter(), &known);
    if part.cells.is_empty() {
        return Err(nothing_left(experiment.cells.iter().map(|planned| &*planned.cell)));
    }
    super::keep_copy(&args.file, &folder.join(COPY))?;
    let (results, ending) = campaign::play(&part, &games, &args.run)?;
    if ending == Ending::Stopped {
        note(&format!("stopped; to continue: ludens experiment run {}{}", args.file.display(), options(args)));
    }
    if args.run.shard.is_some_and(|shard| !shard.is_whole()) && ending == Ending::Complete {
        let merge = format!("ludens experiment merge {}", args.file.display());
        note(&format!("this shard is complete; when all are, merge them: {merge}"));
    } else {
        report::report(&experiment, (&known, &results), &folder, console)?;
    }
    tell_broken(broken_games(&experiment, &results), RETRY)
}

/// The options that say which games are played.
fn options(args: &Args) -> String {
    let only = args.filter.only.iter().map(|game| format!(" --only {}", shell_word(game)));
    let budgets = args.filter.budget.iter().map(|budget| format!(" --budget {budget}"));
    let with = args.known.with.iter().map(|path| format!(" --with {}", shell_word(&path.display().to_string())));
    only.chain(budgets).chain(with).collect()
}

/// How long a task waits for one that died but is not gone yet.
const PATIENCE: u32 = 60;

/// Plays a task of a plan.
fn run_task(
    args: &Args,
    (experiment, games): (&Experiment, &OpenGames),
    path: &Path,
    folder: &Path,
) -> Result<(Results, Ending), Failure> {
    let plan = read_plan(path)?;
    if (&plan.experiment, plan.seed) != (&experiment.name, experiment.seed) {
        let (name, seed) = (&plan.experiment, plan.seed);
        return Err(Failure::Usage(format!("{} is a plan of {name} with seed {seed}", path.display())));
    }
    let number = args.task.map_or_else(index_of_job, Ok)?;
    let task = plan.tasks.get(number).ok_or_else(|| {
        let last = plan.tasks.len().saturating_sub(1);
        Failure::Usage(format!("there is no task {number}: {} has tasks 0 to {last}", path.display()))
    })?;
    let mut waited = 0;
    let opened = loop {
        match Store::open_journal(folder, &plan.journal_name(number)) {
            // A scheduler may start a task again before it has ended the process that it lost.
            Err(JournalError::Busy(_)) if waited < PATIENCE => {
                waited += 1;
                std::thread::sleep(Duration::from_secs(1));
            }
            opened => break opened.map_err(refused)?,
        }
    };
    campaign::play_in(opened, experiment, games, &args.run, Some(task))
}

/// The index that a scheduler gives its job.
fn index_of_job() -> Result<usize, Failure> {
    let found = INDEX_VARIABLES.iter().find_map(|name| Some((name, std::env::var(name).ok()?)));
    let (name, text) =
        found.ok_or_else(|| Failure::Usage(format!("give --task, or set one of {}", INDEX_VARIABLES.join(", "))))?;
    text.trim().parse().map_err(|_| Failure::Usage(format!("{name} is {text:?}, not the number of a task")))
}
