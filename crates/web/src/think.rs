//! A player thinks, and the page watches over a web socket until there is a move.
//!
//! A socket and not a stream of events, because a browser opens six plain connections to a server and no more: with six
//! games that think nothing else would be answered. When the page closes its end the search stops at its next look.

use crate::{
    news::News,
    position::Situation,
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
use ludens_arena::one_line;
use ludens_engine::{Found, Job, SearchTask, Service, Thought, play_steps, read_budget, read_player};
use ludens_game::Role;
use ludens_search::{Budget, Panicked, Playable, Report, Spec, isolate};
use serde::Deserialize;
use std::{io::Write as _, ops::ControlFlow, sync::Arc, time::Duration};
use tokio::{
    sync::mpsc::{Receiver, Sender, channel},
    time::{sleep, timeout},
};

/// The time that a page has to ask its question.
const PATIENCE: Duration = Duration::from_secs(10);

/// The page takes a server for dead that says nothing for several times as long.
const SIGN_OF_LIFE: Duration = Duration::from_secs(4);

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
    let player = read_player(&question.player, app.service.pool.threads()).map_err(Problem::bad)?;
    let budget = read_budget(&question.budget).map_err(Problem::bad)?;
    let game = app.shelf.open(&question.situation.game).await?;
    let task = aside(move || SearchJob::new(question, player, budget, game).map_err(Problem::bad)).await?;
    let mut news = begin(app, task)?;
    loop {
        tokio::select! {
            () = sleep(SIGN_OF_LIFE) => if socket.send(News::Alive.message()).await.is_err() {
                return Ok(());
            },
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
            let last = isolate(|| task.search(&shared.service, &sender))
                .unwrap_or_else(|panicked| Err(task.broken(&panicked)));
            let _ = sender.blocking_send(last.unwrap_or_else(|error| News::Failed { error }));
        }
    };
    let job = Job { priority: 0, run: Box::new(run), is_wanted: Box::new(move || !listener.is_closed()) };
    // The channel is new, so that there is room.
    let submitted = app.service.pool.submit(job, |ahead| drop(first.try_send(News::Waiting { ahead })));
    submitted.map_err(|_| Problem::busy("too many searches are waiting; try again in a moment"))?;
    Ok(receiver)
}

/// A search to be done, and the question that it answers.
struct SearchJob {
    task: SearchTask,
    question: Question,
}

impl SearchJob {
    fn new(question: Question, player: Spec, budget: Budget, game: Arc<dyn Playable>) -> Result<SearchJob, String> {
        let roles = game.role_names();
        let name = roles.get(question.role).ok_or_else(|| format!("there is no role {}", question.role))?;
        let role = Role::all(roles.len()).nth(question.role).ok_or("there is no such role")?;
        let mut position = game.clone().start();
        play_steps(&mut *position, &roles, &question.situation.moves)?;
        if position.scores().is_some() {
            return Err("the game is over".into());
        }
        if position.legals(role).is_empty() {
            return Err(format!("{name} has no legal move here: the rules are unsound"));
        }
        let (seed, table) = (question.seed, question.table.clone());
        Ok(SearchJob { task: SearchTask { game, position, role, player, budget, seed, table }, question })
    }

    /// A panic in the search: the log gets what is needed to see it again, the page gets a message with a way on.
    fn broken(&self, panicked: &Panicked) -> String {
        let Question { situation, role, seed, .. } = &self.question;
        let (game, moves) = (&situation.game, &situation.moves);
        let (player, budget, what) = (&self.task.player, &self.task.budget, one_line(panicked));
        let line = format!(
            "error: {player} failed at {game}: {what}; role {role}, budget {budget}, seed {seed}, moves {moves:?}\n"
        );
        // A log that nobody can read is no reason not to answer.
        let _ = std::io::stderr().write_all(line.as_bytes());
        format!(
            "{player} failed: {what}. This is a bug in Ludens. Go on from here to let it try again, seat another player, or \
             undo a move."
        )
    }

    fn search(&self, service: &Service, news: &Sender<News>) -> Result<News, String> {
        let mut look = |report: &Report| {
            // A page that cannot keep up misses a report, not the move. What is learned beforehand is no thought yet.
            if report.effort.simulations > 0 {
                let _ = news.try_send(News::Report(report.into()));
            }
            if news.is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let Found { name, report, cut } = self.task.search(service, &mut look)?;
        Ok(News::Done { name, thought: Thought::from(&report), cut })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{results::Folders, runs::Runs};
    use ludens_engine::read_spec;
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
            service: Service::new(1, 4, 1 << 20, Arc::new(InMemory::default())),
            folders: Folders::new("no-results".into(), "no-files".into()),
            runs: Arc::new(Runs::new("no-results".into(), 1, Arc::new(InMemory::default()))),
        });
        for _ in 0..2 {
            let News::Failed { error } = last_news(&app, Arc::new(Pit)) else { panic!("the game fails") };
            assert!(error.starts_with("uct failed: fell into the pit at "), "{error}");
            assert!(error.contains("try again") && error.contains("another player") && error.contains("undo a move"));
        }
        let News::Done { name, .. } = last_news(&app, Arc::new(Bandit::new(&[0.1, 0.9]))) else { panic!("a move") };
        assert_eq!(name, "arm1", "the only thread goes on");
    }
}
