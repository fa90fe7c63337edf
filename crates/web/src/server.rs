//! The server: what is asked where, and what all answers share.

use crate::{
    choices, guard, page, position,
    problem::Problem,
    recorded,
    results::{self, Folders},
    sheets::Checked,
    shelf::Shelf,
    think,
};
use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, State},
    middleware::from_fn,
    routing::{get, post},
};
use ludens_engine::Service;
use ludens_search::{Learned, isolate};
use serde::Deserialize;
use std::{
    io,
    net::{IpAddr, SocketAddr, TcpListener},
    path::PathBuf,
    sync::Arc,
};

/// No request may be larger: a rulesheet is text, and so is a game.
pub(crate) const MAX_BODY: usize = 1 << 20;

/// How many searches may wait.
const MAX_WAITING: usize = 64;

/// How the server runs.
pub struct Options {
    /// The address to listen on, usually the loopback address.
    pub address: IpAddr,
    /// Port to listen on; 0 picks a free one.
    pub port: u16,
    /// How many searches run at the same time.
    pub searches: usize,
    /// The bytes that all players may hold together.
    pub memory: usize,
    /// Weights that policies have learned beforehand.
    pub learned: Arc<dyn Learned>,
    /// The folder with a folder of records per experiment.
    pub results: PathBuf,
    /// Folder with the experiment files.
    pub experiments: PathBuf,
}

/// What all requests share.
pub(crate) struct App {
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) service: Service,
    pub(crate) folders: Folders,
}

/// A server that has its port and can be run.
pub struct Server {
    listener: TcpListener,
    app: App,
}

impl Server {
    /// Takes the port.
    ///
    /// # Errors
    /// If the system does not give it.
    pub fn bind(options: Options) -> io::Result<Server> {
        let listener = TcpListener::bind(SocketAddr::new(options.address, options.port))?;
        listener.set_nonblocking(true)?;
        let app = App {
            shelf: Arc::default(),
            service: Service::new(options.searches, MAX_WAITING, options.memory, options.learned),
            folders: Folders::new(options.results, options.experiments),
        };
        Ok(Server { listener, app })
    }

    /// Where a browser finds the page.
    ///
    /// # Errors
    /// If the system does not know the port.
    pub fn url(&self) -> io::Result<String> {
        let address = self.listener.local_addr()?;
        Ok(format!("http://{}:{}/", guard::written(address.ip()), address.port()))
    }

    /// Answers requests until the process ends.
    ///
    /// # Errors
    /// If the system fails.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let routes = routes(Arc::new(self.app));
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            axum::serve(listener, routes).await
        })
    }
}

/// Does something slow beside the threads that answer requests.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let isolated = move || isolate(work).unwrap_or_else(|panicked| Err(Problem::fault(&panicked)));
    tokio::task::spawn_blocking(isolated).await.map_err(Problem::broken)?
}

fn routes(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/choices", get(choices::all))
        .route("/api/player", get(choices::player))
        .route("/api/position", post(position::answer))
        .route("/api/think", get(think::answer))
        .route("/api/sheet", post(sheet))
        .route("/api/results", get(results::list))
        .route("/api/results/{name}", get(results::one))
        .route("/api/results/{name}/{cell}", get(results::cell))
        .route("/api/results/{name}/{cell}/{index}", get(recorded::game))
        .route("/api/papers", get(results::papers))
        .route("/api/papers/{name}", get(results::paper))
        .fallback(get(page::file))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn(guard::guard))
        .with_state(app)
}

/// A rulesheet that somebody dropped on the page.
#[derive(Deserialize)]
struct Dropped {
    /// The name of its file.
    name: String,
    text: String,
}

async fn sheet(State(app): State<Arc<App>>, Json(dropped): Json<Dropped>) -> Result<Json<Checked>, Problem> {
    Ok(Json(app.shelf.check(dropped.name, dropped.text).await?))
}
