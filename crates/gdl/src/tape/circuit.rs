//! [`Circuit`]: a network as conjunctions of two signals, each of them once.
//!
//! A cycle is cut open where a gate is used before it is computed: there a *feedback* cell stands for the value that the
//! gate had in the round before.

use crate::network::{Kind, Network, Signal};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::VecDeque;

/// What a node behind the inputs is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell {
    And(Signal, Signal),
    /// False at first, later what was computed in the round before.
    Feedback,
}

/// Conjunctions in segments, to be computed one segment after the other.
pub(super) struct Circuit {
    /// Nodes below are inputs of the network.
    pub(super) inputs: u32,
    /// Node `inputs + i` is `cells[i]`; its operands come before it.
    pub(super) cells: Vec<Cell>,
    /// Per cell: its segment. Segments with odd numbers are cycles.
    pub(super) segments: Vec<u32>,
    /// Feedback cells as nodes, and what they become.
    pub(super) feedback: Vec<(u32, Signal)>,
    /// What is wanted of the circuit.
    pub(super) outputs: Vec<Signal>,
}

struct Builder {
    circuit: Circuit,
    known: FxHashMap<(Signal, Signal), u32>,
    /// The signals of the conjunction under way.
    signals: VecDeque<Signal>,
    /// The segment under way.
    segment: u32,
}

impl Circuit {
    pub(super) fn new(network: &Network, wanted: &[Signal]) -> Circuit {
        let first = network.first_gate();
        let circuit = Circuit { inputs: first, cells: vec![], segments: vec![], feedback: vec![], outputs: vec![] };
        let known = FxHashMap::with_capacity_and_hasher(network.edges(), FxBuildHasher);
        let mut builder = Builder { circuit, known, signals: VecDeque::new(), segment: 0 };
        let mut signals: Vec<Signal> = (0..first).map(Signal::node).collect();
        let mut cycles = network.cycles.iter().peekable();
        let mut at = 0;
        while at < network.gates.len() {
            match cycles.next_if(|cycle| cycle.start as usize == at) {
                Some(cycle) => {
                    builder.segment += 1;
                    builder.cycle(network, cycle.clone(), &mut signals);
                    builder.segment += 1;
                    at = cycle.end as usize;
                }
                None => {
                    let signal = builder.gate(network, at, |input| signals[input as usize]);
                    signals.push(signal);
                    at += 1;
                }
            }
        }
        let mut circuit = builder.circuit;
        let new = |signal: &Signal| signals[signal.source() as usize].negate_if(signal.is_negated());
        circuit.outputs = wanted.iter().map(new).collect();
        circuit
    }
}

impl Builder {
    /// The signal for a gate whose inputs have known signals.
    fn gate(&mut self, network: &Network, gate: usize, signal: impl Fn(u32) -> Signal) -> Signal {
        let gate = network.gates.get(gate);
        // A disjunction is the mirror image of a conjunction.
        let mirror = gate.kind == Kind::Or;
        let inputs = gate.inputs.iter().map(|input| signal(input.source()).negate_if(input.is_negated() != mirror));
        self.signals.extend(inputs);
        self.all().negate_if(mirror)
    }

    /// The conjunction of the signals: a tree of threes, since operations may have three operands.
    fn all(&mut self) -> Signal {
        let mut taken = self.signals.pop_front().unwrap_or(Signal::TRUE);
        while let Some(second) = self.signals.pop_front() {
            taken = self.and(taken, second);
            if let Some(third) = self.signals.pop_front() {
                taken = self.and(taken, third);
            }
            self.signals.push_back(taken);
            taken = self.signals.pop_front().expect("one was added");
        }
        taken
    }

    fn and(&mut self, a: Signal, b: Signal) -> Signal {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if a == Signal::FALSE || a == !b {
            return Signal::FALSE;
        }
        if a == Signal::TRUE || a == b {
            return b;
        }
        if let Some(&node) = self.known.get(&(a, b)) {
            return Signal::node(node);
        }
        let segment = self.place(a).max(self.place(b));
        let node = self.add(Cell::And(a, b), segment);
        self.known.insert((a, b), node);
        Signal::node(node)
    }

    fn add(&mut self, cell: Cell, segment: u32) -> u32 {
        self.circuit.cells.push(cell);
        self.circuit.segments.push(segment);
        self.circuit.inputs + self.circuit.cells.len() as u32 - 1
    }

    /// The first segment in which a signal can be used: what a cycle computes is right only after it.
    fn place(&self, signal: Signal) -> u32 {
        match signal.source().checked_sub(self.circuit.inputs) {
            None => 0,
            Some(cell) => {
                let segment = self.circuit.segments[cell as usize];
                segment + u32::from(segment % 2 == 1 && segment != self.segment)
            }
        }
    }

    fn cycle(&mut self, network: &Network, cycle: std::ops::Range<u32>, signals: &mut Vec<Signal>) {
        let first = network.first_gate();
        let mut back = vec![false; cycle.len()];
        for gate in cycle.clone() {
            for input in network.gates.get(gate as usize).inputs {
                let member = input.source().checked_sub(first + cycle.start).map(|member| member as usize);
                if let Some(member) =
                    member.filter(|&member| member < back.len() && gate - cycle.start <= member as u32)
                {
                    back[member] = true;
                }
            }
        }
        for &back in &back {
            let signal = if back { Signal::node(self.add(Cell::Feedback, self.segment)) } else { Signal::FALSE };
            signals.push(signal);
        }
        for gate in cycle.clone() {
            let signal = self.gate(network, gate as usize, |input| signals[input as usize]);
            let place = (first + gate) as usize;
            if back[(gate - cycle.start) as usize] {
                let feedback = signals[place].source();
                self.circuit.feedback.push((feedback, signal));
            }
            signals[place] = signal;
        }
    }
}
