//! The package `ludens` for Python.
//!
//! Everything here translates: Python's words into those of the engine, the engine's values into numpy arrays. What needs no
//! Rust (frames, plots, environments) is in `python/ludens`.
//!
//! | file | holds |
//! |---|---|
//! | `error.rs` | the two exceptions, and how failures become them |
//! | `interrupt.rs` | long work without the GIL that Ctrl-C can end |
//! | `game.rs`, `position.rs`, `svg.rs` | games, positions and their pictures |
//! | `own_game.rs` | a game written in Python as a game of the engine |
//! | `player.rs`, `report.rs` | a player that searches, and what it thinks |
//! | `batch.rs`, `batch/` | thousands of positions that step together |
//! | `campaign.rs` | matches, experiments and reproductions |

mod batch;
mod campaign;
mod error;
mod game;
mod interrupt;
mod own_game;
mod player;
mod position;
mod report;
mod svg;

use pyo3::prelude::*;

/// The part of the package that is written in Rust.
#[pymodule]
mod _ludens {
    use super::*;

    #[pymodule_export]
    use batch::Batch;
    #[pymodule_export]
    use campaign::{play_experiment, play_match, reproduce_tables};
    #[pymodule_export]
    use error::{Error, Fault};
    #[pymodule_export]
    use game::{Game, games};
    #[pymodule_export]
    use player::{Player, policies, presets};
    #[pymodule_export]
    use position::Position;
    #[pymodule_export]
    use report::Report;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
