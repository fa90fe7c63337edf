//! Facts that are asked for but never become true, and moves that are asked for but never legal.

use super::walk;
use crate::ast::{Atom, Literal, Rule, Sheet, Term};
use crate::diagnostic::{Diagnostic, MAX_REMARKS};
use crate::symbols::{Symbol, keyword};
use ludens_game::nearest_name;
use rustc_hash::FxHashSet;

/// A fact or a move without its arguments.
type Shape = (Symbol, usize);

pub(super) fn check(sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) {
    let facts = Supply {
        given: shapes(sheet, new_fact),
        complaint: "never becomes true",
        advice: "add it with (init …) or (next …)",
    };
    let moves = Supply {
        given: shapes(sheet, |rule| rule.head.args.get(1).filter(|_| rule.head.name == keyword::LEGAL)),
        complaint: "is never a legal move",
        advice: "allow it with (legal role move)",
    };
    let mut remarked = FxHashSet::default();
    for rule in &sheet.rules {
        walk::conditions(&rule.body, &mut |atom, _| {
            let (supply, term) = match (atom.name, &*atom.args) {
                (keyword::TRUE, [fact]) => (&facts, fact),
                (keyword::DOES, [_, mv]) => (&moves, mv),
                _ => return,
            };
            let (Some(given), Some(shape)) = (&supply.given, shape(term)) else { return };
            if !given.contains(&shape) && remarked.len() < MAX_REMARKS && remarked.insert((atom.name, shape)) {
                diagnostics.push(supply.remark(sheet, term, shape));
            }
        });
    }
}

/// What the heads of rules provide.
struct Supply {
    /// `None` if it can be anything.
    given: Option<FxHashSet<Shape>>,
    complaint: &'static str,
    advice: &'static str,
}

impl Supply {
    fn remark(&self, sheet: &Sheet, term: &Term, shape: Shape) -> Diagnostic {
        let name = sheet.symbols.name(shape.0);
        let known = self.given.iter().flatten();
        let text = if shape.1 == 0 { name.to_owned() } else { format!("({name} …)") };
        let title = match known.clone().find(|other| other.0 == shape.0) {
            Some(_) => format!("`{text}` with this number of arguments {}", self.complaint),
            None => format!("`{text}` {}", self.complaint),
        };
        let remark = Diagnostic::warning(term.span(), title);
        let alike = known.filter(|other| other.1 == shape.1).map(|other| sheet.symbols.name(other.0));
        match nearest_name(name, alike) {
            Some(meant) => remark.help(format!("did you mean `{meant}`?")),
            None => remark.help(self.advice),
        }
    }
}

fn shape(term: &Term) -> Option<Shape> {
    match term {
        Term::Variable(..) => None,
        Term::Constant(name, _) => Some((*name, 0)),
        Term::Function(function) => Some((function.name, function.args.len())),
    }
}

fn shapes(sheet: &Sheet, part: impl Fn(&Rule) -> Option<&Term>) -> Option<FxHashSet<Shape>> {
    sheet.rules.iter().filter_map(part).map(shape).collect()
}

/// The fact that a rule can bring into the world; `(<= (next ?f) (true ?f) …)` only keeps what is there.
fn new_fact(rule: &Rule) -> Option<&Term> {
    let fact = rule.head.args.first().filter(|_| matches!(rule.head.name, keyword::INIT | keyword::NEXT))?;
    let keeps = |literal: &Literal| match (literal, fact) {
        (Literal::Atom(Atom { name: keyword::TRUE, args, .. }), Term::Variable(new, _)) => {
            matches!(&**args, [Term::Variable(old, _)] if old == new)
        }
        _ => false,
    };
    (!rule.body.iter().any(keeps)).then_some(fact)
}
