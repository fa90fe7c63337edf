//! What all plots share: a canvas, axes and legends.

use crate::report::html::escape;
use std::fmt::Write as _;

/// An SVG under construction.
pub(super) struct Canvas {
    width: f64,
    height: f64,
    body: String,
}

/// Where a text is anchored.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Canvas {
    pub(super) fn new(width: f64, height: f64) -> Canvas {
        Canvas { width, height, body: String::new() }
    }

    /// Any element.
    pub(super) fn add(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escape(text);
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{text}</text>"
        );
    }

    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), style: &str) {
        let _ = writeln!(self.body, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>");
    }

    /// A legend in one or more lines from `(x, y)`, within the width of the canvas. Gives the height that it took.
    pub(super) fn legend(&mut self, (x, y): (f64, f64), entries: &[(String, String)]) -> f64 {
        let (mut at, mut row) = (x, 0.0);
        for (mark, label) in entries {
            let width = 30.0 + 7.0 * label.chars().count() as f64;
            if at + width > self.width && at > x {
                (at, row) = (x, row + 18.0);
            }
            let _ = writeln!(self.body, "<g transform=\"translate({at:.1} {:.1})\">{mark}</g>", y + row);
            self.text((at + 16.0, y + row + 4.0), Anchor::Start, "", label);
            at += width;
        }
        row + 18.0
    }

    pub(super) fn finish(self, label: &str) -> String {
        let (width, height, label) = (self.width, self.height, escape(label));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" role=\"img\" aria-label=\"{label}\">\n{}</svg>",
            self.body
        )
    }
}

/// A range of values on a range of pixels.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) is_log: bool,
}

impl Axis {
    /// Win rates from 0 to 1.
    pub(super) fn rates(start: f64, end: f64) -> Axis {
        Axis { from: 0.0, to: 1.0, start, end, is_log: false }
    }

    /// An axis that has room for all values. Only positive values lie on a logarithmic one.
    pub(super) fn over(values: impl Iterator<Item = f64> + Clone, (start, end): (f64, f64), is_log: bool) -> Axis {
        let from = values.clone().fold(f64::INFINITY, f64::min);
        let to = values.fold(f64::NEG_INFINITY, f64::max);
        let (from, to) = match (from.is_finite() && to.is_finite(), is_log) {
            (false, _) => (1.0, 10.0),
            (true, true) => (from.max(1e-9) / 1.3, to.max(1e-9) * 1.3),
            (true, false) => {
                let room = ((to - from) * 0.05).max(1e-6);
                (from - room, to + room)
            }
        };
        Axis { from, to, start, end, is_log }
    }

    pub(super) fn at(&self, value: f64) -> f64 {
        let share = if self.is_log {
            (value.max(1e-9) / self.from).ln() / (self.to / self.from).ln()
        } else {
            (value - self.from) / (self.to - self.from)
        };
        self.start + share * (self.end - self.start)
    }

    /// Where ticks stand: 1, 2 and 5 times the powers of ten on a logarithmic axis, else the values themselves if few.
    pub(super) fn ticks(&self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut ticks: Vec<f64> = if self.is_log {
            let steps = (-9..10).flat_map(|power| [1.0, 2.0, 5.0].map(|factor| factor * 10_f64.powi(power)));
            steps.filter(|tick| *tick >= self.from && *tick <= self.to).collect()
        } else {
            values.collect()
        };
        ticks.sort_unstable_by(f64::total_cmp);
        ticks.dedup();
        let apart = 34.0;
        let mut last = f64::NEG_INFINITY;
        ticks.retain(|tick| {
            let here = self.at(*tick);
            let keep = here - last >= apart;
            if keep {
                last = here;
            }
            keep
        });
        ticks
    }
}

/// A number on an axis: `10k` for ten thousand.
pub(super) fn tick_label(value: f64) -> String {
    if value >= 1000.0 && value % 100.0 == 0.0 { format!("{}k", value / 1000.0) } else { format!("{value}") }
}

/// The values at which rates have a line of the grid.
pub(super) const RATE_TICKS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// A filled circle in a colour.
pub(super) fn dot((x, y): (f64, f64), colour: &str, tip: &str) -> String {
    format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\">{tip}</circle>")
}

/// A hollow diamond in a colour.
pub(super) fn diamond((x, y): (f64, f64), colour: &str, tip: &str) -> String {
    format!(
        "<path d=\"M{x:.1} {:.1}l4.5 4.5l-4.5 4.5l-4.5 -4.5z\" class=\"hollow\" stroke=\"{colour}\">{tip}</path>",
        y - 4.5
    )
}
