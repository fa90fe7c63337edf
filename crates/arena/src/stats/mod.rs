//! Statistics about the strength of players. Everything here is a pure function of numbers, and no result is ever NaN
//! or infinite.
//!
//! `interval.rs` (Wilson, normal, difference of two rates), `sample.rs` (points of games and rounds), `elo.rs`, `sprt.rs`
//! (a sequential test on rounds) and `ratings.rs` (several players at once).

mod elo;
mod interval;
mod ratings;
mod sample;
mod sprt;

pub use elo::{Elo, elo_of_rate, rate_of_elo};
pub use interval::{Interval, difference, wilson};
pub use ratings::{Meeting, Rating, ratings};
pub use sample::Sample;
pub use sprt::{Decision, Sprt};
