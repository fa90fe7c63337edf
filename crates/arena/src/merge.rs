//! Merging: all records of an experiment in one journal, and what is wrong with them. Memory grows with the number of games by a
//! few bytes each, and otherwise with the largest cell.

use crate::{
    experiment::Experiment,
    index::{Place, RecordIndex},
    journal::JournalError,
    record::{CellRecord, GameRecord, JournalLine, LineHead},
    results::CellResults,
};
use std::fmt;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

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
    /// The games of the cell at a place of the experiment that are missing, and those in which the program failed.
    pub fn missing(experiment: &Experiment, number: usize, results: &CellResults) -> Vec<Problem> {
        let planned = &experiment.cells[number];
        let wanted = experiment.decision(results).map_or(planned.games, |(games, _)| games);
        let missing = (0..wanted).filter(|index| !results.games.contains_key(index));
        let (broken, games): (Vec<u64>, Vec<u64>) = missing.partition(|index| results.broken.contains_key(index));
        let cell = || planned.cell.to_string();
        let broken = (!broken.is_empty()).then(|| Problem::Broken { cell: cell(), games: broken });
        let holes = (!games.is_empty()).then(|| Problem::Holes { cell: cell(), games });
        broken.into_iter().chain(holes).collect()
    }

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

/// The records of all journals in one file, in the order of the experiment.
pub struct MergedRecords {
    path: PathBuf,
    /// By cell: the bytes of its games.
    cells: Vec<Range<u64>>,
}

/// Bytes of games that are gathered before they are written.
const BLOCK: usize = 32 << 20;

impl RecordIndex<'_> {
    /// Writes all records to a file: beside it first, so that nobody finds half of it.
    ///
    /// # Errors
    /// If a journal cannot be read or the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<MergedRecords, JournalError> {
        let io = |error| JournalError::Io { path: path.to_owned(), error };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        let draft = path.with_extension("draft");
        let mut out = File::create(&draft).map_err(io)?;
        let mut head = Vec::new();
        let cells = self.experiment.cells.iter().map(|planned| {
            let id = planned.cell.id(self.experiment.seed);
            JournalLine::Cell(CellRecord { id, seed: self.experiment.seed, cell: (*planned.cell).clone() })
        });
        let broken = self.broken.iter().flat_map(|broken| broken.values().cloned().map(JournalLine::Broken));
        for line in self.sessions.iter().cloned().map(JournalLine::Session).chain(cells).chain(broken) {
            serde_json::to_writer(&mut head, &line).map_err(|error| io(error.into()))?;
            head.push(b'\n');
        }
        out.write_all(&head).map_err(io)?;
        let mut offset = head.len() as u64;
        let mut cells = Vec::new();
        for games in &self.games {
            let begin = offset;
            let places: Vec<Place> = games.values().copied().collect();
            for block in blocks(&places) {
                let lines = self.gather(block)?;
                out.write_all(&lines).map_err(io)?;
                offset += lines.len() as u64;
            }
            cells.push(begin..offset);
        }
        out.sync_all().and_then(|()| std::fs::rename(&draft, path)).map_err(io)?;
        Ok(MergedRecords { path: path.to_owned(), cells })
    }

    /// Some lines in their order. Every file is opened once, and read from its beginning to its end.
    fn gather(&self, places: &[Place]) -> Result<Vec<u8>, JournalError> {
        let mut targets = Vec::with_capacity(places.len());
        let mut length = 0;
        for place in places {
            targets.push((place.file, place.offset, length, place.length as usize));
            length += place.length as usize;
        }
        targets.sort_unstable();
        let mut lines = vec![0; length];
        for of_file in targets.chunk_by(|a, b| a.0 == b.0) {
            let path = &self.files[of_file[0].0 as usize];
            let io = |error| JournalError::Io { path: path.clone(), error };
            let mut file = BufReader::new(File::open(path).map_err(io)?);
            let mut at = 0;
            for &(_, offset, target, length) in of_file {
                file.seek_relative((offset - at) as i64).map_err(io)?;
                file.read_exact(&mut lines[target..target + length]).map_err(io)?;
                at = offset + length as u64;
            }
        }
        Ok(lines)
    }
}

/// Places in their order, in parts of about as many bytes as are gathered at once.
fn blocks(places: &[Place]) -> impl Iterator<Item = &[Place]> {
    let mut rest = places;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = |place: &&Place| {
            bytes += place.length as usize;
            bytes <= BLOCK
        };
        let count = rest.iter().take_while(fits).count().max(1).min(rest.len());
        let (block, after) = rest.split_at(count);
        rest = after;
        (!block.is_empty()).then_some(block)
    })
}

impl MergedRecords {
    /// The games of the cell at a place of the experiment.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn cell(&self, index: &RecordIndex<'_>, number: usize) -> Result<CellResults, JournalError> {
        let io = |error| JournalError::Io { path: self.path.clone(), error };
        let mut results = CellResults::new((*index.experiment.cells[number].cell).clone());
        results.broken = index.broken[number].clone();
        let Range { start, end } = self.cells[number];
        let mut file = File::open(&self.path).map_err(io)?;
        file.seek(SeekFrom::Start(start)).map_err(io)?;
        let mut lines = BufReader::with_capacity(1 << 18, file.take(end - start));
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line).map_err(io)? > 0 {
            let head: LineHead = serde_json::from_slice(&line).map_err(|error| io(error.into()))?;
            if let LineHead::Game(game) = head {
                let game = GameRecord::from(game);
                results.games.insert(game.index, game);
            }
            line.clear();
        }
        Ok(results)
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
