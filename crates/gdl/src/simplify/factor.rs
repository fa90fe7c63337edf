//! Common factors: `a b + a c + d` becomes `a (b + c) + d`, and the mirror image by De Morgan.

use super::rebuild::Rebuild;
use crate::network::{Factory, Kind, Network, Signal};

/// A gate may be factored this often in one pass.
const MAX_FACTORS: usize = 64;

pub(super) fn factor(network: &Network) -> Network {
    let rebuild = Rebuild::new(network);
    let uses = rebuild.uses.clone();
    let first = network.first_gate();
    let mut arms = Arms { first, used: Vec::new() };
    rebuild.run_with_index(|factory, index, kind, inputs| {
        let signal = arms.pull_out(factory, kind, inputs);
        arms.count(signal, uses[first as usize + index]);
        signal
    })
}

/// How often new gates are used, which is known only through the old ones that they stand for.
struct Arms {
    first: u32,
    used: Vec<u32>,
}

impl Arms {
    fn count(&mut self, signal: Signal, uses: u32) {
        if let Some(gate) = signal.source().checked_sub(self.first) {
            let gate = gate as usize;
            self.used.resize(self.used.len().max(gate + 1), 0);
            self.used[gate] += uses;
        }
    }

    /// What an input needs, if it is a gate of the other kind that nobody else uses.
    fn arm<'f>(
        &self,
        factory: &'f Factory,
        kind: Kind,
        signal: Signal,
    ) -> Option<impl Iterator<Item = Signal> + use<'f>> {
        let gate = factory.gate(signal.source())?;
        let used = self.used.get((signal.source() - self.first) as usize);
        let fits = used == Some(&1) && (gate.kind != kind) != signal.is_negated();
        fits.then(|| gate.inputs.iter().map(move |inner| inner.negate_if(signal.is_negated())))
    }

    /// Makes a gate whose arms share their common inputs.
    fn pull_out(&self, factory: &mut Factory, kind: Kind, inputs: &mut Vec<Signal>) -> Signal {
        let arms = || inputs.iter().filter_map(|&signal| self.arm(factory, kind, signal));
        // Most gates have no two arms that could share anything.
        let mut shared = if arms().nth(1).is_some() { Shared::new(arms()) } else { Shared(Vec::new()) };
        if shared.most_common().is_none() {
            return factory.make(kind, inputs);
        }
        let mut arms: Vec<Vec<Signal>> = Vec::new();
        let mut rest = Vec::new();
        for &signal in &*inputs {
            match self.arm(factory, kind, signal) {
                Some(arm) => arms.push(arm.collect()),
                None => rest.push(signal),
            }
        }
        let other = if kind == Kind::And { Kind::Or } else { Kind::And };
        for _ in 0..MAX_FACTORS {
            let Some(common) = shared.most_common() else { break };
            let (with, without): (Vec<_>, Vec<_>) = arms.into_iter().partition(|arm| arm.contains(&common));
            let mut remainders = Vec::with_capacity(with.len());
            for mut arm in with {
                shared.remove(&arm);
                arm.retain(|&signal| signal != common);
                remainders.push(factory.make(other, &mut arm));
            }
            let inner = factory.make(kind, &mut remainders);
            rest.push(factory.make(other, &mut vec![common, inner]));
            arms = without;
        }
        rest.extend(arms.into_iter().map(|mut arm| factory.make(other, &mut arm)));
        factory.make(kind, &mut rest)
    }
}

/// How many arms have each signal: signals in order.
struct Shared(Vec<(Signal, u32)>);

impl Shared {
    fn new(arms: impl Iterator<Item = impl Iterator<Item = Signal>>) -> Shared {
        let mut all: Vec<Signal> = arms.flatten().collect();
        all.sort_unstable();
        let runs = all.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32));
        // What one arm alone has can never be shared.
        Shared(runs.filter(|&(_, count)| count > 1).collect())
    }

    fn remove(&mut self, arm: &[Signal]) {
        for signal in arm {
            if let Ok(place) = self.0.binary_search_by_key(signal, |&(other, _)| other) {
                self.0[place].1 -= 1;
            }
        }
    }

    /// The signal that most arms have, if there are two that share one; the first of several.
    fn most_common(&self) -> Option<Signal> {
        let shared = self.0.iter().filter(|&&(_, count)| count > 1);
        shared.max_by_key(|&&(signal, count)| (count, std::cmp::Reverse(signal))).map(|&(signal, _)| signal)
    }
}
