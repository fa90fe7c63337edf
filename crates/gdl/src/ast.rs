//! [`Sheet`]: a rulesheet as its author wrote it, with the place of everything.
//!
//! Reading is lenient: what older servers send and what every engine understands the same way (rules without a body,
//! `(terminal)` with parentheses, the two-argument `base`) is brought into the usual form with a warning. Whether the
//! rules make sense is for the checks to say.

use crate::diagnostic::{Diagnostic, MAX_REMARKS, Span};
use crate::limits::Limits;
use crate::sexpr::{self, Sexpr};
use crate::symbols::{Symbol, Symbols, keyword};
use std::sync::Arc;

/// A rulesheet.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The text that was read.
    pub text: Arc<str>,
    /// All names.
    pub symbols: Symbols,
    /// Facts and rules in the order of the text.
    pub rules: Vec<Rule>,
    /// What whoever plays it may spend.
    pub limits: Limits,
}

/// `(<= head body…)`, or a fact: a rule without a body.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// From what.
    pub body: Vec<Literal>,
    /// The whole rule.
    pub span: Span,
}

/// `name` or `(name args…)`: a relation applied to terms, or a function term.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The relation's or function's name; a keyword in any case is its own symbol.
    pub name: Symbol,
    /// The place of the name.
    pub name_span: Span,
    /// The arguments.
    pub args: Vec<Term>,
    /// The whole atom.
    pub span: Span,
}

/// A condition of a rule.
#[derive(Clone, Debug)]
pub enum Literal {
    /// The atom holds.
    Atom(Atom),
    /// The condition does not hold.
    Not(Box<Literal>, Span),
    /// The two terms differ.
    Distinct(Box<[Term; 2]>, Span),
    /// One of the conditions holds.
    Or(Vec<Literal>, Span),
    /// All of the conditions hold.
    And(Vec<Literal>, Span),
}

/// An argument.
#[derive(Clone, Debug)]
pub enum Term {
    /// `?x`; the symbol's name has the question mark.
    Variable(Symbol, Span),
    /// `x`
    Constant(Symbol, Span),
    /// `(f x …)`
    Function(Atom),
}

impl Term {
    /// Where the term stands.
    pub fn span(&self) -> Span {
        match self {
            Term::Variable(_, span) | Term::Constant(_, span) => *span,
            Term::Function(atom) => atom.span,
        }
    }
}

impl Literal {
    /// Where the literal stands.
    pub fn span(&self) -> Span {
        match self {
            Literal::Atom(atom) => atom.span,
            Literal::Not(_, span) | Literal::Distinct(_, span) | Literal::Or(_, span) | Literal::And(_, span) => *span,
        }
    }
}

impl Sheet {
    /// Reads a sheet, adding remarks to `diagnostics`. What cannot be read is left out; with an error among the remarks
    /// the sheet is not fit to be played.
    pub fn read(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Sheet {
        Sheet::read_within(text, Limits::DEFAULT, diagnostics)
    }

    /// Reads a sheet as [`read`](Sheet::read) does, within limits that go with it.
    pub fn read_within(text: &str, limits: Limits, diagnostics: &mut Vec<Diagnostic>) -> Sheet {
        let mut reader = Reader { text, limits, symbols: Symbols::default(), diagnostics };
        let mut rules = Vec::new();
        match sexpr::read_within(text, &limits) {
            Ok(top) => {
                for expr in &top {
                    rules.extend(reader.rule(expr));
                    if reader.diagnostics.len() >= MAX_REMARKS {
                        reader.error(expr.span, "too many errors; the rest is not read", "start with the first");
                        break;
                    }
                }
            }
            Err(diagnostic) => reader.diagnostics.push(diagnostic),
        }
        Sheet { text: text.into(), symbols: reader.symbols, rules, limits }
    }
}

struct Reader<'a> {
    text: &'a str,
    limits: Limits,
    symbols: Symbols,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn error(&mut self, span: Span, title: impl Into<String>, help: &str) {
        self.diagnostics.push(Diagnostic::error(span, title).help(help));
    }

    fn rule(&mut self, expr: &Sexpr) -> Option<Rule> {
        let span = expr.span;
        let items = expr.list().unwrap_or_default();
        let (head, body) = match items.first().and_then(|first| first.word(self.text)) {
            Some("<=") => {
                let Some((head, body)) = items[1..].split_first() else {
                    self.error(span, "this rule has no head", "write (<= head condition …)");
                    return None;
                };
                if body.is_empty() {
                    let remark = Diagnostic::warning(span, "a rule without conditions is a fact");
                    self.diagnostics.push(remark.help("write the head alone"));
                }
                (self.atom(head)?, body.iter().map(|expr| self.literal(expr)).collect::<Vec<_>>())
            }
            _ => (self.atom(expr)?, Vec::new()),
        };
        let body = body.into_iter().collect::<Option<Vec<_>>>()?;
        if head.name == keyword::BASE && head.args.len() != 1 {
            let remark = Diagnostic::warning(span, "ignored an old form of base");
            self.diagnostics.push(remark.help("base takes one argument, the fact: (base (cell 1 1 b))"));
            return None;
        }
        Some(Rule { head, body, span })
    }

