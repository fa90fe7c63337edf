//! The journal: an append-only file of records. However the program ends, at most the line being written is lost.

use crate::record::{JournalLine, LineHead};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refused.
    #[error("cannot use {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        error: io::Error,
    },
    /// A line in the middle is not a record.
    #[error("{}:{line}: not a record: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Another process writes to it.
    #[error("{} is being written to by another process", .0.display())]
    Busy(PathBuf),
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// The end of the last whole line.
    length: u64,
    buffer: Vec<u8>,
}

/// What a journal held when it was opened.
#[derive(Debug, Default)]
pub struct Content {
    /// Its lines.
    pub lines: Vec<JournalLine>,
    /// The bytes at its end that were no whole line.
    pub torn: usize,
}

impl Journal {
    /// Opens a journal, or creates one. A torn last line is cut off; the content says so.
    ///
    /// # Errors
    /// If the file cannot be used, holds something else, or belongs to another process.
    pub fn open(path: &Path) -> Result<(Journal, Content), JournalError> {
        let io = |error| JournalError::Io { path: path.to_owned(), error };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Busy(path.to_owned())),
            // A file system without locks is no reason not to play.
            Err(TryLockError::Error(_)) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let content = parse(path, &bytes)?;
        let length = (bytes.len() - content.torn) as u64;
        if content.torn > 0 {
            file.set_len(length).and_then(|()| file.seek(SeekFrom::End(0)).map(drop)).map_err(io)?;
        }
        Ok((Journal { file, path: path.to_owned(), length, buffer: Vec::new() }, content))
    }

    /// Appends a line, with one write.
    ///
    /// # Errors
    /// If it cannot be written; the journal then ends with the line before.
    pub fn append(&mut self, line: &JournalLine) -> Result<(), JournalError> {
        self.buffer.clear();
        let written = serde_json::to_writer(&mut self.buffer, line).map_err(io::Error::from).and_then(|()| {
            self.buffer.push(b'\n');
            self.file.write_all(&self.buffer)
        });
        match written {
            Ok(()) => {
                self.length += self.buffer.len() as u64;
                Ok(())
            }
            Err(error) => {
                // Half a line would be repaired when the journal is opened again; it is only tidier not to leave it.
                let _ = self.file.set_len(self.length);
                Err(JournalError::Io { path: self.path.clone(), error })
            }
        }
    }
}

/// Reads a journal line by line, without the moves of its games: `heard` gets each line with the byte at which it begins and
/// its length. Gives back how many bytes at the end are no whole line, as [`Content::torn`] does.
///
/// # Errors
/// If the file cannot be read or holds something else.
pub(crate) fn scan(path: &Path, mut heard: impl FnMut(LineHead, (u64, usize))) -> Result<usize, JournalError> {
    let io = |error| JournalError::Io { path: path.to_owned(), error };
    let mut file = BufReader::with_capacity(1 << 18, File::open(path).map_err(io)?);
    let (mut line, mut offset) = (Vec::new(), 0);
    for number in 1.. {
        line.clear();
        let length = file.read_until(b'\n', &mut line).map_err(io)?;
        if line.last() != Some(&b'\n') {
            return Ok(length);
        }
        match serde_json::from_slice(&line) {
            Ok(head) => heard(head, (offset, length)),
            Err(_) if file.fill_buf().map_err(io)?.is_empty() => return Ok(length),
            Err(error) => {
                return Err(JournalError::Line { path: path.to_owned(), line: number, reason: error.to_string() });
            }
        }
        offset += length as u64;
    }
    Ok(0)
}

/// Reads a journal that may still be growing; a torn last line is ignored.
///
/// # Errors
/// If the file cannot be read or holds something else.
pub fn read(path: &Path) -> Result<Content, JournalError> {
    let bytes = std::fs::read(path).map_err(|error| JournalError::Io { path: path.to_owned(), error })?;
    parse(path, &bytes)
}

/// All journals in a folder, in the order of their names; none if there is no such folder.
///
/// # Errors
/// If the folder cannot be read.
pub fn journals_in(folder: &Path) -> Result<Vec<PathBuf>, JournalError> {
    let io = |error| JournalError::Io { path: folder.to_owned(), error };
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(io)?,
    };
    let paths: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(io)?;
    let mut journals: Vec<_> =
        paths.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "jsonl")).collect();
    journals.sort();
    Ok(journals)
}

/// The lines of a file. The last one counts only if it is whole: it ends as a line does and is a record.
fn parse(path: &Path, bytes: &[u8]) -> Result<Content, JournalError> {
    let mut content = Content::default();
    let mut rest = bytes;
    let mut number = 0;
    while !rest.is_empty() {
        number += 1;
        let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
            content.torn = rest.len();
            break;
        };
        let (line, after) = (&rest[..end], &rest[end + 1..]);
        match serde_json::from_slice(line) {
            Ok(line) => content.lines.push(line),
            Err(_) if after.is_empty() => content.torn = rest.len(),
            Err(error) => {
                return Err(JournalError::Line { path: path.to_owned(), line: number, reason: error.to_string() });
            }
        }
        rest = after;
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{record::Session, shard::Shard};

    fn file(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("ludens-journal-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder.join(name)
    }

    fn session(name: &str) -> JournalLine {
        JournalLine::Session(Session::now(name, Shard::default()))
    }

    #[test]
    fn a_journal_cut_anywhere_keeps_its_whole_lines() {
        let path = file("cut.jsonl");
        let _ = std::fs::remove_file(&path);
        let lines = ["a", "b", "ö"].map(session);
        let (mut journal, content) = Journal::open(&path).unwrap();
        assert!(content.lines.is_empty() && content.torn == 0);
        lines.iter().for_each(|line| journal.append(line).unwrap());
        drop(journal);
        let bytes = std::fs::read(&path).unwrap();
        for length in 0..=bytes.len() {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let whole = bytes[..length].iter().filter(|&&byte| byte == b'\n').count();
            let (journal, content) = Journal::open(&path).unwrap();
            assert_eq!(content.lines, lines[..whole], "cut at {length}");
            assert_eq!(content.torn > 0, length > 0 && bytes[length - 1] != b'\n');
            drop(journal);
            std::fs::write(&path, &bytes[..length]).unwrap();
            let mut scanned = Vec::new();
            let torn = scan(&path, |head, place| scanned.push((JournalLine::from(head), place))).unwrap();
            assert_eq!(torn, content.torn);
            assert!(scanned.iter().map(|(line, _)| line).eq(&content.lines));
            assert_eq!(scanned.last().map_or(0, |(_, (offset, size))| *offset as usize + size), length - torn);
            let (mut journal, _) = Journal::open(&path).unwrap();
            journal.append(&lines[2]).unwrap();
            drop(journal);
            assert_eq!(read(&path).unwrap().lines.len(), whole + 1);
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_is_no_record_is_named_with_its_line() {
        let path = file("bad.jsonl");
        let good = serde_json::to_string(&session("a")).unwrap();
        std::fs::write(&path, format!("{good}\n{{\"game\":1}}\n{good}\n")).unwrap();
        let error = Journal::open(&path).unwrap_err().to_string();
        assert!(error.contains("bad.jsonl:2: not a record"), "{error}");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn two_writers_do_not_meet() {
        let path = file("busy.jsonl");
        let held = Journal::open(&path).unwrap();
        assert!(matches!(Journal::open(&path), Err(JournalError::Busy(_))));
        drop(held);
        assert!(Journal::open(&path).is_ok());
        std::fs::remove_file(&path).unwrap();
    }
}
