//! What a page hears while a player thinks.

use axum::extract::ws::Message;
use ludens_search::Report;
use serde::Serialize;

/// What happens, one after the other; the last one says what was chosen or why nothing was.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(crate) enum News {
    /// So many searches come first.
    Waiting {
        ahead: usize,
    },
    /// What the search thinks so far.
    Report(Thought),
    Done {
        #[serde(rename = "move")]
        name: String,
        thought: Thought,
        /// Why the search has ended before its budget did.
        cut: Option<&'static str>,
    },
    Failed {
        error: String,
    },
}

impl News {
    /// Whether nothing follows.
    pub(crate) fn is_last(&self) -> bool {
        matches!(self, News::Done { .. } | News::Failed { .. })
    }

    /// As it is sent.
    pub(crate) fn message(&self) -> Message {
        let text = serde_json::to_string(self);
        Message::text(text.unwrap_or_else(|error| format!("{{\"event\":\"failed\",\"error\":\"{error}\"}}")))
    }
}

/// What a search thinks. Scores are those of the role that thinks, from 0 to 1.
#[derive(Serialize)]
pub(crate) struct Thought {
    /// The most visited first.
    arms: Vec<Arm>,
    line: Vec<String>,
    proven: Option<f64>,
    /// What the playout policy has learned about every legal move, the best first.
    weights: Vec<Weight>,
    nodes: usize,
    /// What the player holds: trees and tables.
    bytes: usize,
    simulations: u64,
    seconds: f64,
    pace: f64,
}

#[derive(Serialize)]
struct Arm {
    #[serde(rename = "move")]
    name: String,
    visits: u64,
    score: Option<f64>,
    amaf: Option<f64>,
}

#[derive(Serialize)]
struct Weight {
    #[serde(rename = "move")]
    name: String,
    value: f64,
}

impl From<&Report> for Thought {
    fn from(report: &Report) -> Thought {
        let arm = |arm: &ludens_search::ArmReport| Arm {
            name: arm.name.clone(),
            visits: arm.visits,
            score: arm.score,
            amaf: arm.amaf,
        };
        let weight = |liking: &ludens_search::Liking| Weight { name: liking.name.clone(), value: liking.value };
        Thought {
            arms: report.arms.iter().map(arm).collect(),
            line: report.line.clone(),
            proven: report.proven,
            weights: report.likings.iter().map(weight).collect(),
            nodes: report.nodes,
            bytes: report.held,
            simulations: report.effort.simulations,
            seconds: report.effort.time.as_secs_f64(),
            pace: report.effort.pace(),
        }
    }
}
