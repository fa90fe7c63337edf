//! Records: what is written down of every game. One line of JSON each; `journal.rs` keeps the file.
//!
//! A file holds lines of four kinds: a session (who began to play, with which version, on which machine), a cell (what is
//! played in it, once per file before its first game), a game, and a game in which the program failed.

use crate::{
    broken::BrokenRecord,
    cell::{Cell, CellId, hex},
    engine::GameTask,
    shard::Shard,
};
use ludens_game::{Move, Role, Turn};
use ludens_search::{Playable, Played};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JournalLine {
    /// A session starts.
    Session(Session),
    /// What the games of a cell are.
    Cell(CellRecord),
    /// A finished game.
    Game(GameRecord),
    /// A game in which the program failed: no result.
    Broken(BrokenRecord),
}

/// A run of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// The experiment's name.
    pub experiment: String,
    /// The version of this program.
    pub version: String,
    /// Operating system, architecture, processor and cores.
    pub machine: String,
    /// Seconds since 1970.
    pub begun: u64,
    /// Which part of the experiment.
    #[serde(default)]
    pub shard: Shard,
}

impl Session {
    /// A session that begins now, on this machine.
    pub fn now(experiment: &str, shard: Shard) -> Session {
        let begun = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Session { experiment: experiment.to_owned(), version, machine: machine(), begun, shard }
    }
}

/// Operating system, architecture, the processor where the system tells it, cores.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let processor = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(format!(", {}", line.split_once(':')?.1.trim()))
    });
    let (system, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
    format!("{system} {architecture}{}, {cores} cores", processor.unwrap_or_default())
}

/// A cell with the experiment's seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellRecord {
    /// The name under which games refer to it.
    pub id: CellId,
    /// The seed of the experiment.
    pub seed: u64,
    /// What is played.
    #[serde(flatten)]
    pub cell: Cell,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// In a terminal position.
    #[default]
    Terminal,
    /// After [`MAX_STEPS`](ludens_search::MAX_STEPS), without a result.
    Cut,
}

/// A finished game. Lists are by role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its cell.
    pub cell: CellId,
    /// Its number in the cell.
    pub index: u64,
    /// Its seed.
    #[serde(with = "hex")]
    pub seed: u64,
    /// Which of the cell's players sat at which role.
    pub seats: Vec<usize>,
    /// The scores.
    pub scores: Vec<f64>,
    /// How it ended.
    #[serde(default)]
    pub end: End,
    /// The number of joint moves.
    pub steps: u64,
    /// Simulations of the whole game.
    pub simulations: Vec<u64>,
    /// Milliseconds of thinking.
    pub ms: Vec<f64>,
    /// Whether it was played in a lane, so that thinking was shared with other games.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_lanes: bool,
    /// The moves of those who had a choice.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// One line without the moves of a game, which are most of it and which no statistic needs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineHead {
    /// A session starts.
    Session(Session),
    /// What the games of a cell are.
    Cell(CellRecord),
    /// A finished game, without its moves.
    Game(GameHead),
    /// A game in which the program failed.
    Broken(BrokenRecord),
}

/// A finished game as it is read where its moves are not wanted.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct GameHead {
    cell: CellId,
    index: u64,
    #[serde(with = "hex")]
    seed: u64,
    seats: Vec<usize>,
    scores: Vec<f64>,
    #[serde(default)]
    end: End,
    steps: u64,
    simulations: Vec<u64>,
    ms: Vec<f64>,
    #[serde(default)]
    in_lanes: bool,
}

impl From<GameHead> for GameRecord {
    fn from(head: GameHead) -> GameRecord {
        let GameHead { cell, index, seed, seats, scores, end, steps, simulations, ms, in_lanes } = head;
        GameRecord { cell, index, seed, seats, scores, end, steps, simulations, ms, in_lanes, moves: Vec::new() }
    }
}

impl From<LineHead> for JournalLine {
    fn from(head: LineHead) -> JournalLine {
        match head {
            LineHead::Session(session) => JournalLine::Session(session),
            LineHead::Cell(cell) => JournalLine::Cell(cell),
            LineHead::Game(game) => JournalLine::Game(game.into()),
            LineHead::Broken(broken) => JournalLine::Broken(broken),
        }
    }
}

impl GameRecord {
    /// What is written down of a game.
    pub fn new(game: &Arc<dyn Playable>, (task, cell): (&GameTask, CellId), played: &Played) -> GameRecord {
        GameRecord {
            cell,
            index: task.index,
            seed: task.seed.value(),
            seats: task.seats.clone(),
            scores: played.scores.clone(),
            end: if played.is_cut { End::Cut } else { End::Terminal },
            steps: played.moves.len() as u64,
            simulations: played.efforts.iter().map(|effort| effort.simulations).collect(),
            ms: played.efforts.iter().map(|effort| (effort.time.as_secs_f64() * 1e6).round() / 1e3).collect(),
            in_lanes: played.in_lanes,
            moves: move_names(game, &played.moves),
        }
    }

    /// The same game, whenever and however fast it was played.
    pub fn is_same_game(&self, other: &GameRecord) -> bool {
        (self.cell, self.index, self.seed, &self.seats) == (other.cell, other.index, other.seed, &other.seats)
            && (&self.scores, self.end, self.steps) == (&other.scores, other.end, other.steps)
            && self.simulations == other.simulations
            && (self.moves.is_empty() || other.moves.is_empty() || self.moves == other.moves)
    }
}

/// The names of the moves, step by step; where several roles decide at once, theirs with a slash between.
pub(crate) fn move_names(game: &Arc<dyn Playable>, moves: &[Vec<Move>]) -> Vec<String> {
    let mut position = game.clone().start();
    let mut names = Vec::with_capacity(moves.len());
    for joint in moves {
        let name = |role: Role| position.move_name(role, joint[role.index()]);
        names.push(match position.turn() {
            Turn::One(role) => name(role),
            Turn::Many => Role::all(joint.len()).map(name).collect::<Vec<_>>().join(" / "),
        });
        position.advance(joint);
    }
    names
}
