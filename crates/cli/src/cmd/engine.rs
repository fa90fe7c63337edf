//! `ludens engine`: searches for other programs.

use crate::{
    Console, Failure,
    arguments::{cores, number},
    learned_store::OnDisk,
};
use ludens_engine::{Options, serve};
use std::io;
use std::sync::Arc;

/// Search many positions for another program, over JSON lines on standard input and output
///
/// One line is one question: a game, its moves, a player, a budget. Answers come as they are found, with the id of the question.
/// docs/engine.md describes all fields, docs/engine.schema.json has them as a schema.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens engine --searches 1")]
pub(crate) struct Args {
    /// Searches at the same time [default: one per core]
    #[arg(long, value_parser = number(1..=1024_usize), allow_negative_numbers = true)]
    searches: Option<usize>,
    /// Memory limit for all players together, in MiB
    #[arg(long, default_value_t = 2048, value_parser = number(64..=1_u64 << 20), allow_negative_numbers = true)]
    memory: u64,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let options = Options {
        searches: args.searches.unwrap_or_else(cores),
        memory: (args.memory as usize) << 20,
        learned: Arc::new(OnDisk::in_cache_folder()),
    };
    Ok(serve(options, io::stdin(), console.out)?)
}
