//! Safety: every variable gets its values from a condition that is not negated.
//!
//! A rule is a tree of scopes. Each scope is a conjunction: the variables that its positive atoms bind, the places that
//! need them bound, and for every `or` in it one scope per arm. A variable that all arms of an `or` bind is bound in the
//! scope around it.

use super::walk;
use crate::ast::{Atom, Literal, Rule, Sheet, Term};
use crate::diagnostic::{Diagnostic, MAX_REMARKS, Span};
use crate::symbols::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

/// Equations `(not (distinct a b))` that bind each other in the order against the text are followed this far.
const EQUATION_PASSES: usize = 8;

pub(super) fn check(sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) {
    for rule in &sheet.rules {
        if diagnostics.len() >= MAX_REMARKS {
            return;
        }
        let mut unbound = Unbound::default();
        let top = Scope::new(&rule.body);
        top.enter(&mut unbound);
        unbound.need(&rule.head.args, Place::Head);
        top.look(&mut unbound);
        diagnostics.extend(unbound.found.iter().map(|missing| remark(sheet, rule, missing)));
    }
}

fn remark(sheet: &Sheet, rule: &Rule, missing: &Missing) -> Diagnostic {
    let name = sheet.symbols.name(missing.name);
    if rule.body.is_empty() {
        return Diagnostic::error(missing.span, format!("a fact contains the variable {name}"))
            .label("this variable has no values")
            .help(format!("write one fact per value, or a rule with a condition that gives {name} its values"));
    }
    let label = match missing.place {
        Place::Head => "concluded here",
        Place::Negated => "a negated condition gives no values",
        Place::Distinct => "distinct compares values but gives none",
    };
    Diagnostic::error(missing.span, format!("nothing gives the variable {name} a value"))
        .label(label)
        .help(format!("add a condition with {name} that is not negated and appears in every alternative"))
}

/// Where a variable needs a value.
#[derive(Clone, Copy)]
enum Place {
    Head,
    Negated,
    Distinct,
}

struct Missing {
    name: Symbol,
    span: Span,
    place: Place,
}

/// The search for variables without values.
#[derive(Default)]
struct Unbound {
    /// In how many of the scopes around the place at hand a variable is bound.
    bound: FxHashMap<Symbol, u32>,
    found: Vec<Missing>,
    reported: FxHashSet<Symbol>,
}

impl Unbound {
    fn need(&mut self, terms: &[Term], place: Place) {
        for term in terms {
            walk::variables(term, &mut |name, span| {
                if self.bound.get(&name).is_none_or(|&scopes| scopes == 0) && self.reported.insert(name) {
                    self.found.push(Missing { name, span, place });
                }
            });
        }
    }
}

#[derive(Default)]
struct Scope<'s> {
    binds: FxHashSet<Symbol>,
    negated: Vec<&'s Atom>,
    distinct: Vec<&'s [Term; 2]>,
    same: Vec<&'s [Term; 2]>,
    /// Per `or` its arms, and whether they are meant as written or negated.
    alternatives: Vec<(&'s [Literal], bool)>,
    choices: Vec<Vec<Scope<'s>>>,
}

impl<'s> Scope<'s> {
    fn new(body: &'s [Literal]) -> Scope<'s> {
        let mut top = Scope::default();
        body.iter().for_each(|literal| top.add(literal, true));
        top.solve(&FxHashSet::default());
        // Arms may take values from the rule's plain conditions.
        let outer = top.binds.clone();
        top.resolve(&outer);
        top
    }

    fn add(&mut self, literal: &'s Literal, positive: bool) {
        match (literal, positive) {
            (Literal::Atom(atom), true) => {
                for arg in &atom.args {
                    walk::variables(arg, &mut |name, _| _ = self.binds.insert(name));
                }
            }
            (Literal::Atom(atom), false) => self.negated.push(atom),
            (Literal::Distinct(sides, _), true) => self.distinct.push(sides),
            (Literal::Distinct(sides, _), false) => self.same.push(sides),
            (Literal::Not(inner, _), _) => self.add(inner, !positive),
            (Literal::Or(arms, _), true) | (Literal::And(arms, _), false) => self.alternatives.push((arms, positive)),
            (Literal::And(arms, _), true) | (Literal::Or(arms, _), false) => {
                arms.iter().for_each(|arm| self.add(arm, positive));
            }
        }
    }

    /// Lets equations pass values from one side to the other.
    fn solve(&mut self, outer: &FxHashSet<Symbol>) {
        for _ in 0..EQUATION_PASSES {
            let before = self.binds.len();
            for sides in &self.same {
                for (from, to) in [(0, 1), (1, 0)] {
                    let mut known = true;
                    let has = |name| self.binds.contains(&name) || outer.contains(&name);
                    walk::variables(&sides[from], &mut |name, _| known &= has(name));
                    if known {
                        walk::variables(&sides[to], &mut |name, _| _ = self.binds.insert(name));
                    }
                }
            }
            if self.binds.len() == before {
                break;
            }
        }
    }

    /// Makes the scopes of the alternatives and takes over what all arms of one bind.
    fn resolve(&mut self, outer: &FxHashSet<Symbol>) {
        for (arms, positive) in std::mem::take(&mut self.alternatives) {
            let mut scopes = Vec::new();
            for arm in arms {
                let mut scope = Scope::default();
                scope.add(arm, positive);
                scope.solve(outer);
                scope.resolve(outer);
                scopes.push(scope);
            }
            if let Some(smallest) = (0..scopes.len()).min_by_key(|&arm| scopes[arm].binds.len()) {
                let mut common = std::mem::take(&mut scopes[smallest].binds);
                common.retain(|name| {
                    let everywhere =
                        scopes.iter().enumerate().all(|(arm, s)| arm == smallest || s.binds.contains(name));
                    if !everywhere {
                        scopes[smallest].binds.insert(*name);
                    }
                    everywhere
                });
                if self.binds.len() < common.len() {
                    std::mem::swap(&mut self.binds, &mut common);
                }
                self.binds.extend(common);
            }
            self.choices.push(scopes);
        }
        self.solve(outer);
    }

    fn enter(&self, unbound: &mut Unbound) {
        self.binds.iter().for_each(|&name| *unbound.bound.entry(name).or_default() += 1);
    }

    fn leave(&self, unbound: &mut Unbound) {
        self.binds.iter().for_each(|name| *unbound.bound.entry(*name).or_default() -= 1);
    }

    /// Looks at everything in the scope, which has been entered.
    fn look(&self, unbound: &mut Unbound) {
        self.negated.iter().for_each(|atom| unbound.need(&atom.args, Place::Negated));
        self.distinct.iter().for_each(|sides| unbound.need(&sides[..], Place::Distinct));
        self.same.iter().for_each(|sides| unbound.need(&sides[..], Place::Distinct));
        for arm in self.choices.iter().flatten() {
            arm.enter(unbound);
            arm.look(unbound);
            arm.leave(unbound);
        }
    }
}
