//! Runs an experiment: workers take tasks from the schedule, an engine plays them, the store keeps the results.

use crate::{
    broken::{Broken, BrokenRecord, Outcome},
    cell::Cell,
    engine::{Backend, GameContext, GameTask},
    experiment::{Experiment, Planned},
    in_lanes::Fastest,
    in_order::InOrder,
    journal::JournalError,
    open::OpenGames,
    record::GameRecord,
    schedule::{Part, Schedule},
    shard::Shard,
    store::Store,
    tasks::Task,
    words::one_line,
};
use ludens_catalog::OpenError;
use ludens_search::{InMemory, Learned, Panicked, Playable, SearchError, isolate};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

/// How an experiment is run.
pub struct Run<'r> {
    /// What is played.
    pub experiment: &'r Experiment,
    /// Which part of it.
    pub shard: Shard,
    /// The games.
    pub games: &'r OpenGames,
    /// Where weights that were learned beforehand are kept.
    pub learned: Arc<dyn Learned>,
    /// Who plays.
    pub engine: &'r dyn Backend,
    /// How many threads.
    pub threads: usize,
    /// Whether to play failed games again.
    pub retry_broken: bool,
    /// Polled regularly; ends the run early.
    pub stop: &'r (dyn Fn() -> bool + Sync),
}

/// An observer of a run.
pub trait RunObserver: Sync {
    /// So many games are to be played, by cell.
    fn begin(&self, _left: &[u64]) {}
    /// A search is over in one of many games that are played at once.
    fn searched(&self) {}
    /// A game of the cell at a place of the experiment is finished.
    fn game(&self, _cell: usize, _game: &GameRecord) {}
    /// The program failed in a game of the cell at this place of the experiment.
    fn broken(&self, _cell: usize, _game: &BrokenRecord) {}
    /// Something that a user should know.
    fn note(&self, _text: &str) {}
    /// No more games of a cell are needed: its test is decided.
    fn decided(&self, _cell: usize) {}
}

/// No observer.
impl RunObserver for () {}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything is played.
    Complete,
    /// It was stopped.
    Stopped,
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No such game.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The players do not fit the game's roles.
    #[error("{0}")]
    Players(String),
    /// A spec cannot play the game.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The engine that was asked for cannot play this.
    #[error("{0}")]
    Engine(String),
    /// Something failed outside of the games.
    #[error("the run failed: {}", one_line(.0))]
    Panicked(Panicked),
    /// A game cannot be recorded.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl<'r> Run<'r> {
    /// All of an experiment, by whatever engine is fastest, on all cores, until it is complete.
    pub fn new(experiment: &'r Experiment, games: &'r OpenGames) -> Run<'r> {
        Run {
            experiment,
            shard: Shard::default(),
            games,
            learned: Arc::new(InMemory::default()),
            engine: &Fastest,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            stop: &|| false,
            retry_broken: false,
        }
    }

    /// Plays what is left of the experiment. Games depend only on their cell and number, so neither the number of
    /// threads nor interruptions matter.
    ///
    /// # Errors
    /// If a game cannot be played or recorded. Earlier records stay.
    pub fn go(&self, store: &mut Store, watch: &dyn RunObserver) -> Result<Ending, RunError> {
        self.play(Part::Shard(self.shard), store, watch)
    }

    /// Plays what is left of a task of a plan, whatever the shard.
    ///
    /// # Errors
    /// As [`go`](Run::go).
    pub fn go_task(&self, task: &Task, store: &mut Store, watch: &dyn RunObserver) -> Result<Ending, RunError> {
        self.play(Part::Task(task), store, watch)
    }

    fn play(&self, part: Part<'_>, store: &mut Store, watch: &dyn RunObserver) -> Result<Ending, RunError> {
        let schedule = Schedule::new(self.experiment, part, &store.results, self.retry_broken);
        if self.experiment.stop.is_some() {
            for (number, _) in
                self.experiment.cells.iter().enumerate().filter(|(number, _)| self.decided(store, *number))
            {
                schedule.close(number);
            }
        }
        let left = schedule.left();
        watch.begin(&left);
        if left.iter().all(|&games| games == 0) {
            return Ok(Ending::Complete);
        }
        for (planned, _) in self.experiment.cells.iter().zip(&left).filter(|(_, left)| **left > 0) {
            self.engine.check(self.games, &planned.cell)?;
        }
        let schedule = schedule.in_turns(self.turns(&left));
        store.begin(self.experiment, self.shard)?;
        let floor = Floor {
            run: self,
            schedule: &schedule,
            store: Mutex::new(store),
            watch,
            left: &left,
            failed: AtomicBool::new(false),
        };
        let threads = self.threads.max(1) as u64;
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.min(left.iter().sum())).map(|_| scope.spawn(|| floor.work())).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker catches its panics"))
        })?;
        Ok(if (self.stop)() { Ending::Stopped } else { Ending::Complete })
    }

    /// By cell: the games of a turn. Where they are played one after another, everybody has every seat in a turn, so that a run
    /// that is interrupted favours nobody. Of a cell that is complete nothing is played, and its game stays closed.
    fn turns(&self, left: &[u64]) -> Vec<u64> {
        let cells = &self.experiment.cells;
        let turn = |(planned, &left): (&Planned, &u64)| {
            if left == 0 {
                return 1;
            }
            let same_game = cells.iter().filter(|other| other.cell.game == planned.cell.game);
            let games: u64 = same_game.map(|other| other.games).sum();
            let share = games.div_ceil(self.threads.max(1) as u64);
            if self.engine.plays_many(self.games, &planned.cell, share) { u64::MAX } else { self.round(&planned.cell) }
        };
        cells.iter().zip(left).map(turn).collect()
    }

    /// The games in which everybody has every seat once. A game that cannot be opened is told when it is to be played.
    fn round(&self, cell: &Cell) -> u64 {
        let roles = self.games.open(&cell.game).map_or(cell.players.len(), |game| game.role_names().len());
        cell.seats.seatings(cell.players.len(), roles).map_or(1, |seatings| seatings.len() as u64)
    }

    /// Whether the test of a cell is over.
    fn decided(&self, store: &Store, number: usize) -> bool {
        let cell = &self.experiment.cells[number].cell;
        let games = store.results.cells.get(&cell.id(self.experiment.seed));
        games.is_some_and(|games| self.experiment.decision(games).is_some())
    }
}

