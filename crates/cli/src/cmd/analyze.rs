//! `ludens analyze`: what a search thinks of a position, while it thinks and afterwards.

mod text;

use crate::{
    Console, Failure,
    arguments::{self, BudgetArgs, number},
    interrupt,
    learned_store::OnDisk,
    notation::{deciders, play_moves, role_named, written_moves},
    open::open_game,
};
use indicatif::{ProgressBar, ProgressStyle};
use ludens_arena::shell_word;
use ludens_engine::Thought;
use ludens_game::{Position, Role, Seed};
use ludens_search::{DEFAULT_PLAYER, Playable, RANDOM, Report, SearchError, SearchObserver, Spec, isolate};
use serde::Serialize;
use std::{ops::ControlFlow, sync::Arc, time::Duration};

/// Search a position and report the best moves, the expected line and what the playouts learned
///
/// The default budget is 10,000 simulations. Ctrl-C stops the search and prints the result so far.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens analyze breakthrough:6 --moves \"c2-c3 d5-d4\" --player uct+mast --sims 3000
  ludens analyze havannah:4 --moves \"d4 c3\" --player grave+ppa --budget ms=300")]
pub(crate) struct Args {
    /// A game such as breakthrough:8, or a .kif file
    game: String,
    /// Moves that lead to the position, separated by spaces or commas
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
    /// The player that searches: a spec such as "uct+ppa" or a preset such as ppa2015/ppa
    #[arg(long, value_name = "SPEC", default_value = DEFAULT_PLAYER, value_parser = arguments::spec)]
    player: Spec,
    #[command(flatten)]
    budget: BudgetArgs,
    /// The role to search for [default: the first role with a choice]
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<String>,
    /// Number of moves to show; JSON has all
    #[arg(long, default_value_t = 10, value_parser = number(1..=100_000_usize), allow_negative_numbers = true)]
    top: usize,
    /// Seed of the search
    #[arg(long, default_value_t = 1, value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
}

/// Simulations if nothing else is said.
const SIMULATIONS: u64 = 10_000;

/// The time between two pictures of a search under way.
const REDRAW: Duration = Duration::from_millis(200);

/// What was asked.
#[derive(Clone, Serialize)]
struct Question {
    game: String,
    /// The number of steps before the position.
    step: usize,
    role: String,
    player: String,
    budget: String,
    seed: u64,
}

/// A question with the answer. Scores are the role's own, from 0 to 1.
#[derive(Serialize)]
struct Analysis {
    #[serde(flatten)]
    question: Question,
    /// The move that the player would play; none while it thinks.
    #[serde(rename = "move")]
    chosen: Option<String>,
    #[serde(flatten)]
    thought: Thought,
}

impl Analysis {
    fn new(question: &Question, chosen: Option<String>, report: &Report) -> Analysis {
        Analysis { question: question.clone(), chosen, thought: report.into() }
    }
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    if !args.player.searches() {
        return Err(Failure::Usage(format!("{RANDOM} does not search, so there is nothing to show")));
    }
    let game = open_game(&args.game)?;
    let names = game.role_names();
    let mut position = game.clone().start();
    play_moves(&mut *position, &names, &args.moves).map_err(Failure::Usage)?;
    interrupt::catch();
    analyze(args, (&game, &*position), console)
}

/// Searches a position and shows what came of it.
pub(crate) fn analyze(
    args: &Args,
    (game, position): (&Arc<dyn Playable>, &dyn Position),
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let role = searching_role(args, game, position).map_err(Failure::Usage)?;
    let budget = args.budget.or_simulations(SIMULATIONS);
    let question = Question {
        game: game.name(),
        step: position.history().len(),
        role: game.role_names()[role.index()].clone(),
        player: args.player.to_string(),
        budget: budget.to_string(),
        seed: args.seed,
    };
    let picture = live_picture();
    let style = console.style;
    let mut look = |report: &Report| {
        picture.set_message(text::draw(&Analysis::new(&question, None, report), args.top, style));
        if interrupt::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let searched = isolate(|| {
        let mut player = game.clone().player(role, &args.player, Arc::new(OnDisk::in_cache_folder()))?;
        player.start(Seed::new(args.seed));
        position.history().iter().for_each(|joint| player.observe(joint));
        let (chosen, _) = player.choose_watched(&budget, &mut SearchObserver { interval: REDRAW, look: &mut look });
        Ok((chosen, player.report()))
    });
    picture.finish_and_clear();
    let (chosen, report) = searched
        .map_err(|panicked| Failure::fault("the search", &panicked, &replay(args, &question, (game, position))))?
        .map_err(|error: SearchError| Failure::Usage(error.to_string()))?;

    let analysis = Analysis::new(&question, Some(position.move_name(role, chosen)), &report);
    if console.json {
        return console.json(&analysis);
    }
    Ok(writeln!(console.out, "{}", text::draw(&analysis, args.top, style))?)
}

/// The command that searches the same again.
fn replay(args: &Args, question: &Question, (game, position): (&Arc<dyn Playable>, &dyn Position)) -> String {
    let Question { role, player, budget, seed, .. } = question;
    let moves = written_moves(game.clone(), position.history());
    let [game, moves, player, role] = [&args.game, &moves, player, role].map(|text| shell_word(text));
    format!("ludens analyze {game} --moves {moves} --player {player} --budget {budget} --as {role} --seed {seed}")
}

/// The role for which to search.
fn searching_role(args: &Args, game: &Arc<dyn Playable>, position: &dyn Position) -> Result<Role, String> {
    let names = game.role_names();
    let asked = args.role.as_deref().map(|name| role_named(&**game, name)).transpose()?;
    if let Some(failure) = position.failure() {
        return Err(format!("the game cannot continue after these moves: {failure}"));
    }
    if position.scores().is_some() {
        return Err("the game is over after these moves".to_owned());
    }
    let deciders = deciders(position, names.len());
    let first = deciders.first().copied().unwrap_or(Role(0));
    match asked {
        Some(role) if !deciders.contains(&role) => {
            let able: Vec<_> = deciders.iter().map(|role| names[role.index()].as_str()).collect();
            Err(format!("{} has no choice here; roles with a choice: {}", names[role.index()], able.join(", ")))
        }
        asked => Ok(asked.unwrap_or(first)),
    }
}

/// A picture on the terminal that is drawn over and over; nothing where there is none.
fn live_picture() -> ProgressBar {
    let style = ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_spinner());
    ProgressBar::new_spinner().with_style(style)
}
