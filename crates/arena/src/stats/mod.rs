//! Statistics about the strength of players. Everything here is a pure function of numbers, and no result is ever NaN
//! or infinite.
//!
//! `interval.rs` (Wilson's), `sample.rs` (points of games and rounds), `chi_square.rs` (many
//! differences at once), `elo.rs`, `sprt.rs` (a sequential test on rounds) and `ratings.rs` (several players at once).

mod chi_square;
mod elo;
mod interval;
mod ratings;
mod sample;
mod sprt;

pub use chi_square::chi_square_tail;
pub use elo::{Elo, elo_of_rate, rate_of_elo};
pub(crate) use interval::Z95;
pub use interval::{Interval, wilson};
pub use ratings::{Meeting, Rating, ratings};
pub use sample::Sample;
pub use sprt::{Decision, Sprt};
