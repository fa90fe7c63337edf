//! The games of an experiment, each opened once, because grounding a rulesheet takes time.

use ludens_catalog::{self as catalog, OpenError};
use ludens_search::Playable;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A game that was opened, or why it cannot be.
type Opened = Result<Arc<dyn Playable>, OpenError>;

/// Games by the texts that open them.
pub struct OpenGames {
    games: Mutex<HashMap<String, Arc<OnceLock<Opened>>>>,
    open: Box<dyn Fn(&str) -> Opened + Send + Sync>,
}

impl Default for OpenGames {
    fn default() -> OpenGames {
        OpenGames::with_remarks(|_| {})
    }
}

impl OpenGames {
    /// No games yet. `remark` receives notes for the user about games opened later.
    pub fn with_remarks(remark: impl Fn(&str) + Send + Sync + 'static) -> OpenGames {
        OpenGames::with(move |text| catalog::open_with_remarks(text, &mut |words| remark(words)))
    }

    /// No games yet. Those to come are rulesheets, played by the interpreter.
    pub fn interpreted() -> OpenGames {
        OpenGames::with(catalog::interpret)
    }

    /// No games yet. Those to come are opened by a function.
    pub fn with(open: impl Fn(&str) -> Opened + Send + Sync + 'static) -> OpenGames {
        OpenGames { games: Mutex::default(), open: Box::new(open) }
    }

    /// The same games, and one that is open already.
    #[must_use]
    pub fn and(self, text: &str, game: Arc<dyn Playable>) -> OpenGames {
        let entry = Arc::new(OnceLock::from(Ok(game)));
        self.games.lock().unwrap_or_else(PoisonError::into_inner).insert(text.trim().to_owned(), entry);
        self
    }

    /// The game that a text names. Threads that ask for the same one wait for each other, others do not.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn open(&self, text: &str) -> Opened {
        let entry = {
            let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
            games.entry(text.trim().to_owned()).or_default().clone()
        };
        entry.get_or_init(|| (self.open)(text)).clone()
    }
}
