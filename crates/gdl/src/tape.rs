//! [`Tape`]: a part of a network as a straight list of operations on slots, for many states at once.
//!
//! ```text
//! Network ── pairs ────> gates share what they have in common          (simplify)
//!         ── circuit ──> conjunctions of two signals, each once; cycles cut open
//!         ── select ───> operations that a processor has, up to three operands each
//!         ── schedule ─> an order: producers near consumers, runs of one kind
//!         ── slots ────> places in memory, used again when their value is dead
//! ```
//!
//! A slot holds one bit per state. Slots `0` and `1` are constant, then come the fluents and the moves of the network, in the
//! order of its nodes, then what the tape computes. Cycles are repeated until nothing grows any more, which is their least
//! fixpoint in every state.

mod circuit;
mod schedule;
mod select;
mod slots;

use crate::network::{Network, Signal};
use crate::simplify::{Sharing, pull_pairs, share};
use circuit::Circuit;

/// The slot that is false in all states.
pub(crate) const FALSE: u32 = 0;
/// The slot that is true in all states.
pub(crate) const TRUE: u32 = 1;

/// The slot of an input of a network.
pub(crate) fn input_slot(node: u32) -> u32 {
    // Node 0 is the constant false; slot 1 is put between it and the first fluent.
    if node == 0 { FALSE } else { node + 1 }
}

/// The first slot after the inputs of a network.
pub(crate) fn first_free_slot(network: &Network) -> u32 {
    network.first_gate() + 1
}

/// What an operation does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Action {
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a & !b`
    AndNot,
    /// `a & b & c`
    AndAnd,
    /// `a | b | c`
    OrOr,
    /// `a & b & !c`
    AndAndNot,
    /// `a & !b & !c`
    AndNotNot,
    /// `(a & b) | c`
    AndOr,
    /// `(a & !b) | c`
    AndNotOr,
    /// `(a | b) & c`
    OrAnd,
    /// `(a | b) & !c`
    OrAndNot,
    /// `c & !(a & b)`
    NotAnd,
    /// `c & !(a & !b)`
    NotAndNot,
    /// The target becomes true where `a` is; the cycle goes on if it was not yet.
    Grow,
}

impl Action {
    /// Every action.
    pub(crate) const COUNT: usize = Action::Grow as usize + 1;
}

/// One operation: slots of the result and of the operands. Those that the action does not use are slot 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub(crate) target: u32,
    pub(crate) operands: [u32; 3],
}

/// A piece of a tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Operations `..end` from where the last piece ended.
    Run { action: Action, end: u32 },
    /// The pieces `..end` that follow are repeated as long as something grows in them.
    Cycle { end: u32 },
}

/// A part of a network, ready to be computed.
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) ops: Vec<Op>,
    /// Slots `..end` are used.
    pub(crate) end: u32,
}

impl Tape {
    /// A tape for a part of a network, which is alone there, that uses the slots from `first` on, and where the part's outputs
    /// are when it has run.
    pub(crate) fn new(alone: &Network, part: Part, first: u32) -> (Tape, Vec<u32>) {
        let shared = pull_pairs(alone, Sharing { min_gates: 2, max_inputs: 300, max_pairs: 4_000_000 });
        let circuit = Circuit::new(&shared, &part.outputs(&shared));
        slots::assign(schedule::schedule(select::select(&circuit)), first)
    }
}

/// Which outputs of a network are computed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// What is true next.
    Next,
    /// What is legal, and whether the game is over.
    Legal,
    /// The goals.
    Goals,
}

impl Part {
    /// The outputs, in the order of [`Network::outputs`].
    fn outputs(self, network: &Network) -> Vec<Signal> {
        match self {
            Part::Next => network.next.clone(),
            Part::Legal => network.legal.iter().flatten().copied().chain([network.terminal]).collect(),
            Part::Goals => network.goals.iter().flatten().map(|&(_, signal)| signal).collect(),
        }
    }

    /// The network with these outputs alone: the others are constant, and nothing computes them.
    pub(crate) fn alone(self, network: &Network) -> Network {
        let mut part = network.clone();
        if self != Part::Next {
            part.next.fill(Signal::FALSE);
        }
        if self != Part::Legal {
            part.legal.iter_mut().flatten().for_each(|signal| *signal = Signal::FALSE);
            part.terminal = Signal::FALSE;
        }
        if self != Part::Goals {
            part.goals.iter_mut().flatten().for_each(|(_, signal)| *signal = Signal::FALSE);
        }
        share(&part)
    }
}
