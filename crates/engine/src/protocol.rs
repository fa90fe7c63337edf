//! What `ludens engine` is asked and what it answers, after KataGo's analysis engine: one JSON object a line.

use crate::thought::Thought;
use ludens_search::DEFAULT_PLAYER;
use serde::{Deserialize, Serialize};

/// A line from the client: a question with a `game`, or something with an `action`.
#[derive(Debug, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum Request {
    /// A question.
    Query(Query),
    /// Something else.
    Action(Action),
}

/// Positions to search.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Query {
    /// The client's name for the question, which every answer repeats. It is free again after the last answer.
    pub id: String,
    /// A game such as `breakthrough:6` or `gdl:connect4`, or the path of a `.kif` file.
    pub game: String,
    /// The moves from the start, one text per step, as records and `ludens web` have them. Where roles move at the same
    /// time, a step has the moves of all with ` / ` between.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The positions to search, as numbers of moves played: `[0, 5]` is the start and the position after five moves. By default the
    /// position after all moves.
    #[serde(default)]
    pub turns: Option<Vec<usize>>,
    /// The role to search for; by default the first that has a choice.
    #[serde(default)]
    pub role: Option<String>,
    /// A spec such as `uct+ppa`, or a preset such as `ppa2015/ppa`.
    #[serde(default = "default_player")]
    pub player: String,
    /// A budget such as `sims=1000` or `ms=500`.
    #[serde(default = "default_budget")]
    pub budget: String,
    /// The same seed and number of simulations give the same answer.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Questions of a higher priority are searched first.
    #[serde(default)]
    pub priority: i64,
    /// Seconds between reports of a search under way; without it there is only the last. At least a tenth of a second passes.
    #[serde(default)]
    pub report_every: Option<f64>,
    /// A name under which the player is kept with its tree, for the next question about the same game.
    #[serde(default)]
    pub table: Option<String>,
}

fn default_player() -> String {
    DEFAULT_PLAYER.into()
}

fn default_budget() -> String {
    "sims=10000".into()
}

fn default_seed() -> u64 {
    1
}

/// What can be asked beside questions.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Action {
    /// Cancels a question. Searches under way end with what they have found, those that wait are answered with `cancelled`.
    Terminate {
        /// The client's name for the action.
        id: String,
        /// The question.
        terminate_id: String,
    },
    /// Cancels all questions.
    TerminateAll {
        /// The client's name for the action.
        id: String,
    },
    /// Asks for the version and the limits.
    Version {
        /// The client's name for the action.
        id: String,
    },
}

/// A line to the client.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Answer {
    /// The id of the question or action; `null` if the line had none that could be read.
    pub id: Option<String>,
    /// The turn, if it is about a position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What happened.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Event {
    /// What a search thinks so far.
    Report {
        /// The role that thinks.
        role: String,
        /// What it thinks.
        thought: Thought,
    },
    /// A search is over.
    Done {
        /// The role that thought.
        role: String,
        /// The move that it would play.
        #[serde(rename = "move")]
        name: String,
        /// What it thinks.
        thought: Thought,
        /// Why the search has ended before its budget did.
        cut: Option<&'static str>,
    },
    /// A search was cancelled before it began.
    Cancelled,
    /// An action was done.
    Acknowledged,
    /// The version and the limits.
    Version {
        /// The version of Ludens.
        version: &'static str,
        /// Searches at the same time.
        searches: usize,
        /// The longest search, in seconds.
        longest: f64,
    },
    /// A question or an action makes no sense, or the program failed.
    Failed {
        /// Why.
        error: String,
    },
}

impl Event {
    /// Whether no other answer about the same position follows.
    pub fn is_last(&self) -> bool {
        !matches!(self, Event::Report { .. })
    }
}

impl Request {
    /// Reads a line.
    ///
    /// # Errors
    /// The id, if it could be read, and what is wrong.
    pub fn read(line: &str) -> Result<Request, (Option<String>, String)> {
        let value: serde_json::Value =
            serde_json::from_str(line).map_err(|error| (None, format!("not JSON: {error}")))?;
        if !value.is_object() {
            return Err((None, "a line must be a JSON object".into()));
        }
        let id = value.get("id").and_then(|id| id.as_str()).map(str::to_owned);
        let read = if value.get("action").is_some() {
            serde_json::from_value(value).map(Request::Action)
        } else {
            serde_json::from_value(value).map(Request::Query)
        };
        read.map_err(|error| (id, error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let Ok(Request::Query(query)) = Request::read(r#"{"id":"q","game":"go:9"}"#) else { panic!("a query") };
        assert_eq!((query.budget.as_str(), query.seed, query.turns), ("sims=10000", 1, None));
        let action = Request::read(r#"{"id":"x","action":"terminate","terminate_id":"q"}"#);
        assert_eq!(action, Ok(Request::Action(Action::Terminate { id: "x".into(), terminate_id: "q".into() })));
        for (line, id, why) in [
            ("{", None, "not JSON"),
            ("[]", None, "a line must be a JSON object"),
            (r#"{"game":"go:9"}"#, None, "missing field `id`"),
            (r#"{"id":7,"game":"go:9"}"#, None, "invalid type"),
            (r#"{"id":"q","game":"go:9","budjet":"sims=1"}"#, Some("q"), "unknown field `budjet`"),
            (r#"{"id":"q","action":"fly"}"#, Some("q"), "unknown variant `fly`"),
        ] {
            let (known, error) = Request::read(line).unwrap_err();
            assert_eq!(known.as_deref(), id, "{line}");
            assert!(error.contains(why), "{line}: {error}");
        }
    }
}
