//! [`GdlGame`]: what a game from a rulesheet can tell beyond what every [`Game`] can.

use ludens_game::{Game, Role};

/// A game whose states are sets of facts.
pub trait GdlGame: Game {
    /// The facts that are true in a state, in any order: `(cell 1 1 b)`.
    fn facts(&self, state: &Self::State) -> Vec<String>;

    /// Whether the game is over.
    fn is_terminal(&self, state: &Self::State) -> bool;

    /// The goal values that a role has in a state. Sound rules give exactly one at the end; before, there may be none.
    fn goals(&self, state: &Self::State, role: Role) -> Vec<i32>;
}

/// The score for the goal values of a role: their mean, and neither won nor lost if there is none.
pub(crate) fn score(goals: impl IntoIterator<Item = i32>) -> f64 {
    let (sum, count) = goals.into_iter().fold((0.0, 0.0), |(sum, count), goal| (sum + f64::from(goal), count + 1.0));
    if count == 0.0 { 0.5 } else { (sum / count / 100.0).clamp(0.0, 1.0) }
}

/// Spreads every bit of the input over all bits (the output function of SplitMix64).
#[inline]
pub(crate) fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The hash of a state that is a row of bits.
pub(crate) fn row_hash(row: &[u64]) -> u64 {
    row.iter().fold(0, |hash, &word| mix(hash ^ word))
}
