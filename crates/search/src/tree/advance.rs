//! What stays of a tree when the real game goes on.
//!
//! Nodes that can no longer matter die at once, and it costs nothing: whoever asks for one is told that there is none. Their
//! memory is freed when they are half of the arena or more. Then the living move together, in place and in their order, by a list
//! that was written while they were met; so the time depends on how many stay, not on how many go.

use super::{Arm, ArmBlock, Joint, NONE, Node, NodeId, REFUTED, Store, Tree};
use std::mem::{replace, swap, take};

/// Gaps are closed when one node in so many is dead.
const DEAD_SHARE: usize = 2;

impl Tree {
    /// The real game went on to the position of `root`: nodes that can no longer matter go. With transpositions these are
    /// the ones not met during the last two steps, otherwise those that `root` does not lead to.
    pub(crate) fn advance(&mut self, root: Option<NodeId>) {
        self.step += 1;
        self.root = root;
        self.kept.clear();
        match root {
            _ if self.transpositions => self.keep_recently_met(),
            Some(root) => self.keep_reachable(root),
            None => return self.clear(),
        }
        let size = self.store.nodes.len();
        if (size - self.len()) * DEAD_SHARE >= size {
            self.close_gaps();
        } else {
            swap(&mut self.met_before, &mut self.met);
            self.first_recent = self.first_new;
        }
        self.met.clear();
        self.first_new = self.store.nodes.len() as u32;
    }

    fn keep_recently_met(&mut self) {
        self.oldest = self.step.saturating_sub(2);
        let [met, met_before, _] = self.ages;
        self.ages = [0, met, met_before];
        // The root lives in any case, until the next step.
        if let Some(root) = self.root.filter(|&root| !self.is_alive(root)) {
            self.store.nodes[root.0 as usize].touched = self.oldest;
            self.ages[2] += 1;
            self.kept.push(root);
        }
    }

    fn keep_reachable(&mut self, root: NodeId) {
        self.oldest = self.step;
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if replace(&mut self.store.nodes[id.0 as usize].touched, self.step) == self.step {
                continue;
            }
            self.kept.push(id);
            if self.deciders(id) == 1 {
                open.extend(self.arms(id, 0).iter().filter(|arm| arm.child < REFUTED).map(|arm| NodeId(arm.child)));
            } else {
                open.extend(self.store.joints_of(id).map(|joint| joint.child));
            }
        }
        self.ages = [self.kept.len(), 0, 0];
    }

    /// Writes down all living nodes, in their order.
    fn list_living(&mut self) {
        let size = self.store.nodes.len() as u32;
        if self.transpositions {
            // Whoever was met again stands in the later list too.
            let (nodes, oldest) = (&self.store.nodes, self.oldest);
            self.kept.extend(self.met_before.iter().filter(|id| nodes[id.0 as usize].touched == oldest));
            self.kept.extend(self.met.iter().filter(|id| id.0 < self.first_recent));
        }
        self.kept.sort_unstable_by_key(|id| id.0);
        if self.transpositions {
            self.kept.extend((self.first_recent..size).map(NodeId));
        }
    }

    /// Moves the living nodes to the front.
    fn close_gaps(&mut self) {
        self.list_living();
        for (place, id) in (0..).zip(&self.kept) {
            self.store.nodes[id.0 as usize].place = place;
        }
        self.root = self.root.map(|root| NodeId(self.store.nodes[root.0 as usize].place));
        self.store.move_contents(&self.kept, self.oldest, (self.roles, self.amaf_codes));
        self.store.move_nodes(&self.kept, self.transpositions);
        self.met_before.clear();
        let is_recent = |node: &Node| node.touched + 1 == self.step;
        let recent = (0..).zip(&self.store.nodes).filter(|(_, node)| is_recent(node));
        self.met_before.extend(recent.map(|(place, _)| NodeId(place)));
        self.first_recent = self.store.nodes.len() as u32;
    }
}

impl Store {
    /// Where a node goes; nowhere if it is dead.
    fn destination(&self, id: u32, oldest: u32) -> u32 {
        if id >= REFUTED {
            return id;
        }
        let node = &self.nodes[id as usize];
        if node.touched >= oldest { node.place } else { NONE }
    }

