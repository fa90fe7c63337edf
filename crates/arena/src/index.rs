//! [`RecordIndex`]: where every game of an experiment is recorded. It holds a few bytes per game, so that the records of many
//! journals can be merged or counted without having all of them in memory.

use crate::{
    broken::BrokenRecord,
    cell::CellId,
    experiment::Experiment,
    journal::{self, JournalError},
    merge::Problem,
    record::{CellRecord, GameRecord, JournalLine, LineHead, Session},
};
use std::collections::{BTreeMap, btree_map::Entry};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// Where a line is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) file: u32,
    pub(crate) length: u32,
    pub(crate) offset: u64,
}

/// The records of an experiment, by place.
pub struct RecordIndex<'e> {
    pub(crate) experiment: &'e Experiment,
    pub(crate) files: Vec<PathBuf>,
    /// Who played.
    pub sessions: Vec<Session>,
    /// By cell of the experiment, the games by their numbers.
    pub(crate) games: Vec<BTreeMap<u64, Place>>,
    /// By cell, the games in which the program failed and that nobody has played since.
    pub(crate) broken: Vec<BTreeMap<u64, BrokenRecord>>,
    /// What is wrong with the records, apart from games that are missing.
    pub problems: Vec<Problem>,
    numbers: BTreeMap<CellId, usize>,
    /// Cells that the experiment does not have.
    foreign: BTreeMap<CellId, String>,
}

/// How far a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Games that are recorded.
    pub done: u64,
    /// Games in which the program failed.
    pub broken: u64,
}

impl<'e> RecordIndex<'e> {
    /// No records yet.
    pub fn new(experiment: &'e Experiment) -> RecordIndex<'e> {
        let ids = experiment.cells.iter().enumerate().map(|(number, cell)| (cell.cell.id(experiment.seed), number));
        RecordIndex {
            experiment,
            files: Vec::new(),
            sessions: Vec::new(),
            games: vec![BTreeMap::new(); experiment.cells.len()],
            broken: vec![BTreeMap::new(); experiment.cells.len()],
            problems: Vec::new(),
            numbers: ids.collect(),
            foreign: BTreeMap::new(),
        }
    }

    /// Adds the records of a journal; how many bytes at its end are no whole line.
    ///
    /// # Errors
    /// If the journal cannot be read or holds something else.
    pub fn add(&mut self, path: &Path) -> Result<usize, JournalError> {
        let file = self.files.len() as u32;
        self.files.push(path.to_owned());
        let mut twice: Vec<(usize, u64, Place)> = Vec::new();
        let torn = journal::scan(path, |head, (offset, length)| match head {
            LineHead::Session(session) => self.sessions.push(session),
            LineHead::Cell(record) => self.add_cell(path, record),
            LineHead::Broken(broken) => {
                if let Some(&number) = self.numbers.get(&broken.cell)
                    && !self.games[number].contains_key(&broken.index)
                {
                    self.broken[number].insert(broken.index, broken);
                }
            }
            LineHead::Game(head) => {
                let place = Place { file, length: length as u32, offset };
                let game = GameRecord::from(head);
                let Some(number) = self.number_of(path, &game) else { return };
                if let Entry::Vacant(free) = self.games[number].entry(game.index) {
                    free.insert(place);
                    self.broken[number].remove(&game.index);
                } else {
                    twice.push((number, game.index, place));
                }
            }
        })?;
        twice.into_iter().try_for_each(|(number, index, place)| self.add_twice(number, index, place))?;
        Ok(torn)
    }

    /// The cell of a game, if it was played there with its seed.
    fn number_of(&mut self, path: &Path, game: &GameRecord) -> Option<usize> {
        let &number = self.numbers.get(&game.cell)?;
        let cell = &self.experiment.cells[number].cell;
        let expected = cell.seed(self.experiment.seed).at(game.index).value();
        if game.seed != expected {
            let what = format!("game {} of {cell} has seed {:016x}, not {expected:016x}", game.index, game.seed);
            self.problems.push(Problem::Seed { file: path.to_owned(), what });
            return None;
        }
        Some(number)
    }

    fn add_cell(&mut self, path: &Path, record: CellRecord) {
        if self.numbers.contains_key(&record.id) || self.foreign.contains_key(&record.id) {
            return;
        }
        let same_cell = self.experiment.cells.iter().any(|planned| planned.cell.id(0) == record.cell.id(0));
        let (cell, file) = (record.cell.to_string(), path.to_path_buf());
        self.problems.push(if same_cell {
            let seed = self.experiment.seed;
            let what = format!("{cell} was played with seed {}; the experiment has seed {seed}", record.seed);
            Problem::Seed { file, what }
        } else {
            Problem::Foreign { file, cell: cell.clone() }
        });
        self.foreign.insert(record.id, cell);
    }

    /// A game was played twice: are both the same?
    fn add_twice(&mut self, number: usize, game: u64, second: Place) -> Result<(), JournalError> {
        let first = self.games[number][&game];
        let same = match (self.read(first)?, self.read(second)?) {
            (JournalLine::Game(first), JournalLine::Game(second)) => first.is_same_game(&second),
            _ => false,
        };
        let files = [first, second].map(|place| self.files[place.file as usize].clone());
        let cell = self.experiment.cells[number].cell.to_string();
        self.problems.push(Problem::Duplicate { cell, game, files, same });
        Ok(())
    }

    /// A line with everything.
    fn read(&self, place: Place) -> Result<JournalLine, JournalError> {
        let path = &self.files[place.file as usize];
        let io = |error| JournalError::Io { path: path.clone(), error };
        let mut line = vec![0; place.length as usize];
        let mut file = File::open(path).map_err(io)?;
        file.seek(SeekFrom::Start(place.offset)).and_then(|_| file.read_exact(&mut line)).map_err(io)?;
        serde_json::from_slice(&line).map_err(|error| JournalError::Line {
            path: path.clone(),
            line: 0,
            reason: error.to_string(),
        })
    }

    /// How far the cell at a place of the experiment is.
    pub fn tally(&self, number: usize) -> Tally {
        let games = self.experiment.cells[number].games;
        Tally {
            done: self.games[number].range(..games).count() as u64,
            broken: self.broken[number].range(..games).count() as u64,
        }
    }

    /// Whether a game is recorded, with a result or as broken.
    pub fn has(&self, cell: CellId, index: u64) -> bool {
        let of = |number: &usize| self.games[*number].contains_key(&index) || self.broken[*number].contains_key(&index);
        self.numbers.get(&cell).is_some_and(of)
    }
}
