//! `ludens play`: a game in the terminal, between people or against a random mover.

mod event;
mod input;
mod notation;
mod session;
mod text;

use crate::{Console, Failure, arguments::number};
use clap::ValueEnum;
use event::JsonLines;
use input::Lines;
use ludens_game::{Charset, DynGame, Seed, Style};
use ludens_games::{catalog, quoted};
use session::{Session, Table};
use std::io::{self, IsTerminal};
use text::Dialogue;

/// Play a game in the terminal: type moves as the board labels them, or "help"
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A game of the catalogue, such as havannah:4 or go:9,komi=6.5
    game: String,
    /// The role that you play; the first if none is given
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<String>,
    /// Who plays the other roles: people at the same keyboard, or a random mover [default: human, or random with --as]
    #[arg(long, value_enum)]
    against: Option<Opponent>,
    /// Moves to start with, separated by spaces or commas
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
    /// Seed of the random mover
    #[arg(long, default_value_t = 1, value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Opponent {
    Human,
    Random,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let game = catalog::open(&args.game)?;
    let table = Table { people: people(args, &*game)?, seed: Seed::new(args.seed) };
    // A program wants the same board on every machine.
    let style = if console.json { Style { charset: Charset::Ascii, color: false } } else { console.style };
    let mut session = Session::new(game, table, style);
    let given = args.moves.split(|c: char| c == ',' || c.is_whitespace()).filter(|text| !text.is_empty());
    session.play_given(given).map_err(Failure::Usage)?;
    let stdin = io::stdin();
    let echo = !stdin.is_terminal();
    let mut lines = Lines::new(stdin.lock());
    if console.json {
        session.run(&mut lines, &mut JsonLines { out: console.out })
    } else {
        session.run(&mut lines, &mut Dialogue::new(console.out, echo))
    }
}

/// For each role, whether a person plays it.
fn people(args: &Args, game: &dyn DynGame) -> Result<Vec<bool>, Failure> {
    let roles = game.role_names();
    let own = match &args.role {
        None => 0,
        Some(name) => roles.iter().position(|role| role.eq_ignore_ascii_case(name)).ok_or_else(|| {
            Failure::Usage(format!("{} has no role {}; roles: {}", game.name(), quoted(name), roles.join(", ")))
        })?,
    };
    let default = if args.role.is_some() { Opponent::Random } else { Opponent::Human };
    let all_people = args.against.unwrap_or(default) == Opponent::Human;
    Ok((0..roles.len()).map(|role| all_people || role == own).collect())
}
