//! The papers: every table and figure as cells to be played, with the published figures beside them.
//!
//! A paper is one file with its agents, games and budgets in our terms, and one CSV with its figures as printed. `compare.rs`
//! puts ours beside them, `document.rs` writes that down, `quick.rs` picks a sample that takes two minutes.

mod compare;
mod document;
mod figures;
mod ppa2015;
mod ppafm2017;
mod ppr2016;
mod quick;
mod sironi2021;
mod tak2012;
mod timing;

pub use compare::{Comparison, Rate, Tally, Verdict, compare, verdict};
pub use document::{comparison_grid, overview_grid, reproduction_document};
pub use quick::{quick_experiment, quick_tables};
pub use timing::{Timing, timing_grid, timings};

use crate::{
    cell::{Cell, Contestant},
    experiment::{Experiment, Planned},
    results::Counting,
    seats::Seats,
};
use ludens_search::{Budget, PRESETS};
use std::sync::Arc;

/// A paper.
pub struct Paper {
    /// The name, as in its presets.
    pub name: &'static str,
    /// How it counts wins.
    pub counting: Counting,
    /// Its tables and figures.
    pub tables: &'static [TableInfo],
    /// The figures of all its tables, as printed.
    csv: &'static str,
    /// The spec of an agent, by its name in the CSV.
    agent: fn(&str) -> Option<String>,
    /// The game of the catalogue, by its name and size in the CSV.
    game: fn(&str, &str) -> String,
    /// The budget in simulations, by its text in the CSV.
    simulations: fn(&str) -> Option<u64>,
}

/// A table or figure of a paper.
pub struct TableInfo {
    /// The number that the paper gives it.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Where its entries come from.
    content: Content,
}

/// Where the entries of a table come from.
enum Content {
    /// The rows of the CSV with this table's number.
    Published,
    /// A curve whose figures are not printed: what to measure.
    Curve(fn(&Paper) -> Vec<Entry>),
    /// Those entries of other tables that something is swapped in.
    Variant(&'static [&'static str], Swap),
}

/// What is put in the place of something in a table, to see what its figures depend on.
enum Swap {
    /// One agent by another.
    Agent(&'static str, &'static str),
    /// The rules of some games: the options that are added to their names.
    Rules(&'static [(&'static str, &'static str)]),
    /// The number of simulations, by game and budget in the CSV.
    Simulations(fn(&str, &str) -> Option<u64>),
}

/// All papers, in the order of their years.
pub static PAPERS: [&Paper; 5] =
    [&tak2012::PAPER, &ppa2015::PAPER, &ppr2016::PAPER, &ppafm2017::PAPER, &sironi2021::PAPER];

/// One figure of a table: what is measured for it, and what was published.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The game, or "all games".
    pub game: String,
    /// Whose rate it is, in the paper's terms.
    pub player: String,
    /// Against whom.
    pub opponent: String,
    /// The cell, or all cells whose games are pooled.
    pub cells: Vec<Arc<Cell>>,
    /// The number of games of each cell.
    pub games: u64,
    /// The published figure.
    pub published: Option<Rate>,
    /// The place on a curve.
    pub point: Option<Point>,
}

/// A place on a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The name of the curve.
    pub curve: String,
    /// What is on the axis, with its unit.
    pub axis: &'static str,
    /// Whether the axis is logarithmic.
    pub is_log: bool,
    /// Where on it.
    pub x: f64,
}

/// A table or figure with its entries.
pub struct Table {
    /// Its paper.
    pub paper: &'static Paper,
    /// Its number and title.
    pub info: &'static TableInfo,
    /// Its entries.
    pub entries: Vec<Entry>,
}

/// Which cells of tables are played, and how often.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Games per cell instead of the paper's number.
    pub games: Option<u64>,
    /// Only these games, with or without their sizes and the prefix of rulesheets.
    pub only: Vec<String>,
    /// Only these budgets.
    pub budgets: Vec<Budget>,
}

/// The seed of all reproductions.
pub const SEED: u64 = 1;

impl Paper {
    /// An experiment of some of its cells.
    fn experiment(&self, cells: Vec<Planned>) -> Experiment {
        Experiment {
            name: self.name.into(),
            about: String::new(),
            seed: SEED,
            counting: self.counting,
            stop: None,
            cells,
        }
    }

    /// A table by its number.
    pub fn table(&'static self, id: &str) -> Option<Table> {
        self.tables.iter().find(|info| info.id.eq_ignore_ascii_case(id)).map(|info| self.fill(info))
    }

    /// All tables.
    pub fn all_tables(&'static self) -> Vec<Table> {
        self.tables.iter().map(|info| self.fill(info)).collect()
    }

