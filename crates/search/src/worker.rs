//! [`Worker`]: what all simulations of one tree share.

use crate::{
    backup::AmafGather,
    chain::Chain,
    lasting::Lasting,
    policy::{Needs, Policy},
    select::Select,
    settings::Settings,
    trail::{CodeSpace, Trail},
    tree::{Arm, NewNode, NodeId, Tree, TreeOptions},
    world::World,
};
use ludens_game::{Move, Rng, Role};

/// A tree, a way to choose in it, the policies that play on from it, and room to work in.
pub(crate) struct Worker {
    pub(crate) tree: Tree,
    pub(crate) select: Box<dyn Select>,
    pub(crate) chain: Chain,
    pub(crate) settings: Settings,
    pub(crate) amaf: AmafGather,
    pub(crate) lasting: Lasting,
    /// The simulations of this search and their steps.
    pub(crate) simulations: u64,
    pub(crate) steps: u64,
    /// The simulations it may make (0: no such limit).
    pub(crate) budget: u64,
    /// Whether a simulation under way counts as a loss wherever it has passed; see `batch.rs`.
    pub(crate) virtual_loss: bool,
    /// Whether the tree is handed on while a playout is under way; see `relay.rs`.
    pub(crate) hands_on_tree: bool,
    /// Whether policies read AMAF sums: then all nodes collect them.
    policies_read_amaf: bool,
    /// Room for the arms of a node that are not proven lost, and their places.
    pub(crate) open: (Vec<Arm>, Vec<usize>),
    /// Room for a new node, for moves, and for their codes and places.
    pub(crate) new_node: NewNode,
    pub(crate) moves: Vec<Move>,
    codes: Vec<u32>,
    places: Vec<usize>,
}

/// What a [`Worker`] is made of.
pub(crate) struct Parts {
    pub(crate) space: CodeSpace,
    pub(crate) settings: Settings,
    pub(crate) select: Box<dyn Select>,
    pub(crate) policies: Vec<Box<dyn Policy>>,
    pub(crate) rng: Rng,
}

impl Worker {
    pub(crate) fn new(parts: Parts) -> Worker {
        let Parts { space, settings, select, policies, rng } = parts;
        let mut needs = policies.iter().fold(Needs::default(), |needs, policy| needs.and(policy.needs()));
        // Policies read the sums of all nodes.
        let policies_read_amaf = needs.amaf;
        let amaf_from = if needs.amaf { 0 } else { select.amaf_from(false) };
        needs.amaf |= select.wants_amaf();
        let roles = space.roles();
        let tree = Tree::new(TreeOptions {
            roles,
            amaf: needs.amaf.then(|| space.clone()),
            amaf_from,
            transpositions: settings.transpositions,
            byte_limit: settings.memory / if settings.shares_tree { 1 } else { settings.threads },
        });
        let lasting = Lasting::new(needs.lasting || select.wants_lasting(), &space);
        let amaf = AmafGather::new(if needs.amaf { space.total() } else { 0 });
        let hands_on_tree = settings.shares_tree;
        Worker {
            tree,
            select,
            chain: Chain::new(space, policies, needs, rng),
            settings,
            amaf,
            lasting,
            simulations: 0,
            steps: 0,
            budget: 0,
            virtual_loss: hands_on_tree,
            hands_on_tree,
            policies_read_amaf,
            open: Default::default(),
            new_node: NewNode::new(roles),
            moves: Vec::new(),
            codes: Vec::new(),
            places: Vec::new(),
        }
    }

    /// A search begins at the root of a world.
    pub(crate) fn begin_search<W: World>(&mut self, world: &mut W, budget: u64) {
        self.simulations = 0;
        self.steps = 0;
        self.budget = budget;
        if !self.settings.reuse {
            self.tree.clear();
        }
        let is_there = world.start().is_ready();
        debug_assert!(is_there, "a search begins in a world that answers at once");
        let hash = if self.tree.transpositions() { world.hash() } else { None };
        let root = self.tree.root().or_else(|| self.tree.find(hash));
        // Players are asked for a move only while the game goes on.
        let root = root.unwrap_or_else(|| self.add_node(world, hash, None));
        self.tree.set_root(root);
        self.tree.begin_amaf(root);
        self.lasting.begin_search(&self.tree, root, &self.chain.space);
    }

    /// Adds the world's position to the tree; `scores` if the game is over there.
    pub(crate) fn add_node<W: World>(&mut self, world: &W, hash: Option<u64>, scores: Option<&Vec<f64>>) -> NodeId {
        let new_node = &mut self.new_node;
        new_node.hash = hash;
        new_node.terminal = scores.is_some();
        if let Some(scores) = scores {
            new_node.scores.copy_from_slice(scores);
        } else {
            for role in Role::all(new_node.legals.len()) {
                let (legals, codes) = (&mut new_node.legals[role.index()], &mut new_node.codes[role.index()]);
                world.legals(role, legals);
                if self.chain.needs.features && legals.len() > 1 {
                    world.codes(role, legals, codes);
                } else {
                    codes.clear();
                    codes.extend(legals.iter().map(|mv| mv.0));
                }
            }
        }
        self.tree.add(new_node)
    }

