//! Win rates with their intervals, one line each, grouped (by game, say); published rates beside them.

use super::frame::{Anchor, Axis, Canvas, RATE_TICKS, diamond, dot};
use super::{colour, tip};
use crate::stats::Interval;

/// A plot of rates.
#[derive(Clone, Debug, PartialEq)]
pub struct WhiskerPlot {
    /// What is shown.
    pub title: String,
    /// The names of the series, which have colours.
    pub series: Vec<String>,
    /// The groups, from top to bottom.
    pub groups: Vec<WhiskerGroup>,
}

/// Rates with a common label.
#[derive(Clone, Debug, PartialEq)]
pub struct WhiskerGroup {
    /// The label.
    pub label: String,
    /// The rates.
    pub whiskers: Vec<Whisker>,
}

/// A rate of a series, ours and the published one.
#[derive(Clone, Debug, PartialEq)]
pub struct Whisker {
    /// The series.
    pub series: usize,
    /// Our rate.
    pub ours: Option<(f64, Interval)>,
    /// The published rate.
    pub published: Option<(f64, Interval)>,
}

const ROW: f64 = 17.0;
const GAP: f64 = 7.0;
const WIDTH: f64 = 820.0;
const LEFT: f64 = 190.0;

impl WhiskerPlot {
    /// The drawing.
    pub fn svg(&self) -> String {
        let rows: usize = self.groups.iter().map(|group| group.whiskers.len()).sum();
        let has_published =
            self.groups.iter().flat_map(|group| &group.whiskers).any(|whisker| whisker.published.is_some());
        let legend_rows = 1.0 + (self.series.iter().map(|name| name.chars().count() + 6).sum::<usize>() / 85) as f64;
        let top = 34.0 + 18.0 * legend_rows + 8.0;
        let bottom = top + rows as f64 * ROW + self.groups.len() as f64 * GAP;
        let mut canvas = Canvas::new(WIDTH, bottom + 44.0);
        canvas.text((0.0, 16.0), Anchor::Start, "title", &self.title);
        let mut legend: Vec<(String, String)> = Vec::new();
        for (series, name) in self.series.iter().enumerate() {
            legend.push((dot((6.0, 0.0), &colour(series), ""), name.clone()));
        }
        if has_published {
            legend.push((diamond((6.0, 0.0), "var(--muted)", ""), "published".into()));
        }
        canvas.legend((0.0, 36.0), &legend);
        let axis = Axis::rates(LEFT, WIDTH - 20.0);
        for tick in RATE_TICKS {
            let class = if tick == 0.5 { "class=\"even\"" } else { "class=\"grid\"" };
            canvas.line((axis.at(tick), top), (axis.at(tick), bottom), class);
            canvas.text((axis.at(tick), bottom + 16.0), Anchor::Middle, "quiet", &format!("{:.0}", 100.0 * tick));
        }
        canvas.text((axis.at(0.5), bottom + 36.0), Anchor::Middle, "quiet", "win rate in %, with 95 % intervals");
        let mut y = top + GAP / 2.0;
        for group in &self.groups {
            let middle = y + group.whiskers.len() as f64 * ROW / 2.0 + 4.0;
            canvas.text((LEFT - 12.0, middle), Anchor::End, "", &group.label);
            for whisker in &group.whiskers {
                self.draw(&mut canvas, (&axis, y + ROW / 2.0), &group.label, whisker);
                y += ROW;
            }
            y += GAP;
            canvas.line((LEFT - 180.0, y - GAP / 2.0), (WIDTH - 20.0, y - GAP / 2.0), "class=\"grid\"");
        }
        canvas.finish(&self.title)
    }

    fn draw(&self, canvas: &mut Canvas, (axis, y): (&Axis, f64), label: &str, whisker: &Whisker) {
        let colour = colour(whisker.series);
        let name = format!("{label}, {}", self.series.get(whisker.series).map_or("", String::as_str));
        let style = format!("class=\"whisker\" stroke=\"{colour}\"");
        // With both to show, the published rate lies a little above ours.
        let shift = if whisker.ours.is_some() && whisker.published.is_some() { 3.5 } else { 0.0 };
        if let Some((rate, interval)) = whisker.published {
            let y = y - shift;
            canvas.line(
                (axis.at(interval.low), y),
                (axis.at(interval.high), y),
                &format!("{style} stroke-dasharray=\"2 2\""),
            );
            canvas.add(&diamond((axis.at(rate), y), &colour, &tip(&format!("{name}, published"), rate, interval)));
        }
        if let Some((rate, interval)) = whisker.ours {
            let y = y + shift;
            canvas.line((axis.at(interval.low), y), (axis.at(interval.high), y), &style);
            for end in [interval.low, interval.high] {
                canvas.line((axis.at(end), y - 3.0), (axis.at(end), y + 3.0), &style);
            }
            canvas.add(&dot((axis.at(rate), y), &colour, &tip(&name, rate, interval)));
        }
    }
}
