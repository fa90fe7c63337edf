//! The integration tests of this crate, in one binary.

mod batch;
#[path = "../../../search/tests/common/mod.rs"]
#[allow(unreachable_pub)]
mod common;
mod interpreted;
mod rulesheets;
mod same_game;
mod translate;
mod twins;
