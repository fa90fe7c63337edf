//! Games in which the program failed: what is known about them, and the command that replays one.
//!
//! A panic is caught at the border of one game. The game is written down with its moves, the words of the panic and its
//! place in the source; it is no result, and the others go on.

use crate::{
    cell::{Cell, CellId, hex},
    engine::GameTask,
    record::move_names,
    seats::Seats,
    words::{counted, one_line, shell_word},
};
use ludens_game::Move;
use ludens_search::{Panicked, Playable, Played, isolate};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};
use std::sync::Arc;

/// What came of a task.
pub type Outcome = Result<Played, Broken>;

/// A panic in the middle of a game.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The joint moves before it.
    pub moves: Vec<Vec<Move>>,
    /// What it said, and where.
    pub panicked: Panicked,
}

/// The record of a game in which the program failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BrokenRecord {
    /// Its cell.
    pub cell: CellId,
    /// Its number in the cell.
    pub index: u64,
    /// Its seed.
    #[serde(with = "hex")]
    pub seed: u64,
    /// Which of the cell's players sat at which role.
    pub seats: Vec<usize>,
    /// The moves before the failure.
    pub moves: Vec<String>,
    /// What the program said.
    pub message: String,
    /// Where in its source.
    pub place: Option<String>,
    /// The command that plays the game again.
    pub replay: String,
}

impl BrokenRecord {
    /// What is written down of a task of an experiment with that seed.
    pub fn new(game: &Arc<dyn Playable>, (task, experiment): (&GameTask, u64), broken: &Broken) -> BrokenRecord {
        // The game itself may be what fails.
        let names = isolate(|| move_names(game, &broken.moves));
        let numbers = || broken.moves.iter().map(|joint| format!("{joint:?}")).collect();
        BrokenRecord {
            cell: task.cell.id(experiment),
            index: task.index,
            seed: task.seed.value(),
            seats: task.seats.clone(),
            moves: names.unwrap_or_else(|_| numbers()),
            message: broken.panicked.message.clone(),
            place: broken.panicked.place.clone(),
            replay: replay(&task.cell, experiment, task.index),
        }
    }
}

/// The game, the reason and the command that replays it, on one line.
impl Display for BrokenRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BrokenRecord { index, message, place, replay, .. } = self;
        let panicked = Panicked { message: message.clone(), place: place.clone() };
        let steps = counted(self.moves.len(), "step");
        write!(f, "game {index} after {steps}: {}; replay with: {replay}", one_line(&panicked))
    }
}

/// The command that plays one game of a cell again.
fn replay(cell: &Cell, experiment: u64, index: u64) -> String {
    if cell.seats == Seats::Given {
        return format!("ludens experiment replay FILE --cell {} --game {index}", cell.id(experiment));
    }
    let players: Vec<String> = cell.players.iter().map(|player| shell_word(&player.spec.to_string())).collect();
    let (game, players) = (shell_word(&cell.game), players.join(" "));
    format!("ludens match {game} {players} --budget {} --seed {experiment} --game {index}", cell.budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_replay_is_one_command() {
        let text = r#"{"game":"go:5,komi=6.5","budget":"sims=10","players":[{"name":"a","spec":"uct(c=1)+mast"},{"name":"b","spec":"random"}]}"#;
        let mut cell: Cell = serde_json::from_str(text).expect("a cell");
        let expected = "ludens match go:5,komi=6.5 'uct(c=1)+mast' random --budget sims=10 --seed 7 --game 3";
        assert_eq!(replay(&cell, 7, 3), expected);
        cell.seats = Seats::Given;
        assert!(replay(&cell, 7, 3).starts_with("ludens experiment replay FILE --cell "));
    }
}
