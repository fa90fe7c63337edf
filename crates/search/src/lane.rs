//! [`LaneWorld`]: a world in one lane of an engine that makes the steps of hundreds of worlds together.
//!
//! A simulation that needs an answer leaves its wish at the [`Desk`] and pauses. When all have done so the engine makes one
//! tick, and every simulation goes on with the answer. Playouts are most of the work: their walks are lent to the desk, which
//! plays them all in one short loop.

use crate::{
    options::Options,
    walk::{Legals, Lent, Sight, Walk},
    world::World,
};
use ludens_game::{Lanes, Move, Role};
use std::{cell::RefCell, future::poll_fn, task::Poll};

/// The engine and who waits for what.
pub(crate) struct Desk {
    engine: Box<dyn Lanes>,
    /// How many lanes are in use.
    pub(crate) active: usize,
    /// By lane: its playout.
    playouts: Vec<Option<Playout>>,
    /// Lanes at the end of a game that wait for its scores, since the last round.
    waiting: Vec<usize>,
    patience: Patience,
    /// How often scores were computed.
    settled: u64,
}

/// A playout under way.
struct Playout {
    walk: Box<Walk>,
    /// So many steps it may still make.
    left: u32,
    /// Whether the walk has its scores.
    is_over: bool,
}

impl Desk {
    pub(crate) fn new(engine: Box<dyn Lanes>, active: usize) -> Desk {
        let playouts = (0..active).map(|_| None).collect();
        Desk { engine, active, playouts, waiting: Vec::new(), patience: Patience::default(), settled: 0 }
    }

    /// Makes the step of a lane's playout for the coming tick; `false` if it has none that goes on.
    #[inline]
    pub(crate) fn play_on(&mut self, lane: usize) -> bool {
        let Some(Playout { walk, left, is_over }) = &mut self.playouts[lane] else { return false };
        if *is_over {
            return false;
        }
        if self.engine.is_terminal(lane) {
            self.waiting.push(lane);
            return true;
        }
        if *left == 0 {
            walk.scores.fill(0.5);
            *is_over = true;
            return false;
        }
        *left -= 1;
        walk.pick_moves(&LaneSight { engine: &*self.engine, lane });
        play_joint(&mut *self.engine, lane, &walk.joint);
        true
    }

    /// The same for all lanes; `idle` gets those that have none.
    pub(crate) fn play_all(&mut self, idle: &mut Vec<usize>) {
        for lane in 0..self.playouts.len() {
            if !self.play_on(lane) {
                idle.push(lane);
            }
        }
    }

    /// Computes the scores if enough lanes wait for them, and tells which lanes can go on now.
    pub(crate) fn settle_if_due(&mut self) -> Vec<usize> {
        let mut served = std::mem::take(&mut self.waiting);
        let cost = self.engine.settle_cost() * self.engine.lanes() as f64;
        if !self.patience.ends(served.len(), self.active, cost) {
            served.clear();
            return served;
        }
        self.engine.settle();
        self.settled += 1;
        for &lane in &served {
            if let Some(playout) = &mut self.playouts[lane] {
                self.engine.scores(lane, &mut playout.walk.scores);
                playout.is_over = true;
            }
        }
        served
    }

    pub(crate) fn tick(&mut self) {
        self.engine.tick();
    }
}

/// How long lanes at the end of a game wait for its scores, which cost the same for one lane as for all.
#[derive(Default)]
pub(crate) struct Patience {
    /// Ticks that lanes have lost by waiting since the scores were last computed.
    lost: usize,
}

impl Patience {
    /// Whether the scores are to be computed now, before the coming tick: if waiting has cost the lanes as much as that will
    /// (`cost`, in ticks of single lanes), or if all that are under way wait.
    pub(crate) fn ends(&mut self, waiting: usize, under_way: usize, cost: f64) -> bool {
        self.lost += waiting;
        let ends = waiting > 0 && (waiting == under_way || self.lost as f64 >= cost);
        if ends {
            self.lost = 0;
        }
        ends
    }
}

