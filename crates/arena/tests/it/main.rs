//! The integration tests of this crate, in one binary.

mod broken;
mod every_policy;
mod lanes;
mod reports;
mod runs;
