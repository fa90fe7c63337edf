//! [`Phases`]: fluents whose values are known from the number of steps alone, such as whose turn it is.
//!
//! Of an *abstract* state only some fluents are known. Let there be one for each of `n` phases, and let every step from a
//! state of one phase lead to a state of the next one, whatever the unknown fluents are and whichever legal moves are made. If
//! the initial state belongs to the first phase, then by induction every state belongs to the phase that its number of steps
//! modulo `n` says. The abstract states that know the most are found by beginning with the initial state alone, and forgetting
//! what a step contradicts until no step contradicts anything.

use crate::network::{Gate, Kind, Network, Signal};

/// What is known of the states of each phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Phases {
    /// Per phase: fluents and their values. Any two phases have a fluent with different values.
    pub(crate) known: Vec<Vec<(usize, bool)>>,
}

/// Numbers of phases that are looked at divide this.
const CYCLE: usize = 12;

/// At most this many phases are worth their tapes.
const MAX_PHASES: usize = 6;

/// The search for a proof is given up after looking at this many gate inputs.
const MAX_WORK: usize = 30_000_000;

/// An upper bound of being true in the higher bit, a lower one in the other.
type Truth = u8;

const FALSE: Truth = 0b00;
const UNKNOWN: Truth = 0b10;
const TRUE: Truth = 0b11;

/// What is known of each fluent.
type Knowledge = Vec<Truth>;

impl Phases {
    /// One phase, of whose states nothing is known.
    pub(crate) fn none() -> Phases {
        Phases { known: vec![Vec::new()] }
    }

    /// The phases of a network that tell the most; the fewest of them if several tell the same.
    pub(crate) fn prove(network: &Network) -> Phases {
        let mut prover = Prover { network, on_moves: on_moves(network), values: Vec::new(), work: 0 };
        prover.prove().unwrap_or_else(Phases::none)
    }
}

struct Prover<'n> {
    network: &'n Network,
    /// Per gate: whether it depends on moves.
    on_moves: Vec<bool>,
    /// The truth of all nodes.
    values: Vec<Truth>,
    work: usize,
}

