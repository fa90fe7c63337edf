//! Searches for other programs: many at once, on a few threads, within limits of time and memory.
//!
//! | file | holds |
//! |---|---|
//! | `pool.rs`, `engines.rs`, `limits.rs` | threads with a queue; players kept between moves, and their memory; what a player may cost |
//! | `task.rs`, `steps.rs`, `shelf.rs` | one search; a position from texts; open games |
//! | `thought.rs` | what a search thinks, as JSON |
//! | `protocol.rs`, `serve.rs`, `tickets.rs`, `byte_budget.rs` | `ludens engine`: questions and answers; lines in and out; what can be cancelled; how much may wait |
//!
//! `ludens web` uses the first three lines of this table, `ludens engine` all of them.

mod byte_budget;
mod engines;
mod limits;
mod pool;
mod protocol;
#[cfg(test)]
mod schema;
mod serve;
mod shelf;
mod steps;
mod task;
mod thought;
mod tickets;

pub use engines::{Engines, Key, Running};
pub use limits::{MAX_TIME, read_budget, read_player, read_spec};
pub use pool::{Full, Job, Pool};
pub use protocol::{Action, Answer, Event, Query, Request};
pub use serve::{Options, serve};
pub use shelf::OpenShelf;
pub use steps::{movers, play_steps};
pub use task::{Found, SearchTask, Service};
pub use thought::{Arm, Playouts, Thought, Weight};
