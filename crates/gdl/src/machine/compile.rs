//! From a [`Network`] to a [`Net`].

use super::late::{Around, Late, Lateness, lateness};
use super::net::{NOWHERE, Net, OUTPUT, Values};
use crate::grouped::Grouped;
use crate::network::{Gate, Kind, Network, Signal};
use crate::simplify;
use rustc_hash::FxHashSet;

/// Words for a row of bits.
pub(super) fn words(bits: usize) -> usize {
    bits.div_ceil(64)
}

struct Compiler<'n> {
    network: &'n Network,
    late: Vec<Lateness>,
    uses: Vec<u32>,
    /// Edges that lead to bits of the output row, by node of the network.
    outputs: Vec<(u32, u32)>,
    /// Edges between nodes of the network that do not exist, though the one is an input of the other.
    unlinked: FxHashSet<(u32, u32)>,
    /// Per node of the network: edges, with nodes of the network as targets.
    edges: Grouped<u32>,
    /// Per node of the network: its node in the net.
    nodes: Vec<u32>,
    /// Values of all nodes of the network in the initial state.
    values: Vec<bool>,
    /// What decides the bits of the output row, except for fluents that stay.
    bits: Vec<(u32, Signal)>,
    net: Net,
}

impl Net {
    /// Compiles all of a network but the goals.
    pub(super) fn new(network: &Network) -> Net {
        let mut compiler = Compiler {
            late: lateness(network),
            uses: simplify::uses(network),
            outputs: Vec::new(),
            unlinked: FxHashSet::default(),
            edges: Grouped::default(),
            nodes: vec![NOWHERE; network.nodes()],
            values: Vec::new(),
            bits: Vec::new(),
            net: Net {
                starts: Vec::new(),
                edges: Vec::new(),
                leaf_bits: Vec::new(),
                fluents: Vec::new(),
                moves: Vec::new(),
                used: Vec::new(),
                legal_words: Vec::new(),
                forced: network.legal.iter().map(|legal| forced(legal)).collect(),
                after_state: Late::default(),
                after_moves: Late::default(),
                start: Values::default(),
            },
            network,
        };
        compiler.start();
        compiler.lay_out();
        compiler.frames();
        compiler.connect();
        compiler.number();
        compiler.finish()
    }
}

