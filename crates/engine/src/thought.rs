//! What a search thinks, as JSON: for the page, for `ludens engine`, and for `ludens analyze --json`.

use ludens_search::{ArmReport, MoveValue, Report, Share};
use serde::Serialize;

/// What a search thinks. Scores are those of the role that thinks, from 0 to 1.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Thought {
    /// The role's score, if it is proven.
    pub proven: Option<f64>,
    /// The most visited first.
    pub arms: Vec<Arm>,
    /// The moves that the search expects.
    pub line: Vec<String>,
    /// Which playout policies `auto` used for the role; empty for other players.
    pub playouts: Vec<Playouts>,
    /// What the playout policy has learned about every legal move, the best first.
    pub policy: Vec<Weight>,
    /// Nodes in the tree.
    pub nodes: usize,
    /// The size of the tree's contents.
    pub tree_bytes: usize,
    /// Whether the tree has used up its memory.
    pub is_full: bool,
    /// What the player holds: trees and tables.
    pub bytes: usize,
    /// Simulations so far.
    pub simulations: u64,
    /// Steps of all simulations, in the tree and in playouts.
    pub steps: u64,
    /// Wall-clock time.
    pub seconds: f64,
    /// Simulations per second.
    pub simulations_per_s: f64,
}

/// A move at the root.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Arm {
    /// Its name.
    #[serde(rename = "move")]
    pub name: String,
    /// Simulations that started with it.
    pub visits: u64,
    /// Their mean score, if there were any.
    pub score: Option<f64>,
    /// The mean score of all simulations in which it was played at any time.
    pub amaf: Option<f64>,
}

/// A move as the playout policy sees it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Weight {
    /// Its name.
    #[serde(rename = "move")]
    pub name: String,
    /// The policy's own measure: a mean score or a weight.
    pub value: f64,
}

/// A policy among which `auto` chooses.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Playouts {
    /// The policy, as a spec names it.
    pub policy: String,
    /// The share of the playouts that it chose for, from 0 to 1.
    pub share: f64,
    /// Their mean score for the role, if there were any.
    pub score: Option<f64>,
}

impl From<&Report> for Thought {
    fn from(report: &Report) -> Thought {
        let arm = |arm: &ArmReport| {
            let ArmReport { name, visits, score, amaf, .. } = arm.clone();
            Arm { name, visits, score, amaf }
        };
        let weight = |policy: &MoveValue| Weight { name: policy.name.clone(), value: policy.value };
        let all: f64 = report.shares.iter().map(|share| share.playouts).sum();
        let playouts = |share: &Share| Playouts {
            policy: share.policy.clone(),
            share: if all > 0.0 { share.playouts / all } else { 0.0 },
            score: share.score,
        };
        Thought {
            proven: report.proven,
            arms: report.arms.iter().map(arm).collect(),
            line: report.line.clone(),
            playouts: report.shares.iter().map(playouts).collect(),
            policy: report.policy_values.iter().map(weight).collect(),
            nodes: report.nodes,
            tree_bytes: report.tree_bytes,
            is_full: report.is_full,
            bytes: report.bytes,
            simulations: report.effort.simulations,
            steps: report.effort.steps,
            seconds: report.effort.time.as_secs_f64(),
            simulations_per_s: report.effort.pace(),
        }
    }
}
