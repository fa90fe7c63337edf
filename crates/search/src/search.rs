//! [`Search`]: a player that searches.
//!
//! | file | holds |
//! |---|---|
//! | `search.rs` | a seat of a game, from the first move to the last |
//! | `search/core.rs` | its trees, and the move that is played |
//! | `search/threads.rs` | the threads of one search |
//! | `search/beforehand.rs` | weights learned before a game |
//! | `search/report.rs` | what it thinks, as data |

mod beforehand;
mod core;
mod report;
mod threads;

use self::{
    core::Core,
    threads::{begin_with_one_tree, run_all, run_with_one_tree},
};
use crate::{
    budget::{Budget, Meter},
    learned::Learned,
    lockstep::LaneSlot,
    player::{Player, SearchObserver},
    relay::Relay,
    report::{Effort, Report},
    runner::{RunState, Runner},
    settings::BatchSize,
    spec::Spec,
    table::MAX_CODES,
    trail::CodeSpace,
    trial::batch_pays,
};
use ludens_game::{Game, Move, Role, Seed};
use std::{
    cell::{Cell, RefCell},
    sync::Arc,
    time::Instant,
};

/// A seat of a game, played by the search that a [`Spec`] describes.
pub struct Search<G: Game> {
    game: Arc<G>,
    state: G::State,
    learned: Arc<dyn Learned>,
    core: Core,
}

/// Why a spec cannot play a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The game has fewer roles.
    #[error("{game} has no role {role}: its roles are numbered from 0 to {}", roles - 1)]
    NoSuchRole {
        /// The game's name.
        game: String,
        /// The role that was asked for.
        role: u8,
        /// How many roles it has.
        roles: usize,
    },
    /// The player looks ahead, which lanes cannot.
    #[error("{spec} looks ahead from single positions, so it cannot play in lanes")]
    NotInLanes {
        /// The player.
        spec: String,
    },
    /// The n-gram tables cannot tell so many moves apart.
    #[error("{game} has {moves} moves; policies can learn about at most {MAX_CODES}")]
    TooManyMoves {
        /// The game's name.
        game: String,
        /// Its moves, all roles together.
        moves: usize,
    },
}

impl<G: Game> Search<G> {
    /// A player for `role`. Policies that start with learned weights load them from, and store them in, `learned`.
    ///
    /// # Errors
    /// If the spec's policies cannot handle the size of the game.
    pub fn new(game: Arc<G>, role: Role, spec: &Spec, learned: Arc<dyn Learned>) -> Result<Search<G>, SearchError> {
        let Search { game, state, learned, mut core } = Search::in_a_lane(game, role, spec, learned)?;
        // This takes its time, which should not be that of a search.
        if core.settings.batch != BatchSize::Auto || batch_pays(&*game, &|| core.new_worker()) {
            for runner in &mut core.runners {
                runner.allow_batch(&*game);
            }
        }
        Ok(Search { game, state, learned, core })
    }

    /// A player that has one lane among those of others, and makes one simulation at a time.
    pub(crate) fn in_a_lane(
        game: Arc<G>,
        role: Role,
        spec: &Spec,
        learned: Arc<dyn Learned>,
    ) -> Result<Search<G>, SearchError> {
        let space = CodeSpace::of(&*game);
        if space.total() >= MAX_CODES {
            return Err(SearchError::TooManyMoves { game: game.name(), moves: space.total() });
        }
        Ok(Search { state: game.initial(), game, learned, core: Core::new(role, spec, space) })
    }

    /// The current position.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The role that it plays.
    pub fn role(&self) -> Role {
        self.core.role
    }

    /// Its spec.
    pub fn spec(&self) -> &Spec {
        &self.core.spec
    }

    /// Simulations, steps and time of the last search.
    pub fn effort(&self) -> Effort {
        self.core.effort
    }

    fn legals(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.game.legals(&self.state, self.core.role, &mut moves);
        moves
    }

