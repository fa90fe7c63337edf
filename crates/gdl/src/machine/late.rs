//! Gates that depend on a cycle. Differences cannot be propagated there, so they are computed anew for every state.

use super::net::NOWHERE;
use super::sweep::{Sweep, value};
use crate::network::{Network, Signal};

/// Whether a node depends on a cycle, and then whether it depends on moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lateness {
    No,
    State,
    Moves,
}

/// The gates of one lateness.
#[derive(Default)]
pub(super) struct Late {
    sweep: Sweep,
    /// Per input of the sweep: where its value comes from.
    sources: Vec<Source>,
    /// Literals of the sweep and the bits of the output row that they decide.
    outputs: Vec<(u32, u32)>,
}

#[derive(Clone, Copy)]
enum Source {
    /// A node of the net, negated if the lowest bit is set.
    Node(u32),
    /// A place of the sweep that comes before.
    Earlier(u32),
}

/// What late gates know of the net around them.
pub(super) struct Around<'c> {
    /// The node of the net for a node of the network, with its sign in the lowest bit.
    pub(super) literal: &'c dyn Fn(u32) -> u32,
    /// What decides the bits of the output row.
    pub(super) bits: &'c [(u32, Signal)],
}

impl Late {
    /// The gates for which `inside` holds. `earlier`: the sweep that comes before.
    pub(super) fn new(network: &Network, inside: &[bool], around: &Around<'_>, earlier: Option<&Late>) -> Late {
        let sweep = Sweep::new(network, inside);
        let source = |&node: &u32| match (around.literal)(node) {
            NOWHERE => {
                let place = earlier.and_then(|earlier| earlier.sweep.literal(Signal::node(node)));
                Source::Earlier(place.expect("late gates use gates that are not later") >> 1)
            }
            literal => Source::Node(literal),
        };
        let sources = sweep.inputs.iter().map(source).collect();
        let gates = sweep.inputs.len() as u32;
        let decided = |&(bit, signal): &(u32, Signal)| {
            sweep.literal(signal).filter(|literal| literal >> 1 >= gates).map(|literal| (literal, bit))
        };
        Late { outputs: around.bits.iter().filter_map(decided).collect(), sources, sweep }
    }

    /// The number of gates and inputs.
    pub(super) fn size(&self) -> usize {
        self.sweep.places()
    }

    /// Room for the values.
    pub(super) fn values(&self) -> Vec<bool> {
        vec![false; self.sweep.places()]
    }

    #[inline]
    pub(super) fn run(
        &self,
        counters: &[u32],
        earlier: &[bool],
        (values, stack): (&mut [bool], &mut Vec<u32>),
        out: &mut [u64],
    ) {
        if !self.sweep.is_empty() {
            self.compute(counters, earlier, (values, stack), out);
        }
    }

    #[cold]
    fn compute(
        &self,
        counters: &[u32],
        earlier: &[bool],
        (values, stack): (&mut [bool], &mut Vec<u32>),
        out: &mut [u64],
    ) {
        for (place, source) in values.iter_mut().zip(&self.sources) {
            *place = match *source {
                Source::Node(literal) => (counters[(literal >> 1) as usize] == 0) != (literal & 1 == 1),
                Source::Earlier(place) => earlier[place as usize],
            };
        }
        self.sweep.run(values, stack);
        for &(literal, bit) in &self.outputs {
            let word = &mut out[(bit / 64) as usize];
            *word = *word & !(1 << (bit % 64)) | u64::from(value(values, literal)) << (bit % 64);
        }
    }
}

/// The lateness of every node.
pub(super) fn lateness(network: &Network) -> Vec<Lateness> {
    let first = network.first_gate() as usize;
    let mut late = vec![Lateness::No; network.nodes()];
    if network.cycles.is_empty() {
        return late;
    }
    let mut on_moves = vec![false; network.nodes()];
    on_moves[network.move_node(0, 0) as usize..first].fill(true);
    let mut cycles = network.cycles.iter().peekable();
    let mut at = 0;
    while at < network.gates.len() {
        let cycle = cycles.next_if(|cycle| cycle.start as usize == at);
        let range = cycle.map_or(at..at + 1, |cycle| at..cycle.end as usize);
        let inputs = || range.clone().flat_map(|gate| network.gates.get(gate).inputs);
        let sources = || inputs().map(|signal| signal.source() as usize);
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
