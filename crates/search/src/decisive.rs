//! Decisive moves, which win at once, and what they refute (Teytaud and Teytaud 2010: decisive and anti-decisive moves).
//!
//! A node at which the one decider has a move that wins at once is proven. Then its parent is *threatened*: a move from there lost to this
//! answer. When a simulation comes to a threatened node, all its other moves are tried followed by the same answer. Those that do not meet
//! the threat are lost, too, and take no part in the selection; where none is left the node is lost, and whoever led there has won.
//! So forced moves are found at once, and double threats are wins, without a visit for every move that ignores the threat. The
//! simulation that runs into a decisive move leaves no scores behind, since the proof says more, and begins again.
//!
//! By hand: in a node with moves a, b and c the reply to a is a winning x. After b the reply x wins, too; after c it is not legal.
//! So a and b are lost, and c is the only move left.
//!
//! Where a game tells [winning moves](ludens_game::Game::wins) without playing them, every node is looked at when it is added. Elsewhere a
//! look costs a step per move, so a node has to earn it: it is looked at after so many visits as `decisive` says, one with many moves
//! after more, and one with very many, which would keep a short search from its clock, never.

use crate::{solver, tree::NodeId, worker::Worker, world::World};
use ludens_game::Move;

/// Moves that a visit of a node pays for, when they are tried for an immediate win: about as many as a playout has steps.
const LOOKS_PER_VISIT: u32 = 32;

/// A node with more moves is never looked at.
const MOST_LOOKS: u32 = 256;

impl Worker {
    /// Looks whether the one decider of a node wins at once, if it is time to, and proves the node if so. The path leads to the node, which
    /// is not on it yet.
    pub(crate) fn look_for_win<W: World>(
        &mut self,
        world: &mut W,
        node: NodeId,
        path: &[NodeId],
        is_new: bool,
    ) -> bool {
        let tree = &mut self.tree;
        if self.settings.decisive == 0 || tree.deciders(node) != 1 {
            return false;
        }
        let (role, arms) = (tree.decider(node, 0), tree.arms(node, 0).len() as u32);
        let visits = tree.node(node).visits + 1;
        let dear = self.settings.decisive * (1 + arms / LOOKS_PER_VISIT);
        if visits > dear || tree.result(node).is_some() || tree.is_full() {
            return false;
        }
        let tells = world.wins(role, tree.arms(node, 0)[0].mv).is_some();
        let is_due = if tells {
            // Nobody adds a root on the way.
            is_new || (path.is_empty() && visits == 1)
        } else {
            !is_new && visits == dear && arms <= MOST_LOOKS
        };
        if !is_due {
            return false;
        }
        self.moves.clear();
        self.moves.extend_from_slice(tree.forced(node));
        for arm in 0..arms {
            let mv = tree.arms(node, 0)[arm as usize].mv;
            if world.wins(role, mv) == Some(false) {
                continue;
            }
            self.moves[role.index()] = mv;
            let scores = &mut self.new_node.scores;
            let is_over = world.look_ahead(&self.moves, scores);
            self.settings.goals.apply(scores);
            if is_over && scores[role.index()] == 1.0 {
                (self.new_node.terminal, self.new_node.hash) = (true, None);
                let end = tree.add(&self.new_node);
                tree.link(node, &[arm], end);
                tree.prove(node, end, 1);
                if let Some(&parent) = path.last() {
                    tree.set_threatened(parent, true);
                }
                return true;
            }
        }
        false
    }

    /// Refutes the moves of a threatened node that do not meet the threat.
    pub(crate) fn meet_threats<W: World>(&mut self, world: &mut W, node: NodeId) {
        self.tree.set_threatened(node, false);
        if self.tree.deciders(node) != 1 {
            return;
        }
        let arms = self.tree.arms(node, 0).len();
        if arms > MOST_LOOKS as usize && world.wins(self.tree.decider(node, 0), self.tree.arms(node, 0)[0].mv).is_none()
        {
            return;
        }
        for arm in 0..arms {
            if self.tree.result(node).is_some() {
                return;
            }
            if let Some((child, answer)) = self.answer(node, arm) {
                self.try_answer(world, node, (child, answer));
                solver::prove_parent(&mut self.tree, node, child);
            }
        }
    }

    /// The child that an arm leads to and the move there that wins at once, if the arm's role scores nothing then.
    fn answer(&self, node: NodeId, arm: usize) -> Option<(NodeId, Move)> {
        let tree = &self.tree;
        let child = tree.child(node, &[arm as u32])?;
        let is_answer = tree.deciders(child) == 1
            && tree.distance(child) == 1
            && tree.decider(child, 0) != tree.decider(node, 0)
            && solver::is_lost(tree, node, arm);
        is_answer.then(|| Some((child, tree.arms(child, 0)[solver::best_known(tree, child)?].mv)))?
    }

