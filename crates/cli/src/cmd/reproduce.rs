//! `ludens reproduce`: the tables of the papers, measured again.

use crate::{
    Console, Failure,
    arguments::number,
    campaign::{self, RETRY, ReportFiles, RunArgs, broken_games, refused, show, tell_broken},
    console::grouped,
    open::{note, open_games_for},
    selection::{FilterArgs, KnownArgs, nothing_left},
};
use ludens_arena::{
    BrokenRecord, Ending, Experiment, Results, Store,
    papers::{
        self, Comparison, Fit, Measured, PAPERS, Selection, Table, compare, comparison_grid, figures_csv,
        overview_grid, reproduction_document, timing_grid, timings,
    },
    report::{Column, Grid},
};
use std::path::{Path, PathBuf};

/// Measure the tables and figures of the papers and compare them with the published ones
///
/// Without a target, list the tables and their progress. With a target, play what is left of it. Games are recorded, so the same
/// command continues where it stopped.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens reproduce
  ludens reproduce ppa2015/1 --only breakthrough:5 --budget sims=1000 --games 20")]
pub(crate) struct Args {
    /// A paper or some of its tables, such as sironi2021 or sironi2021/1,2; "all" for everything
    target: Option<String>,
    /// Play a sample of all papers: about two minutes on two cores
    #[arg(long, conflicts_with_all = ["target", "only", "budget", "report"])]
    quick: bool,
    /// Games per cell [default: as many as the paper played]
    #[arg(long, value_parser = number(1..=1_000_000_u64), allow_negative_numbers = true)]
    games: Option<u64>,
    #[command(flatten)]
    filter: FilterArgs,
    /// Play nothing; write the report (reproduction.html, .md, .csv and .json) to this folder
    #[arg(long, value_name = "FOLDER")]
    report: Option<PathBuf>,
    #[command(flatten)]
    known: KnownArgs,
    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    match (&args.target, args.quick) {
        (None, true) => quick(args, console),
        (target, false) if args.report.is_some() => {
            let tables = target.as_deref().map_or_else(|| Ok(every_table()), find)?;
            write_report(args, tables, console)
        }
        (Some(target), _) => measure(args, find(target)?, console),
        (None, false) => list(args, console),
    }
}

/// The folder of all papers' records.
fn base(args: &Args) -> &Path {
    args.run.out.as_deref().unwrap_or(Path::new("results"))
}

fn every_table() -> Vec<Table> {
    PAPERS.iter().flat_map(|paper| paper.all_tables()).collect()
}

/// The tables that a text names.
fn find(target: &str) -> Result<Vec<Table>, Failure> {
    papers::find(target).map_err(Failure::Usage)
}

/// Plays an experiment of a paper, into the folder of that paper. The games that broke off are added to those before.
fn play(experiment: &Experiment, args: &Args, broken: &mut Vec<BrokenRecord>) -> Result<Ending, Failure> {
    let run = RunArgs { out: Some(base(args).join(&experiment.name)), ..args.run.clone() };
    let (results, ending) = campaign::play(experiment, &open_games_for(run.engine), &run)?;
    broken.extend(broken_games(experiment, &results).into_iter().cloned());
    Ok(ending)
}

/// Plays what is left of some tables and reports on them.
fn measure(args: &Args, tables: Vec<Table>, console: &mut Console<'_>) -> Result<(), Failure> {
    let selection = Selection { games: args.games, filter: args.filter.filter(), known: earlier(args)?.counts };
    let (mut found, mut broken) = (false, Vec::new());
    for paper in PAPERS {
        let (of_paper, _): (Vec<&Table>, Vec<&Table>) = tables.iter().partition(|table| table.paper.name == paper.name);
        let experiment = papers::experiment(paper, &of_paper, &selection);
        found |= !experiment.cells.is_empty();
        if !experiment.cells.is_empty() && play(&experiment, args, &mut broken)? == Ending::Stopped {
            note("stopped; run the same command to continue");
            break;
        }
    }
    if !found {
        let entries = tables.iter().flat_map(|table| &table.entries);
        return Err(nothing_left(entries.flat_map(|entry| &entry.cells).map(|cell| &**cell)));
    }
    let name = args.target.as_deref().unwrap_or_default().replace('/', "-");
    report(args, (tables, &name), base(args), console)?;
    tell_broken(&broken, RETRY)
}

/// Plays the sample of all papers.
fn quick(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let mut broken = Vec::new();
    for paper in PAPERS {
        if play(&papers::quick_experiment(paper, args.games), args, &mut broken)? == Ending::Stopped {
            note("stopped; run the same command to continue");
            break;
        }
    }
    report(args, (papers::quick_tables(), "quick"), base(args), console)?;
    tell_broken(&broken, RETRY)
}

