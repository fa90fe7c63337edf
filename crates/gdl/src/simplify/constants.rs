//! Fluents that never change, and moves that are never legal.

use super::rebuild::{Rebuild, plain};
use crate::network::{Kind, Network, Signal};

pub(super) fn fold(network: &Network) -> Network {
    let mut rebuild = Rebuild::new(network);
    for (fluent, (&next, &initial)) in network.next.iter().zip(&network.initial).enumerate() {
        if stays(network, fluent, next, initial) {
            rebuild.set(network.fluent_node(fluent), Signal::FALSE.negate_if(initial));
        }
    }
    for (role, legal) in network.legal.iter().enumerate() {
        for mv in (0..legal.len()).filter(|&mv| legal[mv] == Signal::FALSE) {
            rebuild.set(network.move_node(role, mv), Signal::FALSE);
        }
    }
    rebuild.run(plain)
}

/// Whether a fluent has its initial value for ever.
fn stays(network: &Network, fluent: usize, next: Signal, initial: bool) -> bool {
    let own = Signal::node(network.fluent_node(fluent));
    if next == own || next == Signal::FALSE.negate_if(initial) {
        return true;
    }
    // True stays true where it is one of the reasons for being true next; false stays false where it is needed.
    let Some(gate) = network.gate(next.source()) else { return false };
    let keeps = match (initial, gate.kind == Kind::Or, next.is_negated()) {
        (true, true, false) | (false, false, false) => own,
        (true, false, true) | (false, true, true) => !own,
        _ => return false,
    };
    gate.inputs.contains(&keeps)
}
