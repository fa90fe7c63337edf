//! The driver of hundreds of searches: one game per lane, all lanes make their steps together.
//!
//! Every lane is an async function that plays one game after another. It hands each of its searches to [`LaneSearches`] and sleeps
//! until that search is over. [`LaneSearches`] resumes the simulations of all lanes in one short loop, then the engine makes one
//! tick. A game is the same here as when it is played alone: all its randomness comes from its own seed.

use crate::{
    budget::{Budget, Meter},
    lane::{LaneEngine, LaneRoot},
    learned::Learned,
    play::{Mover, Played, play_seats},
    player::Player,
    report::Effort,
    runner::Runner,
    search::{Search, SearchError},
    spec::Spec,
};
use ludens_game::{DynGame, Game, Move, Role, Seed};
use std::{
    cell::RefCell,
    future::poll_fn,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

/// A game that is to be played.
#[derive(Clone, Debug)]
pub struct LaneGame {
    /// The number under which its result is reported.
    pub number: u64,
    /// The player of each role. In lanes every player has one thread and one simulation in flight, whatever its settings say.
    pub seats: Vec<Spec>,
    /// The budget of every player.
    pub budget: Budget,
    /// The seed; role r gets `seed.at(r)`.
    pub seed: Seed,
}

/// Where games come from and results go.
pub trait Schedule {
    /// The next game to play.
    fn next(&mut self) -> Option<LaneGame>;
    /// A search of some game has ended, after all its simulations or because it was stopped.
    fn searched(&mut self, effort: Effort) {
        let _ = effort;
    }
    /// A game has ended.
    fn finished(&mut self, number: u64, game: Played);
    /// Whether to abandon all games.
    fn is_stopped(&self) -> bool;
}

/// Everything that the lanes share.
struct Hall<'h, G> {
    game: &'h Arc<G>,
    learned: &'h Arc<dyn Learned>,
    searches: RefCell<LaneSearches>,
    schedule: RefCell<&'h mut dyn Schedule>,
}

/// The games of one lane.
type Lane<'h> = Pin<Box<dyn Future<Output = Result<(), SearchError>> + 'h>>;

/// Plays all games of a schedule in up to `lanes` lanes; `false` if the game has no lanes.
///
/// # Errors
/// If a spec cannot play the game.
pub(crate) fn lockstep<G: Game + 'static>(
    game: &Arc<G>,
    lanes: usize,
    schedule: &mut dyn Schedule,
    learned: &Arc<dyn Learned>,
) -> Result<bool, SearchError> {
    let Some(engine) = game.lanes(lanes) else { return Ok(false) };
    let searches = RefCell::new(LaneSearches::new(LaneEngine::new(engine, lanes), lanes));
    let hall = Hall { game, learned, searches, schedule: RefCell::new(schedule) };
    let mut players: Vec<Option<Lane<'_>>> =
        (0..lanes).map(|lane| Some(Box::pin(hall.play(lane)) as Lane<'_>)).collect();
    // Lanes whose search is over, or that have not begun.
    let mut awake: Vec<usize> = (0..lanes).rev().collect();
    let mut served = Vec::new();
    loop {
        while let Some(lane) = awake.pop() {
            hall.poll(&mut players[lane])?;
            hall.searches.borrow_mut().resume(lane, false, &mut awake);
        }
        let mut searches = hall.searches.borrow_mut();
        if searches.active == 0 || hall.schedule.borrow().is_stopped() {
            return Ok(true);
        }
        let active = searches.active;
        searches.engine.compute_scores_if_due(active, &mut served);
        for &lane in &served {
            searches.resume(lane, true, &mut awake);
        }
        if awake.is_empty() {
            searches.engine.tick();
            searches.resume_all(&mut awake);
        }
    }
}

/// The engine, and the searches in its lanes.
pub(crate) struct LaneSearches {
    engine: LaneEngine,
    /// By lane.
    by_lane: Vec<Option<LaneSearch>>,
    /// How many lanes have games to play.
    active: usize,
}

/// A search under way in a lane.
struct LaneSearch {
    runner: Runner,
    meter: Meter,
    root: LaneRoot,
}

impl LaneSearches {
    fn new(engine: LaneEngine, lanes: usize) -> LaneSearches {
        LaneSearches { engine, by_lane: (0..lanes).map(|_| None).collect(), active: lanes }
    }

    /// Goes on with the search of a lane, if it has one. If that is over now, the lane is `awake`.
    #[inline]
    fn resume(&mut self, lane: usize, is_scored: bool, awake: &mut Vec<usize>) {
        let Some(LaneSearch { runner, meter, root }) = &mut self.by_lane[lane] else { return };
        if runner.think(&mut self.engine.world(*root, is_scored), meter, &|| false).is_ready() {
            awake.push(lane);
        }
    }

    fn resume_all(&mut self, awake: &mut Vec<usize>) {
        for lane in 0..self.by_lane.len() {
            self.resume(lane, false, awake);
        }
    }
}

/// One of the lanes.
#[derive(Clone, Copy)]
pub(crate) struct LaneSlot<'d> {
    searches: &'d RefCell<LaneSearches>,
    lane: usize,
}

impl LaneSlot<'_> {
    /// Makes simulations from the root `state` until the budget is spent or the root is solved.
    pub(crate) async fn search(self, runner: Runner, meter: Meter, state: &[u64]) -> Runner {
        {
            let mut searches = self.searches.borrow_mut();
            let root = searches.engine.set_root(self.lane, state);
            searches.by_lane[self.lane] = Some(LaneSearch { runner, meter, root });
        }
        // The driver polls again when the search is over.
        pause().await;
        let search = self.searches.borrow_mut().by_lane[self.lane].take();
        search.expect("a search stays in its lane until it is over").runner
    }

    /// How many lanes share the time.
    pub(crate) fn sharers(self) -> u32 {
        self.searches.borrow().active.max(1) as u32
    }
}

