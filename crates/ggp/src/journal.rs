//! [`Journal`]: where a player or a referee says what happens.

use std::fmt;
use std::sync::Arc;

/// Lines longer than this are cut: a message may have megabytes.
const MAX_LINE: usize = 400;

/// Takes lines of text that are safe to show: whatever came over the wire, they have no control characters.
#[derive(Clone)]
pub struct Journal {
    sink: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Journal {
    /// A journal that gives every line to `sink`.
    pub fn new(sink: impl Fn(&str) + Send + Sync + 'static) -> Journal {
        Journal { sink: Arc::new(sink) }
    }

    /// A journal that nobody reads.
    pub fn silent() -> Journal {
        Journal::new(|_| {})
    }

    /// Notes one line.
    pub fn note(&self, text: fmt::Arguments<'_>) {
        (self.sink)(&plain(&text.to_string()));
    }
}

/// The text on one line of visible characters, cut if it is long.
fn plain(text: &str) -> String {
    let visible = |c: char| if c.is_ascii_graphic() || c == ' ' || c.is_alphanumeric() { c } else { '?' };
    let mut line: String = text.chars().take(MAX_LINE).map(visible).collect();
    if text.chars().nth(MAX_LINE).is_some() {
        line.push_str(" ...");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn lines_have_no_control_characters() {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&lines);
        let journal = Journal::new(move |line| kept.lock().unwrap().push(line.to_owned()));
        journal.note(format_args!("got {}", "a\u{1b}[2Jb\r\nc\u{202e}d\u{9b}é"));
        journal.note(format_args!("{}", "x".repeat(1_000_000)));
        let lines = lines.lock().unwrap();
        assert_eq!(lines[0], "got a?[2Jb??c?d?é");
        assert_eq!(lines[1].len(), MAX_LINE + 4);
    }
}
