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
    places: Vec<u32>,
}

impl PoolRave {
    pub(crate) fn new(roles: usize, options: PoolOptions) -> PoolRave {
        PoolRave { options, pools: vec![Vec::new(); roles], places: Vec::new() }
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
            let rates = leaf.tree.amaf_of(node, role).iter().map(|sums| sums.mean());
            pool.extend((0..).zip(rates).filter_map(|(mv, rate)| rate.map(|rate| (rate, mv))));
            if pool.len() > self.options.n {
                pool.select_nth_unstable_by(self.options.n, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                pool.truncate(self.options.n);
            }
            pool.sort_unstable_by_key(|&(_, mv)| mv);
        }
    }

    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize> {
        if !rng.chance(self.options.p) {
            return None;
        }
        let pool = &self.pools[decision.role.index()];
        self.places.clear();
        let legal = |&(_, mv): &(f64, u32)| decision.moves.binary_search_by_key(&mv, |m| m.0).ok();
        self.places.extend(pool.iter().filter_map(legal).map(|place| place as u32));
        let count = self.places.len() as u32;
        (count > 0).then(|| self.places[rng.below(count) as usize] as usize)
    }
}
