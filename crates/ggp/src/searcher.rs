//! [`Searcher`]: the thread of a match that searches.
//!
//! It hears of every step of the match and thinks about the position that it is in, also while nobody asks, which is thinking on
//! the opponents' time. It may be late, and it may even panic: a panic is noted with all that is needed to provoke it again, and
//! a new search continues. Whoever asks for a move has another one ready.

use crate::journal::Journal;
use crate::role::{RoleSearch, RoleTask, RulesEngine};
use ludens_game::Role;
use ludens_gdl::Machine;
use ludens_search::{Budget, Panicked, isolate};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender, TryRecvError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Proofs nest deeply, and an overflow of the stack would be the end of the program.
pub(crate) const STACK: usize = 16 << 20;

/// After so many panics in a match nobody searches any more.
const MAX_PANICS: u32 = 2;

/// Of a long list of moves so many characters go on a line.
const LINE: usize = 300;

/// What the threads of a match tell each other at once.
#[derive(Default)]
pub(crate) struct Signals {
    /// The searcher has something in its inbox.
    is_wanted: AtomicBool,
    /// Nobody needs a move any more.
    is_over: AtomicBool,
    /// A legal move, and the question that it answers.
    spare: Mutex<Option<(Question, String)>>,
}

/// The number of a question for a move.
pub(crate) type Question = u64;

impl Signals {
    /// What to answer if nothing better comes in time.
    pub(crate) fn spare(&self, question: Question) -> Option<String> {
        self.lock().as_ref().filter(|spare| spare.0 == question).map(|spare| spare.1.clone())
    }

    pub(crate) fn set_spare(&self, question: Question, text: String) {
        *self.lock() = Some((question, text));
    }

    /// A better answer, unless another question has come.
    fn improve_spare(&self, question: Question, text: String) {
        if let Some(spare) = self.lock().as_mut().filter(|spare| spare.0 == question) {
            spare.1 = text;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Question, String)>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::Acquire)
    }

    fn want(&self, is_wanted: bool) {
        self.is_wanted.store(is_wanted, Ordering::Release);
    }
}

enum Command {
    Step(Vec<String>),
    Choose { question: Question, until: Instant, reply: SyncSender<String> },
    Switch(Arc<Machine>),
    End,
}

/// Sends to the thread, whether it has been started or not.
#[derive(Clone)]
pub(crate) struct CommandSender {
    inbox: Sender<Command>,
    signals: Arc<Signals>,
}

impl CommandSender {
    fn send(&self, command: Command) {
        // A thread that is gone has said why.
        let _ = self.inbox.send(command);
        self.signals.want(true);
    }

    /// The machine is there.
    pub(crate) fn switch(&self, machine: Arc<Machine>) {
        self.send(Command::Switch(machine));
    }
}

/// What the thread gets to know when it starts.
pub(crate) struct Brief {
    pub(crate) task: RoleTask,
    pub(crate) role: Role,
    pub(crate) engine: RulesEngine,
    /// Whether the engine is only used until the machine is there.
    pub(crate) awaits_machine: bool,
    /// When preparations must be over; hears that they are.
    pub(crate) ready_by: Instant,
    pub(crate) ready: SyncSender<Result<(), String>>,
    /// Without any order for so long it stops thinking.
    pub(crate) patience: Duration,
    pub(crate) journal: Journal,
}

/// A handle to the thread; it ends when the handle is dropped.
pub(crate) struct Searcher {
    sender: CommandSender,
    /// Until the thread is started.
    commands: Option<Receiver<Command>>,
}

impl Searcher {
    /// A searcher whose thread is not yet started.
    pub(crate) fn new(signals: Arc<Signals>) -> Searcher {
        let (inbox, commands) = mpsc::channel();
        Searcher { sender: CommandSender { inbox, signals }, commands: Some(commands) }
    }

    pub(crate) fn sender(&self) -> CommandSender {
        self.sender.clone()
    }

