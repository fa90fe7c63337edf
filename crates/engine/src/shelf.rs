//! Open games: grounding a rulesheet takes its time, and many questions are about the same game.

use ludens_search::Playable;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// How many games stay open.
const MAX_GAMES: usize = 32;

/// A game, or why it cannot be opened.
type Opened = Result<Arc<dyn Playable>, String>;
type Place = Arc<OnceLock<Opened>>;

/// Games by the texts that open them, the one that was used last at the end.
#[derive(Default)]
pub struct OpenShelf {
    games: Mutex<Vec<(String, Place)>>,
}

impl OpenShelf {
    fn games(&self) -> MutexGuard<'_, Vec<(String, Place)>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self, name: &str) -> Place {
        let mut games = self.games();
        let found = games.iter().position(|(known, _)| known == name);
        let entry = found.map_or_else(|| (name.to_owned(), Place::default()), |place| games.remove(place));
        let place = entry.1.clone();
        games.push(entry);
        if games.len() > MAX_GAMES {
            games.remove(0);
        }
        place
    }

    /// The game of a text, if it is open.
    pub fn get(&self, name: &str) -> Option<Opened> {
        self.place(name).get().cloned()
    }

    /// The game of a text. If several want it at once, one opens it and the others wait.
    ///
    /// # Errors
    /// What `open` says; the next who asks tries again.
    pub fn open(&self, name: &str, open: impl FnOnce() -> Opened) -> Opened {
        let opened = self.place(name).get_or_init(open).clone();
        if opened.is_err() {
            self.games().retain(|(known, _)| known != name);
        }
        opened
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_opened_once_and_an_error_is_not_kept() {
        let shelf = OpenShelf::default();
        let open = || ludens_catalog::open("breakthrough:5").map_err(|error| error.to_string());
        assert!(shelf.open("b", || Err("not yet".into())).is_err() && shelf.get("b").is_none());
        assert!(shelf.open("b", open).is_ok());
        assert!(shelf.open("b", || panic!("it is open")).is_ok());
        for other in 0..MAX_GAMES {
            shelf.open(&other.to_string(), open).unwrap();
        }
        assert!(shelf.get("b").is_none(), "the oldest goes");
    }
}