    fn fill(&'static self, info: &'static TableInfo) -> Table {
        let entries = match info.content {
            Content::Published => figures::entries(self, info.id, None),
            Content::Curve(entries) => entries(self),
            Content::Variant(tables, ref swap) => {
                tables.iter().flat_map(|table| figures::entries(self, table, Some(swap))).collect()
            }
        };
        Table { paper: self, info, entries }
    }

    /// The cell of two agents.
    fn cell(&self, game: &str, simulations: u64, agents: [&str; 2]) -> Arc<Cell> {
        let player = |agent: &str| {
            let spec = (self.agent)(agent).unwrap_or_else(|| panic!("{} has no agent {agent:?}", self.name));
            let spec = spec.parse().unwrap_or_else(|error| panic!("{}: {agent}: {error}", self.name));
            Contestant { name: agent.to_owned(), spec }
        };
        let budget = Budget::simulations(simulations);
        Arc::new(Cell { game: game.to_owned(), budget, players: agents.map(player).into(), seats: Seats::All })
    }
}

impl TableInfo {
    /// "Table 1", "Figure 5".
    pub fn name(&self) -> String {
        match self.id.strip_prefix("figure") {
            Some(number) => format!("Figure {number}"),
            None => format!("Table {}", self.id),
        }
    }

    /// Whether its figures are those that the paper printed for these agents.
    pub fn is_published(&self) -> bool {
        matches!(self.content, Content::Published)
    }
}

impl Table {
    /// `PAPER/TABLE`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.paper.name, self.info.id)
    }
}

/// What is to be played for some tables of a paper. Cells that several tables share are played once.
pub fn experiment(paper: &'static Paper, tables: &[&Table], selection: &Selection) -> Experiment {
    let mut cells: Vec<Planned> = Vec::new();
    for entry in tables.iter().flat_map(|table| &table.entries) {
        for cell in entry.cells.iter().filter(|cell| selection.has(cell)) {
            let games = selection.games.unwrap_or(entry.games).next_multiple_of(seatings(&cell.game));
            match cells.iter_mut().find(|planned| planned.cell.id(SEED) == cell.id(SEED)) {
                Some(planned) => planned.games = planned.games.max(games),
                None => cells.push(Planned { cell: cell.clone(), games }),
            }
        }
    }
    paper.experiment(cells)
}

/// Games of three roles have six seatings of two players.
fn seatings(game: &str) -> u64 {
    if THREE_ROLES.contains(&short_name(game)) { 6 } else { 2 }
}

/// The papers' games for three.
const THREE_ROLES: [&str; 2] = ["chinesecheckers3", "ttcc4-3p"];

/// A game without the prefix of rulesheets and without its size.
fn short_name(game: &str) -> &str {
    let name = game.strip_prefix("gdl:").unwrap_or(game);
    name.split(':').next().unwrap_or(name)
}

impl Selection {
    /// Whether a cell is among those to be played.
    pub fn has(&self, cell: &Cell) -> bool {
        let named = |name: &String| *name == cell.game || name == short_name(&cell.game);
        (self.only.is_empty() || self.only.iter().any(named))
            && (self.budgets.is_empty() || self.budgets.contains(&cell.budget))
    }
}

/// The spec of a preset of a paper.
fn preset(paper: &str, name: &str) -> Option<String> {
    let wanted = format!("{paper}/{name}");
    PRESETS.iter().find(|preset| preset.name == wanted).map(|_| wanted)
}

/// The spec of a preset without policies, with these added.
fn with_policies(paper: &str, base: &str, policies: &str) -> Option<String> {
    let name = preset(paper, base)?;
    let spec = PRESETS.iter().find(|preset| preset.name == name)?.spec;
    let (select, settings) = spec.split_once('@').unwrap_or((spec, ""));
    Some(format!("{select}+{policies}@{settings}"))
}

/// A native game with its size.
fn native(name: &str, size: &str) -> String {
    format!("{name}:{size}")
}

/// A rulesheet of the catalogue.
fn sheet(name: &str, _size: &str) -> String {
    format!("gdl:{name}")
}

