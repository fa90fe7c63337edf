//! The integration tests of this crate, in one binary.

mod atarigo;
mod breakthrough;
mod domineering;
mod go;
mod havannah;
mod knightthrough;
mod nogo;
mod plain;
mod slow;
mod slow_race;
