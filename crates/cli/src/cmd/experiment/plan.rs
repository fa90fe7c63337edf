//! `ludens experiment plan`.

use super::{
    COPY, keep_copy, read,
    schedulers::{Scheduler, Script},
};
use crate::{
    Console, Failure,
    arguments::{EngineChoice, number},
    campaign::{default_folder, refused, show},
    console::grouped,
    open::open_games,
};
use ludens_arena::{
    Basis, Cost, Experiment, Results, Store, TaskPlan, Work, costs, cut,
    report::{Column, Grid},
};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// List the cells of an experiment with their progress and cost, and split the work
///
/// With --tasks, write a plan of tasks of about equal cost, the longest first, and the script or job file that a scheduler
/// wants. A plan has only games that are not recorded yet. The cost of a game is the mean of the recorded games of its
/// cell, or an estimate from random games.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens experiment plan experiments/adaptation.toml --shards 4
  ludens experiment plan experiments/adaptation.toml --tasks 16 --for slurm")]
pub(crate) struct Args {
    /// The experiment's file
    file: PathBuf,
    /// Folder for the records [default: results/NAME]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Print the commands that run the experiment in N parts
    #[arg(long, value_name = "N", value_parser = number(1..=100_000_u64), allow_negative_numbers = true)]
    shards: Option<u64>,
    /// Write a plan of at most N tasks
    #[arg(long, value_name = "N", requires = "scheduler", value_parser = number(1..=1_000_000_usize),
          allow_negative_numbers = true)]
    tasks: Option<usize>,
    /// The scheduler that runs the tasks
    #[arg(long = "for", value_enum, requires = "tasks")]
    scheduler: Option<Scheduler>,
    /// Cores of a task
    #[arg(long, default_value_t = 1, value_parser = number(1..=1024_usize), allow_negative_numbers = true)]
    threads: usize,
    /// The engine of the tasks, as for `experiment run`
    #[arg(long, value_enum, default_value_t = EngineChoice::Auto)]
    engine: EngineChoice,
    /// Tasks need a GPU: the scheduler gives them to workers that have one
    #[arg(long)]
    gpu: bool,
    /// The container image of a Kubernetes job
    #[arg(long, default_value = "ludens:latest")]
    image: String,
}

#[derive(Serialize)]
struct Row {
    number: usize,
    cell: String,
    game: String,
    budget: String,
    players: Vec<String>,
    games: u64,
    done: u64,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let games = open_games();
    let experiment = read(&args.file, &games)?;
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&experiment.name));
    let results = Store::read(&folder).map_err(refused)?;
    if let (Some(tasks), Some(scheduler)) = (args.tasks, args.scheduler) {
        let costs = costs(&experiment, &results, &games)?;
        return write_tasks(args, (tasks, scheduler), (&experiment, &results, &costs), &folder, console);
    }
    list(args, &experiment, &results, console)
}

/// The cells and how far they are.
fn list(args: &Args, experiment: &Experiment, results: &Results, console: &mut Console<'_>) -> Result<(), Failure> {
    let row = |(number, planned): (usize, &ludens_arena::Planned)| {
        let id = planned.cell.id(experiment.seed);
        let done = results.cells.get(&id).map_or(0, |cell| cell.games.range(..planned.games).count() as u64);
        let players = planned.cell.players.iter().map(|player| player.spec.to_string()).collect();
        let (game, budget) = (planned.cell.game.clone(), planned.cell.budget.to_string());
        Row { number, cell: id.to_string(), game, budget, players, games: planned.games, done }
    };
    let rows: Vec<Row> = experiment.cells.iter().enumerate().map(row).collect();
    if console.json {
        return console.json(&rows);
    }
    let columns = vec![
        Column::number("cell"),
        Column::text("name"),
        Column::text("game"),
        Column::text("budget"),
        Column::text("players"),
        Column::number("games"),
        Column::number("done"),
    ];
    let text = |row: &Row| {
        let (number, players) = (row.number.to_string(), row.players.join(" vs "));
        let (game, budget) = (row.game.clone(), row.budget.clone());
        vec![number, row.cell.clone(), game, budget, players, grouped(row.games), grouped(row.done)]
    };
    show(console, &Grid { columns, rows: rows.iter().map(text).collect() })?;
    let (games, done) = (rows.iter().map(|row| row.games).sum(), rows.iter().map(|row| row.done).sum());
    writeln!(console.out, "\nseed {}: {} of {} games done", experiment.seed, grouped(done), grouped(games))?;
    if let Some(shards) = args.shards {
        let file = args.file.display();
        writeln!(console.out)?;
        for index in 0..shards {
            writeln!(console.out, "ludens experiment run {file} --shard {index}/{shards}")?;
        }
        writeln!(console.out, "ludens experiment merge {file}")?;
    }
    Ok(())
}

