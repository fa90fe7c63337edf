//! A sample of all papers that two cores play in about two minutes. The games are those of the full tables, with the same
//! seeds, so a table that is continued later includes them.

use super::{PAPERS, Paper, Table};
use crate::experiment::{Experiment, Planned};

/// A cell of the sample.
pub(super) struct Pick {
    table: &'static str,
    game: &'static str,
    budget: &'static str,
    players: [&'static str; 2],
    games: u64,
}

/// So many games of a cell in a table: game, budget, players. Choose fast games.
pub(super) const fn pick(
    table: &'static str,
    cell: (&'static str, &'static str),
    players: [&'static str; 2],
    games: u64,
) -> Pick {
    Pick { table, game: cell.0, budget: cell.1, players, games }
}

/// The part of the sample that belongs to a paper; `games` plays another number of each cell.
pub fn quick_experiment(paper: &'static Paper, games: Option<u64>) -> Experiment {
    let cells = paper.quick.iter().map(|pick| Planned {
        cell: paper.cell(pick.game, pick.budget.parse().expect("the tests read all budgets"), pick.players),
        games: games.unwrap_or(pick.games).next_multiple_of(super::seatings(pick.game)),
        first: 0,
    });
    paper.experiment(cells.collect())
}

/// The tables that the sample touches.
pub fn quick_tables() -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for paper in PAPERS {
        for table in paper.all_tables() {
            if paper.quick.iter().any(|pick| pick.table == table.info.id) {
                tables.push(table);
            }
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_sample_is_part_of_the_tables_and_touches_all_papers() {
        for paper in PAPERS {
            let sample = quick_experiment(paper, None);
            assert!(!sample.cells.is_empty(), "{}", paper.name);
            for (planned, pick) in sample.cells.iter().zip(paper.quick) {
                let table = paper.table(pick.table).expect(pick.table);
                let found = table.entries.iter().any(|entry| entry.cells.len() == 1 && entry.cells[0] == planned.cell);
                assert!(found, "{} has no {}", table.id(), planned.cell);
                assert!(planned.games <= 80);
            }
        }
        let touched: BTreeSet<String> = quick_tables().iter().map(Table::id).collect();
        let picked =
            PAPERS.iter().flat_map(|paper| paper.quick.iter().map(|pick| format!("{}/{}", paper.name, pick.table)));
        assert_eq!(touched, picked.collect());
    }
}
