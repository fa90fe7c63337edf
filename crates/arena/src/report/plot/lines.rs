//! Win rate against a budget, a size or a parameter: a line per player, with a band for its interval.

use super::frame::{Anchor, Axis, Canvas, RATE_TICKS, dot, tick_label};
use super::{colour, tip};
use crate::stats::Interval;
use std::fmt::Write as _;

/// A plot of lines.
#[derive(Clone, Debug, PartialEq)]
pub struct LinePlot {
    /// What is shown.
    pub title: String,
    /// What is on the horizontal axis, with its unit.
    pub axis: String,
    /// Whether that axis is logarithmic.
    pub is_log: bool,
    /// The lines.
    pub lines: Vec<Curve>,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its points.
    pub samples: Vec<Sample>,
}

/// A point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Where.
    pub x: f64,
    /// The rate.
    pub rate: f64,
    /// Its interval.
    pub interval: Interval,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 380.0;

impl LinePlot {
    /// The drawing.
    pub fn svg(&self) -> String {
        let legend_rows =
            1.0 + (self.lines.iter().map(|line| line.name.chars().count() + 6).sum::<usize>() / 75) as f64;
        let top = 34.0 + 18.0 * legend_rows + 8.0;
        let (left, right, bottom) = (56.0, WIDTH - 20.0, top + HEIGHT - 100.0);
        let mut canvas = Canvas::new(WIDTH, bottom + 46.0);
        canvas.text((0.0, 16.0), Anchor::Start, "title", &self.title);
        let marks = self.lines.iter().enumerate().map(|(i, line)| (dot((6.0, 0.0), &colour(i), ""), line.name.clone()));
        canvas.legend((0.0, 36.0), &marks.collect::<Vec<_>>());
        let values = self.lines.iter().flat_map(|line| line.samples.iter().map(|sample| sample.x));
        let across = Axis::over(values.clone(), (left, right), self.is_log);
        let up = Axis::rates(bottom, top);
        for tick in RATE_TICKS {
            let class = if tick == 0.5 { "class=\"even\"" } else { "class=\"grid\"" };
            canvas.line((left, up.at(tick)), (right, up.at(tick)), class);
            canvas.text((left - 8.0, up.at(tick) + 4.0), Anchor::End, "quiet", &format!("{:.0} %", 100.0 * tick));
        }
        for tick in across.ticks(values) {
            canvas.line((across.at(tick), bottom), (across.at(tick), bottom + 5.0), "class=\"frame\"");
            canvas.text((across.at(tick), bottom + 19.0), Anchor::Middle, "quiet", &tick_label(tick));
        }
        canvas.text(
            ((left + right) / 2.0, bottom + 38.0),
            Anchor::Middle,
            "quiet",
            &format!("{}; win rate with 95 % bands", self.axis),
        );
        for (i, line) in self.lines.iter().enumerate() {
            draw(&mut canvas, (&across, &up), line, &colour(i));
        }
        canvas.finish(&self.title)
    }
}

fn draw(canvas: &mut Canvas, (across, up): (&Axis, &Axis), line: &Curve, colour: &str) {
    let mut samples = line.samples.clone();
    samples.sort_by(|a, b| a.x.total_cmp(&b.x));
    let path = |points: &mut dyn Iterator<Item = (f64, f64)>| {
        let mut text = String::new();
        for (x, rate) in points {
            let _ = write!(text, "{:.1},{:.1} ", across.at(x), up.at(rate));
        }
        text
    };
    let upper = samples.iter().map(|sample| (sample.x, sample.interval.high));
    let lower = samples.iter().rev().map(|sample| (sample.x, sample.interval.low));
    canvas.add(&format!("<polygon class=\"band\" fill=\"{colour}\" points=\"{}\"/>", path(&mut upper.chain(lower))));
    let middle = path(&mut samples.iter().map(|sample| (sample.x, sample.rate)));
    canvas.add(&format!("<polyline class=\"line\" stroke=\"{colour}\" points=\"{middle}\"/>"));
    for sample in &samples {
        let tip = tip(&format!("{} at {}", line.name, tick_label(sample.x)), sample.rate, sample.interval);
        canvas.add(&dot((across.at(sample.x), up.at(sample.rate)), colour, &tip));
    }
}
