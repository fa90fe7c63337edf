//! Plots as SVG. Colours are variables of the page, so that one drawing serves dark and light.

mod frame;
mod lines;
mod scatter;
mod whiskers;

pub use lines::{Curve, LinePlot, Sample};
pub use scatter::{ScatterPlot, Spot};
pub use whiskers::{Whisker, WhiskerGroup, WhiskerPlot};

use crate::stats::Interval;

/// The number of colours that lines and groups can have; more series use them again.
const COLOURS: usize = 7;

/// The colour of a series.
fn colour(series: usize) -> String {
    format!("var(--s{})", series % COLOURS)
}

/// A rate with its interval as a text that appears under the pointer.
fn tip(label: &str, rate: f64, interval: Interval) -> String {
    let text = format!("{label}: {:.1} % ({:.1} to {:.1})", 100.0 * rate, 100.0 * interval.low, 100.0 * interval.high);
    format!("<title>{}</title>", super::html::escape(&text))
}
