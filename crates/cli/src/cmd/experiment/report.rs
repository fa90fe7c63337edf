//! `ludens experiment report`.

use super::read;
use crate::{
    Console, Failure,
    campaign::{ReportFiles, default_folder, refused, show},
    open::open_games,
};
use ludens_arena::{
    Experiment, Results, Store,
    report::{Summary, experiment_document, summarize},
};
use std::path::{Path, PathBuf};

/// Report the results of an experiment as a table and as files (HTML with plots, Markdown, CSV, JSON)
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens experiment report experiments/adaptation.toml")]
pub(crate) struct Args {
    /// The experiment's file
    file: PathBuf,
    /// Folder of the records, and for the report [default: results/NAME]
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let experiment = read(&args.file, &open_games())?;
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&experiment.name));
    let results = Store::read(&folder).map_err(refused)?;
    if results.sessions.is_empty() {
        let run = format!("ludens experiment run {}", args.file.display());
        return Err(Failure::Usage(format!(
            "{} has no records: run the experiment first with {run}",
            folder.display()
        )));
    }
    report(&experiment, &results, &folder, console)
}

/// Writes the report's files and shows its table.
pub(super) fn report(
    experiment: &Experiment,
    results: &Results,
    folder: &Path,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    report_summary(&summarize(experiment, results), folder, console)
}

/// The same for a summary.
pub(super) fn report_summary(summary: &Summary, folder: &Path, console: &mut Console<'_>) -> Result<(), Failure> {
    let document = experiment_document(summary);
    let json = serde_json::to_string_pretty(summary).map_err(std::io::Error::from)? + "\n";
    let page = ReportFiles { folder, name: "report", document: &document, csv: summary.grid().csv(), json }.write()?;
    if console.json {
        return console.json(summary);
    }
    show(console, &summary.short_grid())?;
    if !summary.ratings.is_empty() {
        writeln!(console.out)?;
        show(console, &summary.rating_grid())?;
    }
    if let Some(broken) = summary.broken_games() {
        writeln!(console.out, "\n{broken}")?;
    }
    Ok(writeln!(console.out, "\nreport: {}", page.display())?)
}
