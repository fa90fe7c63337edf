//! `ludens bench`: how fast playouts and policies are, and whether the searches still find the same.

mod gpu;
mod lockstep;
mod network;
mod playouts;
mod policies;
mod signature;

use crate::{
    Console, Failure,
    arguments::{EngineChoice, number},
    open::open_game_for,
};
use ludens_catalog::{GAMES, OpenError};
use ludens_search::Playable;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

/// Measure the speed of uniform playouts, of playout policies, or of the network player, on one thread
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens bench breakthrough havannah:6
  ludens bench --policies domineering:8
  ludens bench --network gdl:breakthrough
  ludens bench --signature")]
pub(crate) struct Args {
    /// Games such as havannah:6, or .kif files [default: all games]
    games: Vec<String>,
    /// Measure searches of 1,000 simulations with every policy instead of uniform playouts
    #[arg(long)]
    policies: bool,
    /// Measure one step of the network player beside a plain search, on rulesheets
    #[arg(long, conflicts_with_all = ["policies", "seconds", "runs", "engine", "at_once", "players"])]
    network: bool,
    /// Print a hash of what fixed searches find; it changes only if the searches do
    #[arg(
        long,
        conflicts_with_all = ["policies", "network", "games", "seconds", "runs", "seed", "engine", "at_once", "players"]
    )]
    signature: bool,
    /// The engine for uniform playouts; with --policies, `lanes` compares 512 searches in lockstep with single ones; `gpu` measures
    /// searches of 1,000 simulations on a GPU
    #[arg(long, value_enum, default_value_t = EngineChoice::Auto)]
    engine: EngineChoice,
    /// Length of one run, in seconds; with --engine gpu, and for single searches beside lanes, all runs are one
    #[arg(long, default_value_t = 0.4, value_parser = number(0.001..=3600.0), allow_negative_numbers = true)]
    seconds: f64,
    /// Number of runs; the median counts, or with --policies the fastest
    #[arg(long, default_value_t = 5, value_parser = number(1..=1000_u32), allow_negative_numbers = true)]
    runs: u32,
    /// Searches at once with --engine gpu
    #[arg(long, value_delimiter = ',', default_values_t = [4096, 65536], value_parser = number(1..=1_048_576_usize),
          allow_negative_numbers = true)]
    at_once: Vec<usize>,
    /// Players to measure with --engine gpu, each with its own option [default: five presets of sironi2021]
    #[arg(long = "player", value_name = "SPEC")]
    players: Vec<String>,
    /// Seed of the playouts
    #[arg(long, default_value_t = 1, value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    if args.signature {
        signature::run(console)
    } else if args.network {
        network::run(args, console)
    } else if args.engine == EngineChoice::Gpu {
        gpu::run(args, console)
    } else if args.policies && args.engine == EngineChoice::Lanes {
        lockstep::run(args, console)
    } else if args.policies {
        policies::run(args, console)
    } else {
        playouts::run(args, console)
    }
}

fn open_games(args: &Args) -> Result<Vec<Arc<dyn Playable>>, OpenError> {
    if args.games.is_empty() {
        GAMES.iter().map(|entry| open_game_for(args.engine, entry.name)).collect()
    } else {
        args.games.iter().map(|text| open_game_for(args.engine, text)).collect()
    }
}

/// Replaces the progress line of a terminal; nothing else sees it.
fn show_progress(text: &str) {
    let mut err = io::stderr().lock();
    if err.is_terminal() {
        // Progress that cannot be shown is no reason to stop measuring.
        let _ = write!(err, "\r\x1b[K{text}").and_then(|()| err.flush());
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0]), 3.0);
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 9.0]), 3.0);
    }
}