    /// Refutes the moves of a node after which `answer` ends the game as it does at `child`, where one of them leads.
    fn try_answer<W: World>(&mut self, world: &mut W, node: NodeId, (child, answer): (NodeId, Move)) {
        let tree = &mut self.tree;
        let (role, other) = (tree.decider(node, 0), tree.decider(child, 0));
        self.moves.clear();
        self.moves.extend_from_slice(tree.forced(node));
        for arm in 0..tree.arms(node, 0).len() {
            if solver::Known::of(tree, node, arm).is_some() {
                continue;
            }
            self.moves[role.index()] = tree.arms(node, 0)[arm].mv;
            let scores = &mut self.new_node.scores;
            let is_over = world.look_further(&self.moves, other, answer, scores);
            self.settings.goals.apply(scores);
            if is_over && tree.result(child) == Some(&scores[..]) {
                match tree.child(node, &[arm as u32]) {
                    Some(known) => tree.prove(known, child, 1),
                    None => tree.refute(node, arm),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        select::{Uct, Unvisited},
        simulate::Simulation,
        trail::CodeSpace,
        worker::Parts,
        world::Local,
    };
    use ludens_game::{
        Game, Seed,
        toy::{Marks, TicTacToe},
    };

    /// Tic-tac-toe after these cells, X first.
    fn position(cells: &[u32]) -> Marks {
        let (game, noop) = (TicTacToe, Move(9));
        let mut state = Game::initial(&game);
        for (step, &cell) in cells.iter().enumerate() {
            let joint = if step % 2 == 0 { [Move(cell), noop] } else { [noop, Move(cell)] };
            Game::advance(&game, &mut state, &joint);
        }
        state
    }

    /// A search that has made so many simulations. `fpu` is what an arm without visits is worth.
    fn search(root: &Marks, spec: &str, (simulations, fpu): (u32, f64), seed: u64) -> Worker {
        let game = TicTacToe;
        let mut worker = Worker::new(Parts {
            space: CodeSpace::of(&game),
            settings: spec.parse::<crate::Spec>().expect("a spec").settings(),
            select: Box::new(Uct::new(0.4, fpu, Unvisited::First)),
            policies: Vec::new(),
            rng: Seed::new(seed).rng(),
        });
        let mut world = Local::new(&game, root);
        worker.begin_search(&mut world, 0);
        let mut simulation = Simulation::new(&CodeSpace::of(&game));
        for _ in 0..simulations {
            assert!(simulation.resume(&mut worker, &mut world).is_ready());
        }
        worker
    }

    /// The cells that are proven lost for the role to move.
    fn lost(worker: &Worker) -> Vec<u32> {
        let (tree, root) = (&worker.tree, worker.tree.root().expect("a root"));
        let arms = tree.arms(root, 0);
        (0..arms.len()).filter(|&arm| solver::is_lost(tree, root, arm)).map(|arm| arms[arm].mv.0).collect()
    }

    const LOOKS: &str = "uct@solver=on,decisive=1";
    const ALL_FIRST: f64 = f64::INFINITY;

    #[test]
    fn one_answer_refutes_all_moves_that_ignore_the_threat() {
        // X has 0 and 1 and threatens 2; O has 4 and is to move. Six simulations add the nodes behind 2, 3, 5, 6, 7 and 8. As soon as one of
        // the next comes to any but the first, X's 2 refutes all five.
        let threat = position(&[0, 4, 1]);
        assert_eq!(lost(&search(&threat, LOOKS, (6, ALL_FIRST), 1)), []);
        assert_eq!(lost(&search(&threat, LOOKS, (9, ALL_FIRST), 1)), [3, 5, 6, 7, 8]);
        assert!(lost(&search(&threat, "uct@solver=on", (9, ALL_FIRST), 1)).len() < 5);
    }

    #[test]
    fn a_simulation_that_meets_an_answer_begins_again() {
        // Six simulations, and three more of which the first meets X's 2: each leaves a score at the root, where O has 2 left.
        let worker = search(&position(&[0, 4, 1]), LOOKS, (9, ALL_FIRST), 1);
        let root = worker.tree.root().expect("a root");
        assert_eq!((worker.simulations, worker.tree.node(root).visits), (9, 9));
    }

    #[test]
    fn two_threats_are_a_loss() {
        // X has 0, 1 and 3 and threatens 2 and 6; O has 4 and 5, no line is open to it at once, and it is to move: it loses in two steps.
        let worker = search(&position(&[0, 4, 1, 5, 3]), LOOKS, (8, ALL_FIRST), 1);
        let (tree, root) = (&worker.tree, worker.tree.root().expect("a root"));
        assert_eq!((tree.result(root), tree.distance(root)), (Some(&[1.0, 0.0][..]), 2));
    }

    #[test]
    fn moves_are_refuted_without_a_visit() {
        // Arms without visits are worth nothing, so the first arm tried is mostly followed. Is it any but 2, the others need no child.
        let searches = (1..9).map(|seed| search(&position(&[0, 4, 1]), LOOKS, (3, 0.0), seed));
        let refuted = searches.map(|worker| {
            let (tree, root) = (&worker.tree, worker.tree.root().expect("a root"));
            (0..6).filter(|&arm| tree.is_refuted(root, arm) && solver::is_lost(tree, root, arm)).count()
        });
        let refuted: Vec<_> = refuted.collect();
        assert!(refuted.contains(&4) && refuted.contains(&0), "{refuted:?}");
    }
}
