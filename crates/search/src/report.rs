//! What a search thinks, as plain data.

use crate::policy::Share;
use ludens_game::{Move, Role};
use std::time::Duration;

/// The state of a search after it has chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The role whose arms these are.
    pub role: Option<Role>,
    /// The moves of that role, the most visited first.
    pub arms: Vec<ArmReport>,
    /// The line of play that the search expects: joint moves by name, without noops.
    pub line: Vec<String>,
    /// The role's score, if it is proven.
    pub proven: Option<f64>,
    /// Effort.
    pub effort: Effort,
    /// Nodes in the tree.
    pub nodes: usize,
    /// Bytes of the tree's contents, which the setting `mem` limits.
    pub tree_bytes: usize,
    /// Whether the tree has reached that limit and stopped growing.
    pub is_full: bool,
    /// Bytes that the player holds in all: trees with what they keep for later, and the tables of its policies.
    pub bytes: usize,
    /// How the playout policies of `auto` were used for the role; empty for other players.
    pub shares: Vec<Share>,
    /// What the playout policy thinks of all moves that are legal for the role, best first.
    pub policy_values: Vec<MoveValue>,
}

/// A move at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmReport {
    /// The move.
    pub mv: Move,
    /// Its name.
    pub name: String,
    /// Simulations that started with it.
    pub visits: u64,
    /// Their mean score, if there were any.
    pub score: Option<f64>,
    /// The mean score of all simulations in which it was played at any time.
    pub amaf: Option<f64>,
}

/// A move as the playout policy sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveValue {
    /// The move's name.
    pub name: String,
    /// The policy's own measure: a mean score or a weight.
    pub value: f64,
}

/// How much was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Simulations.
    pub simulations: u64,
    /// Steps of all simulations, in the tree and in playouts.
    pub steps: u64,
    /// Wall-clock time.
    pub time: Duration,
}

impl Effort {
    /// Simulations per second; 0 if there was no time to measure.
    pub fn pace(&self) -> f64 {
        let seconds = self.time.as_secs_f64();
        if seconds > 0.0 { self.simulations as f64 / seconds } else { 0.0 }
    }
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, other: Effort) {
        self.simulations += other.simulations;
        self.steps += other.steps;
        self.time += other.time;
    }
}
