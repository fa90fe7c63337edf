//! Makes a [`Network`] small without changing what it says about reachable states and legal moves.
//!
//! | pass | what it does |
//! |---|---|
//! | `share` | drops what no output needs, folds constants, merges equal gates, joins chains of equal gates |
//! | `constants` | fluents that never change and moves that are never legal become constants |
//! | `moves` | uses that every role makes exactly one move, and a legal one |
//! | `factor` | pulls out inputs that several arms of a gate have in common |
//!
//! The machine further asks for networks for known values of some fluents (`specialise`), and for pairs of inputs that
//! many gates share to become gates (`pull_pairs`).

mod constants;
mod factor;
mod moves;
mod pairs;
mod rebuild;

use crate::network::{Network, Signal};
use std::time::{Duration, Instant};

pub(crate) use pairs::{Sharing, pull_pairs};
pub(crate) use rebuild::uses;
use rebuild::{Rebuild, plain};

/// What one pass did.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// Gates afterwards.
    pub gates: usize,
    /// Inputs of gates afterwards.
    pub edges: usize,
    /// How long it took.
    pub time: Duration,
}

/// Runs all passes until they find little more; says what each did.
pub fn simplify(network: Network) -> (Network, Vec<Pass>) {
    const MAX_ROUNDS: usize = 4;
    let mut report = Vec::new();
    let mut network = run("share", network, &mut report, share);
    for _ in 0..MAX_ROUNDS {
        let before = network.edges();
        network = run("constants", network, &mut report, constants::fold);
        network = run("moves", network, &mut report, moves::use_moves);
        network = run("factor", network, &mut report, factor::factor);
        network = run("share", network, &mut report, share);
        // A round that gains less than a fiftieth is the last.
        if network.edges() * 50 > before * 49 {
            break;
        }
    }
    (network, report)
}

fn run(name: &'static str, network: Network, report: &mut Vec<Pass>, pass: fn(&Network) -> Network) -> Network {
    let start = Instant::now();
    let network = pass(&network);
    report.push(Pass { name, gates: network.gates.len(), edges: network.edges(), time: start.elapsed() });
    network
}

/// Drops, folds, merges and joins.
pub(crate) fn share(network: &Network) -> Network {
    Rebuild::new(network).run(plain)
}

/// The network for states in which some fluents have known values.
pub(crate) fn specialise(network: &Network, known: &[(usize, bool)]) -> Network {
    let mut rebuild = Rebuild::new(network);
    for &(fluent, value) in known {
        rebuild.set(network.fluent_node(fluent), Signal::FALSE.negate_if(value));
    }
    let mut special = rebuild.run(plain);
    // A role whose only possible move is known makes it.
    let mut rebuild = Rebuild::new(&special);
    for (role, legal) in special.legal.iter().enumerate() {
        let mut possible = (0..legal.len()).filter(|&mv| legal[mv] != Signal::FALSE);
        if let (Some(only), None) = (possible.next(), possible.next()) {
            rebuild.set(special.move_node(role, only), Signal::TRUE);
        }
        for mv in (0..legal.len()).filter(|&mv| legal[mv] == Signal::FALSE) {
            rebuild.set(special.move_node(role, mv), Signal::FALSE);
        }
    }
    special = rebuild.run(plain);
    special = moves::use_moves(&special);
    special = factor::factor(&special);
    share(&special)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Rules, Sheet, ground::Ground};
    use ludens_game::{Rng, Seed};

    /// What a network says of a state in which a joint move is made: next state, legal moves, terminal, goals.
    fn answers(network: &Network, state: &[bool], joint: &[usize]) -> Vec<bool> {
        let mut values = vec![false; network.first_gate() as usize];
        values[1..=state.len()].copy_from_slice(state);
        for (role, &mv) in joint.iter().enumerate() {
            values[network.move_node(role, mv) as usize] = true;
        }
        network.evaluate(&mut values);
        let mut answers = Vec::new();
        network.outputs(|signal| answers.push(values[signal.source() as usize] != signal.is_negated()));
        answers
    }

    /// A legal joint move, by what `answers` says of the legal moves.
    fn draw(network: &Network, answers: &[bool], rng: &mut Rng) -> Option<Vec<usize>> {
        let mut start = network.fluents.len();
        let joint = network.moves.iter().map(|moves| {
            let legal: Vec<usize> = (0..moves.len()).filter(|&mv| answers[start + mv]).collect();
            start += moves.len();
            (!legal.is_empty()).then(|| legal[rng.below(legal.len() as u32) as usize])
        });
        joint.collect()
    }

    #[test]
    fn simple_networks_say_the_same_of_reachable_states_and_legal_moves() {
        let text = include_str!("../tests/it/sheets/tictactoe.kif");
        let rules = Rules::new(&Sheet::read(text, &mut Vec::new()), &mut Vec::new());
        let ground = Ground::new(&rules, Limits::default()).unwrap();
        let raw = Network::new(&ground).unwrap();
        let (simple, passes) = simplify(raw.clone());
        assert!(simple.edges() < raw.edges(), "{passes:?}");
        let paired = pull_pairs(&simple, Sharing { min_gates: 2, max_inputs: 16, max_pairs: 1000 });
        let mut rng = Seed::new(1).rng();
        for _ in 0..50 {
            let mut state = raw.initial.clone();
            let mut joint = vec![0; raw.moves.len()];
            for _ in 0..9 {
                let Some(drawn) = draw(&raw, &answers(&raw, &state, &joint), &mut rng) else { break };
                joint = drawn;
                let expected = answers(&raw, &state, &joint);
                assert_eq!(answers(&simple, &state, &joint), expected);
                assert_eq!(answers(&paired, &state, &joint), expected);
                let known: Vec<_> = (0..3).map(|fluent| (fluent, state[fluent])).collect();
                assert_eq!(answers(&specialise(&simple, &known), &state, &joint), expected);
                state = expected[..state.len()].to_vec();
            }
        }
    }
}
