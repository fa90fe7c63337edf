//! [`Gates`]: the gates of a network, one behind the other in the same memory. There may be millions of them.

use super::{Kind, Signal};

/// A gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gate<'g> {
    /// What it does.
    pub kind: Kind,
    /// With what.
    pub inputs: &'g [Signal],
}

/// A list of gates.
#[derive(Clone, Debug, Default)]
pub struct Gates {
    kinds: Vec<Kind>,
    /// Per gate: where its inputs end.
    ends: Vec<u32>,
    inputs: Vec<Signal>,
}

impl Gates {
    /// An empty list with room for `gates` gates of two inputs each.
    pub(crate) fn with_capacity(gates: usize) -> Gates {
        let (kinds, ends) = (Vec::with_capacity(gates), Vec::with_capacity(gates));
        Gates { kinds, ends, inputs: Vec::with_capacity(2 * gates) }
    }

    /// The number of gates.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The number of inputs of all gates together.
    pub fn edges(&self) -> usize {
        self.inputs.len()
    }

    /// The gate with this number.
    #[inline]
    pub fn get(&self, gate: usize) -> Gate<'_> {
        let start = if gate == 0 { 0 } else { self.ends[gate - 1] };
        Gate { kind: self.kinds[gate], inputs: &self.inputs[start as usize..self.ends[gate] as usize] }
    }

    /// All gates.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Gate<'_>> {
        (0..self.len()).map(|gate| self.get(gate))
    }

    pub(crate) fn push(&mut self, kind: Kind, inputs: impl IntoIterator<Item = Signal>) {
        self.kinds.push(kind);
        self.inputs.extend(inputs);
        self.ends.push(self.inputs.len() as u32);
    }
}
