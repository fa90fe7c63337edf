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
use crate::{memory, params::Param, registry::PolicyEntry};
use ludens_game::{Move, Rng};

pub(super) const ENTRY: PolicyEntry =
    PolicyEntry::new("ppr", "playout pruning: skips moves with low AMAF (all moves as first) sums", |args, _| {
        let order = if args.word("order") == "board" { BoardOrder::Board } else { BoardOrder::Uniform };
        Box::new(Ppr::new(PprOptions { tn: args.number("tn"), tw: args.number("tw"), p: args.number("p"), order }))
    })
    .params(&[
        Param::number("tn", 0.01, (0.0, 1.0), "share of the budget before a node's sums are used"),
        Param::number("tw", 0.25, (0.0, 1.0), "win rate above which a move is on the list"),
        Param::number("p", 0.8, (0.0, 1.0), "probability of a move from the list"),
        Param::word(
            "order",
            &["board", "uniform"],
            "how other moves are chosen: from the last in board order, or from all",
        ),
    ]);

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
        Needs { amaf: true, leaf: true, ..Needs::default() }
    }

    fn begin(&mut self, leaf: &Leaf<'_>, _: &mut Rng) {
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

    fn bytes(&self) -> usize {
        memory::of_vec(&self.listed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        policy::test::frequencies,
        trail::CodeSpace,
        tree::{NodeId, Tree},
    };
    use ludens_game::Seed;

    const OPTIONS: PprOptions = PprOptions { tn: 0.1, tw: 0.25, p: 0.8, order: BoardOrder::Board };

    fn begin(ppr: &mut Ppr, tree: &Tree, path: &[NodeId]) {
        ppr.begin(&Leaf { tree, path, simulations: 100, moves_last: false }, &mut Seed::new(1).rng());
    }

    /// A path of three nodes: the root with 50 simulations, a node with 10, a new one.
    fn path(space: &CodeSpace) -> (Tree, Vec<NodeId>) {
        Tree::by_hand(
            space,
            &[
                (50, &[0, 1, 2, 3], &[(0, 20, 20.0), (1, 20, 20.0), (2, 20, 20.0), (3, 20, 20.0)]),
                // Rates of role 0: move 1: 0.5, move 2: exactly 0.25, move 3: no data. Role 1's sums do not matter.
                (10, &[1, 2, 3], &[(1, 4, 2.0), (2, 4, 1.0), (12, 4, 4.0)]),
                (0, &[1, 3], &[(3, 1, 1.0)]),
            ],
        )
    }

    #[test]
    fn walks_up_to_the_first_node_with_enough_simulations() {
        let space = CodeSpace::by_hand(&[10, 10]);
        let (tree, path) = path(&space);
        let mut ppr = Ppr::new(OPTIONS);
        // A tenth of 100 simulations: the new node has too few, the one above it enough. Above 25 %: move 1 alone.
        begin(&mut ppr, &tree, &path);
        assert_eq!(ppr.listed, [0, 1]);
        // Three tenths: only the root; all its moves have the rate 1.
        ppr.options.tn = 0.3;
        begin(&mut ppr, &tree, &path);
        assert_eq!(ppr.listed, [1, 1, 1, 1]);
        // Six tenths: no node has as many; playouts are uniform.
        ppr.options.tn = 0.6;
        begin(&mut ppr, &tree, &path);
        let got = frequencies(&mut ppr, &space, 0, &[1, 2, 3, 4]);
        assert!(got.iter().all(|share| (share - 0.25).abs() < 0.01), "{got:?}");
    }

    #[test]
    fn the_list_serves_both_roles_and_the_rest_favours_late_moves() {
        let space = CodeSpace::by_hand(&[10, 10]);
        let (tree, path) = path(&space);
        let mut ppr = Ppr::new(OPTIONS);
        begin(&mut ppr, &tree, &path);
        for role in [0, 1] {
            // ξ ≤ 0.8: move 1. Otherwise ξ is uniform in (0.8, 1), and the last ceil((1-ξ)·4) = 1 of four moves is played.
            let got = frequencies(&mut ppr, &space, role, &[1, 2, 3, 4]);
            assert!((got[0] - 0.8).abs() < 0.01 && (got[3] - 0.2).abs() < 0.01, "{got:?}");
        }
        // No listed move is legal: ξ is uniform in (0, 1). Of two moves, ξ < 1/2 takes both, ξ ≥ 1/2 the last one.
        let got = frequencies(&mut ppr, &space, 0, &[2, 3]);
        assert!((got[0] - 0.25).abs() < 0.01, "{got:?}");
        ppr.options.order = BoardOrder::Uniform;
        let got = frequencies(&mut ppr, &space, 0, &[2, 3]);
        assert!((got[0] - 0.5).abs() < 0.01, "{got:?}");
    }
}
