//! [`Chain`]: the playout policies of a search in the order in which they are asked, with their generator.

use crate::{
    policy::{Decision, Leaf, Needs, Policy},
    trail::{CodeSpace, Trail},
    world::World,
};
use ludens_game::{Move, Rng, Role};

/// Policies, what they need, a generator, and room to work in.
pub(crate) struct Chain {
    pub(crate) policies: Vec<Box<dyn Policy>>,
    /// What any of them needs.
    pub(crate) needs: Needs,
    pub(crate) space: CodeSpace,
    pub(crate) rng: Rng,
    room: Vec<Move>,
    listed: Vec<Move>,
    codes: Vec<u32>,
    /// Whether the choices of the playout under way are drawn, see [`Policy::draws`].
    is_drawing: bool,
}

/// Draws after which any move will do: a bound, and so many that it hardly matters.
const MOST_DRAWS: u32 = 256;

impl Chain {
    pub(crate) fn new(space: CodeSpace, policies: Vec<Box<dyn Policy>>, needs: Needs, rng: Rng) -> Chain {
        Chain {
            policies,
            needs,
            space,
            rng,
            room: Vec::new(),
            listed: Vec::new(),
            codes: Vec::new(),
            is_drawing: false,
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
            policy.begin(leaf, &mut self.rng);
        }
        self.is_drawing = self.policies.first().is_some_and(|policy| policy.draws());
    }

    /// Chooses a playout move for a role and notes it in the trail.
    #[inline]
    pub(crate) fn pick_move<W: World>(&mut self, world: &W, role: Role, trail: &mut Trail) -> Move {
        let records = self.records();
        if let Some(mv) = self.draw_move(world, role) {
            if records && !self.space.is_idle(role, mv) {
                trail.open_choice(role);
                trail.close_choice(0, self.space.code(role, mv));
            }
            return mv;
        }
        let Chain { rng, policies, needs, codes, .. } = self;
        let options = world.options(role, &mut self.room);
        let count = options.count();
        if count == 1 {
            return options.nth(0);
        }
        if records {
            trail.open_choice(role);
        }
        let is_random = policies.first().is_none_or(|policy| policy.explores(role, rng));
        let (chosen, mv) = if is_random && !needs.legal {
            let chosen = rng.below(count as u32) as usize;
            (chosen, options.nth(chosen))
        } else {
            let moves = options.list(&mut self.listed);
            if needs.features {
                world.codes(role, moves, codes);
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

    /// A move that the first policy takes of those that the world draws, if both can do that.
    #[inline]
    fn draw_move<W: World>(&mut self, world: &W, role: Role) -> Option<Move> {
        let policy = self.policies.first().filter(|_| self.is_drawing)?;
        let mut mv = world.draw(role, &mut self.rng)?;
        for _ in 0..MOST_DRAWS {
            if self.space.is_idle(role, mv) || policy.takes(role, self.space.code(role, mv), &mut self.rng) {
                break;
            }
            mv = world.draw(role, &mut self.rng)?;
        }
        Some(mv)
    }

    /// The place of the move that the policies choose.
    pub(crate) fn choose(&mut self, role: Role, moves: &[Move], legal: &[u32], trail: &Trail) -> usize {
        let decision = Decision { role, moves, first: self.space.first(role), legal, trail };
        choose(&mut self.policies, &decision, &mut self.rng)
    }

    /// The policies read the trail of a simulation.
    pub(crate) fn learn(&mut self, trail: &Trail, scores: &[f64]) {
        if self.needs.trail {
            for policy in &mut self.policies {
                policy.learn(trail, scores);
            }
        }
    }

    /// The bytes that the policies' tables hold.
    pub(crate) fn bytes(&self) -> usize {
        self.policies.iter().map(|policy| policy.bytes()).sum()
    }
}

/// The first policy that chooses decides; if none does, chance.
#[inline]
fn choose(policies: &mut [Box<dyn Policy>], decision: &Decision<'_>, rng: &mut Rng) -> usize {
    match policies.first() {
        Some(policy) if !policy.explores(decision.role, rng) => choose_seriously(policies, decision, rng),
        _ => rng.below(decision.moves.len() as u32) as usize,
    }
}

/// The same, when the first policy has decided not to explore.
#[inline]
pub(crate) fn choose_seriously(policies: &mut [Box<dyn Policy>], decision: &Decision<'_>, rng: &mut Rng) -> usize {
    let (first, others) = policies.split_first_mut().expect("a policy was asked whether it explores");
    first.choose(decision, rng).unwrap_or_else(|| choose(others, decision, rng))
}
