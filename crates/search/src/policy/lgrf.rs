//! LGRF, the last good reply with forgetting (Baier and Drake 2010; LGRF-2 in tak2012, LGRF-1 in ppr2016).
//!
//! Each role remembers one reply to the previous move (of role p-1 at t-1) and, with n = 2, one to the previous two. After
//! a simulation a role that scored at least as much as every other stores its moves as replies to their predecessors; a
//! role that scored less than another has its moves removed where they are stored. With `draws=leave` a role that shares the
//! best score changes nothing: otherwise two roles whose replies end in a draw repeat them for ever. Choice: the reply to
//! two moves if it is legal, else the one to one move, else the next policy.
//!
//! `store=node` is ppr2016's form: every node of the tree keeps replies of its own. A simulation writes to all nodes of its
//! path; a playout reads those of the deepest node that has been passed before.

use super::{Decision, Leaf, Needs, Policy};
use crate::{
    memory,
    params::{Param, SWITCH_ON},
    registry::{Memory, PolicyEntry},
    table::{Context, GramTable},
    trail::Trail,
    tree::NodeId,
};
use ludens_game::{Move, Rng, Role};
use rustc_hash::FxHashMap;

pub(super) const ENTRY: PolicyEntry = PolicyEntry::new(
    "lgrf",
    "last good reply with forgetting: the move that last won after the same one or two moves",
    |args, space| {
        let store = if args.word("store") == "node" { Store::Node } else { Store::Global };
        let lgrf = Lgrf::new(space.total(), args.whole("n") as usize, store, args.on("keep"));
        Box::new(Lgrf { stores_draws: args.word("draws") == "store", ..lgrf })
    },
)
.params(&[
    Param::whole("n", 2, (1, 2), "moves that a reply answers, at most"),
    Param::word("store", &["global", "node"], "one table, or one per node of the tree"),
    Param::word("keep", SWITCH_ON, "keep replies after a step of the game"),
    Param::word("draws", &["store", "leave"], "whether a role that shares the best score stores its moves"),
])
.partial()
.memory(Memory::Sequences);

/// Where replies are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    /// In one place.
    Global,
    /// In the nodes of the tree.
    Node,
}

/// A stored reply: the code, plus one; 0: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Reply(u32);

impl Reply {
    fn to(code: u32) -> Reply {
        Reply(code + 1)
    }

    #[inline]
    fn code(self) -> Option<u32> {
        self.0.checked_sub(1)
    }
}

/// The policy and its tables.
#[derive(Clone, Debug)]
pub(crate) struct Lgrf {
    /// 1 or 2: how many moves a reply answers at most.
    n: usize,
    store: Store,
    keep: bool,
    /// Whether a role that shares the best score has won.
    stores_draws: bool,
    /// Replies to one move, by its code.
    to_one: Vec<Reply>,
    /// Replies to two moves.
    to_two: GramTable<Reply>,
    /// Replies to one move by node and code.
    in_nodes: FxHashMap<(NodeId, u32), Reply>,
    path: Vec<NodeId>,
}

/// Grams of contexts alone: the code that stands for the reply itself.
const REPLY: u32 = 0;

impl Lgrf {
    pub(crate) fn new(codes: usize, n: usize, store: Store, keep: bool) -> Lgrf {
        Lgrf {
            n,
            store,
            keep,
            stores_draws: true,
            to_one: vec![Reply::default(); codes],
            to_two: GramTable::new(),
            in_nodes: FxHashMap::default(),
            path: Vec::new(),
        }
    }

    fn clear(&mut self) {
        self.to_one.fill(Reply::default());
        self.to_two.clear();
        self.in_nodes.clear();
    }

    /// Stores a reply after a success, forgets it after a failure.
    #[inline]
    fn learn_reply(slot: &mut Reply, code: u32, good: bool) {
        if good {
            *slot = Reply::to(code);
        } else if *slot == Reply::to(code) {
            *slot = Reply::default();
        }
    }

    fn learn_move(&mut self, before: (Option<u32>, Option<Context>), code: u32, good: bool) {
        let (previous, two) = before;
        let Some(previous) = previous else { return };
        match self.store {
            Store::Global => Self::learn_reply(&mut self.to_one[previous as usize], code, good),
            Store::Node => {
                for &node in &self.path {
                    if good {
                        self.in_nodes.insert((node, previous), Reply::to(code));
                    } else if let Some(slot) = self.in_nodes.get_mut(&(node, previous)) {
                        Self::learn_reply(slot, code, good);
                    }
                }
            }
        }
        if let Some(two) = two {
            if good {
                let place = self.to_two.place(two, REPLY);
                *self.to_two.at(place) = Reply::to(code);
            } else if let Some(slot) = self.to_two.get_mut(two, REPLY) {
                Self::learn_reply(slot, code, good);
            }
        }
    }
}

