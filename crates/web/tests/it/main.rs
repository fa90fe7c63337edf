//! The integration tests of this crate, in one binary.

mod client;
mod every_game;
mod results;
mod server;
