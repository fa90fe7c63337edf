//! `ludens experiment run`.

use super::{read, report};
use crate::{
    Console, Failure,
    campaign::{self, RETRY, RunArgs, broken_games, default_folder, tell_broken},
    open::{note, open_games_for},
};
use ludens_arena::Ending;
use std::path::PathBuf;

/// Run an experiment, or what is left of it, and report the results
///
/// The exit code is 3 if the program failed in a game. Such games are recorded but not counted.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens experiment run experiments/adaptation.toml")]
pub(crate) struct Args {
    /// The experiment's file
    file: PathBuf,
    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let games = open_games_for(args.run.engine);
    let experiment = read(&args.file, &games)?;
    let (results, ending) = campaign::play(&experiment, &games, &args.run)?;
    if ending == Ending::Stopped {
        note(&format!("stopped; to continue: ludens experiment run {}", args.file.display()));
    }
    let folder = args.run.out.clone().unwrap_or_else(|| default_folder(&experiment.name));
    if args.run.shard.is_some_and(|shard| !shard.is_whole()) && ending == Ending::Complete {
        let merge = format!("ludens experiment merge {}", args.file.display());
        note(&format!("this shard is complete; when all are, merge them: {merge}"));
    } else {
        report::report(&experiment, &results, &folder, console)?;
    }
    tell_broken(broken_games(&experiment, &results), RETRY)
}