/// Where the workers meet.
struct Floor<'f> {
    run: &'f Run<'f>,
    schedule: &'f Schedule<'f>,
    store: Mutex<&'f mut Store>,
    watch: &'f dyn RunObserver,
    /// By cell: the games that were to be played at the beginning.
    left: &'f [u64],
    failed: AtomicBool,
}

impl Floor<'_> {
    fn stop(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || (self.run.stop)()
    }

    fn work(&self) -> Result<(), RunError> {
        let result = isolate(|| self.work_until_stopped()).unwrap_or_else(|panicked| Err(RunError::Panicked(panicked)));
        if result.is_err() {
            self.failed.store(true, Ordering::Relaxed);
        }
        result
    }

    fn work_until_stopped(&self) -> Result<(), RunError> {
        while !self.stop() {
            let Some(claim) = self.schedule.claim() else { break };
            let game = self.run.games.open(claim.game())?;
            let roles = game.role_names().len();
            let seatings = claim.cells().iter().map(|&number| {
                let cell = &self.run.experiment.cells[number].cell;
                let seatings = cell.seats.seatings(cell.players.len(), roles);
                seatings.ok_or_else(|| RunError::Players(cell.seats.misfit(&game.name(), cell.players.len(), roles)))
            });
            let seatings: Vec<_> = seatings.collect::<Result<_, _>>()?;
            let stop = || self.stop();
            let left: u64 = claim.cells().iter().map(|&number| self.left[number]).sum();
            let share = left.div_ceil(self.run.threads.max(1) as u64) as usize;
            let at_once = self.games_left().clamp(1, self.run.threads.max(1));
            let (searched, note) = (|| self.watch.searched(), |text: &str| self.watch.note(text));
            let learned = self.run.learned.clone();
            let table = GameContext {
                game: game.clone(),
                learned,
                share,
                at_once,
                stop: &stop,
                searched: &searched,
                note: &note,
            };
            let order = RefCell::new(InOrder::default());
            let next_task = || if stop() { None } else { claim.next(&seatings) };
            let mut tasks = std::iter::from_fn(|| next_task().inspect(|task| order.borrow_mut().begin(task)));
            let mut written = Ok(());
            self.run.engine.play(&table, &mut tasks, &mut |task, outcome| {
                for (task, outcome) in order.borrow_mut().end(task, outcome) {
                    if written.is_ok() {
                        written = self.keep(&game, &task, outcome);
                    }
                }
            })?;
            written?;
        }
        Ok(())
    }

    /// Games of the catalogue of which there was something to play at the beginning.
    fn games_left(&self) -> usize {
        let cells = self.run.experiment.cells.iter().zip(self.left).filter(|(_, left)| **left > 0);
        cells.map(|(planned, _)| &*planned.cell.game).collect::<BTreeSet<_>>().len()
    }

    /// Writes a game down and sees what it means for its cell.
    fn keep(&self, game: &Arc<dyn Playable>, task: &GameTask, outcome: Outcome) -> Result<(), RunError> {
        let (number, seed) = (task.number, self.run.experiment.seed);
        let record = outcome.and_then(|played| {
            let record = isolate(|| GameRecord::new(game, (task, task.cell.id(seed)), &played));
            record.map_err(|panicked| Broken { moves: played.moves, panicked })
        });
        let record = record.map_err(|broken| BrokenRecord::new(game, (task, seed), &broken));
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let written = match &record {
            Ok(game) => store.game(game.clone()),
            Err(broken) => store.broken(broken.clone()),
        };
        written.inspect_err(|_| self.failed.store(true, Ordering::Relaxed))?;
        match &record {
            Ok(game) => self.watch.game(number, game),
            Err(broken) => self.watch.broken(number, broken),
        }
        if self.run.experiment.stop.is_some() && self.run.decided(&store, number) {
            self.schedule.close(number);
            self.watch.decided(number);
        }
        Ok(())
    }
}
