//! [`check`]: what is wrong with a sheet, all of it at once, each remark with its place and what to do.
//!
//! Errors are what the language forbids: missing parts, keywords out of place, variables without values, recursion that
//! need not end, moves that decide about themselves. Warnings are what can be played but was hardly meant so. Negation
//! in a cycle is judged on ground atoms by the grounder; here it is only pointed out where the rules as written allow it.

mod case;
mod dependence;
mod goals;
mod graph;
mod keywords;
mod names;
mod negation;
mod parts;
mod recursion;
mod safety;
mod shapes;
mod walk;

use crate::ast::Sheet;
use crate::diagnostic::Diagnostic;
use crate::limits::Limits;
use crate::rules::Rules;
use graph::Graph;

/// What a text turned out to be, with all remarks about it in the order of their places.
pub struct Checked {
    /// The rules as written.
    pub sheet: Sheet,
    /// The rules in normal form.
    pub rules: Rules,
    /// Everything there is to say; the sheet is fit to be played if no error is among it.
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    /// Reads and checks a sheet.
    pub fn new(text: &str) -> Checked {
        Checked::within(text, Limits::DEFAULT)
    }

    /// Reads and checks a sheet within limits.
    pub fn within(text: &str, limits: Limits) -> Checked {
        let mut diagnostics = Vec::new();
        let sheet = Sheet::read_within(text, limits, &mut diagnostics);
        check(&sheet, &mut diagnostics);
        let rules = Rules::new(&sheet, &mut diagnostics);
        goals::check(&rules, &mut diagnostics);
        diagnostics.sort_by_key(|remark| remark.span.start);
        Checked { sheet, rules, diagnostics }
    }

    /// Whether the sheet cannot be played.
    pub fn is_broken(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Adds to `diagnostics`, which has the remarks of the reading, what there is to say about the sheet.
pub fn check(sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) {
    // What seems to be missing may stand in the part that could not be read.
    let complete = !diagnostics.iter().any(Diagnostic::is_error);
    let graph = Graph::new(sheet);
    keywords::check(sheet, diagnostics);
    safety::check(sheet, diagnostics);
    dependence::check(sheet, &graph, diagnostics);
    recursion::check(sheet, &graph, diagnostics);
    negation::check(sheet, &graph, diagnostics);
    case::check(sheet, diagnostics);
    if complete {
        parts::check(sheet, diagnostics);
        names::check(sheet, &graph, diagnostics);
        shapes::check(sheet, diagnostics);
    }
}
