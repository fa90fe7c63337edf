//! What a search thinks, as JSON: for the page, and for `ludens analyze --json`.

use ludens_search::{ArmReport, Liking, Report};
use serde::Serialize;

/// What a search thinks. Scores are those of the role that thinks, from 0 to 1.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Thought {
    /// The role's score, if it is proven.
    pub proven: Option<f64>,
    /// The most visited first.
    pub arms: Vec<Arm>,
    /// The moves that the search expects.
    pub line: Vec<String>,
    /// What the playout policy has learned about every legal move, the best first.
    pub policy: Vec<Weight>,
    /// Nodes in the tree.
    pub nodes: usize,
    /// The size of the tree's contents.
    pub bytes: usize,
    /// Whether the tree has used up its memory.
    pub is_full: bool,
    /// What the player holds: trees and tables.
    pub held: usize,
    pub simulations: u64,
    pub steps: u64,
    pub seconds: f64,
    pub simulations_per_s: f64,
}

/// A move at the root.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Arm {
    #[serde(rename = "move")]
    pub name: String,
    pub visits: u64,
    pub score: Option<f64>,
    pub amaf: Option<f64>,
}

/// A move as the playout policy sees it.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Weight {
    #[serde(rename = "move")]
    pub name: String,
    pub value: f64,
}

impl From<&Report> for Thought {
    fn from(report: &Report) -> Thought {
        let arm = |arm: &ArmReport| {
            let ArmReport { name, visits, score, amaf, .. } = arm.clone();
            Arm { name, visits, score, amaf }
        };
        let weight = |liking: &Liking| Weight { name: liking.name.clone(), value: liking.value };
        Thought {
            proven: report.proven,
            arms: report.arms.iter().map(arm).collect(),
            line: report.line.clone(),
            policy: report.likings.iter().map(weight).collect(),
            nodes: report.nodes,
            bytes: report.bytes,
            is_full: report.is_full,
            held: report.held,
            simulations: report.effort.simulations,
            steps: report.effort.steps,
            seconds: report.effort.time.as_secs_f64(),
            simulations_per_s: report.effort.pace(),
        }
    }
}
