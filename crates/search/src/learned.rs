//! Weights that a policy learned before a game (PPAFM with an initial policy, ppafm2017), and where they are stored.
//!
//! The search does no I/O: its caller decides whether they live in memory or on disk.

use crate::Spec;
use ludens_game::Game;
use rustc_hash::FxHashMap;
use std::sync::Mutex;

/// How many simulations the weights are learned from.
pub(crate) const SIMULATIONS: u64 = 100_000;

/// A store of learned weights by key.
pub trait Learned: Send + Sync {
    /// The weights under a key.
    fn load(&self, key: &str) -> Option<Vec<f64>>;
    /// Stores weights.
    fn store(&self, key: &str, weights: &[f64]);
}

/// A store in memory.
#[derive(Debug, Default)]
pub struct InMemory {
    weights: Mutex<FxHashMap<String, Vec<f64>>>,
}

impl Learned for InMemory {
    fn load(&self, key: &str) -> Option<Vec<f64>> {
        self.weights.lock().ok()?.get(key).cloned()
    }

    fn store(&self, key: &str, weights: &[f64]) {
        if let Ok(mut store) = self.weights.lock() {
            store.insert(key.to_owned(), weights.to_vec());
        }
    }
}

/// What the weights depend on: the game, the position, the spec, the version of this program.
pub(crate) fn key<G: Game>(game: &G, spec: &Spec, state: &G::State) -> String {
    let position = game.hash(state).unwrap_or_default();
    format!("{}|{position:016x}|{spec}|{}", game.name(), env!("CARGO_PKG_VERSION"))
}
