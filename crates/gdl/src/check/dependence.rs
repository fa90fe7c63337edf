//! What may depend on the state and on the moves: `legal`, `goal` and `terminal` on the state alone, the lists `init`,
//! `base` and `input` on neither.

use super::graph::Graph;
use crate::ast::Sheet;
use crate::diagnostic::Diagnostic;
use crate::symbols::{Symbol, keyword};

/// Longer chains of relations are cut in the message.
const SHOWN_STEPS: usize = 6;

pub(super) fn check(sheet: &Sheet, graph: &Graph, diagnostics: &mut Vec<Diagnostic>) {
    for name in [keyword::LEGAL, keyword::GOAL, keyword::TERMINAL] {
        diagnostics.extend(forbidden(sheet, graph, name, keyword::DOES));
    }
    for name in [keyword::INIT, keyword::BASE, keyword::INPUT] {
        diagnostics.extend(forbidden(sheet, graph, name, keyword::TRUE));
        diagnostics.extend(forbidden(sheet, graph, name, keyword::DOES));
    }
}

/// An error if relation `from` depends on `to`.
fn forbidden(sheet: &Sheet, graph: &Graph, from: Symbol, to: Symbol) -> Option<Diagnostic> {
    let node = |name| graph.find((name, keyword::arity(name)?));
    let path = graph.path(node(from)?, node(to)?)?;
    let word = |name| sheet.symbols.name(name);
    let asked = |at: usize| word(graph.relations[path[at].to as usize].0);
    let title = format!("`{}` depends on `{}`", word(from), word(to));
    let mut remark = Diagnostic::error(path[0].span, title).label(format!("asks for `{}`", asked(0)));
    for (at, edge) in path.iter().enumerate().skip(1).take(SHOWN_STEPS) {
        remark = remark.related(edge.span, format!("`{}` asks for `{}`", asked(at - 1), asked(at)));
    }
    Some(remark.help(match (from, to) {
        (keyword::LEGAL, _) => "legal moves are decided before anyone moves: ask for the state with (true …)",
        (keyword::GOAL | keyword::TERMINAL, _) => {
            "goals and the end depend on the state alone: store the move in a fact with (next …)"
        }
        (_, keyword::TRUE) => "this list is built before there is a state: use relations that never change",
        _ => "this list is built before anyone moves: use relations that never change",
    }))
}
