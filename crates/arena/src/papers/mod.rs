//! The papers: every table and figure as cells to be played, with the published figures beside them.
//!
//! A paper is one file with its agents, games and budgets in our terms and its part of the quick sample, and a CSV with its
//! figures as printed. Its citation and its agents are in the file of the same name among the presets of `ludens_search`.
//! `measured.rs` counts our games or reads them from a file, `compare.rs` puts them beside the published figures, `fit.rs` sums
//! up a table, `document.rs` writes that down, `quick.rs` plays the sample.

mod compare;
mod document;
mod figures;
mod fit;
mod measured;
mod quick;
mod timing;

pub use compare::{Comparison, Rate, Verdict, WIDEST, compare};
pub use document::{comparison_grid, overview_grid, reproduction_document};
pub use fit::{Far, Fit};
pub use measured::{Measured, figures_csv};
pub use quick::{quick_experiment, quick_tables};
pub use timing::{Timing, timing_grid, timings};

use crate::{
    cell::{Cell, Contestant},
    counts::Counts,
    experiment::{Experiment, Planned},
    filter::{Filter, short_name},
    results::Counting,
    seats::Seats,
};
use ludens_catalog::{GAMES, SHEETS};
use ludens_search::{Budget, presets};
use quick::Pick;
use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

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
    /// The budget, by game and by its text in the CSV.
    budget: fn(&str, &str) -> Option<Budget>,
    /// Its part of the sample that `reproduce --quick` plays.
    quick: &'static [Pick],
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
    /// The time for 1,000 simulations: the games in which it is taken, and the published times as a CSV, games by agents.
    Times(fn(&Paper) -> Vec<Entry>, &'static str),
    /// Those entries of other tables that something is swapped in.
    Variant(&'static [&'static str], Swap),
}

/// What is put in the place of something in a table, to see what its figures depend on.
enum Swap {
    /// One agent by another.
    Agent(&'static str, &'static str),
    /// The rules of some games: the game that is played instead, by its name and size in the CSV.
    Rules(fn(&str, &str) -> Option<String>),
    /// All agents by game and name, and all budgets by game and text, as the paper names them.
    Setup(fn(&str, &str) -> Option<String>, fn(&str, &str) -> Option<Budget>),
}

/// Declares the files of the papers and lists them.
macro_rules! papers {
    ($($file:ident),*) => {
        $(mod $file;)*

        /// All papers, in the order of their years. A new one is a file with a `PAPER` and its name here.
        pub static PAPERS: &[&Paper] = &[$(&$file::PAPER),*];
    };
}

papers![tak2012, ppa2015, ppr2016, ppafm2017, sironi2021];

/// One figure of a table: what is measured for it, and what was published.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The game, or "all games".
    pub game: String,
    /// Whose rate it is, in the paper's terms.
    pub player: String,
    /// Against whom.
    pub opponent: String,
    /// The cell, or all cells over which a mean is taken.
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
    /// Only these cells.
    pub filter: Filter,
    /// What is known already: a cell goes on after these games.
    pub known: Counts,
}

/// The seed of all reproductions.
pub const SEED: u64 = 1;

