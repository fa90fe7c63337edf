//! [`Search`]: a player that searches.
//!
//! | file | holds |
//! |---|---|
//! | `search.rs` | a seat of a game, from the first move to the last; the move that is played |
//! | `search/threads.rs` | the threads of one search |
//! | `search/beforehand.rs` | weights learned before a game |
//! | `search/report.rs` | what it thinks, as data |

mod beforehand;
mod report;
mod threads;

use crate::{
    budget::{Budget, Meter},
    learned::Learned,
    lockstep::LaneSlot,
    player::{Player, SearchObserver},
    report::{ArmReport, Effort, Report},
    runner::{RunState, Runner},
    settings::{BatchSize, Final, Settings},
    solver,
    spec::Spec,
    table::MAX_CODES,
    trail::CodeSpace,
    tree::NodeId,
    trial::batch_pays,
    worker::{Parts, Worker},
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
    role: Role,
    spec: Spec,
    settings: Settings,
    space: CodeSpace,
    learned: Arc<dyn Learned>,
    /// One per thread.
    runners: Vec<Runner>,
    state: G::State,
    steps_played: u32,
    /// The move of the last choice, from the position that the player is in.
    chosen: Option<Move>,
    effort: Effort,
    seed: Seed,
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
        let mut search = Search::in_a_lane(game, role, spec, learned)?;
        // This takes its time, which should not be that of a search.
        if search.settings.batch != BatchSize::Auto || batch_pays(&*search.game, &|| search.new_worker()) {
            for runner in &mut search.runners {
                runner.allow_batch(&*search.game);
            }
        }
        Ok(search)
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
        let settings = spec.settings();
        let seed = Seed::new(0);
        let mut search = Search {
            role,
            spec: spec.clone(),
            space,
            learned,
            runners: Vec::new(),
            state: game.initial(),
            game,
            steps_played: 0,
            chosen: None,
            effort: Effort::default(),
            seed,
            settings,
        };
        search.runners = (0..search.settings.threads).map(|_| Runner::new(search.new_worker())).collect();
        search.start(seed);
        Ok(search)
    }

    fn new_worker(&self) -> Worker {
        let (select, select_args) = self.spec.select();
        Worker::new(Parts {
            space: self.space.clone(),
            settings: self.settings.clone(),
            select: (select.build)(select_args),
            policies: self.spec.policies().map(|(entry, args)| (entry.build)(args, &self.space)).collect(),
            rng: self.seed.rng(),
        })
    }

    /// The current position.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The role that it plays.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Its spec.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Simulations, steps and time of the last search.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    fn legals(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.game.legals(&self.state, self.role, &mut moves);
        moves
    }

    /// Begins a search, unless there is nothing to think about. `stop` may end what is learned beforehand.
    fn begin(&mut self, budget: &Budget, stop: &dyn Fn() -> bool) -> Option<Meter> {
        self.effort = Effort::default();
        self.chosen = None;
        let is_forced = self.legals().len() == 1 && !self.settings.think_every;
        if is_forced || !self.spec.searches() {
            return None;
        }
        self.install_learned(stop);
        let time = if self.steps_played == 0 { budget.start.or(budget.time) } else { budget.time };
        let meter = Meter::start(Budget { time, ..*budget });
        let threads = self.runners.len();
        for (thread, runner) in self.runners.iter_mut().enumerate() {
            runner.begin_search(&*self.game, &self.state, &budget.share(thread, threads));
        }
        Some(meter)
    }

    /// Chooses a move by simulations in a lane: always on one thread.
    pub(crate) async fn choose_in(
        &mut self,
        lane: LaneSlot<'_>,
        budget: &Budget,
        stop: &dyn Fn() -> bool,
    ) -> (Move, Effort) {
        if let Some(meter) = self.begin(budget, stop) {
            let runner = self.runners.pop().expect("a search in a lane has one runner");
            let row = self.game.row(&self.state).expect("a game with lanes has rows");
            self.runners.push(lane.search(runner, meter.clone(), row).await);
            self.end(&meter);
            // While this search ran all others did.
            self.effort.time /= lane.sharers();
        }
        self.conclude()
    }

    /// Notes what the search that `meter` measures has cost so far.
    fn end(&mut self, meter: &Meter) {
        self.effort = Effort {
            simulations: self.runners.iter().map(|runner| runner.worker.simulations).sum(),
            steps: self.runners.iter().map(|runner| runner.worker.steps).sum(),
            time: meter.elapsed(),
        };
    }

    /// The choice after a search.
    fn conclude(&mut self) -> (Move, Effort) {
        let legals = self.legals();
        let mv = match legals[..] {
            [only] => only,
            _ if !self.spec.searches() => self.random_move(),
            _ => self.final_move().unwrap_or(legals[0]),
        };
        self.chosen = Some(mv);
        (mv, self.effort)
    }

    /// The move of a player that does not search. It depends on the seed and the step alone, so that a player that was made
    /// anew goes on as the one before would have.
    fn random_move(&self) -> Move {
        let mut moves = Vec::new();
        self.game.playout_moves(&self.state, self.role, &mut moves);
        let mut rng = self.seed.named("random").at(u64::from(self.steps_played)).rng();
        moves[rng.below(moves.len() as u32) as usize]
    }

    /// The move to play, from the arms at the root.
    fn final_move(&mut self) -> Option<Move> {
        let arms = self.root_arms();
        if let Some(mv) = self.proven_move() {
            return Some(mv);
        }
        let value = |arm: &ArmReport| {
            let score = arm.score.unwrap_or(-1.0);
            match self.settings.final_by {
                Final::Visits => (arm.visits as f64, score),
                Final::Score => (score, 0.0),
            }
        };
        let best = arms.iter().map(value).max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)))?;
        let candidates: Vec<_> = arms.iter().filter(|arm| value(arm) == best).map(|arm| arm.mv).collect();
        let rng = &mut self.runners[0].worker.chain.rng;
        Some(candidates[rng.below(candidates.len() as u32) as usize])
    }

    /// With the solver: the move that gets the proven result, or else one that is not proven lost.
    fn proven_move(&self) -> Option<Move> {
        if !self.settings.solver {
            return None;
        }
        self.runners.iter().find_map(|Runner { worker, .. }| {
            let (tree, root) = (&worker.tree, worker.tree.root()?);
            if tree.deciders(root) != 1 || tree.decider(root, 0) != self.role {
                return None;
            }
            let result = tree.result(root)?[self.role.index()];
            let arms = tree.arms(root, 0);
            let proving = (0..arms.len()).find(|&arm| solver::proven_score(tree, root, arm) == Some(result))?;
            Some(arms[proving].mv)
        })
    }
}

impl<G: Game> Player for Search<G> {
    fn start(&mut self, seed: Seed) {
        self.seed = seed;
        self.state = self.game.initial();
        self.steps_played = 0;
        self.chosen = None;
        self.effort = Effort::default();
        for (index, runner) in (0..).zip(&mut self.runners) {
            runner.worker.reset(seed.at(index).rng());
        }
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
        self.steps_played += 1;
        self.chosen = None;
        let hash = self.game.hash(&self.state);
        for Runner { worker, .. } in &mut self.runners {
            worker.new_turn();
            let root: Option<NodeId> = if self.settings.reuse { worker.successor(joint, hash) } else { None };
            if self.settings.reuse {
                worker.tree.advance(root);
            } else {
                worker.tree.clear();
            }
        }
    }

    fn report(&self) -> Report {
        self.make_report()
    }
}
