//! [`NetworkPlayer`]: which message means what. It knows nothing of sockets.
//!
//! Answers are those of ggp-base's player. One match is played at a time; a match of which nothing is heard for long is
//! given up when another one wants to begin.

use crate::clock::Margin;
use crate::journal::Journal;
use crate::message::{Message, MessageError, spaced};
use crate::role::RoleTask;
use crate::thinker::{Answer, Assignment, Clock, Thinker};
use ludens_game::Seed;
use ludens_gdl::Limits;
use ludens_search::Spec;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const BUSY: &str = "busy";

/// The shortest and the longest time that compiling may take; it goes on while the match is played without.
const COMPILE_LEAST: Duration = Duration::from_secs(20);
const COMPILE_MOST: Duration = Duration::from_secs(120);

/// Threads of earlier matches that may still be at work when a new match begins; an engine is not stopped in the middle of a
/// question.
const MAX_LINGERING: usize = 8;

/// Who plays, and how.
#[derive(Clone)]
pub struct Options {
    /// The name that INFO tells.
    pub name: String,
    /// Its spec.
    pub spec: Spec,
    /// Where its randomness comes from.
    pub seed: Seed,
    /// Without a message for this long beyond twice the clocks a match counts as forgotten by its server.
    pub patience: Duration,
    /// Where it says what happens.
    pub journal: Journal,
}

impl Options {
    /// A player of that name, with everything else as usual.
    pub fn new(name: &str, spec: Spec) -> Options {
        let (seed, patience) = (Seed::new(1), Duration::from_secs(60));
        Options { name: name.to_owned(), spec, seed, patience, journal: Journal::silent() }
    }
}

/// A player that answers the messages of a game server.
pub struct NetworkPlayer {
    options: Options,
    /// The match under way.
    current: Mutex<Option<Arc<Match>>>,
    margin: Mutex<Margin>,
    /// Every thread of a match holds a copy of it.
    presence: Arc<()>,
    #[cfg(test)]
    disguise: Option<crate::role::Disguise>,
}