    /// Moves everything that belongs to the nodes to keep. The nodes themselves stay: they are asked where others go.
    fn move_contents(&mut self, kept: &[NodeId], oldest: u32, (roles, amaf_codes): (usize, usize)) {
        let (mut blocks, mut arms) = (0, 0);
        // These two have an order of their own.
        let (old_results, old_joints) = (take(&mut self.results), take(&mut self.joints));
        self.by_joint.clear();
        for (place, id) in kept.iter().map(|id| id.0 as usize).enumerate() {
            let Node { first_block, blocks: block_count, result, last_joint, .. } = self.nodes[id];
            self.nodes[id].first_block = blocks as u32;
            for block in first_block as usize..first_block as usize + usize::from(block_count) {
                let ArmBlock { role, first_arm, arms: count } = self.blocks[block];
                self.blocks[blocks] = ArmBlock { role, first_arm: arms as u32, arms: count };
                blocks += 1;
                for arm in first_arm as usize..(first_arm + count) as usize {
                    let arm = self.arms[arm].clone();
                    self.arms[arms] = Arm { child: self.destination(arm.child, oldest), ..arm };
                    arms += 1;
                }
            }
            self.forced.copy_within(id * roles..(id + 1) * roles, place * roles);
            if result != NONE {
                self.nodes[id].result = self.results.len() as u32;
                self.results.extend_from_slice(&old_results[result as usize..][..roles]);
            }
            self.nodes[id].last_joint = NONE;
            let mut next = last_joint;
            while next != NONE {
                let Joint { index, child, next: after } = old_joints[next as usize];
                let child = self.destination(child.0, oldest);
                if child != NONE {
                    self.by_joint.insert((NodeId(place as u32), index), NodeId(child));
                    let last = replace(&mut self.nodes[id].last_joint, self.joints.len() as u32);
                    self.joints.push(Joint { index, child: NodeId(child), next: last });
                }
                next = after;
            }
        }
        self.blocks.truncate(blocks);
        self.arms.truncate(arms);
        self.forced.truncate(kept.len() * roles);
        self.move_amaf(kept, amaf_codes);
    }

    /// Moves the AMAF sums of the nodes to keep. They lie in the order in which nodes began to collect them.
    fn move_amaf(&mut self, kept: &[NodeId], codes: usize) {
        let mut places: Vec<(u32, NodeId)> = kept.iter().map(|&id| (self.nodes[id.0 as usize].amaf, id)).collect();
        places.retain(|(place, _)| *place != NONE);
        places.sort_unstable_by_key(|(place, _)| *place);
        for (new, &(old, id)) in places.iter().enumerate() {
            self.amaf.copy_within(old as usize * codes..(old as usize + 1) * codes, new * codes);
            self.nodes[id.0 as usize].amaf = new as u32;
        }
        self.amaf.truncate(places.len() * codes);
    }

