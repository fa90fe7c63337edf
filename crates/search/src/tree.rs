//! The tree: an arena of plain structs.
//!
//! ```text
//!   nodes    [ Node | Node | … ]            one per position met
//!               │ first_block, blocks
//!   blocks   [ ArmBlock | ArmBlock | … ]          one per *deciding* role of a node: role, first_arm, arms
//!               │ first_arm, arms
//!   arms     [ Arm | Arm | Arm | … ]        one per legal move of that role: visits, score sum, child
//!   forced   [ Move × roles | … ]           the moves of the roles that have no choice
//!   results  [ f64 × roles | … ]            scores of positions whose value is known
//!   amaf     [ Amaf × codes | … ]           all-moves-as-first sums of the nodes that collect them
//! ```
//!
//! Every deciding role chooses its arm on its own. With one decider the child hangs on the arm; with several it is found
//! by the joint index of the arms. With transpositions a node may have many parents.
//!
//! A node that can no longer matter is dead: nothing leads to it any more, and it counts as absent. Its place is used again when
//! `advance.rs` closes the gaps.

mod advance;
mod memory;

use crate::trail::CodeSpace;
use ludens_game::{Move, Role};
use rustc_hash::FxHashMap;

/// A node's place in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

const NONE: u32 = u32::MAX;
/// In the place of a child: the move is answered by one that wins at once.
const REFUTED: u32 = u32::MAX - 1;

/// A position met by the search.
#[derive(Clone, Debug)]
pub struct Node {
    /// How many simulations went on from here: the sum of the visits of any one role's arms.
    pub visits: u32,
    first_block: u32,
    blocks: u8,
    /// Whether the result was there from the beginning.
    terminal: bool,
    has_hash: bool,
    /// Means something if it has one.
    hash: u64,
    /// Index into the results, or none.
    result: u32,
    /// If the result is known: the steps to the end of the game in the line that proves it.
    distance: u32,
    /// The step of the real game at which the node was last met.
    touched: u32,
    /// The last of its children by joint index, or none.
    last_joint: u32,
    /// Where the node goes while gaps are being closed.
    place: u32,
    /// The place of its AMAF sums, or none.
    amaf: u32,
    /// Whether a move from here was answered by one that wins at once, and nobody has seen yet which others are, too.
    is_threatened: bool,
}

impl Node {
    fn hash(&self) -> Option<u64> {
        self.has_hash.then_some(self.hash)
    }
}

/// The arms of one deciding role.
#[derive(Clone, Copy, Debug)]
struct ArmBlock {
    role: Role,
    first_arm: u32,
    arms: u32,
}

/// A legal move of one role at a node.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The move.
    pub mv: Move,
    /// The code under which a policy with features learns about it here, relative to the role's first.
    pub code: u32,
    /// How often it was chosen.
    pub visits: u32,
    child: u32,
    /// The sum of the deciding role's scores.
    pub score: f64,
}

impl Arm {
    /// The mean score; the arm must have been visited.
    #[inline]
    pub fn mean(&self) -> f64 {
        self.score / f64::from(self.visits)
    }
}

/// All-moves-as-first statistics of one code at one node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amaf {
    /// Simulations through the node in which the move was played there or later.
    pub visits: u32,
    /// The sum of the playing role's scores in them.
    pub score: f32,
}

impl Amaf {
    /// The mean score, if there is any.
    #[inline]
    pub fn mean(&self) -> Option<f64> {
        (self.visits > 0).then(|| f64::from(self.score) / f64::from(self.visits))
    }
}

/// What a new node is made of, filled by whoever knows the game.
#[derive(Clone, Debug)]
pub(crate) struct NewNode {
    pub(crate) hash: Option<u64>,
    /// Per role: its legal moves.
    pub(crate) legals: Vec<Vec<Move>>,
    /// Per role: the codes of these moves.
    pub(crate) codes: Vec<Vec<u32>>,
    /// Whether the game is over here; if so the scores mean something, otherwise the moves.
    pub(crate) terminal: bool,
    pub(crate) scores: Vec<f64>,
}

