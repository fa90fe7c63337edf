//! [`Standoff`]: a board from which nothing has been captured, and where captures and suicides threaten.
//!
//! Before the first capture two things can only become more. A chain in atari stays in atari until somebody plays on its last
//! liberty, for a chain grows through its liberties alone. And a point whose neighbours are all occupied, and where the own
//! ones are in atari, stays suicidal until it is occupied. So a placement adds to the two sets what happens around it,
//! and the legal moves follow from the sets.

use super::{Goban, Points, Stones};
use ludens_game::Role;

/// Stones of which none has been captured.
#[derive(Clone, Debug)]
pub struct Standoff<const W: usize> {
    /// The stones.
    pub stones: Stones<W>,
    /// The last liberties of each role's chains in atari, and points where there was one.
    last_liberties: [Points<W>; 2],
    /// The points where a stone of the role would have no liberty if it captured nothing, and points that were such.
    airless: [Points<W>; 2],
}

impl<const W: usize> Standoff<W> {
    /// An empty board.
    pub fn new(board: &Goban<W>) -> Standoff<W> {
        Standoff { stones: Stones::new(board), last_liberties: [Points::EMPTY; 2], airless: [Points::EMPTY; 2] }
    }

    /// The points where a stone of `role` captures.
    #[inline]
    pub fn captures(&self, role: Role) -> Points<W> {
        self.last_liberties[role.other().index()] & self.stones.empty()
    }

    /// The empty points where a stone of `role` has a liberty even if it captures nothing.
    #[inline]
    pub fn breathing(&self, role: Role) -> Points<W> {
        self.stones.empty() - self.airless[role.index()]
    }

    /// Puts a stone of `role` on an empty point; returns the captured stones. If there are any, the standoff is over.
    #[inline]
    pub fn place(&mut self, board: &Goban<W>, point: usize, role: Role) -> Points<W> {
        let placed = self.stones.place(board, point, role);
        let [own, other] = placed.last_liberties;
        self.last_liberties[role.index()] |= own;
        self.last_liberties[role.other().index()] |= other;
        let narrowed = board.near(point) | own | other;
        let enclosed = (narrowed & self.stones.empty()) - board.spread(self.stones.empty());
        for point in enclosed.iter() {
            for role in Role::all(2) {
                if !self.stones.breathes(board, point, role) {
                    self.airless[role.index()] |= Points::single(point);
                }
            }
        }
        placed.captured
    }
}
