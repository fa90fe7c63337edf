//! [`Thinker`]: the thread of a match that keeps its position.
//!
//! It takes orders from an inbox and follows the match by an engine of its own. As soon as a position is known a legal move is put
//! aside; only then the [`Searcher`] is asked for a better one. Whatever keeps the searcher, that move is there. A machine that
//! was still being made when the match began arrives as one more order: the moves so far are played on it, and from then on it
//! is used.

use crate::compile::compile;
use crate::journal::Journal;
use crate::role::{Readable, RolePosition, RoleTask, RulesEngine};
use crate::searcher::{Brief, Question, STACK, Searcher, Signals};
use ludens_game::{Move, Rng};
use ludens_gdl::{Limits, Machine};
use ludens_search::{Panicked, isolate};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// What a match is about, and its clocks.
pub(crate) struct Assignment {
    pub(crate) task: RoleTask,
    /// When preparations must be over, and how long they may take.
    pub(crate) ready_by: Instant,
    pub(crate) start: Duration,
    /// Without any order for so long it stops thinking.
    pub(crate) patience: Duration,
    pub(crate) limits: Limits,
    pub(crate) journal: Journal,
    /// Every thread of a match holds a copy of it.
    pub(crate) presence: Arc<()>,
}

/// What a thinker says about its move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) text: String,
    /// Whether the server had played another move than the one that it was given.
    pub(crate) was_replaced: bool,
}

enum Order {
    Play { moves: Option<Vec<String>>, question: Question, clock: Clock, reply: SyncSender<Answer> },
    Stop { moves: Option<Vec<String>> },
    Switch(Result<Arc<Machine>, String>),
}

/// How long a move may take.
#[derive(Clone, Copy)]
pub(crate) struct Clock {
    pub(crate) think_until: Instant,
    /// By then the answer is there, whatever happens.
    pub(crate) answer_by: Instant,
}

impl Clock {
    /// By then the searcher has either answered, or it is too late.
    fn wait_until(&self) -> Instant {
        self.think_until + self.answer_by.saturating_duration_since(self.think_until) / 2
    }
}

/// A handle to the thread; it ends when the handle is dropped.
pub(crate) struct Thinker {
    inbox: Sender<Order>,
    signals: Arc<Signals>,
    /// How many moves were asked for.
    questions: AtomicU64,
    journal: Journal,
}

impl Thinker {
    /// Starts thinking. The receiver hears when the preparations are over, or why the match cannot be played.
    pub(crate) fn start(assignment: Assignment) -> std::io::Result<(Thinker, Receiver<Result<(), String>>)> {
        let (inbox, orders) = mpsc::channel();
        let (ready, readiness) = mpsc::sync_channel(2);
        let signals = Arc::new(Signals::default());
        let thinker = Thinker { inbox, signals, questions: AtomicU64::new(0), journal: assignment.journal.clone() };
        let (signals, own_inbox) = (Arc::clone(&thinker.signals), thinker.inbox.clone());
        thread::Builder::new().name("thinker".into()).stack_size(STACK).spawn(move || {
            let _presence = Arc::clone(&assignment.presence);
            let prepared = isolate(|| Keeper::prepare(assignment, (orders, own_inbox), &ready, signals));
            match prepared.unwrap_or_else(|panicked| Err(format!("the rules caused a panic: {panicked}"))) {
                Ok(mut keeper) => keeper.run(),
                Err(reason) => drop(ready.send(Err(reason))),
            }
        })?;
        Ok((thinker, readiness))
    }

    /// The move to play.
    pub(crate) fn play(&self, moves: Option<Vec<String>>, clock: Clock) -> Answer {
        let (reply, answer) = mpsc::sync_channel(1);
        let question = self.questions.fetch_add(1, Ordering::Relaxed);
        self.order(Order::Play { moves, question, clock, reply });
        let left = clock.answer_by.saturating_duration_since(Instant::now());
        answer.recv_timeout(left).unwrap_or_else(|_| {
            let spare = self.signals.spare(question);
            if spare.is_none() {
                self.journal.note(format_args!("no legal move is known in time: still computing the position"));
            }
            Answer { text: spare.unwrap_or("nil".to_owned()), was_replaced: false }
        })
    }

