//! `ludens gtp`: an engine for the GUIs and scripts of Go, Havannah and Hex.

use crate::{
    Console, Failure,
    arguments::{self, BudgetArgs, number},
    learned_store::OnDisk,
    open::{note, open_game},
};
use ludens_gtp::{Engine, Input, Options, serve};
use ludens_search::{Budget, DEFAULT_PLAYER, Spec};
use std::io::{self, Write as _};
use std::sync::Arc;

/// Play as an engine of the Go Text Protocol (GTP 2), for GUIs such as Sabaki, GoGui, HavannahGui and HexGui
///
/// Any board game for two whose moves are single points will do. Commands come from standard input, replies go to standard
/// output. The default budget is 10,000 simulations per move; if the controller sets clocks, they limit a move instead.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens gtp go:9,eyes=on --player uct+mast
  ludens gtp havannah:8 --player rave+nst --budget ms=500")]
pub(crate) struct Args {
    /// A game such as go:9,eyes=on, havannah:8 or gdl:hex7, or a .kif file
    game: String,
    /// The player: a spec such as "uct+ppa" or a preset such as ppa2015/ppa
    #[arg(long, value_name = "SPEC", default_value = DEFAULT_PLAYER, value_parser = arguments::spec)]
    player: Spec,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Seed of the player
    #[arg(long, default_value_t = 1, value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
}

/// Simulations per move if nothing else limits it.
const SIMULATIONS: u64 = 10_000;

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    if console.json {
        return Err(Failure::Usage("gtp speaks GTP only; for JSON start ludens engine".into()));
    }
    let game = open_game(&args.game)?;
    let options = Options {
        player: args.player.clone(),
        budget: args.budget.given(),
        default_budget: Budget::simulations(SIMULATIONS),
        seed: args.seed,
        learned: Arc::new(OnDisk::in_cache_folder()),
        log: Box::new(|line| drop(writeln!(io::stderr(), "{line}"))),
    };
    let name = game.name();
    let mut engine = Engine::new(game, options).map_err(Failure::Usage)?;
    if name.starts_with("go:") && !name.contains("eyes=on") {
        note("without eyes=on playouts fill their own eyes; go:9,eyes=on plays better");
    }
    Ok(serve(&mut engine, &mut Input::new(io::stdin()), console.out)?)
}
