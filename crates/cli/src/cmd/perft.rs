//! `ludens perft`: counts the paths of a given length from the initial position.

use crate::{Console, Failure, arguments::number, console::grouped, open::open_game};
use serde::Serialize;

/// Count the move paths of a given length, the classic test of a move generator
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens perft breakthrough:5x5 --depth 4")]
pub(crate) struct Args {
    /// A game such as breakthrough:5x5, or a .kif file
    game: String,
    /// Length of the paths in steps, 0 to 99
    // Counting to depth 99 would outlast the user; the bound keeps the recursion shallow.
    #[arg(long, value_parser = number(0..=99_u32), allow_negative_numbers = true)]
    depth: u32,
}

#[derive(Serialize)]
struct Count {
    game: String,
    depth: u32,
    nodes: u64,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let game = open_game(&args.game)?;
    let count = Count { game: game.name(), depth: args.depth, nodes: game.perft(args.depth) };
    if console.json {
        return console.json(&count);
    }
    let Count { game, depth, nodes } = count;
    Ok(writeln!(console.out, "{game} has {} paths of {depth} steps", grouped(nodes))?)
}
