//! Names that differ in case only: to GDL they are different, to their author hardly.

use super::walk;
use crate::ast::{Rule, Sheet, Term};
use crate::diagnostic::{Diagnostic, MAX_REMARKS, Span};
use crate::symbols::{Symbol, keyword};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn check(sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) {
    let folded = fold(sheet);
    let mut names = Spellings::new(sheet, &folded);
    for rule in &sheet.rules {
        if diagnostics.len() >= MAX_REMARKS {
            return;
        }
        // Variables live in one rule only.
        let mut variables = Spellings::new(sheet, &folded);
        each_name(rule, &mut |name, span, variable| {
            let spellings = if variable { &mut variables } else { &mut names };
            diagnostics.extend(spellings.meet(name, span));
        });
    }
}

/// For every name the number of the first name that is the same but for case.
fn fold(sheet: &Sheet) -> Vec<u32> {
    let mut first: FxHashMap<String, u32> = FxHashMap::default();
    let names = (0..sheet.symbols.count() as u32).map(|number| (number, sheet.symbols.name(Symbol(number))));
    names.map(|(number, name)| *first.entry(name.to_ascii_lowercase()).or_insert(number)).collect()
}

struct Spellings<'a> {
    sheet: &'a Sheet,
    folded: &'a [u32],
    /// The first spelling of every name, and where.
    first: FxHashMap<u32, (Symbol, Span)>,
    remarked: FxHashSet<Symbol>,
}

impl<'a> Spellings<'a> {
    fn new(sheet: &'a Sheet, folded: &'a [u32]) -> Spellings<'a> {
        Spellings { sheet, folded, first: FxHashMap::default(), remarked: FxHashSet::default() }
    }

    fn meet(&mut self, name: Symbol, span: Span) -> Option<Diagnostic> {
        let folded = self.folded[name.index()];
        let (first, first_span) = *self.first.entry(folded).or_insert((name, span));
        // Keywords are known in any case.
        let keyword = (folded as usize) < keyword::COUNT;
        if first == name || keyword || !self.remarked.insert(name) {
            return None;
        }
        let word = |name| self.sheet.symbols.name(name);
        let title = format!("`{}` and `{}` differ only in case", word(first), word(name));
        let remark = Diagnostic::warning(span, title).related(first_span, "spelled this way here");
        Some(remark.help("these are two names: spell them the same, or make them clearly different"))
    }
}

/// Calls `visit` for every name in the rule, telling whether it is a variable.
fn each_name(rule: &Rule, visit: &mut impl FnMut(Symbol, Span, bool)) {
    visit(rule.head.name, rule.head.name_span, false);
    walk::conditions(&rule.body, &mut |atom, _| visit(atom.name, atom.name_span, false));
    walk::arguments(rule, &mut |term| {
        walk::subterms(term, &mut |term| match term {
            Term::Variable(name, span) => visit(*name, *span, true),
            Term::Constant(name, span) => visit(*name, *span, false),
            Term::Function(function) => visit(function.name, function.name_span, false),
        });
    });
}
