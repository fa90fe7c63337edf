//! Fluents that change at nearly every step: whose turn it is.
//!
//! Where such fluents take only a few values together, each of these values gets a network of its own, in which they are
//! constant. It does not switch all moves of a role on and off at every turn, and knows that the others wait. Which fluents
//! these are is found by playing; states with other values are left to the general network, so nothing rests on the sample.

use super::compile::words;
use super::sample::Row;
use crate::network::Network;

/// At most this many networks are made.
const MAX_PHASES: usize = 6;

/// A fluent must change in one of this many steps.
const MIN_RATE: usize = 4;

/// The values of the control fluents that are worth a network.
pub(super) struct Control {
    pub(super) fluents: Vec<usize>,
    pub(super) values: Vec<Vec<bool>>,
}

pub(super) fn find(network: &Network, sample: &[Vec<Row>]) -> Option<Control> {
    let rows = || sample.iter().flatten();
    let holds = |row: &[u64], fluent: usize| row[fluent / 64] >> (fluent % 64) & 1 == 1;
    let mut changes = vec![0_usize; network.fluents.len()];
    let mut steps = 0;
    for pair in sample.iter().flat_map(|walk| walk.windows(2)) {
        steps += 1;
        for word in 0..words(network.fluents.len()) {
            let mut changed = pair[0][word] ^ pair[1][word];
            while changed != 0 {
                changes[word * 64 + changed.trailing_zeros() as usize] += 1;
                changed &= changed - 1;
            }
        }
    }
    let mut fluents: Vec<usize> = (0..changes.len()).filter(|&fluent| changes[fluent] * MIN_RATE > steps).collect();
    fluents.sort_by_key(|&fluent| std::cmp::Reverse(changes[fluent]));
    let mut control = Control { fluents: Vec::new(), values: Vec::new() };
    for fluent in fluents {
        control.fluents.push(fluent);
        let mut values: Vec<Vec<bool>> =
            rows().map(|row| control.fluents.iter().map(|&fluent| holds(row, fluent)).collect()).collect();
        values.sort_unstable();
        values.dedup();
        if values.len() > MAX_PHASES {
            control.fluents.pop();
        } else {
            control.values = values;
        }
    }
    Some(control).filter(|control| control.values.len() > 1)
}
