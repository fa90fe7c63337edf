//! The subcommands. Each has its arguments and a `run` that writes to the console.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod contest;
pub(crate) mod docs;
pub(crate) mod experiment;
pub(crate) mod games;
pub(crate) mod gdl;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod player;
pub(crate) mod policies;
pub(crate) mod presets;
pub(crate) mod referee;
pub(crate) mod reproduce;
pub(crate) mod web;
