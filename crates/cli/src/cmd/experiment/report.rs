//! `ludens experiment report`.

use super::read;
use crate::{
    Console, Failure,
    campaign::{ReportFiles, default_folder, refused, show},
    open::open_games,
    selection::KnownArgs,
};
use ludens_arena::{
    Counts, Experiment, Results, Store,
    report::{Summary, experiment_document, summarize_with},
};
use std::path::{Path, PathBuf};

/// Report the results of an experiment as a table and as files (HTML with plots, Markdown, CSV, JSON)
///
/// One of the files is counts.csv, the games and points of every cell. --with reads it, here and in `experiment run`: so games of
/// many runs and machines add up without their records.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens experiment report experiments/adaptation.toml")]
pub(crate) struct Args {
    /// The experiment's file
    file: PathBuf,
    #[command(flatten)]
    known: KnownArgs,
    /// Folder of the records, and for the report [default: results/NAME]
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let experiment = read(&args.file, &open_games())?;
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&experiment.name));
    let results = Store::read(&folder).map_err(refused)?;
    let known = super::known(&args.known, &experiment)?;
    if results.sessions.is_empty() && known.is_empty() {
        let run = format!("ludens experiment run {}", args.file.display());
        return Err(Failure::Usage(format!(
            "{} has no records: run the experiment first with {run}",
            folder.display()
        )));
    }
    report(&experiment, (&known, &results), &folder, console)
}

/// Writes the report's files and shows its table.
pub(super) fn report(
    experiment: &Experiment,
    (known, results): (&Counts, &Results),
    folder: &Path,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    write_counts(&known.clone().and(results, experiment.counting), experiment, folder)?;
    report_summary(&summarize_with(experiment, known, results), folder, console)
}

/// Writes the counts of an experiment, if they tell all that a report needs.
pub(super) fn write_counts(counts: &Counts, experiment: &Experiment, folder: &Path) -> Result<(), Failure> {
    if experiment.check_counts().is_ok() {
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join("counts.csv"), counts.csv(experiment))?;
    }
    Ok(())
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
    for remark in summary.counted_games().into_iter().chain(summary.broken_games()) {
        writeln!(console.out, "\n{remark}")?;
    }
    Ok(writeln!(console.out, "\nreport: {}", page.display())?)
}
