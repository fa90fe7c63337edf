//! A player thinks, and the page watches over a web socket until there is a move.
//!
//! A socket and not a stream of events, because a browser opens six plain connections to a server and no more: with six
//! games that think nothing else would be answered. When the page closes its end the search stops at its next look.

use crate::{
    engines::{KeptPlayer, Key},
    news::News,
    pool::Job,
    position::{Situation, play},
    problem::Problem,
    server::{App, MAX_BODY, aside},
    thought::Thought,
};
use axum::{
    extract::{
        State,
        ws::{Message, WebSocket, WebSocketUpgrade},
    },
    response::Response,
};
use ludens_arena::{counted, one_line};
use ludens_game::{Position, Role, Seed};
use ludens_search::{Budget, Panicked, Playable, Report, SearchObserver, Spec, isolate};
use serde::Deserialize;
use std::{
    io::Write as _,
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

/// What the page wants to know.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Question {
    #[serde(flatten)]
    situation: Situation,
    /// The player that thinks.
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
    let player = read_player(&question.player, app.pool.threads()).map_err(Problem::bad)?;
    let budget = read_budget(&question.budget).map_err(Problem::bad)?;
    let game = app.shelf.open(&question.situation.game).await?;
    let task = aside(move || SearchJob::new(question, player, budget, game).map_err(Problem::bad)).await?;
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
fn begin(app: &Arc<App>, task: SearchJob) -> Result<Receiver<News>, Problem> {
    let (sender, receiver): (Sender<News>, Receiver<News>) = channel(16);
    let (first, listener) = (sender.clone(), sender.clone());
    let shared = app.clone();
    let run = move || {
        if !sender.is_closed() {
            let last = isolate(|| task.search(&shared, &sender)).unwrap_or_else(|panicked| Err(task.broken(&panicked)));
            let _ = sender.blocking_send(last.unwrap_or_else(|error| News::Failed { error }));
        }
    };
    let job = Job { run: Box::new(run), is_wanted: Box::new(move || !listener.is_closed()) };
    // The channel is new, so that there is room.
    let submitted = app.pool.submit(job, |ahead| drop(first.try_send(News::Waiting { ahead })));
    submitted.map_err(|_| Problem::busy("too many searches are waiting; try again in a moment"))?;
    Ok(receiver)
}

/// Reads a player and keeps it within the limits of this server.
fn read_player(text: &str, threads: usize) -> Result<Spec, String> {
    let spec = read_spec(text)?;
    let settings = spec.settings();
    if settings.threads > threads {
        let threads = counted(threads, "thread");
        return Err(format!("a player may use at most {threads} here, not {}", settings.threads));
    }
    if settings.memory <= MAX_MEMORY || !spec.searches() {
        return Ok(spec);
    }
    read_spec(&format!("{spec}@mem={MAX_MEMORY}B"))
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
struct SearchJob {
    position: Box<dyn Position>,
    game: Arc<dyn Playable>,
    role: Role,
    player: Spec,
    budget: Budget,
    question: Question,
}

impl SearchJob {
    fn new(question: Question, player: Spec, budget: Budget, game: Arc<dyn Playable>) -> Result<SearchJob, String> {
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
        Ok(SearchJob { position, game, role, player, budget, question })
    }

    fn seed(&self) -> Seed {
        Seed::new(self.question.seed).at(self.question.role as u64)
    }

    /// A panic in the search: the log gets what is needed to see it again, the page gets a message with a way on.
    fn broken(&self, panicked: &Panicked) -> String {
        let Question { situation, role, seed, .. } = &self.question;
        let (game, moves) = (&situation.game, &situation.moves);
        let what = one_line(panicked);
        let line = format!(
            "error: {} failed at {game}: {what}; role {role}, budget {}, seed {seed}, moves {moves:?}\n",
            self.player, self.budget
        );
        // A log that nobody can read is no reason not to answer.
        let _ = std::io::stderr().write_all(line.as_bytes());
        format!(
            "{} failed: {what}. This is a bug in Ludens. Go on from here to let it try again, seat another player, or \
             undo a move.",
            self.player
        )
    }

    fn search(&self, app: &App, news: &Sender<News>) -> Result<News, String> {
        let key = self.question.table.as_ref().map(|table| Key {
            table: table.clone(),
            game: self.question.situation.game.clone(),
            role: self.question.role,
            spec: self.player.to_string(),
            seed: self.question.seed,
        });
        let running = app.engines.begin();
        let mut engine = match key.as_ref().and_then(|key| app.engines.take(key)) {
            Some(engine) => engine,
            None => {
                let player = self.game.clone().player(self.role, &self.player, app.learned.clone());
                KeptPlayer::new(player.map_err(|error| error.to_string())?, self.seed())
            }
        };
        engine.follow(self.position.history(), self.seed());
        let (begun, mut cut) = (Instant::now(), None);
        let mut look = |report: &Report| {
            // A page that cannot keep up misses a report, not the move. What is learned beforehand is no thought yet.
            if report.effort.simulations > 0 {
                let _ = news.try_send(News::Report(report.into()));
            }
            if !running.holds(report.bytes) {
                cut = Some("the memory limit was reached");
            } else if begun.elapsed() >= MAX_TIME {
                cut = Some("the time limit was reached");
            }
            if cut.is_some() || news.is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let (mv, _) =
            engine.player.choose_watched(&self.budget, &mut SearchObserver { interval: INTERVAL, look: &mut look });
        let report = engine.player.report();
        // A player that may not grow any more is of no use for the next move.
        if let Some(key) = key.filter(|_| running.holds(report.bytes)) {
            drop(running);
            app.engines.keep(key, engine, report.bytes);
        }
        Ok(News::Done { name: self.position.move_name(self.role, mv), thought: Thought::from(&report), cut })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engines::Engines, pool::Pool, results::Folders};
    use ludens_game::toy::{Bandit, Pit};
    use ludens_search::InMemory;

    /// The last news about a search at some game.
    fn last_news(app: &Arc<App>, game: Arc<dyn Playable>) -> News {
        let question = serde_json::json!({
            "game": "toy", "moves": [], "role": 0, "player": "uct", "budget": "sims=50", "seed": 7, "table": "t",
        });
        let question: Question = serde_json::from_value(question).unwrap();
        let (player, budget) = (read_spec("uct").unwrap(), read_budget("sims=50").unwrap());
        let task = SearchJob::new(question, player, budget, game).unwrap();
        let mut news = begin(app, task).unwrap();
        loop {
            let told = news.blocking_recv().expect("the last news comes before the end");
            if told.is_last() {
                return told;
            }
        }
    }

    #[test]
    fn a_search_that_panics_is_answered_with_a_way_on() {
        let app = Arc::new(App {
            shelf: Arc::default(),
            engines: Engines::new(1 << 20),
            pool: Pool::new(1, 4),
            learned: Arc::new(InMemory::default()),
            folders: Folders::new("no-results".into(), "no-files".into()),
        });
        for _ in 0..2 {
            let News::Failed { error } = last_news(&app, Arc::new(Pit)) else { panic!("the game fails") };
            assert!(error.starts_with("uct failed: fell into the pit at "), "{error}");
            assert!(error.contains("try again") && error.contains("another player") && error.contains("undo a move"));
        }
        let News::Done { name, .. } = last_news(&app, Arc::new(Bandit::new(&[0.1, 0.9]))) else { panic!("a move") };
        assert_eq!(name, "arm1", "the only thread goes on");
    }

    #[test]
    fn players_stay_within_the_limits() {
        let read = |text| read_player(text, 2).map_or_else(|error| error, |spec| spec.to_string());
        assert_eq!(read("random"), "random");
        assert_eq!(read("uct+mast@mem=1MiB"), "uct+mast@mem=1MiB");
        assert_eq!(read("uct+mast@reuse=off"), "uct+mast@reuse=off,mem=128MiB");
        assert_eq!(read("uct@threads=3"), "a player may use at most 2 threads here, not 3");
        assert!(read("uct+nonsense").contains("policies: "), "{}", read("uct+nonsense"));
        assert!(read_budget("ms=500").is_ok() && read_budget("sims=100000").is_ok());
        assert!(read_budget("start=301s,play=1s").unwrap_err().contains("300 s here, not 301 s"));
        assert!(read_budget("soon").is_err());
    }
}
