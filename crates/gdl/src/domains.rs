//! [`Domain`]: how many facts or moves of each form there are, and over what their arguments range.

use crate::symbols::Symbols;
use crate::terms::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// All terms with one name and number of arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The name.
    pub name: String,
    /// How many terms there are.
    pub count: usize,
    /// How many different values each argument has.
    pub values: Vec<usize>,
}

/// The domains of some terms, in the order of the first of each.
pub fn domains(list: &[TermId], symbols: &Symbols, terms: &Terms) -> Vec<Domain> {
    let mut numbers = FxHashMap::default();
    let mut found: Vec<(usize, Vec<FxHashSet<TermId>>)> = Vec::new();
    let mut names = Vec::new();
    for &term in list {
        let (name, args) = (terms.name(term), terms.args(term));
        let number = *numbers.entry((name, args.len())).or_insert_with(|| {
            found.push((0, vec![FxHashSet::default(); args.len()]));
            names.push(symbols.name(name).to_owned());
            found.len() - 1
        });
        let (count, values) = &mut found[number];
        *count += 1;
        for (values, &arg) in values.iter_mut().zip(args) {
            values.insert(arg);
        }
    }
    let values = |sets: &[FxHashSet<TermId>]| sets.iter().map(FxHashSet::len).collect();
    names
        .into_iter()
        .zip(&found)
        .map(|(name, (count, sets))| Domain { name, count: *count, values: values(sets) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_apart_and_arguments_counted() {
        let (mut symbols, mut terms) = (Symbols::default(), Terms::default());
        let [cell, a, b, one] = ["cell", "a", "b", "1"].map(|name| symbols.add(name));
        let [a, b, one] = [a, b, one].map(|name| terms.add(name, &[]));
        let list = [terms.add(cell, &[a, one]), terms.add(cell, &[b, one]), a, terms.add(cell, &[one])];
        let domain = |name: &str, count, values: &[usize]| Domain { name: name.into(), count, values: values.into() };
        let expected = [domain("cell", 2, &[2, 1]), domain("a", 1, &[]), domain("cell", 1, &[1])];
        assert_eq!(domains(&list, &symbols, &terms), expected);
    }
}
