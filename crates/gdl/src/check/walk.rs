//! Walks over the rules of a sheet. The reader bounds the nesting, so recursion is safe.

use crate::ast::{Atom, Literal, Rule, Term};
use crate::diagnostic::Span;
use crate::symbols::Symbol;

/// Calls `visit` for every atom among the conditions; the flag is false where it is negated.
pub(super) fn conditions<'s>(body: &'s [Literal], visit: &mut impl FnMut(&'s Atom, bool)) {
    for literal in body {
        condition(literal, true, visit);
    }
}

fn condition<'s>(literal: &'s Literal, positive: bool, visit: &mut impl FnMut(&'s Atom, bool)) {
    match literal {
        Literal::Atom(atom) => visit(atom, positive),
        Literal::Not(inner, _) => condition(inner, !positive, visit),
        Literal::Distinct(..) => {}
        Literal::Or(arms, _) | Literal::And(arms, _) => {
            arms.iter().for_each(|arm| condition(arm, positive, visit));
        }
    }
}

/// Calls `visit` for every term of the rule that is an argument of a relation or of `distinct`.
pub(super) fn arguments<'s>(rule: &'s Rule, visit: &mut impl FnMut(&'s Term)) {
    rule.head.args.iter().for_each(&mut *visit);
    rule.body.iter().for_each(|literal| literal_arguments(literal, visit));
}

fn literal_arguments<'s>(literal: &'s Literal, visit: &mut impl FnMut(&'s Term)) {
    match literal {
        Literal::Atom(atom) => atom.args.iter().for_each(visit),
        Literal::Not(inner, _) => literal_arguments(inner, visit),
        Literal::Distinct(sides, _) => sides.iter().for_each(visit),
        Literal::Or(arms, _) | Literal::And(arms, _) => arms.iter().for_each(|arm| literal_arguments(arm, visit)),
    }
}

/// Calls `visit` for the term and for every term in it.
pub(super) fn subterms<'s>(term: &'s Term, visit: &mut impl FnMut(&'s Term)) {
    visit(term);
    if let Term::Function(function) = term {
        function.args.iter().for_each(|arg| subterms(arg, visit));
    }
}

/// Calls `visit` for every variable of the term, with repetitions.
pub(super) fn variables(term: &Term, visit: &mut impl FnMut(Symbol, Span)) {
    subterms(term, &mut |term| {
        if let Term::Variable(name, span) = term {
            visit(*name, *span);
        }
    });
}