    fn literal(&mut self, expr: &Sexpr) -> Option<Literal> {
        let span = expr.span;
        let items = expr.list().unwrap_or_default();
        let connective = items.first().and_then(|first| first.word(self.text)).and_then(keyword::find);
        match connective {
            Some(keyword::NOT) => {
                let [_, inner] = items else {
                    self.error(span, "not takes one condition", "write (not (condition))");
                    return None;
                };
                Some(Literal::Not(Box::new(self.literal(inner)?), span))
            }
            Some(keyword::DISTINCT) => {
                let [_, left, right] = items else {
                    self.error(span, "distinct takes two terms", "write (distinct ?x ?y)");
                    return None;
                };
                Some(Literal::Distinct(Box::new([self.term(left)?, self.term(right)?]), span))
            }
            Some(keyword::OR | keyword::AND) => {
                let arms: Vec<_> = items[1..].iter().map(|arm| self.literal(arm)).collect();
                let arms = arms.into_iter().collect::<Option<Vec<_>>>()?;
                Some(if connective == Some(keyword::OR) { Literal::Or(arms, span) } else { Literal::And(arms, span) })
            }
            _ => Some(Literal::Atom(self.atom(expr)?)),
        }
    }

    /// A relation with its arguments.
    fn atom(&mut self, expr: &Sexpr) -> Option<Atom> {
        let atom = self.application(expr)?;
        let reserved = [keyword::NOT, keyword::OR, keyword::AND, keyword::DISTINCT, keyword::RULE];
        if reserved.contains(&atom.name) {
            let name = self.symbols.name(atom.name).to_owned();
            self.error(atom.name_span, format!("`{name}` is not allowed here"), "a relation is expected");
            return None;
        }
        Some(atom)
    }

    /// `name` or `(name args…)`, with the name folded if it is a keyword.
    fn application(&mut self, expr: &Sexpr) -> Option<Atom> {
        let (head, args) = match expr.list() {
            None => (expr, &[][..]),
            Some(items) => match items.split_first() {
                Some(parts) => parts,
                None => {
                    self.error(expr.span, "empty parentheses", "remove them, or name a relation");
                    return None;
                }
            },
        };
        let Some(word) = head.word(self.text) else {
            self.error(head.span, "expected a name, found a list", "a relation or function starts with its name");
            return None;
        };
        if word.starts_with('?') {
            let title = format!("expected a name, found the variable {word}");
            self.error(head.span, title, "a relation or function starts with a constant name");
            return None;
        }
        if args.len() > self.limits.arguments {
            let most = self.limits.arguments;
            let title = format!("`{word}` has {} arguments, more than {most}", args.len());
            self.error(head.span, title, "split it into several relations");
            return None;
        }
        if expr.list().is_some() && args.is_empty() {
            let remark = Diagnostic::warning(expr.span, format!("`({word})` is read as `{word}`"));
            self.diagnostics.push(remark.help("write names without arguments without parentheses"));
        }
        let name = keyword::find(word).unwrap_or_else(|| self.symbols.add(word));
        let args = args.iter().map(|arg| self.term(arg)).collect::<Vec<_>>().into_iter().collect::<Option<Vec<_>>>()?;
        Some(Atom { name, name_span: head.span, args, span: expr.span })
    }

    fn term(&mut self, expr: &Sexpr) -> Option<Term> {
        if let Some(word) = expr.word(self.text) {
            let symbol = self.symbols.add(word);
            return Some(match word.starts_with('?') {
                true => Term::Variable(symbol, expr.span),
                false => Term::Constant(symbol, expr.span),
            });
        }
        let mut function = self.application(expr)?;
        // Inside terms a name is no keyword, whatever it spells.
        function.name = self.symbols.add(&self.text[function.name_span.range()]);
        Some(match function.args.is_empty() {
            true => Term::Constant(function.name, function.span),
            false => Term::Function(function),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Sheet, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let sheet = Sheet::read(text, &mut diagnostics);
        (sheet, diagnostics)
    }

    #[test]
    fn keywords_in_any_case_other_names_as_written() {
        let (sheet, remarks) = read("(ROLE Red)(<= (Legal ?P Red) (TRUE (Cell ?P)) (NOT (DOES ?P x)))");
        assert!(remarks.is_empty());
        assert_eq!(sheet.rules[0].head.name, keyword::ROLE);
        assert_eq!(sheet.rules[1].head.name, keyword::LEGAL);
        let Term::Constant(red, _) = sheet.rules[0].head.args[0] else { panic!() };
        assert_eq!(sheet.symbols.name(red), "Red");
        assert!(matches!(&sheet.rules[1].body[1], Literal::Not(inner, _)
            if matches!(&**inner, Literal::Atom(atom) if atom.name == keyword::DOES)));
    }

    #[test]
    fn habits_of_older_servers_are_warned_about() {
        let (sheet, remarks) = read("(<= (goal p 100)) (<= (terminal) (true (x))) (base x (1 2))");
        assert!(remarks.iter().all(|remark| !remark.is_error()), "{remarks:?}");
        assert_eq!(remarks.len(), 4);
        assert_eq!(sheet.rules.len(), 2);
        assert!(matches!(&sheet.rules[1].body[0], Literal::Atom(atom) if matches!(atom.args[0], Term::Constant(..))));
    }

    #[test]
    fn remarks_and_arguments_are_bounded() {
        let (_, remarks) = read(&"() ".repeat(300_000));
        assert_eq!(remarks.len(), MAX_REMARKS + 1);
        let (sheet, remarks) =
            read(&format!("(p{}) (p (f{}))", " a".repeat(Limits::DEFAULT.arguments), " a".repeat(70_000)));
        assert_eq!((sheet.rules.len(), remarks.len()), (1, 1));
    }

    #[test]
    fn several_errors_are_found_in_one_reading() {
        let (sheet, remarks) = read("(<=) () ((a) b) (?x a) (<= p (not a b)) (<= q (distinct a)) (ok 1)");
        assert_eq!(remarks.iter().filter(|remark| remark.is_error()).count(), 6);
        assert_eq!(sheet.rules.len(), 1);
    }
}
