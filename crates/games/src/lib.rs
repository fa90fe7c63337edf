//! Games.

pub mod atarigo;
pub mod go;
pub mod goban;
pub mod nogo;
