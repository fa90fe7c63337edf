//! From rules as written to clauses.

use super::{Atom, Clause, Condition, Pattern, Relations, Rules, relation};
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::symbols::{Symbol, Symbols};
use crate::terms::{TermId, Terms};
use rustc_hash::FxHashMap;

/// One rule may stand for this many clauses once its `or`s are multiplied out.
const MAX_CLAUSES_PER_RULE: usize = 20_000;

pub(super) struct Builder {
    symbols: Symbols,
    terms: Terms,
    relations: Relations,
    clauses: Vec<Clause>,
    roles: Vec<TermId>,
    /// The variables of the rule at hand, in the order of their first occurrence.
    variables: FxHashMap<Symbol, u32>,
}

/// A condition, or the demand that two terms be the same.
#[derive(Clone)]
enum Part {
    Plain(Condition),
    Same(Pattern, Pattern),
}

impl Builder {
    pub(super) fn new(sheet: &ast::Sheet) -> Builder {
        Builder {
            symbols: sheet.symbols.clone(),
            terms: Terms::default(),
            relations: Relations::with_keywords(),
            clauses: Vec::new(),
            roles: Vec::new(),
            variables: FxHashMap::default(),
        }
    }

    pub(super) fn finish(self) -> Rules {
        Rules {
            symbols: self.symbols,
            terms: self.terms,
            relations: self.relations.list,
            clauses: self.clauses,
            roles: self.roles,
        }
    }

    pub(super) fn rule(&mut self, rule: &ast::Rule, diagnostics: &mut Vec<Diagnostic>) {
        self.variables.clear();
        let head = self.atom(&rule.head);
        let mut alternatives = vec![Vec::new()];
        for literal in &rule.body {
            let choices = self.choices(literal, true, diagnostics);
            let Some(product) = choices.and_then(|choices| multiply(&alternatives, &choices)) else {
                let title = format!("the rule stands for more than {MAX_CLAUSES_PER_RULE} rules");
                diagnostics.push(Diagnostic::error(rule.span, title).help("give some of its alternatives a name"));
                return;
            };
            alternatives = product;
        }
        for parts in alternatives {
            let clause = Clause {
                head: head.clone(),
                body: Vec::new(),
                variables: self.variables.len() as u32,
                span: rule.span,
            };
            if let Some(clause) = self.solve(clause, parts) {
                self.add(clause);
            }
        }
    }

    fn add(&mut self, clause: Clause) {
        let bound = bound_variables(&clause);
        let mut safe = true;
        clause.head.variables(&mut |variable| safe &= bound[variable as usize]);
        for condition in &clause.body {
            condition.variables(&mut |variable| safe &= bound[variable as usize]);
        }
        if !safe {
            return;
        }
        if let (relation::ROLE, [Pattern::Ground(role)], []) = (clause.head.relation, &*clause.head.args, &*clause.body)
            && !self.roles.contains(role)
        {
            self.roles.push(*role);
        }
        self.clauses.push(clause);
    }

