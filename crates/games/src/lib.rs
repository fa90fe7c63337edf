//! Native games, one file each, and the [`catalog`] that opens any of them, or any rulesheet, by name.

pub mod atarigo;
pub mod bits;
pub mod breakthrough;
pub mod catalog;
pub mod domineering;
pub mod go;
pub mod goban;
pub mod grid;
pub mod havannah;
mod hexboard;
pub mod knightthrough;
pub mod nogo;
mod params;
pub mod race;
mod sheet;

pub use params::{Domain, Param, ParamError, Params, quoted};
pub use sheet::SheetError;
