//! `ludens web`: one page on the loopback address, to play, to watch a search think and to read results.
//!
//! The page owns the game: it sends the moves so far with every question, and the server answers what the position is and
//! what a player thinks of it. A link, a step back and a restart of the server need nothing else. What the server keeps is
//! only there to save time: opened games (`shelf.rs`) and the players of running games with their trees (`engines.rs`).
//!
//! Requests are answered by axum; searches run on a few plain threads with a queue (`pool.rs`), so that thinking never
//! keeps a click waiting.

mod choices;
mod engines;
mod guard;
mod news;
mod page;
mod pool;
mod position;
mod problem;
mod recorded;
mod results;
mod server;
mod sheets;
mod shelf;
mod think;

pub use server::{Options, Server};
