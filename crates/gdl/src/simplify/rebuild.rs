//! Builds a network anew from its outputs, gate by gate.

use crate::network::{Factory, Kind, Network, Signal};

/// Makes a gate; a pass that wants another one in its place makes that.
pub(crate) fn plain(factory: &mut Factory, kind: Kind, inputs: &mut Vec<Signal>) -> Signal {
    factory.make(kind, inputs)
}

/// A network that is built anew.
pub(crate) struct Rebuild<'n> {
    network: &'n Network,
    /// The node of the first gate.
    first: u32,
    /// Per node of the old network: how many gates and outputs use it. Nodes that no output needs have 0.
    pub(crate) uses: Vec<u32>,
    /// Per node of the old network: the new signal.
    signals: Vec<Signal>,
    /// Per gate of the old network: whether it belongs to a cycle.
    in_cycle: Vec<bool>,
}

impl<'n> Rebuild<'n> {
    pub(crate) fn new(network: &'n Network) -> Rebuild<'n> {
        let first = network.first_gate();
        let signals =
            (0..network.nodes() as u32).map(|node| if node < first { Signal::node(node) } else { Signal::FALSE });
        Rebuild { network, first, uses: uses(network), signals: signals.collect(), in_cycle: network.in_cycle() }
    }

    /// Replaces an input of the network.
    pub(crate) fn set(&mut self, node: u32, signal: Signal) {
        self.signals[node as usize] = signal;
    }

    /// Builds all gates that are used, each by `make`.
    pub(crate) fn run(self, mut make: impl FnMut(&mut Factory, Kind, &mut Vec<Signal>) -> Signal) -> Network {
        self.run_with_index(|factory, _, kind, inputs| make(factory, kind, inputs))
    }

    /// Builds all gates that are used, each by `make`, which is told the old gate's index.
    pub(crate) fn run_with_index(
        mut self,
        mut make: impl FnMut(&mut Factory, usize, Kind, &mut Vec<Signal>) -> Signal,
    ) -> Network {
        let Rebuild { network, first, .. } = self;
        let mut factory = Factory::new(first, network.gates.len());
        let mut cycles = network.cycles.iter().peekable();
        let mut new_cycles = Vec::new();
        let mut inputs = Vec::new();
        let mut at = 0;
        while at < network.gates.len() {
            if let Some(cycle) = cycles.next_if(|cycle| cycle.start as usize == at) {
                if (cycle.start..cycle.end).any(|gate| self.uses[(first + gate) as usize] > 0) {
                    let start = self.cycle(&mut factory, cycle.start as usize..cycle.end as usize);
                    new_cycles.push(start - first..factory.gates.len() as u32);
                }
                at = cycle.end as usize;
                continue;
            }
            if self.uses[first as usize + at] > 0 {
                let gate = network.gates.get(at);
                inputs.clear();
                for &signal in gate.inputs {
                    self.join(&factory, gate.kind, signal, &mut inputs);
                }
                self.signals[first as usize + at] = make(&mut factory, at, gate.kind, &mut inputs);
            }
            at += 1;
        }
        let new = |signal: Signal| self.signals[signal.source() as usize].negate_if(signal.is_negated());
        Network {
            next: network.next.iter().map(|&signal| new(signal)).collect(),
            legal: network.legal.iter().map(|legal| legal.iter().map(|&signal| new(signal)).collect()).collect(),
            terminal: new(network.terminal),
            goals: network
                .goals
                .iter()
                .map(|goals| goals.iter().map(|&(value, signal)| (value, new(signal))).collect())
                .collect(),
            gates: factory.gates,
            cycles: new_cycles,
            fluents: network.fluents.clone(),
            moves: network.moves.clone(),
            initial: network.initial.clone(),
        }
    }

    /// Adds an input of a gate; one that only this gate uses and that is of the same kind gives its own inputs.
    fn join(&self, factory: &Factory, kind: Kind, signal: Signal, inputs: &mut Vec<Signal>) {
        let new = self.signals[signal.source() as usize].negate_if(signal.is_negated());
        // The inside of a cycle stays as it is.
        let in_cycle = |node: u32| node.checked_sub(self.first).is_some_and(|gate| self.in_cycle[gate as usize]);
        if self.uses[signal.source() as usize] == 1
            && let Some(gate) = factory.gate(new.source())
            && (gate.kind == kind) != new.is_negated()
            && !in_cycle(signal.source())
        {
            inputs.extend(gate.inputs.iter().map(|&inner| inner.negate_if(new.is_negated())));
        } else {
            inputs.push(new);
        }
    }

    fn cycle(&mut self, factory: &mut Factory, gates: std::ops::Range<usize>) -> u32 {
        let start = factory.next_node();
        for (node, gate) in (start..).zip(gates.clone()) {
            self.signals[self.first as usize + gate] = Signal::node(node);
        }
        let mut inputs = Vec::new();
        for gate in gates {
            let gate = self.network.gates.get(gate);
            let new = |signal: &Signal| self.signals[signal.source() as usize].negate_if(signal.is_negated());
            inputs.clear();
            inputs.extend(gate.inputs.iter().map(new));
            inputs.sort_unstable();
            inputs.dedup();
            let (neutral, absorbing, settled) = match gate.kind {
                Kind::And => (Signal::TRUE, Signal::FALSE, Kind::Or),
                Kind::Or => (Signal::FALSE, Signal::TRUE, Kind::And),
            };
            inputs.retain(|&signal| signal != neutral);
            match inputs.contains(&absorbing) {
                // Without inputs the other kind is the constant.
                true => factory.push(settled, []),
                false => factory.push(gate.kind, inputs.iter().copied()),
            }
        }
        start
    }
}

/// Per node: how many gates and outputs use it, counting only gates that some output needs.
pub(crate) fn uses(network: &Network) -> Vec<u32> {
    let first = network.first_gate();
    let mut uses = vec![0_u32; network.nodes()];
    network.outputs(|signal| uses[signal.source() as usize] += 1);
    let mut cycles = network.cycles.iter().rev().peekable();
    let mut end = network.gates.len() as u32;
    let mut open = Vec::new();
    // From the last gate to the first: except in cycles, all users of a gate have been seen when it is reached.
    while end > 0 {
        let Some(range) = cycles.next_if(|cycle| cycle.end == end).cloned() else {
            end -= 1;
            if uses[(first + end) as usize] > 0 {
                let inputs = network.gates.get(end as usize).inputs;
                inputs.iter().for_each(|signal| uses[signal.source() as usize] += 1);
            }
            continue;
        };
        open.extend(range.clone().filter(|gate| uses[(first + gate) as usize] > 0));
        while let Some(gate) = open.pop() {
            for signal in network.gates.get(gate as usize).inputs {
                let node = signal.source();
                uses[node as usize] += 1;
                if uses[node as usize] == 1 && node >= first && range.contains(&(node - first)) {
                    open.push(node - first);
                }
            }
        }
        end = range.start;
    }
    uses
}
