//! What stays of a tree when the real game goes on.

use super::{Arm, Block, NONE, Node, NodeId, Tree};
use rustc_hash::FxHashMap;

impl Tree {
    /// The real game went on to the position of `root`: nodes that can no longer matter go. With transpositions these are
    /// the ones not met during the last two steps, otherwise those that `root` does not lead to.
    pub(crate) fn advance(&mut self, root: Option<NodeId>) {
        self.step += 1;
        let mut keep = match root {
            _ if self.transpositions => self.recently_met(),
            Some(root) => self.reachable(root),
            None => vec![false; self.len()],
        };
        if let Some(root) = root {
            keep[root.0 as usize] = true;
        }
        self.root = self.compact(&keep, root);
    }

    fn recently_met(&self) -> Vec<bool> {
        self.store.nodes.iter().map(|node| node.touched + 2 >= self.step).collect()
    }

    fn reachable(&self, root: NodeId) -> Vec<bool> {
        let mut joint_children: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        for (&(parent, _), &child) in &self.store.by_joint {
            joint_children.entry(parent).or_default().push(child);
        }
        let mut keep = vec![false; self.len()];
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut keep[id.0 as usize], true) {
                continue;
            }
            if self.deciders(id) == 1 {
                open.extend(self.arms(id, 0).iter().filter(|arm| arm.child != NONE).map(|arm| NodeId(arm.child)));
            } else {
                open.extend(joint_children.get(&id).into_iter().flatten());
            }
        }
        keep
    }

    /// Copies the nodes to keep into a fresh arena and returns the new place of `root`.
    fn compact(&mut self, keep: &[bool], root: Option<NodeId>) -> Option<NodeId> {
        let mut old = std::mem::replace(&mut self.store, std::mem::take(&mut self.spare));
        let mut place = vec![NONE; keep.len()];
        for (new, old) in (0..).zip((0..keep.len()).filter(|&index| keep[index])) {
            place[old] = new;
        }
        let moved = |id: u32| if id == NONE { NONE } else { place[id as usize] };
        for index in (0..keep.len()).filter(|&index| keep[index]) {
            let node = &old.nodes[index];
            let id = self.store.nodes.len() as u32;
            let first_block = self.store.blocks.len() as u32;
            for block in &old.blocks[node.first_block as usize..][..usize::from(node.blocks)] {
                let first_arm = self.store.arms.len() as u32;
                let arms = &old.arms[block.first_arm as usize..][..block.arms as usize];
                self.store.arms.extend(arms.iter().map(|arm| Arm { child: moved(arm.child), ..arm.clone() }));
                self.store.blocks.push(Block { first_arm, ..*block });
            }
            self.store.forced.extend_from_slice(&old.forced[index * self.roles..][..self.roles]);
            self.store.amaf.extend_from_slice(&old.amaf[index * self.amaf_codes..][..self.amaf_codes]);
            let mut result = NONE;
            if node.result != NONE {
                result = self.store.results.len() as u32;
                self.store.results.extend_from_slice(&old.results[node.result as usize..][..self.roles]);
            }
            if let (true, Some(hash)) = (self.transpositions, node.hash) {
                self.store.by_hash.insert(hash, NodeId(id));
            }
            self.store.nodes.push(Node { first_block, result, ..node.clone() });
        }
        for (&(parent, index), &child) in &old.by_joint {
            let (parent, child) = (moved(parent.0), moved(child.0));
            if parent != NONE && child != NONE {
                self.store.by_joint.insert((NodeId(parent), index), NodeId(child));
            }
        }
        old.clear();
        self.spare = old;
        root.map(|root| NodeId(place[root.0 as usize]))
    }
}