    /// Starts thinking. Without a thread nobody does.
    pub(crate) fn start(&mut self, brief: Brief, presence: &Arc<()>) {
        let Some(commands) = self.commands.take() else { return };
        let (signals, presence) = (Arc::clone(&self.sender.signals), Arc::clone(presence));
        let work = move || {
            let _presence = presence;
            let mut searcher = SearcherThread::new(brief, commands, signals);
            searcher.open();
            searcher.run();
        };
        let _ = thread::Builder::new().name("searcher".into()).stack_size(STACK).spawn(work);
    }

    /// The match goes on by a joint move.
    pub(crate) fn step(&self, moves: &[String]) {
        self.sender.send(Command::Step(moves.to_vec()));
    }

    /// The move to play, thought about until `until`; nothing if none has come by `patience`.
    pub(crate) fn choose(&self, question: Question, until: Instant, patience: Instant) -> Option<String> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.sender.send(Command::Choose { question, until, reply });
        answer.recv_timeout(patience.saturating_duration_since(Instant::now())).ok()
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        self.sender.send(Command::End);
    }
}

/// What the thread knows.
struct SearcherThread {
    brief: Brief,
    /// Nobody, after too many panics.
    search: Option<RoleSearch>,
    /// The joint moves so far.
    history: Vec<Vec<String>>,
    panics: u32,
    commands: Receiver<Command>,
    /// Commands that came while one was being carried out.
    waiting: VecDeque<Command>,
    signals: Arc<Signals>,
    was_full: bool,
}

impl SearcherThread {
    fn new(brief: Brief, commands: Receiver<Command>, signals: Arc<Signals>) -> SearcherThread {
        let (history, waiting) = (Vec::new(), VecDeque::new());
        SearcherThread { brief, search: None, history, panics: 0, commands, waiting, signals, was_full: false }
    }

    /// A fresh search of the position that the match has reached.
    fn open(&mut self) {
        self.search = None;
        while self.search.is_none() && self.panics < MAX_PANICS {
            let Brief { engine, role, task, .. } = &self.brief;
            let (history, seed) = (&self.history, task.seed.at(u64::from(self.panics)));
            let opened = isolate(|| {
                let mut search = engine.search(*role, task, seed);
                history.iter().try_for_each(|moves| search.advance(moves)).map(|()| search)
            });
            match opened {
                Ok(Ok(search)) => self.search = Some(search),
                Ok(Err(reason)) => return self.note(&format!("the search cannot follow: {reason}")),
                Err(panicked) => self.count_panic(&panicked),
            }
        }
    }

    /// Does something with the search; if that panics there is a fresh one afterwards.
    fn with_search<T>(&mut self, work: impl FnOnce(&mut RoleSearch, &Signals) -> T) -> Option<T> {
        let (search, signals) = (self.search.as_mut()?, &*self.signals);
        match isolate(|| work(search, signals)) {
            Ok(done) => Some(done),
            Err(panicked) => {
                self.count_panic(&panicked);
                self.open();
                None
            }
        }
    }

    /// Notes all that is needed to see a panic again.
    fn count_panic(&mut self, panicked: &Panicked) {
        let RoleTask { rules, spec, seed, role, .. } = &self.brief.task;
        self.note(&format!("the search panicked: {panicked}"));
        let (game, seed) = (fingerprint(rules), seed.at(u64::from(self.panics)));
        let steps = self.history.len();
        self.note(&format!(
            "to reproduce: rules {game:016x}, role {role}, player {spec}, {seed:?}, after {steps} steps"
        ));
        let mut line = String::new();
        for moves in &self.history {
            line.push_str(&format!("({}) ", moves.join(" ")));
            if line.len() > LINE {
                self.note(&format!("moves: {}", std::mem::take(&mut line)));
            }
        }
        if !line.is_empty() {
            self.note(&format!("moves: {line}"));
        }
        self.panics += 1;
        self.note(if self.panics < MAX_PANICS {
            "continuing with a new search"
        } else {
            "moves are random from now on"
        });
    }

