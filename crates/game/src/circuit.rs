//! [`RuleCircuit`]: the rules of a game as logic operations on bits, for engines that compute many positions together.
//!
//! It is plain data. A *slot* holds one bit of a position: slot 0 is false, slot 1 is true, then come the facts of the state,
//! then one slot per move of every role, then whatever is computed. All tapes share the slots of state and moves.

use crate::Move;

/// A game whose states are rows of bits, as circuits.
#[derive(Clone, Debug)]
pub struct RuleCircuit {
    /// Facts that a state consists of; fact `f` is slot `2 + f`.
    pub facts: usize,
    /// The initial state.
    pub initial: Vec<bool>,
    /// Per role: the number of its moves.
    pub moves: Vec<usize>,
    /// A step leads from a state of one phase to one of the next; the initial state has the first.
    pub phases: Vec<PhaseCircuit>,
    /// From a state to the goals.
    pub goals: LogicTape,
    /// Per role: goal values in percent, and the slots that say which of them hold. The score is their mean, one half if none
    /// holds.
    pub goal_slots: Vec<Vec<(i32, u32)>>,
    /// Whether every score `s` counts as `1 - s`.
    pub is_inverted: bool,
    /// Whether a role without a legal move plays the last of its moves, which ends the game with one half for everybody.
    pub has_ways_out: bool,
}

/// What is computed in one phase.
#[derive(Clone, Debug)]
pub struct PhaseCircuit {
    /// From a state to its legal moves, and whether the game is over.
    pub legal: LogicTape,
    /// The slot that says whether the game is over.
    pub terminal: u32,
    /// From a state and the moves that are made to the next state.
    pub next: LogicTape,
    /// Per fact: the slot of its next value. All are read before any fact changes.
    pub next_slots: Vec<u32>,
    /// The moves of each role.
    pub roles: Vec<RoleCircuit>,
}

/// The moves of a role in one phase.
#[derive(Clone, Debug)]
pub struct RoleCircuit {
    /// Those that may be legal, ascending.
    pub moves: Vec<Move>,
    /// The slot of each of them that says whether it is.
    pub legal: Vec<u32>,
    /// Per move of the game: the slot that says that it is made; none if nothing depends on it.
    pub inputs: Vec<Option<u32>>,
}

/// Operations in the order in which they can be done. Slots are used again when their value is no longer needed.
#[derive(Clone, Debug, Default)]
pub struct LogicTape {
    /// One after the other.
    pub parts: Vec<TapePart>,
}

/// A part of a tape.
#[derive(Clone, Debug)]
pub enum TapePart {
    /// Operations that are done once.
    Straight(Vec<LogicOp>),
    /// Operations that are repeated as long as a slot grows.
    Cycle {
        /// Done in every round.
        ops: Vec<LogicOp>,
        /// Done at the end of a round: the first slot becomes true where the second is.
        grows: Vec<(u32, u32)>,
    },
}

/// An operation on up to three slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogicOp {
    /// Where the result goes.
    pub target: u32,
    /// What it is computed from; slots that do not matter are 0.
    pub operands: [u32; 3],
    /// Bit `a + 2b + 4c` is the result for operands with the values a, b, c.
    pub table: u8,
}
