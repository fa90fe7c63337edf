//! `ludens experiment status`.

use super::{COPY, read, read_plan};
use crate::{
    Console, Failure,
    campaign::{refused, show},
    console::grouped,
    open::{note, open_games},
};
use ludens_arena::{
    RecordIndex, TaskPlan, journals_in,
    report::{Column, Grid},
};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Say how far an experiment is: cell by cell, and task by task if there are plans
///
/// Counts the records of all journals in a folder, whoever writes to them now. The folder tells its experiment: `experiment run`
/// and `experiment plan` leave a copy of its file there.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of the records, such as results/NAME
    folder: PathBuf,
}

#[derive(Serialize)]
struct Status {
    experiment: String,
    games: u64,
    done: u64,
    broken: u64,
    cells: Vec<CellStatus>,
    plans: Vec<PlanStatus>,
    problems: Vec<String>,
}

#[derive(Serialize)]
struct CellStatus {
    cell: String,
    games: u64,
    done: u64,
    broken: u64,
}

#[derive(Serialize)]
struct PlanStatus {
    plan: PathBuf,
    tasks: usize,
    complete: usize,
    /// The tasks with games that are not recorded, as array indices.
    left: String,
    games_left: u64,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let folder = &args.folder;
    let copy = folder.join(COPY);
    if !copy.is_file() {
        return Err(Failure::Usage(format!("{} is not there: is this a folder of records?", copy.display())));
    }
    let experiment = read(&copy, &open_games())?;
    let mut index = RecordIndex::new(&experiment);
    for path in journals_in(folder).map_err(refused)? {
        index.add(&path).map_err(refused)?;
    }
    let cells: Vec<CellStatus> = (experiment.cells.iter().enumerate())
        .map(|(number, planned)| {
            let tally = index.tally(number);
            CellStatus { cell: planned.cell.to_string(), games: planned.games, done: tally.done, broken: tally.broken }
        })
        .collect();
    let plans: Result<Vec<PlanStatus>, Failure> = plans_in(folder)?
        .into_iter()
        .map(|path| read_plan(&path).map(|plan| plan_status(path, &plan, &index)))
        .collect();
    // Records of a task that was started again are no news here.
    let problems = index.problems.iter().filter(|problem| problem.is_fatal()).map(ToString::to_string).collect();
    let sum = |of: fn(&CellStatus) -> u64| cells.iter().map(of).sum();
    let status = Status {
        experiment: experiment.name.clone(),
        games: sum(|cell| cell.games),
        done: sum(|cell| cell.done),
        broken: sum(|cell| cell.broken),
        plans: plans?,
        problems,
        cells,
    };
    if console.json {
        return console.json(&status);
    }
    tell(&status, console)
}

/// The plans of a folder.
fn plans_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let files: Result<Vec<PathBuf>, _> = std::fs::read_dir(folder)?.map(|file| file.map(|file| file.path())).collect();
    let is_plan = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("plan-") && name.ends_with(".json")
    };
    let mut plans: Vec<PathBuf> = files?.into_iter().filter(is_plan).collect();
    plans.sort();
    Ok(plans)
}

fn plan_status(path: PathBuf, plan: &TaskPlan, index: &RecordIndex<'_>) -> PlanStatus {
    let left = |task: &ludens_arena::Task| -> u64 {
        let of = |games: &ludens_arena::Games| {
            (games.from..games.to).filter(|&game| !index.has(games.cell, game)).count() as u64
        };
        task.games.iter().map(of).sum()
    };
    let left: Vec<u64> = plan.tasks.iter().map(left).collect();
    let open: Vec<usize> = (0..left.len()).filter(|&task| left[task] > 0).collect();
    PlanStatus {
        plan: path,
        tasks: plan.tasks.len(),
        complete: plan.tasks.len() - open.len(),
        left: indices(&open),
        games_left: left.iter().sum(),
    }
}

/// Ascending numbers as schedulers write arrays: `0-3,7`.
fn indices(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let run = |run: &[usize]| match run {
        [only] => only.to_string(),
        _ => format!("{}-{}", run[0], run[run.len() - 1]),
    };
    runs.map(run).collect::<Vec<_>>().join(",")
}

fn tell(status: &Status, console: &mut Console<'_>) -> Result<(), Failure> {
    let columns = vec![
        Column::text("cell"),
        Column::number("games"),
        Column::number("done"),
        Column::number("broken"),
        Column::number("missing"),
    ];
    let row = |cell: &CellStatus| {
        let missing = cell.games - cell.done - cell.broken;
        [cell.games, cell.done, cell.broken, missing].map(grouped).into_iter().collect::<Vec<_>>()
    };
    let rows = status.cells.iter().map(|cell| [vec![cell.cell.clone()], row(cell)].concat()).collect();
    show(console, &Grid { columns, rows })?;
    let Status { experiment, games, done, broken, plans, problems, .. } = status;
    let [games, done, broken] = [games, done, broken].map(|&count| grouped(count));
    writeln!(console.out, "\n{experiment}: {done} of {games} games done, {broken} broken")?;
    for plan in plans {
        let (path, complete, tasks) = (plan.plan.display(), plan.complete, plan.tasks);
        let left = match plan.games_left {
            0 => String::new(),
            games => format!("; {} games left in tasks {}", grouped(games), plan.left),
        };
        writeln!(console.out, "{path}: {complete} of {tasks} tasks complete{left}")?;
    }
    problems.iter().for_each(|problem| note(problem));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::indices;

    #[test]
    fn tasks_are_written_as_array_indices() {
        assert_eq!(indices(&[0, 1, 2, 7, 9, 10]), "0-2,7,9-10");
        assert_eq!(indices(&[]), "");
    }
}
