//! Nogo: black and white in turn place a stone on an empty point. Captures and suicides are both forbidden, and who cannot
//! move has lost.

use crate::goban::Points;
use crate::placing::{Placing, Rule, State};

/// Nogo on a board that fits into `W` words; see [`words`](crate::goban::words).
pub type Nogo<const W: usize> = Placing<NoCaptures, W>;

/// The rule of [`Nogo`].
#[derive(Clone, Debug)]
pub struct NoCaptures;

impl<const W: usize> Nogo<W> {
    /// The game on `size` × `size` points, [`MIN_SIZE`](crate::goban::MIN_SIZE) to [`MAX_SIZE`](crate::goban::MAX_SIZE).
    pub fn new(size: usize) -> Nogo<W> {
        Placing::on(size, NoCaptures)
    }
}

impl<const W: usize> Rule<W> for NoCaptures {
    fn name(&self, size: usize) -> String {
        format!("nogo:{size}x{size}")
    }

    #[inline]
    fn legal(&self, state: &State<W>) -> Points<W> {
        state.standoff.breathing(state.to_move) - state.standoff.captures(state.to_move)
    }
}
