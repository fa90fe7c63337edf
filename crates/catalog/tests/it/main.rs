//! The integration tests of this crate, in one binary.

mod batch;
mod catalogue;
#[path = "../../../search/tests/common/mod.rs"]
#[allow(unreachable_pub)]
mod common;
mod fuzzed_searches;
mod notation;
mod real_interpreted;
mod real_twins;
mod rulesheets;
mod translate;
mod twins;
