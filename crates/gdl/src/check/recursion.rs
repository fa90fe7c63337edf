//! The recursion restriction, which keeps the set of conclusions finite.
//!
//! Where a condition depends on the rule's own head, each of its arguments must be without variables, or an argument of
//! the head, or an argument of a positive condition outside the cycle. A cycle that breaks this but builds no terms still
//! ends, so it gets away with a warning.

use super::graph::Graph;
use super::walk;
use crate::ast::{Atom, Literal, Rule, Sheet, Term};
use crate::diagnostic::{Diagnostic, MAX_REMARKS};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn check(sheet: &Sheet, graph: &Graph, diagnostics: &mut Vec<Diagnostic>) {
    let mut building = FxHashSet::default();
    for rule in sheet.rules.iter().filter(|rule| rule.head.args.iter().any(builds_terms)) {
        building.extend(graph.cycle_of(&rule.head));
    }
    for rule in &sheet.rules {
        if diagnostics.len() >= MAX_REMARKS {
            return;
        }
        let Some(cycle) = graph.cycle_of(&rule.head) else { continue };
        let grows = building.contains(&cycle);
        let mut search = Search { sheet, rule, graph, cycle, grows, given: FxHashMap::default(), diagnostics };
        rule.head.args.iter().for_each(|arg| search.give(arg));
        search.conjunction(&rule.body.iter().map(|literal| (literal, true)).collect::<Vec<_>>());
    }
}

struct Search<'a> {
    sheet: &'a Sheet,
    rule: &'a Rule,
    graph: &'a Graph,
    cycle: u32,
    /// Whether rules of the cycle build terms.
    grows: bool,
    /// How often a term is an argument of the head or of a condition outside the cycle.
    given: FxHashMap<Vec<u32>, u32>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Search<'_> {
    fn give(&mut self, term: &Term) {
        *self.given.entry(key(term)).or_default() += 1;
    }

    /// Looks at conditions that must hold together.
    fn conjunction(&mut self, literals: &[(&Literal, bool)]) {
        let mut parts = Parts::default();
        literals.iter().for_each(|&(literal, positive)| parts.add(literal, positive));
        let (inside, outside): (Vec<&Atom>, _) =
            parts.atoms.into_iter().partition(|atom| self.graph.cycle_of(atom) == Some(self.cycle));
        for arg in outside.iter().flat_map(|atom| &atom.args) {
            self.give(arg);
        }
        for atom in inside {
            for arg in &atom.args {
                self.argument(atom, arg);
            }
        }
        for (arm, positive) in parts.arms {
            self.conjunction(&[(arm, positive)]);
        }
        for arg in outside.iter().flat_map(|atom| &atom.args) {
            self.given.entry(key(arg)).and_modify(|count| *count -= 1);
        }
    }

    fn argument(&mut self, atom: &Atom, arg: &Term) {
        let mut ground = true;
        walk::variables(arg, &mut |_, _| ground = false);
        if ground || self.given.get(&key(arg)).is_some_and(|&count| count > 0) {
            return;
        }
        let text = &self.sheet.text[arg.span().range()];
        let name = self.sheet.symbols.name(atom.name);
        let head = self.sheet.symbols.name(self.rule.head.name);
        let why = match name == head {
            true => format!("`{name}` depends on itself"),
            false => format!("`{head}` and `{name}` depend on each other"),
        };
        let remark = match self.grows {
            true => Diagnostic::error(arg.span(), format!("the recursion through `{name}` may never end"))
                .label(format!("{text} can take a new value in every round")),
            false => {
                Diagnostic::warning(arg.span(), format!("not every engine accepts the recursion through `{name}`"))
                    .label(format!("{text} comes only from within the cycle"))
            }
        };
        let remark = remark.related(self.rule.head.span, why);
        self.diagnostics.push(remark.help(format!("add a condition on {text} that does not depend on `{head}`")));
    }
}

/// Whether the argument is a function of variables.
fn builds_terms(arg: &Term) -> bool {
    let mut found = false;
    walk::variables(arg, &mut |_, _| found = true);
    found && matches!(arg, Term::Function(_))
}

/// The positive atoms of a conjunction, and the arms of its alternatives.
#[derive(Default)]
struct Parts<'s> {
    atoms: Vec<&'s Atom>,
    arms: Vec<(&'s Literal, bool)>,
}

impl<'s> Parts<'s> {
    fn add(&mut self, literal: &'s Literal, positive: bool) {
        match (literal, positive) {
            (Literal::Atom(atom), true) => self.atoms.push(atom),
            (Literal::Atom(_), false) | (Literal::Distinct(..), _) => {}
            (Literal::Not(inner, _), _) => self.add(inner, !positive),
            (Literal::Or(arms, _), true) | (Literal::And(arms, _), false) => {
                self.arms.extend(arms.iter().map(|arm| (arm, positive)));
            }
            (Literal::And(arms, _), true) | (Literal::Or(arms, _), false) => {
                arms.iter().for_each(|arm| self.add(arm, positive));
            }
        }
    }
}

/// The term as a row of numbers: equal for equal terms, whatever their places.
fn key(term: &Term) -> Vec<u32> {
    let mut row = Vec::new();
    walk::subterms(term, &mut |term| match term {
        Term::Variable(name, _) | Term::Constant(name, _) => row.extend([name.0, 0]),
        Term::Function(function) => row.extend([function.name.0, function.args.len() as u32]),
    });
    row
}
