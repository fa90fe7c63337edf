//! Many games at once on one thread: the engine for games whose rules can be computed for hundreds of positions together.

use crate::broken::Outcome;
use crate::cell::Cell;
use crate::engine::{Backend, GameContext, GameTask, OneByOne, PlayerPool};
use crate::lane_memory::LaneMemory;
use crate::on_gpu::Fitting;
use crate::open::OpenGames;
use crate::run::RunError;
use crate::words::{counted, one_line};
use ludens_game::{Role, Seed};
use ludens_search::{Budget, Effort, Memory, Playable, Played, Schedule, SearchError, Settings, isolate};
use std::collections::BTreeMap;
use std::time::Instant;

/// Games under way on one thread. More would keep the engine busier, but every search has a tree and tables of its own, and
/// these would not stay in the caches.
const LANES: usize = 256;

/// With fewer games than this the lanes are too empty to pay.
const MIN_LANES: usize = 24;

/// Lanes pay where a step of the game itself takes longer than this: below, the searches of hundreds of games are in the
/// way of each other's caches, the more so the more they remember.
fn slow_step_ns(task: &GameTask) -> f64 {
    let memory = task.cell.players.iter().map(|player| player.spec.memory()).max();
    match memory.unwrap_or(Memory::Nothing) {
        Memory::Nothing => 200.0,
        Memory::Moves => 500.0,
        Memory::Sequences => 2000.0,
    }
}

/// Plays all games in lanes, and refuses cells that cannot be.
pub struct InLanes;

/// Plays on a GPU where there is one and enough to do, in lanes where that is faster, one game after another elsewhere.
pub struct Fastest;

impl Backend for InLanes {
    fn plays_many(&self, _games: &OpenGames, _cell: &Cell, _share: u64) -> bool {
        true
    }

    fn check(&self, games: &OpenGames, cell: &Cell) -> Result<(), RunError> {
        let game = games.open(&cell.game)?;
        let why = match alone(cell) {
            Some(why) => format!("{cell} cannot be played in lanes: {why}"),
            None if game.lanes(1).is_none() => {
                format!("{} has no lanes: only compiled rulesheets have them", game.name())
            }
            None => return Ok(()),
        };
        Err(RunError::Engine(format!("{why}; with --engine auto games are played in lanes where that is possible")))
    }

    fn play(
        &self,
        context: &GameContext<'_>,
        tasks: &mut dyn Iterator<Item = GameTask>,
        done: &mut dyn FnMut(GameTask, Outcome),
    ) -> Result<(), SearchError> {
        play_where(&|_| true, context, tasks, done)
    }
}

impl Backend for Fastest {
    fn plays_many(&self, games: &OpenGames, cell: &Cell, share: u64) -> bool {
        let has_lanes = || games.open(&cell.game).is_ok_and(|game| has_lanes(&*game));
        share >= MIN_LANES as u64 && alone(cell).is_none() && has_lanes()
    }

    fn play(
        &self,
        context: &GameContext<'_>,
        tasks: &mut dyn Iterator<Item = GameTask>,
        done: &mut dyn FnMut(GameTask, Outcome),
    ) -> Result<(), SearchError> {
        let fitting = Fitting::that_pay(context);
        let mut tasks = tasks.peekable();
        while let Some(next) = tasks.peek() {
            if alone(&next.cell).is_some() {
                OneByOne.play(
                    context,
                    &mut std::iter::from_fn(|| tasks.next_if(|task| alone(&task.cell).is_some())),
                    done,
                )?;
                continue;
            }
            let mut rest = Vec::new();
            fitting.play(&mut tasks, done, &mut rest)?;
            let others = std::iter::from_fn(|| tasks.next_if(|task| alone(&task.cell).is_none() && !fitting.has(task)));
            play_on_processor(context, &mut rest.into_iter().chain(others), done)?;
        }
        Ok(())
    }
}

/// In lanes where that is faster, one game after another elsewhere.
fn play_on_processor(
    context: &GameContext<'_>,
    tasks: &mut dyn Iterator<Item = GameTask>,
    done: &mut dyn FnMut(GameTask, Outcome),
) -> Result<(), SearchError> {
    if context.share < MIN_LANES || !has_lanes(&*context.game) {
        return OneByOne.play(context, tasks, done);
    }
    let step_ns = isolate(|| step_ns(context)).unwrap_or(0.0);
    play_where(&|task| step_ns > slow_step_ns(task), context, tasks, done)
}

/// Whether a game has lanes. Where the game itself fails, the games that are played one by one tell.
fn has_lanes(game: &dyn Playable) -> bool {
    isolate(|| game.lanes(1).is_some()).unwrap_or(false)
}

/// Why the games of a cell have to be played one by one, whatever the game.
fn alone(cell: &Cell) -> Option<&'static str> {
    let budget = cell.budget;
    let any = |takes_more: fn(&Settings, &Budget) -> bool| {
        cell.players.iter().any(|player| takes_more(&player.spec.settings(), &budget))
    };
    if budget.time.is_some() || budget.start.is_some() {
        Some("searches in lanes wait for each other, so they cannot have a time budget")
    } else if any(|settings, _| settings.threads > 1) {
        Some("a player with several threads does not fit in a lane")
    } else if any(|settings, budget| settings.batch.is_many(budget)) {
        Some("a player with batch uses all lanes itself")
    } else if any(|settings, _| settings.decisive > 0) {
        Some("a player with decisive looks ahead, which lanes cannot")
    } else {
        None
    }
}

