//! The order in which a board shows the values of a key.

use super::Evidence;
use crate::terms::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Knows which values follow which.
pub(super) struct Order<'a> {
    evidence: Evidence<'a>,
    /// The pairs of every relation of two arguments that is given by facts.
    successors: Vec<Vec<(TermId, TermId)>>,
}

impl<'a> Order<'a> {
    pub(super) fn new(evidence: Evidence<'a>) -> Order<'a> {
        let mut pairs: FxHashMap<_, Vec<_>> = FxHashMap::default();
        for (relation, args) in &evidence.background.facts {
            if let [from, to] = **args {
                pairs.entry(*relation).or_default().push((from, to));
            }
        }
        let mut relations: Vec<_> = pairs.into_iter().collect();
        relations.sort_unstable_by_key(|(relation, _)| *relation);
        Order { evidence, successors: relations.into_iter().map(|(_, pairs)| pairs).collect() }
    }

    /// Whether the rules or the values themselves tell their order.
    pub(super) fn is_known(&self, values: &[TermId]) -> bool {
        self.numbers(values).is_some() || self.path(values).is_some()
    }

    /// The values in the order of numbers, of a successor relation, of the alphabet for letters, or of the sheet.
    pub(super) fn sorted(&self, values: &[TermId]) -> Vec<TermId> {
        let mut values = values.to_vec();
        if let Some(numbers) = self.numbers(&values) {
            values.sort_unstable_by_key(|value| numbers[value]);
        } else {
            let letters = |value: &TermId| self.evidence.terms.text(*value, self.evidence.symbols);
            values.sort_unstable_by(|&left, &right| self.evidence.terms.compare(left, right));
            if values.iter().all(|value| letters(value).len() == 1) {
                values.sort_by_key(letters);
            }
            if let Some(path) = self.path(&values) {
                return path;
            }
        }
        values
    }

    fn numbers(&self, values: &[TermId]) -> Option<FxHashMap<TermId, i64>> {
        let number = |value: TermId| self.evidence.terms.text(value, self.evidence.symbols).parse().ok();
        values.iter().map(|&value| Some((value, number(value)?))).collect()
    }

    /// The values as one chain of a successor relation.
    fn path(&self, values: &[TermId]) -> Option<Vec<TermId>> {
        let known: FxHashSet<TermId> = values.iter().copied().collect();
        self.successors.iter().find_map(|pairs| {
            let mut next = FxHashMap::default();
            let mut has_previous = FxHashSet::default();
            for (from, to) in pairs.iter().filter(|(from, to)| from != to && known.contains(from) && known.contains(to))
            {
                if next.insert(*from, *to).is_some() || !has_previous.insert(*to) {
                    return None;
                }
            }
            // On a ring any value is as good a beginning as the first.
            let first = *values.iter().find(|value| !has_previous.contains(value)).unwrap_or(&values[0]);
            let chain: Vec<_> =
                std::iter::successors(Some(first), |at| next.get(at).copied()).take(values.len()).collect();
            // The relation may as well lead downwards; what the sheet or the alphabet has first comes first.
            let place = |value: &TermId| chain.iter().position(|at| at == value);
            let downwards = place(&values[0]) > place(values.last().unwrap_or(&values[0]));
            let chain = if downwards { chain.iter().rev().copied().collect() } else { chain };
            (chain.len() == values.len()).then_some(chain)
        })
    }
}