    /// The match is over after a last joint move.
    pub(crate) fn stop(&self, moves: Option<Vec<String>>) {
        self.signals.end();
        self.order(Order::Stop { moves });
    }

    fn order(&self, order: Order) {
        // A thread that is gone has said why.
        let _ = self.inbox.send(order);
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop(None);
    }
}

/// What the thread knows.
struct Keeper {
    assignment: Assignment,
    readable: Readable,
    at: RolePosition,
    searcher: Searcher,
    orders: Receiver<Order>,
    /// An order that came while the game was being opened.
    early: Option<Order>,
    signals: Arc<Signals>,
    /// The joint moves so far, as the server wrote them.
    history: Vec<Vec<String>>,
    /// The last own answer, given in the position after `history`.
    said: Option<String>,
    /// Chooses the moves that are put aside.
    rng: Rng,
}

/// How a server's joint move relates to the position.
enum Sense {
    /// The game goes on by it.
    Step(Vec<Move>),
    /// The message was sent a second time.
    Again,
    /// There is nothing to play.
    Nothing,
    /// It cannot be played.
    Wrong(String),
}

/// What came of a message.
enum Followed {
    /// A move is wanted.
    On {
        /// The server had played another move than the one that it was given.
        was_replaced: bool,
    },
    /// The answer has been given before.
    Again,
}

impl Keeper {
    fn prepare(
        assignment: Assignment,
        (orders, inbox): (Receiver<Order>, Sender<Order>),
        ready: &SyncSender<Result<(), String>>,
        signals: Arc<Signals>,
    ) -> Result<Keeper, String> {
        let readable = Readable::new(&assignment.task)?;
        let mut searcher = Searcher::new(Arc::clone(&signals));
        let (mut machine, mut awaits_machine, mut early) = (None, false, None);
        let note = |text: &str| assignment.journal.note(format_args!("{text}"));
        if readable.is_sound() {
            begin_compiling(&assignment, inbox, &searcher, &signals);
            // Half of the time to prepare is for the fast engine alone; the other half must do for opening the slow one.
            match orders.recv_timeout(assignment.start / 2) {
                Ok(Order::Switch(Ok(made))) => machine = Some(RulesEngine::Machine(made)),
                Ok(Order::Switch(Err(reason))) => note(&format!("no machine: {reason}")),
                Err(RecvTimeoutError::Disconnected) => return Err("the match was abandoned".to_owned()),
                too_early => {
                    note("still compiling the rules; starting with the interpreter");
                    awaits_machine = true;
                    early = too_early.ok();
                }
            }
        } else {
            note("the rules have errors; running them on the interpreter");
        }
        let engine = machine.unwrap_or_else(|| readable.interpreted());
        let at = engine.position(readable.role);
        if let Some(failure) = at.position.failure().filter(|_| !awaits_machine) {
            return Err(failure);
        }
        let Assignment { task, ready_by, patience, journal, presence, .. } = &assignment;
        let brief = Brief {
            task: task.clone(),
            role: readable.role,
            engine: engine.clone(),
            awaits_machine,
            ready_by: *ready_by,
            ready: ready.clone(),
            patience: *patience,
            journal: journal.clone(),
        };
        searcher.start(brief, presence);
        let (rng, history, said) = (task.seed.named("spare").rng(), Vec::new(), None);
        Ok(Keeper { assignment, readable, at, searcher, orders, early, signals, history, said, rng })
    }

    fn run(&mut self) {
        while let Some(order) = self.early.take().or_else(|| self.orders.recv().ok()) {
            if self.obey(order).is_break() {
                return;
            }
        }
    }

