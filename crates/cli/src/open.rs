//! Opens what a user names as a game.

use crate::arguments::EngineChoice;
use ludens_arena::OpenGames;
use ludens_catalog::{self as catalog, OpenError};
use ludens_search::Playable;
use std::io::Write as _;
use std::sync::Arc;

/// A game of the catalogue or the rulesheet in a `.kif` file. What the user should know about it goes to standard error.
pub(crate) fn open_game(text: &str) -> Result<Arc<dyn Playable>, OpenError> {
    catalog::open_with_remarks(text, &mut |remark| note(remark))
}

/// The same for a given engine.
pub(crate) fn open_game_for(engine: EngineChoice, text: &str) -> Result<Arc<dyn Playable>, OpenError> {
    if engine == EngineChoice::Interp { catalog::interpret(text) } else { open_game(text) }
}

/// Games for an experiment, opened as [`open_game`] opens one.
pub(crate) fn open_games() -> OpenGames {
    OpenGames::with_remarks(note)
}

/// The same for a given engine.
pub(crate) fn open_games_for(engine: EngineChoice) -> OpenGames {
    if engine == EngineChoice::Interp { OpenGames::interpreted() } else { open_games() }
}

/// Something that the user should know.
pub(crate) fn note(remark: &str) {
    // A remark that cannot be shown is no reason not to play.
    let _ = writeln!(std::io::stderr(), "note: {remark}");
}
