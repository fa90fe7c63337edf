//! Ids: who moves, and what.

/// A seat in the game, counted from 0 in the order of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Role(pub u8);

impl Role {
    /// The role as an index into per-role tables.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// All roles of a game with `count` of them.
    pub fn all(count: usize) -> impl Iterator<Item = Role> + Clone {
        (0..count).map(|index| Role(index as u8))
    }

    /// The opponent in a game of two roles.
    #[inline]
    pub fn other(self) -> Role {
        debug_assert!(self.0 < 2);
        Role(1 - self.0)
    }
}

/// A move of one role: a number below [`Game::moves`](crate::Game::moves) of that role.
///
/// The same number means the same move in every state of a game, so tables can be indexed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u32);

impl Move {
    /// The move as an index into per-move tables.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who decides in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Only this role may have a choice; every other role has exactly one legal move.
    One(Role),
    /// Any number of roles may have a choice.
    Many,
}
