//! Draws a picture of a position as SVG.

use ludens::game::{Cell, Layout, Piece, View};
use std::fmt::Write as _;

/// The width of a cell.
const SIZE: f64 = 40.0;

/// Rows of hexagons are this far apart.
const HEX_ROW: f64 = 0.866;

/// Colours of pieces whose names say none, by role.
const ROLES: [&str; 4] = ["#e8a33d", "#3f7fbf", "#b0508f", "#4f9a5b"];

/// Colours that names of pieces say.
const NAMED: [(&str, &str); 6] = [
    ("white", "#fafafa"),
    ("black", "#333333"),
    ("red", "#c8373d"),
    ("blue", "#2f6fc0"),
    ("green", "#2f8f4e"),
    ("yellow", "#e0b52a"),
];

/// The picture; `title` is for those who cannot see it, and stands alone where there is nothing to draw.
pub(crate) fn draw(view: &View, title: &str) -> String {
    let mut body = String::new();
    let mut bounds = Bounds::default();
    match view.layout {
        Layout::Free => draw_list(view, &mut body, &mut bounds),
        Layout::Square | Layout::Hex => draw_board(view, &mut body, &mut bounds),
    }
    let alone = [title.to_owned()];
    let is_empty = view.cells.is_empty() && view.notes.is_empty();
    for line in if is_empty { &alone[..] } else { &view.notes } {
        let y = if bounds.is_empty() { SIZE / 2.0 } else { bounds.bottom + 20.0 };
        text(&mut body, (bounds.left_or(0.0), y), "start", 14.0, line);
        bounds.add(bounds.left_or(0.0), y - 14.0, 8.0 * line.chars().count() as f64, 18.0);
    }
    let (x, y) = (bounds.left - 4.0, bounds.top - 4.0);
    let (width, height) = (bounds.right - x + 4.0, bounds.bottom - y + 4.0);
    let shown = width.min(480.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x:.1} {y:.1} {width:.1} {height:.1}\" width=\"{shown:.0}\" \
         font-family=\"sans-serif\"><title>{}</title>{body}</svg>",
        escape(title)
    )
}

fn draw_board(view: &View, body: &mut String, bounds: &mut Bounds) {
    let is_hex = view.layout == Layout::Hex;
    let centre = |x: i32, y: i32| {
        let (x, y) = (f64::from(x), f64::from(y));
        if is_hex { (SIZE * (x + y / 2.0), SIZE * HEX_ROW * y) } else { (SIZE * x, SIZE * y) }
    };
    for cell in &view.cells {
        let at = centre(cell.x, cell.y);
        bounds.add(at.0 - SIZE / 2.0, at.1 - SIZE * 0.58, SIZE, SIZE * 1.16);
        let fill = match () {
            () if cell.marked => "#f2d58a",
            () if !is_hex && (cell.x + cell.y) % 2 != 0 => "#c8b394",
            () => "#e9dcc5",
        };
        let _ = write!(body, "<polygon points=\"{}\" fill=\"{fill}\" stroke=\"#8a7a62\"/>", outline(at, is_hex));
        piece(view, cell, at, body);
    }
    for label in &view.labels {
        let (x, y) = centre(label.x, label.y);
        bounds.add(x - 12.0, y - 12.0, 24.0, 24.0);
        text(body, (x, y + 5.0), "middle", 14.0, &label.text);
    }
}

fn draw_list(view: &View, body: &mut String, bounds: &mut Bounds) {
    for (place, cell) in view.cells.iter().enumerate() {
        let y = SIZE * place as f64;
        piece(view, cell, (0.0, y), body);
        text(body, (SIZE * 0.7, y + 5.0), "start", 14.0, &cell.name);
        bounds.add(-SIZE / 2.0, y - SIZE / 2.0, SIZE * 1.2 + 8.0 * cell.name.chars().count() as f64, SIZE);
    }
}

fn outline((x, y): (f64, f64), is_hex: bool) -> String {
    let half = SIZE / 2.0;
    let (tip, side) = (SIZE * 0.577, SIZE * 0.289);
    let corners: &[(f64, f64)] = if is_hex {
        &[(0.0, -tip), (half, -side), (half, side), (0.0, tip), (-half, side), (-half, -side)]
    } else {
        &[(-half, -half), (half, -half), (half, half), (-half, half)]
    };
    corners.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy)).collect::<Vec<_>>().join(" ")
}

/// A disc in the colour of its owner, with its letter unless it is a stone.
fn piece(view: &View, cell: &Cell, (x, y): (f64, f64), body: &mut String) {
    let Some(piece) = cell.piece.map(|piece| &view.pieces[piece]) else { return };
    let radius = SIZE * 0.38;
    let _ = write!(
        body,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{}\" stroke=\"#555\"><title>{}</title></circle>",
        colour(piece),
        escape(&format!("{}: {}", cell.name, piece.name))
    );
    if !['●', '○'].contains(&piece.glyph) {
        text(body, (x, y + 6.0), "middle", 18.0, &piece.glyph.to_string());
    }
}

fn colour(piece: &Piece) -> &'static str {
    let named = NAMED.iter().find(|(name, _)| piece.name.contains(name));
    named.map(|&(_, colour)| colour).or(piece.role.map(|role| ROLES[role.index() % ROLES.len()])).unwrap_or("#9aa0a6")
}

fn text(body: &mut String, (x, y): (f64, f64), anchor: &str, size: f64, text: &str) {
    let _ = write!(
        body,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\" fill=\"#777\">{}</text>",
        escape(text)
    );
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The rectangle around everything drawn so far.
#[derive(Default)]
struct Bounds {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    drawn: bool,
}

impl Bounds {
    fn add(&mut self, x: f64, y: f64, width: f64, height: f64) {
        if !std::mem::replace(&mut self.drawn, true) {
            *self = Bounds { left: x, top: y, right: x + width, bottom: y + height, drawn: true };
        }
        self.left = self.left.min(x);
        self.top = self.top.min(y);
        self.right = self.right.max(x + width);
        self.bottom = self.bottom.max(y + height);
    }

    fn is_empty(&self) -> bool {
        !self.drawn
    }

    fn left_or(&self, x: f64) -> f64 {
        if self.drawn { self.left } else { x }
    }
}