/// Writes what the records say, without playing.
fn write_report(args: &Args, tables: Vec<Table>, console: &mut Console<'_>) -> Result<(), Failure> {
    let folder = args.report.as_deref().unwrap_or(base(args));
    report(args, (tables, "reproduction"), folder, console)
}

/// The records of each paper, in the order of [`PAPERS`].
fn records(args: &Args) -> Result<Vec<Results>, Failure> {
    PAPERS.iter().map(|paper| Store::read(&base(args).join(paper.name)).map_err(refused)).collect()
}

/// What earlier reports say.
fn earlier(args: &Args) -> Result<Measured, Failure> {
    args.known.read(Measured::read, |all, file: Measured| all.or(&file))
}

/// What was measured: by earlier reports, and by the records that go on after them.
fn measured(args: &Args, records: &[Results]) -> Result<Measured, Failure> {
    let of_papers = PAPERS.iter().zip(records);
    Ok(of_papers.fold(earlier(args)?, |all, (paper, results)| all.and(paper, results)))
}

/// The records of a table's paper.
fn of<'r>(table: &Table, records: &'r [Results]) -> &'r Results {
    let place = PAPERS.iter().position(|paper| paper.name == table.paper.name);
    &records[place.expect("every table belongs to a paper")]
}

/// Shows the tables side by side and writes the files of the report.
fn report(
    args: &Args,
    (tables, name): (Vec<Table>, &str),
    folder: &Path,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let records = records(args)?;
    let tables: Vec<(Table, &Results)> = tables
        .into_iter()
        .map(|table| {
            let results = of(&table, &records);
            (table, results)
        })
        .collect();
    let measured = measured(args, &records)?;
    let compared: Vec<_> = tables.iter().map(|(table, _)| (table, compare(table, &measured))).collect();
    let comparisons: Vec<Comparison> = compared.iter().flat_map(|(_, list)| list).cloned().collect();
    let document = reproduction_document(&title(args), &tables, &measured);
    let json = serde_json::to_string_pretty(&comparisons).map_err(std::io::Error::from)? + "\n";
    let page =
        ReportFiles { folder, name, document: &document, csv: figures_csv(&compared, &measured), json }.write()?;
    if console.json {
        return console.json(&comparisons);
    }
    writeln!(console.out, "{}\n", Fit::of(&comparisons).words())?;
    show(console, &overview_grid(&compared))?;
    show(console, &comparison_grid(&comparisons))?;
    for times in tables.iter().filter_map(|(table, _)| timings(table, &measured)) {
        if times.iter().any(|timing| timing.ours.is_some()) {
            show(console, &timing_grid(&times))?;
        }
    }
    Ok(writeln!(console.out, "report: {}", page.display())?)
}

/// The title of a report.
fn title(args: &Args) -> String {
    match (&args.target, args.quick) {
        (Some(target), _) if target != "all" => format!("Reproduction of {target}"),
        (_, true) => "A sample of the papers, reproduced".into(),
        (_, false) => "Reproduction of the papers".into(),
    }
}

/// Lists all tables and what there is of them.
fn list(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let records = records(args)?;
    let tables = every_table();
    let measured = measured(args, &records)?;
    let compared: Vec<(&Table, Vec<Comparison>)> =
        tables.iter().map(|table| (table, compare(table, &measured))).collect();
    if console.json {
        let rows: Vec<_> = compared.iter().map(|(table, list)| (table.id(), table.info.title, Fit::of(list))).collect();
        return console.json(&rows);
    }
    let Grid { mut columns, mut rows } = overview_grid(&compared);
    columns.insert(2, Column::number("games"));
    columns.insert(3, Column::number("played"));
    let mut total = (0, 0);
    for (row, table) in rows.iter_mut().zip(&tables) {
        let (wanted, played) = played(table, of(table, &records));
        total = (total.0 + wanted, total.1 + played);
        row.splice(2..2, [grouped(wanted), grouped(played)]);
    }
    if let Some(last) = rows.last_mut() {
        last.splice(2..2, [grouped(total.0), grouped(total.1)]);
    }
    show(console, &Grid { columns, rows }.without(&["p", "largest |z|"]))?;
    writeln!(console.out, "\nTo play one: ludens reproduce ppa2015/1 --games 20")?;
    Ok(())
}

/// The games that a table wants, and how many of them there are.
fn played(table: &Table, results: &Results) -> (u64, u64) {
    let experiment = papers::experiment(table.paper, &[table], &Selection::default());
    let of = |planned: &ludens_arena::Planned| {
        let games = results.cells.get(&planned.cell.id(experiment.seed));
        games.map_or(0, |cell| cell.games.range(..planned.games).count() as u64)
    };
    let wanted = experiment.cells.iter().map(|planned| planned.games).sum();
    (wanted, experiment.cells.iter().map(of).sum())
}
