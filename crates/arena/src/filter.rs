//! [`Filter`]: some of many cells.

use crate::cell::Cell;
use ludens_search::Budget;

/// Which cells are wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Only these games, with or without their sizes and the prefix of rulesheets; all if there are none.
    pub games: Vec<String>,
    /// Only these budgets; all if there are none.
    pub budgets: Vec<Budget>,
}

impl Filter {
    /// Whether a cell is among the wanted ones.
    pub fn has(&self, cell: &Cell) -> bool {
        let named = |name: &String| *name == cell.game || name == short_name(&cell.game);
        (self.games.is_empty() || self.games.iter().any(named))
            && (self.budgets.is_empty() || self.budgets.contains(&cell.budget))
    }
}

/// A game without the prefix of rulesheets and without its size.
pub(crate) fn short_name(game: &str) -> &str {
    let name = game.strip_prefix("gdl:").unwrap_or(game);
    name.split(':').next().unwrap_or(name)
}