impl NewNode {
    pub(crate) fn new(roles: usize) -> NewNode {
        NewNode {
            hash: None,
            legals: vec![Vec::new(); roles],
            codes: vec![Vec::new(); roles],
            terminal: false,
            scores: vec![0.0; roles],
        }
    }
}

/// The tree of one search.
#[derive(Clone, Debug)]
pub struct Tree {
    roles: usize,
    /// The codes of the AMAF sums, if these are wanted.
    amaf_space: Option<CodeSpace>,
    amaf_codes: usize,
    amaf_from: u32,
    transpositions: bool,
    step: u32,
    /// Nodes that were not met since this step are dead.
    oldest: u32,
    root: Option<NodeId>,
    store: Store,
    /// How many living nodes were last met at this step, one step ago and two steps ago.
    ages: [usize; 3],
    /// Nodes from here on are of this step.
    first_new: u32,
    /// Older nodes, as they were first met at this step.
    met: Vec<NodeId>,
    /// The same two for the step before. Together they tell who lives on, without a look at all the others.
    first_recent: u32,
    met_before: Vec<NodeId>,
    /// Room for the list of nodes that stay.
    kept: Vec<NodeId>,
    byte_limit: usize,
}

/// The arena.
#[derive(Clone, Debug, Default)]
struct Store {
    nodes: Vec<Node>,
    blocks: Vec<ArmBlock>,
    arms: Vec<Arm>,
    forced: Vec<Move>,
    results: Vec<f64>,
    amaf: Vec<Amaf>,
    by_hash: FxHashMap<u64, NodeId>,
    /// Children of nodes that have not exactly one decider, by joint index.
    by_joint: FxHashMap<(NodeId, u64), NodeId>,
    /// The same children, those of a node in a chain.
    joints: Vec<Joint>,
}

/// A child by joint index.
#[derive(Clone, Copy, Debug)]
struct Joint {
    index: u64,
    child: NodeId,
    /// The next one of the same parent, or none.
    next: u32,
}

impl Store {
    fn clear(&mut self) {
        self.nodes.clear();
        self.blocks.clear();
        self.arms.clear();
        self.forced.clear();
        self.results.clear();
        self.amaf.clear();
        self.by_hash.clear();
        self.by_joint.clear();
        self.joints.clear();
    }

    fn link_joint(&mut self, parent: NodeId, index: u64, child: NodeId) {
        self.by_joint.insert((parent, index), child);
        let joint = self.joints.len() as u32;
        let last = std::mem::replace(&mut self.nodes[parent.0 as usize].last_joint, joint);
        self.joints.push(Joint { index, child, next: last });
    }

    /// The children of a node that has not exactly one decider.
    fn joints_of(&self, id: NodeId) -> impl Iterator<Item = Joint> {
        let joint = |at: u32| (at != NONE).then(|| self.joints[at as usize]);
        std::iter::successors(joint(self.nodes[id.0 as usize].last_joint), move |last| joint(last.next))
    }
}

/// How to build a [`Tree`].
#[derive(Clone, Debug)]
pub(crate) struct TreeOptions {
    pub(crate) roles: usize,
    /// The codes, if AMAF sums are wanted.
    pub(crate) amaf: Option<CodeSpace>,
    /// The visits after which a node collects them; 0: from the beginning.
    pub(crate) amaf_from: u32,
    pub(crate) transpositions: bool,
    pub(crate) byte_limit: usize,
}

impl Tree {
    pub(crate) fn new(options: TreeOptions) -> Tree {
        Tree {
            roles: options.roles,
            amaf_codes: options.amaf.as_ref().map_or(0, CodeSpace::total),
            amaf_space: options.amaf,
            amaf_from: options.amaf_from,
            transpositions: options.transpositions,
            step: 0,
            oldest: 0,
            root: None,
            store: Store::default(),
            ages: [0; 3],
            first_new: 0,
            met: Vec::new(),
            first_recent: 0,
            met_before: Vec::new(),
            kept: Vec::new(),
            byte_limit: options.byte_limit,
        }
    }

