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

pub(crate) use pairs::pull_pairs;
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
