//! What follows from every role making exactly one move, and a legal one.
//!
//! - "One of these moves is made" is "none of the others is made" where the others are fewer. Rules for what stays as it
//!   was list nearly all moves; turned round, a move touches only what it changes.
//! - Where a move is made, what makes it legal holds and need not be asked again.

use super::rebuild::{Rebuild, plain};
use crate::network::{Factory, Kind, Network, Signal};

/// Sets of moves as bits are kept up to this many words in all.
const MAX_SET_WORDS: usize = 1 << 24;

pub(super) fn use_moves(network: &Network) -> Network {
    let table = Moves::new(network);
    let sets = table.pure_sets(network);
    Rebuild::new(network).run_with_index(|factory, index, kind, inputs| {
        if let Some(signal) = sets[index].as_ref().and_then(|set| table.rewrite(factory, set)) {
            return signal;
        }
        table.drop_implied(kind, inputs);
        plain(factory, kind, inputs)
    })
}

/// The moves of a network as places of a bit set.
struct Moves {
    first: u32,
    /// Per role: its moves as nodes, without those that are never legal.
    live: Vec<Vec<u32>>,
    words: usize,
    count: u32,
    /// Per move: what must hold for it to be legal.
    reasons: Vec<Box<[Signal]>>,
    role: Vec<u8>,
}

type Set = Box<[u64]>;

impl Moves {
    fn new(network: &Network) -> Moves {
        let first = network.move_node(0, 0);
        let count = network.first_gate() - first;
        let live = (network.legal.iter().enumerate())
            .map(|(role, legal)| {
                let moves = (0..legal.len()).filter(|&mv| legal[mv] != Signal::FALSE);
                moves.map(|mv| network.move_node(role, 0) + mv as u32).collect()
            })
            .collect();
        let reasons = network.legal.iter().flatten().map(|&legal| reasons(network, legal)).collect();
        let role =
            network.legal.iter().enumerate().flat_map(|(role, legal)| legal.iter().map(move |_| role as u8)).collect();
        Moves { first, live, words: (count as usize).div_ceil(64), count, reasons, role }
    }

    fn place(&self, signal: Signal) -> Option<u32> {
        signal.source().checked_sub(self.first).filter(|&place| place < self.count)
    }

    /// Per gate: the set of moves of which one must be made, if that is all that the gate says.
    fn pure_sets(&self, network: &Network) -> Vec<Option<Set>> {
        let mut sets: Vec<Option<Set>> = vec![None; network.gates.len()];
        let in_cycle = network.in_cycle();
        let mut total = 0;
        for (index, gate) in network.gates.iter().enumerate() {
            if gate.kind != Kind::Or || in_cycle[index] || total > MAX_SET_WORDS {
                continue;
            }
            let is_pure = gate.inputs.iter().all(|&signal| {
                !signal.is_negated()
                    && (self.place(signal).is_some()
                        || signal.source() >= network.first_gate()
                            && sets[(signal.source() - network.first_gate()) as usize].is_some())
            });
            if !is_pure {
                continue;
            }
            let mut set = vec![0; self.words].into_boxed_slice();
            for &signal in gate.inputs {
                match self.place(signal) {
                    Some(place) => set[place as usize / 64] |= 1 << (place % 64),
                    None => {
                        let inner = sets[(signal.source() - network.first_gate()) as usize].as_ref();
                        set.iter_mut().zip(inner.expect("it is pure")).for_each(|(word, other)| *word |= other);
                    }
                }
            }
            total += self.words;
            sets[index] = Some(set);
        }
        sets
    }

    /// A set of moves by the shorter of its two descriptions for every role; `None` if that is what it already has.
    fn rewrite(&self, factory: &mut Factory, set: &Set) -> Option<Signal> {
        let has = |node: &&u32| set[(*node - self.first) as usize / 64] >> ((*node - self.first) % 64) & 1 == 1;
        let is_turned = |moves: &Vec<u32>| 2 * moves.iter().filter(has).count() > moves.len();
        if !self.live.iter().any(is_turned) {
            return None;
        }
        let mut arms = Vec::new();
        for moves in &self.live {
            let (inside, outside): (Vec<u32>, Vec<u32>) = moves.iter().partition(has);
            if inside.len() > outside.len() {
                arms.push(!factory.or(&mut outside.into_iter().map(Signal::node).collect()));
            } else {
                arms.extend(inside.into_iter().map(Signal::node));
            }
        }
        Some(factory.or(&mut arms))
    }

    /// Drops the inputs of a gate that are implied by a move among them.
    fn drop_implied(&self, kind: Kind, inputs: &mut Vec<Signal>) {
        // A disjunction is the mirror image of a conjunction of the negated inputs.
        let mirror = kind == Kind::Or;
        let is_made = |signal: &&Signal| signal.is_negated() == mirror && self.place(**signal).is_some();
        let made: Vec<u32> = inputs.iter().filter(is_made).filter_map(|&signal| self.place(signal)).collect();
        for &place in &made {
            let reasons = &self.reasons[place as usize];
            inputs.retain(|signal| !reasons.contains(&signal.negate_if(mirror)));
            let contradicts = inputs.iter().any(|signal| reasons.contains(&!signal.negate_if(mirror)));
            let twice =
                made.iter().any(|&other| other != place && self.role[other as usize] == self.role[place as usize]);
            if contradicts || twice {
                inputs.clear();
                inputs.push(Signal::FALSE.negate_if(mirror));
                return;
            }
        }
    }
}

/// The fluents, or their negations, that must hold for a signal to be true.
fn reasons(network: &Network, signal: Signal) -> Box<[Signal]> {
    let mut found = Vec::new();
    let mut open = vec![signal];
    while let Some(signal) = open.pop() {
        match network.gate(signal.source()) {
            None if signal.source() < network.move_node(0, 0) => found.push(signal),
            Some(gate) if (gate.kind == Kind::And) != signal.is_negated() && found.len() + open.len() < 64 => {
                open.extend(gate.inputs.iter().map(|inner| inner.negate_if(signal.is_negated())));
            }
            _ => {}
        }
    }
    found.into()
}
