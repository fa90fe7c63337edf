//! The integration tests of this crate, in one binary.

mod client;
mod results;
mod server;
