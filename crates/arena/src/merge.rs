//! Merging shards: all records of an experiment in one journal, and a list of what is wrong with them.

use crate::{
    broken::BrokenRecord,
    cell::CellId,
    experiment::Experiment,
    record::{CellRecord, GameRecord, JournalLine},
    results::Results,
};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// The records of all shards.
#[derive(Debug, Default)]
pub struct Merged {
    /// What the merged journal holds: sessions, cells, and games in the order of the experiment.
    pub lines: Vec<JournalLine>,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// Something wrong with the records.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// Games of a cell are missing.
    Holes {
        /// The cell.
        cell: String,
        /// Their numbers.
        games: Vec<u64>,
    },
    /// The program failed in games of a cell.
    Broken {
        /// The cell.
        cell: String,
        /// Their numbers.
        games: Vec<u64>,
    },
    /// A game was played twice.
    Duplicate {
        /// The cell.
        cell: String,
        /// The game's number.
        game: u64,
        /// Where it is.
        files: [PathBuf; 2],
        /// Whether both are the same game, as they should be.
        same: bool,
    },
    /// A game or a whole cell was played with another seed.
    Seed {
        /// Where it is.
        file: PathBuf,
        /// What has the wrong seed, and which.
        what: String,
    },
    /// A cell that the experiment does not have.
    Foreign {
        /// Where it is.
        file: PathBuf,
        /// The cell.
        cell: String,
    },
}

impl Problem {
    /// Whether the records cannot be trusted, rather than being incomplete or played twice.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Problem::Seed { .. } | Problem::Duplicate { same: false, .. })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Holes { cell, games } => write!(f, "hole: {cell} lacks {}", ranges(games)),
            Problem::Broken { cell, games } => write!(f, "broken: {} of {cell} failed", ranges(games)),
            Problem::Duplicate { cell, game, files: [first, second], same } => {
                let how = if *same { "played twice" } else { "played twice, differently" };
                write!(f, "duplicate: game {game} of {cell} was {how}: {} and {}", first.display(), second.display())
            }
            Problem::Seed { file, what } => write!(f, "seed: {}: {what}", file.display()),
            Problem::Foreign { file, cell } => {
                write!(f, "foreign: {}: {cell} is not in the experiment", file.display())
            }
        }
    }
}

/// "game 3", "games 0 to 4, 7".
fn ranges(games: &[u64]) -> String {
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for &game in games {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == game => *last = game,
            _ => parts.push((game, game)),
        }
    }
    let text =
        |&(first, last): &(u64, u64)| if first == last { format!("{first}") } else { format!("{first} to {last}") };
    let word = if games.len() == 1 { "game" } else { "games" };
    format!("{word} {}", parts.iter().map(text).collect::<Vec<_>>().join(", "))
}

/// Merges the records of shards.
pub fn merge(experiment: &Experiment, files: Vec<(PathBuf, Vec<JournalLine>)>) -> Merged {
    let mut merger = Merger {
        experiment,
        places: experiment.cells.iter().enumerate().map(|(n, cell)| (cell.cell.id(experiment.seed), n)).collect(),
        foreign: BTreeMap::new(),
        games: BTreeMap::new(),
        broken: BTreeMap::new(),
        merged: Merged::default(),
    };
    for (file, lines) in files {
        lines.into_iter().for_each(|line| merger.take(&file, line));
    }
    merger.finish()
}

struct Merger<'e> {
    experiment: &'e Experiment,
    /// The place of each cell in the experiment.
    places: BTreeMap<CellId, usize>,
    /// Cells that the experiment does not have, and what they are.
    foreign: BTreeMap<CellId, String>,
    /// Every game by cell and number, with the file that it came from.
    games: BTreeMap<(usize, u64), (PathBuf, GameRecord)>,
    /// The games in which the program failed.
    broken: BTreeMap<(usize, u64), BrokenRecord>,
    merged: Merged,
}

impl Merger<'_> {
    fn take(&mut self, file: &Path, line: JournalLine) {
        match line {
            JournalLine::Session(_) => self.merged.lines.push(line),
            JournalLine::Cell(record) => self.take_cell(file, record),
            JournalLine::Game(game) => self.take_game(file, game),
            JournalLine::Broken(broken) => {
                if let Some(&place) = self.places.get(&broken.cell) {
                    self.broken.insert((place, broken.index), broken);
                }
            }
        }
    }

    fn take_cell(&mut self, file: &Path, record: CellRecord) {
        if self.places.contains_key(&record.id) || self.foreign.contains_key(&record.id) {
            return;
        }
        let same_cell = self.experiment.cells.iter().any(|planned| planned.cell.id(0) == record.cell.id(0));
        let (cell, file) = (record.cell.to_string(), file.to_path_buf());
        self.merged.problems.push(if same_cell {
            let what = format!(
                "{cell} was played with seed {}; the experiment has seed {}",
                record.seed, self.experiment.seed
            );
            Problem::Seed { file, what }
        } else {
            Problem::Foreign { file, cell: cell.clone() }
        });
        self.foreign.insert(record.id, cell);
    }

    fn take_game(&mut self, file: &Path, game: GameRecord) {
        let Some(&place) = self.places.get(&game.cell) else { return };
        let cell = &self.experiment.cells[place].cell;
        let expected = cell.seed(self.experiment.seed).at(game.index).value();
        if game.seed != expected {
            let what = format!("game {} of {cell} has seed {:016x}, not {expected:016x}", game.index, game.seed);
            self.merged.problems.push(Problem::Seed { file: file.to_path_buf(), what });
            return;
        }
        match self.games.get(&(place, game.index)) {
            Some((other, known)) => {
                let (files, same) = ([other.clone(), file.to_path_buf()], known.is_same_game(&game));
                let (cell, game) = (cell.to_string(), game.index);
                self.merged.problems.push(Problem::Duplicate { cell, game, files, same });
            }
            None => drop(self.games.insert((place, game.index), (file.to_path_buf(), game))),
        }
    }

    fn finish(mut self) -> Merged {
        let mut results = Results::default();
        for planned in &self.experiment.cells {
            let id = planned.cell.id(self.experiment.seed);
            let line = JournalLine::Cell(CellRecord { id, seed: self.experiment.seed, cell: (*planned.cell).clone() });
            results.add(line.clone());
            self.merged.lines.push(line);
        }
        for (key, broken) in self.broken {
            if !self.games.contains_key(&key) {
                results.add(JournalLine::Broken(broken.clone()));
                self.merged.lines.push(JournalLine::Broken(broken));
            }
        }
        for (_, game) in self.games.into_values() {
            results.add(JournalLine::Game(game.clone()));
            self.merged.lines.push(JournalLine::Game(game));
        }
        for planned in &self.experiment.cells {
            let cell = &results.cells[&planned.cell.id(self.experiment.seed)];
            let wanted = self.experiment.decision(cell).map_or(planned.games, |(games, _)| games);
            let missing = (0..wanted).filter(|index| !cell.games.contains_key(index));
            let (broken, games): (Vec<u64>, Vec<u64>) = missing.partition(|index| cell.broken.contains_key(index));
            let name = || planned.cell.to_string();
            if !broken.is_empty() {
                self.merged.problems.push(Problem::Broken { cell: name(), games: broken });
            }
            if !games.is_empty() {
                self.merged.problems.push(Problem::Holes { cell: name(), games });
            }
        }
        self.merged
    }
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn numbers_are_written_as_ranges() {
        assert_eq!(ranges(&[3]), "game 3");
        assert_eq!(ranges(&[0, 1, 2, 7, 9, 10]), "games 0 to 2, 7, 9 to 10");
    }
}
