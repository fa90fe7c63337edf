//! Games.

pub mod havannah;
mod hexboard;
