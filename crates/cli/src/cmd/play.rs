//! `ludens play`: a game in the terminal, between people, against a player that searches, or against a random mover.

mod event;
mod input;
mod session;
mod text;

use crate::{
    Console, Failure,
    arguments::{self, BudgetArgs, number},
    learned_store::OnDisk,
    notation::role_named,
    open::open_game,
};
use event::JsonLines;
use input::Lines;
use ludens_game::{Charset, DynGame, Role, Seed, Style};
use ludens_search::{DEFAULT_PLAYER, Learned, Playable, RANDOM, Spec};
use session::{GameSetup, SeatKind, Session};
use std::io::{self, IsTerminal};
use std::sync::Arc;
use text::Dialogue;

/// What `--against` says of people.
const HUMAN: &str = "human";

/// What `--as` says if nobody plays.
const NOBODY: &str = "none";

/// Play a game in the terminal against a person, an engine or a random player
///
/// Type moves as the board labels them; "help" lists other inputs. The default budget of an engine is 10,000 simulations per move.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens play havannah:4 --as white
  ludens play go:9,komi=6.5 --against random
  ludens play gdl:quad7 --against uct+ppa
  ludens play knightthrough:5 --as none --against uct+nst --sims 200")]
pub(crate) struct Args {
    /// A game such as havannah:4, go:9,komi=6.5 or gdl:connect4, or a .kif file
    game: String,
    /// The role you play [default: the first]; "none" to watch
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<String>,
    #[arg(long, value_name = "PLAYER", value_parser = opponent, help = format!(
        "Who plays the other roles: human, random, or a player such as uct+ppa or ppa2015/ppa \
         [default: human, or {DEFAULT_PLAYER} with --as]"
    ))]
    against: Option<Opponent>,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Moves to start from, separated by spaces or commas
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
    /// Seed of the other roles
    #[arg(long, default_value_t = 1, value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
}

/// Simulations per move of an engine if nothing else is said.
const SIMULATIONS: u64 = 10_000;

#[derive(Clone)]
enum Opponent {
    Human,
    Engine(Spec),
}

fn opponent(text: &str) -> Result<Opponent, String> {
    match text {
        HUMAN => Ok(Opponent::Human),
        other => arguments::spec(other).map(Opponent::Engine).map_err(|why| format!("not {HUMAN}, {RANDOM}; {why}")),
    }
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let game = open_game(&args.game)?;
    let table = table(args, &game)?;
    // A program wants the same board on every machine.
    let style = if console.json { Style { charset: Charset::Ascii, color: false } } else { console.style };
    let mut session = Session::new(game, table, style);
    session.play_given(&args.moves).map_err(Failure::Usage)?;
    let stdin = io::stdin();
    let echo = !stdin.is_terminal();
    let mut lines = Lines::new(stdin.lock());
    if console.json {
        session.run(&mut lines, &mut JsonLines { out: console.out })
    } else {
        session.run(&mut lines, &mut Dialogue::new(console.out, echo))
    }
}

/// Who sits where.
fn table(args: &Args, game: &Arc<dyn Playable>) -> Result<GameSetup, Failure> {
    let opponent = match (&args.against, &args.role) {
        (Some(opponent), _) => opponent.clone(),
        (None, None) => Opponent::Human,
        (None, Some(_)) => Opponent::Engine(arguments::spec(DEFAULT_PLAYER).map_err(Failure::Usage)?),
    };
    let own = own_role(args, &**game)?;
    let learned: Arc<dyn Learned> = Arc::new(OnDisk::in_cache_folder());
    let seat = |role| match &opponent {
        _ if own == Some(role) => Ok(SeatKind::Person),
        Opponent::Human if own.is_none() => Err(format!("--as {NOBODY} needs --against {RANDOM} or a player")),
        Opponent::Human => Ok(SeatKind::Person),
        Opponent::Engine(spec) => {
            let player = game.clone().player(role, spec, learned.clone());
            player.map(SeatKind::Engine).map_err(|error| error.to_string())
        }
    };
    let seats: Result<_, String> = Role::all(game.role_names().len()).map(seat).collect();
    Ok(GameSetup {
        seats: seats.map_err(Failure::Usage)?,
        opponent: match &opponent {
            Opponent::Human => HUMAN.to_owned(),
            Opponent::Engine(spec) => spec.to_string(),
        },
        budget: args.budget.or_simulations(SIMULATIONS),
        seed: Seed::new(args.seed),
    })
}

/// The role of the person who started the program, if they want to play.
fn own_role(args: &Args, game: &dyn DynGame) -> Result<Option<Role>, Failure> {
    match args.role.as_deref() {
        None => Ok(Some(Role(0))),
        Some(name) => match role_named(game, name) {
            Err(_) if name.eq_ignore_ascii_case(NOBODY) => Ok(None),
            found => found.map(Some).map_err(Failure::Usage),
        },
    }
}
