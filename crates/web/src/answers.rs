//! What the page reads about experiments, papers and recorded games.

use ludens_arena::{Cell, End, GameRecord, report};
use serde::Serialize;
use std::path::PathBuf;

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
    title: &'static str,
    number: bool,
}

impl From<&report::Grid> for Grid {
    fn from(grid: &report::Grid) -> Grid {
        let column = |column: &report::Column| Column { title: column.title, number: column.is_number };
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
            report::DocumentBlock::Plot(svg) => Block::Plot(svg.clone()),
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
#[derive(Serialize)]
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
    pub(crate) experiments: Vec<Listed>,
}

/// An experiment in the list.
#[derive(Serialize)]
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

/// A paper with a row per table.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PaperOverview {
    pub(crate) name: &'static str,
    pub(crate) citation: &'static str,
    pub(crate) overview: Grid,
}

/// A cell with its games.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CellGames {
    pub(crate) cell: PlayedCell,
    pub(crate) games: Vec<PlayedGame>,
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