    /// The playout policies choose one of the arms without visits.
    pub(crate) fn ask_policy(&mut self, node: NodeId, decider: usize, trail: &Trail) -> usize {
        let role = self.tree.decider(node, decider);
        self.places.clear();
        self.moves.clear();
        self.codes.clear();
        for (place, arm) in self.tree.arms(node, decider).iter().enumerate() {
            if arm.visits == 0 {
                self.places.push(place);
                self.moves.push(arm.mv);
                self.codes.push(arm.code);
            }
        }
        let chosen = if self.places.len() == 1 { 0 } else { self.chain.choose(role, &self.moves, &self.codes, trail) };
        self.places[chosen]
    }

    /// Looks at a simulation for whether moves last, and lets nodes collect AMAF sums accordingly.
    #[inline]
    pub(crate) fn look_whether_moves_last(&mut self, trail: &Trail) {
        let before = self.lasting.moves_last();
        self.lasting.look_at(trail, self.simulations);
        if self.lasting.moves_last() != before {
            self.settle_amaf_from();
        }
    }

    /// Settles after how many visits a node collects AMAF sums.
    fn settle_amaf_from(&mut self) {
        if !self.policies_read_amaf {
            self.tree.set_amaf_from(self.select.amaf_from(self.lasting.moves_last()));
        }
    }

    /// Whether the result of the root is known.
    pub(crate) fn is_solved(&self) -> bool {
        self.tree.root().is_some_and(|root| self.tree.result(root).is_some())
    }

    /// The node of the position that a joint move leads to from the root, if the tree has it.
    pub(crate) fn successor(&self, joint: &[Move], hash: Option<u64>) -> Option<NodeId> {
        if self.tree.transpositions() && hash.is_some() {
            return self.tree.find(hash);
        }
        let root = self.tree.root()?;
        let arm_of = |decider: usize| {
            let mv = joint[self.tree.decider(root, decider).index()];
            self.tree.arms(root, decider).iter().position(|arm| arm.mv == mv).map(|arm| arm as u32)
        };
        let picks: Option<Vec<u32>> = (0..self.tree.deciders(root)).map(arm_of).collect();
        self.tree.child(root, &picks?)
    }

    /// The real game advanced by one step.
    pub(crate) fn new_turn(&mut self) {
        for policy in &mut self.chain.policies {
            policy.new_turn();
        }
    }

    /// A new game begins.
    pub(crate) fn reset(&mut self, rng: Rng) {
        self.tree.reset();
        self.lasting.reset();
        self.settle_amaf_from();
        self.chain.rng = rng;
        for policy in &mut self.chain.policies {
            policy.reset();
        }
    }

    /// What the first policy that has an opinion thinks of a move.
    pub(crate) fn policy_value(&self, code: u32) -> Option<f64> {
        self.chain.policies.iter().find_map(|policy| policy.value_of(code))
    }

    /// The bytes that the tree and the policies' tables hold.
    pub(crate) fn bytes(&self) -> usize {
        self.tree.allocated() + self.chain.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        select::{Uct, Unvisited},
        world::Local,
    };
    use ludens_game::{Game, Seed, toy::TicTacToe};

    #[test]
    fn a_search_begins_at_the_root_wherever_the_world_was_left() {
        let game = TicTacToe;
        let initial = Game::initial(&game);
        let mut world = Local::new(&game, &initial);
        // Cells 0 to 6 in turn: X wins, and nobody has a move to choose.
        let noop = Move(9);
        for cell in 0..7 {
            let joint = if cell % 2 == 0 { [Move(cell), noop] } else { [noop, Move(cell)] };
            let _ = world.advance(&joint);
        }
        assert_eq!(world.scores(&mut [0.0; 2]), std::task::Poll::Ready(true), "the walk ends the game");
        let settings = "uct".parse::<crate::Spec>().expect("a spec").settings();
        let mut worker = Worker::new(Parts {
            space: CodeSpace::of(&game),
            settings,
            select: Box::new(Uct::new(0.4, f64::INFINITY, Unvisited::First)),
            policies: Vec::new(),
            rng: Seed::new(1).rng(),
        });
        worker.begin_search(&mut world, 0);
        let root = worker.tree.root().expect("a root");
        let moves: Vec<_> = worker.tree.arms(root, 0).iter().map(|arm| arm.mv).collect();
        assert_eq!(moves, (0..9).map(Move).collect::<Vec<_>>());
    }
}