/// Budgets that begin with their number of playouts.
fn leading_number(text: &str) -> Option<u64> {
    text.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_catalog as catalog;
    use std::collections::BTreeSet;

    fn tables() -> Vec<Table> {
        PAPERS.iter().flat_map(|paper| paper.all_tables()).collect()
    }

    #[test]
    fn all_published_figures_are_there() {
        let published: Vec<Table> = tables().into_iter().filter(|table| table.info.is_published()).collect();
        let entries = || published.iter().flat_map(|table| &table.entries);
        assert_eq!(entries().filter(|entry| entry.cells.len() == 1).count(), 537);
        assert_eq!(entries().filter(|entry| entry.cells.len() > 1).count(), 14, "averages");
        assert!(entries().all(|entry| entry.published.is_some()));
        let ids: Vec<String> = tables().iter().map(Table::id).collect();
        for id in ["tak2012/XI", "ppa2015/1", "ppr2016/figure6", "ppafm2017/4", "sironi2021/3", "sironi2021/figure1"] {
            assert!(ids.contains(&id.to_owned()), "{id} is missing in {ids:?}");
        }
    }

    #[test]
    fn every_average_pools_the_fourteen_games() {
        for table in tables().iter().filter(|table| table.paper.name == "sironi2021") {
            for entry in table.entries.iter().filter(|entry| entry.cells.len() > 1) {
                assert_eq!(entry.cells.len(), 14, "{} {}", table.id(), entry.player);
                assert!(entry.cells.iter().all(|cell| cell.players[0].name == entry.player));
            }
        }
    }

    #[test]
    fn variants_hold_what_was_swapped_beside_the_published_figures() {
        let table = |name: &str, id: &str| PAPERS.iter().find(|paper| paper.name == name).unwrap().table(id).unwrap();
        let rules = table("ppa2015", "1-rules");
        let games: Vec<&str> = rules.entries.iter().map(|entry| &*entry.game).collect();
        let each =
            ["atarigo:5,suicide=loses,eyes=on", "atarigo:8,suicide=loses,eyes=on", "go:5,eyes=on", "go:8,eyes=on"];
        assert_eq!(games, each.map(|game| [game; 2]).concat(), "each with 1,000 and 10,000 playouts");
        let published = table("ppa2015", "1").entries.into_iter().find(|entry| entry.game == "atarigo:5").unwrap();
        assert_eq!(rules.entries[0].published, published.published);

        let corrected = table("sironi2021", "3-corrected");
        assert_eq!(corrected.entries.len(), 3 * 15, "against random, nst and ppa, with their averages");
        assert!(corrected.entries.iter().all(|entry| entry.player.ends_with("corrected)")));

        let speeds = table("tak2012", "speeds");
        let tables = table("tak2012", "I").paper.all_tables();
        let published: usize = tables.iter().filter(|t| t.info.is_published()).map(|t| t.entries.len()).sum();
        assert_eq!(speeds.entries.len(), published, "all tables of the paper");
        let cells = [0, published - 1].map(|place| speeds.entries[place].cells[0].to_string());
        assert!(cells[0].contains("sims=413") && cells[1].contains("sims=309"), "{cells:?}");
    }

    #[test]
    fn shared_cells_are_played_once() {
        let paper = PAPERS.iter().find(|paper| paper.name == "sironi2021").unwrap();
        let (first, second) = (paper.table("1").unwrap(), paper.table("2").unwrap());
        let two = [&first, &second];
        let all = experiment(paper, &two, &Selection::default());
        assert_eq!(all.cells.len(), 14 * 5 + 14, "ppa(alpha=0.32) against mast is in both");
        let games = |name: &str| all.cells.iter().find(|planned| planned.cell.game == name).unwrap().games;
        assert_eq!((games("gdl:connect4"), games("gdl:ttcc4-3p")), (500, 504));

        let some = Selection { games: Some(3), only: vec!["connect4".into(), "ttcc4-3p".into()], budgets: vec![] };
        let some = experiment(paper, &two, &some);
        assert_eq!(some.cells.len(), 2 * 6);
        assert_eq!(some.cells.iter().map(|planned| planned.games).collect::<BTreeSet<_>>(), [4, 6].into());
        let none = Selection { budgets: vec!["sims=7".parse().unwrap()], ..Selection::default() };
        assert!(experiment(paper, &two, &none).cells.is_empty());
    }

    #[test]
    fn every_native_game_can_be_opened() {
        let games: BTreeSet<String> = tables()
            .iter()
            .flat_map(|table| &table.entries)
            .flat_map(|entry| entry.cells.iter().map(|cell| cell.game.clone()))
            .collect();
        // The rulesheets are part of the catalogue if it knows the prefix.
        let has_sheets = catalog::open("gdl:connect4").is_ok();
        for game in games.iter().filter(|game| has_sheets || !game.starts_with("gdl:")) {
            let opened = catalog::open(game).unwrap_or_else(|error| panic!("{game}: {error}"));
            let roles = opened.role_names().len();
            assert_eq!(Seats::All.seatings(2, roles).map(|all| all.len() as u64), Some(seatings(game)), "{game}");
        }
        assert!(games.len() > 40, "{games:?}");
    }
}
