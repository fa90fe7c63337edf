//! How much memory a tree takes.

use super::{NodeId, Store, Tree};
use crate::memory;

impl Store {
    fn bytes(&self) -> usize {
        let map_entry = 8 + size_of::<(NodeId, u64)>();
        size_of_val(self.nodes.as_slice())
            + size_of_val(self.blocks.as_slice())
            + size_of_val(self.arms.as_slice())
            + size_of_val(self.forced.as_slice())
            + size_of_val(self.results.as_slice())
            + size_of_val(self.amaf.as_slice())
            + size_of_val(self.joints.as_slice())
            + (self.by_hash.len() + self.by_joint.len()) * map_entry
    }

    fn allocated(&self) -> usize {
        memory::of_vec(&self.nodes)
            + memory::of_vec(&self.blocks)
            + memory::of_vec(&self.arms)
            + memory::of_vec(&self.forced)
            + memory::of_vec(&self.results)
            + memory::of_vec(&self.amaf)
            + memory::of_map(&self.by_hash)
            + memory::of_map(&self.by_joint)
            + memory::of_vec(&self.joints)
    }
}

impl Tree {
    /// The memory that the tree's contents take, the dead among them.
    pub fn bytes(&self) -> usize {
        self.store.bytes()
    }

    /// The memory that the tree has asked for.
    pub(crate) fn allocated(&self) -> usize {
        self.store.allocated()
            + memory::of_vec(&self.met)
            + memory::of_vec(&self.met_before)
            + memory::of_vec(&self.kept)
    }

    /// Whether the memory limit is reached: no node is added any more.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes() >= self.byte_limit
    }
}
