//! [`Sweep`]: gates that are computed one after the other whenever they are asked for.
//!
//! This is how goals are computed, which are asked for once per game, and everything that depends on a cycle, where
//! differences cannot be propagated: gates of a cycle start false, and one that becomes true is told to those that use it.

use crate::grouped::Grouped;
use crate::network::{Kind, Network, Signal};
use std::ops::Range;

/// A part of a network with its own numbering: inputs first, then gates.
#[derive(Default)]
pub(super) struct Sweep {
    /// The network's nodes that are the inputs.
    pub(super) inputs: Vec<u32>,
    /// Per gate: where its literals end, and what it does with them.
    gates: Vec<(u32, Kind)>,
    /// A place, and whether it is negated in the lowest bit.
    literals: Vec<u32>,
    cycles: Vec<Cycle>,
    /// Per node of the network: its place.
    places: Vec<u32>,
}

/// Gates that depend on each other.
struct Cycle {
    gates: Range<u32>,
    /// Per gate: the gates of the cycle that use it.
    users: Grouped<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Sweep {
    /// The gates for which `inside` holds; every other node that they use is an input.
    pub(super) fn new(network: &Network, inside: &[bool]) -> Sweep {
        Sweep::with_inputs(network, inside, Vec::new())
    }

    /// The same with some nodes that are inputs in any case.
    pub(super) fn with_inputs(network: &Network, inside: &[bool], mut inputs: Vec<u32>) -> Sweep {
        let first = network.first_gate();
        let mut places = vec![NOWHERE; network.nodes()];
        inputs.sort_unstable();
        inputs.dedup();
        for (place, &node) in (0..).zip(&inputs) {
            places[node as usize] = place;
        }
        let chosen: Vec<u32> = (first..network.nodes() as u32).filter(|&node| inside[node as usize]).collect();
        for &node in &chosen {
            for signal in network.gate(node).expect("only gates are chosen").inputs {
                let source = signal.source() as usize;
                if !inside[source] && places[source] == NOWHERE {
                    places[source] = inputs.len() as u32;
                    inputs.push(signal.source());
                }
            }
        }
        let start = inputs.len() as u32;
        for (place, &node) in (start..).zip(&chosen) {
            places[node as usize] = place;
        }
        let (mut gates, mut literals): (Vec<(u32, Kind)>, Vec<u32>) = (Vec::new(), Vec::new());
        for &node in &chosen {
            let gate = network.gate(node).expect("only gates are chosen");
            literals.extend(gate.inputs.iter().map(|s| places[s.source() as usize] << 1 | u32::from(s.is_negated())));
            gates.push((literals.len() as u32, gate.kind));
        }
        let cycles = network.cycles.iter().filter(|cycle| inside[(first + cycle.start) as usize]);
        let cycles = cycles.map(|cycle| {
            let number = |gate: u32| places[(first + gate) as usize] - start;
            let range = number(cycle.start)..number(cycle.end - 1) + 1;
            let inputs = |gate: u32| {
                let begin = if gate == 0 { 0 } else { gates[gate as usize - 1].0 };
                let literals = &literals[begin as usize..gates[gate as usize].0 as usize];
                let numbers = literals.iter().filter_map(|literal| (literal >> 1).checked_sub(start));
                numbers.filter(|input| range.contains(input)).map(move |input| (input - range.start, gate))
            };
            Cycle { users: Grouped::new(range.len(), || range.clone().flat_map(inputs)), gates: range }
        });
        Sweep { cycles: cycles.collect(), inputs, gates, literals, places }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    /// The number of places.
    pub(super) fn places(&self) -> usize {
        self.inputs.len() + self.gates.len()
    }

    /// The place of a node and whether it is negated there.
    pub(super) fn literal(&self, signal: Signal) -> Option<u32> {
        let place = self.places[signal.source() as usize];
        (place != NOWHERE).then(|| place << 1 | u32::from(signal.is_negated()))
    }

    /// Whether some gates depend on each other.
    pub(super) fn has_cycles(&self) -> bool {
        !self.cycles.is_empty()
    }

    /// The value of a place in a sweep without cycles, computing no gate that is not asked for.
    pub(super) fn demand(&self, place: u32, known: &mut [Option<bool>], stack: &mut Vec<(u32, u32)>) -> bool {
        let start = self.inputs.len() as u32;
        let begin = |place: u32| match place - start {
            0 => 0,
            gate => self.gates[gate as usize - 1].0,
        };
        if let Some(value) = known[place as usize] {
            return value;
        }
        // Gates under way, each with the literal that it asks for.
        stack.push((place, begin(place)));
        while let Some((place, at)) = stack.last_mut() {
            let (end, kind) = self.gates[(*place - start) as usize];
            let decisive = kind == Kind::Or;
            let mut result = None;
            while *at < end {
                let literal = self.literals[*at as usize];
                match known[(literal >> 1) as usize] {
                    Some(value) if (value != (literal & 1 == 1)) == decisive => {
                        result = Some(decisive);
                        break;
                    }
                    Some(_) => *at += 1,
                    None => break,
                }
            }
            if result.is_some() || *at == end {
                known[*place as usize] = Some(result.unwrap_or(!decisive));
                stack.pop();
            } else {
                let input = self.literals[*at as usize] >> 1;
                stack.push((input, begin(input)));
            }
        }
        known[place as usize].expect("it was computed")
    }

    /// Computes all gates; the inputs' places are filled. The stack is empty before and after.
    pub(super) fn run(&self, values: &mut [bool], stack: &mut Vec<u32>) {
        let start = self.inputs.len();
        let mut cycles = self.cycles.iter().peekable();
        let mut at = 0;
        while at < self.gates.len() {
            let Some(cycle) = cycles.next_if(|cycle| cycle.gates.start as usize == at) else {
                values[start + at] = self.compute(at, values);
                at += 1;
                continue;
            };
            at = cycle.gates.end as usize;
            values[start + cycle.gates.start as usize..start + at].fill(false);
            for gate in cycle.gates.clone() {
                self.raise(gate, values, stack);
                while let Some(gate) = stack.pop() {
                    for &user in cycle.users.of((gate - cycle.gates.start) as usize) {
                        self.raise(user, values, stack);
                    }
                }
            }
        }
    }

    /// Computes a gate of a cycle that may have become true.
    #[inline]
    fn raise(&self, gate: u32, values: &mut [bool], stack: &mut Vec<u32>) {
        let place = self.inputs.len() + gate as usize;
        if !values[place] && self.compute(gate as usize, values) {
            values[place] = true;
            stack.push(gate);
        }
    }

    #[inline]
    fn compute(&self, gate: usize, values: &[bool]) -> bool {
        let begin = if gate == 0 { 0 } else { self.gates[gate - 1].0 };
        let (end, kind) = self.gates[gate];
        let mut literals = self.literals[begin as usize..end as usize].iter();
        match kind {
            Kind::And => literals.all(|&literal| value(values, literal)),
            Kind::Or => literals.any(|&literal| value(values, literal)),
        }
    }
}

/// The value of a literal of a sweep.
#[inline]
pub(super) fn value(values: &[bool], literal: u32) -> bool {
    values[(literal >> 1) as usize] != (literal & 1 == 1)
}
