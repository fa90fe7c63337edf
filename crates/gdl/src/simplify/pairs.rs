//! Pairs of inputs that many gates have in common become gates of their own.
//!
//! Where a hundred moves need the same two squares to be empty, a change of one of the squares reaches one gate instead of
//! a hundred. The most frequent pair comes first, and pairs of pairs follow. A disjunction counts as the conjunction of its
//! negated inputs.

use crate::grouped::Grouped;
use crate::network::{Gates, Kind, Network, Signal};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

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

/// How many gates have a pair, at most; the pair, the first of several that are as frequent; where its gates begin.
type Frequent = (u32, Reverse<Pair>, u32);

struct Search<'n> {
    network: &'n Network,
    sharing: Sharing,
    /// The inputs of all gates as conjunctions, one gate behind the other.
    inputs: Vec<Signal>,
    /// Per gate: where its inputs are; nowhere for gates that are left alone.
    ranges: Vec<Range<u32>>,
    /// The gates of each frequent pair, one pair behind the other.
    gates: Vec<u32>,
    frequent: BinaryHeap<Frequent>,
    /// Per signal, while its pairs with one other are noted: how many there are, and where the next of their gates goes.
    counts: Vec<u32>,
    places: Vec<u32>,
    /// The pairs that were chosen. Pair `i` is the node `network.nodes() + i`.
    chosen: Vec<Pair>,
}

/// In place of a place: there is none yet.
const NOWHERE: u32 = u32::MAX;

impl<'n> Search<'n> {
    fn new(network: &'n Network, sharing: Sharing) -> Search<'n> {
        let mut inputs = Vec::with_capacity(network.edges());
        let ranges = network.gates.iter().zip(network.in_cycle()).map(|(gate, in_cycle)| {
            let start = inputs.len() as u32;
            if !in_cycle && (3..=sharing.max_inputs).contains(&gate.inputs.len()) {
                inputs.extend(gate.inputs.iter().map(|signal| signal.negate_if(gate.kind == Kind::Or)));
            }
            start..inputs.len() as u32
        });
        Search {
            ranges: ranges.collect(),
            inputs,
            network,
            sharing,
            gates: Vec::new(),
            frequent: BinaryHeap::new(),
            counts: vec![0; 2 * network.nodes()],
            places: vec![NOWHERE; 2 * network.nodes()],
            chosen: Vec::new(),
        }
    }

    fn inputs(&self, gate: usize) -> &[Signal] {
        let Range { start, end } = self.ranges[gate];
        &self.inputs[start as usize..end as usize]
    }

    fn run(&mut self) {
        let total: usize = self.ranges.iter().map(|range| range.len() * range.len() / 2).sum();
        if total > self.sharing.max_pairs {
            return;
        }
        self.find_frequent();
        while let Some((count, pair, start)) = self.frequent.pop() {
            let mut end = start;
            for place in start..start + count {
                let gate = self.gates[place as usize];
                let inputs = self.inputs(gate as usize);
                if inputs.len() > 2 && inputs.contains(&pair.0.0) && inputs.contains(&pair.0.1) {
                    self.gates[end as usize] = gate;
                    end += 1;
                }
            }
            if end - start == count {
                self.choose(pair.0, start..end);
            } else if (end - start) as usize >= self.sharing.min_gates {
                // Some of its gates have lost it to other pairs: it waits for its new turn.
                self.frequent.push((end - start, pair, start));
            }
        }
    }

    /// Notes all pairs that are frequent enough.
    fn find_frequent(&mut self) {
        // Per signal: the gates that use it, and where the inputs behind it begin, which are greater.
        let users = Grouped::new(self.counts.len(), || {
            let places =
                (0..).zip(&self.ranges).flat_map(|(gate, range)| range.clone().map(move |place| (gate, place)));
            places.map(|(gate, place)| (self.inputs[place as usize].index() as u32, (gate, place + 1)))
        });
        for signal in 0..self.counts.len() {
            if users.of(signal).len() >= self.sharing.min_gates {
                self.note(Signal::from_index(signal), users.of(signal));
            }
        }
    }

    /// Notes the frequent ones among the pairs of a signal with inputs of `users`: gates, and where these inputs begin.
    fn note(&mut self, signal: Signal, users: &[(u32, u32)]) {
        let Search { inputs, ranges, gates, counts, places, .. } = self;
        let others = || {
            let of = |&(gate, start): &(u32, u32)| {
                let inputs = &inputs[start as usize..ranges[gate as usize].end as usize];
                inputs.iter().map(move |&other| (gate, other))
            };
            users.iter().flat_map(of)
        };
        others().for_each(|(_, other)| counts[other.index()] += 1);
        for (gate, other) in others() {
            let count = counts[other.index()];
            if (count as usize) < self.sharing.min_gates {
                continue;
            }
            let place = &mut places[other.index()];
            if *place == NOWHERE {
                *place = gates.len() as u32;
                gates.resize(gates.len() + count as usize, gate);
                let pair = if signal < other { (signal, other) } else { (other, signal) };
                self.frequent.push((count, Reverse(pair), *place));
            }
            gates[*place as usize] = gate;
            *place += 1;
        }
        others().for_each(|(_, other)| (counts[other.index()], places[other.index()]) = (0, NOWHERE));
    }

    /// Replaces a pair in its gates, which are at some places of the list, and notes the pairs that the new node forms.
    fn choose(&mut self, pair: Pair, places: Range<u32>) {
        let node = Signal::node((self.network.nodes() + self.chosen.len()) as u32);
        self.chosen.push(pair);
        // The node may be an input of later pairs.
        self.counts.resize(node.index() + 2, 0);
        self.places.resize(node.index() + 2, NOWHERE);
        let gates: Vec<u32> = self.gates[places.start as usize..places.end as usize].to_vec();
        let mut users = Vec::with_capacity(gates.len());
        for &gate in &gates {
            let range = &mut self.ranges[gate as usize];
            users.push((gate, range.start));
            let mut end = range.start;
            for place in range.clone() {
                let input = self.inputs[place as usize];
                if input != pair.0 && input != pair.1 {
                    self.inputs[end as usize] = input;
                    end += 1;
                }
            }
            range.end = end;
        }
        self.note(node, &users);
        for gate in gates {
            let range = &mut self.ranges[gate as usize];
            self.inputs[range.end as usize] = node;
            range.end += 1;
        }
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
            match self.inputs(at) {
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
