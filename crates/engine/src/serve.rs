//! `ludens engine`: reads questions, line by line, and writes answers as they come.
//!
//! One thread reads and puts searches into the queue; the threads of the pool search; the caller's thread writes. Who asks
//! faster than the searches go is not read any further once 64 MiB of questions wait. Who does not read its answers gets
//! fewer reports, and no answer is lost: the searches wait.

use crate::{
    byte_budget::{ByteBudget, ReservedBytes},
    limits::{MAX_TIME, read_budget, read_player},
    pool::Job,
    protocol::{Action, Answer, Event, Query, Request},
    shelf::OpenShelf,
    steps::{movers, play_steps},
    task::{Found, SearchTask, Service},
    thought::Thought,
    tickets::{Ticket, Tickets},
};
use ludens_arena::one_line;
use ludens_catalog::{self as catalog, quoted};
use ludens_game::Role;
use ludens_search::{Learned, Report, isolate};
use std::{
    io::{self, BufRead, BufReader, Read, Write},
    ops::ControlFlow,
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    time::{Duration, Instant},
};

/// No line may be longer.
const MAX_LINE: usize = 1 << 20;

/// Bytes of questions that may wait.
const MAX_WAITING: usize = 64 << 20;

/// What a position that waits costs beside its line.
const COST_OF_TURN: usize = 512;

/// Positions of one question.
const MAX_TURNS: usize = 10_000;

/// Answers that wait to be written.
const MAX_ANSWERS: usize = 256;

/// How the engine runs.
pub struct Options {
    /// How many searches run at the same time.
    pub searches: usize,
    /// The bytes that all players may hold together.
    pub memory: usize,
    /// Weights that policies have learned beforehand.
    pub learned: Arc<dyn Learned>,
}

