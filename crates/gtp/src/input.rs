//! Lines, read on a thread of their own, so that a search hears when the next command has come.

use std::{
    io::{BufRead, BufReader, Read},
    sync::mpsc::{Receiver, TryRecvError, sync_channel},
};

/// The bytes of a line that are kept. What follows them is dropped, so that no line can take all memory.
const MAX_LINE: usize = 64 << 10;

/// Lines that wait. Whoever sends more has to wait, too.
const MAX_WAITING: usize = 256;

/// The lines of a controller.
pub struct Input {
    lines: Receiver<String>,
    /// A line that was looked at, but not taken.
    pending: Option<String>,
}

impl Input {
    /// Reads lines until the input ends or fails.
    pub fn new(source: impl Read + Send + 'static) -> Input {
        let (sender, lines) = sync_channel(MAX_WAITING);
        std::thread::spawn(move || {
            let mut source = BufReader::new(source);
            while let Some(line) = read_line(&mut source) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Input { lines, pending: None }
    }

    /// The next line; waits for it. `None` at the end.
    pub(crate) fn next(&mut self) -> Option<String> {
        self.pending.take().or_else(|| self.lines.recv().ok())
    }

    /// Whether the controller wants something else: another line is there, or none will come.
    pub(crate) fn has_next(&mut self) -> bool {
        if self.pending.is_none() {
            match self.lines.try_recv() {
                Ok(line) => self.pending = Some(line),
                Err(TryRecvError::Empty) => return false,
                Err(TryRecvError::Disconnected) => {}
            }
        }
        true
    }

    /// Waits until there is another line or the input ends.
    pub(crate) fn wait(&mut self) {
        self.pending = self.next();
    }
}

/// A line without its end; bytes that are no text are replaced.
fn read_line(source: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let read = source.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut bytes).ok()?;
    if read == 0 {
        return None;
    }
    if bytes.last() != Some(&b'\n') && read == MAX_LINE {
        skip_line(source)?;
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Drops everything up to the end of the line.
fn skip_line(source: &mut impl BufRead) -> Option<()> {
    loop {
        let buffer = source.fill_buf().ok()?;
        if buffer.is_empty() {
            return Some(());
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        source.consume(used);
        if end.is_some() {
            return Some(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_kind_are_read() {
        let long = "x".repeat(3 * MAX_LINE);
        let text = [b"name\n\xff\xfe\n".to_vec(), long.into_bytes(), b"\nlast".to_vec()].concat();
        let mut input = Input::new(std::io::Cursor::new(text));
        assert_eq!(input.next().as_deref(), Some("name\n"));
        input.wait();
        assert!(input.has_next() && input.has_next(), "looking takes nothing");
        assert_eq!(input.next().as_deref(), Some("\u{fffd}\u{fffd}\n"));
        assert_eq!(input.next().map(|line| line.len()), Some(MAX_LINE));
        assert_eq!(input.next().as_deref(), Some("last"));
        assert_eq!(input.next(), None);
        assert!(input.has_next(), "nothing more will come");
    }
}
