//! Draws a [`View`] as text.

use crate::{Layout, View};
use std::fmt::Write as _;

/// Which characters a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Pieces as their Unicode glyphs.
    Unicode,
    /// Nothing beyond ASCII.
    Ascii,
}

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The characters to use.
    pub charset: Charset,
    /// Whether to colour pieces by role with ANSI escapes.
    pub color: bool,
}

impl Style {
    /// Unicode or ASCII by the locale variables, colour unless `NO_COLOR` is set, as <https://no-color.org> asks.
    ///
    /// `variable` looks up an environment variable; `terminal` says whether the text goes to a terminal.
    pub fn detect(variable: impl Fn(&str) -> Option<String>, terminal: bool) -> Style {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
        // No locale at all is what containers and CI have; what reads their output knows UTF-8.
        let unicode = locale.is_none_or(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        let dumb = set("TERM").is_some_and(|term| term == "dumb");
        Style {
            charset: if unicode { Charset::Unicode } else { Charset::Ascii },
            color: terminal && !dumb && set("NO_COLOR").is_none(),
        }
    }
}

impl View {
    /// The position as lines of text. Cells touched by the last move stand in parentheses.
    pub fn draw(&self, style: Style) -> String {
        let mut text = match self.layout {
            Layout::Square | Layout::Hex => self.draw_board(style),
            Layout::Free => self.draw_list(style),
        };
        for note in &self.notes {
            let _ = writeln!(text, "{note}");
        }
        text
    }

    fn draw_board(&self, style: Style) -> String {
        let column = |x: i32, y: i32| match self.layout {
            Layout::Hex => 2 * x + y,
            _ => 2 * x,
        };
        let bounds = |values: &mut dyn Iterator<Item = i32>| {
            values.fold(None, |range: Option<(i32, i32)>, v| match range {
                None => Some((v, v)),
                Some((low, high)) => Some((low.min(v), high.max(v))),
            })
        };
        let first_of_label = |text: &str, x, y| column(x, y) + 1 - text.chars().count() as i32;
        let mut lefts = (self.cells.iter().map(|c| column(c.x, c.y)))
            .chain(self.labels.iter().map(|l| first_of_label(&l.text, l.x, l.y)));
        let mut rows = self.cells.iter().map(|c| c.y).chain(self.labels.iter().map(|l| l.y));
        let (Some((left, _)), Some((top, bottom))) = (bounds(&mut lefts), bounds(&mut rows)) else {
            return String::new();
        };
        // One blank in front, where the parenthesis of a marked first cell goes.
        let place = |col: i32| (col - left + 1) as usize;
        let mut text = String::new();
        for y in top..=bottom {
            let mut line = TextLine::default();
            for label in self.labels.iter().filter(|label| label.y == y) {
                let start = place(first_of_label(&label.text, label.x, label.y));
                for (offset, c) in label.text.chars().enumerate() {
                    line.put(start + offset, c, None);
                }
            }
            for cell in self.cells.iter().filter(|cell| cell.y == y) {
                let at = place(column(cell.x, cell.y));
                let (glyph, tint) = self.glyph(cell.piece, style);
                line.put(at, glyph, tint);
                if cell.marked {
                    line.enclose(at);
                }
            }
            text.push_str(&line.finish());
            text.push('\n');
        }
        text
    }

    fn draw_list(&self, style: Style) -> String {
        let mut text = String::new();
        for cell in &self.cells {
            let (glyph, tint) = self.glyph(cell.piece, style);
            let mut line = TextLine::default();
            line.put(1, glyph, tint);
            if cell.marked {
                line.enclose(1);
            }
            let _ = writeln!(text, "{} {}", line.finish(), cell.name);
        }
        text
    }

    fn glyph(&self, piece: Option<usize>, style: Style) -> (char, Option<usize>) {
        let Some(piece) = piece.map(|index| &self.pieces[index]) else {
            return (if style.charset == Charset::Unicode { '·' } else { '.' }, None);
        };
        let glyph = if style.charset == Charset::Unicode { piece.glyph } else { piece.ascii };
        (glyph, piece.role.map(|role| role.index()).filter(|_| style.color))
    }
}

/// Bold foreground colours, one per role: yellow, cyan, magenta, green, red, blue.
const TINTS: [&str; 6] = ["1;33", "1;36", "1;35", "1;32", "1;31", "1;34"];

/// A line of characters, each with an optional tint.
#[derive(Default)]
struct TextLine(Vec<(char, Option<usize>)>);

impl TextLine {
    fn put(&mut self, at: usize, c: char, tint: Option<usize>) {
        if self.0.len() <= at {
            self.0.resize(at + 1, (' ', None));
        }
        self.0[at] = (c, tint);
    }

