//! [`Diagnostic`]: what is wrong with a sheet, where, and what to do, as plain data.

/// Where a sheet gives reason for more remarks than this, the search for further ones ends.
pub(crate) const MAX_REMARKS: usize = 1000;

/// A range of bytes of the sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte behind the last one.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span as a range for slicing the sheet's bytes.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Playable, but probably not what was meant, or written in a way that not every engine accepts.
    Warning,
    /// Not playable.
    Error,
}

/// One remark about a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The place that is underlined.
    pub span: Span,
    /// The remark in one sentence, without a full stop.
    pub title: String,
    /// What is said right at the underlined place; may be empty.
    pub label: String,
    /// Further places that belong to the remark, each with what is said there.
    pub related: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, title: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, span, title.into())
    }

    /// A warning at a place.
    pub fn warning(span: Span, title: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, span, title.into())
    }

    fn new(severity: Severity, span: Span, title: String) -> Diagnostic {
        Diagnostic { severity, span, title, label: String::new(), related: Vec::new(), help: None }
    }

    /// Adds what is said at the underlined place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related.push((span, label.into()));
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Whether the sheet cannot be played because of this.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