/// The move before `role`'s at `step`, and the context of the two before it if `n` asks for it.
#[inline]
fn before(trail: &Trail, step: usize, role: Role, n: usize) -> (Option<u32>, Option<Context>) {
    let other = trail.role_before(role);
    let previous = step.checked_sub(1).map(|step| trail.code(step, other));
    let older = step.checked_sub(2).filter(|_| n == 2).map(|step| trail.code(step, trail.role_before(other)));
    (previous, older.zip(previous).map(|(older, previous)| Context::two(older, previous)))
}

impl Policy for Lgrf {
    fn needs(&self) -> Needs {
        Needs { trail: true, leaf: self.store == Store::Node, ..Needs::default() }
    }

    fn begin(&mut self, leaf: &Leaf<'_>, _: &mut Rng) {
        if self.store == Store::Node {
            self.path.clear();
            self.path.extend_from_slice(leaf.path);
        }
    }

    fn choose(&mut self, decision: &Decision<'_>, _rng: &mut Rng) -> Option<usize> {
        let Decision { role, moves, first, trail, .. } = *decision;
        let (previous, two) = before(trail, trail.steps(), role, self.n);
        let legal = |reply: Reply| {
            let mv = Move(reply.code()?.checked_sub(first)?);
            moves.binary_search(&mv).ok()
        };
        let to_two = two.and_then(|two| self.to_two.get(two, REPLY)).copied();
        let to_one = previous.and_then(|previous| match self.store {
            Store::Global => Some(self.to_one[previous as usize]),
            // The last node of the path is new: it has no replies yet.
            Store::Node => {
                let node = self.path.iter().rev().nth(1)?;
                self.in_nodes.get(&(*node, previous)).copied()
            }
        });
        to_two.and_then(legal).or_else(|| to_one.and_then(legal))
    }

    fn learn(&mut self, trail: &Trail, scores: &[f64]) {
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_shared = scores.iter().filter(|&&score| score >= best).count() > 1;
        let leaves_best = is_shared && !self.stores_draws;
        for step in 1..trail.steps() {
            for (role, (&code, &score)) in Role::all(scores.len()).zip(trail.step(step).iter().zip(scores)) {
                if score < best || !leaves_best {
                    self.learn_move(before(trail, step, role, self.n), code, score >= best);
                }
            }
        }
        self.path.clear();
    }

    fn new_turn(&mut self) {
        if !self.keep {
            self.clear();
        }
        // Nodes have new places after a move.
        self.in_nodes.clear();
    }

    fn reset(&mut self) {
        self.clear();
    }

