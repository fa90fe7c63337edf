//! Common factors: `a b + a c + d` becomes `a (b + c) + d`, and the mirror image by De Morgan.

use super::rebuild::Rebuild;
use crate::network::{Factory, Kind, Network, Signal};
use rustc_hash::FxHashMap;

/// A gate may be factored this often in one pass.
const MAX_FACTORS: usize = 64;

pub(super) fn factor(network: &Network) -> Network {
    let rebuild = Rebuild::new(network);
    let uses = rebuild.uses.clone();
    let first = network.first_gate();
    // How often a new gate is used is known only through the old one that it stands for.
    let mut single: FxHashMap<u32, bool> = FxHashMap::default();
    rebuild.run_with_index(|factory, index, kind, inputs| {
        let signal = pull_out(factory, kind, inputs, &single);
        let used_once = uses[first as usize + index] == 1;
        single.entry(signal.source()).and_modify(|single| *single = false).or_insert(used_once);
        signal
    })
}

/// Makes a gate whose arms share their common inputs.
fn pull_out(factory: &mut Factory, kind: Kind, inputs: Vec<Signal>, single: &FxHashMap<u32, bool>) -> Signal {
    // An arm is an input that nobody else uses and that is a gate of the other kind: what it needs, seen from here.
    let mut arms: Vec<Vec<Signal>> = Vec::new();
    let mut rest = Vec::new();
    for &signal in &inputs {
        match factory.gate(signal.source()) {
            Some(gate) if single.get(&signal.source()) == Some(&true) && (gate.kind != kind) != signal.is_negated() => {
                arms.push(gate.inputs.iter().map(|inner| inner.negate_if(signal.is_negated())).collect());
            }
            _ => rest.push(signal),
        }
    }
    let other = if kind == Kind::And { Kind::Or } else { Kind::And };
    for _ in 0..MAX_FACTORS {
        let Some(common) = most_common(&arms) else { break };
        let (with, without): (Vec<_>, Vec<_>) = arms.into_iter().partition(|arm| arm.contains(&common));
        let mut remainders = Vec::with_capacity(with.len());
        for mut arm in with {
            arm.retain(|&signal| signal != common);
            remainders.push(factory.make(other, arm));
        }
        let inner = factory.make(kind, remainders);
        rest.push(factory.make(other, vec![common, inner]));
        arms = without;
    }
    rest.extend(arms.into_iter().map(|arm| factory.make(other, arm)));
    factory.make(kind, rest)
}

/// The signal that most arms have, if there are two that share one.
fn most_common(arms: &[Vec<Signal>]) -> Option<Signal> {
    let mut counts: FxHashMap<Signal, u32> = FxHashMap::default();
    for &signal in arms.iter().flatten() {
        *counts.entry(signal).or_insert(0) += 1;
    }
    let best = counts.iter().max_by_key(|&(&signal, &count)| (count, std::cmp::Reverse(signal)));
    best.filter(|&(_, &count)| count > 1).map(|(&signal, _)| signal)
}