    fn move_nodes(&mut self, kept: &[NodeId], transpositions: bool) {
        self.by_hash.clear();
        for (place, id) in kept.iter().enumerate() {
            let node = self.nodes[id.0 as usize].clone();
            if let (true, Some(hash)) = (transpositions, node.hash()) {
                self.by_hash.insert(hash, NodeId(place as u32));
            }
            self.nodes[place] = node;
        }
        self.nodes.truncate(kept.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trail::CodeSpace;
    use crate::tree::{Amaf, NewNode, TreeOptions};
    use ludens_game::{Move, Rng, Role, Seed};
    use std::collections::BTreeMap;
    use std::time::{Duration, Instant};

    fn options(transpositions: bool) -> TreeOptions {
        let amaf = Some(CodeSpace::by_hand(&[3, 3]));
        TreeOptions { roles: 2, amaf, amaf_from: 0, transpositions, byte_limit: usize::MAX }
    }

    /// The same rule once more, plainly: everything that goes is taken out at once.
    #[derive(Default)]
    struct Model {
        step: u32,
        /// By their hashes, which are unique.
        nodes: BTreeMap<u64, ModelNode>,
    }

    #[derive(Clone)]
    struct ModelNode {
        touched: u32,
        visits: u32,
        children: BTreeMap<Vec<u32>, u64>,
        result: Option<Vec<f64>>,
    }

    impl Model {
        fn advance(&mut self, root: Option<u64>, transpositions: bool) {
            self.step += 1;
            let mut keep: Vec<u64> = root.into_iter().collect();
            if transpositions {
                keep.extend(self.nodes.iter().filter(|(_, node)| node.touched + 2 >= self.step).map(|(&hash, _)| hash));
            } else {
                let mut next = 0;
                while next < keep.len() {
                    keep.extend(self.nodes[&keep[next]].children.values());
                    next += 1;
                }
            }
            self.nodes.retain(|hash, _| keep.contains(hash));
            let left: Vec<u64> = self.nodes.keys().copied().collect();
            for node in self.nodes.values_mut() {
                node.children.retain(|_, child| left.contains(child));
            }
        }
    }

    /// A tree beside its model. Both are grown by the same random walks, as simulations would do it.
    struct Pair {
        tree: Tree,
        model: Model,
        rng: Rng,
        made: u64,
    }

    /// How many arms the two roles have at the node of a hash: turns, simultaneous moves, nobody, and ends.
    fn arms(hash: u64) -> Option<[usize; 2]> {
        let kind = hash % 1000;
        let counts = [Some([3, 1]), Some([1, 2]), Some([2, 2]), Some([1, 1]), Some([3, 1]), Some([1, 3]), None];
        counts[kind as usize % 7].filter(|_| kind < 400)
    }

    impl Pair {
        fn add(&mut self, hash: u64) -> NodeId {
            let mut new_node = NewNode::new(2);
            new_node.hash = Some(hash);
            new_node.terminal = arms(hash).is_none();
            new_node.scores = vec![hash as f64, 1.0];
            let counts = arms(hash).unwrap_or([1, 1]);
            new_node.legals = counts.map(|count| (0..count as u32).map(Move).collect()).to_vec();
            new_node.codes = counts.map(|count| (0..count as u32).collect()).to_vec();
            let result = new_node.terminal.then(|| new_node.scores.clone());
            let node = ModelNode { touched: self.model.step, visits: 0, children: BTreeMap::new(), result };
            self.model.nodes.insert(hash, node);
            let id = self.tree.add(&new_node);
            self.tree.amaf_mut(id).expect("sums")[2] = Amaf { visits: hash as u32, score: 0.5 };
            id
        }

        /// Goes down from the root at random and adds one node. Many ways lead to the same hashes.
        fn simulate(&mut self, root: (NodeId, u64)) {
            let (mut id, mut hash) = root;
            loop {
                self.tree.touch(id);
                self.tree.add_visits(id, 1);
                let step = self.model.step;
                let node = self.model.nodes.get_mut(&hash).expect("the model has what the tree has");
                node.visits += 1;
                node.touched = step;
                let Some(counts) = arms(hash) else { return };
                let deciding = counts.into_iter().filter(|&count| count > 1);
                let picks: Vec<u32> = deciding.map(|count| self.rng.below(count as u32)).collect();
                let kind = 2 * (hash % 1000) + 1 + picks.iter().fold(0, |index, &pick| 3 * index + u64::from(pick)) % 4;
                self.made += 1;
                let child = if self.tree.transpositions { kind } else { kind + 1000 * self.made };
                let known = node.children.get(&picks).copied();
                let found = self.tree.child(id, &picks);
                assert_eq!(found.map(|id| self.tree.node(id).hash), known);
                if let (Some(found), Some(known)) = (found, known) {
                    (id, hash) = (found, known);
                    continue;
                }
                node.children.insert(picks.clone(), child);
                let met = self.tree.find(Some(child));
                assert_eq!(met.is_some(), self.tree.transpositions && self.model.nodes.contains_key(&child));
                let next = met.unwrap_or_else(|| self.add(child));
                self.tree.link(id, &picks, next);
                if met.is_none() {
                    if self.rng.below(4) == 0 && self.tree.result(next).is_some() {
                        self.tree.prove(id, next, 1);
                        let result = self.model.nodes[&child].result.clone();
                        self.model.nodes.get_mut(&hash).expect("just met").result = result;
                    }
                    return;
                }
                (id, hash) = (next, child);
            }
        }

        /// Both have the same nodes, and these the same contents.
        fn compare(&self, ids: &[NodeId]) {
            assert_eq!(self.tree.len(), self.model.nodes.len());
            for &id in ids {
                let node = self.tree.node(id);
                let model = &self.model.nodes[&node.hash];
                assert_eq!((node.visits, self.tree.result(id)), (model.visits, model.result.as_deref()));
                let counts = arms(node.hash).unwrap_or([1, 1]);
                let deciding: Vec<_> = (0..2).filter(|&role| counts[role] > 1).collect();
                assert_eq!(self.tree.deciders(id), deciding.len());
                for (decider, role) in deciding.into_iter().enumerate() {
                    assert_eq!(self.tree.decider(id, decider).index(), role);
                    let moves: Vec<_> = self.tree.arms(id, decider).iter().map(|arm| arm.mv.index()).collect();
                    assert_eq!(moves, (0..counts[role]).collect::<Vec<_>>());
                }
                assert_eq!(self.tree.forced(id), [Move(0), Move(0)]);
                assert_eq!(self.tree.amaf_of(id, Role(0))[2].visits, node.hash as u32);
                for (picks, hash) in &model.children {
                    let child = self.tree.child(id, picks).expect("both have the link");
                    assert_eq!(self.tree.node(child).hash, *hash);
                }
            }
        }

        /// All nodes that are alive.
        fn living(&self) -> Vec<NodeId> {
            (0..self.tree.store.nodes.len() as u32).map(NodeId).filter(|&id| self.tree.is_alive(id)).collect()
        }
    }

    #[test]
    fn what_stays_is_what_the_rule_says() {
        for (seed, transpositions) in (0..40).zip([true, false].into_iter().cycle()) {
            let (tree, rng) = (Tree::new(options(transpositions)), Seed::new(seed).rng());
            let mut pair = Pair { tree, model: Model::default(), rng, made: 0 };
            let mut root = (pair.add(0), 0);
            pair.tree.set_root(root.0);
            for step in 0..12 {
                // Long steps and short ones, so that much or little goes.
                for _ in 0..[300, 5, 40, 0][step % 4] {
                    pair.simulate(root);
                }
                pair.compare(&pair.living());
                let children: Vec<u64> = pair.model.nodes[&root.1].children.values().copied().collect();
                let Some(&next) = children.first() else { break };
                let known = pair.living().into_iter().find(|&id| pair.tree.node(id).hash == next);
                pair.model.advance(Some(next), transpositions);
                pair.tree.advance(known);
                root = (pair.tree.root().expect("it was given"), next);
                pair.compare(&pair.living());
                assert!(pair.tree.store.nodes.len() < 2 * pair.tree.len().max(1), "gaps are closed");
                if step % 3 > 0 {
                    pair.tree.set_root(root.0);
                    pair.model.nodes.get_mut(&next).expect("it is the root").touched = pair.model.step;
                }
            }
        }
    }

    #[test]
    fn without_a_root_only_transpositions_stay() {
        for transpositions in [true, false] {
            let mut pair = Pair {
                tree: Tree::new(options(transpositions)),
                model: Model::default(),
                rng: Seed::new(1).rng(),
                made: 0,
            };
            pair.add(0);
            pair.tree.advance(None);
            assert_eq!((pair.tree.len(), pair.tree.root()), (usize::from(transpositions), None));
        }
    }

    /// A large tree of which one node in a hundred is met again.
    #[test]
    fn the_time_depends_on_what_stays() {
        const NODES: u32 = 1_000_000;
        let mut tree = Tree::new(TreeOptions { amaf: None, ..options(true) });
        let mut new_node = NewNode::new(2);
        new_node.legals = vec![vec![Move(0), Move(1)], vec![Move(9)]];
        new_node.codes = vec![vec![0, 1], vec![9]];
        let begun = Instant::now();
        for id in 0..NODES {
            new_node.hash = Some(u64::from(id).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let child = tree.add(&new_node);
            if id > 0 {
                tree.link(NodeId((id - 1) / 2), &[(id - 1) % 2], child);
            }
        }
        let built = begun.elapsed();
        tree.set_root(NodeId(0));
        let mut times = Vec::new();
        for left in [NODES, NODES, NODES / 100] {
            let begun = Instant::now();
            tree.advance(Some(NodeId(0)));
            times.push(begun.elapsed());
            assert_eq!(tree.len(), left as usize);
            (0..left).step_by(100).for_each(|id| tree.touch(NodeId(id)));
        }
        println!("{NODES} nodes were made in {built:?}; three steps took {times:?}");
        assert!(times.iter().sum::<Duration>() < built / 4, "{times:?} of {built:?}");
    }

    #[test]
    fn sums_begin_after_enough_visits_and_move_with_their_nodes() {
        let mut tree = Tree::new(TreeOptions { amaf_from: 2, ..options(true) });
        let mut nodes = Vec::new();
        for hash in 0..3 {
            let mut new_node = NewNode::new(2);
            new_node.hash = Some(hash);
            new_node.legals = vec![vec![Move(0), Move(1)], vec![Move(2)]];
            new_node.codes = vec![vec![0, 1], vec![2]];
            nodes.push(tree.add(&new_node));
        }
        tree.add_visits(nodes[2], 1);
        assert!(tree.amaf_mut(nodes[2]).is_none(), "one visit is not enough");
        // The last node begins before the second one.
        for (node, score) in [(nodes[2], 0.25), (nodes[1], 0.75)] {
            tree.add_visits(node, 2);
            tree.amaf_mut(node).expect("two visits are enough")[1] = Amaf { visits: 1, score };
        }
        assert!(tree.amaf_of(nodes[0], Role(0)).is_empty());
        let kept = [nodes[1], nodes[2]];
        tree.store.move_contents(&kept, 0, (2, tree.amaf_codes));
        let scores = kept.map(|id| tree.amaf_of(id, Role(0))[1].score);
        assert_eq!(scores, [0.75, 0.25]);
        assert_eq!(tree.store.amaf.len(), 2 * tree.amaf_codes);
    }
}
