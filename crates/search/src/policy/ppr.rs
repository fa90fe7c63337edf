//! PPR, playout pruning with RAVE (ppr2016).
//!
//! Before a playout, walk up from the new node (the root included) to the first node with at least `tn` of the budget's
//! simulations; the list is made of the moves whose AMAF rate there, for the role to move at that node, is above `tw`. One
//! list serves both roles, by move id; without data a move is not on it; without such a node the playout is uniform.
//! At each step ξ is drawn from [0,1): ξ ≤ p, and a move of the list is legal: uniformly among these; otherwise uniformly
//! among the last `ceil((1-ξ)·k)` of the k moves in the board's fixed order (`order=board`) or among all (`order=uniform`).
//!
//! ppr2016: tn = 1 %, tw = 25 %, p = 80 %. Most of its gain is the bias of the fixed order.

use super::{Decision, Leaf, Needs, Policy};
use ludens_game::{Move, Rng};

/// Which moves are considered when the list is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoardOrder {
    /// The last ones in the game's order.
    Board,
    /// All.
    Uniform,
}

/// The parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PprOptions {
    /// The share of the budget that makes a node's sums good enough.
    pub(crate) tn: f64,
    /// The AMAF rate that puts a move on the list.
    pub(crate) tw: f64,
    /// The probability of a move from the list.
    pub(crate) p: f64,
    pub(crate) order: BoardOrder,
}

/// The policy and its list.
#[derive(Clone, Debug)]
pub(crate) struct Ppr {
    options: PprOptions,
    /// Whether a node was found.
    active: bool,
    /// By move id: 1 if it is on the list.
    listed: Vec<u32>,
}

impl Ppr {
    pub(crate) fn new(options: PprOptions) -> Ppr {
        Ppr { options, active: false, listed: Vec::new() }
    }
}

impl Policy for Ppr {
    fn needs(&self) -> Needs {
        Needs { amaf: true, ..Needs::default() }
    }

    fn begin(&mut self, leaf: &Leaf<'_>) {
        let enough = self.options.tn * leaf.simulations as f64;
        let tree = leaf.tree;
        let node = leaf
            .path
            .iter()
            .rev()
            .copied()
            .find(|&node| f64::from(tree.node(node).visits) >= enough && tree.deciders(node) > 0);
        self.active = node.is_some();
        self.listed.fill(0);
        let Some(node) = node else { return };
        for arm in tree.arms(node, 0) {
            let sums = &tree.amaf_of(node, tree.decider(node, 0))[arm.mv.index()];
            if sums.mean().is_some_and(|rate| rate > self.options.tw) {
                if self.listed.len() <= arm.mv.index() {
                    self.listed.resize(arm.mv.index() + 1, 0);
                }
                self.listed[arm.mv.index()] = 1;
            }
        }
    }

    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize> {
        let moves = decision.moves;
        if !self.active {
            return Some(rng.below(moves.len() as u32) as usize);
        }
        let xi = rng.unit();
        if xi <= self.options.p {
            let listed = |mv: &Move| self.listed.get(mv.index()).copied().unwrap_or(0);
            let count: u32 = moves.iter().map(listed).sum();
            if count > 0 {
                let mut skip = rng.below(count) + 1;
                let place = moves.iter().position(|mv| {
                    skip -= listed(mv);
                    skip == 0
                });
                return place;
            }
        }
        let last = match self.options.order {
            BoardOrder::Board => ((1.0 - xi) * moves.len() as f64).ceil() as usize,
            BoardOrder::Uniform => moves.len(),
        };
        Some(moves.len() - last + rng.below(last as u32) as usize)
    }
}
