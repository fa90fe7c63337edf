//! Every move with the same probability.

use super::{Decision, Policy};
use crate::registry::{Memory, PolicyEntry};
use ludens_game::{Rng, Role};

pub(super) const ENTRY: PolicyEntry =
    PolicyEntry::new("uniform", "every move with equal probability", |_, _| Box::new(Uniform)).memory(Memory::Nothing);

/// The policy without memory.
#[derive(Clone, Debug)]
pub(crate) struct Uniform;

impl Policy for Uniform {
    fn explores(&self, _: Role, _: &mut Rng) -> bool {
        true
    }

    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize> {
        Some(rng.below(decision.moves.len() as u32) as usize)
    }

    fn bytes(&self) -> usize {
        0
    }
}
