//! Experiments: matches between players, their records and their statistics.
//!
//! From a file to a table: `experiment.rs` says what is played, `schedule.rs` which games are left, `engine.rs` plays them,
//! `run.rs` runs many workers, `record.rs` and `journal.rs` store every game, `results.rs` and `counts.rs` count, `stats/` computes what the
//! counts are worth, `report/` writes reports, and `papers/` holds the published figures.

mod broken;
mod cell;
mod contest;
mod cost;
mod counts;
mod csv;
mod engine;
mod experiment;
mod filter;
mod in_lanes;
mod in_order;
mod index;
mod journal;
mod lane_memory;
mod merge;
mod on_gpu;
mod open;
pub mod papers;
mod record;
pub mod report;
mod results;
mod run;
mod schedule;
mod seats;
mod shard;
pub mod stats;
mod store;
mod tasks;
mod words;

pub use broken::{Broken, BrokenRecord, Outcome};
pub use cell::{Cell, CellId, Contestant};
pub use contest::{Match, MatchPlayer, MatchResult};
pub use cost::{Basis, Cost, costs};
pub use counts::{Counts, Points};
pub use engine::{Backend, GameContext, GameTask, OneByOne};
pub use experiment::{Experiment, FileError, Planned, load};
pub use filter::Filter;
pub use in_lanes::{Fastest, InLanes};
pub use index::{RecordIndex, Tally};
pub use journal::{Content, Journal, JournalError, journals_in, read as read_journal};
pub use merge::{MergedRecords, Problem};
pub use on_gpu::{OnGpu, gpu};
pub use open::OpenGames;
pub use record::{CellRecord, End, GameRecord, JournalLine, Session};
pub use results::{CellResults, Counting, Results, Standing, provenance};
pub use run::{Ending, Run, RunError, RunObserver};
pub use seats::Seats;
pub use shard::{INDEX_VARIABLES, Shard};
pub use store::Store;
pub use tasks::{Games, Task, TaskPlan, Work, cut};
pub use words::{counted, one_line, shell_word};
