//! [`Lasting`]: whether the moves of a game last.
//!
//! Where stones are placed and stay, nearly every later move of a simulation could be played at the root as well: moves *last*. One
//! simulation then says something about many moves at the root, so AMAF sums deserve trust, and playouts have to differ from each
//! other to say it. Where pieces move, most later moves are impossible now. The measure is the share
//!
//! ```text
//!   later choices of the root's role that are legal at the root / all its later choices
//! ```
//!
//! over a sample of the simulations. By hand: with moves 0, 1 and 2 legal at the root, a simulation in which the role plays 1, 2 and 5
//! has a share of 2/3.

use crate::{
    trail::{CodeSpace, Trail},
    tree::{NodeId, Tree},
};
use ludens_game::Role;

/// The arms from which on it matters that moves last: fewer are soon explored one by one.
pub(crate) const MANY_ARMS: usize = 16;
/// Moves last from this share on.
const NEARLY_ALL: f64 = 0.9;
/// The choices that it takes to say so.
const ENOUGH: f64 = 16.0;
/// One simulation of so many is looked at.
const SAMPLE: u64 = 8;

/// What the simulations of a search say about it.
pub(crate) struct Lasting {
    /// Whether anybody asks.
    is_wanted: bool,
    role: Role,
    /// By code: whether the move is legal at the root.
    is_legal: Vec<bool>,
    legal: f64,
    all: f64,
}

impl Lasting {
    pub(crate) fn new(is_wanted: bool, space: &CodeSpace) -> Lasting {
        let codes = if is_wanted { space.total() } else { 0 };
        Lasting { is_wanted, role: Role(0), is_legal: vec![false; codes], legal: 0.0, all: 0.0 }
    }

    /// A search begins. What the last one saw counts half.
    pub(crate) fn begin_search(&mut self, tree: &Tree, root: NodeId, space: &CodeSpace) {
        if !self.is_wanted || tree.deciders(root) == 0 {
            return;
        }
        self.role = tree.decider(root, 0);
        self.is_legal.fill(false);
        for arm in tree.arms(root, 0) {
            self.is_legal[space.code(self.role, arm.mv) as usize] = true;
        }
        self.legal /= 2.0;
        self.all /= 2.0;
    }

    /// A new game begins.
    pub(crate) fn reset(&mut self) {
        (self.legal, self.all) = (0.0, 0.0);
    }

    /// Looks at a simulation, `number` of the search.
    #[inline]
    pub(crate) fn look_at(&mut self, trail: &Trail, number: u64) {
        if !self.is_wanted || !number.is_multiple_of(SAMPLE) {
            return;
        }
        for choice in trail.choices().iter().filter(|choice| choice.step > 0 && choice.role == self.role) {
            self.legal += f64::from(u8::from(self.is_legal[choice.code as usize]));
            self.all += 1.0;
        }
    }

    /// Whether moves last, as far as is known.
    #[inline]
    pub(crate) fn moves_last(&self) -> bool {
        self.all >= ENOUGH && self.legal >= NEARLY_ALL * self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{NewNode, TreeOptions};
    use ludens_game::Move;

    #[test]
    fn shares_by_hand() {
        let space = CodeSpace::by_hand(&[6, 6]);
        let mut tree =
            Tree::new(TreeOptions { roles: 2, amaf: None, amaf_from: 0, transpositions: false, byte_limit: 1 << 20 });
        let mut node = NewNode::new(2);
        node.legals = vec![vec![Move(0), Move(1), Move(2)], vec![Move(5)]];
        node.codes = vec![vec![0, 1, 2], vec![5]];
        let root = tree.add(&node);
        let mut lasting = Lasting::new(true, &space);
        lasting.begin_search(&tree, root, &space);
        // Role 0 plays 0 at the root, then 1, 2 and 5, each of two moves; role 1 has no choice.
        let idle: (&[u32], usize) = (&[5], 0);
        let steps = [[(&[0, 1][..], 0), idle], [(&[1, 2], 0), idle], [(&[2, 3], 0), idle], [(&[4, 5], 1), idle]];
        let trail = Trail::by_hand(&space, &steps.each_ref().map(|step| &step[..]));
        lasting.look_at(&trail, 0);
        assert_eq!((lasting.legal, lasting.all), (2.0, 3.0));
        // Not one of the sample.
        lasting.look_at(&trail, 1);
        assert_eq!(lasting.all, 3.0);
        // 18 of 20 are enough, 17 of 20 or 15 of 15 are not.
        for (legal, all, moves_last) in [(18.0, 20.0, true), (17.0, 20.0, false), (15.0, 15.0, false)] {
            (lasting.legal, lasting.all) = (legal, all);
            assert_eq!(lasting.moves_last(), moves_last, "{legal} of {all}");
        }
        lasting.begin_search(&tree, root, &space);
        assert_eq!((lasting.legal, lasting.all), (7.5, 7.5));
        lasting.reset();
        assert!(!lasting.moves_last());
    }
}
