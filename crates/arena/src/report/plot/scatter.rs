//! Ours against published: on the diagonal they are the same.

use super::frame::{Anchor, Axis, Canvas, RATE_TICKS, dot};
use crate::report::html::escape;
use crate::stats::Interval;

/// A plot of pairs of rates.
#[derive(Clone, Debug, PartialEq)]
pub struct ScatterPlot {
    /// What is shown.
    pub title: String,
    /// The kinds of spots: name and colour.
    pub kinds: Vec<(String, String)>,
    /// The spots.
    pub spots: Vec<Spot>,
}

/// A pair of rates.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// What it is.
    pub label: String,
    /// Which kind.
    pub kind: usize,
    /// The published rate.
    pub published: (f64, Interval),
    /// Ours.
    pub ours: (f64, Interval),
}

const SIDE: f64 = 420.0;

impl ScatterPlot {
    /// The drawing.
    pub fn svg(&self) -> String {
        let (left, top) = (60.0, 66.0);
        let (right, bottom) = (left + SIDE, top + SIDE);
        let mut canvas = Canvas::new(right + 20.0, bottom + 46.0);
        canvas.text((0.0, 16.0), Anchor::Start, "title", &self.title);
        let marks = self.kinds.iter().map(|(name, colour)| (dot((6.0, 0.0), colour, ""), name.clone()));
        canvas.legend((0.0, 36.0), &marks.collect::<Vec<_>>());
        let (across, up) = (Axis::rates(left, right), Axis::rates(bottom, top));
        for tick in RATE_TICKS {
            let label = format!("{:.0}", 100.0 * tick);
            canvas.line((left, up.at(tick)), (right, up.at(tick)), "class=\"grid\"");
            canvas.line((across.at(tick), top), (across.at(tick), bottom), "class=\"grid\"");
            canvas.text((left - 8.0, up.at(tick) + 4.0), Anchor::End, "quiet", &label);
            canvas.text((across.at(tick), bottom + 18.0), Anchor::Middle, "quiet", &label);
        }
        canvas.line((left, bottom), (right, top), "class=\"even\"");
        canvas.text(((left + right) / 2.0, bottom + 38.0), Anchor::Middle, "quiet", "published win rate in %");
        let middle = (top + bottom) / 2.0;
        canvas.add(&format!("<text transform=\"translate(16 {middle:.0}) rotate(-90)\" text-anchor=\"middle\" class=\"quiet\">our win rate in %, with 95 % intervals</text>"));
        for spot in &self.spots {
            let colour = self.kinds.get(spot.kind).map_or("var(--muted)", |kind| kind.1.as_str());
            let style = format!("class=\"whisker\" stroke=\"{colour}\" opacity=\"0.45\"");
            let ((x, wide), (y, high)) = (spot.published, spot.ours);
            canvas.line((across.at(wide.low), up.at(y)), (across.at(wide.high), up.at(y)), &style);
            canvas.line((across.at(x), up.at(high.low)), (across.at(x), up.at(high.high)), &style);
            let text = format!("{}: published {:.1} %, ours {:.1} %", spot.label, 100.0 * x, 100.0 * y);
            canvas.add(&dot((across.at(x), up.at(y)), colour, &format!("<title>{}</title>", escape(&text))));
        }
        canvas.finish(&self.title)
    }
}
