//! [`Factory`]: makes gates, each once, and in their simplest form.

use super::{Gate, Gates, Kind, Signal};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A growing list of gates without two equal ones.
pub(crate) struct Factory {
    first_gate: u32,
    pub(crate) gates: Gates,
    known: HashTable<u32>,
}

impl Factory {
    /// `expected`: about how many gates there will be.
    pub(crate) fn new(first_gate: u32, expected: usize) -> Factory {
        Factory { first_gate, gates: Gates::with_capacity(expected), known: HashTable::with_capacity(expected) }
    }

    pub(crate) fn first_gate(&self) -> u32 {
        self.first_gate
    }

    /// The gate of a node, unless it is an input.
    pub(crate) fn gate(&self, node: u32) -> Option<Gate<'_>> {
        node.checked_sub(self.first_gate).map(|gate| self.gates.get(gate as usize))
    }

    pub(crate) fn and(&mut self, inputs: &mut Vec<Signal>) -> Signal {
        self.make(Kind::And, inputs)
    }

    pub(crate) fn or(&mut self, inputs: &mut Vec<Signal>) -> Signal {
        self.make(Kind::Or, inputs)
    }

    /// The signal for a gate: constants are folded, repetitions dropped, and of a gate and its mirror image by De Morgan
    /// only the one whose first input is not negated is built. Afterwards the list of inputs is of no use.
    pub(crate) fn make(&mut self, kind: Kind, inputs: &mut Vec<Signal>) -> Signal {
        let (neutral, absorbing) = match kind {
            Kind::And => (Signal::TRUE, Signal::FALSE),
            Kind::Or => (Signal::FALSE, Signal::TRUE),
        };
        inputs.sort_unstable();
        inputs.dedup();
        inputs.retain(|&signal| signal != neutral);
        // A node and its negation are neighbours.
        if inputs.contains(&absorbing) || inputs.windows(2).any(|pair| pair[0] == !pair[1]) {
            return absorbing;
        }
        match **inputs {
            [] => neutral,
            [single] => single,
            [first, ..] if first.is_negated() => {
                inputs.iter_mut().for_each(|signal| *signal = !*signal);
                let mirror = if kind == Kind::And { Kind::Or } else { Kind::And };
                !self.add(Gate { kind: mirror, inputs })
            }
            _ => self.add(Gate { kind, inputs }),
        }
    }

    fn add(&mut self, gate: Gate<'_>) -> Signal {
        let next = self.gates.len() as u32;
        let gate_of = |&known: &u32| self.gates.get(known as usize);
        let is_same = |known: &u32| gate_of(known) == gate;
        let number = match self.known.entry(hash_of(gate), is_same, |known| hash_of(gate_of(known))) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                place.insert(next);
                self.gates.push(gate.kind, gate.inputs.iter().copied());
                next
            }
        };
        Signal::node(self.first_gate + number)
    }

    /// The node of the gate that comes next.
    pub(crate) fn next_node(&self) -> u32 {
        self.first_gate + self.gates.len() as u32
    }

    /// Adds a gate of a cycle, which is neither simplified nor shared.
    pub(crate) fn push(&mut self, kind: Kind, inputs: impl IntoIterator<Item = Signal>) {
        self.gates.push(kind, inputs);
    }
}

fn hash_of(gate: Gate<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    gate.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_functions_are_one_gate() {
        let mut factory = Factory::new(4, 1);
        let [a, b] = [Signal::node(1), Signal::node(2)];
        let and = factory.and(&mut vec![a, b]);
        assert_eq!(factory.and(&mut vec![b, a, a, Signal::TRUE]), and);
        assert_eq!(factory.or(&mut vec![!a, !b]), !and);
        assert_eq!(factory.gates.len(), 1);
        assert_eq!(factory.and(&mut vec![a, !a, b]), Signal::FALSE);
        assert_eq!(factory.or(&mut vec![a, Signal::TRUE]), Signal::TRUE);
        assert_eq!(factory.or(&mut vec![b]), b);
        assert_eq!(factory.and(&mut vec![]), Signal::TRUE);
    }
}