/// A match under way.
struct Match {
    id: String,
    play: Duration,
    /// Silence for longer than this means that it is over.
    patience: Duration,
    heard: Mutex<Instant>,
    thinker: Thinker,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl NetworkPlayer {
    /// A player that is free.
    pub fn new(options: Options) -> NetworkPlayer {
        // Thinking on the opponents' time means searching also where there is nothing to decide.
        let spec = format!("{}@think=every", options.spec).parse().unwrap_or(options.spec);
        let name = options.name.chars().filter(|c| c.is_ascii_graphic() && !"();".contains(*c)).take(60).collect();
        let options = Options { spec, name, ..options };
        NetworkPlayer {
            options,
            current: Mutex::new(None),
            margin: Mutex::new(Margin::default()),
            presence: Arc::new(()),
            #[cfg(test)]
            disguise: None,
        }
    }

    /// Where it says what happens.
    pub fn journal(&self) -> &Journal {
        &self.options.journal
    }

    /// The answer to a message that arrived at `received`. Takes as long as the clock of the message allows.
    ///
    /// # Errors
    /// If the text is no message; then there is nothing to answer.
    pub fn answer(&self, text: &str, received: Instant) -> Result<String, MessageError> {
        Ok(match Message::read(text)? {
            Message::Info => self.info(),
            Message::Preview { .. } => if self.current().is_some() { BUSY } else { "ready" }.to_owned(),
            Message::Start { id, role, rules, start, play } => {
                let task = RoleTask {
                    rules,
                    role,
                    spec: self.options.spec.clone(),
                    seed: self.options.seed.named(&id),
                    #[cfg(test)]
                    disguise: self.disguise.clone(),
                };
                self.start(&id, task, (Duration::from_secs(start), Duration::from_secs(play)), received).to_owned()
            }
            Message::Play { id, moves } => match self.playing(&id) {
                None => BUSY.to_owned(),
                Some(current) => self.play(&current, moves, received),
            },
            Message::Stop { id, moves } => match self.take(&id) {
                None => BUSY.to_owned(),
                Some(current) => {
                    current.thinker.stop(moves);
                    "done".to_owned()
                }
            },
            Message::Abort { id } => match self.take(&id) {
                None => BUSY.to_owned(),
                Some(current) => {
                    // Somebody may still be waiting for a move.
                    current.thinker.stop(None);
                    self.note(&format!("match {id} was aborted"));
                    "aborted".to_owned()
                }
            },
        })
    }

    fn info(&self) -> String {
        let status = if self.current().is_some() { BUSY } else { "available" };
        format!("( ( name {} ) ( status {status} ) ( species computer ) )", self.options.name)
    }

    fn start(&self, id: &str, task: RoleTask, (start, play): (Duration, Duration), received: Instant) -> &'static str {
        let margin = locked(&self.margin).of_start(start);
        let ready_by = received + start - margin;
        let patience = self.options.patience + 2 * start.max(play);
        let compile = (start + 10 * play).clamp(COMPILE_LEAST, COMPILE_MOST);
        let assignment = Assignment {
            task,
            ready_by,
            start,
            patience,
            limits: Limits { time: compile, ..Limits::default() },
            journal: self.options.journal.clone(),
            presence: Arc::clone(&self.presence),
        };
        self.note(&format!("match {id}: {} s to prepare, {} s per step", start.as_secs(), play.as_secs()));
        let readiness = {
            let mut current = locked(&self.current);
            if current.as_ref().is_some_and(|current| !current.is_forgotten()) {
                self.note(&format!("busy: refused match {id}"));
                return BUSY;
            }
            // One copy is ours and one is in the assignment.
            if Arc::strong_count(&self.presence) - 2 > MAX_LINGERING {
                self.note(&format!("refused match {id}: earlier matches still use all threads"));
                return BUSY;
            }
            let Ok((thinker, readiness)) = Thinker::start(assignment) else { return BUSY };
            let heard = Mutex::new(Instant::now());
            *current = Some(Arc::new(Match { id: id.to_owned(), play, patience, heard, thinker }));
            readiness
        };
        let left = (ready_by + margin / 3).saturating_duration_since(Instant::now());
        let reason = match readiness.recv_timeout(left) {
            Ok(Ok(())) | Err(RecvTimeoutError::Timeout) => {
                locked(&self.margin).note_delay(Instant::now().saturating_duration_since(ready_by));
                return "ready";
            }
            Ok(Err(reason)) => reason,
            Err(RecvTimeoutError::Disconnected) => "the search thread has ended".to_owned(),
        };
        self.note(&format!("refused match {id}: {reason}"));
        self.take(id);
        BUSY
    }

    fn play(&self, current: &Match, moves: Option<Vec<String>>, received: Instant) -> String {
        let margin = locked(&self.margin).of_play(current.play);
        let think_until = received + current.play - margin;
        // Whoever waits for the thinker in vain needs time to say so.
        let clock = Clock { think_until, answer_by: think_until + margin / 3 };
        let Answer { text, was_replaced } = current.thinker.play(moves, clock);
        let mut margin = locked(&self.margin);
        margin.note_delay(Instant::now().saturating_duration_since(think_until));
        if was_replaced {
            margin.note_lost_move();
        }
        spaced(&text)
    }

    /// The match under way, unless its server has forgotten it.
    fn current(&self) -> Option<Arc<Match>> {
        locked(&self.current).clone().filter(|current| !current.is_forgotten())
    }

    /// The match under way, if it has that name; it has been heard of.
    fn playing(&self, id: &str) -> Option<Arc<Match>> {
        let current = locked(&self.current).clone().filter(|current| current.id == id)?;
        *locked(&current.heard) = Instant::now();
        Some(current)
    }

    /// Ends the match under way, if it has that name.
    fn take(&self, id: &str) -> Option<Arc<Match>> {
        locked(&self.current).take_if(|current| current.id == id)
    }

    fn note(&self, text: &str) {
        self.options.journal.note(format_args!("{text}"));
    }
}

impl Match {
    fn is_forgotten(&self) -> bool {
        locked(&self.heard).elapsed() > self.patience
    }
}

#[cfg(test)]
mod tests;
