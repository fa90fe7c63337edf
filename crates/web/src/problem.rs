//! What a request gets instead of an answer.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use ludens_arena::one_line;
use ludens_search::Panicked;
use serde_json::json;
use std::io::Write as _;

/// A status, and one sentence for the person at the page.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    pub(crate) message: String,
}

impl Problem {
    /// What was asked makes no sense.
    pub(crate) fn bad(message: impl ToString) -> Problem {
        Problem { status: StatusCode::BAD_REQUEST, message: message.to_string() }
    }

    /// There is no such thing.
    pub(crate) fn missing(message: impl ToString) -> Problem {
        Problem { status: StatusCode::NOT_FOUND, message: message.to_string() }
    }

    /// Somebody may not ask.
    pub(crate) fn forbidden(message: impl ToString) -> Problem {
        Problem { status: StatusCode::FORBIDDEN, message: message.to_string() }
    }

    /// Too much is asked at once.
    pub(crate) fn busy(message: impl ToString) -> Problem {
        Problem { status: StatusCode::SERVICE_UNAVAILABLE, message: message.to_string() }
    }

    /// A request that takes too long to arrive.
    pub(crate) fn late(message: impl ToString) -> Problem {
        Problem { status: StatusCode::REQUEST_TIMEOUT, message: message.to_string() }
    }

    /// A request that is too large.
    pub(crate) fn large(message: impl ToString) -> Problem {
        Problem { status: StatusCode::PAYLOAD_TOO_LARGE, message: message.to_string() }
    }

    /// Something that cannot happen did.
    pub(crate) fn broken(message: impl ToString) -> Problem {
        Problem { status: StatusCode::INTERNAL_SERVER_ERROR, message: message.to_string() }
    }
}

impl Problem {
    /// Something panicked; the log says what as well.
    pub(crate) fn fault(panicked: &Panicked) -> Problem {
        let what = one_line(panicked);
        // A log that nobody can read is no reason not to answer.
        let _ = writeln!(std::io::stderr(), "error: a request failed: {what}");
        Problem::broken(format!("this request failed: {what}; this is a bug in Ludens"))
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.message }))).into_response()
    }
}
