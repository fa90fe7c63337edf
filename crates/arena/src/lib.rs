//! Matches between players, and honest statistics about them.
//!
//! `play.rs` plays one game, `contest.rs` many of them with the seats exchanged, `stats.rs` says what the results are
//! worth.

mod contest;
mod play;
pub mod stats;

pub use contest::{Contest, ContestError, Standing};
pub use play::{Game, play};