    fn run(mut self) {
        let mut is_ready = false;
        let mut last_command = Instant::now();
        loop {
            // Lowered before looking, so that a command that comes meanwhile raises it again.
            self.signals.want(false);
            let next = self.waiting.pop_front().map_or_else(|| self.commands.try_recv(), Ok);
            let command = match next {
                Ok(command) => command,
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) => {
                    let until = if is_ready { last_command + self.brief.patience } else { self.brief.ready_by };
                    let is_settled = self.ponder(until);
                    let is_due = Instant::now() >= until;
                    if !is_ready && (is_settled || is_due) {
                        is_ready = true;
                        let _ = self.brief.ready.send(Ok(()));
                        continue;
                    }
                    if !is_settled && !is_due {
                        continue;
                    }
                    match self.commands.recv() {
                        Ok(command) => command,
                        Err(_) => return,
                    }
                }
            };
            last_command = Instant::now();
            match command {
                Command::Step(moves) => self.step(moves),
                Command::Choose { question, until, reply } => {
                    if let Some(text) = self.choose(question, until) {
                        // Whoever has stopped waiting has taken the spare move.
                        let _ = reply.send(text);
                        self.note_fullness();
                    }
                }
                Command::Switch(machine) => self.switch(machine),
                Command::End => return,
            }
        }
    }

    /// Thinks about the position until a command comes; whether there is nothing more to find out.
    fn ponder(&mut self, until: Instant) -> bool {
        let pondered = self.with_search(|search, signals| {
            if search.at.is_over() {
                return true;
            }
            let stop = || signals.is_wanted() || signals.is_over();
            let Some(player) = &mut search.player else { return true };
            player.choose(&Budget::time(until.saturating_duration_since(Instant::now())), &stop);
            !stop() && Instant::now() < until
        });
        pondered.unwrap_or(self.search.is_none())
    }

    fn step(&mut self, moves: Vec<String>) {
        self.history.push(moves);
        let moves = self.history.last().expect("just put there").clone();
        if let Some(Err(reason)) = self.with_search(|search, _| search.advance(&moves)) {
            self.note(&format!("the search cannot follow: {reason}"));
            self.search = None;
        }
    }

    /// The move to play after thinking about it; with the machine from the moment that it is there. None if nobody thinks, or if it
    /// is too late for thinking.
    fn choose(&mut self, question: Question, until: Instant) -> Option<String> {
        self.with_search(|search, signals| {
            if let Some(text) = search.first_choice() {
                signals.improve_spare(question, text);
            }
        });
        while Instant::now() < until {
            let awaits_machine = self.brief.awaits_machine;
            self.search.as_ref()?.player.as_ref()?;
            let chosen = self.with_search(|search, signals| {
                let is_interrupted = || awaits_machine && signals.is_wanted();
                let stop = || is_interrupted() || signals.is_over();
                let time = until.saturating_duration_since(Instant::now());
                let player = search.player.as_mut()?;
                let (mv, effort) = player.choose(&Budget::time(time), &stop);
                Some((search.at.name(mv), effort.simulations, is_interrupted()))
            });
            let Some((text, simulations, is_interrupted)) = chosen.flatten() else { continue };
            if !is_interrupted || Instant::now() >= until {
                let step = self.history.len() + 1;
                self.note(&format!("step {step}: {text} after {simulations} simulations"));
                return Some(text);
            }
            self.signals.want(false);
            while let Ok(command) = self.commands.try_recv() {
                match command {
                    Command::Switch(machine) => self.switch(machine),
                    other => self.waiting.push_back(other),
                }
            }
        }
        None
    }

    /// Goes on with the machine from the position that was reached without it.
    fn switch(&mut self, machine: Arc<Machine>) {
        if self.brief.awaits_machine {
            self.brief.awaits_machine = false;
            self.brief.engine = RulesEngine::Machine(machine);
            self.open();
            self.note("rules compiled; switching to the machine");
        }
    }

    /// Says once that a search has no room to grow.
    fn note_fullness(&mut self) {
        let report = self.with_search(|search, _| search.player.as_ref().map(|player| player.report()));
        let Some(report) = report.flatten() else { return };
        if report.is_full && !self.was_full {
            let size = report.bytes >> 20;
            self.note(&format!("the tree is full with {size} MiB; it grows again as the match moves on"));
        }
        self.was_full = report.is_full;
    }

    fn note(&self, text: &str) {
        self.brief.journal.note(format_args!("{text}"));
    }
}

/// A number that tells rules apart (FNV-1a).
fn fingerprint(rules: &str) -> u64 {
    rules.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
