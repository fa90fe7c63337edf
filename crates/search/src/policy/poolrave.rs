//! PoolRave (Rimmel, Teytaud, Teytaud 2010; compared in ppr2016).
//!
//! Before a playout, the pool of each role is made of its `n` best moves by AMAF at the nearest ancestor of the new node
//! with at least `ref` simulations. At each step, with probability `p`, a uniform move of the pool that is legal; otherwise
//! the next policy. The papers do not give n and p: 10 and 0.5 here.

use super::{Decision, Leaf, Needs, Policy};
use ludens_game::{Rng, Role};

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
        Needs { amaf: true, ..Needs::default() }
    }

    fn begin(&mut self, leaf: &Leaf<'_>) {
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
}
