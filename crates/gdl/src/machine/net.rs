//! [`Net`]: one network, compiled for propagating differences; [`Values`]: its state.
//!
//! Every node has a counter. A gate's counter says how many of its inputs keep it from being true, so a gate is true when
//! its counter is 0; a disjunction is the negation of the conjunction of its negated inputs. When a node changes, the
//! counters of the gates that it feeds go up or down by one, and those that arrive at 0 or leave it have changed, too.
//!
//! ```text
//! nodes     used fluents | possible moves | gates
//! edges     per node: target gate and sign, or a bit of the output row
//! output    next state | legal moves of role 0 | … of the last role | terminal       (each part starts a new word)
//! ```

use super::sweep::{Sweep, value};
use crate::network::{Kind, Network, Signal};

/// Marks an edge that leads to a bit of the output row.
const OUTPUT: u32 = 1 << 31;

/// In place of a node: it does not exist here.
const NOWHERE: u32 = u32::MAX;

/// A compiled network.
pub(super) struct Net {
    /// Per node: where its edges begin; one more than nodes.
    starts: Vec<u32>,
    edges: Vec<u32>,
    /// Per fluent: its node.
    fluents: Vec<u32>,
    /// Per role, per move: its node.
    moves: Vec<Vec<u32>>,
    /// The fluents that have a node, as a row.
    used: Vec<u64>,
    /// Words of the output row: where the legal moves of each role begin, and the word of `terminal`.
    pub(super) legal_words: Vec<usize>,
    /// The only move that a role can make here, if that is known.
    pub(super) forced: Vec<Option<u32>>,
    /// What is computed only after the state, or after the moves, is known.
    after_state: Late,
    after_moves: Late,
    /// The values in the initial state.
    start: Values,
}

/// Gates that depend on a cycle.
struct Late {
    sweep: Sweep,
    /// Per input of the sweep: its node here, or a place of the earlier sweep.
    sources: Vec<Source>,
    /// Literals of the sweep and the bits that they decide.
    outputs: Vec<(u32, u32)>,
}

#[derive(Clone, Copy)]
enum Source {
    Node(u32),
    Earlier(u32),
}

/// What changes.
#[derive(Clone)]
pub(super) struct Values {
    counters: Vec<u32>,
    /// The state for which the values hold.
    row: Vec<u64>,
    /// The move of every role for which they hold.
    made: Vec<u32>,
    /// The output row.
    pub(super) out: Vec<u64>,
    /// Changes that wait: a node, and whether it is true now in the lowest bit.
    stack: Vec<u32>,
    state_values: Vec<bool>,
    move_values: Vec<bool>,
    /// Whether the late values hold for the state.
    late_done: bool,
}

impl Net {
    /// Compiles all of a network but the goals.
    pub(super) fn new(network: &Network) -> Net {
        let first_gate = network.first_gate();
        let first_move = network.move_node(0, 0);
        let late = late_gates(network);
        let uses = crate::simplify::uses(network);
        // Numbering: inputs that are used, then gates.
        let mut node_of = vec![NOWHERE; network.nodes()];
        let mut count = 0;
        for node in 1..network.nodes() {
            if uses[node] > 0 && late[node] == Lateness::No {
                node_of[node] = count;
                count += 1;
            }
        }
        let fluents: Vec<u32> = (1..first_move).map(|node| node_of[node as usize]).collect();
        let moves: Vec<Vec<u32>> = (0..network.moves.len())
            .map(|role| {
                let first = network.move_node(role, 0) as usize;
                (0..network.moves[role].len()).map(|mv| node_of[first + mv]).collect()
            })
            .collect();
        let mut used = vec![0; words(fluents.len())];
        for fluent in (0..fluents.len()).filter(|&fluent| fluents[fluent] != NOWHERE) {
            used[fluent / 64] |= 1 << (fluent % 64);
        }
        let mut legal_words = Vec::new();
        let mut word = words(fluents.len());
        for moves in &moves {
            legal_words.push(word);
            word += words(moves.len());
        }
        legal_words.push(word);
        let forced = network.legal.iter().map(|legal| forced(legal)).collect();
        let mut net = Net {
            starts: Vec::new(),
            edges: Vec::new(),
            fluents,
            moves,
            used,
            legal_words,
            forced,
            after_state: Late::new(network, &late, Lateness::State),
            after_moves: Late::new(network, &late, Lateness::Moves),
            start: Values {
                counters: Vec::new(),
                row: Vec::new(),
                made: Vec::new(),
                out: vec![0; word + 1],
                stack: Vec::new(),
                state_values: Vec::new(),
                move_values: Vec::new(),
                late_done: false,
            },
        };
        net.connect(network, &node_of, first_gate);
        net.settle(network, &node_of);
        net
    }

