//! PoolRave (Rimmel, Teytaud, Teytaud 2010; compared in ppr2016).
//!
//! Before a playout, the pool of each role is made of its `n` best moves by AMAF at the nearest ancestor of the new node
//! with at least `ref` simulations. At each step, with probability `p`, a uniform move of the pool that is legal; otherwise
//! the next policy. The papers do not give n and p: 10 and 0.5 here.

use super::{Decision, Leaf, Needs, Policy};
use crate::{memory, params::Param, registry::PolicyEntry};
use ludens_game::{Rng, Role};

pub(super) const ENTRY: PolicyEntry = PolicyEntry::new(
    "poolrave",
    "with probability p, one of the n best moves by AMAF (all moves as first) sums",
    |args, space| {
        let reference = args.whole("ref") as u32;
        let options = PoolOptions { n: args.whole("n") as usize, p: args.number("p"), reference };
        Box::new(PoolRave::new(space.roles(), options))
    },
)
.params(&[
    Param::whole("n", 10, (1, 1 << 20), "size of each role's pool"),
    Param::number("p", 0.5, (0.0, 1.0), "probability of a move from the pool"),
    Param::whole("ref", 50, (0, 1 << 31), "simulations before an ancestor's sums are used"),
])
.partial();

/// The parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolOptions {
    pub(crate) n: usize,
    pub(crate) p: f64,
    /// How many simulations make a node's sums good enough.
    pub(crate) reference: u32,
}

/// The policy and its pools.
#[derive(Clone, Debug)]
pub(crate) struct PoolRave {
    options: PoolOptions,
    /// By role: move ids with their AMAF rates while a pool is made.
    pools: Vec<Vec<(f64, u32)>>,
}

impl PoolRave {
    pub(crate) fn new(roles: usize, options: PoolOptions) -> PoolRave {
        PoolRave { options, pools: vec![Vec::new(); roles] }
    }
}

impl Policy for PoolRave {
    fn needs(&self) -> Needs {
        Needs { amaf: true, leaf: true, ..Needs::default() }
    }

    fn begin(&mut self, leaf: &Leaf<'_>, _: &mut Rng) {
        let enough = |tree: &crate::tree::Tree, node| tree.node(node).visits >= self.options.reference;
        let node = leaf.path.iter().rev().skip(1).copied().find(|&node| enough(leaf.tree, node));
        for (role, pool) in Role::all(self.pools.len()).zip(&mut self.pools) {
            pool.clear();
            let Some(node) = node else { continue };
            // The n best so far, the worst of them last.
            for (mv, sums) in (0..).zip(leaf.tree.amaf_of(node, role)) {
                let Some(rate) = sums.mean() else { continue };
                let full = pool.len() == self.options.n;
                if full && pool.last().is_some_and(|&(worst, _)| rate <= worst) {
                    continue;
                }
                if full {
                    pool.pop();
                }
                let place = pool.partition_point(|&(better, _)| better >= rate);
                pool.insert(place, (rate, mv));
            }
        }
    }

    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize> {
        if !rng.chance(self.options.p) {
            return None;
        }
        // Draws without putting back what is not legal: uniform among what is.
        let pool = &mut self.pools[decision.role.index()];
        let mut left = pool.len();
        while left > 0 {
            let drawn = rng.below(left as u32) as usize;
            if let Ok(place) = decision.moves.binary_search_by_key(&pool[drawn].1, |mv| mv.0) {
                return Some(place);
            }
            left -= 1;
            pool.swap(drawn, left);
        }
        None
    }

    fn bytes(&self) -> usize {
        self.pools.iter().map(memory::of_vec).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        policy::test::choose,
        trail::CodeSpace,
        tree::{NodeId, Tree},
    };
    use ludens_game::Seed;

    #[test]
    fn pools_hold_the_best_moves_of_each_role() {
        let space = CodeSpace::by_hand(&[10, 10]);
        // Rates at the parent, role 0: 1: 0.9, 2: 0.5, 3: 0.7, 4: 0.7; role 1: 5: 0.2. The new node's own sums do not count.
        let parent: &[(usize, u32, f32)] = &[(1, 10, 9.0), (2, 10, 5.0), (3, 10, 7.0), (4, 10, 7.0), (15, 10, 2.0)];
        let (tree, path) = Tree::by_hand(
            &space,
            &[(80, &[1, 2], &[(9, 1, 1.0)]), (60, &[1, 2], parent), (55, &[1, 2], &[(8, 9, 9.0)])],
        );
        let begin = |pool: &mut PoolRave, path: &[NodeId]| {
            pool.begin(&Leaf { tree: &tree, path, simulations: 100, moves_last: false }, &mut Seed::new(1).rng())
        };
        let mut pool = PoolRave::new(2, PoolOptions { n: 2, p: 1.0, reference: 50 });
        begin(&mut pool, &path);
        let moves = |pool: &PoolRave, role: usize| pool.pools[role].iter().map(|&(_, mv)| mv).collect::<Vec<_>>();
        assert_eq!((moves(&pool, 0), moves(&pool, 1)), (vec![1, 3], vec![5]));
        // Only what is legal is drawn, and without that the next policy chooses.
        assert_eq!(choose(&mut pool, &space, 0, &[0, 2, 3]), Some(2));
        assert_eq!(choose(&mut pool, &space, 1, &[4, 5]), Some(1));
        assert_eq!(choose(&mut pool, &space, 0, &[0, 2]), None);
        // Nodes need enough simulations: with 70 only the root has.
        pool.options.reference = 70;
        begin(&mut pool, &path);
        assert_eq!((moves(&pool, 0), moves(&pool, 1)), (vec![9], vec![]));
        // Never from the pool.
        pool.options.p = 0.0;
        assert_eq!(choose(&mut pool, &space, 0, &[9]), None);
    }

    #[test]
    fn legal_moves_of_the_pool_are_equally_likely() {
        let space = CodeSpace::by_hand(&[10, 10]);
        let sums: &[(usize, u32, f32)] = &[(1, 1, 0.9), (2, 1, 0.8), (3, 1, 0.7), (4, 1, 0.6)];
        let (tree, path) = Tree::by_hand(&space, &[(80, &[1, 2], sums), (0, &[1, 2], &[])]);
        let mut pool = PoolRave::new(2, PoolOptions { n: 4, p: 1.0, reference: 50 });
        pool.begin(&Leaf { tree: &tree, path: &path, simulations: 100, moves_last: false }, &mut Seed::new(1).rng());
        let got = crate::policy::test::frequencies(&mut pool, &space, 0, &[0, 1, 3, 4]);
        assert!(got[0] == 0.0 && got[1..].iter().all(|share| (share - 1.0 / 3.0).abs() < 0.01), "{got:?}");
    }
}
