//! What is said of a question that was given up.

use crate::diagnostic::{Diagnostic, Span};
use crate::limits::Limits;
use crate::render::position;
use crate::rules::Rules;

/// A limit that the interpreter keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    Steps,
    Memory,
    ProofDepth,
    TermDepth,
    TermSize,
    Moves,
}

/// A limit, and the clause that met it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Excess {
    pub(super) limit: Limit,
    pub(super) clause: u32,
}

/// Why a position has no future: working it out would have gone beyond a limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{title} (line {line}, column {column})")]
pub struct Failure {
    /// The rule that grows.
    pub span: Span,
    /// Which limit it meets, in one sentence without a full stop.
    pub title: String,
    /// What to do about it.
    pub help: &'static str,
    /// Where the rule stands in the sheet, both counted from 1.
    pub line: usize,
    /// See `line`.
    pub column: usize,
}

impl Failure {
    pub(super) fn new(rules: &Rules, Excess { limit, clause }: Excess) -> Failure {
        // A sheet without clauses derives nothing, and so meets no limit.
        let clause = &rules.clauses[clause as usize];
        let name = rules.symbols.name(rules.relations[clause.head.relation.index()].0);
        let Limits { steps, memory, proof_depth, term_depth, term_size, moves, .. } = rules.limits;
        let what = match limit {
            Limit::Steps => format!("takes more than {steps} steps to evaluate"),
            Limit::Memory => format!("needs more than {} MB to evaluate", memory >> 20),
            Limit::ProofDepth => format!("needs a proof more than {proof_depth} levels deep"),
            Limit::TermDepth => format!("builds terms nested more than {term_depth} deep"),
            Limit::TermSize => format!("builds terms of more than {term_size} names"),
            Limit::Moves => format!("gives the roles more than {moves} different moves"),
        };
        let help = match limit {
            Limit::TermDepth | Limit::TermSize => {
                "limit what the rule builds, for example with a relation that lists all possible terms"
            }
            _ => "look for conditions that share no variable, or split the rule into several with fewer variables",
        };
        let (line, column) = position(clause.span, &rules.text);
        Failure { span: clause.span, title: format!("this rule for `{name}` {what}"), help, line, column }
    }

    /// The failure as an error about the sheet.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::error(self.span, self.title.clone()).label("this rule grows too fast").help(self.help)
    }
}