    /// Parentheses around a character; two marked neighbours share one pair.
    fn enclose(&mut self, at: usize) {
        match self.0[at - 1].0 {
            ')' => self.put(at - 1, ' ', None),
            ' ' => self.put(at - 1, '(', None),
            _ => {}
        }
        self.put(at + 1, ')', None);
    }

    fn finish(&self) -> String {
        let mut text = String::new();
        for &(c, tint) in &self.0 {
            match tint {
                Some(tint) => {
                    let _ = write!(text, "\x1b[{}m{c}\x1b[0m", TINTS[tint % TINTS.len()]);
                }
                None => text.push(c),
            }
        }
        text.truncate(text.trim_end().len());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Label, Piece, Role};

    const PLAIN: Style = Style { charset: Charset::Ascii, color: false };

    #[test]
    fn square_board_with_marks() {
        let mut view = View::square(4, 2, Piece::stones());
        view.cells[0].piece = Some(0);
        view.cells[5].piece = Some(1);
        view.mark([0, 2, 3, 5]);
        assert_eq!(view.draw(PLAIN), " 2 .(O). .\n 1(X).(. .)\n   a b c d\n");
        let unicode = Style { charset: Charset::Unicode, color: false };
        assert_eq!(view.draw(unicode), " 2 ·(○)· ·\n 1(●)·(· ·)\n   a b c d\n");
    }

    #[test]
    fn hexagonal_rows_are_shifted_by_half_a_cell() {
        let cell = |name: &str, x, y| Cell { name: name.into(), x, y, piece: None, marked: false };
        let view = View {
            layout: Layout::Hex,
            cells: vec![cell("p", 1, 0), cell("q", 2, 0), cell("r", 0, 1), cell("s", 1, 1), cell("t", 2, 1)],
            pieces: vec![],
            labels: vec![Label { text: "10".into(), x: -1, y: 1 }],
            notes: vec!["A note.".into()],
        };
        assert_eq!(view.draw(PLAIN), "     . .\n 10 . . .\nA note.\n");
    }

    #[test]
    fn list_layout_names_every_cell() {
        let mut view = View::square(2, 1, vec![Piece::of(Role(0), "token", 'T', 'T')]);
        view.layout = Layout::Free;
        view.cells[1].piece = Some(0);
        view.mark([1]);
        assert_eq!(view.draw(PLAIN), " . a1\n(T) b1\n");
    }

    #[test]
    fn colour_marks_roles() {
        let mut view = View::square(1, 1, Piece::stones());
        view.cells[0].piece = Some(1);
        let text = view.draw(Style { charset: Charset::Ascii, color: true });
        assert_eq!(text, " 1 \x1b[1;36mO\x1b[0m\n   a\n");
    }

    #[test]
    fn an_empty_view_is_no_lines() {
        let view = View { layout: Layout::Square, cells: vec![], pieces: vec![], labels: vec![], notes: vec![] };
        assert_eq!(view.draw(PLAIN), "");
    }

    #[test]
    fn style_follows_the_environment() {
        let detect = |pairs: &'static [(&str, &str)], terminal| {
            let lookup = |name: &str| pairs.iter().find(|p| p.0 == name).map(|p| p.1.to_owned());
            Style::detect(lookup, terminal)
        };
        let unicode = |color| Style { charset: Charset::Unicode, color };
        assert_eq!(detect(&[], true), unicode(true));
        assert_eq!(detect(&[("NO_COLOR", "1")], true), unicode(false));
        assert_eq!(detect(&[("NO_COLOR", "")], true), unicode(true));
        assert_eq!(detect(&[("TERM", "dumb")], true), unicode(false));
        assert_eq!(detect(&[("LANG", "de_DE.UTF-8")], false), unicode(false));
        assert_eq!(detect(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "C")], false).charset, Charset::Ascii);
    }
}