    fn bytes(&self) -> usize {
        memory::of_vec(&self.to_one) + self.to_two.bytes() + memory::of_map(&self.in_nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{policy::test::choose_after, trail::CodeSpace};

    const NOOP: (&[u32], usize) = (&[9], 0);

    /// Role 0 ("black") plays `black`, role 1 answers `white`, and so on in turn; 9 is the noop of both.
    fn play(space: &CodeSpace, moves: &[u32]) -> Trail {
        let lists: Vec<[u32; 2]> = moves.iter().map(|&mv| [mv, 8]).collect();
        let steps: Vec<[(&[u32], usize); 2]> = (lists.iter().enumerate())
            .map(|(step, list)| if step % 2 == 0 { [(&list[..], 0), NOOP] } else { [NOOP, (&list[..], 0)] })
            .collect();
        let steps: Vec<&[(&[u32], usize)]> = steps.iter().map(|step| step.as_slice()).collect();
        Trail::by_hand(space, &steps)
    }

    fn reply_to_two(lgrf: &Lgrf, older: u32, previous: u32) -> Option<u32> {
        lgrf.to_two.get(Context::two(older, previous), REPLY).and_then(|reply| reply.code())
    }

    #[test]
    fn a_won_and_a_lost_simulation() {
        // Codes: role 0's move m is m, role 1's is 10 + m.
        let space = CodeSpace::by_hand(&[10, 10]);
        let mut lgrf = Lgrf::new(space.total(), 2, Store::Global, true);
        // Black plays 1, 2, 3; white answers 4, 5. Black wins: its moves and noops are stored, white's are not.
        lgrf.learn(&play(&space, &[1, 4, 2, 5, 3]), &[1.0, 0.0]);
        assert_eq!(lgrf.to_one[14].code(), Some(2)); // 4 → 2
        assert_eq!(lgrf.to_one[15].code(), Some(3)); // 5 → 3
        assert_eq!(lgrf.to_one[19].code(), Some(9)); // noop → noop
        assert_eq!(reply_to_two(&lgrf, 1, 14), Some(2)); // 1, 4 → 2
        assert_eq!(reply_to_two(&lgrf, 2, 15), Some(3)); // 2, 5 → 3
        assert_eq!(reply_to_two(&lgrf, 9, 19), Some(9)); // noop, noop → noop
        assert!([1, 2, 3, 9].iter().all(|&black| lgrf.to_one[black].code().is_none()), "white lost");
        // Black loses with 1, 2, 6 against 4, 7: 4 → 2 and 1, 4 → 2 are forgotten, and so are the noops; 5 → 3 did not
        // occur and stays. White's moves are stored.
        lgrf.learn(&play(&space, &[1, 4, 2, 7, 6]), &[0.0, 1.0]);
        assert_eq!((lgrf.to_one[14].code(), lgrf.to_one[15].code()), (None, Some(3)));
        assert_eq!((lgrf.to_one[19].code(), reply_to_two(&lgrf, 9, 19)), (None, None));
        assert_eq!((reply_to_two(&lgrf, 1, 14), reply_to_two(&lgrf, 2, 15)), (None, Some(3)));
        assert_eq!(lgrf.to_one[1].code(), Some(14)); // 1 → 4
        assert_eq!(lgrf.to_one[2].code(), Some(17)); // 2 → 7
        assert_eq!(lgrf.to_one[9].code(), Some(19)); // noop → noop
        assert_eq!(reply_to_two(&lgrf, 14, 2), Some(17)); // 4, 2 → 7
        // A draw stores for both, or for none.
        let mut leaving = Lgrf { stores_draws: false, ..lgrf.clone() };
        leaving.learn(&play(&space, &[1, 4, 6]), &[0.5, 0.5]);
        assert_eq!((leaving.to_one[14].code(), leaving.to_one[1].code()), (None, Some(14)));
        leaving.learn(&play(&space, &[1, 5]), &[0.5, 0.5]);
        assert_eq!(leaving.to_one[1].code(), Some(14), "1 → 4 is not overwritten");
        lgrf.learn(&play(&space, &[1, 4, 6]), &[0.5, 0.5]);
        assert_eq!((lgrf.to_one[14].code(), lgrf.to_one[1].code()), (Some(6), Some(14)));
    }

    #[test]
    fn of_three_roles_the_one_that_loses_forgets_after_a_draw_of_the_others() {
        // Codes: role r's move m is 3r + m. The roles move at the same time; a role answers the one before it, the first the last.
        let space = CodeSpace::by_hand(&[3, 3, 3]);
        let mut lgrf = Lgrf { stores_draws: false, ..Lgrf::new(space.total(), 1, Store::Global, true) };
        let step = |mv: u32| [[mv], [mv], [mv]];
        let (one, two) = (step(0), step(1));
        let lists = [&one, &two].map(|step| step.each_ref().map(|list| (&list[..], 0)));
        let trail = Trail::by_hand(&space, &[&lists[0][..], &lists[1][..]]);
        lgrf.learn(&trail, &[0.0, 0.0, 1.0]);
        let replies = |lgrf: &Lgrf| [6, 0, 3].map(|previous: usize| lgrf.to_one[previous].code());
        assert_eq!(replies(&lgrf), [None, None, Some(7)], "the third has won: 3 → 7");
        // The first two share the best score and change nothing, the third forgets.
        lgrf.learn(&trail, &[0.5, 0.5, 0.0]);
        assert_eq!(replies(&lgrf), [None; 3]);
        lgrf.stores_draws = true;
        lgrf.learn(&trail, &[0.5, 0.5, 0.0]);
        assert_eq!(replies(&lgrf), [Some(1), Some(4), None]);
    }

    #[test]
    fn the_longer_reply_comes_first_and_must_be_legal() {
        let space = CodeSpace::by_hand(&[10, 10]);
        let mut lgrf = Lgrf::new(space.total(), 2, Store::Global, true);
        lgrf.learn(&play(&space, &[1, 4, 2]), &[1.0, 0.0]);
        lgrf.learn(&play(&space, &[0, 4, 3]), &[1.0, 0.0]);
        // To 1, 4 the reply is 2; to 4 alone it is the newer 3.
        let after = |first: u32| [[first, 8], [4, 8]];
        let mut choose = |first: u32, legal: &[u32]| {
            let lists = after(first);
            let history: &[&[(&[u32], usize)]] = &[&[(&lists[0], 0), NOOP], &[NOOP, (&lists[1], 0)]];
            choose_after(&mut lgrf, &space, history, 0, legal)
        };
        assert_eq!(choose(1, &[2, 3, 5]), Some(0));
        assert_eq!(choose(1, &[3, 5]), Some(0));
        assert_eq!(choose(7, &[2, 3, 5]), Some(1));
        assert_eq!(choose(7, &[2, 5]), None);
    }

    #[test]
    fn nodes_keep_their_own_replies() {
        let space = CodeSpace::by_hand(&[10, 10]);
        let mut lgrf = Lgrf::new(space.total(), 1, Store::Node, true);
        let [root, left, right] = [0, 1, 2].map(NodeId::by_hand);
        lgrf.path = vec![root, left];
        lgrf.learn(&play(&space, &[1, 4, 2]), &[1.0, 0.0]);
        let mut choose = |path: &[NodeId]| {
            lgrf.path = path.to_vec();
            let history: &[&[(&[u32], usize)]] = &[&[(&[1, 8], 0), NOOP], &[NOOP, (&[4, 8], 0)]];
            choose_after(&mut lgrf, &space, history, 0, &[2, 3])
        };
        assert_eq!(choose(&[root, right]), Some(0));
        assert_eq!(choose(&[root, left, right]), Some(0));
        assert_eq!(choose(&[root, right, left]), None);
    }
}
