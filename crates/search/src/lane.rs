//! [`LaneWorld`]: a world in one lane of an engine that makes the steps of hundreds of worlds together.
//!
//! A simulation that needs an answer leaves its wish at the [`Desk`] and pauses. When all have done so the engine makes one
//! tick, and every simulation goes on with the answer.

use crate::world::World;
use ludens_game::{Lanes, Move, Rng, Role};
use std::{cell::RefCell, future::poll_fn, task::Poll};

/// The engine and who waits for what.
pub(crate) struct Desk {
    engine: Box<dyn Lanes>,
    /// How many lanes are in use.
    pub(crate) active: usize,
    /// Lanes at the end of a game that wait for its scores, since the last round.
    waiting: Vec<usize>,
    /// Ticks that lanes have lost by waiting for scores since these were last computed.
    lost: f64,
    /// How often scores were computed.
    settled: u64,
}

impl Desk {
    pub(crate) fn new(engine: Box<dyn Lanes>, active: usize) -> Desk {
        Desk { engine, active, waiting: Vec::new(), lost: 0.0, settled: 0 }
    }

    /// Computes the scores if enough lanes wait for them, and tells which lanes can go on now.
    ///
    /// It is due when waiting has cost the lanes as much as computing will; or when all wait.
    pub(crate) fn settle_if_due(&mut self) -> Vec<usize> {
        self.lost += self.waiting.len() as f64;
        let mut served = std::mem::take(&mut self.waiting);
        let due = self.lost >= self.engine.settle_cost() * self.engine.lanes() as f64 || served.len() == self.active;
        if served.is_empty() || !due {
            served.clear();
            return served;
        }
        self.engine.settle();
        self.settled += 1;
        self.lost = 0.0;
        served
    }

    pub(crate) fn tick(&mut self) {
        self.engine.tick();
    }
}

/// A world in one lane.
pub(crate) struct LaneWorld<'d> {
    desk: &'d RefCell<Desk>,
    lane: usize,
    roles: usize,
    /// The phase of its root.
    home_phase: u32,
    /// Whether the world is at its root while the engine still has its last position.
    is_home: bool,
    /// Room for a state.
    row: Vec<u64>,
}

impl<'d> LaneWorld<'d> {
    pub(crate) fn new(desk: &'d RefCell<Desk>, lane: usize, roles: usize) -> LaneWorld<'d> {
        LaneWorld { desk, lane, roles, home_phase: 0, is_home: true, row: Vec::new() }
    }

    /// Makes a state the root.
    pub(crate) fn move_home(&mut self, state: &[u64]) {
        let engine = &mut self.desk.borrow_mut().engine;
        engine.set_home(self.lane, state);
        self.home_phase = engine.phase_of(state);
        self.is_home = true;
    }

    /// How many lanes share the time.
    pub(crate) fn sharers(&self) -> u32 {
        self.desk.borrow().active.max(1) as u32
    }
}

/// Until all others have had their turn.
async fn pause() {
    let mut asked = false;
    poll_fn(|_| if std::mem::replace(&mut asked, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

impl World for LaneWorld<'_> {
    fn roles(&self) -> usize {
        self.roles
    }

    #[inline]
    fn reset(&mut self) {
        self.is_home = true;
    }

    #[inline]
    async fn advance(&mut self, joint: &[Move]) {
        if self.is_home {
            while self.desk.borrow().engine.phase() != self.home_phase {
                pause().await;
            }
            self.desk.borrow_mut().engine.rewind(self.lane);
            self.is_home = false;
        }
        {
            let engine = &mut self.desk.borrow_mut().engine;
            for (role, &mv) in Role::all(self.roles).zip(joint) {
                engine.play(self.lane, role, mv);
            }
        }
        pause().await;
    }

    #[inline]
    fn legals(&self, role: Role, out: &mut Vec<Move>) {
        self.desk.borrow().engine.legal(self.lane, role).list(out);
    }

    #[inline]
    fn playout_moves(&self, role: Role, out: &mut Vec<Move>) {
        self.legals(role, out);
    }

    fn codes(&self, _: Role, moves: &[Move], out: &mut Vec<u32>) {
        out.clear();
        out.extend(moves.iter().map(|mv| mv.0));
    }

    #[inline]
    async fn scores(&mut self, out: &mut [f64]) -> bool {
        if !self.desk.borrow().engine.is_terminal(self.lane) {
            return false;
        }
        let before = self.desk.borrow().settled;
        while self.desk.borrow().settled == before {
            self.desk.borrow_mut().waiting.push(self.lane);
            pause().await;
        }
        self.desk.borrow().engine.scores(self.lane, out);
        true
    }

    async fn cutoff_scores(&mut self, out: &mut [f64]) {
        if !self.scores(out).await {
            out.fill(0.5);
        }
    }

    fn hash(&mut self) -> Option<u64> {
        let engine = &self.desk.borrow().engine;
        self.row.resize(engine.state_words(), 0);
        engine.store(self.lane, &mut self.row);
        Some(engine.hash(&self.row))
    }

    fn fast_playout(&mut self, _: &mut Rng, _: u32) -> Option<u32> {
        None
    }
}
