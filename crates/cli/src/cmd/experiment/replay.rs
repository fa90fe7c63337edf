//! `ludens experiment replay`.

use super::read;
use crate::{
    Console, Failure,
    arguments::number,
    campaign::{default_folder, refused, tell_broken},
    interrupt,
    learned_store::OnDisk,
    open::open_games,
};
use ludens_arena::{
    Backend as _, BrokenRecord, CellId, Experiment, GameContext, GameRecord, GameTask, JournalLine, OneByOne,
    OpenGames, Planned, journals_in, read_journal,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Replay one game of an experiment and compare it with its record
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens experiment replay experiments/adaptation.toml --cell 3 --game 5")]
pub(crate) struct Args {
    /// The experiment's file
    file: PathBuf,
    /// The cell: its number or name, as listed by `plan`
    #[arg(long)]
    cell: String,
    /// The number of the game in its cell, counting from 0
    #[arg(long, value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    game: u64,
    /// Folder for the records [default: results/NAME]
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let games = open_games();
    let experiment = read(&args.file, &games)?;
    let (number, planned) = find(&experiment, &args.cell)?;
    if args.game >= planned.games {
        return Err(Failure::Usage(format!("{} has games 0 to {}", planned.cell, planned.games - 1)));
    }
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&experiment.name));
    let id = planned.cell.id(experiment.seed);
    let recorded = recorded(&folder, (id, args.game))?;
    interrupt::catch();
    let played = match play((&experiment, number, args.game), &games)? {
        Some(Ok(played)) => played,
        Some(Err(broken)) => return tell_broken([&broken], ""),
        None => return Err(Failure::Usage("stopped before the end of the game".into())),
    };
    if console.json {
        console.json(&played)?;
    } else {
        let roles = games.open(&planned.cell.game)?.role_names();
        writeln!(console.out, "game {} of {}, seed {:016x}", played.index, planned.cell, played.seed)?;
        for ((role, &seat), score) in roles.iter().zip(&played.seats).zip(&played.scores) {
            writeln!(console.out, "{role}: {}, score {score}", planned.cell.players[seat].name)?;
        }
        writeln!(console.out, "{}", played.moves.join(" "))?;
    }
    match recorded {
        Some(recorded) if recorded.is_same_game(&played) => say(console, "same game as recorded"),
        Some(_) => {
            say(console, "not the recorded game: it was played by another version or with a time budget")?;
            Err(Failure::Told(2))
        }
        None => say(console, "not recorded yet"),
    }
}

/// A remark below the game; JSON has no place for it.
fn say(console: &mut Console<'_>, text: &str) -> Result<(), Failure> {
    if !console.json {
        writeln!(console.out, "{text}")?;
    }
    Ok(())
}

/// The cell of a number or a name.
fn find<'e>(experiment: &'e Experiment, text: &str) -> Result<(usize, &'e Planned), Failure> {
    let named = |planned: &Planned| text.parse::<CellId>().is_ok_and(|id| id == planned.cell.id(experiment.seed));
    let number = match experiment.cells.iter().position(named) {
        Some(number) => Some(number),
        None => text.parse().ok().filter(|&number: &usize| number < experiment.cells.len()),
    };
    let last = experiment.cells.len() - 1;
    let unknown = || {
        Failure::Usage(format!("there is no cell {text:?}: give a number from 0 to {last} or a name listed by `plan`"))
    };
    number.map(|number| (number, &experiment.cells[number])).ok_or_else(unknown)
}

/// The record of a game, with its moves.
fn recorded(folder: &Path, (cell, index): (CellId, u64)) -> Result<Option<GameRecord>, Failure> {
    for path in journals_in(folder).map_err(refused)? {
        for line in read_journal(&path).map_err(refused)?.lines {
            match line {
                JournalLine::Game(game) if game.cell == cell && game.index == index => return Ok(Some(game)),
                _ => {}
            }
        }
    }
    Ok(None)
}

/// Plays one game, which may fail; `None` if it was stopped.
fn play(
    (experiment, number, index): (&Experiment, usize, u64),
    games: &OpenGames,
) -> Result<Option<Result<GameRecord, BrokenRecord>>, Failure> {
    let cell = &experiment.cells[number].cell;
    let game = games.open(&cell.game)?;
    let seatings = cell.seats.seatings(cell.players.len(), game.role_names().len());
    let seatings = seatings.expect("the experiment was read with its games");
    let seats = seatings[(index % seatings.len() as u64) as usize].clone();
    let task = GameTask { cell: cell.clone(), number, index, seats, seed: cell.seed(experiment.seed).at(index) };
    let learned = Arc::new(OnDisk::in_cache_folder());
    let table = GameContext {
        game: game.clone(),
        learned,
        share: 1,
        at_once: 1,
        stop: &interrupt::asked,
        searched: &|| {},
        note: &|_| {},
    };
    let mut record = None;
    let played = OneByOne.play(&table, &mut std::iter::once(task), &mut |task, outcome| {
        record = Some(match outcome {
            Ok(played) => Ok(GameRecord::new(&game, (&task, cell.id(experiment.seed)), &played)),
            Err(broken) => Err(BrokenRecord::new(&game, (&task, experiment.seed), &broken)),
        });
    });
    played.map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(record)
}
