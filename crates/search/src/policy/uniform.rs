//! Every move with the same probability.

use super::{Decision, Policy};
use ludens_game::Rng;

/// The policy without memory.
#[derive(Clone, Debug)]
pub(crate) struct Uniform;

impl Policy for Uniform {
    fn explores(&self, _: &mut Rng) -> bool {
        true
    }

    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize> {
        Some(rng.below(decision.moves.len() as u32) as usize)
    }

    fn bytes(&self) -> usize {
        0
    }
}
