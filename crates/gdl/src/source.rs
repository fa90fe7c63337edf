//! From bytes to the text of a sheet: not more than the limit, and nothing but UTF-8.
//!
//! Other encodings are refused rather than guessed: replacing what cannot be read would make one name of two.

use crate::limits::Limits;
use crate::sexpr::too_long;
use std::io::{self, Read};

/// Why bytes are no sheet.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// They cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// There are too many of them.
    #[error("{0}")]
    TooLong(String),
    /// They are no text.
    #[error(transparent)]
    NotText(#[from] NotText),
}

/// A byte that does not belong into UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: the byte {byte:#04x} is not UTF-8; save the text as UTF-8")]
pub struct NotText {
    /// The byte.
    pub byte: u8,
    /// Its line, counted from 1.
    pub line: usize,
    /// Its column in characters, counted from 1.
    pub column: usize,
}

/// Reads a sheet. At most one byte more than the limit is asked for, so that sources without an end are refused too.
///
/// # Errors
/// If reading fails, if the source is longer than the limit, or if it is not UTF-8.
pub fn read(source: impl Read, limits: &Limits) -> Result<String, SourceError> {
    let mut bytes = Vec::new();
    source.take(limits.bytes as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > limits.bytes {
        return Err(SourceError::TooLong(too_long(limits)));
    }
    Ok(text(bytes)?)
}

/// The text of some bytes. In comments, which mean nothing, bytes that are no text are replaced.
///
/// # Errors
/// The first byte outside of a comment that is not part of a character.
pub fn text(bytes: Vec<u8>) -> Result<String, NotText> {
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let mut text = String::with_capacity(error.as_bytes().len());
    let mut is_comment = false;
    for chunk in error.as_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        is_comment = match chunk.valid().rsplit_once('\n') {
            Some((_, line)) => line.contains(';'),
            None => is_comment || chunk.valid().contains(';'),
        };
        let Some(&byte) = chunk.invalid().first() else { continue };
        if !is_comment {
            let line_so_far = text.rsplit('\n').next().unwrap_or_default();
            let (line, column) = (1 + text.matches('\n').count(), 1 + line_so_far.chars().count());
            return Err(NotText { byte, line, column });
        }
        text.push(char::REPLACEMENT_CHARACTER);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_that_is_no_text_has_a_place() {
        let latin1 = b"(role xplayer)\n(caf\xc3\xa9 caf\xe9)\n".to_vec();
        assert_eq!(text(latin1), Err(NotText { byte: 0xe9, line: 2, column: 10 }));
        assert_eq!(text(b"(role \xc3".to_vec()), Err(NotText { byte: 0xc3, line: 1, column: 7 }));
        assert_eq!(text(b"; caf\xe9\n(a \xe9)".to_vec()), Err(NotText { byte: 0xe9, line: 2, column: 4 }));
        assert_eq!(text(b"(a) ; caf\xe9\n(b)".to_vec()).as_deref(), Ok("(a) ; caf\u{fffd}\n(b)"));
        assert_eq!(text("(role é)".into()).as_deref(), Ok("(role é)"));
    }

    #[test]
    fn a_source_without_an_end_is_refused_after_the_limit() {
        struct Counted(usize);
        impl Read for Counted {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer.fill(b' ');
                self.0 += buffer.len();
                Ok(buffer.len())
            }
        }
        let limits = Limits { bytes: 1000, ..Limits::DEFAULT };
        let mut endless = Counted(0);
        assert!(matches!(read(&mut endless, &limits), Err(SourceError::TooLong(_))));
        assert_eq!(endless.0, 1001);
        assert!(read(&[b' '; 1000][..], &limits).is_ok());
        assert!(matches!(read(&[b' '; 1001][..], &limits), Err(SourceError::TooLong(_))));
    }
}
