//! What happens in a game at the keyboard, as plain data: the dialogue shows it, `--json` prints it.

use crate::{Failure, console::write_json};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// Something that the player gets to see. Roles and moves are given by name.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Event {
    /// The game begins.
    Start { game: String, roles: Vec<String>, people: Vec<String> },
    /// The position after `step` steps; `legal` has the moves of every role that must decide.
    Position { step: usize, board: Vec<String>, legal: BTreeMap<String, Vec<String>> },
    /// A step was played; `moves` has the moves of the roles that decided.
    Move { step: usize, moves: BTreeMap<String, String> },
    /// An input was no legal move.
    Rejected { role: String, why: String, legal: Vec<String> },
    /// A person asked for the legal moves.
    Moves { role: String, legal: Vec<String> },
    /// A person asked what can be typed.
    Help,
    /// Steps were taken back, so that `step` of them remain.
    Undone { step: usize },
    /// There was no step that could be taken back.
    NothingToUndo,
    /// The session is over. Without scores, it was left before the end.
    Over { how: How, scores: Option<BTreeMap<String, f64>> },
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum How {
    /// By the rules.
    Finished,
    /// Somebody resigned.
    Resigned,
    /// Somebody typed `quit`.
    Quit,
    /// Nobody was there any more.
    EndOfInput,
}

/// Where events go.
pub(crate) trait Screen {
    /// Shows what happened.
    fn show(&mut self, event: &Event) -> Result<(), Failure>;
    /// Asks the person who plays `role` for an input.
    fn prompt(&mut self, role: &str) -> Result<(), Failure>;
    /// Hears what was typed; `None` is the end of the input.
    fn typed(&mut self, line: Option<&str>) -> Result<(), Failure>;
}

/// One line of JSON per event; a program needs no prompt.
pub(crate) struct JsonLines<'o> {
    pub(crate) out: &'o mut dyn Write,
}

impl Screen for JsonLines<'_> {
    fn show(&mut self, event: &Event) -> Result<(), Failure> {
        write_json(self.out, event)
    }

    fn prompt(&mut self, _role: &str) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    fn typed(&mut self, _line: Option<&str>) -> Result<(), Failure> {
        Ok(())
    }
}
