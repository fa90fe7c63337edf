//! Opened games. Grounding a rulesheet takes its time, and a page asks about its game at every click.

use crate::{
    problem::Problem,
    server::aside,
    sheets::{Checked, Sheets},
};
use ludens_catalog as catalog;
use ludens_search::Playable;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::Semaphore;

/// How many games stay open.
const MAX_GAMES: usize = 32;

/// How many rulesheets are compiled at the same time. Others wait, and games that are open do not.
const MAX_COMPILING: usize = 2;

type Opened = Result<Arc<dyn Playable>, String>;
type Place = Arc<OnceLock<Opened>>;

/// Games by the texts that open them, the one that was used last at the end.
pub(crate) struct Shelf {
    games: Mutex<Vec<(String, Place)>>,
    pub(crate) sheets: Sheets,
    compiling: Semaphore,
}

impl Default for Shelf {
    fn default() -> Shelf {
        Shelf { games: Mutex::default(), sheets: Sheets::default(), compiling: Semaphore::new(MAX_COMPILING) }
    }
}

impl Shelf {
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

    /// The game that a text names: one of the catalogue, or a rulesheet that the page has sent.
    pub(crate) async fn open(self: &Arc<Shelf>, name: &str) -> Result<Arc<dyn Playable>, Problem> {
        let name = name.trim().to_owned();
        let place = self.place(&name);
        if let Some(opened) = place.get() {
            return opened.clone().map_err(Problem::bad);
        }
        let _turn = self.compiling.acquire().await.map_err(Problem::broken)?;
        let shelf = self.clone();
        let open = move || {
            let opened = place.get_or_init(|| shelf.compile(&name)).clone();
            if opened.is_err() {
                // A rulesheet that is not here may be brought later.
                shelf.games().retain(|(known, _)| *known != name);
            }
            opened.map_err(Problem::bad)
        };
        aside(open).await
    }

    fn compile(&self, name: &str) -> Opened {
        match self.sheets.open(name) {
            Some(game) => game,
            None => catalog::open_known(name, &mut |_| {}).map_err(|error| error.to_string()),
        }
    }

    /// Checks a rulesheet with the same care for the machine as opening one.
    pub(crate) async fn check(self: &Arc<Shelf>, file: String, text: String) -> Result<Checked, Problem> {
        let _turn = self.compiling.acquire().await.map_err(Problem::broken)?;
        let shelf = self.clone();
        aside(move || Ok(shelf.sheets.check(&file, &text))).await
    }
}
