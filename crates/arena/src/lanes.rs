//! Many games at once on one thread: the engine for games whose rules can be computed for hundreds of positions together.

use crate::engine::{Bench, Engine, OneByOne, Table, Task};
use crate::room::Room;
use ludens_game::{Role, Seed};
use ludens_search::{Effort, Memory, Played, Schedule, SearchError, Settings};
use std::collections::HashMap;
use std::time::Instant;

/// Games under way on one thread. More would keep the engine busier, but every search has a tree and tables of its own, and
/// these would not stay in the caches.
const LANES: usize = 256;

/// With fewer games than this the lanes are too empty to pay.
const MIN_LANES: usize = 24;

/// Lanes pay where a step of the game itself takes longer than this: below, the searches of hundreds of games are in the
/// way of each other's caches, the more so the more they remember.
fn slow_step_ns(task: &Task) -> f64 {
    let memory = task.cell.players.iter().map(|player| player.spec.memory()).max();
    match memory.unwrap_or(Memory::Nothing) {
        Memory::Nothing => 200.0,
        Memory::Moves => 500.0,
        Memory::Sequences => 2000.0,
    }
}

/// Plays all games in lanes, if the game has them.
pub struct InLanes;

/// Plays in lanes where that is faster, one game after another elsewhere.
pub struct Fastest;

impl Engine for InLanes {
    fn play(
        &self,
        table: &Table<'_>,
        tasks: &mut dyn Iterator<Item = Task>,
        done: &mut dyn FnMut(Task, Played),
    ) -> Result<(), SearchError> {
        play_where(&|_| true, table, tasks, done)
    }
}

impl Engine for Fastest {
    fn play(
        &self,
        table: &Table<'_>,
        tasks: &mut dyn Iterator<Item = Task>,
        done: &mut dyn FnMut(Task, Played),
    ) -> Result<(), SearchError> {
        if table.share < MIN_LANES || table.game.lanes(1).is_none() {
            return OneByOne.play(table, tasks, done);
        }
        let step_ns = step_ns(table);
        play_where(&|task| step_ns > slow_step_ns(task), table, tasks, done)
    }
}

/// Plays tasks in lanes where these pay, and the others one after the other.
fn play_where(
    pays: &dyn Fn(&Task) -> bool,
    table: &Table<'_>,
    tasks: &mut dyn Iterator<Item = Task>,
    done: &mut dyn FnMut(Task, Played),
) -> Result<(), SearchError> {
    let mut desk = Desk {
        pays,
        table,
        tasks,
        done,
        bench: Bench::default(),
        room: Room::new(),
        pending: None,
        under_way: HashMap::new(),
        last: 0,
        failed: None,
    };
    let lanes = LANES.min(table.share.max(1));
    let has_lanes = table.game.clone().lockstep(lanes, &mut desk, table.learned.clone())?;
    let Desk { tasks, done, failed, .. } = desk;
    match failed {
        Some(error) => Err(error),
        None if has_lanes => Ok(()),
        None => OneByOne.play(table, tasks, done),
    }
}

/// The time that one step of the game takes, from a few playouts.
fn step_ns(table: &Table<'_>) -> f64 {
    let begun = Instant::now();
    let playouts = table.game.playouts(20, &mut Seed::new(0).rng(), 1000);
    begun.elapsed().as_nanos() as f64 / playouts.steps.max(1) as f64
}

/// Gives tasks to lanes and takes their results.
struct Desk<'d> {
    /// Whether lanes are the better place for a task.
    pays: &'d dyn Fn(&Task) -> bool,
    table: &'d Table<'d>,
    tasks: &'d mut dyn Iterator<Item = Task>,
    done: &'d mut dyn FnMut(Task, Played),
    /// For tasks that are not played in lanes.
    bench: Bench,
    room: Room,
    /// A task for which there was no room.
    pending: Option<Task>,
    under_way: HashMap<u64, Task>,
    last: u64,
    failed: Option<SearchError>,
}

impl Desk<'_> {
    /// Whether a task is to be played in a lane.
    fn suits(&self, task: &Task) -> bool {
        let budget = task.cell.budget;
        // A clock means nothing to searches that wait for each other; several threads have no lane to meet in, and a batch
        // fills the lanes by itself.
        let has_clock = budget.time.is_some() || budget.start.is_some();
        let takes_more = |settings: Settings| settings.threads > 1 || settings.batch.is_many(&budget);
        let is_alone = has_clock || task.cell.players.iter().any(|player| takes_more(player.spec.settings()));
        !is_alone && (self.pays)(task)
    }

    /// Plays tasks that do not suit lanes until one does, and there is room for it.
    fn next_in_lane(&mut self) -> Result<Option<Task>, SearchError> {
        while let Some(task) = self.pending.take().or_else(|| self.tasks.next()) {
            if !self.suits(&task) {
                match self.bench.play(self.table, &task)? {
                    Some(played) => (self.done)(task, played),
                    None => return Ok(None),
                }
            } else if self.room.enter(self.table, &task)? {
                return Ok(Some(task));
            } else {
                self.pending = Some(task);
                return Ok(None);
            }
        }
        Ok(None)
    }
}

impl Schedule for Desk<'_> {
    fn next(&mut self) -> Option<ludens_search::Task> {
        let task = self.next_in_lane().unwrap_or_else(|error| {
            self.failed = Some(error);
            None
        })?;
        self.last += 1;
        let seats = Role::all(task.seats.len()).map(|role| task.spec(role).clone()).collect();
        let (budget, seed) = (task.cell.budget, task.seed);
        self.under_way.insert(self.last, task);
        Some(ludens_search::Task { number: self.last, seats, budget, seed })
    }

    fn searched(&mut self, _effort: Effort) {
        (self.table.searched)();
    }

    fn finished(&mut self, number: u64, game: Played) {
        let task = self.under_way.remove(&number).expect("only tasks that were given out are finished");
        self.room.leave(&task);
        (self.done)(task, game);
    }

    fn is_stopped(&self) -> bool {
        (self.table.stop)()
    }
}
