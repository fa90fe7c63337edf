//! Relations that nobody defines, that nobody needs, and names with several numbers of arguments.

use super::graph::{Graph, Relation, relation_of};
use super::walk;
use crate::ast::{Atom, Sheet, Term};
use crate::diagnostic::{Diagnostic, MAX_REMARKS, Span};
use crate::symbols::{Symbol, keyword};
use ludens_game::nearest_name;
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn check(sheet: &Sheet, graph: &Graph, diagnostics: &mut Vec<Diagnostic>) {
    undefined(sheet, diagnostics);
    unused(sheet, graph, diagnostics);
    several_arities(sheet, diagnostics);
}

fn is_own(atom: &Atom) -> bool {
    keyword::arity(atom.name).is_none()
}

fn count(arguments: usize) -> String {
    match arguments {
        0 => "no arguments".into(),
        1 => "1 argument".into(),
        _ => format!("{arguments} arguments"),
    }
}

fn undefined(sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) {
    let defined: FxHashSet<Relation> = sheet.rules.iter().map(|rule| relation_of(&rule.head)).collect();
    let mut first: Vec<&Atom> = Vec::new();
    let mut uses: FxHashMap<Relation, usize> = FxHashMap::default();
    for rule in &sheet.rules {
        walk::conditions(&rule.body, &mut |atom, _| {
            if is_own(atom) && !defined.contains(&relation_of(atom)) {
                let uses = uses.entry(relation_of(atom)).or_default();
                *uses += 1;
                if *uses == 1 {
                    first.push(atom);
                }
            }
        });
    }
    for atom in first.into_iter().take(MAX_REMARKS) {
        let name = sheet.symbols.name(atom.name);
        let title = format!("nothing defines `{name}` with {}, so it never holds", count(atom.args.len()));
        let mut remark = Diagnostic::warning(atom.name_span, title);
        let more = uses[&relation_of(atom)] - 1;
        if more > 1 {
            remark = remark.label(format!("used here and in {more} other conditions"));
        }
        let same_name = sheet.rules.iter().find(|rule| rule.head.name == atom.name);
        let others = || defined.iter().filter(|relation| relation.1 == atom.args.len());
        diagnostics.push(match same_name {
            Some(rule) => remark
                .related(rule.head.span, format!("`{name}` has {} here", count(rule.head.args.len())))
                .help("use the same number of arguments everywhere"),
            None => match nearest_name(name, others().map(|relation| sheet.symbols.name(relation.0))) {
                Some(meant) => remark.help(format!("did you mean `{meant}`?")),
                None => remark.help(format!("add a fact or a rule for `{name}`, or remove the condition")),
            },
        });
    }
}

/// Relations on which no keyword depends.
fn unused(sheet: &Sheet, graph: &Graph, diagnostics: &mut Vec<Diagnostic>) {
    let mut needed = vec![false; graph.relations.len()];
    let is_keyword = |node: &u32| keyword::arity(graph.relations[*node as usize].0).is_some();
    let mut open: Vec<u32> = (0..graph.relations.len() as u32).filter(is_keyword).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut needed[node as usize], true) {
            open.extend(graph.edges[node as usize].iter().map(|edge| edge.to));
        }
    }
    for rule in sheet.rules.iter().filter(|rule| is_own(&rule.head)) {
        let relation = relation_of(&rule.head);
        let seen = graph.find(relation).map(|node| std::mem::replace(&mut needed[node as usize], true));
        if seen == Some(false) {
            let name = sheet.symbols.name(relation.0);
            let title = format!("nothing needs `{name}` with {}", count(relation.1));
            let remark = Diagnostic::warning(rule.head.name_span, title);
            diagnostics.push(remark.help("no legal move, next fact, goal or end depends on it: remove it"));
        }
    }
}

/// One name as relations, or as functions, with different numbers of arguments.
fn several_arities(sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) {
    let mut relations = Arities { kind: "relation", ..Arities::default() };
    let mut functions = Arities { kind: "function", ..Arities::default() };
    for rule in &sheet.rules {
        if is_own(&rule.head) {
            relations.meet(&rule.head);
        }
        // Undefined relations have their own remark.
        walk::arguments(rule, &mut |term| {
            walk::subterms(term, &mut |term| {
                if let Term::Function(function) = term {
                    functions.meet(function);
                }
            });
        });
    }
    relations.report(sheet, diagnostics);
    functions.report(sheet, diagnostics);
}

#[derive(Default)]
struct Arities {
    kind: &'static str,
    first: FxHashMap<Symbol, (usize, Span)>,
    other: FxHashMap<Symbol, (usize, Span)>,
}

impl Arities {
    fn meet(&mut self, atom: &Atom) {
        let here = (atom.args.len(), atom.span);
        let first = *self.first.entry(atom.name).or_insert(here);
        if first.0 != here.0 {
            self.other.entry(atom.name).or_insert(here);
        }
    }

    fn report(&self, sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) {
        let mut found: Vec<_> = self.other.iter().collect();
        found.sort_unstable_by_key(|(_, (_, span))| span.start);
        for (name, (arity, span)) in found {
            let (first_arity, first_span) = self.first[name];
            let name = sheet.symbols.name(*name);
            let title = format!("the {} `{name}` is used with different numbers of arguments", self.kind);
            let remark = Diagnostic::warning(*span, title).label(count(*arity));
            diagnostics.push(
                remark
                    .related(first_span, count(first_arity))
                    .help(format!("these are two unrelated {}s: give them different names", self.kind)),
            );
        }
    }
}
