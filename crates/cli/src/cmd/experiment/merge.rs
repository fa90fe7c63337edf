//! `ludens experiment merge`.

use super::{read, report};
use crate::{
    Console, Failure,
    campaign::{default_folder, refused},
    failure::FAULT,
    open::{note, open_games},
};
use ludens_arena::{Counts, Problem, RecordIndex, Shard, journals_in, provenance, report::summarize_cells};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Merge the records of all shards or tasks; report missing games, duplicates and wrong seeds
///
/// Exit code 0 means that the merged records are complete.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The experiment's file
    file: PathBuf,
    /// Files or folders of records [default: all journals in the --out folder]
    sources: Vec<PathBuf>,
    /// Folder for the merged records [default: results/NAME]
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let experiment = read(&args.file, &open_games())?;
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&experiment.name));
    let target = folder.join(Shard::default().file_name());
    let mut index = RecordIndex::new(&experiment);
    let sources = sources(&args.sources, &folder, &target)?;
    for path in &sources {
        if index.add(path).map_err(refused)? > 0 {
            note(&format!("{}: ignored the last line, which is incomplete", path.display()));
        }
    }
    if sources.is_empty() {
        return Err(Failure::Usage(format!("no records to merge in {}", folder.display())));
    }
    index.problems.iter().for_each(|problem| note(&problem.to_string()));
    if index.problems.iter().any(Problem::is_fatal) {
        return Err(Failure::Usage("these records do not belong to one experiment; nothing was written".into()));
    }
    let merged = index.write(&target).map_err(refused)?;
    let (mut missing, mut failed, mut counts) = (Vec::new(), None, Counts::default());
    let provenance = provenance(&index.sessions);
    let summary = summarize_cells(&experiment, provenance, &Counts::default(), |number, id| {
        let results = merged.cell(&index, number).map_err(|error| failed = Some(error)).ok()?;
        missing.extend(Problem::missing(&experiment, number, &results));
        counts.add(id, &results, experiment.counting);
        Some(Cow::Owned(results))
    });
    if let Some(error) = failed {
        return Err(refused(error));
    }
    missing.iter().for_each(|problem| note(&problem.to_string()));
    report::write_counts(&counts, &experiment, &folder)?;
    report::report_summary(&summary, &folder, console)?;
    let holes = missing.iter().any(|problem| matches!(problem, Problem::Holes { .. }));
    match (holes, missing.is_empty()) {
        (true, _) => Err(Failure::Told(2)),
        (false, false) => Err(Failure::Told(FAULT)),
        (false, true) => Ok(()),
    }
}

/// The journals named, or those of all shards.
fn sources(named: &[PathBuf], folder: &Path, target: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for source in named {
        if source.is_dir() {
            files.extend(journals_in(source).map_err(refused)?);
        } else {
            files.push(source.clone());
        }
    }
    if named.is_empty() {
        files = journals_in(folder).map_err(refused)?;
    }
    files.retain(|file| file != target || named.contains(file));
    Ok(files)
}
