//! Pairs of inputs that many gates have in common become gates of their own.
//!
//! Where a hundred moves need the same two squares to be empty, a change of one of the squares reaches one gate instead of
//! a hundred. The most frequent pair comes first, and pairs of pairs follow. A disjunction counts as the conjunction of its
//! negated inputs.

use crate::network::{Gates, Kind, Network, Signal};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
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
pub(crate) fn pull_pairs(network: &Network, sharing: Sharing) -> Cow<'_, Network> {
    let mut search = Search::new(network, sharing);
    search.run();
    if search.chosen.is_empty() { Cow::Borrowed(network) } else { Cow::Owned(search.build()) }
}

struct Search<'n> {
    network: &'n Network,
    sharing: Sharing,
    /// Per gate: its inputs as a conjunction; empty for gates that are left alone.
    inputs: Vec<Vec<Signal>>,
    /// The gates that may have a pair, for pairs that are frequent enough.
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
        self.find_frequent();
        let mut heap: BinaryHeap<(usize, std::cmp::Reverse<Pair>)> =
            self.places.iter().map(|(&pair, gates)| (gates.len(), std::cmp::Reverse(pair))).collect();
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

    /// Notes the places of all pairs that are frequent enough.
    fn find_frequent(&mut self) {
        // Per signal: the gates that use it.
        let mut starts = vec![0_u32; 2 * self.network.nodes() + 1];
        self.inputs.iter().flatten().for_each(|signal| starts[signal.index() + 1] += 1);
        (1..starts.len()).for_each(|index| starts[index] += starts[index - 1]);
        let (mut users, mut ends) = (vec![0_u32; starts[starts.len() - 1] as usize], starts.clone());
        for (gate, inputs) in (0..).zip(&self.inputs) {
            for signal in inputs {
                users[ends[signal.index()] as usize] = gate;
                ends[signal.index()] += 1;
            }
        }
        // How many gates have a signal together with the one that is looked at; afterwards nothing again.
        let mut counts = vec![0_u32; 2 * self.network.nodes()];
        for first in
            (0..counts.len()).filter(|&first| (starts[first + 1] - starts[first]) as usize >= self.sharing.min_gates)
        {
            let users = &users[starts[first] as usize..starts[first + 1] as usize];
            let (inputs, first) = (&self.inputs, Signal::from_index(first));
            let pairs = || {
                let others = |&gate: &u32| inputs[gate as usize].iter().map(move |&other| (gate, other));
                users.iter().flat_map(others).filter(|&(_, other)| other > first)
            };
            pairs().for_each(|(_, other)| counts[other.index()] += 1);
            for (gate, other) in pairs().filter(|(_, other)| counts[other.index()] as usize >= self.sharing.min_gates) {
                self.places.entry((first, other)).or_default().push(gate);
            }
            pairs().for_each(|(_, other)| counts[other.index()] = 0);
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
        let mut builder = Build {
            chosen: &self.chosen,
            nodes: network.nodes() as u32,
            first,
            gates: Gates::default(),
            new: Vec::new(),
        };
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
                    let gate = network.gates.get(gate as usize);
                    builder.gate(gate.kind, gate.inputs.iter().copied());
                }
                cycles.push(start..builder.gates.len() as u32);
                at = cycle.end as usize;
                continue;
            }
            let gate = network.gates.get(at);
            match &*self.inputs[at] {
                [] => builder.gate(gate.kind, gate.inputs.iter().copied()),
                all => builder.gate(gate.kind, all.iter().map(|signal| signal.negate_if(gate.kind == Kind::Or))),
            }
            builder.new[first as usize + at] = Some(first + builder.gates.len() as u32 - 1);
            at += 1;
        }
        let next = network.next.iter().map(|&signal| builder.signal(signal)).collect();
        let legal = network.legal.iter().map(|legal| legal.iter().map(|&signal| builder.signal(signal)).collect());
        let legal = legal.collect();
        let terminal = builder.signal(network.terminal);
        let goals = network
            .goals
            .iter()
            .map(|goals| goals.iter().map(|&(value, signal)| (value, builder.signal(signal))).collect());
        let goals = goals.collect();
        Network {
            next,
            legal,
            terminal,
            goals,
            gates: builder.gates,
            cycles,
            fluents: network.fluents.clone(),
            moves: network.moves.clone(),
            initial: network.initial.clone(),
        }
    }
}

struct Build<'s> {
    chosen: &'s [Pair],
    /// Nodes of the old network.
    nodes: u32,
    first: u32,
    gates: Gates,
    /// Per old node and pair: the new node.
    new: Vec<Option<u32>>,
}

impl Build<'_> {
    /// Adds a gate, behind the pairs that it uses first. `inputs`: as the old network has them.
    fn gate(&mut self, kind: Kind, inputs: impl Iterator<Item = Signal>) {
        let inputs: Vec<Signal> = inputs.map(|signal| self.signal(signal)).collect();
        self.gates.push(kind, inputs);
    }

    fn signal(&mut self, signal: Signal) -> Signal {
        let node = signal.source();
        let new = match self.new[node as usize] {
            Some(new) => new,
            None => {
                let (a, b) = self.chosen[(node - self.nodes) as usize];
                self.gate(Kind::And, [a, b].into_iter());
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
