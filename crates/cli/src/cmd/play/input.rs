//! Lines of whatever is at the other end of standard input.

use std::io::{self, BufRead};

/// More of a line is not kept: no move is that long, and a line without an end must not fill the memory.
const LONGEST: usize = 1000;

/// Reads lines from a source that may contain anything.
pub(crate) struct Lines<R> {
    source: R,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(source: R) -> Lines<R> {
        Lines { source }
    }

    /// The next line without the blanks around it, what is not UTF-8 replaced; `None` at the end of the input.
    pub(crate) fn next(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let mut any = false;
        loop {
            let chunk = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            if chunk.is_empty() && !any {
                return Ok(None);
            }
            any = true;
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            line.extend_from_slice(&part[..part.len().min(LONGEST - line.len())]);
            let used = end.map_or(chunk.len(), |end| end + 1);
            let last = end.is_some() || chunk.is_empty();
            self.source.consume(used);
            if last {
                return Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    /// The lines of `bytes`, read through a buffer of three bytes.
    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Lines::new(BufReader::with_capacity(3, bytes));
        std::iter::from_fn(|| lines.next().expect("reading from memory works")).collect()
    }

    #[test]
    fn lines_lose_their_ends_and_blanks() {
        assert_eq!(lines(b"  a1 \r\n\nb2\n"), ["a1", "", "b2"]);
        assert_eq!(lines(b"last line without an end"), ["last line without an end"]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn anything_can_be_typed() {
        assert_eq!(lines(b"\xff\xfea\n"), ["\u{fffd}\u{fffd}a"]);
        let long = [vec![b'x'; 5000], b"\nnext\n".to_vec()].concat();
        assert_eq!(lines(&long), ["x".repeat(LONGEST), "next".to_owned()]);
    }
}
