//! A player thinks, and the page watches over a web socket until there is a move.
//!
//! A socket and not a stream of events, because a browser opens six plain connections to a server and no more: with six
//! games that think nothing else would be answered. When the page closes its end the search stops at its next look.

use crate::{
    engines::{Engine, Key},
    news::{News, Thought},
    pool::Job,
    position::{Situation, play},
    problem::Problem,
    server::{App, MAX_BODY, aside},
};
use axum::{
    extract::{
        State,
        ws::{Message, WebSocket, WebSocketUpgrade},
    },
    response::Response,
};
use ludens_game::{Position, Role, Seed};
use ludens_search::{Budget, Playable, Report, Spec, Watch};
use serde::Deserialize;
use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{
    sync::mpsc::{Receiver, Sender, channel},
    time::timeout,
};

/// The time between two looks at a search.
const INTERVAL: Duration = Duration::from_millis(100);

/// The time that a page has to ask its question.
const PATIENCE: Duration = Duration::from_secs(10);

/// No search takes longer.
const MAX_TIME: Duration = Duration::from_secs(300);

/// The bytes that the contents of a tree may have.
const MAX_MEMORY: usize = 128 << 20;

/// Who moves at random.
const RANDOM: &str = "random";

/// What the page wants to know.
#[derive(Deserialize)]
pub(crate) struct Question {
    #[serde(flatten)]
    situation: Situation,
    /// Who shall think.
    role: usize,
    /// A spec, a preset or `random`.
    player: String,
    budget: String,
    seed: u64,
    /// The page's name for its game, under which the player is kept for the next move; without one it is not.
    table: Option<String>,
}

/// Lets a player think, as long as the page listens.
pub(crate) async fn answer(State(app): State<Arc<App>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.max_message_size(MAX_BODY).on_upgrade(async move |mut socket| {
        let told = match timeout(PATIENCE, socket.recv()).await {
            Ok(Some(Ok(Message::Text(question)))) => converse(&app, &question, &mut socket).await,
            _ => Ok(()),
        };
        if let Err(problem) = told {
            // Whoever went away does not hear what was wrong.
            let _ = socket.send(News::Failed { error: problem.message }.message()).await;
        }
        let _ = socket.send(Message::Close(None)).await;
    })
}

/// Answers a question with news, until there is a move or the page goes away.
async fn converse(app: &Arc<App>, question: &str, socket: &mut WebSocket) -> Result<(), Problem> {
    let question: Question = serde_json::from_str(question).map_err(Problem::bad)?;
    let player = Sitting::read(&question.player, app.pool.threads()).map_err(Problem::bad)?;
    let budget = read_budget(&question.budget).map_err(Problem::bad)?;
    let game = app.shelf.open(&question.situation.game).await?;
    let task = aside(move || Task::new(question, player, budget, game).map_err(Problem::bad)).await?;
    let mut news = begin(app, task)?;
    loop {
        tokio::select! {
            told = news.recv() => {
                let told = told.ok_or_else(|| Problem::broken("the search failed"))?;
                if socket.send(told.message()).await.is_err() || told.is_last() {
                    return Ok(());
                }
            },
            // A page that thinks better of it closes its end, and says nothing else.
            heard = socket.recv() => if !matches!(heard, Some(Ok(Message::Ping(_) | Message::Pong(_)))) {
                return Ok(());
            },
        }
    }
}

/// Puts a task into the queue. What comes of it is received; whoever drops the receiver does not want it any more.
fn begin(app: &Arc<App>, task: Task) -> Result<Receiver<News>, Problem> {
    let (sender, receiver): (Sender<News>, Receiver<News>) = channel(16);
    let (first, listener) = (sender.clone(), sender.clone());
    let shared = app.clone();
    let run = move || {
        if !sender.is_closed() {
            let last = task.think(&shared, &sender).unwrap_or_else(|error| News::Failed { error });
            let _ = sender.blocking_send(last);
        }
    };
    let job = Job { run: Box::new(run), is_wanted: Box::new(move || !listener.is_closed()) };
    // The channel is new, so that there is room.
    let submitted = app.pool.submit(job, |ahead| drop(first.try_send(News::Waiting { ahead })));
    submitted.map_err(|_| Problem::busy("too many searches are waiting; try again in a moment"))?;
    Ok(receiver)
}

/// Who sits at a role.
enum Sitting {
    Random,
    Engine(Spec),
}

impl Sitting {
    /// Reads a player and keeps it within the limits of this server.
    fn read(text: &str, threads: usize) -> Result<Sitting, String> {
        if text.trim() == RANDOM {
            return Ok(Sitting::Random);
        }
        let spec = read_spec(text)?;
        let settings = spec.settings();
        if settings.threads > threads {
            return Err(format!("a player may use at most {threads} threads here, not {}", settings.threads));
        }
        if settings.memory <= MAX_MEMORY {
            return Ok(Sitting::Engine(spec));
        }
        let limited = format!("{spec}@mem={MAX_MEMORY}B");
        Ok(Sitting::Engine(limited.parse().map_err(|error: ludens_search::SpecError| error.to_string())?))
    }
}

