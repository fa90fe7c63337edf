//! What a page hears while a player thinks.

use axum::extract::ws::Message;
use ludens_engine::Thought;
use serde::Serialize;

/// What happens, one after the other; the last one says what was chosen or why nothing was.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum News {
    /// So many searches come first.
    Waiting {
        ahead: usize,
    },
    /// Nothing is new, and the server is there.
    Alive,
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
