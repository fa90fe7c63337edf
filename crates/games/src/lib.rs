//! Games.

pub mod bits;
pub mod breakthrough;
pub mod domineering;
pub mod grid;
pub mod knightthrough;
pub mod race;
