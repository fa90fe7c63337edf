//! [`LaneWorld`]: a world in one lane of an engine that steps hundreds of positions together.
//!
//! Before every tick of the [`LaneEngine`] each simulation is resumed once: it reads what its lane has become and says what to
//! play next. Lanes at the end of a game wait until enough of them need their scores.

use crate::{options::Options, world::World};
use ludens_game::{Lanes, Move, Role};
use std::task::Poll;

/// An engine, and which of its lanes wait for scores.
pub(crate) struct LaneEngine {
    lanes: Box<dyn Lanes>,
    /// How many lanes are used.
    used: usize,
    /// Lanes at the end of a game that wait for its scores, since the last tick.
    waiting: Vec<usize>,
    patience: Patience,
    /// Room for a state.
    row: Vec<u64>,
}

impl LaneEngine {
    pub(crate) fn new(lanes: Box<dyn Lanes>, used: usize) -> LaneEngine {
        LaneEngine { lanes, used, waiting: Vec::new(), patience: Patience::default(), row: Vec::new() }
    }

    /// Makes a state the root of a lane.
    pub(crate) fn set_root(&mut self, lane: usize, state: &[u64]) -> LaneRoot {
        self.lanes.set_home(lane, state);
        LaneRoot { lane, phase: self.lanes.phase_of(state) }
    }

    /// Forgets who waits and what was told for the coming tick; afterwards lanes with this root can leave at once.
    pub(crate) fn clear(&mut self, root: LaneRoot) {
        self.waiting.clear();
        self.patience = Patience::default();
        self.lanes.tick();
        while self.lanes.phase() != root.phase {
            self.lanes.tick();
        }
    }

    /// A lane for a simulation to go on in. `is_scored`: its scores are computed if its game is over.
    #[inline]
    pub(crate) fn world(&mut self, root: LaneRoot, is_scored: bool) -> LaneWorld<'_> {
        LaneWorld { engine: self, root, is_scored }
    }

    /// Computes the scores if enough of the lanes under way wait for them; `served` gets the lanes that can go on.
    pub(crate) fn compute_scores_if_due(&mut self, under_way: usize, served: &mut Vec<usize>) {
        served.clear();
        let cost = self.lanes.scores_cost() * self.used as f64;
        if self.patience.ends(self.waiting.len(), under_way, cost) {
            self.lanes.compute_scores();
            std::mem::swap(&mut self.waiting, served);
        }
    }

    /// One step in all lanes that have said what to play.
    pub(crate) fn tick(&mut self) {
        self.waiting.clear();
        self.lanes.tick();
    }
}

/// The root of a search in a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneRoot {
    lane: usize,
    /// The phase in which the lane can leave it.
    phase: u32,
}

/// A world in one lane.
pub(crate) struct LaneWorld<'e> {
    engine: &'e mut LaneEngine,
    root: LaneRoot,
    is_scored: bool,
}

impl World for LaneWorld<'_> {
    #[inline]
    fn start(&mut self) -> Poll<()> {
        if self.engine.lanes.phase() != self.root.phase {
            return Poll::Pending;
        }
        self.engine.lanes.rewind(self.root.lane);
        Poll::Ready(())
    }

    #[inline]
    fn advance(&mut self, joint: &[Move]) -> Poll<()> {
        for (role, &mv) in Role::all(joint.len()).zip(joint) {
            self.engine.lanes.play(self.root.lane, role, mv);
        }
        Poll::Pending
    }

    #[inline]
    fn scores(&mut self, out: &mut [f64]) -> Poll<bool> {
        let lane = self.root.lane;
        if !self.engine.lanes.is_terminal(lane) {
            return Poll::Ready(false);
        }
        if !self.is_scored {
            self.engine.waiting.push(lane);
            return Poll::Pending;
        }
        self.engine.lanes.scores(lane, out);
        Poll::Ready(true)
    }

    fn cutoff_scores(&mut self, out: &mut [f64]) {
        self.engine.lanes.cutoff_scores(self.root.lane, out);
    }

    fn hash(&mut self) -> Option<u64> {
        let LaneEngine { lanes, row, .. } = &mut *self.engine;
        row.resize(lanes.state_words(), 0);
        lanes.store(self.root.lane, row);
        Some(lanes.hash(row))
    }

    #[inline]
    fn legals(&self, role: Role, out: &mut Vec<Move>) {
        self.engine.lanes.legal(self.root.lane, role).list(out);
    }

    fn codes(&self, role: Role, moves: &[Move], out: &mut Vec<u32>) {
        self.engine.lanes.codes(self.root.lane, role, moves, out);
    }

    fn look_ahead(&mut self, _: &[Move], _: &mut [f64]) -> bool {
        unreachable!("players that look ahead do not play in lanes")
    }

    fn wins(&self, _: Role, _: Move) -> Option<bool> {
        None
    }

    fn look_further(&mut self, _: &[Move], _: Role, _: Move, _: &mut [f64]) -> bool {
        unreachable!("players that look ahead do not play in lanes")
    }

    #[inline]
    fn options<'a>(&'a self, role: Role, _: &'a mut Vec<Move>) -> Options<'a> {
        Options::Row(self.engine.lanes.legal(self.root.lane, role))
    }
}

/// How long lanes at the end of a game wait for its scores, which cost the same for one lane as for all.
#[derive(Default)]
struct Patience {
    /// Ticks that lanes have lost by waiting since the scores were last computed.
    lost: usize,
}

impl Patience {
    /// Whether the scores are to be computed now, before the coming tick: if waiting has cost the lanes as much as that will
    /// (`cost`, in ticks of single lanes), or if all that are under way wait.
    fn ends(&mut self, waiting: usize, under_way: usize, cost: f64) -> bool {
        self.lost += waiting;
        let ends = waiting > 0 && (waiting == under_way || self.lost as f64 >= cost);
        if ends {
            self.lost = 0;
        }
        ends
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