    /// Makes the edges.
    fn connect(&mut self, network: &Network, node_of: &[u32], first_gate: u32) {
        let count = node_of.iter().filter(|&&node| node != NOWHERE).count();
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (index, gate) in network.gates.iter().enumerate() {
            let target = node_of[first_gate as usize + index];
            if target == NOWHERE {
                continue;
            }
            for &signal in &gate.inputs {
                let negated = literal_sign(network, signal) != (gate.kind == Kind::Or);
                lists[node_of[signal.source() as usize] as usize].push(target << 1 | u32::from(negated));
            }
        }
        for (bit, signal) in self.output_bits(network) {
            if let Some(&node) = node_of.get(signal.source() as usize).filter(|&&node| node != NOWHERE) {
                lists[node as usize].push(OUTPUT | bit);
            }
        }
        self.starts.push(0);
        for list in lists {
            self.edges.extend(list);
            self.starts.push(self.edges.len() as u32);
        }
        self.after_state.connect(network, node_of, None, &self.legal_words);
        let earlier = &self.after_state.sweep;
        self.after_moves.connect(network, node_of, Some(earlier), &self.legal_words);
    }

    /// The bits of the output row and what decides them.
    fn output_bits(&self, network: &Network) -> Vec<(u32, Signal)> {
        output_bits(network, &self.legal_words)
    }

    /// Computes the values of the initial state.
    fn settle(&mut self, network: &Network, node_of: &[u32]) {
        let first_gate = network.first_gate() as usize;
        let mut values = vec![false; first_gate];
        self.start.row = vec![0; words(self.fluents.len())];
        for fluent in (0..self.fluents.len()).filter(|&fluent| network.initial[fluent]) {
            values[1 + fluent] = true;
            self.start.row[fluent / 64] |= 1 << (fluent % 64);
        }
        for (role, legal) in network.legal.iter().enumerate() {
            let made = (0..legal.len()).find(|&mv| legal[mv] != Signal::FALSE).unwrap_or(0);
            self.start.made.push(made as u32);
            if let Some(value) = values.get_mut(network.move_node(role, made) as usize) {
                *value = true;
            }
        }
        network.evaluate(&mut values);
        let holds = |signal: Signal| values[signal.source() as usize] != signal.is_negated();
        self.start.counters = vec![0; self.starts.len() - 1];
        for (node, &here) in node_of.iter().enumerate().filter(|&(_, &here)| here != NOWHERE) {
            self.start.counters[here as usize] = match network.gate(node as u32) {
                Some(gate) => gate.inputs.iter().filter(|&&s| holds(s) == (gate.kind == Kind::Or)).count() as u32,
                None => u32::from(!values[node]),
            };
        }
        for (bit, signal) in self.output_bits(network) {
            self.start.out[bit as usize / 64] |= u64::from(holds(signal)) << (bit % 64);
        }
        self.start.state_values = vec![false; self.after_state.sweep.places()];
        self.start.move_values = vec![false; self.after_moves.sweep.places()];
    }

    /// Values to play with.
    pub(super) fn values(&self) -> Values {
        self.start.clone()
    }

    /// The size in bytes of what changes.
    pub(super) fn size(&self) -> usize {
        4 * self.starts.len()
    }

    /// The number of edges.
    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Makes the values those of the state `row`.
    #[inline]
    pub(super) fn set_state(&self, values: &mut Values, row: &[u64]) {
        for word in 0..row.len() {
            let mut changed = (values.row[word] ^ row[word]) & self.used[word];
            if changed != 0 || values.row[word] != row[word] {
                values.late_done = false;
                values.row[word] = row[word];
            }
            while changed != 0 {
                let fluent = word * 64 + changed.trailing_zeros() as usize;
                changed &= changed - 1;
                self.change(values, self.fluents[fluent], row[word] >> (fluent % 64) & 1 == 1);
            }
        }
        if !values.late_done && !self.after_state.sweep.is_empty() {
            let Values { counters, state_values, out, .. } = values;
            self.after_state.run(counters, &[], state_values, out);
        }
        values.late_done = true;
    }

    /// Makes the values those of the joint move; the next state is then in the output row.
    #[inline]
    pub(super) fn set_move(&self, values: &mut Values, role: usize, mv: u32) {
        let old = std::mem::replace(&mut values.made[role], mv);
        if old == mv {
            return;
        }
        let nodes = &self.moves[role];
        let (new, old) = (nodes[mv as usize], nodes[old as usize]);
        if new != NOWHERE {
            self.change(values, new, true);
        }
        if old != NOWHERE {
            self.change(values, old, false);
        }
    }

    /// To be called after all moves are set and before the next state is read.
    #[inline]
    pub(super) fn finish_moves(&self, values: &mut Values) {
        if !self.after_moves.sweep.is_empty() {
            let Values { counters, state_values, move_values, out, .. } = values;
            self.after_moves.run(counters, state_values, move_values, out);
        }
    }