impl Compiler<'_> {
    /// The values in the initial state, in which every role makes some move.
    fn start(&mut self) {
        let network = self.network;
        let start = &mut self.net.start;
        self.values = vec![false; network.first_gate() as usize];
        start.row = vec![0; words(network.fluents.len())];
        for fluent in (0..network.fluents.len()).filter(|&fluent| network.initial[fluent]) {
            self.values[network.fluent_node(fluent) as usize] = true;
            start.row[fluent / 64] |= 1 << (fluent % 64);
        }
        for (role, legal) in network.legal.iter().enumerate() {
            let made = legal.iter().position(|&legal| legal != Signal::FALSE).unwrap_or(0);
            start.made.push(made as u32);
            if made < legal.len() {
                self.values[network.move_node(role, made) as usize] = true;
            }
        }
        network.evaluate(&mut self.values);
    }

    /// Decides where the parts of the output row are.
    fn lay_out(&mut self) {
        let network = self.network;
        let mut word = 2 * words(network.fluents.len());
        for (moves, legal) in network.moves.iter().zip(&network.legal) {
            self.net.legal_words.push(word);
            self.bits.extend(legal.iter().enumerate().map(|(mv, &signal)| ((word * 64 + mv) as u32, signal)));
            word += words(moves.len());
        }
        self.net.legal_words.push(word);
        self.bits.push(((word * 64) as u32, network.terminal));
        self.net.start.out = vec![0; word + 1];
    }

    /// The edges between gates, and then those that lead to the output row.
    fn connect(&mut self) {
        let gates = self.network.first_gate()..self.network.nodes() as u32;
        let lives = |&node: &u32| self.uses[node as usize] > 0 && self.late[node as usize] == Lateness::No;
        self.edges = Grouped::new(self.network.nodes(), || {
            let between = gates.clone().filter(lives).flat_map(|target| self.edges_to(target));
            between.chain(self.outputs.iter().copied())
        });
    }

    /// The edges to a gate, by the nodes where they begin.
    fn edges_to(&self, target: u32) -> impl Iterator<Item = (u32, u32)> {
        let Gate { kind, inputs } = self.network.gate(target).expect("only gates have inputs");
        // Only what nobody else uses decides how fluents come and stay.
        let may_be_frame = self.uses[target as usize] == 1;
        let exists = move |signal: &&Signal| !may_be_frame || !self.unlinked.contains(&(signal.source(), target));
        let edge = move |signal: &Signal| target << 1 | u32::from(self.sign(*signal) != (kind == Kind::Or));
        inputs.iter().filter(exists).map(move |signal| (signal.source(), edge(signal)))
    }

    /// Whether a signal is the negation of what the counter of its node says.
    fn sign(&self, signal: Signal) -> bool {
        let mirrored = self.network.gate(signal.source()).is_some_and(|gate| gate.kind == Kind::Or);
        signal.is_negated() != mirrored
    }

    /// Decides how fluents come and stay.
    fn frames(&mut self) {
        let stay = words(self.network.fluents.len()) as u32 * 64;
        for fluent in 0..self.network.fluents.len() {
            let (own, next) = (self.network.fluent_node(fluent), self.network.next[fluent]);
            let come_bit = fluent as u32;
            let stay_bit = stay + come_bit;
            if next == Signal::node(own) {
                self.bits.push((stay_bit, Signal::TRUE));
                continue;
            }
            let Some((outer, keeper)) = self.frame(own, next) else {
                self.bits.push((come_bit, next));
                continue;
            };
            if let Some(outer) = outer {
                self.decide(come_bit, (outer, Kind::Or), keeper);
            }
            self.decide(stay_bit, (keeper, Kind::And), Signal::node(own));
        }
        for (bit, signal) in self.bits.clone() {
            if self.late[signal.source() as usize] == Lateness::No {
                self.outputs.push((signal.source(), OUTPUT | bit));
            }
            self.set_bit(bit, self.holds(signal));
        }
    }

    /// Finds the form `outer or (fluent and keeper)` or `fluent and keeper` in what comes next, where nobody else uses
    /// these gates.
    fn frame(&self, own: u32, next: Signal) -> Option<(Option<Signal>, Signal)> {
        if let Some(inputs) = self.private(next, Kind::And)
            && inputs.contains(&Signal::node(own))
        {
            return Some((None, next));
        }
        let inputs = self.private(next, Kind::Or)?;
        let keeps =
            |&signal: &Signal| self.private(signal, Kind::And).is_some_and(|inner| inner.contains(&Signal::node(own)));
        inputs.into_iter().find(keeps).map(|keeper| (Some(next), keeper))
    }

    /// The inputs of a signal that is a gate of this kind (or the mirror image) and is used once.
    fn private(&self, signal: Signal, kind: Kind) -> Option<Vec<Signal>> {
        let node = signal.source() as usize;
        let Gate { kind: own, inputs } = self.network.gate(signal.source())?;
        let fits = (own == kind) != signal.is_negated() && self.uses[node] == 1 && self.late[node] == Lateness::No;
        fits.then(|| inputs.iter().map(|inner| inner.negate_if(signal.is_negated())).collect())
    }

    /// Lets a gate that loses an input decide a bit.
    fn decide(&mut self, bit: u32, (gate, kind): (Signal, Kind), lost: Signal) {
        let mut inputs = self.private(gate, kind).expect("frames are private");
        inputs.retain(|&signal| signal != lost);
        let value = match kind {
            Kind::And => inputs.iter().all(|&signal| self.holds(signal)),
            Kind::Or => inputs.iter().any(|&signal| self.holds(signal)),
        };
        self.set_bit(bit, value);
        self.unlinked.insert((lost.source(), gate.source()));
        let decider = match *inputs {
            [only] => {
                self.unlinked.insert((only.source(), gate.source()));
                only
            }
            _ => gate,
        };
        self.outputs.push((decider.source(), OUTPUT | bit));
    }

    fn set_bit(&mut self, bit: u32, value: bool) {
        self.net.start.out[(bit / 64) as usize] |= u64::from(value) << (bit % 64);
    }

    fn holds(&self, signal: Signal) -> bool {
        self.values[signal.source() as usize] != signal.is_negated()
    }

    /// Numbers the nodes: those that decide one bit and nothing else come last.
    fn number(&mut self) {
        let first_gate = self.network.first_gate() as usize;
        let is_leaf = |node: usize| node >= first_gate && matches!(*self.edges.of(node), [edge] if edge & OUTPUT != 0);
        let mut read_late = vec![false; self.network.nodes()];
        for (node, gate) in (first_gate..).zip(self.network.gates.iter()) {
            if self.uses[node] > 0 && self.late[node] != Lateness::No {
                gate.inputs.iter().for_each(|signal| read_late[signal.source() as usize] = true);
            }
        }
        let lives =
            |node: &usize| self.late[*node] == Lateness::No && (!self.edges.of(*node).is_empty() || read_late[*node]);
        let mut count = 0;
        for leaves in [false, true] {
            for node in (1..self.network.nodes()).filter(lives).filter(|&node| is_leaf(node) == leaves) {
                self.nodes[node] = count;
                count += 1;
                if leaves {
                    self.net.leaf_bits.push(self.edges.of(node)[0] & !OUTPUT);
                }
            }
        }
    }

    fn finish(mut self) -> Net {
        let network = self.network;
        let first_move = network.move_node(0, 0) as usize;
        let count = self.nodes.iter().filter(|&&node| node != NOWHERE).count();
        let inner = count - self.net.leaf_bits.len();
        let mut sources = vec![0; inner];
        for node in (1..network.nodes()).filter(|&node| (self.nodes[node] as usize) < inner) {
            sources[self.nodes[node] as usize] = node;
        }
        let net = &mut self.net;
        let counters = &mut net.start.counters;
        counters.resize(count, 0);
        net.starts.push(0);
        for &source in &sources {
            for &edge in self.edges.of(source) {
                if edge & OUTPUT != 0 {
                    net.edges.push(edge);
                    continue;
                }
                let target = self.nodes[(edge >> 1) as usize];
                // A gate that decides nothing has no number.
                if target != NOWHERE {
                    net.edges.push(target << 1 | edge & 1);
                }
            }
            net.starts.push(net.edges.len() as u32);
        }
        self.count();
        self.inputs(first_move);
        self.sweeps()
    }

    /// The counters in the initial state.
    fn count(&mut self) {
        let net = &mut self.net;
        for node in 1..self.network.nodes() {
            let here = self.nodes[node];
            if here == NOWHERE || here as usize >= net.starts.len() - 1 {
                continue;
            }
            let mirrored = self.network.gate(node as u32).is_some_and(|gate| gate.kind == Kind::Or);
            let value = self.values[node] != mirrored;
            if node < self.network.first_gate() as usize {
                net.start.counters[here as usize] = u32::from(!value);
            }
            for edge in net.starts[here as usize] as usize..net.starts[here as usize + 1] as usize {
                let edge = net.edges[edge];
                if edge & OUTPUT == 0 {
                    net.start.counters[(edge >> 1) as usize] += u32::from(value == (edge & 1 == 1));
                }
            }
        }
    }

    /// The nodes of fluents and moves.
    fn inputs(&mut self, first_move: usize) {
        let net = &mut self.net;
        net.fluents = self.nodes[1..first_move].to_vec();
        net.used = vec![0; words(net.fluents.len())];
        for fluent in (0..net.fluents.len()).filter(|&fluent| net.fluents[fluent] != NOWHERE) {
            net.used[fluent / 64] |= 1 << (fluent % 64);
        }
        for (role, moves) in self.network.moves.iter().enumerate() {
            let first = self.network.move_node(role, 0) as usize;
            net.moves.push(self.nodes[first..first + moves.len()].to_vec());
        }
    }

    fn sweeps(mut self) -> Net {
        let inside = |which| -> Vec<bool> { self.late.iter().map(|&lateness| lateness == which).collect() };
        let literal = |node: u32| match self.nodes[node as usize] {
            NOWHERE => NOWHERE,
            here => here << 1 | u32::from(self.sign(Signal::node(node))),
        };
        let around = Around { literal: &literal, bits: &self.bits };
        let after_state = Late::new(self.network, &inside(Lateness::State), &around, None);
        let after_moves = Late::new(self.network, &inside(Lateness::Moves), &around, Some(&after_state));
        self.net.start.state_values = after_state.values();
        self.net.start.move_values = after_moves.values();
        self.net.after_state = after_state;
        self.net.after_moves = after_moves;
        self.net
    }
}

/// The only move that a role can make, if there is only one.
fn forced(legal: &[Signal]) -> Option<u32> {
    let mut possible = (0..legal.len()).filter(|&mv| legal[mv] != Signal::FALSE);
    match (possible.next(), possible.next()) {
        (Some(only), None) if legal[only] == Signal::TRUE => Some(only as u32),
        _ => None,
    }
}
