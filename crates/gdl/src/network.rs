//! [`Network`]: the rules of a game as a boolean circuit.
//!
//! Inputs are the fluents (facts that may be true) and the moves of every role, of which exactly one per role is made in
//! a step. Outputs say what is true next, what is legal, whether the game is over, and the goals. Gates are conjunctions
//! and disjunctions of any number of signals; a signal is a node or its negation, so there are no gates for `not`.
//!
//! ```text
//! nodes:  0          1 ..= F       F+1 ..= F+M            F+M+1 ..
//!         constant   fluents       moves, role by role    gates
//!         false                                           (inputs before users, except in cycles)
//! ```
//!
//! Rules may be recursive on ground atoms (`connected`, `has a liberty`). Such gates lie next to each other in a range of
//! [`Network::cycles`]; what they mean is the least fixpoint, that is, all of them start false. No signal inside a cycle
//! is negated.

mod build;
mod factory;
mod gates;

pub use build::NegativeCycle;
pub(crate) use factory::Factory;
pub use gates::{Gate, Gates};

use crate::terms::TermId;
use std::ops::Range;

/// A node or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signal(u32);

impl Signal {
    /// Never true.
    pub const FALSE: Signal = Signal(0);
    /// Always true.
    pub const TRUE: Signal = Signal(1);

    /// The node itself.
    #[inline]
    pub fn node(node: u32) -> Signal {
        Signal(node << 1)
    }

    /// The node that decides.
    #[inline]
    pub fn source(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the signal is the node's negation.
    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The signal, negated if `negate`.
    #[inline]
    #[must_use]
    pub fn negate_if(self, negate: bool) -> Signal {
        Signal(self.0 ^ u32::from(negate))
    }

    /// A number of its own, from 0 on.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The signal with this number.
    #[inline]
    pub(crate) fn from_index(index: usize) -> Signal {
        Signal(index as u32)
    }

    /// Whether the signal is constant.
    #[inline]
    pub fn is_constant(self) -> bool {
        self.source() == 0
    }
}

impl std::ops::Not for Signal {
    type Output = Signal;
    fn not(self) -> Signal {
        self.negate_if(true)
    }
}

impl std::fmt::Debug for Signal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Signal::FALSE => f.write_str("false"),
            Signal::TRUE => f.write_str("true"),
            _ => write!(f, "{}{}", if self.is_negated() { "!" } else { "" }, self.source()),
        }
    }
}

/// What a gate does with its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// All are true. Without inputs: true.
    And,
    /// At least one is true. Without inputs: false.
    Or,
}

/// The circuit of a game.
#[derive(Clone, Debug)]
pub struct Network {
    /// The facts that may be true.
    pub fluents: Vec<TermId>,
    /// The moves that each role may ever make.
    pub moves: Vec<Vec<TermId>>,
    /// All gates.
    pub gates: Gates,
    /// Ranges of gates that depend on each other; see the module's description.
    pub cycles: Vec<Range<u32>>,
    /// Per fluent: whether it is true in the initial state.
    pub initial: Vec<bool>,
    /// Per fluent: whether it is true in the next state.
    pub next: Vec<Signal>,
    /// Per role and move: whether it is legal.
    pub legal: Vec<Vec<Signal>>,
    /// Whether the game is over.
    pub terminal: Signal,
    /// Per role: goal values and when they hold.
    pub goals: Vec<Vec<(i32, Signal)>>,
}

impl Network {
    /// The node of a fluent.
    pub fn fluent_node(&self, fluent: usize) -> u32 {
        1 + fluent as u32
    }

    /// The node of a role's move.
    pub fn move_node(&self, role: usize, mv: usize) -> u32 {
        let before: usize = self.moves[..role].iter().map(Vec::len).sum();
        (1 + self.fluents.len() + before + mv) as u32
    }

    /// The node of the first gate.
    pub fn first_gate(&self) -> u32 {
        (1 + self.fluents.len() + self.moves.iter().map(Vec::len).sum::<usize>()) as u32
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.first_gate() as usize + self.gates.len()
    }

    /// The number of gate inputs.
    pub fn edges(&self) -> usize {
        self.gates.edges()
    }

    /// The gate of a node, unless it is an input.
    pub fn gate(&self, node: u32) -> Option<Gate<'_>> {
        node.checked_sub(self.first_gate()).map(|gate| self.gates.get(gate as usize))
    }

    /// Per gate: whether it belongs to a cycle.
    pub(crate) fn in_cycle(&self) -> Vec<bool> {
        let mut inside = vec![false; self.gates.len()];
        for cycle in &self.cycles {
            inside[cycle.start as usize..cycle.end as usize].fill(true);
        }
        inside
    }

    /// Calls `visit` for every output.
    pub fn outputs(&self, mut visit: impl FnMut(Signal)) {
        self.next.iter().copied().for_each(&mut visit);
        self.legal.iter().flatten().copied().for_each(&mut visit);
        visit(self.terminal);
        self.goals.iter().flatten().for_each(|&(_, signal)| visit(signal));
    }

    /// The values of all nodes, given those of the inputs (places `0..first_gate`, the constant among them).
    ///
    /// Slow and obvious; the machine keeps values by difference.
    pub fn evaluate(&self, values: &mut Vec<bool>) {
        let first = self.first_gate() as usize;
        values.truncate(first);
        values.resize(self.nodes(), false);
        let value = |values: &[bool], signal: Signal| values[signal.source() as usize] != signal.is_negated();
        let compute = |values: &[bool], gate: Gate<'_>| match gate.kind {
            Kind::And => gate.inputs.iter().all(|&signal| value(values, signal)),
            Kind::Or => gate.inputs.iter().any(|&signal| value(values, signal)),
        };
        let mut cycles = self.cycles.iter().peekable();
        let mut at = 0;
        while at < self.gates.len() {
            let range = match cycles.next_if(|cycle| cycle.start as usize == at) {
                Some(cycle) => cycle.start as usize..cycle.end as usize,
                None => at..at + 1,
            };
            let mut changed = true;
            while std::mem::take(&mut changed) {
                for gate in range.clone() {
                    let now = compute(values, self.gates.get(gate));
                    changed |= now != std::mem::replace(&mut values[first + gate], now) && range.len() > 1;
                }
            }
            at = range.end;
        }
    }
}