    /// The root, if a search has begun.
    pub fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.ages.iter().sum()
    }

    /// Whether no search has begun.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A node.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.store.nodes[id.0 as usize]
    }

    #[inline]
    pub(crate) fn add_visits(&mut self, id: NodeId, change: i32) {
        let visits = &mut self.store.nodes[id.0 as usize].visits;
        *visits = visits.wrapping_add_signed(change);
    }

    /// The number of roles that decide at a node.
    #[inline]
    pub fn deciders(&self, id: NodeId) -> usize {
        usize::from(self.node(id).blocks)
    }

    /// The role of the given decider.
    #[inline]
    pub fn decider(&self, id: NodeId, index: usize) -> Role {
        self.block(id, index).role
    }

    #[inline]
    fn block(&self, id: NodeId, index: usize) -> &ArmBlock {
        &self.store.blocks[self.node(id).first_block as usize + index]
    }

    /// The arms of the given decider.
    #[inline]
    pub fn arms(&self, id: NodeId, index: usize) -> &[Arm] {
        let block = self.block(id, index);
        &self.store.arms[block.first_arm as usize..][..block.arms as usize]
    }

    #[inline]
    pub(crate) fn arm_mut(&mut self, id: NodeId, index: usize, arm: usize) -> &mut Arm {
        let first = self.block(id, index).first_arm as usize;
        &mut self.store.arms[first + arm]
    }

    /// The arms of `role` at a node, if it decides there.
    pub fn arms_of(&self, id: NodeId, role: Role) -> Option<&[Arm]> {
        (0..self.deciders(id)).find(|&index| self.decider(id, index) == role).map(|index| self.arms(id, index))
    }

    /// The moves of the roles that have no choice; what stands at a decider's place means nothing.
    #[inline]
    pub(crate) fn forced(&self, id: NodeId) -> &[Move] {
        &self.store.forced[id.0 as usize * self.roles..][..self.roles]
    }

    /// The scores of a node, if they are known: the game is over there, or its outcome is proven.
    #[inline]
    pub fn result(&self, id: NodeId) -> Option<&[f64]> {
        let result = self.node(id).result;
        (result != NONE).then(|| &self.store.results[result as usize..][..self.roles])
    }

    /// Whether the game is over at a node.
    pub fn is_terminal(&self, id: NodeId) -> bool {
        self.node(id).terminal
    }

    /// Gives a node the result of its child `from`; the game ends `distance` steps on.
    pub(crate) fn prove(&mut self, id: NodeId, from: NodeId, distance: u32) {
        let result = self.node(from).result;
        let node = &mut self.store.nodes[id.0 as usize];
        (node.result, node.distance) = (result, distance);
    }

    /// The steps from a node with a known result to the end of the game, in the line that proves it.
    pub(crate) fn distance(&self, id: NodeId) -> u32 {
        self.node(id).distance
    }

    /// The AMAF sums of `role`'s moves at a node, by move id; empty if the node does not collect them.
    #[inline]
    pub fn amaf_of(&self, id: NodeId, role: Role) -> &[Amaf] {
        let Some(space) = self.amaf_space.as_ref().filter(|_| self.has_amaf(id)) else { return &[] };
        let sums = &self.store.amaf[self.node(id).amaf as usize * self.amaf_codes..][..self.amaf_codes];
        &sums[space.range(role)]
    }

    /// Whether a node collects AMAF sums.
    #[inline]
    pub(crate) fn has_amaf(&self, id: NodeId) -> bool {
        self.node(id).amaf != NONE
    }

    /// The AMAF sums of a node, by code. If it has none and was not visited often enough to begin, none.
    #[inline]
    pub(crate) fn amaf_mut(&mut self, id: NodeId) -> Option<&mut [Amaf]> {
        if !self.has_amaf(id) && self.node(id).visits >= self.amaf_from {
            self.begin_amaf(id);
        }
        let place = self.node(id).amaf;
        (place != NONE).then(|| &mut self.store.amaf[place as usize * self.amaf_codes..][..self.amaf_codes])
    }

    /// From now on nodes collect AMAF sums after so many visits.
    pub(crate) fn set_amaf_from(&mut self, visits: u32) {
        self.amaf_from = visits;
    }

    /// From now on a node collects AMAF sums.
    #[cold]
    pub(crate) fn begin_amaf(&mut self, id: NodeId) {
        if self.amaf_codes > 0 && !self.has_amaf(id) {
            let sums = &mut self.store.amaf;
            self.store.nodes[id.0 as usize].amaf = (sums.len() / self.amaf_codes) as u32;
            sums.resize(sums.len() + self.amaf_codes, Amaf::default());
        }
    }

    /// The node that the given arms (one per decider) lead to.
    #[inline]
    pub fn child(&self, id: NodeId, picked: &[u32]) -> Option<NodeId> {
        let child = if let [arm] = picked {
            let child = self.arms(id, 0)[*arm as usize].child;
            (child < REFUTED).then_some(NodeId(child))
        } else {
            self.joint_child(id, picked)
        };
        child.filter(|&child| self.is_alive(child))
    }

    /// Out of line, because with one decider this is in the way.
    #[inline(never)]
    fn joint_child(&self, id: NodeId, picked: &[u32]) -> Option<NodeId> {
        self.store.by_joint.get(&(id, self.joint_index(id, picked))).copied()
    }

    /// Whether an arm of a node with one decider is known to be answered by a move that wins at once.
    #[inline]
    pub(crate) fn is_refuted(&self, id: NodeId, arm: usize) -> bool {
        self.arms(id, 0)[arm].child == REFUTED
    }

    /// An arm without a child is answered by a move that wins at once.
    pub(crate) fn refute(&mut self, id: NodeId, arm: usize) {
        self.arm_mut(id, 0, arm).child = REFUTED;
    }

    /// Notes that a move was answered by one that wins at once, or that this was looked into.
    pub(crate) fn set_threatened(&mut self, id: NodeId, is_threatened: bool) {
        self.store.nodes[id.0 as usize].is_threatened = is_threatened;
    }

    #[inline]
    pub(crate) fn is_threatened(&self, id: NodeId) -> bool {
        self.node(id).is_threatened
    }

    #[inline]
    fn is_alive(&self, id: NodeId) -> bool {
        self.node(id).touched >= self.oldest
    }

    /// The arms of all deciders as one number.
    fn joint_index(&self, id: NodeId, picked: &[u32]) -> u64 {
        picked.iter().enumerate().rev().fold(0, |index, (decider, &arm)| {
            index.wrapping_mul(u64::from(self.block(id, decider).arms)).wrapping_add(u64::from(arm))
        })
    }

    pub(crate) fn link(&mut self, id: NodeId, picked: &[u32], child: NodeId) {
        if let [arm] = picked {
            self.arm_mut(id, 0, *arm as usize).child = child.0;
        } else {
            let index = self.joint_index(id, picked);
            self.store.link_joint(id, index, child);
        }
    }

    /// The node of a position with this hash.
    #[inline]
    pub(crate) fn find(&self, hash: Option<u64>) -> Option<NodeId> {
        if !self.transpositions {
            return None;
        }
        self.store.by_hash.get(&hash?).copied().filter(|&id| self.is_alive(id))
    }

    pub(crate) fn transpositions(&self) -> bool {
        self.transpositions
    }

    /// Notes that a node was met at this step of the real game.
    #[inline]
    pub(crate) fn touch(&mut self, id: NodeId) {
        if self.node(id).touched != self.step {
            self.meet_again(id);
        }
    }

    /// An older node is met for the first time at this step.
    #[cold]
    fn meet_again(&mut self, id: NodeId) {
        let touched = &mut self.store.nodes[id.0 as usize].touched;
        self.ages[(self.step - *touched) as usize] -= 1;
        self.ages[0] += 1;
        *touched = self.step;
        self.met.push(id);
    }

    /// Adds a node.
    pub(crate) fn add(&mut self, new_node: &NewNode) -> NodeId {
        let store = &mut self.store;
        let id = NodeId(store.nodes.len() as u32);
        let first_block = store.blocks.len() as u32;
        let mut result = NONE;
        if new_node.terminal {
            result = store.results.len() as u32;
            store.results.extend_from_slice(&new_node.scores);
            store.forced.resize(store.forced.len() + self.roles, Move(0));
        } else {
            for (role, legals) in Role::all(self.roles).zip(&new_node.legals) {
                store.forced.push(legals[0]);
                if legals.len() < 2 {
                    continue;
                }
                let first_arm = store.arms.len() as u32;
                store.blocks.push(ArmBlock { role, first_arm, arms: legals.len() as u32 });
                store.arms.extend(legals.iter().zip(&new_node.codes[role.index()]).map(|(&mv, &code)| Arm {
                    mv,
                    code,
                    visits: 0,
                    child: NONE,
                    score: 0.0,
                }));
            }
        }
        store.nodes.push(Node {
            visits: 0,
            first_block,
            blocks: (store.blocks.len() as u32 - first_block) as u8,
            terminal: result != NONE,
            has_hash: new_node.hash.is_some(),
            hash: new_node.hash.unwrap_or(0),
            result,
            distance: 0,
            touched: self.step,
            last_joint: NONE,
            place: NONE,
            amaf: NONE,
            is_threatened: false,
        });
        self.ages[0] += 1;
        if let (true, Some(hash)) = (self.transpositions, new_node.hash) {
            store.by_hash.insert(hash, id);
        }
        if self.amaf_from == 0 {
            self.begin_amaf(id);
        }
        id
    }

    pub(crate) fn set_root(&mut self, root: NodeId) {
        self.root = Some(root);
        self.touch(root);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.store.clear();
        self.root = None;
        self.ages = [0; 3];
        self.met.clear();
        self.met_before.clear();
        (self.first_new, self.first_recent) = (0, 0);
    }

    /// Forgets everything, and that a game was under way.
    pub(crate) fn reset(&mut self) {
        self.clear();
        (self.step, self.oldest) = (0, 0);
    }
}

