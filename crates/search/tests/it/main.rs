//! The integration tests of this crate, in one binary.

#[path = "../common/mod.rs"]
#[allow(unreachable_pub)]
mod common;
mod learned;
mod search;
mod watch;