/// Reads a spec or the name of a preset.
pub(crate) fn read_spec(text: &str) -> Result<Spec, String> {
    text.parse().map_err(|error: ludens_search::SpecError| error.to_string())
}

fn read_budget(text: &str) -> Result<Budget, String> {
    let budget: Budget = text.parse().map_err(|error: ludens_search::BudgetError| error.to_string())?;
    let longest = budget.time.into_iter().chain(budget.start).max().unwrap_or_default();
    if longest > MAX_TIME {
        return Err(format!("a move may take at most {} s here, not {} s", MAX_TIME.as_secs(), longest.as_secs_f64()));
    }
    Ok(budget)
}

/// A search to be done.
struct Task {
    position: Box<dyn Position>,
    game: Arc<dyn Playable>,
    role: Role,
    player: Sitting,
    budget: Budget,
    question: Question,
}

impl Task {
    fn new(question: Question, player: Sitting, budget: Budget, game: Arc<dyn Playable>) -> Result<Task, String> {
        let roles = game.role_names();
        let name = roles.get(question.role).ok_or_else(|| format!("there is no role {}", question.role))?;
        let role = Role::all(roles.len()).nth(question.role).ok_or("there is no such role")?;
        let mut position = game.clone().start();
        play(&mut *position, &roles, &question.situation.moves)?;
        if position.scores().is_some() {
            return Err("the game is over".into());
        }
        if position.legals(role).is_empty() {
            return Err(format!("{name} has no legal move here: the rules are unsound"));
        }
        Ok(Task { position, game, role, player, budget, question })
    }

    fn think(&self, app: &App, news: &Sender<News>) -> Result<News, String> {
        match &self.player {
            Sitting::Random => Ok(self.guess()),
            Sitting::Engine(spec) => self.search(app, spec, news),
        }
    }

    fn seed(&self) -> Seed {
        Seed::new(self.question.seed).at(self.question.role as u64)
    }

    /// A uniformly random one of the moves that a playout considers.
    fn guess(&self) -> News {
        let moves = self.position.playout_moves(self.role);
        let mut rng = self.seed().at(self.position.history().len() as u64).rng();
        let mv = moves[rng.below(moves.len() as u32) as usize];
        News::Done {
            name: self.position.move_name(self.role, mv),
            thought: Thought::from(&Report::default()),
            cut: None,
        }
    }

    fn search(&self, app: &App, spec: &Spec, news: &Sender<News>) -> Result<News, String> {
        let key = self.question.table.as_ref().map(|table| Key {
            table: table.clone(),
            game: self.question.situation.game.clone(),
            role: self.question.role,
            spec: spec.to_string(),
            seed: self.question.seed,
        });
        let running = app.engines.begin();
        let mut engine = match key.as_ref().and_then(|key| app.engines.take(key)) {
            Some(engine) => engine,
            None => {
                let player = self.game.clone().player(self.role, spec, app.learned.clone());
                Engine::new(player.map_err(|error| error.to_string())?, self.seed())
            }
        };
        engine.follow(self.position.history(), self.seed());
        let (begun, mut cut) = (Instant::now(), None);
        let mut look = |report: &Report| {
            // A page that cannot keep up misses a report, not the move. What is learned beforehand is no thought yet.
            if report.effort.simulations > 0 {
                let _ = news.try_send(News::Report(report.into()));
            }
            if !running.holds(report.held) {
                cut = Some("the memory limit was reached");
            } else if begun.elapsed() >= MAX_TIME {
                cut = Some("the time limit was reached");
            }
            if cut.is_some() || news.is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let (mv, _) = engine.player.choose_watched(&self.budget, &mut Watch { interval: INTERVAL, look: &mut look });
        let report = engine.player.report();
        // A player that may not grow any more is of no use for the next move.
        if let Some(key) = key.filter(|_| running.holds(report.held)) {
            drop(running);
            app.engines.keep(key, engine, report.held);
        }
        Ok(News::Done { name: self.position.move_name(self.role, mv), thought: Thought::from(&report), cut })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_stay_within_the_limits() {
        let read = |text| match Sitting::read(text, 2) {
            Ok(Sitting::Engine(spec)) => spec.to_string(),
            Ok(Sitting::Random) => RANDOM.to_owned(),
            Err(error) => error,
        };
        assert_eq!(read("random"), "random");
        assert_eq!(read("uct+mast@mem=1MiB"), "uct+mast@mem=1MiB");
        assert_eq!(read("uct+mast@reuse=off"), "uct+mast@reuse=off,mem=128MiB");
        assert_eq!(read("uct@threads=3"), "a player may have 2 threads here, not 3");
        assert!(read("uct+nonsense").contains("known are"), "{}", read("uct+nonsense"));
        assert!(read_budget("ms=500").is_ok() && read_budget("sims=100000").is_ok());
        assert!(read_budget("start=301s,play=1s").unwrap_err().contains("300 s here, not 301 s"));
        assert!(read_budget("soon").is_err());
    }
}
