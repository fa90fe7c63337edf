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
    fn arm(&self, factory: &Factory, kind: Kind, signal: Signal) -> Option<Vec<Signal>> {
        let gate = factory.gate(signal.source())?;
        let used = self.used.get((signal.source() - self.first) as usize);
        let fits = used == Some(&1) && (gate.kind != kind) != signal.is_negated();
        fits.then(|| gate.inputs.iter().map(|inner| inner.negate_if(signal.is_negated())).collect())
    }

    /// Makes a gate whose arms share their common inputs.
    fn pull_out(&self, factory: &mut Factory, kind: Kind, inputs: Vec<Signal>) -> Signal {
        let mut arms: Vec<Vec<Signal>> = Vec::new();
        let mut rest = Vec::new();
        for &signal in &inputs {
            match self.arm(factory, kind, signal) {
                Some(arm) => arms.push(arm),
                None => rest.push(signal),
            }
        }
        let other = if kind == Kind::And { Kind::Or } else { Kind::And };
        let before = arms.len();
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
        if arms.len() == before {
            return factory.make(kind, inputs);
        }
        rest.extend(arms.into_iter().map(|arm| factory.make(other, arm)));
        factory.make(kind, rest)
    }
}

/// The signal that most arms have, if there are two that share one.
fn most_common(arms: &[Vec<Signal>]) -> Option<Signal> {
    if arms.len() < 2 {
        return None;
    }
    let mut all: Vec<Signal> = arms.iter().flatten().copied().collect();
    all.sort_unstable();
    let runs = all.chunk_by(|a, b| a == b).map(|run| (run.len(), std::cmp::Reverse(run[0])));
    runs.max().filter(|&(count, _)| count > 1).map(|(_, std::cmp::Reverse(signal))| signal)
}
