//! Opened games. Grounding a rulesheet takes its time, and a page asks about its game at every click.

use crate::{
    problem::Problem,
    server::aside,
    sheets::{Checked, Sheets},
};
use ludens_catalog as catalog;
use ludens_engine::OpenShelf;
use ludens_search::Playable;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// How many rulesheets are compiled at the same time. Others wait, and games that are open do not.
const MAX_COMPILING: usize = 2;

/// Open games and the rulesheets that the page has sent.
pub(crate) struct Shelf {
    games: OpenShelf,
    pub(crate) sheets: Sheets,
    compiling: Semaphore,
}

impl Default for Shelf {
    fn default() -> Shelf {
        Shelf { games: OpenShelf::default(), sheets: Sheets::default(), compiling: Semaphore::new(MAX_COMPILING) }
    }
}

impl Shelf {
    /// The game that a text names: one of the catalogue, or a rulesheet that the page has sent.
    pub(crate) async fn open(self: &Arc<Shelf>, name: &str) -> Result<Arc<dyn Playable>, Problem> {
        let name = name.trim().to_owned();
        if let Some(opened) = self.games.get(&name) {
            return opened.map_err(Problem::bad);
        }
        let _turn = self.compiling.acquire().await.map_err(Problem::broken)?;
        let shelf = self.clone();
        aside(move || shelf.games.open(&name, || shelf.compile(&name)).map_err(Problem::bad)).await
    }

    fn compile(&self, name: &str) -> Result<Arc<dyn Playable>, String> {
        match self.sheets.open(name) {
            Some(game) => game,
            None => catalog::open_known(name, &mut |_| {}).map_err(|error| error.to_string()),
        }
    }

    /// Checks a rulesheet with the same care for the machine as opening one.
    pub(crate) async fn check(
        self: &Arc<Shelf>,
        file: String,
        text: String,
        is_kept: bool,
    ) -> Result<Checked, Problem> {
        let _turn = self.compiling.acquire().await.map_err(Problem::broken)?;
        let shelf = self.clone();
        aside(move || {
            let (checked, game) = shelf.sheets.check(&file, &text, is_kept);
            if let (Some(name), Some(game)) = (&checked.game, game) {
                // It is there already if the same sheet was sent before.
                let _ = shelf.games.open(name, || Ok(game));
            }
            Ok(checked)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_sheet_that_was_checked_is_open() {
        let shelf = Arc::new(Shelf::default());
        let rules = catalog::rules("gdl:nim").expect("a rulesheet").into_owned();
        for (is_kept, is_open) in [(false, false), (true, true)] {
            let checked = shelf.check("nim.kif".into(), rules.clone(), is_kept).await.expect("it is checked");
            let opened = checked.game.and_then(|name| shelf.games.get(&name));
            assert_eq!(opened.is_some_and(|game| game.is_ok()), is_open);
        }
    }
}
