//! Connections: how many there are, and how long somebody may take to ask.
//!
//! Whoever opens a connection and says nothing, or says it letter by letter, holds a file descriptor. So the head of a request
//! must be there in time, and so must its body. There are at most so many connections; others wait until one is closed.

use crate::{problem::Problem, server::MAX_BODY};
use axum::{
    Router,
    body::{Body, to_bytes},
    extract::Request,
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use std::{io, sync::Arc, time::Duration};
use tokio::{
    net::TcpListener,
    sync::Semaphore,
    time::{sleep, timeout},
};

/// How many connections are open at the same time. A browser opens six, and one more for every search.
const MAX_CONNECTIONS: usize = 256;

/// The pause after the system could not give a connection: it may be out of file descriptors.
const RECOVERY: Duration = Duration::from_millis(50);

/// Answers requests until the process ends. Whoever does not ask within `patience` is turned away.
pub(crate) async fn serve(listener: TcpListener, routes: Router, patience: Duration) -> io::Result<()> {
    let room = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let place = room.clone().acquire_owned().await.map_err(io::Error::other)?;
        let Ok((stream, _)) = listener.accept().await else {
            sleep(RECOVERY).await;
            continue;
        };
        let service = TowerToHyperService::new(routes.clone());
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(patience);
            // A connection that fails is that of somebody who went away.
            let _ = http.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
            drop(place);
        });
    }
}

/// Waits for the whole of a request before anybody looks at it.
pub(crate) async fn whole(patience: Duration, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    match timeout(patience, to_bytes(body, MAX_BODY)).await {
        Ok(Ok(body)) => next.run(Request::from_parts(head, Body::from(body))).await,
        Ok(Err(_)) => Problem::large(format!("a request has at most {MAX_BODY} bytes")).into_response(),
        Err(_) => Problem::late("the request took too long to arrive").into_response(),
    }
}
