//! The page itself, as it is built into `ui/dist`: part of the binary, so that nothing else need be installed.

use crate::problem::Problem;
use axum::{
    http::{Uri, header},
    response::{IntoResponse, Response},
};

/// Path, type, content.
const FILES: &[(&str, &str, &[u8])] = &[
    ("/", "text/html; charset=utf-8", include_bytes!("../ui/dist/index.html")),
    ("/app.js", "text/javascript; charset=utf-8", include_bytes!("../ui/dist/app.js")),
    ("/app.css", "text/css; charset=utf-8", include_bytes!("../ui/dist/app.css")),
    ("/icon.svg", "image/svg+xml", include_bytes!("../ui/dist/icon.svg")),
];

/// A file of the page.
pub(crate) async fn file(uri: Uri) -> Response {
    match FILES.iter().find(|(path, ..)| *path == uri.path()) {
        Some((_, kind, content)) => ([(header::CONTENT_TYPE, *kind)], *content).into_response(),
        None => Problem::missing("nothing at this address; the page is at /").into_response(),
    }
}
