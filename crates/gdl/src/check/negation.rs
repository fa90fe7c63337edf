//! Negation in a cycle, as far as the rules as written show it.
//!
//! A relation may well be negated in its own rules: `(goal p 0)` if not `(goal p 100)`. So the nodes here are rules, and
//! one leads to another only if a condition of the first can be the head of the second. What is left may still be fine,
//! which the ground atoms decide; hence a warning.

use super::graph::{Graph, Relation, relation_of};
use super::walk;
use crate::ast::{Atom, Sheet, Term};
use crate::components::components;
use crate::diagnostic::Diagnostic;
use rustc_hash::FxHashMap;

/// Sheets in which more arguments of conditions and heads would have to be compared are left to the grounder.
const MAX_COMPARED: usize = 4_000_000;

pub(super) fn check(sheet: &Sheet, graph: &Graph, diagnostics: &mut Vec<Diagnostic>) {
    let rules: Vec<_> = sheet.rules.iter().filter(|rule| graph.cycle_of(&rule.head).is_some()).collect();
    let mut by_head: FxHashMap<Relation, Vec<u32>> = FxHashMap::default();
    for (index, rule) in rules.iter().enumerate() {
        by_head.entry(relation_of(&rule.head)).or_default().push(index as u32);
    }
    let mut edges: Vec<Vec<u32>> = vec![Vec::new(); rules.len()];
    let mut negative = Vec::new();
    let mut compared = 0;
    for (index, rule) in rules.iter().enumerate() {
        walk::conditions(&rule.body, &mut |atom, positive| {
            let heads = by_head.get(&relation_of(atom)).map_or(&[][..], Vec::as_slice);
            compared += heads.len() * (1 + atom.args.len());
            if compared > MAX_COMPARED {
                return;
            }
            for &head in heads.iter().filter(|&&head| can_match(atom, &rules[head as usize].head)) {
                edges[index].push(head);
                if !positive {
                    negative.push((index, head, atom));
                }
            }
        });
    }
    if compared > MAX_COMPARED || negative.is_empty() {
        return;
    }
    let component = components(rules.len(), |node| &edges[node]);
    negative.retain(|&(from, to, _)| component[from] == component[to as usize]);
    negative.dedup_by_key(|&mut (_, _, atom)| atom.span);
    for (from, _, atom) in negative {
        let name = sheet.symbols.name(atom.name);
        let remark = Diagnostic::warning(atom.span, format!("`{name}` may depend on its own negation"))
            .label("negated here")
            .related(rules[from].head.span, "on the way back to itself")
            .help("if this happens for a single fact, the rules have no meaning");
        diagnostics.push(remark);
    }
}

/// Whether two atoms of the same relation could be made equal; variables are taken to match anything.
fn can_match(left: &Atom, right: &Atom) -> bool {
    left.args.iter().zip(&right.args).all(|(left, right)| terms_match(left, right))
}

fn terms_match(left: &Term, right: &Term) -> bool {
    match (left, right) {
        (Term::Variable(..), _) | (_, Term::Variable(..)) => true,
        (Term::Constant(left, _), Term::Constant(right, _)) => left == right,
        (Term::Function(left), Term::Function(right)) => {
            relation_of(left) == relation_of(right) && can_match(left, right)
        }
        _ => false,
    }
}