impl Paper {
    /// Its citation and its agents.
    ///
    /// # Panics
    /// If there are no presets of its name, which the tests exclude.
    pub fn source(&self) -> &'static ludens_search::Paper {
        let mut papers = ludens_search::PAPERS.iter();
        papers.find(|source| source.name == self.name).expect("a paper has presets of its name")
    }

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
            Content::Curve(entries) | Content::Times(entries, _) => entries(self),
            Content::Variant(tables, ref swap) => {
                tables.iter().flat_map(|table| figures::entries(self, table, Some(swap))).collect()
            }
        };
        Table { paper: self, info, entries }
    }

    /// The cell of two agents.
    fn cell(&self, game: &str, budget: Budget, agents: [&str; 2]) -> Arc<Cell> {
        self.cell_of(&self.agent, game, budget, agents)
    }

    /// The same, by other specs of the agents.
    fn cell_of(
        &self,
        spec: &dyn Fn(&str) -> Option<String>,
        game: &str,
        budget: Budget,
        agents: [&str; 2],
    ) -> Arc<Cell> {
        let player = |agent: &str| {
            let spec = spec(agent).unwrap_or_else(|| panic!("{} has no agent {agent:?}", self.name));
            let spec = spec.parse().unwrap_or_else(|error| panic!("{}: {agent}: {error}", self.name));
            Contestant { name: agent.to_owned(), spec }
        };
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

    /// Whether it shows times instead of rates.
    fn is_timing(&self) -> bool {
        matches!(self.content, Content::Times(..))
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

/// The tables that a text names: `PAPER`, `PAPER/TABLE,TABLE…`, or `all`.
///
/// # Errors
/// One line with the papers or tables that there are.
pub fn find(target: &str) -> Result<Vec<Table>, String> {
    if target == "all" {
        return Ok(PAPERS.iter().flat_map(|paper| paper.all_tables()).collect());
    }
    let (name, table) = target.split_once('/').map_or((target, None), |(name, table)| (name, Some(table)));
    let list = |items: &mut dyn Iterator<Item = &str>| items.collect::<Vec<_>>().join(", ");
    let paper: &'static Paper = PAPERS.iter().find(|paper| paper.name == name).ok_or_else(|| {
        let known = list(&mut PAPERS.iter().map(|paper| paper.name));
        format!("unknown paper {name:?}; papers: {known}")
    })?;
    match table {
        None => Ok(paper.all_tables()),
        Some(ids) => {
            let table = |id: &str| {
                paper.table(id).ok_or_else(|| {
                    let known = list(&mut paper.tables.iter().map(|info| info.id));
                    format!("{name} has no table {id:?}; tables: {known}")
                })
            };
            ids.split(',').map(table).collect()
        }
    }
}

/// What is to be played for some tables of a paper. Cells that several tables share are played once.
pub fn experiment(paper: &'static Paper, tables: &[&Table], selection: &Selection) -> Experiment {
    let mut cells: Vec<Planned> = Vec::new();
    for entry in tables.iter().flat_map(|table| &table.entries) {
        for cell in entry.cells.iter().filter(|cell| selection.filter.has(cell)) {
            let games = selection.games.unwrap_or(entry.games).next_multiple_of(seatings(&cell.game));
            match cells.iter_mut().find(|planned| planned.cell.id(SEED) == cell.id(SEED)) {
                Some(planned) => planned.games = planned.games.max(games),
                None => {
                    let first = selection.known.points(cell.id(SEED)).next;
                    cells.push(Planned { cell: cell.clone(), games, first });
                }
            }
        }
    }
    paper.experiment(cells)
}

/// The number of seatings of two players: two in games of two roles, six in games of three.
fn seatings(game: &str) -> u64 {
    let roles = ROLES.get(entry_name(game)).copied().unwrap_or(2);
    Seats::All.seatings(2, roles).map_or(2, |all| all.len() as u64)
}

/// The number of roles of every game in the catalogue.
static ROLES: LazyLock<BTreeMap<String, usize>> = LazyLock::new(|| {
    let native = GAMES.iter().map(|entry| (entry.name.to_owned(), entry.roles.len()));
    let sheets = SHEETS.iter().map(|sheet| (format!("gdl:{}", sheet.name), sheet.roles().len()));
    native.chain(sheets).collect()
});

/// The name of a game in the catalogue: without parameters.
fn entry_name(game: &str) -> &str {
    if game.starts_with("gdl:") { game } else { short_name(game) }
}

/// The names of the papers that measured players on a game, by the game's name in the catalogue.
pub fn papers_by_game() -> BTreeMap<String, Vec<&'static str>> {
    let mut by_game: BTreeMap<String, Vec<&'static str>> = BTreeMap::new();
    for paper in PAPERS {
        for entry in paper.all_tables().iter().flat_map(|table| &table.entries) {
            for cell in &entry.cells {
                let papers = by_game.entry(entry_name(&cell.game).to_owned()).or_default();
                if !papers.contains(&paper.name) {
                    papers.push(paper.name);
                }
            }
        }
    }
    by_game
}

/// The spec of a preset of a paper.
fn preset(paper: &str, name: &str) -> Option<String> {
    let wanted = format!("{paper}/{name}");
    presets().any(|preset| preset.name == wanted).then_some(wanted)
}

