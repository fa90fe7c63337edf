//! `ludens experiment`: from a file to a table.

mod merge;
mod plan;
mod replay;
mod report;
mod run;

use crate::{Console, Failure};
use ludens_arena::{Experiment, OpenGames, load};
use std::path::Path;

/// Run the experiment in a TOML file, in one go or in parts, and report the results
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Run(run::Args),
    Plan(plan::Args),
    Merge(merge::Args),
    Report(report::Args),
    Replay(replay::Args),
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    match &args.command {
        Command::Run(args) => run::run(args, console),
        Command::Plan(args) => plan::run(args, console),
        Command::Merge(args) => merge::run(args, console),
        Command::Report(args) => report::run(args, console),
        Command::Replay(args) => replay::run(args, console),
    }
}

/// The experiment of a file.
fn read(path: &Path, games: &OpenGames) -> Result<Experiment, Failure> {
    let shown = path.display().to_string();
    let text =
        std::fs::read_to_string(path).map_err(|error| Failure::Usage(format!("cannot read {shown}: {error}")))?;
    load(&shown, &text, games).map_err(|error| Failure::Usage(error.to_string()))
}
