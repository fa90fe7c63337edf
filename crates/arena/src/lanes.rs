//! Many games at once on one thread: the engine for games whose rules can be computed for hundreds of positions together.

use crate::engine::{Engine, OneByOne, Table, Task};
use ludens_game::{Role, Seed};
use ludens_search::{Played, Schedule, SearchError, Settings};
use std::collections::HashMap;
use std::time::Instant;

/// Games under way on one thread. More would keep the engine busier, but every search has a tree and tables of its own, and
/// these would not stay in the caches.
const LANES: usize = 256;

/// With fewer games than this the lanes are too empty to pay.
const MIN_LANES: usize = 24;

/// Lanes pay where a step of the game itself takes longer than this: below, the searches of hundreds of games are in the
/// way of each other's caches.
const SLOW_STEP_NS: f64 = 1000.0;

/// Plays all games in lanes, as far as the game has them.
pub struct InLanes;

/// Plays in lanes where that is faster, one game after the other elsewhere.
pub struct Fastest;

impl Engine for InLanes {
    fn play(
        &self,
        table: &Table<'_>,
        tasks: &mut dyn Iterator<Item = Task>,
        done: &mut dyn FnMut(Task, Played),
    ) -> Result<(), SearchError> {
        let mut desk = Desk { table, tasks, done, under_way: HashMap::new(), last: 0, failed: None };
        let lanes = LANES.min(table.share.max(1));
        let has_lanes = table.game.clone().lockstep(lanes, &mut desk, table.learned.clone())?;
        let Desk { tasks, done, failed, .. } = desk;
        match failed {
            Some(error) => Err(error),
            None if has_lanes => Ok(()),
            None => OneByOne.play(table, tasks, done),
        }
    }
}

impl Engine for Fastest {
    fn play(
        &self,
        table: &Table<'_>,
        tasks: &mut dyn Iterator<Item = Task>,
        done: &mut dyn FnMut(Task, Played),
    ) -> Result<(), SearchError> {
        if table.share >= MIN_LANES && step_ns(table) > SLOW_STEP_NS && table.game.lanes(1).is_some() {
            InLanes.play(table, tasks, done)
        } else {
            OneByOne.play(table, tasks, done)
        }
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
    table: &'d Table<'d>,
    tasks: &'d mut dyn Iterator<Item = Task>,
    done: &'d mut dyn FnMut(Task, Played),
    under_way: HashMap<u64, Task>,
    last: u64,
    failed: Option<SearchError>,
}

impl Schedule for Desk<'_> {
    fn next(&mut self) -> Option<ludens_search::Task> {
        loop {
            let task = self.tasks.next()?;
            let seats: Vec<_> = Role::all(task.seats.len()).map(|role| task.spec(role).clone()).collect();
            let budget = task.cell.budget;
            // A clock means nothing to searches that wait for each other; several threads have no lane to meet in, and a
            // batch fills the lanes by itself.
            let takes_more = |settings: Settings| settings.threads > 1 || settings.batch.is_many(&budget);
            let is_timed = budget.time.is_some() || budget.start.is_some();
            if is_timed || seats.iter().any(|spec| takes_more(spec.settings())) {
                if let Err(error) = OneByOne.play(self.table, &mut std::iter::once(task), self.done) {
                    self.failed = Some(error);
                    return None;
                }
                continue;
            }
            self.last += 1;
            let seed = task.seed;
            self.under_way.insert(self.last, task);
            return Some(ludens_search::Task { number: self.last, seats, budget, seed });
        }
    }

    fn finished(&mut self, number: u64, game: Played) {
        let task = self.under_way.remove(&number).expect("only tasks that were given out are finished");
        (self.done)(task, game);
    }

    fn is_stopped(&self) -> bool {
        (self.table.stop)()
    }
}
