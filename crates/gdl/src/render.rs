//! Remarks as text, with the lines they are about and the places underlined.

use crate::diagnostic::{Diagnostic, Severity, Span};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

/// Remarks beyond this number are only counted.
const MAX_SHOWN: usize = 100;

/// Of longer lines only a part around the place is looked at. Servers send whole sheets as one line.
const MAX_LINE: usize = 1 << 17;

/// Longer places are underlined in part.
const MAX_UNDERLINED: usize = 80;

/// Why the sheet `text` in `file` is refused, on one line: the first error with its place.
pub fn refusal_line(file: &str, text: &str, remarks: &[Diagnostic]) -> String {
    let errors: Vec<_> = remarks.iter().filter(|remark| remark.is_error()).collect();
    let first = errors.first().map_or("it cannot be played", |remark| &*remark.title);
    let (line, column) = errors.first().map_or((1, 1), |remark| position(remark.span, text));
    let more = match errors.len() {
        0 | 1 => String::new(),
        count => format!(" (the first of {count} errors; see all with: ludens gdl check {file})"),
    };
    format!("{file}:{line}:{column}: {first}{more}")
}

/// How remarks are drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rendering {
    /// Whether to use colours.
    pub color: bool,
    /// Whether the frame may have characters beyond ASCII.
    pub unicode: bool,
}

impl Rendering {
    /// All remarks about the sheet `text`, which is called `name`, errors first.
    pub fn render(self, diagnostics: &[Diagnostic], name: &str, text: &str) -> String {
        let mut sorted: Vec<_> = diagnostics.iter().collect();
        sorted.sort_by_key(|remark| (std::cmp::Reverse(remark.severity), remark.span.start));
        let mut out = String::new();
        for remark in sorted.iter().take(MAX_SHOWN) {
            out.push_str(&self.one(remark, name, text));
            out.push_str("\n\n");
        }
        if sorted.len() > MAX_SHOWN {
            let _ = writeln!(out, "… and {} more", sorted.len() - MAX_SHOWN);
        }
        out
    }

    fn one(self, remark: &Diagnostic, name: &str, text: &str) -> String {
        let level = match remark.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = Group::with_title(level.primary_title(&*remark.title));
        if remark.span == Span::default() {
            group = group.element(Origin::path(name));
        } else {
            group = annotate(group, remark, name, text);
        }
        if let Some(help) = &remark.help {
            group = group.element(Level::HELP.message(&**help));
        }
        let renderer = if self.color { Renderer::styled() } else { Renderer::plain() };
        let decor = if self.unicode { DecorStyle::Unicode } else { DecorStyle::Ascii };
        renderer.decor_style(decor).render(&[group])
    }
}

/// Line and column of a place, both counted from 1; the column in characters.
pub fn position(span: Span, text: &str) -> (usize, usize) {
    let start = span.range().start;
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    (line_number(text, start), 1 + text[line_start..start].chars().count())
}

/// Adds one piece of the sheet per place, or one for all if the lines are short.
fn annotate<'a>(mut group: Group<'a>, remark: &'a Diagnostic, name: &'a str, text: &'a str) -> Group<'a> {
    let places = std::iter::once((remark.span, &*remark.label, AnnotationKind::Primary))
        .chain(remark.related.iter().map(|(span, label)| (*span, &**label, AnnotationKind::Context)));
    let places: Vec<_> = places.map(|(span, label, kind)| (visible(span, text), label, kind)).collect();
    let annotation = |(place, label, kind): &(Range<usize>, &'a str, AnnotationKind), start: usize| {
        let annotation = kind.span(place.start - start..place.end - start);
        if label.is_empty() { annotation } else { annotation.label(*label) }
    };
    let windows: Vec<_> = places.iter().map(|(place, ..)| window(place, text)).collect();
    let start = windows.iter().map(|window| window.start).min().unwrap_or(0);
    let end = windows.iter().map(|window| window.end).max().unwrap_or(0);
    let all = &text[start..end];
    if all.lines().all(|line| line.len() <= MAX_LINE) {
        let snippet = Snippet::source(without_returns(all)).line_start(line_number(text, start)).path(name);
        return group.element(snippet.annotations(places.iter().map(|place| annotation(place, start))));
    }
    for (place, window) in places.iter().zip(windows) {
        let snippet = Snippet::source(without_returns(&text[window.clone()]))
            .line_start(line_number(text, window.start))
            .path(name);
        group = group.element(snippet.annotation(annotation(place, window.start)));
    }
    group
}

/// The part of a span that is underlined: not more than its first line.
fn visible(span: Span, text: &str) -> Range<usize> {
    let Range { start, end } = span.range();
    let first_line = text[start..end].lines().next().map_or(0, str::len);
    start..floor(text, start + first_line.min(MAX_UNDERLINED))
}

/// The lines around a place, or a part of them if they are long.
fn window(place: &Range<usize>, text: &str) -> Range<usize> {
    let start = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
    let end = place.end + text[place.end..].lines().next().map_or(0, str::len);
    let margin = (MAX_LINE - place.len()) / 2;
    let start = if place.start - start > margin { floor(text, place.start - margin) } else { start };
    let end = if end - place.end > margin { floor(text, place.end + margin) } else { end };
    start..end
}

/// The last boundary between characters that is not behind `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// The text with blanks for carriage returns, which would be drawn.
fn without_returns(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { text.replace('\r', " ").into() } else { text.into() }
}

fn line_number(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count()
}
