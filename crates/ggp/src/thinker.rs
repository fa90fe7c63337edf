//! [`Thinker`]: the one thread of a match that searches.
//!
//! It owns the position and takes orders from an inbox. While there are none it thinks about the position that it is in,
//! which is thinking on the opponents' time. A machine that was still being made when the match began arrives as one more
//! order: the moves so far are played on it, and from then on it is used.

use crate::journal::Journal;
use crate::table::{Readable, Table, Task};
use crate::workshop;
use ludens_game::Move;
use ludens_gdl::{Limits, Machine};
use ludens_search::Budget;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Proofs nest deeply, and an overflow of the stack would be the end of the program.
const STACK: usize = 16 << 20;

/// What a match is about, and its clocks.
pub(crate) struct Assignment {
    pub(crate) task: Task,
    /// When preparations must be over, and how long they may take.
    pub(crate) ready_by: Instant,
    pub(crate) start: Duration,
    /// Without any order for so long it stops thinking.
    pub(crate) patience: Duration,
    pub(crate) limits: Limits,
    pub(crate) journal: Journal,
}

/// What a thinker says about its move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) text: String,
    /// Whether the server had played another move than the one that it was given.
    pub(crate) was_replaced: bool,
}

enum Order {
    Play { moves: Option<Vec<String>>, think_until: Instant, reply: SyncSender<Answer> },
    Stop { moves: Option<Vec<String>> },
    Switch(Result<Arc<Machine>, String>),
}

/// A handle to the thread; it ends when the handle is dropped.
pub(crate) struct Thinker {
    inbox: Sender<Order>,
    signals: Arc<Signals>,
}

#[derive(Default)]
struct Signals {
    /// There is something in the inbox.
    is_wanted: AtomicBool,
    /// Nobody needs a move any more.
    is_over: AtomicBool,
    /// What to answer if the thread does not come back in time.
    spare: Mutex<Option<String>>,
}

impl Signals {
    fn set_spare(&self, text: Option<String>) {
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }
}

impl Thinker {
    /// Starts thinking. The receiver hears when the preparations are over, or why the match cannot be played.
    pub(crate) fn start(assignment: Assignment) -> std::io::Result<(Thinker, Receiver<Result<(), String>>)> {
        let (inbox, orders) = mpsc::channel();
        let (ready, readiness) = mpsc::sync_channel(1);
        let signals = Arc::new(Signals::default());
        let (thread_signals, own_inbox) = (Arc::clone(&signals), inbox.clone());
        thread::Builder::new().name("thinker".into()).stack_size(STACK).spawn(move || {
            match Mind::prepare(assignment, (orders, own_inbox), thread_signals) {
                Ok(mind) => mind.run(ready),
                Err(reason) => drop(ready.send(Err(reason))),
            }
        })?;
        Ok((Thinker { inbox, signals }, readiness))
    }

    /// The move to play: thought about until `think_until`, and there by `answer_by` in any case.
    pub(crate) fn play(&self, moves: Option<Vec<String>>, think_until: Instant, answer_by: Instant) -> Answer {
        let (reply, answer) = mpsc::sync_channel(1);
        self.order(Order::Play { moves, think_until, reply });
        let left = answer_by.saturating_duration_since(Instant::now());
        answer.recv_timeout(left).unwrap_or_else(|_| {
            let spare = self.signals.spare.lock().unwrap_or_else(PoisonError::into_inner).clone();
            Answer { text: spare.unwrap_or("nil".to_owned()), was_replaced: false }
        })
    }

    /// The match is over after a last joint move.
    pub(crate) fn stop(&self, moves: Option<Vec<String>>) {
        self.signals.is_over.store(true, Ordering::Release);
        self.order(Order::Stop { moves });
    }

    fn order(&self, order: Order) {
        // A thread that is gone has said why.
        let _ = self.inbox.send(order);
        self.signals.is_wanted.store(true, Ordering::Release);
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop(None);
    }
}

