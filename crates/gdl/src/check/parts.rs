//! The parts that every sheet needs: roles, legal moves, goals, an end; and that they speak of the same roles.
//!
//! `init` and `next` may be missing: a game may begin with no fact at all.

use super::walk;
use crate::ast::{Atom, Sheet, Term};
use crate::diagnostic::{Diagnostic, MAX_REMARKS, Span};
use crate::symbols::{Symbol, keyword};
use ludens_game::nearest_name;
use rustc_hash::FxHashSet;

pub(super) fn check(sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) {
    missing(sheet, diagnostics);
    let roles = roles(sheet, diagnostics);
    if roles.is_empty() {
        return;
    }
    strangers(sheet, &roles, diagnostics);
    without_rules(sheet, &roles, diagnostics);
    goal_values(sheet, diagnostics);
}

fn missing(sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) {
    let needed = [
        (keyword::ROLE, "no roles", "name the players: (role white)"),
        (keyword::LEGAL, "no legal moves", "say what each role may do: (<= (legal white (mark ?x)) …)"),
        (keyword::GOAL, "no goals", "say what each role scores: (<= (goal white 100) …)"),
        (keyword::TERMINAL, "no end", "say when the game is over: (<= terminal …)"),
    ];
    for (name, title, help) in needed {
        if !sheet.rules.iter().any(|rule| rule.head.name == name) {
            diagnostics.push(Diagnostic::error(Span::default(), format!("the sheet has {title}")).help(help));
        }
    }
}

/// The roles that are plain names, with the place of each.
fn roles(sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) -> Vec<(Symbol, Span)> {
    let mut roles = Vec::new();
    let mut known = FxHashSet::default();
    let mut too_many = None;
    for role in sheet.rules.iter().filter(|rule| rule.head.name == keyword::ROLE).flat_map(|rule| &rule.head.args) {
        if !known.insert(&sheet.text[role.span().range()]) {
            continue;
        }
        if let Term::Constant(name, span) = role {
            roles.push((*name, *span));
        }
        if known.len() > sheet.limits.roles {
            too_many.get_or_insert(role.span());
        }
    }
    if let Some(span) = too_many {
        let title = format!("{} roles; at most {} are supported", known.len(), sheet.limits.roles);
        diagnostics.push(Diagnostic::error(span, title).label("the first one too many"));
    }
    roles
}

/// Names in the place of a role that are no role.
fn strangers(sheet: &Sheet, roles: &[(Symbol, Span)], diagnostics: &mut Vec<Diagnostic>) {
    let mut known: FxHashSet<Symbol> = roles.iter().map(|role| role.0).collect();
    let mut look = |atom: &Atom| {
        let takes_role = matches!(atom.name, keyword::LEGAL | keyword::DOES | keyword::GOAL | keyword::INPUT);
        let (true, Some(Term::Constant(name, span))) = (takes_role, atom.args.first()) else { return };
        if known.len() < roles.len() + MAX_REMARKS && known.insert(*name) {
            let word = sheet.symbols.name(*name);
            let remark = Diagnostic::warning(*span, format!("`{word}` is not a role"));
            let meant = nearest_name(word, roles.iter().map(|role| sheet.symbols.name(role.0)));
            diagnostics.push(match meant {
                Some(meant) => remark.help(format!("did you mean `{meant}`?")),
                None => remark.help(format!("the first role is `{}`", sheet.symbols.name(roles[0].0))),
            });
        }
    };
    for rule in &sheet.rules {
        look(&rule.head);
        walk::conditions(&rule.body, &mut |atom, _| look(atom));
    }
}

/// Roles that can have no legal move or no goal.
fn without_rules(sheet: &Sheet, roles: &[(Symbol, Span)], diagnostics: &mut Vec<Diagnostic>) {
    for (relation, what) in [(keyword::LEGAL, "a legal move"), (keyword::GOAL, "a goal")] {
        let heads: Vec<_> = sheet.rules.iter().map(|rule| &rule.head).filter(|head| head.name == relation).collect();
        let named: FxHashSet<_> = (heads.iter())
            .filter_map(|head| match head.args.first() {
                Some(Term::Constant(name, _)) => Some(*name),
                _ => None,
            })
            .collect();
        let any = heads.iter().any(|head| matches!(head.args.first(), Some(Term::Variable(..))));
        if any || heads.is_empty() {
            continue;
        }
        for (name, span) in roles.iter().filter(|role| !named.contains(&role.0)) {
            let title = format!("the role `{}` never has {what}", sheet.symbols.name(*name));
            let help = format!("add a rule for ({} {} …)", sheet.symbols.name(relation), sheet.symbols.name(*name));
            diagnostics.push(Diagnostic::warning(*span, title).help(help));
        }
    }
}

fn goal_values(sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) {
    for rule in sheet.rules.iter().filter(|rule| rule.head.name == keyword::GOAL) {
        let Some(Term::Constant(value, span)) = rule.head.args.get(1) else { continue };
        if !sheet.symbols.name(*value).parse().is_ok_and(|value: u8| value <= 100) {
            let title = format!("the goal value `{}` is not a number from 0 to 100", sheet.symbols.name(*value));
            diagnostics.push(Diagnostic::warning(*span, title).help("0 is a loss, 100 is a win"));
        }
    }
}
