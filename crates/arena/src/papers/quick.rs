//! A sample of all papers that two cores play in about two minutes. The games are those of the full tables, with the same
//! seeds, so a table that is continued later includes them.

use super::{PAPERS, Paper};
use crate::experiment::{Experiment, Planned};

/// A cell of the sample.
struct Pick {
    paper: &'static str,
    table: &'static str,
    game: &'static str,
    simulations: u64,
    players: [&'static str; 2],
    games: u64,
}

const fn pick(
    table: (&'static str, &'static str),
    cell: (&'static str, u64),
    players: [&'static str; 2],
    games: u64,
) -> Pick {
    Pick { paper: table.0, table: table.1, game: cell.0, simulations: cell.1, players, games }
}

const PPA: [&str; 2] = ["ppa(alpha=1)", "uct"];

/// Fast games carry the sample; every paper has a part.
const PICKS: &[Pick] = &[
    pick(("tak2012", "XI"), ("gdl:connect5", 830), ["nst(eps=0.2)", "uct"], 40),
    pick(("tak2012", "XI"), ("gdl:ttcc4-3p", 830), ["nst(eps=0.2)", "uct"], 36),
    pick(("tak2012", "XI"), ("gdl:sheepandwolf", 830), ["nst(eps=0.2)", "uct"], 30),
    pick(("ppa2015", "1"), ("misere-breakthrough:5", 1000), PPA, 80),
    pick(("ppa2015", "1"), ("misere-knightthrough:5", 1000), PPA, 80),
    pick(("ppa2015", "1"), ("breakthrough:5", 1000), PPA, 80),
    pick(("ppa2015", "1"), ("knightthrough:5", 1000), PPA, 80),
    pick(("ppa2015", "1"), ("domineering:5", 1000), PPA, 80),
    pick(("ppa2015", "1"), ("nogo:5", 1000), PPA, 80),
    pick(("ppr2016", "1"), ("havannah:6", 1000), ["ppr", "rave"], 40),
    pick(("ppr2016", "1"), ("havannah:6", 1000), ["ppr", "rave+nast2"], 40),
    pick(("ppafm2017", "1"), ("knightthrough:8", 10_000), ["ppafm(alpha=0.32)", "ppaf(alpha=0.32)"], 16),
    pick(("ppafm2017", "2"), ("knightthrough:8", 10_000), ["ppafm(alpha=0.32)", "uct"], 16),
    pick(("sironi2021", "1"), ("gdl:connect4", 1000), ["ppa(alpha=1)", "random"], 30),
    pick(("sironi2021", "1"), ("gdl:knightthrough", 1000), ["mast", "random"], 30),
    pick(("sironi2021", "3"), ("gdl:knightthrough", 1000), ["nst", "random"], 30),
];

/// The part of the sample that belongs to a paper; `games` plays another number of each cell.
pub fn quick_experiment(paper: &'static Paper, games: Option<u64>) -> Experiment {
    let picks = PICKS.iter().filter(|pick| pick.paper == paper.name);
    let cells = picks.map(|pick| Planned {
        cell: paper.cell(pick.game, pick.simulations, pick.players),
        games: games.unwrap_or(pick.games).next_multiple_of(super::seatings(pick.game)),
    });
    paper.experiment(cells.collect())
}

/// The tables that the sample touches.
pub fn quick_tables() -> Vec<super::Table> {
    let mut tables: Vec<super::Table> = Vec::new();
    for paper in PAPERS {
        for table in paper.all_tables() {
            if PICKS.iter().any(|pick| pick.paper == paper.name && pick.table == table.info.id) {
                tables.push(table);
            }
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_part_of_the_tables_and_touches_all_papers() {
        for paper in PAPERS {
            let sample = quick_experiment(paper, None);
            assert!(!sample.cells.is_empty(), "{}", paper.name);
            for (planned, pick) in sample.cells.iter().zip(PICKS.iter().filter(|pick| pick.paper == paper.name)) {
                let table = paper.table(pick.table).expect(pick.table);
                let found = table.entries.iter().any(|entry| entry.cells.len() == 1 && entry.cells[0] == planned.cell);
                assert!(found, "{} has no {}", table.id(), planned.cell);
                assert!(planned.games <= 80);
            }
        }
        assert_eq!(quick_tables().len(), 5 + 2, "two tables of ppafm2017 and of sironi2021");
    }
}