impl Prover<'_> {
    fn prove(&mut self) -> Option<Phases> {
        let mut all: Vec<Knowledge> =
            vec![self.network.initial.iter().map(|&holds| if holds { TRUE } else { FALSE }).collect()];
        while let Some(last) = all.last().filter(|_| all.len() < CYCLE) {
            let next = self.step(last)?;
            all.push(next);
        }
        let mut open = vec![false; CYCLE];
        open[CYCLE - 1] = true;
        let periods = loop {
            let periods = self.periods(&all);
            // What is forgotten later makes no period.
            if periods.is_empty() {
                return None;
            }
            if !open.contains(&true) {
                break periods;
            }
            self.round(&mut all, &mut open)?;
        };
        for period in periods {
            // Whatever is unknown in a phase of all is unknown in the phase that it is a part of.
            let mut states = all[..period].to_vec();
            for (phase, state) in all.iter().enumerate() {
                forget(&mut states[phase % period], state);
            }
            let mut open = vec![true; period];
            while open.contains(&true) {
                self.round(&mut states, &mut open)?;
            }
            if (0..period).all(|a| (0..a).all(|b| differ(&states[a], &states[b]))) {
                let facts = |state: &Knowledge| {
                    let known = (0..state.len()).filter(|&fluent| state[fluent] != UNKNOWN);
                    known.map(|fluent| (fluent, state[fluent] == TRUE)).collect()
                };
                return Some(Phases { known: states.iter().map(facts).collect() });
            }
        }
        None
    }

    /// The numbers of phases that some fluents follow, the most fluents first.
    fn periods(&self, all: &[Knowledge]) -> Vec<usize> {
        let rhythmic = |period: usize| {
            let has = |fluent: &usize| {
                let value = |phase: usize| all[phase][*fluent];
                (0..CYCLE).all(|phase| value(phase) != UNKNOWN && value(phase) == value(phase % period))
                    && (1..CYCLE).any(|phase| value(phase) != value(0))
            };
            (0..self.network.fluents.len()).filter(has).count()
        };
        let periods = (2..=MAX_PHASES).filter(|period| CYCLE.is_multiple_of(*period));
        let mut ranked: Vec<_> = periods.map(|period| (std::cmp::Reverse(rhythmic(period)), period)).collect();
        ranked.sort_unstable();
        ranked.into_iter().filter(|(count, _)| count.0 > 0).map(|(_, period)| period).collect()
    }

    /// Lets every phase that is open take its step. The next phase forgets what the step contradicts, and is open if that is
    /// anything. `None` if it is too much work.
    fn round(&mut self, states: &mut [Knowledge], open: &mut [bool]) -> Option<()> {
        for phase in 0..states.len() {
            if std::mem::take(&mut open[phase]) {
                let next = self.step(&states[phase])?;
                let after = (phase + 1) % states.len();
                open[after] |= forget(&mut states[after], &next);
            }
        }
        Some(())
    }

    /// What is known after a step; `None` if that is too much work.
    fn step(&mut self, state: &Knowledge) -> Option<Knowledge> {
        if self.work > MAX_WORK {
            return None;
        }
        let network = self.network;
        self.values.clear();
        self.values.push(FALSE);
        self.values.extend(state);
        self.values.resize(network.nodes(), UNKNOWN);
        // No legal move depends on moves.
        self.evaluate(false);
        for (role, legal) in network.legal.iter().enumerate() {
            let possible = |&mv: &usize| value(&self.values, legal[mv]) != FALSE;
            let moves: Vec<usize> = (0..legal.len()).filter(possible).collect();
            let first = network.move_node(role, 0) as usize;
            self.values[first..first + legal.len()].fill(FALSE);
            // The only move that is possible is made.
            let truth = if moves.len() == 1 { TRUE } else { UNKNOWN };
            moves.iter().for_each(|mv| self.values[first + mv] = truth);
        }
        self.evaluate(true);
        self.work += network.edges();
        Some(network.next.iter().map(|&signal| value(&self.values, signal)).collect())
    }

    /// The truth of the gates that depend on moves, or of the others; in cycles the least fixpoint of both bounds.
    fn evaluate(&mut self, on_moves: bool) {
        let network = self.network;
        let first = network.first_gate() as usize;
        let mut cycles = network.cycles.iter().peekable();
        let mut at = 0;
        while at < network.gates.len() {
            let cycle = cycles.next_if(|cycle| cycle.start as usize == at);
            let range = cycle.map_or(at..at + 1, |cycle| at..cycle.end as usize);
            at = range.end;
            if self.on_moves[range.start] != on_moves {
                continue;
            }
            if cycle.is_none() {
                self.values[first + range.start] = compute(&self.values, network.gates.get(range.start));
                continue;
            }
            self.values[first + range.start..first + range.end].fill(FALSE);
            let mut changed = true;
            while std::mem::take(&mut changed) {
                for gate in range.clone() {
                    let now = compute(&self.values, network.gates.get(gate));
                    changed |= now != std::mem::replace(&mut self.values[first + gate], now);
                }
                self.work += range.len();
            }
        }
    }
}

/// Per gate: whether it depends on moves.
fn on_moves(network: &Network) -> Vec<bool> {
    let first = network.first_gate() as usize;
    let moves = 1 + network.fluents.len()..first;
    let mut on_moves = vec![false; network.gates.len()];
    let mut cycles = network.cycles.iter().peekable();
    let mut at = 0;
    while at < network.gates.len() {
        let end = cycles.next_if(|cycle| cycle.start as usize == at).map_or(at + 1, |cycle| cycle.end as usize);
        let mut sources =
            (at..end).flat_map(|gate| network.gates.get(gate).inputs).map(|signal| signal.source() as usize);
        let depends = sources.any(|node| moves.contains(&node) || node >= first && on_moves[node - first]);
        on_moves[at..end].fill(depends);
        at = end;
    }
    on_moves
}

/// Forgets what another state contradicts; whether that is anything.
fn forget(known: &mut Knowledge, other: &Knowledge) -> bool {
    let mut forgotten = false;
    for (old, new) in known.iter_mut().zip(other) {
        if *old != *new && *old != UNKNOWN {
            *old = UNKNOWN;
            forgotten = true;
        }
    }
    forgotten
}

/// Whether some fluent is true in one state and false in the other.
fn differ(a: &Knowledge, b: &Knowledge) -> bool {
    a.iter().zip(b).any(|(&a, &b)| a != b && a != UNKNOWN && b != UNKNOWN)
}

