//! The server: what is asked where, and what all answers share.

use crate::{
    choices, connections, guard, page, position,
    problem::Problem,
    recorded,
    results::{self, Folders},
    runs::{self, Runs},
    sheets::Checked,
    shelf::Shelf,
    think,
};
use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, Query, State},
    middleware::from_fn,
    routing::{get, post},
};
use ludens_catalog as catalog;
use ludens_engine::Service;
use ludens_search::{Learned, isolate};
use serde::{Deserialize, Serialize};
use std::{
    io,
    net::{IpAddr, SocketAddr, TcpListener},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

/// No request may be larger: a rulesheet is text, and so is a game.
pub(crate) const MAX_BODY: usize = 1 << 20;

/// Players that nobody has asked for so long are forgotten, with their trees.
const IDLE: Duration = Duration::from_secs(600);

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
    /// How long somebody may take to send the head of a request, and its body.
    pub patience: Duration,
}

/// What all requests share.
pub(crate) struct App {
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) service: Service,
    pub(crate) folders: Folders,
    pub(crate) runs: Arc<Runs>,
}

/// A server that has its port and can be run.
pub struct Server {
    listener: TcpListener,
    app: App,
    patience: Duration,
}

impl Server {
    /// Takes the port.
    ///
    /// # Errors
    /// If the system does not give it.
    pub fn bind(options: Options) -> io::Result<Server> {
        let listener = TcpListener::bind(SocketAddr::new(options.address, options.port))?;
        listener.set_nonblocking(true)?;
        // Searches of people come first: a run leaves them a core.
        let threads = options.searches.saturating_sub(1);
        let app = App {
            shelf: Arc::default(),
            runs: Arc::new(Runs::new(options.results.clone(), threads, options.learned.clone())),
            service: Service::new(options.searches, MAX_WAITING, options.memory, options.learned),
            folders: Folders::new(options.results, options.experiments),
        };
        Ok(Server { listener, app, patience: options.patience })
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
        let app = Arc::new(self.app);
        let routes = routes(app.clone(), self.patience);
        runtime.block_on(async {
            tokio::spawn(forget_idle(app));
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            connections::serve(listener, routes, self.patience).await
        })
    }
}

/// Forgets players of games that were left, as long as the server runs.
async fn forget_idle(app: Arc<App>) {
    loop {
        tokio::time::sleep(IDLE / 10).await;
        app.service.engines.forget_idle(IDLE);
    }
}

/// Does something slow beside the threads that answer requests.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let isolated = move || isolate(work).unwrap_or_else(|panicked| Err(Problem::fault(&panicked)));
    tokio::task::spawn_blocking(isolated).await.map_err(Problem::broken)?
}

fn routes(app: Arc<App>, patience: Duration) -> Router {
    Router::new()
        .route("/api/choices", get(choices::all))
        .route("/api/player", get(choices::player))
        .route("/api/position", post(position::answer))
        .route("/api/think", get(think::answer))
        .route("/api/sheet", post(sheet))
        .route("/api/source", get(source))
        .route("/api/runs", get(runs::list).post(runs::begin))
        .route("/api/runs/{name}/{action}", post(runs::act))
        .route("/api/results", get(results::list))
        .route("/api/results/{name}", get(results::one))
        .route("/api/results/{name}/{cell}", get(results::cell))
        .route("/api/results/{name}/{cell}/{index}", get(recorded::game))
        .route("/api/papers", get(results::papers))
        .route("/api/papers/{name}", get(results::paper))
        .fallback(get(page::file))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn(move |request, next| connections::whole(patience, request, next)))
        .layer(from_fn(guard::guard))
        .with_state(app)
}

/// A rulesheet that somebody dropped on the page.
#[derive(Deserialize)]
struct Dropped {
    /// The name of its file.
    name: String,
    text: String,
    /// Whether it is to be played, or only checked.
    #[serde(default = "yes")]
    play: bool,
}

fn yes() -> bool {
    true
}

async fn sheet(State(app): State<Arc<App>>, Json(dropped): Json<Dropped>) -> Result<Json<Checked>, Problem> {
    Ok(Json(app.shelf.check(dropped.name, dropped.text, dropped.play).await?))
}

/// A game's name.
#[derive(Deserialize)]
struct Named {
    game: String,
}

/// The rulesheet of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Source {
    /// None for games that are part of the program.
    text: Option<String>,
}

async fn source(State(app): State<Arc<App>>, Query(named): Query<Named>) -> Json<Source> {
    let name = named.game.strip_prefix("misere-").unwrap_or(&named.game);
    let bundled = || name.starts_with("gdl:").then(|| catalog::rules(name).ok()).flatten();
    Json(Source { text: app.shelf.sheets.text(name).or_else(|| bundled().map(Into::into)) })
}