/// What the thread knows.
struct Mind {
    assignment: Assignment,
    readable: Readable,
    table: Table,
    orders: Receiver<Order>,
    /// Orders that came while the game was being opened.
    waiting: VecDeque<Order>,
    signals: Arc<Signals>,
    /// The joint moves so far, as the server wrote them.
    history: Vec<Vec<String>>,
    /// The last own answer, given in the position after `history`.
    said: Option<String>,
    last_order: Instant,
    /// Whether the interpreter only plays until the machine is there.
    awaits_machine: bool,
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

impl Mind {
    fn prepare(
        assignment: Assignment,
        (orders, inbox): (Receiver<Order>, Sender<Order>),
        signals: Arc<Signals>,
    ) -> Result<Mind, String> {
        let readable = Readable::new(&assignment.task)?;
        let (mut table, mut awaits_machine, mut waiting) = (None, false, VecDeque::new());
        let note = |text: &str| assignment.journal.note(format_args!("{text}"));
        if readable.is_sound() {
            begin_compiling(&assignment, inbox, &signals);
            // Half of the time to prepare is for the fast engine alone; the other half must do for opening the slow one.
            match orders.recv_timeout(assignment.start / 2) {
                Ok(Order::Switch(Ok(machine))) => table = Some(readable.compiled(machine, &assignment.task)),
                Ok(Order::Switch(Err(reason))) => note(&format!("no machine: {reason}")),
                Err(RecvTimeoutError::Disconnected) => return Err("the match was abandoned".to_owned()),
                too_early => {
                    note("still compiling the rules; starting with the interpreter");
                    awaits_machine = true;
                    waiting.extend(too_early.ok());
                }
            }
        } else {
            note("the rules have errors; running them on the interpreter");
        }
        let table = table.unwrap_or_else(|| readable.interpreted(&assignment.task));
        Ok(Mind {
            assignment,
            readable,
            table,
            orders,
            waiting,
            signals,
            history: Vec::new(),
            said: None,
            last_order: Instant::now(),
            awaits_machine,
        })
    }

    fn run(mut self, ready: SyncSender<Result<(), String>>) {
        let mut ready = Some(ready);
        loop {
            // Lowered before looking, so that an order that comes meanwhile raises it again.
            self.signals.is_wanted.store(false, Ordering::Release);
            let next = self.waiting.pop_front().map_or_else(|| self.orders.try_recv(), Ok);
            let order = match next {
                Ok(order) => order,
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) => {
                    let until = match ready {
                        Some(_) => self.assignment.ready_by,
                        None => self.last_order + self.assignment.patience,
                    };
                    let is_settled = self.ponder(until);
                    let is_due = Instant::now() >= until;
                    if let Some(ready) = ready.take_if(|_| is_settled || is_due) {
                        let _ = ready.send(Ok(()));
                        continue;
                    }
                    if !is_settled && !is_due {
                        continue;
                    }
                    match self.orders.recv() {
                        Ok(order) => order,
                        Err(_) => return,
                    }
                }
            };
            self.last_order = Instant::now();
            if self.obey(order).is_break() {
                return;
            }
        }
    }

    /// Thinks about the position until an order comes; whether there is nothing more to find out.
    fn ponder(&mut self, until: Instant) -> bool {
        if self.table.is_over() {
            return true;
        }
        let signals = &*self.signals;
        let stop = || signals.is_wanted.load(Ordering::Acquire) || signals.is_over.load(Ordering::Acquire);
        let Some(player) = &mut self.table.player else { return true };
        player.choose(&Budget::time(until.saturating_duration_since(Instant::now())), &stop);
        !stop() && Instant::now() < until
    }