    /// Begins a search, unless there is nothing to think about. `stop` may end what is learned beforehand.
    fn begin(&mut self, budget: &Budget, stop: &dyn Fn() -> bool) -> Option<Meter> {
        let legals = self.legals();
        let budget = self.core.begin(&legals, budget)?;
        self.install_learned(stop);
        let meter = Meter::start(budget);
        let (game, state, runners) = (&*self.game, &self.state, &mut self.core.runners);
        if self.core.settings.shares_tree {
            begin_with_one_tree(runners, &|runner| runner.begin_search(game, state, &budget));
        } else {
            let threads = runners.len();
            for (thread, runner) in runners.iter_mut().enumerate() {
                runner.begin_search(game, state, &budget.share(thread, threads));
            }
        }
        Some(meter)
    }

    /// Makes simulations until the budget is spent or `stop` says so.
    fn run(&mut self, meter: &Meter, stop: &dyn Fn() -> bool) -> RunState {
        let (game, state, threads) = (&*self.game, &self.state, self.core.runners.len());
        let progress = if self.core.settings.shares_tree {
            let take_turns = |runner: &mut Runner, thread: usize, relay: &Relay, stop: &dyn Fn() -> bool| {
                runner.take_turns(game, state, (thread, relay), stop);
            };
            run_with_one_tree(&mut self.core.runners, meter, &take_turns, stop)
        } else {
            let run = |runner: &mut Runner, thread: usize, stop: &dyn Fn() -> bool| {
                runner.run(game, state, &mut meter.share(thread, threads), stop)
            };
            run_all(&mut self.core.runners, &run, stop)
        };
        self.core.end(meter);
        progress
    }

    /// Chooses a move by simulations in a lane: always on one thread.
    pub(crate) async fn choose_in(
        &mut self,
        lane: LaneSlot<'_>,
        budget: &Budget,
        stop: &dyn Fn() -> bool,
    ) -> (Move, Effort) {
        if let Some(meter) = self.begin(budget, stop) {
            let runner = self.core.runners.pop().expect("a search in a lane has one runner");
            let row = self.game.row(&self.state).expect("a game with lanes has rows");
            self.core.runners.push(lane.search(runner, meter.clone(), row).await);
            self.core.end(&meter);
            // While this search ran all others did.
            self.core.effort.time /= lane.sharers();
        }
        self.conclude()
    }

    /// The choice after a search.
    fn conclude(&mut self) -> (Move, Effort) {
        let mut considered = Vec::new();
        if !self.core.spec.searches() {
            self.game.playout_moves(&self.state, self.core.role, &mut considered);
        }
        let legals = self.legals();
        self.core.conclude(&legals, &considered)
    }
}

impl<G: Game> Player for Search<G> {
    fn start(&mut self, seed: Seed) {
        self.state = self.game.initial();
        self.core.start(seed);
    }

    fn choose(&mut self, budget: &Budget, stop: &dyn Fn() -> bool) -> (Move, Effort) {
        if let Some(meter) = self.begin(budget, stop) {
            self.run(&meter, stop);
        }
        self.conclude()
    }

    fn choose_watched(&mut self, budget: &Budget, watch: &mut SearchObserver<'_>) -> (Move, Effort) {
        let (look, next) = (RefCell::new(&mut *watch.look), Cell::new(Instant::now() + watch.interval));
        let is_unwanted = || {
            Instant::now() >= next.get() && {
                next.set(Instant::now() + watch.interval);
                look.borrow_mut()(&Report::default()).is_break()
            }
        };
        if let Some(meter) = self.begin(budget, &is_unwanted) {
            loop {
                let pause = Instant::now() + watch.interval;
                // At least one simulation between two looks, so that the search comes to its end.
                let asked = Cell::new(false);
                if self.run(&meter, &|| asked.replace(true) && Instant::now() >= pause) == RunState::Ended {
                    break;
                }
                if (watch.look)(&self.report()).is_break() {
                    break;
                }
            }
        }
        self.conclude()
    }

    fn observe(&mut self, joint: &[Move]) {
        self.game.advance(&mut self.state, joint);
        self.core.observe(joint, self.game.hash(&self.state));
    }

    fn report(&self) -> Report {
        self.core.report(&self.legals(), &|role, mv| self.game.move_name(role, mv))
    }
}
