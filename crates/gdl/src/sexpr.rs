//! The reader: text to nested lists of words, with the place of each in the text.
//!
//! A word is anything between blanks and parentheses, so `++`, `<`, `?n++` and `-3` are words like any other. A semicolon
//! starts a comment that ends with its line. The reader uses no recursion and bounds the nesting, so that whoever walks
//! over the result may recurse.

use crate::diagnostic::{Diagnostic, Span};
use crate::limits::Limits;

/// A word or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sexpr {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: SexprKind,
}

/// The two kinds of [`Sexpr`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SexprKind {
    /// A word; its text is the text of the span.
    Word,
    /// A list in parentheses.
    List(Vec<Sexpr>),
}

impl Sexpr {
    /// The word's text, or `None` for a list.
    pub fn word<'t>(&self, text: &'t str) -> Option<&'t str> {
        match self.kind {
            SexprKind::Word => Some(&text[self.span.range()]),
            SexprKind::List(_) => None,
        }
    }

    /// The list's items, or `None` for a word.
    pub fn list(&self) -> Option<&[Sexpr]> {
        match &self.kind {
            SexprKind::Word => None,
            SexprKind::List(items) => Some(items),
        }
    }
}

/// Reads everything in `text`, within the usual limits.
///
/// # Errors
/// As [`read_within`].
pub fn read(text: &str) -> Result<Vec<Sexpr>, Diagnostic> {
    read_within(text, &Limits::DEFAULT)
}

/// Reads everything in `text`.
///
/// # Errors
/// Parentheses that do not match, and text beyond the limits of bytes and nesting.
pub fn read_within(text: &str, limits: &Limits) -> Result<Vec<Sexpr>, Diagnostic> {
    if text.len() > limits.bytes {
        return Err(Diagnostic::error(Span::new(0, 0), too_long(limits)));
    }
    let bytes = text.as_bytes();
    let mut top = Vec::new();
    // The lists that are still open: where each began, and its items so far.
    let mut open: Vec<(usize, Vec<Sexpr>)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let done = match bytes[at] {
            b';' => {
                at += bytes[at..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - at);
                continue;
            }
            b'(' => {
                if open.len() == limits.nesting {
                    let title = format!("lists are nested more than {} deep", limits.nesting);
                    return Err(Diagnostic::error(Span::new(at, at + 1), title).label("this list is too deep"));
                }
                open.push((at, Vec::new()));
                at += 1;
                continue;
            }
            b')' => {
                at += 1;
                let Some((start, items)) = open.pop() else {
                    return Err(Diagnostic::error(
                        Span::new(at - 1, at),
                        "this closing parenthesis has no opening one",
                    )
                    .label("closes nothing")
                    .help("remove it, or look for an extra parenthesis before it"));
                };
                Sexpr { span: Span::new(start, at), kind: SexprKind::List(items) }
            }
            byte if is_blank(byte) => {
                at += 1;
                continue;
            }
            _ => {
                let start = at;
                while at < bytes.len() && !is_blank(bytes[at]) && !matches!(bytes[at], b'(' | b')' | b';') {
                    at += 1;
                }
                if text[start..at].contains(char::REPLACEMENT_CHARACTER) {
                    let title = "an unreadable character was replaced by U+FFFD";
                    return Err(Diagnostic::error(Span::new(start, at), title).help("save the text as UTF-8"));
                }
                Sexpr { span: Span::new(start, at), kind: SexprKind::Word }
            }
        };
        open.last_mut().map_or(&mut top, |(_, items)| items).push(done);
    }
    match open.last() {
        None => Ok(top),
        Some(&(start, _)) => {
            Err(Diagnostic::error(Span::new(start, start + 1), "this opening parenthesis is never closed")
                .label(if open.len() == 1 {
                    "opened here".into()
                } else {
                    format!("opened here; {} are open at the end", open.len())
                })
                .help("add the closing parenthesis"))
        }
    }
}

/// A text without comments, one blank between words and parentheses: the same for all texts that are read alike.
pub(crate) fn bare(text: &str) -> String {
    let code: Vec<_> = text.split('\n').map(|line| line.split(';').next().unwrap_or_default()).collect();
    let padded = code.join(" ").replace('(', " ( ").replace(')', " ) ");
    let words = padded.split(|c: char| c.is_ascii() && is_blank(c as u8));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// What is said of a sheet with too many bytes.
pub(crate) fn too_long(limits: &Limits) -> String {
    format!("the sheet has more than {} bytes", limits.bytes)
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b || byte == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expression with one blank between words.
    fn show(expr: &Sexpr, text: &str) -> String {
        match expr.list() {
            None => expr.word(text).unwrap().to_owned(),
            Some(items) => format!("({})", items.iter().map(|i| show(i, text)).collect::<Vec<_>>().join(" ")),
        }
    }

    fn shown(text: &str) -> Vec<String> {
        read(text).unwrap().iter().map(|e| show(e, text)).collect()
    }

    #[test]
    fn comments_blanks_and_odd_words() {
        let text = "; (a comment\r\n(a b)\t( c d e );(\n(f g)(h(i j)k)\n(<=(++ ?n++ -3)(< ?n++ speed+)) lone";
        assert_eq!(
            shown(text),
            ["(a b)", "(c d e)", "(f g)", "(h (i j) k)", "(<= (++ ?n++ -3) (< ?n++ speed+))", "lone"]
        );
    }

    #[test]
    fn spans_are_byte_ranges() {
        let text = "; é\n (init(cell 1))";
        let top = read(text).unwrap();
        assert_eq!(&text[top[0].span.range()], "(init(cell 1))");
        assert_eq!(&text[top[0].list().unwrap()[1].span.range()], "(cell 1)");
    }

    #[test]
    fn unmatched_parentheses_have_a_place() {
        let place = |text| read(text).unwrap_err().span;
        assert_eq!(place("(a))"), Span::new(3, 4));
        assert_eq!(place("(a (b)"), Span::new(0, 1));
        assert_eq!(place("(a (b"), Span::new(3, 4));
    }

    #[test]
    fn two_names_do_not_become_one() {
        assert_eq!(read("(a b\u{fffd})").unwrap_err().span, Span::new(3, 7));
        assert!(read("; b\u{fffd}\n(a)").is_ok());
    }

    #[test]
    fn size_and_depth_are_bounded() {
        let deep = "(".repeat(100_000) + &")".repeat(100_000);
        assert!(read(&deep).unwrap_err().title.contains("nested"));
        let fits = "(".repeat(Limits::DEFAULT.nesting) + &")".repeat(Limits::DEFAULT.nesting);
        assert_eq!(read(&fits).unwrap().len(), 1);
        assert!(read(&" ".repeat(Limits::DEFAULT.bytes + 1)).unwrap_err().title.contains("bytes"));
    }
}