/// Answers all questions. Ends when the input has ended and everything is answered.
///
/// # Errors
/// If an answer cannot be written.
pub fn serve(options: Options, source: impl Read + Send + 'static, out: &mut dyn Write) -> io::Result<()> {
    let (answers, written): (SyncSender<Answer>, Receiver<Answer>) = sync_channel(MAX_ANSWERS);
    let Options { searches, memory, learned } = options;
    let reader = Arc::new(RequestReader {
        service: Service::new(searches, usize::MAX, memory, learned),
        shelf: OpenShelf::default(),
        tickets: Tickets::default(),
        budget: ByteBudget::new(MAX_WAITING),
    });
    std::thread::spawn(move || reader.read(BufReader::new(source), &answers));
    for answer in written {
        serde_json::to_writer(&mut *out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
    }
    Ok(())
}

/// Reads questions and has them answered.
struct RequestReader {
    service: Service,
    shelf: OpenShelf,
    tickets: Tickets,
    budget: Arc<ByteBudget>,
}

/// A question that is being answered.
struct Open {
    query: Query,
    _bytes: ReservedBytes,
}

impl RequestReader {
    fn read(self: &Arc<RequestReader>, mut source: impl BufRead, answers: &SyncSender<Answer>) {
        let mut line = Vec::new();
        loop {
            line.clear();
            match source.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            let heard = if line.len() > MAX_LINE {
                // The rest of the line is not read as another one.
                if source.skip_until(b'\n').is_err() {
                    break;
                }
                fail(answers, None, format!("a line may have at most {MAX_LINE} bytes"))
            } else {
                self.hear(&String::from_utf8_lossy(&line), answers)
            };
            if heard.is_err() {
                // Nobody listens any more.
                break;
            }
        }
    }

    /// Deals with a line. An error means that nobody listens.
    fn hear(self: &Arc<RequestReader>, line: &str, answers: &SyncSender<Answer>) -> Result<(), Closed> {
        if line.trim().is_empty() {
            return Ok(());
        }
        match Request::read(line) {
            Err((id, why)) => fail(answers, id, why),
            Ok(Request::Action(action)) => self.act(action, answers),
            Ok(Request::Query(query)) => {
                let turns = query.turns.clone().unwrap_or_else(|| vec![query.moves.len()]);
                if turns.len() > MAX_TURNS {
                    let why = format!("a question may have at most {MAX_TURNS} turns");
                    return fail(answers, Some(query.id), why);
                }
                let Some(tickets) = self.tickets.issue(&query.id, &turns) else {
                    let why = format!("the id {} is in use", quoted(&query.id));
                    return fail(answers, Some(query.id), why);
                };
                let bytes = self.budget.take(line.len() + turns.len() * COST_OF_TURN);
                let open = Arc::new(Open { query, _bytes: bytes });
                for (turn, ticket) in turns.into_iter().zip(tickets) {
                    self.submit(&open, turn, ticket, answers);
                }
                Ok(())
            }
        }
    }

    fn act(&self, action: Action, answers: &SyncSender<Answer>) -> Result<(), Closed> {
        let (id, cancelled, event) = match action {
            Action::Terminate { id, terminate_id } => {
                (id, self.tickets.cancel(Some(&terminate_id)), Event::Acknowledged)
            }
            Action::TerminateAll { id } => (id, self.tickets.cancel(None), Event::Acknowledged),
            Action::Version { id } => {
                let (version, searches) = (env!("CARGO_PKG_VERSION"), self.service.pool.threads());
                (id, Vec::new(), Event::Version { version, searches, longest: MAX_TIME.as_secs_f64() })
            }
        };
        for (id, turn) in cancelled {
            say(answers, Answer { id: Some(id), turn: Some(turn), event: Event::Cancelled })?;
        }
        say(answers, Answer { id: Some(id), turn: None, event })
    }

    /// Puts the search of a position into the queue.
    fn submit(
        self: &Arc<RequestReader>,
        open: &Arc<Open>,
        turn: usize,
        ticket: Arc<Ticket>,
        answers: &SyncSender<Answer>,
    ) {
        let (reader, open, answers, watched) = (self.clone(), open.clone(), answers.clone(), ticket.clone());
        let priority = open.query.priority;
        let run = move || {
            if ticket.begin() {
                let event = reader.search(&open.query, turn, &ticket, &answers);
                reader.tickets.close(&open.query.id, turn);
                // Whoever does not listen any more does not miss it.
                let _ = answers.send(Answer { id: Some(open.query.id.clone()), turn: Some(turn), event });
            }
        };
        let job = Job { priority, run: Box::new(run), is_wanted: Box::new(move || watched.is_waiting()) };
        self.service.pool.submit(job, |_| {}).expect("the queue of this pool has no limit; the budget has");
    }

    /// Searches a position and says what came of it.
    fn search(&self, query: &Query, turn: usize, ticket: &Ticket, answers: &SyncSender<Answer>) -> Event {
        let searched = isolate(|| {
            let (task, role) = self.task(query, turn)?;
            let every = query.report_every.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
            let mut next = Instant::now();
            let mut look = |report: &Report| {
                if let Some(every) = every.filter(|_| Instant::now() >= next && report.effort.simulations > 0) {
                    next = Instant::now().checked_add(every).unwrap_or(next + MAX_TIME);
                    let event = Event::Report { role: role.clone(), thought: report.into() };
                    // A client that cannot keep up misses a report, not the answer.
                    let _ = answers.try_send(Answer { id: Some(query.id.clone()), turn: Some(turn), event });
                }
                if ticket.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let Found { name, report, cut } = task.search(&self.service, &mut look)?;
            let cut = if ticket.is_cancelled() { Some("it was cancelled") } else { cut };
            Ok(Event::Done { role, name, thought: Thought::from(&report), cut })
        });
        let failed = |error: String| Event::Failed { error };
        match searched {
            Ok(event) => event.unwrap_or_else(failed),
            Err(panicked) => {
                failed(format!("{} failed: {}. This is a bug in Ludens", query.player, one_line(&panicked)))
            }
        }
    }

    /// What a question means at one of its turns.
    fn task(&self, query: &Query, turn: usize) -> Result<(SearchTask, String), String> {
        let player = read_player(&query.player, self.service.pool.threads())?;
        let budget = read_budget(&query.budget)?;
        let open = || catalog::open(&query.game).map_err(|error| error.to_string());
        let game = self.shelf.open(&query.game, open)?;
        let roles = game.role_names();
        let count = query.moves.len();
        let moves =
            query.moves.get(..turn).ok_or_else(|| format!("there is no turn {turn}: {count} moves are given"))?;
        let mut position = game.clone().start();
        play_steps(&mut *position, &roles, moves)?;
        if let Some(failure) = position.failure() {
            return Err(format!("the game cannot continue after these moves: {failure}"));
        }
        if position.scores().is_some() {
            return Err("the game is over after these moves".into());
        }
        let movers = movers(&*position, roles.len());
        let has_choice = |role: &&Role| position.legals(**role).len() > 1;
        let first = movers.iter().find(has_choice).or(movers.first()).copied().unwrap_or(Role(0));
        let role = match &query.role {
            None => first,
            Some(name) => {
                let found = Role::all(roles.len()).find(|role| roles[role.index()].eq_ignore_ascii_case(name));
                found.ok_or_else(|| format!("there is no role {}; roles: {}", quoted(name), roles.join(", ")))?
            }
        };
        if position.legals(role).is_empty() {
            return Err(format!("{} has no legal move here: the rules are unsound", roles[role.index()]));
        }
        let name = roles[role.index()].clone();
        let (seed, table) = (query.seed, query.table.clone());
        Ok((SearchTask { game, position, role, player, budget, seed, table }, name))
    }
}

/// Nobody reads answers any more.
struct Closed;

fn say(answers: &SyncSender<Answer>, answer: Answer) -> Result<(), Closed> {
    answers.send(answer).map_err(|_| Closed)
}

fn fail(answers: &SyncSender<Answer>, id: Option<String>, error: String) -> Result<(), Closed> {
    say(answers, Answer { id, turn: None, event: Event::Failed { error } })
}
