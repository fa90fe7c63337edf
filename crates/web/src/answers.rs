//! What the page reads about experiments, papers and recorded games.

use ludens_arena::{Cell, CellResults, Counting, End, GameRecord, report};
use serde::Serialize;
use std::{path::PathBuf, time::Duration};

/// Records younger than this belong to somebody who is still playing.
pub(crate) const LIVE: Duration = Duration::from_secs(60);

/// A table.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Grid {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Column {
    title: String,
    number: bool,
}

impl From<&report::Grid> for Grid {
    fn from(grid: &report::Grid) -> Grid {
        let column = |column: &report::Column| Column { title: column.title.to_string(), number: column.is_number };
        Grid { columns: grid.columns.iter().map(column).collect(), rows: grid.rows.clone() }
    }
}

/// A part of a document; a plot is an SVG.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Block {
    Heading(String),
    Text(String),
    Table(Grid),
    Plot(String),
}

/// A report.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Report"))]
pub(crate) struct Document {
    title: String,
    blocks: Vec<Block>,
}

impl From<&report::Document> for Document {
    fn from(document: &report::Document) -> Document {
        let block = |block: &report::DocumentBlock| match block {
            report::DocumentBlock::Heading(text) => Block::Heading(text.clone()),
            report::DocumentBlock::Text(text) => Block::Text(text.clone()),
            report::DocumentBlock::Table(table) => Block::Table(table.into()),
            report::DocumentBlock::Plot(svg) | report::DocumentBlock::Figure { svg, .. } => Block::Plot(svg.clone()),
        };
        Document { title: document.title.clone(), blocks: document.blocks.iter().map(block).collect() }
    }
}

/// An experiment in full.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Experiment"))]
pub(crate) struct ExperimentReport {
    #[serde(flatten)]
    pub(crate) document: Document,
    pub(crate) cells: Vec<String>,
    #[serde(flatten)]
    pub(crate) progress: Progress,
}

/// How far an experiment has come.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Progress {
    pub(crate) games: u64,
    pub(crate) wanted: u64,
    /// Whether somebody is playing it right now.
    pub(crate) live: bool,
}

/// All experiments with records, and the folder with these.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Experiments {
    pub(crate) folder: PathBuf,
    /// How many there are; the list may be a part of them.
    pub(crate) total: usize,
    pub(crate) experiments: Vec<Listed>,
}

/// An experiment in the list.
#[derive(Clone, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Listed {
    Readable {
        name: String,
        about: String,
        cells: usize,
        #[serde(flatten)]
        progress: Progress,
        /// Seconds since something was recorded.
        age: Option<u64>,
    },
    /// Its records cannot be read.
    Unreadable { name: String, error: String },
}

impl Listed {
    /// Nothing was recorded meanwhile: whoever played has stopped if that is long ago.
    pub(crate) fn grow_older(&mut self, since: Option<Duration>) {
        if let Listed::Readable { progress, age, .. } = self {
            *age = since.map(|since| since.as_secs());
            progress.live &= since.is_some_and(|since| since < LIVE);
        }
    }
}

/// A paper with a row per table.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PaperOverview {
    pub(crate) name: &'static str,
    pub(crate) citation: String,
    pub(crate) overview: Grid,
}

/// A cell with its games.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CellGames {
    pub(crate) cell: PlayedCell,
    /// How many there are; the list may be a part of them.
    pub(crate) total: usize,
    pub(crate) games: Vec<PlayedGame>,
    /// How the first player stood after some of the games, from the first to all of them.
    pub(crate) curve: Vec<Stand>,
}

/// The share of the points that a player has after so many games, with its 95 % interval.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Stand {
    games: u64,
    rate: f64,
    low: f64,
    high: f64,
}

/// The points of a curve.
const CURVE: u64 = 60;

/// How the first player of a cell stood over its games.
pub(crate) fn curve(cell: &CellResults) -> Vec<Stand> {
    let all = cell.games.keys().next_back().map_or(0, |last| last + 1);
    let mut places: Vec<u64> = (1..=CURVE).map(|part| (all * part).div_ceil(CURVE)).collect();
    places.dedup();
    let stand = |below: u64| {
        let points = cell.standing(Counting::Players, 0, below).points;
        let interval = points.wilson();
        points.mean().map(|rate| Stand { games: below, rate, low: interval.low, high: interval.high })
    };
    places.into_iter().filter_map(stand).collect()
}

/// What is played in a cell.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlayedCell {
    game: String,
    budget: String,
    players: Vec<CellPlayer>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CellPlayer {
    name: String,
    spec: String,
}

impl From<&Cell> for PlayedCell {
    fn from(cell: &Cell) -> PlayedCell {
        let players =
            cell.players.iter().map(|player| CellPlayer { name: player.name.clone(), spec: player.spec.to_string() });
        PlayedCell { game: cell.game.clone(), budget: cell.budget.to_string(), players: players.collect() }
    }
}

/// A recorded game.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlayedGame {
    index: u64,
    /// Which of the cell's players sat at which role.
    seats: Vec<usize>,
    scores: Vec<f64>,
    end: Ending,
    steps: u64,
}

/// How a game ended.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Ending {
    Terminal,
    Cut,
}

impl From<&GameRecord> for PlayedGame {
    fn from(game: &GameRecord) -> PlayedGame {
        let end = match game.end {
            End::Terminal => Ending::Terminal,
            End::Cut => Ending::Cut,
        };
        let (seats, scores) = (game.seats.clone(), game.scores.clone());
        PlayedGame { index: game.index, seats, scores, end, steps: game.steps }
    }
}

/// A recorded game, the name that opens it on the board, and its rulesheet if the experiment names a file.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Recorded {
    pub(crate) cell: PlayedCell,
    pub(crate) game: RecordedGame,
    pub(crate) opens: String,
    pub(crate) sheet: Option<SheetFile>,
}

/// A recorded game with its moves.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RecordedGame {
    #[serde(flatten)]
    pub(crate) played: PlayedGame,
    pub(crate) moves: Vec<String>,
}

/// The rulesheet of a game. The page keeps it, so that a link to the game outlives this server.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SheetFile {
    pub(crate) file: String,
    pub(crate) text: String,
}