/// Plays tasks in lanes where these pay, and the others one after the other.
///
/// When a panic ends the engine of the lanes, nobody knows which of the games under way it came from. They are played again
/// one by one, so that only the guilty one is broken, and a new engine goes on with the rest.
fn play_where(
    pays: &dyn Fn(&GameTask) -> bool,
    context: &GameContext<'_>,
    tasks: &mut dyn Iterator<Item = GameTask>,
    done: &mut dyn FnMut(GameTask, Outcome),
) -> Result<(), SearchError> {
    let lanes = LANES.min(context.share.max(1));
    let mut queue = LaneQueue {
        pays,
        context,
        tasks,
        done,
        pool: PlayerPool::default(),
        memory: LaneMemory::new(),
        pending: None,
        under_way: BTreeMap::new(),
        last: 0,
        failed: None,
    };
    loop {
        let ended = isolate(|| context.game.clone().lockstep(lanes, &mut queue, context.learned.clone()));
        if let Some(error) = queue.failed.take() {
            return Err(error);
        }
        let go_on_in_lanes = match ended {
            Ok(Ok(true)) => return Ok(()),
            Ok(Ok(false)) => false,
            Ok(Err(error)) => return Err(error),
            Err(panicked) => {
                let games = counted(queue.under_way.len(), "game");
                let (name, what) = (context.game.name(), one_line(&panicked));
                (context.note)(&format!("the lanes of {name} failed: {what}; playing {games} again one by one"));
                // If no single game is to blame, the lanes are.
                queue.play_again()? > 0
            }
        };
        if !go_on_in_lanes {
            let LaneQueue { pending, tasks, done, .. } = queue;
            return OneByOne.play(context, &mut pending.into_iter().chain(tasks), done);
        }
    }
}

/// The time that one step of the game takes, from a few playouts.
fn step_ns(context: &GameContext<'_>) -> f64 {
    let begun = Instant::now();
    let playouts = context.game.playouts(20, &mut Seed::new(0).rng(), 1000);
    begun.elapsed().as_nanos() as f64 / playouts.steps.max(1) as f64
}

/// Gives tasks to lanes and takes their results.
struct LaneQueue<'d> {
    /// Whether lanes are the better place for a task.
    pays: &'d dyn Fn(&GameTask) -> bool,
    context: &'d GameContext<'d>,
    tasks: &'d mut dyn Iterator<Item = GameTask>,
    done: &'d mut dyn FnMut(GameTask, Outcome),
    /// For tasks that are not played in lanes.
    pool: PlayerPool,
    memory: LaneMemory,
    /// A task for which there was no room.
    pending: Option<GameTask>,
    under_way: BTreeMap<u64, GameTask>,
    last: u64,
    failed: Option<SearchError>,
}

impl LaneQueue<'_> {
    /// Whether a task is to be played in a lane.
    fn suits(&self, task: &GameTask) -> bool {
        alone(&task.cell).is_none() && (self.pays)(task)
    }

    /// Plays tasks that do not suit lanes until one does, and there is room for it.
    fn next_in_lane(&mut self) -> Result<Option<GameTask>, SearchError> {
        while let Some(task) = self.pending.take().or_else(|| self.tasks.next()) {
            // Whether there is room is found out by a search, which may fail as any other.
            let entered =
                if self.suits(&task) { isolate(|| self.memory.enter(self.context, &task)).ok() } else { None };
            match entered.transpose()? {
                Some(true) => return Ok(Some(task)),
                Some(false) => {
                    self.pending = Some(task);
                    return Ok(None);
                }
                None if !self.play_alone(task)? => return Ok(None),
                None => {}
            }
        }
        Ok(None)
    }

    /// Plays a task beside the lanes; `false` if the context said stop first.
    fn play_alone(&mut self, task: GameTask) -> Result<bool, SearchError> {
        let outcome = self.pool.play(self.context, &task)?;
        let is_over = outcome.is_some();
        if let Some(outcome) = outcome {
            (self.done)(task, outcome);
        }
        Ok(is_over)
    }

    /// Plays the games that were under way again, one by one; how many of them broke off.
    fn play_again(&mut self) -> Result<usize, SearchError> {
        let mut broken = 0;
        for task in std::mem::take(&mut self.under_way).into_values() {
            self.memory.leave(&task);
            let Some(outcome) = self.pool.play(self.context, &task)? else { return Ok(broken) };
            broken += usize::from(outcome.is_err());
            (self.done)(task, outcome);
        }
        Ok(broken)
    }
}

impl Schedule for LaneQueue<'_> {
    fn next(&mut self) -> Option<ludens_search::LaneGame> {
        let task = self.next_in_lane().unwrap_or_else(|error| {
            self.failed = Some(error);
            None
        })?;
        self.last += 1;
        let seats = Role::all(task.seats.len()).map(|role| task.spec(role).clone()).collect();
        let (budget, seed) = (task.cell.budget, task.seed);
        self.under_way.insert(self.last, task);
        Some(ludens_search::LaneGame { number: self.last, seats, budget, seed })
    }

    fn searched(&mut self, _effort: Effort) {
        (self.context.searched)();
    }

    fn finished(&mut self, number: u64, game: Played) {
        let task = self.under_way.remove(&number).expect("only tasks that were given out are finished");
        self.memory.leave(&task);
        (self.done)(task, Ok(game));
    }

    fn is_stopped(&self) -> bool {
        (self.context.stop)()
    }
}
