//! One tree for all threads of a search, `tree=shared`. It goes from thread to thread like a baton: only who has it reads or changes it.
//!
//! In its turn a thread leaves the results of its playout in the tree, descends again and adds a node. Then it hands the tree on and plays
//! out. So playouts run at the same time, and everything that needs the tree is done by one thread after the other.
//!
//! Turns go round in a fixed order, whoever is ready first. So with a number of simulations the same seed gives the same moves on every
//! machine. A simulation under way counts as lost wherever it has passed, as in a batch. When a search pauses these visits
//! are taken back, and counted again when it goes on. What the policies learn stays with their thread.
//!
//! By hand, for two threads and three simulations: thread 0 begins the first and hands on, thread 1 begins the second and hands on;
//! thread 0 ends the first and begins the third; thread 1 ends the second and leaves, since the third is the last; thread 0 ends it.

use crate::{budget::Meter, runner::RunState, tree::Tree, worker::Worker};
use std::{
    mem::swap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// Hands a tree from thread to thread.
pub(crate) struct Relay {
    baton: Mutex<Baton>,
    /// The thread whose turn it is.
    turn: AtomicUsize,
}

/// What is handed on.
struct Baton {
    tree: Tree,
    /// The limits of all threads together, and what they have made.
    meter: Meter,
    simulations: u64,
    steps: u64,
    /// By thread: whether it still takes turns, and whether it has a simulation under way.
    running: Vec<bool>,
    under_way: Vec<bool>,
    /// Why no simulation begins any more.
    end: Option<RunState>,
}

/// Nobody's turn: a thread has panicked.
const BROKEN: usize = usize::MAX;

/// How often a thread looks whether it has its turn before it lets others have the core. Most turns are shorter than a change of threads.
const LOOKS: u32 = 64;

impl Relay {
    /// A tree for threads of which these have a simulation under way, after so many simulations and steps of all.
    pub(crate) fn new(tree: Tree, under_way: Vec<bool>, meter: Meter, (simulations, steps): (u64, u64)) -> Relay {
        let running = vec![true; under_way.len()];
        let baton = Baton { tree, meter, simulations, steps, running, under_way, end: None };
        Relay { baton: Mutex::new(baton), turn: AtomicUsize::new(0) }
    }

    /// The tree after the race, and how it ended.
    pub(crate) fn end(self) -> (Tree, RunState) {
        let baton = self.baton.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Without a reason all simulations that were allowed have begun.
        (baton.tree, baton.end.unwrap_or(RunState::Ended))
    }

    /// Waits for the turn of a thread, and puts the tree into its worker. None: another thread has panicked.
    pub(crate) fn wait(&self, thread: usize, worker: &mut Worker) -> Option<Turn<'_>> {
        let mut looks = 0;
        loop {
            match self.turn.load(Ordering::Acquire) {
                turn if turn == thread => break,
                BROKEN => return None,
                _ if looks < LOOKS => std::hint::spin_loop(),
                _ => thread::yield_now(),
            }
            looks += 1;
        }
        let mut baton = self.baton.lock().unwrap_or_else(PoisonError::into_inner);
        swap(&mut baton.tree, &mut worker.tree);
        Some(Turn { relay: self, thread, baton, made: (worker.simulations, worker.steps) })
    }
}

/// While it lives, a panic of this thread ends the race for all others, who would wait for it.
pub(crate) struct Runs<'r>(pub(crate) &'r Relay);

impl Drop for Runs<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.turn.store(BROKEN, Ordering::Release);
        }
    }
}

/// A thread has the tree.
pub(crate) struct Turn<'r> {
    relay: &'r Relay,
    thread: usize,
    baton: MutexGuard<'r, Baton>,
    /// The simulations and steps of its worker that have been counted.
    made: (u64, u64),
}

impl Turn<'_> {
    /// Notes what the worker has made in this turn, and whether it has a simulation under way.
    pub(crate) fn count(&mut self, worker: &Worker, is_under_way: bool) {
        let baton = &mut *self.baton;
        baton.simulations += worker.simulations - self.made.0;
        baton.steps += worker.steps - self.made.1;
        self.made = (worker.simulations, worker.steps);
        baton.under_way[self.thread] = is_under_way;
    }

    /// Whether somebody has asked to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.baton.end == Some(RunState::Stopped)
    }

    /// Whether one more simulation may begin, if nobody asks to stop.
    pub(crate) fn may_begin(&mut self, worker: &Worker, stop: bool) -> bool {
        let baton = &mut *self.baton;
        if baton.end.is_none() {
            let is_spent = baton.meter.is_spent(baton.simulations, baton.steps, worker.tree.len());
            baton.end = match (is_spent || worker.is_solved(), stop) {
                (true, _) => Some(RunState::Ended),
                (_, true) => Some(RunState::Stopped),
                _ => None,
            };
        }
        let under_way = baton.under_way.iter().filter(|&&is_under_way| is_under_way).count();
        baton.end.is_none() && baton.meter.allows(baton.simulations + under_way as u64)
    }

    /// The thread takes no more turns.
    pub(crate) fn leave(mut self, worker: &mut Worker) {
        self.baton.running[self.thread] = false;
        self.hand_on(worker);
    }

    /// The next thread has the tree.
    pub(crate) fn hand_on(mut self, worker: &mut Worker) {
        swap(&mut self.baton.tree, &mut worker.tree);
        let running = &self.baton.running;
        let next = (1..=running.len()).map(|ahead| (self.thread + ahead) % running.len()).find(|&next| running[next]);
        drop(self.baton);
        // Where nobody is left, nobody looks.
        self.relay.turn.store(next.unwrap_or(self.thread), Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{budget::Budget, trail::CodeSpace, worker::Parts};
    use ludens_game::{Seed, toy::TicTacToe};

    fn worker() -> Worker {
        let spec: crate::Spec = "uct@threads=2,tree=shared".parse().expect("a spec");
        let (select, args) = spec.select();
        Worker::new(Parts {
            space: CodeSpace::of(&TicTacToe),
            settings: spec.settings(),
            select: (select.build)(args),
            policies: Vec::new(),
            rng: Seed::new(1).rng(),
        })
    }

    #[test]
    fn three_simulations_of_two_threads_by_hand() {
        // The example at the top of this file.
        let mut workers = [worker(), worker()];
        let meter = Meter::start(Budget::simulations(3));
        let relay = Relay::new(worker().tree, vec![false; 2], meter, (0, 0));
        let mut take_turn = |thread: usize, has_ended: bool, begins: bool| {
            assert_eq!(relay.turn.load(Ordering::Acquire), thread);
            let worker = &mut workers[thread];
            let mut turn = relay.wait(thread, worker).expect("nobody has panicked");
            if has_ended {
                worker.simulations += 1;
                turn.count(worker, false);
            }
            assert_eq!(turn.may_begin(worker, false), begins);
            if begins {
                turn.count(worker, true);
                turn.hand_on(worker);
            } else {
                turn.leave(worker);
            }
        };
        take_turn(0, false, true);
        take_turn(1, false, true);
        take_turn(0, true, true);
        take_turn(1, true, false);
        take_turn(0, true, false);
        assert_eq!(relay.end().1, RunState::Ended);
    }

    #[test]
    fn who_panics_ends_the_race() {
        let relay = Relay::new(worker().tree, vec![false; 2], Meter::start(Budget::simulations(9)), (0, 0));
        let panics = || {
            let _runs = Runs(&relay);
            panic!("on purpose");
        };
        assert!(crate::isolate(panics).is_err());
        assert!(relay.wait(1, &mut worker()).is_none());
    }
}