/// Gives a lane its joint move for the coming tick.
#[inline]
pub(crate) fn play_joint(engine: &mut dyn Lanes, lane: usize, joint: &[Move]) {
    for (role, &mv) in Role::all(joint.len()).zip(joint) {
        engine.play(lane, role, mv);
    }
}

/// What a simulation in a lane sees.
pub(crate) struct LaneSight<'d> {
    pub(crate) engine: &'d dyn Lanes,
    pub(crate) lane: usize,
}

impl LaneSight<'_> {
    /// See [`Lanes::hash`]; `row` is room for a state.
    pub(crate) fn hash(&self, row: &mut Vec<u64>) -> u64 {
        row.resize(self.engine.state_words(), 0);
        self.engine.store(self.lane, row);
        self.engine.hash(row)
    }
}

impl Legals for LaneSight<'_> {
    #[inline]
    fn legals(&self, role: Role, out: &mut Vec<Move>) {
        self.engine.legal(self.lane, role).list(out);
    }

    fn codes(&self, _: Role, moves: &[Move], out: &mut Vec<u32>) {
        out.clear();
        out.extend(moves.iter().map(|mv| mv.0));
    }
}

impl Sight for LaneSight<'_> {
    #[inline]
    fn options<'a>(&'a self, role: Role, _: &'a mut Vec<Move>) -> Options<'a> {
        Options::Row(self.engine.legal(self.lane, role))
    }
}

/// A world in one lane.
pub(crate) struct LaneWorld<'d> {
    desk: &'d RefCell<Desk>,
    lane: usize,
    /// The phase of its root.
    home_phase: u32,
    /// Whether the world is at its root while the engine still has its last position.
    is_home: bool,
    /// Room for a state.
    row: Vec<u64>,
}

impl<'d> LaneWorld<'d> {
    pub(crate) fn new(desk: &'d RefCell<Desk>, lane: usize) -> LaneWorld<'d> {
        LaneWorld { desk, lane, home_phase: 0, is_home: true, row: Vec::new() }
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

impl Legals for LaneWorld<'_> {
    #[inline]
    fn legals(&self, role: Role, out: &mut Vec<Move>) {
        LaneSight { engine: &*self.desk.borrow().engine, lane: self.lane }.legals(role, out);
    }

    fn codes(&self, role: Role, moves: &[Move], out: &mut Vec<u32>) {
        LaneSight { engine: &*self.desk.borrow().engine, lane: self.lane }.codes(role, moves, out);
    }
}

impl World for LaneWorld<'_> {
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
        play_joint(&mut *self.desk.borrow_mut().engine, self.lane, joint);
        pause().await;
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
        Some(LaneSight { engine: &*self.desk.borrow().engine, lane: self.lane }.hash(&mut self.row))
    }

    async fn play_out(&mut self, walk: &mut Lent<Walk>, limit: u32) {
        let playout = Playout { walk: walk.lend(), left: limit, is_over: false };
        self.desk.borrow_mut().playouts[self.lane] = Some(playout);
        // Whoever drives the lanes comes back when the playout is over.
        pause().await;
        let playout = self.desk.borrow_mut().playouts[self.lane].take().expect("the playout stays at the desk");
        walk.give_back(playout.walk);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_when_waiting_has_cost_enough() {
        let mut patience = Patience::default();
        // Two, then three lanes wait: 5 ticks are lost where computing costs 5.
        assert!(!patience.ends(0, 8, 5.0) && !patience.ends(2, 8, 5.0) && patience.ends(3, 8, 5.0));
        // It begins anew, and ends at once where nobody goes on.
        assert!(!patience.ends(3, 8, 5.0) && patience.ends(1, 1, 5.0));
        assert!(!patience.ends(0, 0, 0.0), "nobody waits");
    }
}