/// The spec of a preset without policies, with these added.
fn with_policies(paper: &str, base: &str, policies: &str) -> Option<String> {
    let name = preset(paper, base)?;
    let spec = presets().find(|preset| preset.name == name)?.spec;
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

/// Budgets that begin with their number of playouts, the same for every game.
fn leading_number(_game: &str, text: &str) -> Option<Budget> {
    Some(Budget::simulations(text.split(' ').next()?.parse().ok()?))
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
    fn every_paper_has_its_presets_and_its_tables() {
        let names: Vec<&str> = PAPERS.iter().map(|paper| paper.source().name).collect();
        assert_eq!(names, ludens_search::PAPERS.iter().map(|paper| paper.name).collect::<Vec<_>>());
    }

    #[test]
    fn games_have_the_papers_that_measured_players_on_them() {
        let papers = papers_by_game();
        assert_eq!(papers["havannah"], ["ppr2016"]);
        assert_eq!(papers["misere-nogo"], ["ppa2015"]);
        assert_eq!(papers["gdl:ttcc4-3p"], ["tak2012", "sironi2021"]);
        let names = GAMES.iter().map(|entry| entry.name.to_owned());
        let names: BTreeSet<String> = names.chain(SHEETS.iter().map(|sheet| format!("gdl:{}", sheet.name))).collect();
        assert!(papers.keys().all(|game| names.contains(game)), "{papers:?}");
    }

    #[test]
    fn all_published_figures_are_there() {
        for paper in PAPERS {
            let tables = paper.all_tables();
            let published = || tables.iter().filter(|table| table.info.is_published()).flat_map(|table| &table.entries);
            assert_eq!(published().count(), paper.csv.lines().count() - 1, "{}: every line is in a table", paper.name);
            assert!(published().all(|entry| entry.published.is_some()), "{}", paper.name);
        }
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
        let games = |id: &str| table("ppa2015", id).entries.into_iter().map(|entry| entry.game).collect::<Vec<_>>();
        let twice =
            |games: &[&str]| games.iter().flat_map(|game| [game.to_string(), game.to_string()]).collect::<Vec<_>>();
        let suicide = ["atarigo:5,suicide=loses", "atarigo:8,suicide=loses"];
        assert_eq!(games("1")[..4], twice(&suicide), "each with 1,000 and 10,000 playouts");
        assert_eq!(games("1-plain"), twice(&["atarigo:5", "atarigo:8", "go:5", "go:8"]));
        assert_eq!(games("1-both"), twice(&["atarigo:5,suicide=loses,eyes=on", "atarigo:8,suicide=loses,eyes=on"]));
        assert_eq!(games("1-eyes"), twice(&["atarigo:5,eyes=on", "atarigo:8,eyes=on"]));
        assert_eq!(table("ppafm2017", "plain").entries.len(), 4, "one of each table");
        let plain = &table("ppa2015", "1-plain").entries[0];
        assert_eq!(plain.published, table("ppa2015", "1").entries[0].published);

        let corrected = table("sironi2021", "3-corrected");
        assert_eq!(corrected.entries.len(), 3 * 15, "against random, nst and ppa, with their averages");
        assert!(corrected.entries.iter().all(|entry| entry.player.ends_with("corrected)")));

        let plain = table("tak2012", "plain");
        let tables = table("tak2012", "I").paper.all_tables();
        let published: usize = tables.iter().filter(|t| t.info.is_published()).map(|t| t.entries.len()).sum();
        assert_eq!(plain.entries.len(), published, "all tables of the paper");
        let cells = [0, published - 1].map(|place| plain.entries[place].cells[0].to_string());
        assert!(cells[0].contains(" sims=413") && cells[1].contains(" sims=309"), "{cells:?}");
        assert!(plain.entries[0].cells[0].players.iter().all(|player| player.spec.settings().discount == 1.0));
        let main = &table("tak2012", "I").entries[0].cells[0];
        assert!(main.players.iter().all(|player| player.spec.settings().discount == 0.999), "{main}");
        assert_eq!(main.budget.to_string(), "first=1241,sims=413");
        assert!(table("tak2012", "skirmish").entries.iter().all(|entry| entry.game == "gdl:skirmish-light"));
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

        let games = Filter { games: vec!["connect4".into(), "ttcc4-3p".into()], ..Filter::default() };
        let some = Selection { games: Some(3), filter: games, ..Selection::default() };
        let some = experiment(paper, &two, &some);
        assert_eq!(some.cells.len(), 2 * 6);
        assert_eq!(some.cells.iter().map(|planned| planned.games).collect::<BTreeSet<_>>(), [4, 6].into());
        let none = Filter { budgets: vec!["sims=7".parse().unwrap()], ..Filter::default() };
        let none = Selection { filter: none, ..Selection::default() };
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
