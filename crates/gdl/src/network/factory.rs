//! [`Factory`]: makes gates, each once, and in their simplest form.

use super::{Gate, Kind, Signal};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A growing list of gates without two equal ones.
pub(crate) struct Factory {
    first_gate: u32,
    pub(crate) gates: Vec<Gate>,
    known: HashTable<u32>,
}

impl Factory {
    pub(crate) fn new(first_gate: u32) -> Factory {
        Factory { first_gate, gates: Vec::new(), known: HashTable::new() }
    }

    pub(crate) fn first_gate(&self) -> u32 {
        self.first_gate
    }

    /// The gate of a node, unless it is an input.
    pub(crate) fn gate(&self, node: u32) -> Option<&Gate> {
        node.checked_sub(self.first_gate).map(|gate| &self.gates[gate as usize])
    }

    pub(crate) fn and(&mut self, inputs: Vec<Signal>) -> Signal {
        self.make(Kind::And, inputs)
    }

    pub(crate) fn or(&mut self, inputs: Vec<Signal>) -> Signal {
        self.make(Kind::Or, inputs)
    }

    /// The signal for a gate: constants are folded, repetitions dropped, and of a gate and its mirror image by De Morgan
    /// only the one whose first input is not negated is built.
    pub(crate) fn make(&mut self, kind: Kind, mut inputs: Vec<Signal>) -> Signal {
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
        match *inputs {
            [] => neutral,
            [single] => single,
            [first, ..] if first.is_negated() => {
                inputs.iter_mut().for_each(|signal| *signal = !*signal);
                let mirror = if kind == Kind::And { Kind::Or } else { Kind::And };
                !self.add(Gate { kind: mirror, inputs: inputs.into() })
            }
            _ => self.add(Gate { kind, inputs: inputs.into() }),
        }
    }

    fn add(&mut self, gate: Gate) -> Signal {
        let hash = hash_of(&gate);
        let (gates, first) = (&self.gates, self.first_gate);
        if let Some(&known) = self.known.find(hash, |&known| gates[known as usize] == gate) {
            return Signal::node(first + known);
        }
        let number = self.gates.len() as u32;
        self.gates.push(gate);
        let gates = &self.gates;
        self.known.insert_unique(hash, number, |&known| hash_of(&gates[known as usize]));
        Signal::node(first + number)
    }

    /// Room for the gates of a cycle, to be filled later. They are neither simplified nor shared.
    pub(crate) fn reserve(&mut self, count: usize) -> u32 {
        let start = self.gates.len() as u32;
        self.gates.resize(start as usize + count, Gate { kind: Kind::Or, inputs: Box::new([]) });
        self.first_gate + start
    }

    /// Fills a place of a cycle.
    pub(crate) fn fill(&mut self, node: u32, gate: Gate) {
        self.gates[(node - self.first_gate) as usize] = gate;
    }
}

fn hash_of(gate: &Gate) -> u64 {
    let mut hasher = FxHasher::default();
    gate.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_functions_are_one_gate() {
        let mut factory = Factory::new(4);
        let [a, b] = [Signal::node(1), Signal::node(2)];
        let and = factory.and(vec![a, b]);
        assert_eq!(factory.and(vec![b, a, a, Signal::TRUE]), and);
        assert_eq!(factory.or(vec![!a, !b]), !and);
        assert_eq!(factory.gates.len(), 1);
        assert_eq!(factory.and(vec![a, !a, b]), Signal::FALSE);
        assert_eq!(factory.or(vec![a, Signal::TRUE]), Signal::TRUE);
        assert_eq!(factory.or(vec![b]), b);
        assert_eq!(factory.and(vec![]), Signal::TRUE);
    }
}
