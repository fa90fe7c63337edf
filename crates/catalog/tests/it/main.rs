//! The integration tests of this crate, in one binary.

mod batch;
#[path = "../../../search/tests/common/mod.rs"]
#[allow(unreachable_pub)]
mod common;
mod fuzzed_searches;
mod real_interpreted;
mod real_twins;
mod rulesheets;
mod translate;
mod twins;
