//! The integration tests of this crate, in one binary.

mod commands;
mod engines;
mod experiments;
mod gdl;
mod ggp;
mod gtp;
mod guide;
mod hostile;
mod ludens;
mod play;
mod readme;
mod rulesheets;
mod web;
