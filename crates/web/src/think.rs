//! A player thinks, and the page watches: a stream of events that ends with the move.
//!
//! `waiting` says how many searches come first, `report` what the search thinks so far, `done` what it has chosen, `failed`
//! why there is nothing. When the page goes away the stream is dropped, and the search stops at its next look.

use crate::{
    engines::{Engine, Key},
    position::{Situation, play},
    problem::Problem,
    server::{App, aside},
};
use axum::{
    Json,
    extract::State,
    response::sse::{Event, KeepAlive, Sse},
};
use ludens_game::{Position, Role, Seed};
use ludens_search::{Budget, Playable, Report, Spec, Watch};
use serde::{Deserialize, Serialize};
use std::{
    convert::Infallible,
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio_stream::{Stream, StreamExt as _, wrappers::ReceiverStream};

/// The time between two looks at a search.
const INTERVAL: Duration = Duration::from_millis(100);

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

/// What a search thinks. Scores are those of the role that thinks, from 0 to 1.
#[derive(Serialize)]
pub(crate) struct Thought {
    /// The most visited first.
    arms: Vec<Arm>,
    line: Vec<String>,
    proven: Option<f64>,
    /// What the playout policy has learned about every legal move, the best first.
    weights: Vec<Weight>,
    nodes: usize,
    /// What the player holds: trees and tables.
    bytes: usize,
    simulations: u64,
    seconds: f64,
    pace: f64,
}

#[derive(Serialize)]
struct Arm {
    #[serde(rename = "move")]
    name: String,
    visits: u64,
    score: Option<f64>,
    amaf: Option<f64>,
}

#[derive(Serialize)]
struct Weight {
    #[serde(rename = "move")]
    name: String,
    value: f64,
}

impl From<&Report> for Thought {
    fn from(report: &Report) -> Thought {
        let arm = |arm: &ludens_search::ArmReport| Arm {
            name: arm.name.clone(),
            visits: arm.visits,
            score: arm.score,
            amaf: arm.amaf,
        };
        let weight = |liking: &ludens_search::Liking| Weight { name: liking.name.clone(), value: liking.value };
        Thought {
            arms: report.arms.iter().map(arm).collect(),
            line: report.line.clone(),
            proven: report.proven,
            weights: report.likings.iter().map(weight).collect(),
            nodes: report.nodes,
            bytes: report.held,
            simulations: report.effort.simulations,
            seconds: report.effort.time.as_secs_f64(),
            pace: report.effort.pace(),
        }
    }
}

/// What happens while a player thinks.
#[derive(Serialize)]
#[serde(untagged)]
enum News {
    Waiting {
        ahead: usize,
    },
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
    fn event(&self) -> Event {
        let name = match self {
            News::Waiting { .. } => "waiting",
            News::Report(_) => "report",
            News::Done { .. } => "done",
            News::Failed { .. } => "failed",
        };
        let event = Event::default().event(name);
        event.json_data(self).unwrap_or_else(|error| Event::default().event("failed").data(error.to_string()))
    }
}

/// Lets a player think.
pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    Json(question): Json<Question>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let player = Sitting::read(&question.player, app.pool.threads()).map_err(Problem::bad)?;
    let budget = read_budget(&question.budget).map_err(Problem::bad)?;
    let game = app.shelf.open(&question.situation.game).await?;
    let task = aside(move || Task::new(question, player, budget, game).map_err(Problem::bad)).await?;
    Ok(Sse::new(news(&app, task)?).keep_alive(KeepAlive::default()))
}

fn news(app: &Arc<App>, task: Task) -> Result<impl Stream<Item = Result<Event, Infallible>> + use<>, Problem> {
    let (sender, receiver): (Sender<News>, Receiver<News>) = channel(16);
    let first = sender.clone();
    let shared = app.clone();
    let job = move || {
        // Whoever went away while waiting wants nothing any more.
        if !sender.is_closed() {
            let last = task.think(&shared, &sender).unwrap_or_else(|error| News::Failed { error });
            let _ = sender.blocking_send(last);
        }
    };
    // The channel is new, so that there is room.
    let submitted = app.pool.submit(job, |ahead| drop(first.try_send(News::Waiting { ahead })));
    submitted.map_err(|_| Problem::busy("too many searches are waiting, try again in a moment"))?;
    Ok(ReceiverStream::new(receiver).map(|news| Ok(news.event())))
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
            return Err(format!("a player may have {threads} threads here, not {}", settings.threads));
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
        return Err(format!("a move may take {} s here, not {} s", MAX_TIME.as_secs(), longest.as_secs_f64()));
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
            return Err("the game is over, there is nothing to think about".into());
        }
        if position.legals(role).is_empty() {
            return Err(format!("{name} has no legal move here, the rules are unsound"));
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
                cut = Some("the memory is used up");
            } else if begun.elapsed() >= MAX_TIME {
                cut = Some("the longest time is over");
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
