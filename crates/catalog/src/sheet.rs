//! Rulesheets as games, and `.kif` files, which are opened wherever a name of the catalogue is.

use ludens_gdl::render::refusal_line;
use ludens_gdl::source::{self, SourceError};
use ludens_gdl::{DeadEnds, Engine, Interpreter, Limits, Opened};
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

/// Opens the rulesheet in a file. `remark` hears what a user should know about it.
///
/// # Errors
/// If the file cannot be read or its rules have errors.
pub(crate) fn open(path: &str, remark: &mut dyn FnMut(&str)) -> Result<Arc<dyn Playable>, SheetError> {
    open_rules(path, &read(path)?, remark)
}

/// Opens rules that somebody wrote, who need not have given every role a move until the end.
///
/// # Errors
/// If the rules have errors.
pub(crate) fn open_rules(
    name: &str,
    rules: &str,
    remark: &mut dyn FnMut(&str),
) -> Result<Arc<dyn Playable>, SheetError> {
    Ok(playable(compile(name, rules, remark)?))
}

/// The game of rules that somebody wrote and that are open already, safe to search.
pub fn playable(engine: Engine) -> Arc<dyn Playable> {
    match engine {
        Engine::Machine(game) => Arc::new(DeadEnds::new(game)),
        Engine::Interpreter { game, .. } => Arc::new(DeadEnds::new(game)),
    }
}

/// The rules of a sheet under a name, played by the interpreter.
///
/// # Errors
/// If the rules have errors.
pub(crate) fn interpret(name: &str, rules: &str) -> Result<Interpreter, SheetError> {
    ludens_gdl::interpret(name, rules).map_err(|remarks| SheetError::Rules(refusal_line(name, rules, &remarks)))
}

/// The text of a file.
pub(crate) fn read(path: &str) -> Result<String, SheetError> {
    let file = std::fs::File::open(path).map_err(SourceError::from);
    let text = file.and_then(|file| source::read(file, &Limits::DEFAULT));
    text.map_err(|error| SheetError::File { path: path.to_owned(), reason: error.to_string() })
}

/// The best engine for some rules. `remark` hears which one plays them if not the fast one.
pub(crate) fn compile(name: &str, rules: &str, remark: &mut dyn FnMut(&str)) -> Result<Engine, SheetError> {
    let Opened { engine, .. } = ludens_gdl::open(name, rules, Limits::default())
        .map_err(|remarks| SheetError::Rules(refusal_line(name, rules, &remarks)))?;
    if let Engine::Interpreter { reason, .. } = &engine {
        remark(&format!("{name} runs on the slow interpreter: {reason}"));
    }
    Ok(engine)
}