/// What was planned, for programs.
#[derive(Serialize)]
struct Planned {
    plan: PathBuf,
    script: PathBuf,
    submit: String,
    tasks: usize,
    games: u64,
    seconds: f64,
    longest: f64,
    shortest: f64,
    measured_cells: usize,
    estimated_cells: usize,
}

/// Writes the plan and what the scheduler wants.
fn write_tasks(
    args: &Args,
    (tasks, scheduler): (usize, Scheduler),
    (experiment, results, costs): (&Experiment, &Results, &[Cost]),
    folder: &Path,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let work = (experiment.cells.iter().zip(costs)).map(|(planned, cost)| {
        let cell = planned.cell.id(experiment.seed);
        let is_done = |index: &u64| {
            let known = results.cells.get(&cell);
            known.is_some_and(|cell| cell.games.contains_key(index) || cell.broken.contains_key(index))
        };
        Work { cell, games: ranges((0..planned.games).filter(|index| !is_done(index))), seconds: cost.seconds }
    });
    let plan =
        TaskPlan { experiment: experiment.name.clone(), seed: experiment.seed, tasks: cut(work.collect(), tasks) };
    let (Some(longest), Some(shortest)) = (plan.tasks.first(), plan.tasks.last()) else {
        return Err(Failure::Usage("all games of this experiment are recorded: there is nothing to plan".into()));
    };
    std::fs::create_dir_all(folder)?;
    keep_copy(&args.file, &folder.join(COPY))?;
    let path = folder.join(plan.file_name());
    std::fs::write(&path, serde_json::to_string(&plan).map_err(std::io::Error::from)?)?;
    let script = Script {
        plan: &plan,
        path: &path,
        file: &args.file,
        folder,
        threads: args.threads,
        engine: args.engine,
        gpu: args.gpu || args.engine == EngineChoice::Gpu,
        image: &args.image,
    };
    let (name, text) = script.write(scheduler);
    let written = folder.join(name);
    std::fs::write(&written, text)?;
    let measured = costs.iter().filter(|cost| matches!(cost.basis, Basis::Measured(_))).count();
    let planned = Planned {
        submit: scheduler.submit(&written),
        plan: path.clone(),
        script: written,
        tasks: plan.tasks.len(),
        games: plan.tasks.iter().map(ludens_arena::Task::len).sum(),
        seconds: plan.tasks.iter().map(|task| task.seconds).sum(),
        longest: longest.seconds,
        shortest: shortest.seconds,
        measured_cells: measured,
        estimated_cells: costs.len() - measured,
    };
    if console.json {
        return console.json(&planned);
    }
    tell(&planned, experiment, costs, console)
}

fn tell(planned: &Planned, experiment: &Experiment, costs: &[Cost], console: &mut Console<'_>) -> Result<(), Failure> {
    let columns =
        vec![Column::text("cell"), Column::number("games"), Column::number("s per game"), Column::text("cost")];
    let row = |(planned, cost): (&ludens_arena::Planned, &Cost)| {
        let basis = match cost.basis {
            Basis::Measured(games) => format!("measured, {} games", grouped(games)),
            Basis::Estimated => "estimated".to_owned(),
        };
        vec![planned.cell.to_string(), grouped(planned.games), seconds(cost.seconds), basis]
    };
    show(console, &Grid { columns, rows: experiment.cells.iter().zip(costs).map(row).collect() })?;
    let Planned { plan, submit, tasks, games, longest, shortest, .. } = planned;
    let (games, total) = (grouped(*games), seconds(planned.seconds));
    let (longest, shortest) = (seconds(*longest), seconds(*shortest));
    writeln!(
        console.out,
        "\n{games} games, about {total} s on one core, in {tasks} tasks of {longest} to {shortest} s\nplan: {}\nsubmit: {submit}",
        plan.display()
    )?;
    Ok(())
}

/// A time with three digits.
fn seconds(seconds: f64) -> String {
    let places = if seconds >= 100.0 {
        0
    } else if seconds >= 10.0 {
        1
    } else {
        3
    };
    format!("{seconds:.places$}")
}

/// Ascending numbers as ranges.
fn ranges(numbers: impl Iterator<Item = u64>) -> Vec<std::ops::Range<u64>> {
    let mut ranges: Vec<std::ops::Range<u64>> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => ranges.push(number..number + 1),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn numbers_become_ranges() {
        assert_eq!(ranges([0, 1, 2, 7, 9, 10].into_iter()), [0..3, 7..8, 9..11]);
        assert!(ranges([].into_iter()).is_empty());
    }
}