    /// The literal, or its negation, as alternatives of conjunctions; `None` if there are too many.
    fn choices(
        &mut self,
        literal: &ast::Literal,
        positive: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Vec<Vec<Part>>> {
        Some(match literal {
            ast::Literal::Atom(atom) => {
                let atom = self.atom(atom);
                let condition = if positive { Condition::Holds(atom) } else { Condition::Fails(atom) };
                vec![vec![Part::Plain(condition)]]
            }
            ast::Literal::Distinct(sides, span) => {
                let [left, right] = [self.term(&sides[0]), self.term(&sides[1])];
                if positive {
                    vec![vec![Part::Plain(Condition::Distinct(left, right))]]
                } else {
                    diagnostics.push(
                        Diagnostic::warning(*span, "a negated distinct is read as: the two terms are the same")
                            .help("use the same variable in both places"),
                    );
                    vec![vec![Part::Same(left, right)]]
                }
            }
            ast::Literal::Not(inner, _) => self.choices(inner, !positive, diagnostics)?,
            ast::Literal::Or(arms, _) | ast::Literal::And(arms, _) => {
                if matches!(literal, ast::Literal::Or(..)) == positive {
                    let mut all = Vec::new();
                    for arm in arms {
                        all.extend(self.choices(arm, positive, diagnostics)?);
                    }
                    all
                } else {
                    let mut product = vec![Vec::new()];
                    for arm in arms {
                        product = multiply(&product, &self.choices(arm, positive, diagnostics)?)?;
                    }
                    product
                }
            }
        })
    }

    fn atom(&mut self, atom: &ast::Atom) -> Atom {
        let relation = self.relations.add(atom.name, atom.args.len());
        Atom { relation, args: atom.args.iter().map(|arg| self.term(arg)).collect() }
    }

    fn term(&mut self, term: &ast::Term) -> Pattern {
        match term {
            ast::Term::Variable(symbol, _) => {
                let next = self.variables.len() as u32;
                Pattern::Variable(*self.variables.entry(*symbol).or_insert(next))
            }
            ast::Term::Constant(symbol, _) => Pattern::Ground(self.terms.add(*symbol, &[])),
            ast::Term::Function(function) => {
                let args = function.args.iter().map(|arg| self.term(arg)).collect();
                self.function(function.name, args)
            }
        }
    }

    fn function(&mut self, name: Symbol, args: Box<[Pattern]>) -> Pattern {
        let ground: Option<Vec<TermId>> = args
            .iter()
            .map(|arg| match arg {
                Pattern::Ground(term) => Some(*term),
                _ => None,
            })
            .collect();
        match ground {
            Some(ground) => Pattern::Ground(self.terms.add(name, &ground)),
            None => Pattern::Function(name, args),
        }
    }

    /// Fills the clause's body, with the demands for sameness solved; `None` if they cannot be met.
    fn solve(&mut self, mut clause: Clause, parts: Vec<Part>) -> Option<Clause> {
        let mut same = Vec::new();
        for part in parts {
            match part {
                Part::Plain(condition) if clause.body.contains(&condition) => {}
                Part::Plain(condition) => clause.body.push(condition),
                Part::Same(left, right) => same.push((left, right)),
            }
        }
        if same.is_empty() {
            return Some(clause);
        }
        let mut values: Vec<Option<Pattern>> = vec![None; clause.variables as usize];
        for (left, right) in same {
            self.unify(&left, &right, &mut values)?;
        }
        clause.head = self.substitute_atom(&clause.head, &values);
        for condition in &mut clause.body {
            *condition = match &*condition {
                Condition::Holds(atom) => Condition::Holds(self.substitute_atom(atom, &values)),
                Condition::Fails(atom) => Condition::Fails(self.substitute_atom(atom, &values)),
                Condition::Distinct(a, b) => {
                    Condition::Distinct(self.substitute(a, &values), self.substitute(b, &values))
                }
            };
        }
        Some(clause)
    }

    fn unify(&mut self, left: &Pattern, right: &Pattern, values: &mut [Option<Pattern>]) -> Option<()> {
        let (left, right) = (self.substitute(left, values), self.substitute(right, values));
        match (&left, &right) {
            _ if left == right => Some(()),
            (Pattern::Variable(variable), other) | (other, Pattern::Variable(variable)) => {
                if other.any_variable(|inner| inner == *variable) {
                    return None;
                }
                values[*variable as usize] = Some(other.clone());
                Some(())
            }
            (Pattern::Function(f, a), Pattern::Function(g, b)) if f == g && a.len() == b.len() => {
                a.iter().zip(b).try_for_each(|(a, b)| self.unify(a, b, values))
            }
            (Pattern::Function(f, patterns), Pattern::Ground(term))
            | (Pattern::Ground(term), Pattern::Function(f, patterns)) => {
                let args = self.terms.args(*term).to_vec();
                if self.terms.name(*term) != *f || args.len() != patterns.len() {
                    return None;
                }
                patterns.iter().zip(args).try_for_each(|(p, arg)| self.unify(p, &Pattern::Ground(arg), values))
            }
            _ => None,
        }
    }

    fn substitute_atom(&mut self, atom: &Atom, values: &[Option<Pattern>]) -> Atom {
        Atom { relation: atom.relation, args: atom.args.iter().map(|arg| self.substitute(arg, values)).collect() }
    }

    fn substitute(&mut self, pattern: &Pattern, values: &[Option<Pattern>]) -> Pattern {
        match pattern {
            Pattern::Variable(variable) => match &values[*variable as usize] {
                Some(value) => self.substitute(&value.clone(), values),
                None => pattern.clone(),
            },
            Pattern::Ground(_) => pattern.clone(),
            Pattern::Function(name, args) => {
                let args = args.iter().map(|arg| self.substitute(arg, values)).collect();
                self.function(*name, args)
            }
        }
    }
}

/// All ways to take one conjunction of either side; `None` if there are too many.
fn multiply(left: &[Vec<Part>], right: &[Vec<Part>]) -> Option<Vec<Vec<Part>>> {
    if left.len().saturating_mul(right.len()) > MAX_CLAUSES_PER_RULE {
        return None;
    }
    Some(left.iter().flat_map(|l| right.iter().map(move |r| l.iter().chain(r).cloned().collect())).collect())
}

/// Which variables occur in a positive condition.
fn bound_variables(clause: &Clause) -> Vec<bool> {
    let mut bound = vec![false; clause.variables as usize];
    for condition in &clause.body {
        if let Condition::Holds(atom) = condition {
            atom.variables(&mut |variable| bound[variable as usize] = true);
        }
    }
    bound
}
