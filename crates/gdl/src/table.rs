//! [`FactTable`]: the ground atoms of one relation, with indexes for joins.
//!
//! Rows keep the order in which they came, so "all rows up to now" is a number. An index serves one [`Shape`]: which
//! parts of a row are looked up together. It follows functions into their arguments, so `(true (cell ?x ?y b))` with `?x`
//! known is one lookup.

use crate::symbols::Symbol;
use crate::terms::{TermId, Terms};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// What an index wants of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// It is part of the key.
    Key,
    /// Nothing.
    Any,
    /// It is this function, and its arguments have these shapes.
    Function(Symbol, Box<[Shape]>),
}

/// The end of a chain of rows.
const END: u32 = u32::MAX;

/// A set of rows of the same length.
#[derive(Clone, Debug, Default)]
pub(crate) struct FactTable {
    arity: usize,
    count: u32,
    values: Vec<TermId>,
    rows: HashTable<u32>,
    indexes: Vec<Index>,
}

#[derive(Clone, Debug)]
struct Index {
    shape: Box<[Shape]>,
    /// One entry per key: first and last row of its chain.
    chains: HashTable<(u32, u32)>,
    /// For every row the next one with the same key.
    next: Vec<u32>,
    /// The key of the row under way.
    key: Vec<TermId>,
}

impl FactTable {
    pub(crate) fn new(arity: usize) -> FactTable {
        FactTable { arity, ..FactTable::default() }
    }

    pub(crate) fn len(&self) -> u32 {
        self.count
    }

    pub(crate) fn clear(&mut self) {
        self.count = 0;
        self.values.clear();
        self.rows.clear();
        for index in &mut self.indexes {
            index.chains.clear();
            index.next.clear();
        }
    }

    #[inline]
    pub(crate) fn row(&self, row: u32) -> &[TermId] {
        &self.values[row as usize * self.arity..][..self.arity]
    }

    pub(crate) fn find(&self, row: &[TermId]) -> Option<u32> {
        self.rows.find(hash_row(row), |&other| self.row(other) == row).copied()
    }

    /// Adds a row unless it is there; its number, and whether it is new.
    pub(crate) fn insert(&mut self, terms: &Terms, row: &[TermId]) -> (u32, bool) {
        assert_eq!(row.len(), self.arity);
        let number = self.count;
        let row_of = |&row: &u32| &self.values[row as usize * self.arity..][..self.arity];
        match self.rows.entry(hash_row(row), |other| row_of(other) == row, |other| hash_row(row_of(other))) {
            Entry::Occupied(known) => return (*known.get(), false),
            Entry::Vacant(place) => _ = place.insert(number),
        }
        self.count += 1;
        self.values.extend_from_slice(row);
        for index in &mut self.indexes {
            index.insert(terms, (&self.values, self.arity), number);
        }
        (number, true)
    }

    /// The number of the index for `shape`, which is made if it is missing.
    pub(crate) fn index(&mut self, terms: &Terms, shape: &[Shape]) -> usize {
        if let Some(known) = self.indexes.iter().position(|index| *index.shape == *shape) {
            return known;
        }
        let mut index = Index { shape: shape.into(), chains: HashTable::new(), next: Vec::new(), key: Vec::new() };
        for row in 0..self.count {
            index.insert(terms, (&self.values, self.arity), row);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// How many rows an index finds on the average.
    pub(crate) fn rows_per_key(&self, index: usize) -> f64 {
        let chains = self.indexes[index].chains.len();
        f64::from(self.count) / (chains.max(1) as f64)
    }

    /// The first row whose key is `key`.
    #[inline]
    pub(crate) fn first(&self, terms: &Terms, index: usize, key: &[TermId]) -> Option<u32> {
        let index = &self.indexes[index];
        let same = |&(first, _): &(u32, u32)| same_key(terms, &index.shape, self.row(first), key);
        index.chains.find(hash_row(key), same).map(|&(first, _)| first)
    }

    /// The next row with the same key.
    #[inline]
    pub(crate) fn next(&self, index: usize, row: u32) -> Option<u32> {
        Some(self.indexes[index].next[row as usize]).filter(|&next| next != END)
    }
}

impl Index {
    fn insert(&mut self, terms: &Terms, (values, arity): (&[TermId], usize), row: u32) {
        self.next.push(END);
        let row_of = |row: u32| &values[row as usize * arity..][..arity];
        let Index { shape, key, .. } = self;
        key.clear();
        if !extract(terms, shape, row_of(row), key) {
            return;
        }
        let hash = hash_row(key);
        if let Some((_, last)) = self.chains.find_mut(hash, |&(first, _)| same_key(terms, shape, row_of(first), key)) {
            self.next[*last as usize] = row;
            *last = row;
            return;
        }
        self.chains.insert_unique(hash, (row, row), |&(first, _)| {
            let mut key = Vec::new();
            extract(terms, shape, row_of(first), &mut key);
            hash_row(&key)
        });
    }
}

/// Collects the key of a row; `false` if the row does not have the shape.
fn extract(terms: &Terms, shapes: &[Shape], row: &[TermId], key: &mut Vec<TermId>) -> bool {
    shapes.iter().zip(row).all(|(shape, &term)| match shape {
        Shape::Any => true,
        Shape::Key => {
            key.push(term);
            true
        }
        Shape::Function(name, inner) => {
            let args = terms.args(term);
            terms.name(term) == *name && args.len() == inner.len() && extract(terms, inner, args, key)
        }
    })
}

fn same_key(terms: &Terms, shapes: &[Shape], row: &[TermId], key: &[TermId]) -> bool {
    fn rest<'k>(terms: &Terms, shapes: &[Shape], row: &[TermId], mut key: &'k [TermId]) -> Option<&'k [TermId]> {
        for (shape, &term) in shapes.iter().zip(row) {
            match shape {
                Shape::Any => {}
                Shape::Key if key[0] == term => key = &key[1..],
                Shape::Key => return None,
                Shape::Function(_, inner) => key = rest(terms, inner, terms.args(term), key)?,
            }
        }
        Some(key)
    }
    rest(terms, shapes, row, key).is_some()
}

fn hash_row(row: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    for term in row {
        term.0.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_follows_functions() {
        let mut terms = Terms::default();
        let [a, b, c] = [0, 1, 2].map(|n| terms.add(Symbol(n), &[]));
        let cell = |terms: &mut Terms, x, y| terms.add(Symbol(9), &[x, y]);
        let mut table = FactTable::new(1);
        for (x, y) in [(a, b), (b, b), (a, c)] {
            let row = [cell(&mut terms, x, y)];
            assert!(table.insert(&terms, &row).1);
        }
        assert!(table.insert(&terms, &[a]).1);
        let shape = [Shape::Function(Symbol(9), [Shape::Key, Shape::Any].into())];
        let index = table.index(&terms, &shape);
        let row = [cell(&mut terms, a, a)];
        assert_eq!(table.insert(&terms, &row), (4, true));
        assert_eq!(table.insert(&terms, &row), (4, false));
        let mut found = Vec::new();
        let mut at = table.first(&terms, index, &[a]);
        while let Some(row) = at {
            found.push(row);
            at = table.next(index, row);
        }
        assert_eq!(found, [0, 2, 4]);
        assert_eq!(table.first(&terms, index, &[c]), None);
    }
}
