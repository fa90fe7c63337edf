//! [`Worker`]: everything that one line of simulations touches, in one struct.

use crate::{
    backup::AmafGather,
    batch::Batch,
    policy::{Leaf, Needs, Policy},
    select::{Junction, Pick, Select},
    settings::Settings,
    trail::CodeSpace,
    tree::{Amaf, NodeId, Sketch, Tree, TreeOptions},
    walk::{Legals, Lent, Walk},
    world::World,
};
use ludens_game::{Move, Rng, Role};

/// A tree, a way to choose in it, the walk that goes on from it, and room to work in.
pub(crate) struct Worker {
    pub(crate) tree: Tree,
    pub(crate) walk: Lent<Walk>,
    pub(crate) settings: Settings,
    /// The nodes of the simulation under way, from the root.
    pub(crate) path: Vec<NodeId>,
    /// The arms chosen at them, one per decider, one node after the other.
    pub(crate) picked: Vec<u32>,
    pub(crate) amaf: AmafGather,
    /// The simulations of this search, and those it may make (0: no such limit).
    pub(crate) simulations: u64,
    pub(crate) budget: u64,
    /// The simulations in flight, if there are several at once.
    pub(crate) batch: Option<Batch>,
    select: Box<dyn Select>,
    moves: Vec<Move>,
    codes: Vec<u32>,
    places: Vec<usize>,
    sketch: Sketch,
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
        needs.amaf |= select.wants_amaf();
        let roles = space.roles();
        let tree = Tree::new(TreeOptions {
            roles,
            amaf: needs.amaf.then(|| space.clone()),
            transpositions: settings.transpositions,
            byte_limit: settings.memory / settings.threads,
        });
        let amaf = AmafGather::new(if needs.amaf { space.total() } else { 0 });
        Worker {
            tree,
            walk: Lent::new(Walk::new(space, policies, needs, rng)),
            settings,
            path: Vec::new(),
            picked: Vec::new(),
            amaf,
            simulations: 0,
            budget: 0,
            batch: None,
            select,
            moves: Vec::new(),
            codes: Vec::new(),
            places: Vec::new(),
            sketch: Sketch::new(roles),
        }
    }

    /// A simulation begins at the root.
    pub(crate) fn begin_simulation(&mut self) {
        self.walk.trail.clear();
        self.path.clear();
        self.picked.clear();
    }

    /// Goes to a node. If its scores are known the walk has them, and this is the end of the way; otherwise the walk has a
    /// joint move to go on with.
    pub(crate) fn enter(&mut self, node: NodeId) -> bool {
        self.path.push(node);
        self.tree.touch(node);
        if let Some(scores) = self.tree.result(node) {
            self.walk.scores.copy_from_slice(scores);
            return true;
        }
        self.pick_arms(node);
        false
    }

    /// The node that the last picks lead to; if the tree has none, the hash of its position. `hash` is asked for it only if
    /// somebody reads it.
    pub(crate) fn follow(&mut self, hash: impl FnOnce() -> Option<u64>) -> Result<NodeId, Option<u64>> {
        let (node, picks) = last_step(&self.tree, &self.path, &self.picked);
        if let Some(child) = self.tree.child(node, picks) {
            return Ok(child);
        }
        let hash = if self.tree.transpositions() { hash() } else { None };
        let met = self.tree.find(hash).ok_or(hash)?;
        self.tree.link(node, picks, met);
        Ok(met)
    }

    /// Adds a position as a child of the last node of the path, unless the memory is full. If the game is over the walk has
    /// its scores. Tells whether the scores are known.
    pub(crate) fn expand<L: Legals>(&mut self, position: &L, hash: Option<u64>, is_over: bool) -> bool {
        if !self.tree.is_full() {
            let leaf = self.add_node(position, hash, is_over);
            let (node, picks) = last_step(&self.tree, &self.path, &self.picked);
            self.tree.link(node, picks, leaf);
            self.path.push(leaf);
        }
        is_over
    }

    fn add_node<L: Legals>(&mut self, position: &L, hash: Option<u64>, is_over: bool) -> NodeId {
        let sketch = &mut self.sketch;
        sketch.hash = hash;
        sketch.terminal = is_over;
        sketch.scores.copy_from_slice(&self.walk.scores);
        if !sketch.terminal {
            for role in Role::all(sketch.legals.len()) {
                let (legals, codes) = (&mut sketch.legals[role.index()], &mut sketch.codes[role.index()]);
                position.legals(role, legals);
                if self.walk.needs.features && legals.len() > 1 {
                    position.codes(role, legals, codes);
                } else {
                    codes.clear();
                    codes.extend(legals.iter().map(|mv| mv.0));
                }
            }
        }
        self.tree.add(sketch)
    }

    /// Chooses an arm for every decider of a node; fills the joint move, the trail and the picks.
    pub(crate) fn pick_arms(&mut self, node: NodeId) {
        self.walk.joint.copy_from_slice(self.tree.forced(node));
        for decider in 0..self.tree.deciders(node) {
            let role = self.tree.decider(node, decider);
            let pick = self.select_arm(node, decider);
            let mut arm = match pick {
                Pick::Arm(arm) => arm,
                Pick::AskPolicy => self.ask_policy(node, decider),
            };
            if self.settings.solver && self.tree.deciders(node) == 1 {
                arm = crate::solver::avoid_loss(&self.tree, node, arm);
            }
            let arms = self.tree.arms(node, decider);
            let mv = arms[arm].mv;
            let walk = &mut *self.walk;
            if walk.records() {
                walk.trail.open_choice(role);
                if walk.needs.legal {
                    walk.trail.legal_buffer().extend(arms.iter().map(|arm| arm.code));
                }
                walk.trail.close_choice(arm, walk.space.code(role, mv));
            }
            walk.joint[role.index()] = mv;
            self.picked.push(arm as u32);
        }
        self.walk.end_step();
    }

    fn select_arm(&mut self, node: NodeId, decider: usize) -> Pick {
        let tree = &self.tree;
        let role = tree.decider(node, decider);
        let (amaf, reference): (&[Amaf], &[Amaf]) = if self.select.wants_amaf() {
            let enough = self.select.reference_visits();
            let nearest = self.path.iter().rev().find(|&&upper| tree.node(upper).visits >= enough);
            let reference = *nearest.unwrap_or(&self.path[0]);
            (tree.amaf_of(node, role), tree.amaf_of(reference, role))
        } else {
            (&[], &[])
        };
        let junction = Junction { arms: tree.arms(node, decider), visits: tree.node(node).visits, amaf, reference };
        self.select.pick(&junction, &mut self.walk.rng)
    }

    /// The playout policy chooses one of the arms without visits.
    fn ask_policy(&mut self, node: NodeId, decider: usize) -> usize {
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
        let chosen = if self.places.len() == 1 { 0 } else { self.walk.choose(role, &self.moves, &self.codes) };
        self.places[chosen]
    }

    /// A playout begins at the end of the path; tells how many steps it may make.
    pub(crate) fn begin_playout(&mut self) -> u32 {
        let simulations = if self.budget > 0 { self.budget } else { self.simulations };
        self.walk.begin(&Leaf { tree: &self.tree, path: &self.path, simulations });
        self.settings.depth.saturating_sub(self.path.len() as u32 - 1)
    }

    /// A search begins at the world's position.
    pub(crate) fn begin_search<W: World>(&mut self, world: &mut W, budget: u64) {
        self.simulations = 0;
        self.walk.steps = 0;
        self.budget = budget;
        if !self.settings.reuse {
            self.tree.clear();
        }
        let hash = if self.tree.transpositions() { world.hash() } else { None };
        let root = self.tree.root().or_else(|| self.tree.find(hash));
        // Who is asked for a move is in a game that goes on.
        let root = root.unwrap_or_else(|| self.add_node(world, hash, false));
        self.tree.set_root(root);
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

    /// The real game went on by one step.
    pub(crate) fn new_turn(&mut self) {
        for policy in &mut self.walk.policies {
            policy.new_turn();
        }
    }

    /// A new game begins.
    pub(crate) fn reset(&mut self, rng: Rng) {
        self.tree.reset();
        self.walk.rng = rng;
        for policy in &mut self.walk.policies {
            policy.reset();
        }
    }

    /// What the first policy that has an opinion thinks of a move.
    pub(crate) fn liking(&self, code: u32) -> Option<f64> {
        self.walk.policies.iter().find_map(|policy| policy.liking(code))
    }

    /// The bytes that it holds: the tree, the policies' tables, the trail, and those of all that is in flight.
    pub(crate) fn bytes(&self) -> usize {
        self.tree.held() + self.walk.bytes() + self.batch.as_ref().map_or(0, Batch::bytes)
    }

    pub(crate) fn policies_mut(&mut self) -> &mut [Box<dyn Policy>] {
        &mut self.walk.policies
    }
}

/// The last node of a path at which arms were picked, and these.
#[inline]
fn last_step<'p>(tree: &Tree, path: &[NodeId], picked: &'p [u32]) -> (NodeId, &'p [u32]) {
    let node = *path.last().expect("the root is on the path");
    (node, &picked[picked.len() - tree.deciders(node)..])
}