/// Until the next poll.
async fn pause() {
    let mut asked = false;
    poll_fn(|_| if std::mem::replace(&mut asked, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

impl<'s, G: Game + 'static> Hall<'s, G> {
    /// Lets a lane go on until it pauses or has no more games.
    fn poll(&self, player: &mut Option<Lane<'_>>) -> Result<(), SearchError> {
        let Some(future) = player else { return Ok(()) };
        match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Pending => Ok(()),
            Poll::Ready(result) => {
                *player = None;
                self.searches.borrow_mut().active -= 1;
                result
            }
        }
    }

    /// Plays in one lane as long as there are games.
    async fn play(&self, lane: usize) -> Result<(), SearchError> {
        let mut seats = Vec::new();
        loop {
            let Some(task) = self.schedule.borrow_mut().next() else { return Ok(()) };
            seats = self.sit_down(lane, seats, &task)?;
            let stop = || self.schedule.borrow().is_stopped();
            let mut position = self.game.clone().start();
            let Some(played) = play_seats(&mut *position, &mut seats, (task.budget, task.seed), &stop).await else {
                return Ok(());
            };
            self.schedule.borrow_mut().finished(task.number, Played { in_lanes: true, ..played });
        }
    }

    /// The seats of a task; players of the last game who play on keep their memory.
    fn sit_down<'h>(
        &'h self,
        lane: usize,
        mut last: Vec<LaneMover<'h, 's, G>>,
        task: &LaneGame,
    ) -> Result<Vec<LaneMover<'h, 's, G>>, SearchError> {
        let mut seats = Vec::with_capacity(task.seats.len());
        if let Some(spec) = task.seats.iter().find(|spec| spec.settings().decisive > 0) {
            return Err(SearchError::NotInLanes { spec: spec.to_string() });
        }
        for (role, spec) in Role::all(self.game.roles()).zip(&task.seats) {
            let known = last.iter().position(|seat| seat.search.role() == role && seat.search.spec() == spec);
            seats.push(match known {
                Some(place) => last.swap_remove(place),
                None => LaneMover {
                    search: Search::in_a_lane(self.game.clone(), role, spec, self.learned.clone())?,
                    slot: LaneSlot { searches: &self.searches, lane },
                    schedule: &self.schedule,
                },
            });
        }
        Ok(seats)
    }
}

/// A search whose simulations run in a lane.
struct LaneMover<'h, 's, G: Game> {
    search: Search<G>,
    slot: LaneSlot<'h>,
    schedule: &'h RefCell<&'s mut dyn Schedule>,
}

impl<G: Game> Mover for LaneMover<'_, '_, G> {
    fn start(&mut self, seed: Seed) {
        self.search.start(seed);
    }

    async fn choose(&mut self, budget: &Budget, stop: &dyn Fn() -> bool) -> (Move, Effort) {
        let (mv, effort) = self.search.choose_in(self.slot, budget, stop).await;
        if effort.simulations > 0 {
            self.schedule.borrow_mut().searched(effort);
        }
        (mv, effort)
    }

    fn observe(&mut self, joint: &[Move]) {
        self.search.observe(joint);
    }
}
