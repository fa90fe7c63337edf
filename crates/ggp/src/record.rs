//! [`MatchRecord`]: a match in the fields of ggp-base's JSON.

use serde::{Deserialize, Serialize};

/// A match, under way or over. There is one more state, time and row of errors than there are joint moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchRecord {
    /// The name of the match.
    pub match_id: String,
    /// 32 random letters and digits.
    pub random_token: String,
    /// When it began, in milliseconds since 1970.
    pub start_time: u64,
    /// Whether it was played to its end.
    pub is_completed: bool,
    /// Whether it was given up.
    pub is_aborted: bool,
    /// The states, each a list of facts without `true`.
    pub states: Vec<String>,
    /// The joint moves, in the order of the roles.
    pub moves: Vec<Vec<String>>,
    /// When each state was reached, in milliseconds since 1970.
    pub state_times: Vec<u64>,
    /// What went wrong at START, and then at every step, per role: `TO`, `CE`, `IL move`, or nothing.
    pub errors: Vec<Vec<String>>,
    /// The goals of the roles, once it is completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal_values: Option<Vec<i32>>,
    /// Seconds for a preview; -1: there was none.
    pub preview_clock: i64,
    /// Seconds to prepare.
    pub start_clock: u64,
    /// Seconds per step.
    pub play_clock: u64,
    /// The players, in the order of the roles.
    #[serde(default)]
    pub player_names_from_host: Vec<String>,
    /// Which of them are people.
    #[serde(default)]
    pub is_player_human: Vec<bool>,
    /// Whether the players saw made-up names.
    #[serde(default)]
    pub scrambled: bool,
}
