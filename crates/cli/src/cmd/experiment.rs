//! `ludens experiment`: from a file to a table.

use crate::{Console, Failure, open::note, selection::KnownArgs};
use ludens_arena::{Counts, Experiment, OpenGames, TaskPlan, counted, load};
use std::path::Path;

mod schedulers;

/// Run the experiment in a TOML file, in one go or in parts, and report the results
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

commands! {
    run: Run,
    plan: Plan,
    status: Status,
    merge: Merge,
    report: Report,
    replay: Replay,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    args.command.run(console)
}

/// The experiment of a file.
fn read(path: &Path, games: &OpenGames) -> Result<Experiment, Failure> {
    let shown = path.display().to_string();
    let text =
        std::fs::read_to_string(path).map_err(|error| Failure::Usage(format!("cannot read {shown}: {error}")))?;
    load(&shown, &text, games).map_err(|error| Failure::Usage(error.to_string()))
}

/// The games that are counted already. Counts of cells that the experiment does not have are left out.
fn known(args: &KnownArgs, experiment: &Experiment) -> Result<Counts, Failure> {
    let known = args.read(Counts::read, |all, file: Counts| all.or(&file))?;
    if !args.with.is_empty() {
        experiment.check_counts().map_err(|why| Failure::Usage(format!("--with: {why}")))?;
    }
    let strangers = known.strangers(experiment);
    if strangers > 0 {
        let cells = counted(strangers, "cell");
        note(&format!(
            "--with: {cells} left out, whose players, game, budget or seed are not those of {}",
            experiment.name
        ));
    }
    Ok(known)
}

/// The name of the experiment's file in the folder of its records, so that the folder tells what it is about.
const COPY: &str = "experiment.toml";

/// Keeps a copy of an experiment's file beside its records.
fn keep_copy(file: &Path, copy: &Path) -> Result<(), Failure> {
    let text = std::fs::read(file)?;
    if std::fs::read(copy).ok().as_ref() != Some(&text) {
        copy.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(copy, text)?;
    }
    Ok(())
}

/// A plan that was written earlier.
fn read_plan(path: &Path) -> Result<TaskPlan, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("cannot read {}: {error}", path.display())))?;
    serde_json::from_str(&text).map_err(|error| Failure::Usage(format!("{} is not a plan: {error}", path.display())))
}
