//! Proven results: where one role decides, a child that it wins proves its parent, and so do children that are all proven
//! (Winands, Björnsson, Saito 2008, for any number of roles).

use crate::tree::{NodeId, Tree};

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
            Some(from) => tree.prove(parent, from),
            None => return,
        }
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
            let mut best: Option<(f64, NodeId)> = None;
            for arm in 0..tree.arms(parent, 0).len() {
                let child = tree.child(parent, &[arm as u32])?;
                let score = tree.result(child)?[role];
                if best.is_none_or(|(highest, _)| score > highest) {
                    best = Some((score, child));
                }
            }
            best.map(|(_, child)| child)
        }
        _ => None,
    }
}

/// The score that an arm is proven to have for the one decider of a node.
pub(crate) fn proven_score(tree: &Tree, node: NodeId, arm: usize) -> Option<f64> {
    let child = tree.child(node, &[arm as u32])?;
    tree.result(child).map(|scores| scores[tree.decider(node, 0).index()])
}

/// `arm`, or if that is proven to score nothing the best one that is not.
pub(crate) fn avoid_loss(tree: &Tree, node: NodeId, arm: usize) -> usize {
    let lost = |arm: usize| proven_score(tree, node, arm) == Some(0.0);
    if !lost(arm) {
        return arm;
    }
    let arms = tree.arms(node, 0);
    let mean = |arm: usize| if arms[arm].visits == 0 { 1.0 } else { arms[arm].mean() };
    (0..arms.len()).filter(|&arm| !lost(arm)).max_by(|&a, &b| mean(a).total_cmp(&mean(b))).unwrap_or(arm)
}
