//! Where the records of a run are: in memory, and in a journal if they are to be kept.

use crate::{
    broken::BrokenRecord,
    cell::CellId,
    experiment::Experiment,
    journal::{self, Journal, JournalError},
    record::{CellRecord, GameRecord, JournalLine, Session},
    results::Results,
    shard::Shard,
};
use std::collections::BTreeSet;
use std::path::Path;

/// Records that grow.
#[derive(Debug, Default)]
pub struct Store {
    /// All records so far.
    pub results: Results,
    journal: Option<Journal>,
    /// The cells that the journal describes.
    described: BTreeSet<CellId>,
}

impl Store {
    /// The records in a folder, with the journal of a shard open for more. The second value says what had to be repaired.
    ///
    /// # Errors
    /// If the folder's journals cannot be used.
    pub fn open(folder: &Path, shard: Shard) -> Result<(Store, Option<String>), JournalError> {
        let (mut store, repaired) = Store::open_journal(folder, &shard.file_name())?;
        let own = folder.join(shard.file_name());
        for other in journal::journals_in(folder)?.into_iter().filter(|other| *other != own) {
            journal::scan(&other, |head, _| store.results.add(head.into()))?;
        }
        Ok((store, repaired))
    }

    /// The records of one journal in a folder, open for more. Those of others are not read: a task of a plan does not need them.
    ///
    /// # Errors
    /// If the journal cannot be used.
    pub fn open_journal(folder: &Path, name: &str) -> Result<(Store, Option<String>), JournalError> {
        let path = folder.join(name);
        let (journal, content) = Journal::open(&path)?;
        let repaired = (content.torn > 0).then(|| {
            let bytes = content.torn;
            format!(
                "repaired {}: removed an incomplete last line ({bytes} bytes); that game will be played again",
                path.display()
            )
        });
        let mut store = Store { journal: Some(journal), ..Store::default() };
        for line in content.lines {
            if let JournalLine::Cell(cell) = &line {
                store.described.insert(cell.id);
            }
            store.results.add(line);
        }
        Ok((store, repaired))
    }

    /// The records in a folder, to look at.
    ///
    /// # Errors
    /// If the folder's journals cannot be read.
    pub fn read(folder: &Path) -> Result<Results, JournalError> {
        let mut results = Results::default();
        for path in journal::journals_in(folder)? {
            journal::scan(&path, |head, _| results.add(head.into()))?;
        }
        Ok(results)
    }

    /// Starts a session of an experiment.
    pub(crate) fn begin(&mut self, experiment: &Experiment, shard: Shard) -> Result<(), JournalError> {
        self.write(JournalLine::Session(Session::now(&experiment.name, shard)))?;
        for planned in &experiment.cells {
            let id = planned.cell.id(experiment.seed);
            let line = JournalLine::Cell(CellRecord { id, seed: experiment.seed, cell: (*planned.cell).clone() });
            if self.described.insert(id) {
                self.write(line)?;
            }
        }
        Ok(())
    }

    /// Adds a finished game.
    pub(crate) fn game(&mut self, game: GameRecord) -> Result<(), JournalError> {
        self.write(JournalLine::Game(game))
    }

    /// Adds a failed game.
    pub(crate) fn broken(&mut self, broken: BrokenRecord) -> Result<(), JournalError> {
        self.write(JournalLine::Broken(broken))
    }

    fn write(&mut self, line: JournalLine) -> Result<(), JournalError> {
        if let Some(journal) = &mut self.journal {
            journal.append(&line)?;
        }
        self.results.add(line);
        Ok(())
    }
}
