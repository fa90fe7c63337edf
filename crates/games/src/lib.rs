//! Native games, one file each. This crate knows games and nothing that plays them; the catalogue opens them by name.

pub mod atarigo;
pub mod bits;
pub mod breakthrough;
pub mod domineering;
pub mod go;
pub mod goban;
pub mod grid;
pub mod havannah;
mod hexboard;
pub mod knightthrough;
pub mod nogo;
pub mod placing;
pub mod race;