    fn obey(&mut self, order: Order) -> ControlFlow<()> {
        match order {
            Order::Switch(machine) => self.switch(machine),
            Order::Play { moves, think_until, reply } => {
                let answer = self.answer(moves, think_until);
                self.said = Some(answer.text.clone());
                if reply.send(answer).is_err() {
                    // Too late: the spare move was sent.
                    self.said = self.signals.spare.lock().unwrap_or_else(PoisonError::into_inner).clone();
                }
            }
            Order::Stop { moves } => {
                if let Sense::Step(joint) = self.sense(moves.as_deref()) {
                    self.table.advance(&joint);
                }
                if let Some(scores) = self.table.position.scores() {
                    let own = scores[self.table.role.index()];
                    self.note(&format!("the match is over, own score {:.0}", 100.0 * own));
                }
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn answer(&mut self, moves: Option<Vec<String>>, think_until: Instant) -> Answer {
        let mut was_replaced = false;
        match self.sense(moves.as_deref()) {
            Sense::Step(joint) => {
                let own = self.table.name(joint[self.table.role.index()]);
                if let Some(said) = self.said.take().filter(|said| *said != own) {
                    was_replaced = true;
                    self.note(&format!("the server played {own} instead of {said}"));
                }
                self.signals.set_spare(None);
                self.table.advance(&joint);
                self.history.extend(moves);
            }
            Sense::Again => {
                let said = self.said.clone().unwrap_or("nil".to_owned());
                self.note(&format!("repeated message; answering {said} again"));
                return Answer { text: said, was_replaced };
            }
            Sense::Nothing => {}
            Sense::Wrong(reason) => self.note(&format!("cannot follow the server: {reason}")),
        }
        Answer { text: self.choose(think_until), was_replaced }
    }

    fn choose(&mut self, think_until: Instant) -> String {
        if self.table.is_over() {
            return "nil".to_owned();
        }
        let spare = self.table.name(self.table.first_choice());
        self.signals.set_spare(Some(spare.clone()));
        let has_choice = self.table.position.legals(self.table.role).len() > 1;
        if !has_choice || self.table.player.is_none() {
            return spare;
        }
        self.think(think_until)
    }

    /// The move to play after thinking about it; with the machine from the moment that it is there.
    fn think(&mut self, until: Instant) -> String {
        loop {
            let signals = &*self.signals;
            let is_wanted = || self.awaits_machine && signals.is_wanted.load(Ordering::Acquire);
            let stop = || is_wanted() || signals.is_over.load(Ordering::Acquire);
            let time = until.saturating_duration_since(Instant::now());
            let player = self.table.player.as_mut().expect("somebody plays");
            let (mv, effort) = player.choose(&Budget::time(time), &stop);
            if !is_wanted() || Instant::now() >= until {
                let (step, text) = (self.history.len() + 1, self.table.name(mv));
                self.note(&format!("step {step}: {text} after {} simulations", effort.simulations));
                return text;
            }
            self.signals.is_wanted.store(false, Ordering::Release);
            while let Ok(order) = self.orders.try_recv() {
                match order {
                    Order::Switch(machine) => self.switch(machine),
                    other => self.waiting.push_back(other),
                }
            }
        }
    }

    /// What a joint move of the server means in this position.
    fn sense(&self, moves: Option<&[String]>) -> Sense {
        let Some(moves) = moves else {
            let is_answered = !self.history.is_empty() || self.said.is_some();
            return if is_answered { Sense::Again } else { Sense::Nothing };
        };
        let is_known = self.history.last().is_some_and(|last| last == moves);
        match self.table.joint(moves) {
            // Who repeats a step has heard our answer to the first time and would send that, not the old one.
            Ok(joint) if is_known => {
                let own = self.table.name(joint[self.table.role.index()]);
                if self.said.as_ref().is_some_and(|said| *said != own) { Sense::Again } else { Sense::Step(joint) }
            }
            Ok(joint) => Sense::Step(joint),
            Err(_) if is_known => Sense::Again,
            Err(reason) => Sense::Wrong(reason),
        }
    }

    /// Goes on with the machine, if there is one, from the position that was reached without it.
    fn switch(&mut self, machine: Result<Arc<Machine>, String>) {
        self.awaits_machine = false;
        let machine = match machine {
            Ok(machine) => machine,
            Err(reason) => return self.note(&format!("no machine: {reason}")),
        };
        let mut table = self.readable.compiled(machine, &self.assignment.task);
        for moves in &self.history {
            match table.joint(moves) {
                Ok(joint) => table.advance(&joint),
                Err(reason) => return self.note(&format!("the machine cannot follow: {reason}")),
            }
        }
        self.table = table;
        self.note("rules compiled; switching to the machine");
    }

    fn note(&self, text: &str) {
        self.assignment.journal.note(format_args!("{text}"));
    }
}

/// Has the rules compiled; the machine, or why there is none, goes to the inbox.
fn begin_compiling(assignment: &Assignment, inbox: Sender<Order>, signals: &Arc<Signals>) {
    let (task, limits, signals) = (assignment.task.clone(), assignment.limits, Arc::clone(signals));
    let work = move || {
        let is_needed = || !signals.is_over.load(Ordering::Acquire);
        if let Some(result) = workshop::compile(&task.rules, limits, &task.spec, &is_needed) {
            let _ = inbox.send(Order::Switch(result));
            signals.is_wanted.store(true, Ordering::Release);
        }
    };
    // Without a thread there is no machine, and the interpreter plays.
    let _ = thread::Builder::new().name("compiler".into()).stack_size(STACK).spawn(work);
}
