//! Pairs of inputs that many gates have in common become gates of their own.
//!
//! Where a hundred moves need the same two squares to be empty, a change of one of the squares reaches one gate instead of
//! a hundred. The most frequent pair comes first, and pairs of pairs follow. A disjunction counts as the conjunction of its
//! negated inputs.

use crate::network::{Gate, Kind, Network, Signal};
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;

/// How far pairs are looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sharing {
    /// A pair must be shared by this many gates.
    pub(crate) min_gates: usize,
    /// Longer gates are left alone: the number of their pairs grows with the square of their length.
    pub(crate) max_inputs: usize,
    /// Networks with more pairs than this are left alone.
    pub(crate) max_pairs: usize,
}

type Pair = (Signal, Signal);

/// The network with pairs pulled out.
pub(crate) fn pull_pairs(network: &Network, sharing: Sharing) -> Network {
    let mut search = Search::new(network, sharing);
    search.run();
    search.build()
}

struct Search<'n> {
    network: &'n Network,
    sharing: Sharing,
    /// Per gate: its inputs as a conjunction; empty for gates that are left alone.
    inputs: Vec<Vec<Signal>>,
    /// The gates that may have a pair.
    places: FxHashMap<Pair, Vec<u32>>,
    /// The pairs that were chosen. Pair `i` is the node `network.nodes() + i`.
    chosen: Vec<Pair>,
}

impl<'n> Search<'n> {
    fn new(network: &'n Network, sharing: Sharing) -> Search<'n> {
        let in_cycle = network.in_cycle();
        let inputs = network.gates.iter().zip(in_cycle).map(|(gate, in_cycle)| {
            if in_cycle || gate.inputs.len() > sharing.max_inputs || gate.inputs.len() < 3 {
                return Vec::new();
            }
            gate.inputs.iter().map(|signal| signal.negate_if(gate.kind == Kind::Or)).collect()
        });
        Search { inputs: inputs.collect(), network, sharing, places: FxHashMap::default(), chosen: Vec::new() }
    }

    fn run(&mut self) {
        let Sharing { min_gates, max_pairs, .. } = self.sharing;
        let total: usize = self.inputs.iter().map(|inputs| inputs.len() * inputs.len() / 2).sum();
        if total > max_pairs {
            return;
        }
        for (gate, inputs) in self.inputs.iter().enumerate() {
            for (index, &a) in inputs.iter().enumerate() {
                for &b in &inputs[index + 1..] {
                    self.places.entry(ordered(a, b)).or_default().push(gate as u32);
                }
            }
        }
        let frequent = self.places.iter().filter(|(_, gates)| gates.len() >= min_gates);
        let mut heap: BinaryHeap<(usize, std::cmp::Reverse<Pair>)> =
            frequent.map(|(&pair, gates)| (gates.len(), std::cmp::Reverse(pair))).collect();
        while let Some((count, std::cmp::Reverse(pair))) = heap.pop() {
            let mut gates = self.places.remove(&pair).unwrap_or_default();
            gates.retain(|&gate| {
                let inputs = &self.inputs[gate as usize];
                inputs.len() > 2 && inputs.contains(&pair.0) && inputs.contains(&pair.1)
            });
            if gates.len() < min_gates {
                continue;
            }
            if gates.len() < count {
                // Some of its gates have lost it to other pairs: it waits for its new turn.
                heap.push((gates.len(), std::cmp::Reverse(pair)));
                self.places.insert(pair, gates);
                continue;
            }
            let mut touched = self.choose(pair, &gates);
            touched.sort_unstable();
            touched.dedup();
            for pair in touched {
                let count = self.places[&pair].len();
                if count >= min_gates {
                    heap.push((count, std::cmp::Reverse(pair)));
                }
            }
        }
    }

    /// Replaces a pair in its gates; the pairs that the new node forms.
    fn choose(&mut self, pair: Pair, gates: &[u32]) -> Vec<Pair> {
        let node = Signal::node((self.network.nodes() + self.chosen.len()) as u32);
        self.chosen.push(pair);
        let mut formed = Vec::new();
        for &gate in gates {
            let inputs = &mut self.inputs[gate as usize];
            inputs.retain(|&signal| signal != pair.0 && signal != pair.1);
            for &other in &*inputs {
                self.places.entry(ordered(other, node)).or_default().push(gate);
                formed.push(ordered(other, node));
            }
            inputs.push(node);
        }
        formed
    }

    /// The network with the chosen pairs in front of the gates that use them first.
    fn build(self) -> Network {
        let network = self.network;
        let first = network.first_gate();
        let mut builder =
            Build { chosen: &self.chosen, nodes: network.nodes() as u32, first, gates: Vec::new(), new: Vec::new() };
        builder.new = (0..network.nodes() + self.chosen.len())
            .map(|node| (node < first as usize).then_some(node as u32))
            .collect();
        let mut cycles = Vec::new();
        let mut old_cycles = network.cycles.iter().peekable();
        let mut at = 0;
        while at < network.gates.len() {
            if let Some(cycle) = old_cycles.next_if(|cycle| cycle.start as usize == at) {
                let start = builder.gates.len() as u32;
                for gate in cycle.clone() {
                    builder.new[(first + gate) as usize] = Some(first + start + gate - cycle.start);
                }
                for gate in cycle.clone() {
                    let Gate { kind, inputs } = &network.gates[gate as usize];
                    let inputs = inputs.iter().map(|&signal| builder.signal(signal)).collect();
                    builder.gates.push(Gate { kind: *kind, inputs });
                }
                cycles.push(start..builder.gates.len() as u32);
                at = cycle.end as usize;
                continue;
            }
            let Gate { kind, inputs } = &network.gates[at];
            let inputs: Box<[Signal]> = match self.inputs[at].is_empty() {
                true => inputs.iter().map(|&signal| builder.signal(signal)).collect(),
                false => {
                    self.inputs[at].iter().map(|&signal| builder.signal(signal).negate_if(*kind == Kind::Or)).collect()
                }
            };
            builder.new[first as usize + at] = Some(first + builder.gates.len() as u32);
            builder.gates.push(Gate { kind: *kind, inputs });
            at += 1;
        }
        let mut result = network.clone();
        let mut new = |signal: &mut Signal| *signal = builder.signal(*signal);
        result.next.iter_mut().for_each(&mut new);
        result.legal.iter_mut().flatten().for_each(&mut new);
        new(&mut result.terminal);
        result.goals.iter_mut().flatten().for_each(|(_, signal)| new(signal));
        result.gates = builder.gates;
        result.cycles = cycles;
        result
    }
}

struct Build<'s> {
    chosen: &'s [Pair],
    /// Nodes of the old network.
    nodes: u32,
    first: u32,
    gates: Vec<Gate>,
    /// Per old node and pair: the new node.
    new: Vec<Option<u32>>,
}

impl Build<'_> {
    fn signal(&mut self, signal: Signal) -> Signal {
        let node = signal.source();
        let new = match self.new[node as usize] {
            Some(new) => new,
            None => {
                let (a, b) = self.chosen[(node - self.nodes) as usize];
                let inputs = [self.signal(a), self.signal(b)].into();
                self.gates.push(Gate { kind: Kind::And, inputs });
                let new = self.first + self.gates.len() as u32 - 1;
                self.new[node as usize] = Some(new);
                new
            }
        };
        Signal::node(new).negate_if(signal.is_negated())
    }
}

fn ordered(a: Signal, b: Signal) -> Pair {
    if a < b { (a, b) } else { (b, a) }
}