#[inline]
fn value(values: &[Truth], signal: Signal) -> Truth {
    let truth = values[signal.source() as usize];
    match signal.is_negated() {
        // The bounds change places.
        true => [TRUE, UNKNOWN, UNKNOWN, FALSE][usize::from(truth)],
        false => truth,
    }
}

fn compute(values: &[Truth], gate: Gate<'_>) -> Truth {
    let mut inputs = gate.inputs.iter().map(|&signal| value(values, signal));
    // One input that decides is enough.
    match gate.kind {
        Kind::And => inputs.try_fold(TRUE, |all, truth| (truth != FALSE).then_some(all & truth)).unwrap_or(FALSE),
        Kind::Or => inputs.try_fold(FALSE, |any, truth| (truth != TRUE).then_some(any | truth)).unwrap_or(TRUE),
    }
}

/// Known fluents as bits of a row: word, mask and value.
pub(crate) fn masks(known: &[(usize, bool)]) -> Vec<(usize, u64, u64)> {
    let mut masks: Vec<(usize, u64, u64)> = Vec::new();
    for &(fluent, value) in known {
        let (word, mask) = (fluent / 64, 1 << (fluent % 64));
        if !masks.iter().any(|entry| entry.0 == word) {
            masks.push((word, 0, 0));
        }
        for entry in masks.iter_mut().filter(|entry| entry.0 == word) {
            entry.1 |= mask;
            entry.2 |= if value { mask } else { 0 };
        }
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Rules, Sheet, ground::Ground, simplify::simplify};

    fn network(text: &str) -> Network {
        let rules = Rules::new(&Sheet::read(text, &mut Vec::new()), &mut Vec::new());
        simplify(Network::new(&Ground::new(&rules, Limits::default()).unwrap()).unwrap()).0
    }

    /// A game of counting down in which `next` says whose turn it is.
    fn countdown(next: &str) -> Network {
        network(&format!(
            "(role x) (role y) (role z) (init (turn x)) (init (left 20))
            (<= (legal ?r (take 1)) (true (turn ?r)))
            (<= (legal ?r (take 2)) (true (turn ?r)))
            (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
            (less 20 19 18) (less 19 18 17) (less 18 17 16) (less 17 16 20)
            (<= (next (left ?b)) (true (left ?a)) (less ?a ?b ?c) (does ?r (take 1)))
            (<= (next (left ?c)) (true (left ?a)) (less ?a ?b ?c) (does ?r (take 2)))
            {next}
            (<= terminal (true (left 17))) (goal x 50) (goal y 50) (goal z 50)"
        ))
    }

    #[test]
    fn turns_that_go_round_are_phases() {
        let network = countdown(
            "(<= (next (turn y)) (true (turn x))) (<= (next (turn z)) (true (turn y)))
             (<= (next (turn x)) (true (turn z)))",
        );
        let phases = Phases::prove(&network);
        assert_eq!(phases.known.len(), 3);
        for (phase, known) in phases.known.iter().enumerate() {
            // Of what is left nothing is known, of the turn everything.
            assert_eq!(known.len(), 3, "{known:?}");
            assert_eq!(known.iter().filter(|&&(_, value)| value).count(), 1);
            assert!((0..phase).all(|other| phases.known[other] != *known));
        }
    }

    #[test]
    fn phases_may_know_only_some_turns() {
        // Every second turn is that of x; who has the others depends on moves.
        let network = countdown(
            "(<= (next (turn y)) (does x (take 1))) (<= (next (turn z)) (does x (take 2)))
             (<= (next (turn x)) (not (true (turn x))))",
        );
        let lengths: Vec<usize> = Phases::prove(&network).known.iter().map(Vec::len).collect();
        assert_eq!(lengths, [3, 1]);
    }

    #[test]
    fn turns_that_depend_on_moves_are_none() {
        let network = countdown("(<= (next (turn y)) (does ?r (take 1))) (<= (next (turn x)) (does ?r (take 2)))");
        assert_eq!(Phases::prove(&network), Phases::none());
    }

    #[test]
    fn states_that_look_alike_are_no_phases() {
        // Nobody can tell the first move of x from the second.
        let network = countdown("(<= (next (turn x)) (true (turn x)))");
        assert_eq!(Phases::prove(&network), Phases::none());
    }
}
