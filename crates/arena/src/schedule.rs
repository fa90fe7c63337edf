//! The schedule: which games of an experiment are left, handed out to free workers.
//!
//! Cells take turns, across all games of the catalogue, so that an interrupted run has played all of them about as often. Only where
//! an engine plays many games at once, those of a cell belong together.

use crate::{engine::GameTask, experiment::Experiment, results::Results, shard::Shard, tasks::Task};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
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
    /// By cell: how many games it plays before the next cell has its turn.
    turns: Vec<u64>,
    /// By cell: the games that are not to be played, because they are done or have broken off.
    done: Vec<BTreeSet<u64>>,
    /// By cell: whether its test is decided, so that no more games are needed.
    closed: Vec<AtomicBool>,
}

/// All cells of one game.
struct Queue {
    game: String,
    cells: Vec<usize>,
    cursor: Mutex<Cursor>,
    workers: AtomicUsize,
    /// The turn of the next game; [`OVER`] if there is none.
    turn: AtomicU64,
}

/// A place in a queue: every cell has its games of a turn before any cell has those of the next.
#[derive(Default)]
struct Cursor {
    turn: u64,
    cell: usize,
    index: u64,
}

/// The turn of a queue without games.
const OVER: u64 = u64::MAX;

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
                    turn: AtomicU64::new(0),
                }),
            }
            let cell = results.cells.get(&planned.cell.id(experiment.seed));
            let broken = cell.into_iter().flat_map(|cell| cell.broken.keys()).filter(|_| !retry);
            let played = cell.into_iter().flat_map(|cell| cell.games.keys()).chain(broken).copied();
            done.push(played.chain(0..planned.first).collect());
        }
        let closed = experiment.cells.iter().map(|_| AtomicBool::new(false)).collect();
        let turns = vec![u64::MAX; experiment.cells.len()];
        Schedule { experiment, part, queues, turns, done, closed }
    }

    /// The same with so many games of each cell in a turn.
    pub(crate) fn in_turns(mut self, turns: Vec<u64>) -> Schedule<'e> {
        self.turns = turns;
        for queue in &self.queues {
            self.advance(queue, &mut lock(&queue.cursor));
        }
        self
    }

    /// By cell: how many games are still to be played.
    pub(crate) fn left(&self) -> Vec<u64> {
        let left = |number: usize, games: u64| {
            if self.is_closed(number) {
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

    /// The queue that a free worker turns to: of those with the fewest workers, the one that is the least far.
    pub(crate) fn claim(&self) -> Option<Claim<'_>> {
        let open = self.queues.iter().filter(|queue| queue.turn() != OVER);
        let queue = open.min_by_key(|queue| (queue.workers.load(Ordering::Relaxed), queue.turn()))?;
        queue.workers.fetch_add(1, Ordering::Relaxed);
        Some(Claim { schedule: self, queue })
    }

    /// Whether a queue without a worker is at an earlier turn than this one.
    fn is_ahead(&self, queue: &Queue) -> bool {
        let waits = |other: &&Queue| other.workers.load(Ordering::Relaxed) == 0;
        self.queues.iter().filter(waits).any(|other| other.turn() < queue.turn())
    }

    /// Moves a queue's cursor to the next game that is to be played: the place of its cell, and its number.
    fn advance(&self, queue: &Queue, cursor: &mut Cursor) -> Option<(usize, u64)> {
        let next = loop {
            let Some(&number) = queue.cells.get(cursor.cell) else {
                let turn = cursor.turn + 1;
                let goes_on = |&number: &usize| !self.is_closed(number) && !self.games_of_turn(number, turn).is_empty();
                if !queue.cells.iter().any(goes_on) {
                    break None;
                }
                *cursor = Cursor { turn, cell: 0, index: 0 };
                continue;
            };
            let games = self.games_of_turn(number, cursor.turn);
            let index = cursor.index.max(games.start);
            if index >= games.end || self.is_closed(number) {
                *cursor = Cursor { cell: cursor.cell + 1, index: 0, ..*cursor };
            } else if self.has(number, index) && !self.done[number].contains(&index) {
                break Some((number, index));
            } else {
                cursor.index = index + 1;
            }
        };
        queue.turn.store(next.map_or(OVER, |_| cursor.turn), Ordering::Relaxed);
        next
    }

    /// The games of a cell in a turn.
    fn games_of_turn(&self, number: usize, turn: u64) -> Range<u64> {
        let (size, games) = (self.turns[number], self.experiment.cells[number].games);
        let from = turn.saturating_mul(size).min(games);
        from..from.saturating_add(size).min(games)
    }

    fn is_closed(&self, number: usize) -> bool {
        self.closed[number].load(Ordering::Relaxed)
    }
}

impl Queue {
    fn turn(&self) -> u64 {
        self.turn.load(Ordering::Relaxed)
    }
}

fn lock(cursor: &Mutex<Cursor>) -> MutexGuard<'_, Cursor> {
    cursor.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// The next task; none when it is another queue's turn. `seatings[i]` are those of the cell `cells()[i]`.
    pub(crate) fn next(&self, seatings: &[Vec<Vec<usize>>]) -> Option<GameTask> {
        let (schedule, queue) = (self.schedule, self.queue);
        let mut cursor = lock(&queue.cursor);
        let (number, index) = schedule.advance(queue, &mut cursor)?;
        if schedule.is_ahead(queue) {
            return None;
        }
        let seatings = &seatings[cursor.cell];
        cursor.index = index + 1;
        schedule.advance(queue, &mut cursor);
        let seats = seatings[(index % seatings.len() as u64) as usize].clone();
        let planned = &schedule.experiment.cells[number];
        let seed = planned.cell.seed(schedule.experiment.seed).at(index);
        Some(GameTask { cell: planned.cell.clone(), number, index, seats, seed })
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.queue.workers.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cell::{Cell, Contestant},
        experiment::Planned,
        results::Counting,
        seats::Seats,
    };
    use ludens_search::Budget;
    use std::sync::Arc;

    /// Two games with two cells each, of so many games; some cells go on after games that are known.
    fn experiment(games: u64, first: [u64; 4]) -> Experiment {
        let player = |name: &str| Contestant { name: name.into(), spec: "uct".parse().unwrap() };
        let cell = |place: usize| Cell {
            game: ["go", "nogo"][place / 2].into(),
            budget: Budget::simulations(place as u64 % 2 + 1),
            players: vec![player("a"), player("b")],
            seats: Seats::All,
        };
        let planned = |place: usize| Planned { cell: Arc::new(cell(place)), games, first: first[place] };
        let cells = (0..4).map(planned).collect();
        Experiment { name: "e".into(), about: String::new(), seed: 1, counting: Counting::Players, stop: None, cells }
    }

    /// The order in which a single worker gets the games: the cell's place and the game's number.
    fn order(experiment: &Experiment, turns: [u64; 4]) -> Vec<(usize, u64)> {
        let part = Part::Shard(Shard::default());
        let schedule = Schedule::new(experiment, part, &Results::default(), false).in_turns(turns.to_vec());
        let mut order = Vec::new();
        while let Some(claim) = schedule.claim() {
            let seatings = vec![vec![vec![0, 1], vec![1, 0]]; 2];
            order.extend(std::iter::from_fn(|| claim.next(&seatings)).map(|task| (task.number, task.index)));
        }
        order
    }

    #[test]
    fn every_cell_has_its_turn_before_any_has_the_next() {
        let all = order(&experiment(3, [0; 4]), [2; 4]);
        let first_turn = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1)];
        assert_eq!(all, [&first_turn[..], &[(2, 2), (3, 2), (0, 2), (1, 2)]].concat());
        // Cells that are behind catch up first.
        let rest = order(&experiment(4, [4, 3, 2, 0]), [2; 4]);
        assert_eq!(rest, [(3, 0), (3, 1), (2, 2), (2, 3), (3, 2), (3, 3), (1, 3)]);
    }

    #[test]
    fn games_that_are_played_together_are_not_torn_apart() {
        let all = order(&experiment(3, [0; 4]), [u64::MAX, 2, u64::MAX, u64::MAX]);
        let together = |cell: usize| (0..3).map(move |game| (cell, game));
        let expected = together(0).chain([(1, 0), (1, 1)]).chain(together(2)).chain(together(3)).chain([(1, 2)]);
        assert_eq!(all, expected.collect::<Vec<_>>());
    }

    #[test]
    fn a_closed_cell_has_no_turn() {
        let experiment = experiment(5, [0; 4]);
        let part = Part::Shard(Shard { index: 1, count: 2 });
        let schedule = Schedule::new(&experiment, part, &Results::default(), false).in_turns(vec![2; 4]);
        (0..3).for_each(|cell| schedule.close(cell));
        let mut order = Vec::new();
        while let Some(claim) = schedule.claim() {
            let next = claim.next(&vec![vec![vec![0, 1], vec![1, 0]]; 2]);
            order.extend(next.map(|task| (task.number, task.index, task.seats[0])));
        }
        assert_eq!(order, [(3, 1, 1), (3, 3, 1)]);
    }
}
