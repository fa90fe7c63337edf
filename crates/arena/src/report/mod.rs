//! Reports: from results to what a person reads. All of it is a pure function of the records.
//!
//! `summary.rs` says what an experiment found, as data; `strength.rs` judges a player whom all others meet. A [`Document`] is made of headings, texts, tables and plots, and knows
//! how to be Markdown and how to be a web page; a [`Grid`] is a table of texts; `plot/` draws.

mod document;
mod experiment;
mod grid;
mod html;
pub mod plot;
mod strength;
mod summary;

pub use document::{Document, DocumentBlock};
pub use experiment::experiment_document;
pub use grid::{Column, Grid};
pub use strength::strength_report;
pub use summary::{CellSummary, GameScore, PlayerRating, Summary, summarize, summarize_cells, summarize_with};

/// A rate in percent.
pub(crate) fn percent(rate: f64) -> String {
    format!("{:.1}", 100.0 * rate)
}