    fn obey(&mut self, order: Order) -> ControlFlow<()> {
        match order {
            Order::Switch(machine) => self.switch(machine),
            Order::Play { moves, question, clock, reply } => {
                let answer = self.answer(moves.as_deref(), question, clock);
                self.said = Some(answer.text.clone());
                if reply.send(answer).is_err() {
                    // Too late: the spare move was sent.
                    self.said = self.signals.spare(question);
                }
            }
            Order::Stop { moves } => {
                self.attempt(|keeper| keeper.note_result(moves.as_deref()));
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Does something with the position. If that panics it is done once more, with the rules interpreted from the beginning.
    fn attempt<T>(&mut self, work: impl Fn(&mut Keeper) -> T) -> Option<T> {
        let panicked = match isolate(|| work(self)) {
            Ok(done) => return Some(done),
            Err(panicked) => panicked,
        };
        self.note(&format!(
            "the rules caused a panic: {panicked}; switching to the interpreter after {} steps",
            self.history.len()
        ));
        match self.reopened(&self.readable.interpreted()) {
            Ok(Ok(at)) => self.at = at,
            Ok(Err(reason)) => self.note(&format!("the interpreter cannot follow: {reason}")),
            Err(panicked) => self.note(&format!("the interpreter panics too: {panicked}")),
        }
        let again = isolate(|| work(self));
        again.map_err(|panicked| self.note(&format!("again: {panicked}"))).ok()
    }

    /// The position that the match has reached, by another engine.
    fn reopened(&self, engine: &RulesEngine) -> Result<Result<RolePosition, String>, Panicked> {
        isolate(|| {
            let mut at = engine.position(self.at.role);
            at.replay(&self.history).map(|()| at)
        })
    }

    /// Where the interpreter cannot work out the position within its limits, only the machine can say what is legal.
    fn await_machine(&mut self, until: Instant) {
        while self.early.is_none() && self.at.position.failure().is_some() {
            match self.orders.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Order::Switch(machine)) => self.switch(machine),
                other => {
                    self.early = other.ok();
                    return;
                }
            }
        }
    }

    fn answer(&mut self, moves: Option<&[String]>, question: Question, clock: Clock) -> Answer {
        self.await_machine(clock.wait_until());
        match self.attempt(|keeper| keeper.follow(moves)) {
            Some(Followed::On { was_replaced }) => Answer { text: self.choose(question, clock), was_replaced },
            Some(Followed::Again) => {
                let said = self.said.clone().unwrap_or("nil".to_owned());
                self.note(&format!("repeated message; answering {said} again"));
                Answer { text: said, was_replaced: false }
            }
            None => Answer { text: "nil".to_owned(), was_replaced: false },
        }
    }

    /// Makes the step that a message tells.
    fn follow(&mut self, moves: Option<&[String]>) -> Followed {
        let mut was_replaced = false;
        match (self.sense(moves), moves) {
            (Sense::Step(joint), Some(moves)) => {
                let own = self.at.name(joint[self.at.role.index()]);
                self.at.position.advance(&joint);
                self.history.push(moves.to_vec());
                self.searcher.step(moves);
                if let Some(said) = self.said.take().filter(|said| *said != own) {
                    was_replaced = true;
                    self.note(&format!("the server played {own} instead of {said}"));
                }
            }
            (Sense::Again, _) => return Followed::Again,
            (Sense::Wrong(reason), _) => self.note(&format!("cannot follow the server: {reason}")),
            _ => {}
        }
        Followed::On { was_replaced }
    }

    /// The own move: that of the searcher, or the one that was put aside.
    fn choose(&mut self, question: Question, clock: Clock) -> String {
        let aside = self.attempt(|keeper| keeper.put_aside(question)).flatten();
        let Some((spare, has_choice)) = aside else { return "nil".to_owned() };
        if !has_choice {
            return spare;
        }
        if let Some(text) = self.searcher.choose(question, clock.think_until, clock.wait_until()) {
            if self.attempt(|keeper| keeper.at.is_legal(&text)) == Some(true) {
                return text;
            }
            self.note(&format!("the search chose {text}, which is not legal"));
            return spare;
        }
        let spare = self.signals.spare(question).unwrap_or(spare);
        self.note(&format!("step {}: {spare}, because the search did not answer", self.history.len() + 1));
        spare
    }

    /// Puts a legal move aside; returns it, and whether there are others. None if the match is over.
    fn put_aside(&mut self, question: Question) -> Option<(String, bool)> {
        if self.at.is_over() {
            return None;
        }
        let legals = self.at.legals();
        let spare = self.at.name(legals[self.rng.below(legals.len() as u32) as usize]);
        self.signals.set_spare(question, spare.clone());
        Some((spare, legals.len() > 1))
    }

    /// What a joint move of the server means in this position.
    fn sense(&self, moves: Option<&[String]>) -> Sense {
        let Some(moves) = moves else {
            let is_answered = !self.history.is_empty() || self.said.is_some();
            return if is_answered { Sense::Again } else { Sense::Nothing };
        };
        let is_known = self.history.last().is_some_and(|last| last == moves);
        match self.at.joint(moves) {
            // Who repeats a step has heard our answer to the first time and would send that, not the old one.
            Ok(joint) if is_known => {
                let own = self.at.name(joint[self.at.role.index()]);
                if self.said.as_ref().is_some_and(|said| *said != own) { Sense::Again } else { Sense::Step(joint) }
            }
            Ok(joint) => Sense::Step(joint),
            Err(_) if is_known => Sense::Again,
            Err(reason) => Sense::Wrong(reason),
        }
    }

    /// The match is over after a last joint move.
    fn note_result(&mut self, moves: Option<&[String]>) {
        if let Sense::Step(joint) = self.sense(moves) {
            self.at.position.advance(&joint);
        }
        if let Some(scores) = self.at.position.scores() {
            let own = scores[self.at.role.index()];
            self.note(&format!("the match is over, own score {:.0}", 100.0 * own));
        }
    }

    /// Goes on with the machine, if there is one, from the position that was reached without it.
    fn switch(&mut self, machine: Result<Arc<Machine>, String>) {
        let machine = match machine {
            Ok(machine) => machine,
            Err(reason) => return self.note(&format!("no machine: {reason}")),
        };
        match self.reopened(&RulesEngine::Machine(machine)) {
            Ok(Ok(at)) => self.at = at,
            Ok(Err(reason)) => self.note(&format!("the machine cannot follow: {reason}")),
            Err(panicked) => self.note(&format!("the machine panics: {panicked}")),
        }
    }

    fn note(&self, text: &str) {
        self.assignment.journal.note(format_args!("{text}"));
    }
}

/// Has the rules compiled; the machine, or why there is none, goes to everybody who waits for it.
fn begin_compiling(assignment: &Assignment, inbox: Sender<Order>, searcher: &Searcher, signals: &Arc<Signals>) {
    let (task, limits, signals) = (assignment.task.clone(), assignment.limits, Arc::clone(signals));
    let sender = searcher.sender();
    let work = move || {
        let is_needed = || !signals.is_over();
        let compiled = isolate(|| compile(&task.rules, limits, &task.spec, &is_needed));
        let compiled = compiled.unwrap_or_else(|panicked| Some(Err(format!("the compiler panicked: {panicked}"))));
        let Some(result) = compiled else { return };
        if let Ok(machine) = &result {
            sender.switch(Arc::clone(machine));
        }
        let _ = inbox.send(Order::Switch(result));
    };
    // Without a thread there is no machine, and the interpreter plays.
    let _ = thread::Builder::new().name("compiler".into()).stack_size(STACK).spawn(work);
}
