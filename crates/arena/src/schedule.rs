//! The schedule: which games of an experiment are left, handed out to free workers.

use crate::{engine::GameTask, experiment::Experiment, results::Results, shard::Shard, tasks::Task};
use std::collections::BTreeSet;
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// Which games of an experiment are played here.
#[derive(Clone, Copy)]
pub(crate) enum Part<'e> {
    /// Those of a shard.
    Shard(Shard),
    /// Those of a task.
    Task(&'e Task),
}

/// What is left to play of an experiment.
pub(crate) struct Schedule<'e> {
    experiment: &'e Experiment,
    part: Part<'e>,
    /// One per game of the catalogue, in the order of the experiment.
    queues: Vec<Queue>,
    /// By cell: the games that are not to be played, because they are done or have broken off.
    done: Vec<BTreeSet<u64>>,
    /// By cell: whether its test is decided, so that no more games are needed.
    closed: Vec<AtomicBool>,
}

/// All cells of one game, one after the other.
struct Queue {
    game: String,
    cells: Vec<usize>,
    cursor: Mutex<Cursor>,
    workers: AtomicUsize,
    empty: AtomicBool,
}

#[derive(Default)]
struct Cursor {
    cell: usize,
    index: u64,
}

impl<'e> Schedule<'e> {
    /// What the results leave to be played. A game that broke off would break off again: it is played only if `retry` says
    /// so.
    pub(crate) fn new(experiment: &'e Experiment, part: Part<'e>, results: &Results, retry: bool) -> Schedule<'e> {
        let mut queues: Vec<Queue> = Vec::new();
        let mut done = Vec::new();
        for (number, planned) in experiment.cells.iter().enumerate() {
            match queues.iter_mut().find(|queue| queue.game == planned.cell.game) {
                Some(queue) => queue.cells.push(number),
                None => queues.push(Queue {
                    game: planned.cell.game.clone(),
                    cells: vec![number],
                    cursor: Mutex::default(),
                    workers: AtomicUsize::new(0),
                    empty: AtomicBool::new(false),
                }),
            }
            let cell = results.cells.get(&planned.cell.id(experiment.seed));
            let broken = cell.into_iter().flat_map(|cell| cell.broken.keys()).filter(|_| !retry);
            let played = cell.into_iter().flat_map(|cell| cell.games.keys()).chain(broken).copied();
            done.push(played.chain(0..planned.first).collect());
        }
        let closed = experiment.cells.iter().map(|_| AtomicBool::new(false)).collect();
        Schedule { experiment, part, queues, done, closed }
    }

    /// By cell: how many games are still to be played.
    pub(crate) fn left(&self) -> Vec<u64> {
        let left = |number: usize, games: u64| {
            if self.closed[number].load(Ordering::Relaxed) {
                return 0;
            }
            let done = self.done[number].range(..games).filter(|&&index| self.has(number, index)).count() as u64;
            self.all(number, games) - done
        };
        self.experiment.cells.iter().enumerate().map(|(number, planned)| left(number, planned.games)).collect()
    }

    /// Whether a game belongs to this part.
    fn has(&self, number: usize, index: u64) -> bool {
        match self.part {
            Part::Shard(shard) => shard.has(index),
            Part::Task(task) => task.has(self.experiment.cells[number].cell.id(self.experiment.seed), index),
        }
    }

    /// How many games of a cell belong to this part.
    fn all(&self, number: usize, games: u64) -> u64 {
        match self.part {
            Part::Shard(shard) => (games + shard.count - 1 - shard.index) / shard.count,
            Part::Task(task) => task.count(self.experiment.cells[number].cell.id(self.experiment.seed), games),
        }
    }

    /// No more games of a cell are needed.
    pub(crate) fn close(&self, cell: usize) {
        self.closed[cell].store(true, Ordering::Relaxed);
    }

    /// The queue that a free worker turns to: one with the fewest workers.
    pub(crate) fn claim(&self) -> Option<Claim<'_>> {
        let open = self.queues.iter().filter(|queue| !queue.empty.load(Ordering::Relaxed));
        let queue = open.min_by_key(|queue| queue.workers.load(Ordering::Relaxed))?;
        queue.workers.fetch_add(1, Ordering::Relaxed);
        Some(Claim { schedule: self, queue })
    }
}

/// A worker's place at a queue.
pub(crate) struct Claim<'s> {
    schedule: &'s Schedule<'s>,
    queue: &'s Queue,
}

impl Claim<'_> {
    /// The game that is played here.
    pub(crate) fn game(&self) -> &str {
        &self.queue.game
    }

    /// The places of the cells that are played here.
    pub(crate) fn cells(&self) -> &[usize] {
        &self.queue.cells
    }

    /// The next task. `seatings[i]` are those of the cell `cells()[i]`.
    pub(crate) fn next(&self, seatings: &[Vec<Vec<usize>>]) -> Option<GameTask> {
        let schedule = self.schedule;
        let mut cursor = self.queue.cursor.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let Some(&number) = self.queue.cells.get(cursor.cell) else {
                self.queue.empty.store(true, Ordering::Relaxed);
                return None;
            };
            let planned = &schedule.experiment.cells[number];
            if cursor.index >= planned.games || schedule.closed[number].load(Ordering::Relaxed) {
                *cursor = Cursor { cell: cursor.cell + 1, index: 0 };
                continue;
            }
            let index = cursor.index;
            cursor.index += 1;
            if schedule.has(number, index) && !schedule.done[number].contains(&index) {
                let seatings = &seatings[cursor.cell];
                let seats = seatings[(index % seatings.len() as u64) as usize].clone();
                let seed = planned.cell.seed(schedule.experiment.seed).at(index);
                return Some(GameTask { cell: planned.cell.clone(), number, index, seats, seed });
            }
        }
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.queue.workers.fetch_sub(1, Ordering::Relaxed);
    }
}
