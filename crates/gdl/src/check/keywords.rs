//! Keywords: where each may stand, and with how many arguments.

use super::walk;
use crate::ast::{Atom, Rule, Sheet, Term};
use crate::diagnostic::{Diagnostic, MAX_REMARKS, Span};
use crate::symbols::{Symbol, keyword};

pub(super) fn check(sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) {
    let mut checker = Checker { sheet, remarked: vec![false; sheet.symbols.count()], diagnostics };
    for rule in &sheet.rules {
        if checker.diagnostics.len() >= MAX_REMARKS {
            return;
        }
        checker.head(rule);
        walk::conditions(&rule.body, &mut |atom, _| checker.condition(atom));
        walk::arguments(rule, &mut |term| walk::subterms(term, &mut |term| checker.term(term)));
    }
}

struct Checker<'a> {
    sheet: &'a Sheet,
    /// Names about which a warning has been given: one for each is enough.
    remarked: Vec<bool>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Checker<'_> {
    fn head(&mut self, rule: &Rule) {
        let head = &rule.head;
        let misplaced = match head.name {
            keyword::TRUE => {
                Some(("`true` cannot be a head", "use (init …) for the start and (next …) for what holds after a step"))
            }
            keyword::DOES => Some((
                "`does` cannot be a head",
                "players choose their moves; use (legal role move) for what they may choose",
            )),
            keyword::ROLE if !rule.body.is_empty() => {
                Some(("roles cannot depend on conditions", "write a fact for every role: (role white)"))
            }
            _ => None,
        };
        if let Some((title, help)) = misplaced {
            self.diagnostics.push(Diagnostic::error(head.span, title).label("this is a head").help(help));
        }
        self.arity(head);
    }

    fn condition(&mut self, atom: &Atom) {
        let help = match atom.name {
            keyword::INIT => "ask for the state with (true …)",
            keyword::NEXT => "next can only be a head; repeat the conditions of that rule here",
            keyword::BASE => "base only lists possible facts; define a relation of your own",
            keyword::INPUT => "input only lists possible moves; define a relation of your own",
            _ => return self.arity(atom),
        };
        let title = format!("`{}` cannot be a condition", self.sheet.symbols.name(atom.name));
        self.diagnostics.push(Diagnostic::error(atom.span, title).label("allowed only as a head").help(help));
    }

    fn arity(&mut self, atom: &Atom) {
        let Some(expected) = keyword::arity(atom.name).filter(|&arity| arity != atom.args.len()) else { return };
        let count = match expected {
            0 => "no arguments",
            1 => "one argument",
            _ => "two arguments",
        };
        let name = self.sheet.symbols.name(atom.name);
        let title = format!("`{name}` takes {count}, but has {} here", atom.args.len());
        let form = match atom.name {
            keyword::TERMINAL => "terminal".to_owned(),
            keyword::ROLE => "(role name)".to_owned(),
            keyword::GOAL => "(goal role value)".to_owned(),
            name_with_move if expected == 2 => format!("({} role move)", self.sheet.symbols.name(name_with_move)),
            _ => format!("({name} fact)"),
        };
        self.diagnostics.push(Diagnostic::error(atom.span, title).help(format!("the form is {form}")));
    }

    /// Inside terms no name has a meaning: a connective there is a slip, another keyword at least confusing.
    fn term(&mut self, term: &Term) {
        match term {
            Term::Variable(..) => {}
            Term::Constant(name, span) => self.plain_name(*name, *span, "a constant"),
            Term::Function(function) => self.plain_name(function.name, function.name_span, "a function"),
        }
    }

    fn plain_name(&mut self, name: Symbol, span: Span, what: &str) {
        let word = self.sheet.symbols.name(name);
        let Some(found) = keyword::find(word) else { return };
        match found {
            keyword::DISTINCT | keyword::NOT | keyword::OR | keyword::AND | keyword::RULE => {
                let error = Diagnostic::error(span, format!("`{word}` cannot appear inside a term"));
                self.diagnostics.push(error.label("a name is expected").help("connectives combine conditions"));
            }
            _ => {
                if !std::mem::replace(&mut self.remarked[name.index()], true) {
                    let warning = Diagnostic::warning(span, format!("the keyword `{word}` is used as {what}"));
                    self.diagnostics.push(warning.label("an ordinary name here").help("choose another name"));
                }
            }
        }
    }
}
