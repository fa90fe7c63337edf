//! Experiments: which cells are played, how often, and when to stop. `file.rs` reads them from TOML; `papers/` defines those
//! of the papers.

mod file;
mod reader;

pub use file::load;
pub use reader::FileError;

use crate::{
    cell::Cell,
    counts::Counts,
    filter::Filter,
    results::{CellResults, Counting},
    stats::{Decision, Sprt},
};
use std::sync::Arc;

/// Cells to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// The name: that of its folder, too.
    pub name: String,
    /// What it is about.
    pub about: String,
    /// Where all randomness comes from.
    pub seed: u64,
    /// How games become points.
    pub counting: Counting,
    /// A test that may end a cell before all its games are played.
    pub stop: Option<Sprt>,
    /// The cells.
    pub cells: Vec<Planned>,
}

/// A cell and how often it is played.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// What is played.
    pub cell: Arc<Cell>,
    /// The number of games.
    pub games: u64,
    /// The first of them that is played: those before it are known already.
    pub first: u64,
}

impl Experiment {
    /// A match: one cell, so many games.
    pub fn of_cell(cell: Cell, games: u64, seed: u64) -> Experiment {
        Experiment {
            name: "match".into(),
            about: String::new(),
            seed,
            counting: Counting::Players,
            stop: None,
            cells: vec![Planned { cell: Arc::new(cell), games, first: 0 }],
        }
    }

    /// Some of its cells, each after the games that are counted.
    #[must_use]
    pub fn part(&self, filter: &Filter, known: &Counts) -> Experiment {
        let wanted = self.cells.iter().filter(|planned| filter.has(&planned.cell));
        let after = |planned: &Planned| {
            let first = known.points(planned.cell.id(self.seed)).next;
            Planned { first, ..planned.clone() }
        };
        Experiment { cells: wanted.map(after).collect(), ..self.clone() }
    }

    /// Whether counts tell all that its report needs: points of first players, which are enough for two.
    ///
    /// # Errors
    /// Why they do not.
    pub fn check_counts(&self) -> Result<(), String> {
        if self.stop.is_some() {
            return Err(format!("{} has a sequential test, which needs the games themselves", self.name));
        }
        match self.cells.iter().find(|planned| planned.cell.players.len() > 2) {
            Some(planned) => {
                Err(format!("{} has more than two players, and counts tell the points of one", planned.cell))
            }
            None => Ok(()),
        }
    }

    /// Whether the test of a cell is decided by its games: after how many of them, and how.
    pub fn decision(&self, results: &CellResults) -> Option<(u64, Decision)> {
        let rounds = || results.rounds(self.counting, 0);
        let (count, decision) = self.stop?.decide(rounds().map(|(_, rate)| rate))?;
        let (last, _) = rounds().nth(count as usize - 1)?;
        Some(((last + 1) * results.round_length()?, decision))
    }
}
