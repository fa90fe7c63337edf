//! Which games of many are played: arguments that commands share.

use crate::{Failure, arguments::budget};
use ludens_arena::{Cell, Filter};
use ludens_search::Budget;
use std::path::PathBuf;

/// Some of the cells.
#[derive(clap::Args)]
pub(crate) struct FilterArgs {
    /// Only this game, such as connect4 or breakthrough:8; repeatable
    #[arg(long, value_name = "GAME")]
    pub(crate) only: Vec<String>,
    /// Only cells with this budget, such as sims=1000; repeatable
    #[arg(long, value_parser = budget)]
    pub(crate) budget: Vec<Budget>,
}

impl FilterArgs {
    /// What they say.
    pub(crate) fn filter(&self) -> Filter {
        Filter { games: self.only.clone(), budgets: self.budget.clone() }
    }
}

/// Why nothing is left of some cells: what there is to choose from.
pub(crate) fn nothing_left<'c>(cells: impl Iterator<Item = &'c Cell>) -> Failure {
    let (mut games, mut budgets): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    for cell in cells {
        if !games.contains(&cell.game.as_str()) {
            games.push(&cell.game);
        }
        let budget = cell.budget.to_string();
        if !budgets.contains(&budget) {
            budgets.push(budget);
        }
    }
    let (games, budgets) = (games.join(", "), budgets.join(", "));
    Failure::Usage(format!("no cell matches --only and --budget; games: {games}; budgets: {budgets}"))
}

/// What is known already.
#[derive(clap::Args)]
pub(crate) struct KnownArgs {
    /// Go on where an earlier report ends: the games that this CSV counts are part of the report and not played again; repeatable
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
}

impl KnownArgs {
    /// What all files say together.
    pub(crate) fn read<T: Default>(
        &self,
        read: impl Fn(&str) -> Result<T, String>,
        or: impl Fn(T, T) -> T,
    ) -> Result<T, Failure> {
        self.with.iter().try_fold(T::default(), |known, path| {
            let problem = |reason: String| Failure::Usage(format!("{}: {reason}", path.display()));
            let text = std::fs::read_to_string(path).map_err(|error| problem(error.to_string()))?;
            Ok(or(known, read(&text).map_err(problem)?))
        })
    }
}