    /// Changes a node and all that depends on it.
    #[inline]
    fn change(&self, values: &mut Values, node: u32, now: bool) {
        let Values { counters, out, stack, .. } = values;
        counters[node as usize] = u32::from(!now);
        stack.push(node << 1 | u32::from(now));
        while let Some(item) = stack.pop() {
            let node = (item >> 1) as usize;
            let edges = &self.edges[self.starts[node] as usize..self.starts[node + 1] as usize];
            for &edge in edges {
                if edge & OUTPUT != 0 {
                    let bit = edge & !OUTPUT;
                    out[bit as usize / 64] ^= 1 << (bit % 64);
                    continue;
                }
                let target = edge >> 1;
                let counter = &mut counters[target as usize];
                if (item ^ edge) & 1 == 1 {
                    *counter -= 1;
                    if *counter == 0 {
                        stack.push(target << 1 | 1);
                    }
                } else {
                    if *counter == 0 {
                        stack.push(target << 1);
                    }
                    *counter += 1;
                }
            }
        }
    }
}

impl Late {
    fn new(network: &Network, late: &[Lateness], which: Lateness) -> Late {
        let inside: Vec<bool> = late.iter().map(|&lateness| lateness == which).collect();
        Late { sweep: Sweep::new(network, &inside), sources: Vec::new(), outputs: Vec::new() }
    }

    fn connect(&mut self, network: &Network, node_of: &[u32], earlier: Option<&Sweep>, legal_words: &[usize]) {
        let sweep = &self.sweep;
        let source = |&node: &u32| match node_of[node as usize] {
            NOWHERE => {
                let place = earlier.and_then(|earlier| earlier.literal(Signal::node(node)));
                Source::Earlier(place.expect("late gates use gates that are not later") >> 1)
            }
            here => Source::Node(here << 1 | u32::from(literal_sign(network, Signal::node(node)))),
        };
        self.sources = sweep.inputs.iter().map(source).collect();
        let start = sweep.inputs.len() as u32;
        let bits = output_bits(network, legal_words).into_iter();
        self.outputs =
            bits.filter_map(|(bit, s)| sweep.literal(s).filter(|l| l >> 1 >= start).map(|l| (l, bit))).collect();
    }

    fn run(&self, counters: &[u32], earlier: &[bool], values: &mut [bool], out: &mut [u64]) {
        for (place, source) in values.iter_mut().zip(&self.sources) {
            *place = match *source {
                Source::Node(literal) => (counters[(literal >> 1) as usize] == 0) != (literal & 1 == 1),
                Source::Earlier(place) => earlier[place as usize],
            };
        }
        self.sweep.run(values);
        for &(literal, bit) in &self.outputs {
            let word = &mut out[bit as usize / 64];
            *word = *word & !(1 << (bit % 64)) | u64::from(value(values, literal)) << (bit % 64);
        }
    }
}

/// Words for a row of bits.
pub(super) fn words(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// Whether a signal is the negation of what the counter of its node says: a disjunction counts as its mirror image.
fn literal_sign(network: &Network, signal: Signal) -> bool {
    let mirrored = network.gate(signal.source()).is_some_and(|gate| gate.kind == Kind::Or);
    signal.is_negated() != mirrored
}

fn output_bits(network: &Network, legal_words: &[usize]) -> Vec<(u32, Signal)> {
    let mut bits: Vec<_> = network.next.iter().enumerate().map(|(fluent, &signal)| (fluent as u32, signal)).collect();
    for (legal, &word) in network.legal.iter().zip(legal_words) {
        bits.extend(legal.iter().enumerate().map(|(mv, &signal)| ((word * 64 + mv) as u32, signal)));
    }
    bits.push(((legal_words[network.legal.len()] * 64) as u32, network.terminal));
    bits
}

fn forced(legal: &[Signal]) -> Option<u32> {
    let mut possible = (0..legal.len()).filter(|&mv| legal[mv] != Signal::FALSE);
    match (possible.next(), possible.next()) {
        (Some(only), None) if legal[only] == Signal::TRUE => Some(only as u32),
        _ => None,
    }
}

/// Whether a node depends on a cycle, and then whether it depends on moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lateness {
    No,
    State,
    Moves,
}

fn late_gates(network: &Network) -> Vec<Lateness> {
    let first = network.first_gate() as usize;
    let mut late = vec![Lateness::No; network.nodes()];
    if network.cycles.is_empty() {
        return late;
    }
    let mut on_moves = vec![false; network.nodes()];
    on_moves[network.move_node(0, 0) as usize..first].fill(true);
    let mut at = 0;
    while at < network.gates.len() {
        let cycle = network.cycles.iter().find(|cycle| cycle.start as usize == at);
        let range = cycle.map_or(at..at + 1, |cycle| at..cycle.end as usize);
        let sources = || network.gates[range.clone()].iter().flat_map(|gate| &gate.inputs).map(|s| s.source() as usize);
        let moves = sources().any(|source| on_moves[source]);
        let is_late = cycle.is_some() || sources().any(|source| late[source] != Lateness::No);
        for gate in range.clone() {
            on_moves[first + gate] = moves;
            late[first + gate] = match (is_late, moves) {
                (false, _) => Lateness::No,
                (true, false) => Lateness::State,
                (true, true) => Lateness::Moves,
            };
        }
        at = range.end;
    }
    late
}
