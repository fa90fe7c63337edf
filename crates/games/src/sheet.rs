//! Rulesheets as games: a `.kif` file is opened wherever a name of the catalogue is.

use ludens_gdl::render::refusal_line;
use ludens_gdl::{Engine, Limits, Opened};
use ludens_search::Playable;
use std::path::Path;
use std::sync::Arc;

/// Why a file is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    /// The file cannot be read.
    #[error("cannot read {path}: {reason}")]
    File {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// The rules have errors: the place of the first one, and how to see them all.
    #[error("{0}")]
    Rules(String),
}

/// Whether a text means a file rather than a game of the catalogue.
pub(crate) fn is_path(text: &str) -> bool {
    Path::new(text).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("kif") || ending == "gdl")
}

/// Opens a rulesheet. `remark` hears what a user should know about it: which engine plays it if not the fast one.
///
/// # Errors
/// If the file cannot be read or its rules have errors.
pub(crate) fn open(path: &str, remark: &mut dyn FnMut(&str)) -> Result<Arc<dyn Playable>, SheetError> {
    let bytes =
        std::fs::read(path).map_err(|error| SheetError::File { path: path.to_owned(), reason: error.to_string() })?;
    let text = String::from_utf8_lossy(&bytes);
    let Opened { engine, .. } = ludens_gdl::open(path, &text, Limits::default())
        .map_err(|remarks| SheetError::Rules(refusal_line(path, &text, &remarks)))?;
    Ok(match engine {
        Engine::Machine(machine) => machine,
        Engine::Interpreter { game, reason } => {
            remark(&format!("{path} is played by the slow interpreter: {reason}"));
            game
        }
    })
}