#[cfg(test)]
impl NodeId {
    /// The node with the given place.
    pub(crate) fn by_hand(place: u32) -> NodeId {
        NodeId(place)
    }
}

/// A node of a tree by hand: its visits, role 0's moves, AMAF sums.
#[cfg(test)]
type HandNode<'a> = (u32, &'a [u32], &'a [(usize, u32, f32)]);

#[cfg(test)]
impl Tree {
    /// Nodes at which role 0 has the given moves and role 1 its move 9, with visits and AMAF sums (code, visits, score).
    pub(crate) fn by_hand(space: &CodeSpace, nodes: &[HandNode<'_>]) -> (Tree, Vec<NodeId>) {
        let options = TreeOptions {
            roles: 2,
            amaf: Some(space.clone()),
            amaf_from: 0,
            transpositions: false,
            byte_limit: usize::MAX,
        };
        let mut tree = Tree::new(options);
        let ids = nodes.iter().map(|(visits, moves, sums)| {
            let mut new_node = NewNode::new(2);
            new_node.legals = vec![moves.iter().copied().map(Move).collect(), vec![Move(9)]];
            new_node.codes = vec![moves.to_vec(), vec![9]];
            let id = tree.add(&new_node);
            tree.add_visits(id, *visits as i32);
            for &(code, visits, score) in *sums {
                tree.amaf_mut(id).expect("sums")[code] = Amaf { visits, score };
            }
            id
        });
        let ids = ids.collect();
        (tree, ids)
    }
}

#[cfg(test)]
impl Arm {
    /// An arm with statistics, for tests of selection rules.
    pub(crate) fn sample(id: u32, visits: u32, score: f64) -> Arm {
        Arm { mv: Move(id), code: id, visits, child: NONE, score }
    }
}
