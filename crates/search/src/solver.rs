//! Proven results: where one role decides, a child that it wins proves its parent, and so do children that are all proven
//! (Winands, Björnsson, Saito 2008, for any number of roles).
//!
//! Every known result has a distance, the steps to the end of the game in the line that proves it: wins are meant to be short
//! and losses long. By hand: of three moves to proven losses in 1, 5 and 3 steps the second is played, and the position is
//! lost in 6.
//!
//! Arms that are proven lost take no part in the selection any more, nor in the final choice: their mean scores are those of a time
//! when the loss was not known.

use crate::tree::{NodeId, Tree};
use std::cmp::Ordering;

/// Carries results from the end of a path towards the root as far as they prove something.
pub(crate) fn prove_path(tree: &mut Tree, path: &[NodeId]) {
    for pair in path.windows(2).rev() {
        let (parent, child) = (pair[0], pair[1]);
        if tree.result(child).is_none() {
            return;
        }
        if tree.result(parent).is_some() {
            continue;
        }
        match proof(tree, parent, child) {
            Some(from) => tree.prove(parent, from, tree.distance(from) + 1),
            None => return,
        }
    }
}

/// Gives `parent` the result that follows from its children, of which `child` is one with a result, if there is any.
pub(crate) fn prove_parent(tree: &mut Tree, parent: NodeId, child: NodeId) {
    if let Some(from) = proof(tree, parent, child) {
        tree.prove(parent, from, tree.distance(from) + 1);
    }
}

/// The child whose result is also that of `parent`, if `child`'s result settles it.
fn proof(tree: &Tree, parent: NodeId, child: NodeId) -> Option<NodeId> {
    match tree.deciders(parent) {
        0 => Some(child),
        1 => {
            let role = tree.decider(parent, 0).index();
            if tree.result(child)?[role] == 1.0 {
                return Some(child);
            }
            let mut best: Option<(Known, NodeId)> = None;
            for arm in 0..tree.arms(parent, 0).len() {
                let known = Known::of(tree, parent, arm)?;
                if best.is_none_or(|(highest, _)| known.compare(&highest).is_gt()) {
                    best = Some((known, tree.child(parent, &[arm as u32]).unwrap_or(child)));
                }
            }
            best.map(|(_, child)| child)
        }
        _ => None,
    }
}

/// What is proven of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Known {
    /// The score of the one decider of the node.
    pub(crate) score: f64,
    /// The steps to the end of the game, from the position that the arm leads to.
    distance: u32,
}

impl Known {
    /// What is proven of an arm of a node with one decider.
    pub(crate) fn of(tree: &Tree, node: NodeId, arm: usize) -> Option<Known> {
        if tree.is_refuted(node, arm) {
            return Some(Known { score: 0.0, distance: 1 });
        }
        let child = tree.child(node, &[arm as u32])?;
        let score = tree.result(child)?[tree.decider(node, 0).index()];
        Some(Known { score, distance: tree.distance(child) })
    }

    /// The better one is greater: a higher score, then a shorter win and a longer way to anything else.
    pub(crate) fn compare(&self, other: &Known) -> Ordering {
        let patience =
            |known: &Known| if known.score == 1.0 { -i64::from(known.distance) } else { known.distance.into() };
        self.score.total_cmp(&other.score).then(patience(self).cmp(&patience(other)))
    }
}

/// Whether an arm of a node with one decider is proven to score nothing.
pub(crate) fn is_lost(tree: &Tree, node: NodeId, arm: usize) -> bool {
    Known::of(tree, node, arm).is_some_and(|known| known.score == 0.0)
}

/// The best of the arms of a node whose result is known: one that gets this result, see [`Known::compare`]; among equals the one
/// with the best mean score, which the opponent finds hardest to refute.
pub(crate) fn best_known(tree: &Tree, node: NodeId) -> Option<usize> {
    let arms = tree.arms(node, 0);
    let mean = |arm: usize| if arms[arm].visits == 0 { 0.0 } else { arms[arm].mean() };
    let known = (0..arms.len()).filter_map(|arm| Some((Known::of(tree, node, arm)?, arm)));
    // The first of equals.
    let best = known.reduce(|best, next| {
        let order = next.0.compare(&best.0).then(mean(next.1).total_cmp(&mean(best.1)));
        if order.is_gt() { next } else { best }
    });
    best.map(|(_, arm)| arm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_short_and_losses_long() {
        let known = |score, distance| Known { score, distance };
        let order =
            [known(0.0, 1), known(0.0, 3), known(0.0, 5), known(0.5, 2), known(0.5, 4), known(1.0, 7), known(1.0, 1)];
        assert!(order.is_sorted_by(|a, b| a.compare(b).is_lt()));
    }
}
