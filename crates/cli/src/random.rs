//! The uniform mover.

use ludens_game::{Move, Position, Rng, Role};

/// A uniformly random one of the moves that a playout considers.
pub(crate) fn random_move(position: &dyn Position, role: Role, rng: &mut Rng) -> Move {
    let moves = position.playout_moves(role);
    moves[rng.below(moves.len() as u32) as usize]
}
