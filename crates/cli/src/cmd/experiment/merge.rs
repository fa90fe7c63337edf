//! `ludens experiment merge`.

use super::{read, report};
use crate::{
    Console, Failure,
    campaign::{default_folder, refused},
    failure::FAULT,
    open::{note, open_games},
};
use ludens_arena::{Merged, Results, Shard, journals_in, merge, read_journal};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Merge the records of all shards; report missing games, duplicates and wrong seeds
///
/// Exit code 0 means that the merged records are complete.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The experiment's file
    file: PathBuf,
    /// Files or folders of records [default: the shards in the --out folder]
    sources: Vec<PathBuf>,
    /// Folder for the merged records [default: results/NAME]
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let experiment = read(&args.file, &open_games())?;
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&experiment.name));
    let target = folder.join(Shard::default().file_name());
    let mut files = Vec::new();
    for path in sources(&args.sources, &folder, &target)? {
        let content = read_journal(&path).map_err(refused)?;
        if content.torn > 0 {
            note(&format!("{}: ignored the last line, which is incomplete", path.display()));
        }
        files.push((path, content.lines));
    }
    if files.is_empty() {
        return Err(Failure::Usage(format!("no records to merge in {}", folder.display())));
    }
    let Merged { lines, problems } = merge(&experiment, files);
    problems.iter().for_each(|problem| note(&problem.to_string()));
    if problems.iter().any(|problem| problem.is_fatal()) {
        return Err(Failure::Usage("these records do not belong to one experiment; nothing was written".into()));
    }
    write(&target, &lines)?;
    let mut results = Results::default();
    lines.into_iter().for_each(|line| results.add(line));
    report::report(&experiment, &results, &folder, console)?;
    let holes = problems.iter().any(|problem| matches!(problem, ludens_arena::Problem::Holes { .. }));
    let broken = problems.iter().any(|problem| matches!(problem, ludens_arena::Problem::Broken { .. }));
    match (holes, broken) {
        (true, _) => Err(Failure::Told(2)),
        (false, true) => Err(Failure::Told(FAULT)),
        (false, false) => Ok(()),
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

/// Writes beside and renames, so that nobody finds half of it.
fn write(target: &Path, lines: &[ludens_arena::JournalLine]) -> Result<(), Failure> {
    if let Some(folder) = target.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let draft = target.with_extension("draft");
    let mut out = std::io::BufWriter::new(std::fs::File::create(&draft)?);
    for line in lines {
        serde_json::to_writer(&mut out, line).map_err(std::io::Error::from)?;
        writeln!(out)?;
    }
    out.into_inner().map_err(|error| error.into_error())?.sync_all()?;
    Ok(std::fs::rename(&draft, target)?)
}
