//! `ludens experiment`: from a file to a table.

use crate::{Console, Failure};
use ludens_arena::{Experiment, OpenGames, load};
use std::path::Path;

/// Run the experiment in a TOML file, in one go or in parts, and report the results
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

commands! {
    run: Run,
    plan: Plan,
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
