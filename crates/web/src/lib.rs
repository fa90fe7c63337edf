//! `ludens web`: a page on the loopback address to play games, watch searches think and browse results.
//!
//! The page owns the game: it sends the moves so far with every request, and the server answers with the position and
//! a player's analysis. Links, stepping back and server restarts need nothing else. What the server keeps is
//! there only to save time: open games (`shelf.rs`) and the players of running games with their trees. Experiments that the
//! page starts (`runs.rs`) are recorded as those of `ludens experiment run`.
//!
//! Axum answers requests; searches run on a few plain threads with a queue (`ludens-engine`), so thinking never
//! delays a click.

mod answers;
mod choices;
mod connections;
mod guard;
mod news;
mod page;
mod position;
mod problem;
mod recorded;
mod results;
mod runs;
mod server;
mod sheets;
mod shelf;
mod think;
#[cfg(test)]
mod wire;

pub use server::{Options, Server};
