//! [`Walk`]: what a simulation takes along when it leaves the tree: its trail, its generator and the playout policies.
//!
//! A walk is all that a playout needs. It can be [lent](Lent) to whoever plays the playouts of many searches.

use crate::{
    options::Options,
    policy::{Decision, Leaf, Needs, Policy},
    trail::{CodeSpace, Trail},
};
use ludens_game::{Move, Rng, Role};
use std::ops::{Deref, DerefMut};

/// What a new node asks about the position that it stands for.
pub(crate) trait Legals {
    /// See [`Game::legals`](ludens_game::Game::legals).
    fn legals(&self, role: Role, out: &mut Vec<Move>);
    /// See [`Game::codes`](ludens_game::Game::codes).
    fn codes(&self, role: Role, moves: &[Move], out: &mut Vec<u32>);
}

/// What a playout asks about the position that it is in.
pub(crate) trait Sight: Legals {
    /// The moves that a role can choose from in a playout; `room` is used if they have to be written down.
    fn options<'a>(&'a self, role: Role, room: &'a mut Vec<Move>) -> Options<'a>;
}

/// A trail, a generator, policies, and room to work in.
pub(crate) struct Walk {
    pub(crate) trail: Trail,
    pub(crate) rng: Rng,
    pub(crate) space: CodeSpace,
    pub(crate) needs: Needs,
    /// The joint move under way.
    pub(crate) joint: Vec<Move>,
    /// The scores of the simulation.
    pub(crate) scores: Vec<f64>,
    /// Steps of all simulations of this search.
    pub(crate) steps: u64,
    pub(crate) policies: Vec<Box<dyn Policy>>,
    room: Vec<Move>,
    listed: Vec<Move>,
    codes: Vec<u32>,
}

impl Walk {
    pub(crate) fn new(space: CodeSpace, policies: Vec<Box<dyn Policy>>, needs: Needs, rng: Rng) -> Walk {
        let roles = space.roles();
        Walk {
            trail: Trail::new(&space),
            rng,
            space,
            needs,
            joint: vec![Move(0); roles],
            scores: vec![0.0; roles],
            steps: 0,
            policies,
            room: Vec::new(),
            listed: Vec::new(),
            codes: Vec::new(),
        }
    }

    /// Whether anybody reads the trail.
    #[inline]
    pub(crate) fn records(&self) -> bool {
        self.needs.trail || self.needs.legal || self.needs.amaf
    }

    /// Whether playouts are plain uniform and nobody watches them.
    #[inline]
    pub(crate) fn is_blind(&self) -> bool {
        self.policies.is_empty() && !self.records()
    }

    /// A playout begins.
    pub(crate) fn begin(&mut self, leaf: &Leaf<'_>) {
        for policy in &mut self.policies {
            policy.begin(leaf);
        }
    }

    /// Chooses a playout move for every role; fills the joint move and the trail.
    #[inline]
    pub(crate) fn pick_moves<S: Sight>(&mut self, sight: &S) {
        for role in Role::all(self.joint.len()) {
            self.joint[role.index()] = self.pick_move(sight, role);
        }
        self.end_step();
    }

    #[inline]
    fn pick_move<S: Sight>(&mut self, sight: &S, role: Role) -> Move {
        let records = self.records();
        let Walk { trail, rng, policies, needs, codes, .. } = self;
        let options = sight.options(role, &mut self.room);
        let count = options.count();
        if count == 1 {
            return options.nth(0);
        }
        if records {
            trail.open_choice(role);
        }
        let is_random = policies.first().is_none_or(|policy| policy.explores(rng));
        let (chosen, mv) = if is_random && !needs.legal {
            let chosen = rng.below(count as u32) as usize;
            (chosen, options.nth(chosen))
        } else {
            let moves = options.list(&mut self.listed);
            if needs.features {
                sight.codes(role, moves, codes);
                trail.legal_buffer().extend_from_slice(codes);
            } else if needs.legal {
                trail.legal_buffer().extend(moves.iter().map(|mv| mv.0));
            }
            let first = self.space.first(role);
            let chosen = if is_random {
                rng.below(count as u32) as usize
            } else {
                let decision = Decision { role, moves, first, legal: trail.open_legal(), trail };
                choose_seriously(policies, &decision, rng)
            };
            (chosen, moves[chosen])
        };
        if records {
            trail.close_choice(chosen, self.space.code(role, mv));
        }
        mv
    }

    /// The place of the move that the policies choose.
    pub(crate) fn choose(&mut self, role: Role, moves: &[Move], legal: &[u32]) -> usize {
        let Walk { trail, rng, policies, .. } = self;
        let decision = Decision { role, moves, first: self.space.first(role), legal, trail };
        choose(policies, &decision, rng)
    }

    /// The joint move is made.
    #[inline]
    pub(crate) fn end_step(&mut self) {
        self.steps += 1;
        if self.records() {
            let Walk { trail, joint, space, .. } = self;
            trail.end_step(Role::all(joint.len()).zip(joint.iter()).map(|(role, &mv)| space.code(role, mv)));
        }
    }

    /// The policies read the trail.
    pub(crate) fn learn(&mut self) {
        if self.needs.trail {
            for policy in &mut self.policies {
                policy.learn(&self.trail, &self.scores);
            }
        }
    }

    /// The bytes that it holds: the trail and the policies' tables.
    pub(crate) fn bytes(&self) -> usize {
        self.trail.bytes() + self.policies.iter().map(|policy| policy.bytes()).sum::<usize>()
    }
}

/// The first policy that chooses decides; if none does, chance.
#[inline]
fn choose(policies: &mut [Box<dyn Policy>], decision: &Decision<'_>, rng: &mut Rng) -> usize {
    match policies.first() {
        Some(policy) if !policy.explores(rng) => choose_seriously(policies, decision, rng),
        _ => rng.below(decision.moves.len() as u32) as usize,
    }
}

/// The same, when the first policy has decided not to explore.
#[inline]
fn choose_seriously(policies: &mut [Box<dyn Policy>], decision: &Decision<'_>, rng: &mut Rng) -> usize {
    let (first, others) = policies.split_first_mut().expect("a policy was asked whether it explores");
    first.choose(decision, rng).unwrap_or_else(|| choose(others, decision, rng))
}

/// Something that is at its place, or with somebody else for a while.
pub(crate) struct Lent<T>(Option<Box<T>>);

impl<T> Lent<T> {
    pub(crate) fn new(value: T) -> Lent<T> {
        Lent(Some(Box::new(value)))
    }

    /// Lends it; until it is [given back](Lent::give_back) nobody can use it here.
    pub(crate) fn lend(&mut self) -> Box<T> {
        self.0.take().expect("what is lent was here")
    }

    pub(crate) fn give_back(&mut self, value: Box<T>) {
        self.0 = Some(value);
    }
}

impl<T> Deref for Lent<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_ref().expect("it is not lent")
    }
}

impl<T> DerefMut for Lent<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("it is not lent")
    }
}
