//! [`Search`]: a player that searches.

use crate::{
    batch::Batch,
    budget::{Budget, Meter},
    drive::{Progress, drive, think},
    lane::LaneWorld,
    learned::Learned,
    player::{Player, Watch},
    report::{ArmReport, Effort, Liking, Report},
    settings::{BatchSize, Final, Settings},
    solver,
    spec::Spec,
    table::MAX_CODES,
    trail::CodeSpace,
    tree::NodeId,
    trial::batch_pays,
    worker::{Parts, Worker},
    world::Local,
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
    workers: Vec<Worker>,
    state: G::State,
    steps_played: u32,
    /// The move of the last choice, from the position that the player is in.
    chosen: Option<Move>,
    effort: Effort,
    seed: Seed,
}

/// Why a spec cannot play a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The n-gram tables cannot tell so many moves apart.
    #[error("{game} has {moves} moves, sequences can be learned of at most {MAX_CODES}")]
    TooManyMoves {
        /// The game's name.
        game: String,
        /// Its moves, all roles together.
        moves: usize,
    },
}

impl<G: Game> Search<G> {
    /// A player for `role`. Policies that start with learned weights take them from, and leave them in, `learned`.
    ///
    /// # Errors
    /// If the spec's policies cannot handle the size of the game.
    pub fn new(game: Arc<G>, role: Role, spec: &Spec, learned: Arc<dyn Learned>) -> Result<Search<G>, SearchError> {
        let mut search = Search::in_a_lane(game, role, spec, learned)?;
        // This takes its time, which should not be that of a search.
        if search.settings.batch != BatchSize::Auto || batch_pays(&*search.game, &|| search.new_worker()) {
            for worker in &mut search.workers {
                worker.batch = Batch::new(&*search.game, worker);
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
            workers: Vec::new(),
            state: game.initial(),
            game,
            steps_played: 0,
            chosen: None,
            effort: Effort::default(),
            seed,
            settings,
        };
        search.workers = (0..search.settings.threads).map(|_| search.new_worker()).collect();
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

    /// The position that the player is in.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The role that it plays.
    pub fn role(&self) -> Role {
        self.role
    }

    /// How it plays.
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
        let threads = self.workers.len();
        let mut world = Local::new(&*self.game, &self.state);
        for (thread, worker) in self.workers.iter_mut().enumerate() {
            worker.begin_search(&mut world, budget.share(thread, threads).simulations.unwrap_or(0));
            if let Some(batch) = worker.batch.as_mut().filter(|_| self.settings.batch.is_many(budget)) {
                batch.begin_search(self.game.row(&self.state).expect("a game with lanes has rows"));
            }
        }
        Some(meter)
    }

    /// Runs all workers until their budgets are spent, or until `stop` says so: only then there is more to do.
    fn run(&mut self, meter: &Meter, stop: &dyn Fn() -> bool) -> Progress {
        let threads = self.workers.len();
        let (game, state) = (&*self.game, &self.state);
        let in_flight = self.settings.batch.is_many(meter.budget());
        let run = |worker: &mut Worker, thread: usize, stop: &dyn Fn() -> bool| {
            let meter = meter.share(thread, threads);
            let Some(mut batch) = worker.batch.take_if(|_| in_flight) else {
                return drive(worker, &mut Local::new(game, state), meter, stop);
            };
            let progress = batch.drive(worker, meter, stop);
            worker.batch = Some(batch);
            progress
        };
        let progress = match self.workers.as_mut_slice() {
            [worker] => run(worker, 0, stop),
            workers => {
                // Only the first thread asks the caller; its answer is passed on.
                let stopped = std::sync::atomic::AtomicBool::new(false);
                let order = std::sync::atomic::Ordering::Relaxed;
                std::thread::scope(|scope| {
                    let (first, others) = workers.split_first_mut().expect("there is a worker");
                    for (thread, worker) in (1..).zip(others) {
                        let (run, stopped) = (&run, &stopped);
                        scope.spawn(move || run(worker, thread, &|| stopped.load(order)));
                    }
                    run(first, 0, &|| {
                        let stop = stop();
                        stopped.fetch_or(stop, order);
                        stop
                    })
                })
            }
        };
        self.end(meter);
        progress
    }

    /// Chooses a move by simulations in a lane: always by one worker.
    pub(crate) async fn choose_in(
        &mut self,
        world: &mut LaneWorld<'_>,
        budget: &Budget,
        stop: &dyn Fn() -> bool,
    ) -> (Move, Effort) {
        if let Some(meter) = self.begin(budget, stop) {
            world.move_home(self.game.row(&self.state).expect("a game with lanes has rows"));
            think(&mut self.workers[0], world, meter.clone(), stop).await;
            self.end(&meter);
            // While this search ran all others did.
            self.effort.time /= world.sharers();
        }
        self.conclude()
    }

    /// Notes what the search that `meter` measures has cost so far.
    fn end(&mut self, meter: &Meter) {
        self.effort = Effort {
            simulations: self.workers.iter().map(|worker| worker.simulations).sum(),
            steps: self.workers.iter().map(|worker| worker.walk.steps).sum(),
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

    /// The arms of the player's role at the root, all workers added up.
    fn root_arms(&self) -> Vec<ArmReport> {
        let mut arms: Vec<ArmReport> = Vec::new();
        let mut sums = Vec::new();
        for worker in &self.workers {
            let Some(root) = worker.tree.root() else { continue };
            let amaf = worker.tree.amaf_of(root, self.role);
            for (place, arm) in worker.tree.arms_of(root, self.role).unwrap_or_default().iter().enumerate() {
                if arms.len() <= place {
                    let name = self.game.move_name(self.role, arm.mv);
                    arms.push(ArmReport { mv: arm.mv, name, visits: 0, score: None, amaf: None });
                    sums.push(0.0);
                }
                arms[place].visits += u64::from(arm.visits);
                arms[place].amaf = amaf.get(arm.mv.index()).and_then(|sums| sums.mean());
                sums[place] += arm.score;
            }
        }
        for (arm, sum) in arms.iter_mut().zip(sums) {
            arm.score = (arm.visits > 0).then(|| sum / arm.visits as f64);
        }
        arms
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
        let rng = &mut self.workers[0].walk.rng;
        Some(candidates[rng.below(candidates.len() as u32) as usize])
    }

    /// With the solver: the move that gets the proven result, or else one that is not proven lost.
    fn proven_move(&self) -> Option<Move> {
        if !self.settings.solver {
            return None;
        }
        self.workers.iter().find_map(|worker| {
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

    /// The move that was chosen and then the arms that the first worker would follow, by name, until the tree ends.
    fn expected_line(&self) -> Vec<String> {
        let tree = &self.workers[0].tree;
        let mut line = Vec::new();
        let mut met = Vec::new();
        let mut next = tree.root();
        while let Some(node) = next.filter(|node| !met.contains(node)) {
            met.push(node);
            if tree.is_terminal(node) || tree.node(node).visits == 0 {
                break;
            }
            let own = self.chosen.filter(|_| line.is_empty());
            let pick = |decider| {
                let arms = tree.arms(node, decider);
                let own = own.filter(|_| tree.decider(node, decider) == self.role);
                own.and_then(|own| arms.iter().position(|arm| arm.mv == own)).unwrap_or_else(|| most_visited(arms))
                    as u32
            };
            let picks: Vec<u32> = (0..tree.deciders(node)).map(pick).collect();
            let names = picks.iter().enumerate().map(|(decider, &arm)| {
                self.game.move_name(tree.decider(node, decider), tree.arms(node, decider)[arm as usize].mv)
            });
            line.push(names.collect::<Vec<_>>().join("/"));
            next = tree.child(node, &picks);
        }
        line
    }

    /// Where the game is before its first search: weights that were learned for this position.
    fn install_learned(&mut self, stop: &dyn Fn() -> bool) {
        if !self.spec.starts_learned() || self.steps_played > 1 {
            return;
        }
        let key = crate::learned::key(&*self.game, &self.spec, &self.state);
        let known = self.learned.load(&key);
        let Some(weights) = known.or_else(|| {
            let weights = self.learn_beforehand(&key, stop)?;
            self.learned.store(&key, &weights);
            Some(weights)
        }) else {
            return;
        };
        for worker in &mut self.workers {
            if let Some(policy) = worker.policies_mut().last_mut() {
                policy.restore(&weights);
            }
        }
    }

    /// Weights from a search of their own; none if it was stopped.
    fn learn_beforehand(&self, key: &str, stop: &dyn Fn() -> bool) -> Option<Vec<f64>> {
        let mut worker = self.new_worker();
        worker.reset(Seed::new(0).named(key).rng());
        let mut world = Local::new(&*self.game, &self.state);
        let budget = Budget::simulations(crate::learned::SIMULATIONS);
        worker.begin_search(&mut world, crate::learned::SIMULATIONS);
        let progress = drive(&mut worker, &mut world, Meter::start(budget), stop);
        let policy = worker.policies_mut().last().filter(|_| progress == Progress::Ended);
        policy.map(|policy| policy.snapshot())
    }
}

fn most_visited(arms: &[crate::tree::Arm]) -> usize {
    let best = (0..arms.len()).max_by_key(|&arm| (arms[arm].visits, std::cmp::Reverse(arm)));
    best.expect("a decider has arms")
}

impl<G: Game> Player for Search<G> {
    fn start(&mut self, seed: Seed) {
        self.seed = seed;
        self.state = self.game.initial();
        self.steps_played = 0;
        self.chosen = None;
        self.effort = Effort::default();
        for (index, worker) in (0..).zip(&mut self.workers) {
            worker.reset(seed.at(index).rng());
        }
    }

    fn choose(&mut self, budget: &Budget, stop: &dyn Fn() -> bool) -> (Move, Effort) {
        if let Some(meter) = self.begin(budget, stop) {
            self.run(&meter, stop);
        }
        self.conclude()
    }

    fn choose_watched(&mut self, budget: &Budget, watch: &mut Watch<'_>) -> (Move, Effort) {
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
                if self.run(&meter, &|| asked.replace(true) && Instant::now() >= pause) == Progress::Ended {
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
        for worker in &mut self.workers {
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
        let mut arms = self.root_arms();
        arms.sort_by(|a, b| b.visits.cmp(&a.visits).then_with(|| a.mv.cmp(&b.mv)));
        let worker = &self.workers[0];
        let mut likings: Vec<Liking> = self
            .legals()
            .into_iter()
            .filter_map(|mv| {
                let value = worker.liking(self.space.code(self.role, mv))?;
                Some(Liking { name: self.game.move_name(self.role, mv), value })
            })
            .collect();
        likings.sort_by(|a, b| b.value.total_cmp(&a.value));
        let proven =
            worker.tree.root().and_then(|root| worker.tree.result(root)).map(|scores| scores[self.role.index()]);
        Report {
            role: Some(self.role),
            arms,
            line: self.expected_line(),
            proven: proven.filter(|_| self.settings.solver),
            effort: self.effort,
            nodes: self.workers.iter().map(|worker| worker.tree.len()).sum(),
            bytes: self.workers.iter().map(|worker| worker.tree.bytes()).sum(),
            held: self.workers.iter().map(Worker::bytes).sum(),
            likings,
        }
    }
}
