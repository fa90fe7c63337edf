//! From rules as written to clauses.

use super::{Atom, Clause, Condition, Pattern, Relations, Rules, relation};
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::limits::Limits;
use crate::symbols::{Symbol, Symbols};
use crate::terms::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A value that leads from variable to variable, or into a term, more often than this is given up.
const MAX_CHAIN: usize = 1000;

pub(super) struct Builder {
    text: Arc<str>,
    limits: Limits,
    symbols: Symbols,
    terms: Terms,
    relations: Relations,
    clauses: Vec<Clause>,
    roles: Vec<TermId>,
    /// The variables of the rule at hand, in the order of their first occurrence.
    variables: FxHashMap<Symbol, u32>,
    /// How many more conditions may be written down.
    conditions_left: usize,
    /// How many more terms may be visited to solve equations.
    visits_left: usize,
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
            text: Arc::clone(&sheet.text),
            limits: sheet.limits,
            symbols: sheet.symbols.clone(),
            terms: Terms::default(),
            relations: Relations::with_keywords(),
            clauses: Vec::new(),
            roles: Vec::new(),
            variables: FxHashMap::default(),
            conditions_left: sheet.limits.conditions,
            visits_left: sheet.limits.equations,
        }
    }

    pub(super) fn finish(self) -> Rules {
        Rules {
            text: self.text,
            limits: self.limits,
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
            let Some(product) = choices.and_then(|choices| self.multiply(alternatives, choices)) else {
                let most = self.limits.alternatives;
                let title = format!("the rule expands to more than {most} rules, or to very long ones");
                diagnostics.push(
                    Diagnostic::error(rule.span, title).help("give some of its alternatives a name of their own"),
                );
                return;
            };
            alternatives = product;
        }
        if alternatives.iter().any(|parts| parts.len() > self.limits.body) {
            let title = format!("the rule has more than {} conditions", self.limits.body);
            diagnostics.push(Diagnostic::error(rule.span, title).help("split it into several relations"));
            return;
        }
        for parts in alternatives {
            let clause = Clause {
                head: head.clone(),
                body: Vec::new(),
                variables: self.variables.len() as u32,
                span: rule.span,
            };
            let equations = parts.iter().any(|part| matches!(part, Part::Same(..)));
            if let Some(clause) = self.solve(clause, parts) {
                if clause.size() > self.limits.clause_size {
                    let title = format!("the rule has more than {} names and variables", self.limits.clause_size);
                    diagnostics.push(Diagnostic::error(rule.span, title).help("split it into several relations"));
                    return;
                }
                self.add(clause);
            }
            if equations && self.visits_left == 0 {
                let error = Diagnostic::error(rule.span, "the equations of this rule have too large a solution");
                diagnostics.push(error.help("use the same variable instead of (not (distinct …))"));
                return;
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
            && self.roles.len() <= self.limits.roles
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
                        Diagnostic::warning(*span, "a negated distinct means that the two terms are equal")
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
                        let choices = self.choices(arm, positive, diagnostics)?;
                        product = self.multiply(product, choices)?;
                    }
                    product
                }
            }
        })
    }

    /// All ways to take one conjunction of either side; `None` if there are too many.
    fn multiply(&mut self, mut left: Vec<Vec<Part>>, mut right: Vec<Vec<Part>>) -> Option<Vec<Vec<Part>>> {
        if left.len().saturating_mul(right.len()) > self.limits.alternatives {
            return None;
        }
        let parts = |side: &[Vec<Part>]| side.iter().map(Vec::len).sum::<usize>();
        if let (1, [only]) = (left.len(), &mut *right) {
            self.conditions_left = self.conditions_left.checked_sub(only.len())?;
            left[0].append(only);
            return Some(left);
        }
        let written = parts(&left) * right.len() + parts(&right) * left.len();
        self.conditions_left = self.conditions_left.checked_sub(written)?;
        let join = |l: &Vec<Part>, r: &Vec<Part>| l.iter().chain(r).cloned().collect();
        Some(left.iter().flat_map(|l| right.iter().map(move |r| join(l, r))).collect())
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
        let mut seen = FxHashSet::default();
        for part in parts {
            match part {
                Part::Plain(condition) if !seen.insert(condition.clone()) => {}
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
            _ if self.visits_left == 0 => None,
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
        self.substitute_at(pattern, values, 0)
    }

    /// `depth`: how far from the pattern at the outside. Where a bound is met the result makes no sense and no visits are
    /// left.
    fn substitute_at(&mut self, pattern: &Pattern, values: &[Option<Pattern>], depth: usize) -> Pattern {
        self.visits_left = if depth > MAX_CHAIN { 0 } else { self.visits_left.saturating_sub(1) };
        match pattern {
            _ if self.visits_left == 0 => pattern.clone(),
            Pattern::Variable(variable) => match &values[*variable as usize] {
                Some(value) => self.substitute_at(value, values, depth + 1),
                None => pattern.clone(),
            },
            Pattern::Ground(_) => pattern.clone(),
            Pattern::Function(name, args) => {
                let args = args.iter().map(|arg| self.substitute_at(arg, values, depth + 1)).collect();
                self.function(*name, args)
            }
        }
    }
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
