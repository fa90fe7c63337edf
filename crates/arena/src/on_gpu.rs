//! Tens of thousands of games at once: the engine for rulesheets where there is a GPU.
//!
//! All games of a claim that take about as much memory become one job, whatever their cells and players, so that the card is full.
//! What the kernels leave out is played one by one, and so is everything if the card fails.

use crate::broken::Outcome;
use crate::cell::Cell;
use crate::engine::{Backend, GameContext, GameTask, OneByOne, PlayerPool};
use crate::lane_memory::bytes_per_player;
use crate::open::OpenGames;
use crate::run::RunError;
use ludens_gpu::{Card, CardError, GpuGame, Job, MemoryPlan, PlayerCode, Sheet, Sink};
use ludens_search::{Budget, Effort, Played, SearchError, Spec, isolate};
use std::cell::OnceCell;
use std::iter::Peekable;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Plays all games on a GPU, and refuses cells that cannot be.
pub struct OnGpu;

/// Games of a thread times simulations of a search, below which a card is too empty to pay: one H200 is then about as fast as
/// sixteen cores.
const MIN_WORK: u64 = 64_000;

/// Games of one job. More would not make the card busier, but their results would come later.
const MAX_GAMES: usize = 1 << 17;

/// Jobs that share a card at most, so that one fills the gaps of another.
const JOBS: usize = 8;

/// A seat is expected to take as much as in the memory of the processor, and half of that again: tables grow by doubling, and
/// nothing is given back. Games that take more are played again.
fn with_room(bytes: usize) -> usize {
    bytes + bytes / 2
}

/// The GPUs of this machine, which are looked for once.
///
/// # Errors
/// What is missing.
pub fn gpu() -> Result<&'static [Card], &'static CardError> {
    static CARDS: OnceLock<Result<Vec<Card>, CardError>> = OnceLock::new();
    let cards = CARDS.get_or_init(|| {
        // A library of the system that does not fit ends here, too.
        isolate(Card::all).unwrap_or_else(|panicked| Err(CardError::Driver(panicked.to_string())))
    });
    cards.as_deref()
}

impl Backend for OnGpu {
    fn plays_many(&self, _games: &OpenGames, _cell: &Cell, _share: u64) -> bool {
        true
    }

    fn check(&self, games: &OpenGames, cell: &Cell) -> Result<(), RunError> {
        let why = match gpu() {
            Err(error) => Some(error.to_string()),
            Ok(_) => None,
        };
        let refused = || {
            let codes = cell.players.iter().map(|player| PlayerCode::new(&player.spec, &cell.budget));
            codes.collect::<Result<Vec<_>, _>>().err().map(|why| format!("{cell}: {why}"))
        };
        let game = games.open(&cell.game)?;
        let no_rules = || {
            let sheet = game.circuit().map(|circuit| Sheet::new(&circuit));
            match sheet {
                None => Some(format!("{} cannot be played on a GPU: only compiled rulesheets can", game.name())),
                Some(Err(why)) => Some(format!("{} cannot be played on a GPU: {why}", game.name())),
                Some(Ok(_)) => None,
            }
        };
        match why.or_else(refused).or_else(no_rules) {
            Some(why) => Err(RunError::Engine(format!("{why}; with --engine auto a GPU plays what it can"))),
            None => Ok(()),
        }
    }

    fn play(
        &self,
        context: &GameContext<'_>,
        tasks: &mut dyn Iterator<Item = GameTask>,
        done: &mut dyn FnMut(GameTask, Outcome),
    ) -> Result<(), SearchError> {
        let mut rest = Vec::new();
        Fitting::any(context).play(&mut tasks.peekable(), done, &mut rest)?;
        OneByOne.play(context, &mut rest.into_iter(), done)
    }
}

/// A place among the jobs of a card.
struct Place {
    card: &'static Card,
    taken: &'static AtomicUsize,
    /// Jobs that were there before.
    others: usize,
}

impl Place {
    /// A place on a card that has one.
    fn take() -> Option<Place> {
        static TAKEN: OnceLock<Vec<AtomicUsize>> = OnceLock::new();
        let cards = gpu().ok()?;
        let taken = TAKEN.get_or_init(|| cards.iter().map(|_| AtomicUsize::new(0)).collect());
        let (card, taken) = cards.iter().zip(taken).min_by_key(|(_, taken)| taken.load(Ordering::Relaxed))?;
        let others = taken.fetch_add(1, Ordering::Relaxed);
        if others >= JOBS {
            taken.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        Some(Place { card, taken, others })
    }

    /// The same, after waiting for one.
    fn wait(stop: &dyn Fn() -> bool) -> Option<Place> {
        loop {
            if let Some(place) = Place::take() {
                return Some(place);
            }
            if stop() || gpu().is_err() {
                return None;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The tasks that are played on a GPU.
pub(crate) struct Fitting<'c> {
    context: &'c GameContext<'c>,
    /// Games times simulations that have to be there.
    min_work: u64,
    sheet: OnceCell<Option<Arc<Sheet>>>,
}

impl<'c> Fitting<'c> {
    /// All that can be.
    pub(crate) fn any(context: &'c GameContext<'c>) -> Fitting<'c> {
        Fitting { context, min_work: 0, sheet: OnceCell::new() }
    }

    /// Those for which it pays.
    pub(crate) fn that_pay(context: &'c GameContext<'c>) -> Fitting<'c> {
        Fitting { min_work: MIN_WORK, ..Fitting::any(context) }
    }

    /// Whether a task is played on a GPU.
    pub(crate) fn has(&self, task: &GameTask) -> bool {
        let cell = &task.cell;
        let work = cell.budget.about_simulations().unwrap_or(0).saturating_mul(self.context.share as u64);
        let can_play = || cell.players.iter().all(|player| PlayerCode::new(&player.spec, &cell.budget).is_ok());
        work >= self.min_work && can_play() && gpu().is_ok() && self.sheet().is_some()
    }

    fn sheet(&self) -> Option<&Arc<Sheet>> {
        let open = || self.context.game.circuit().and_then(|circuit| Sheet::new(&circuit).ok()).map(Arc::new);
        self.sheet.get_or_init(|| isolate(open).ok().flatten()).as_ref()
    }

    /// Plays tasks up to the first that does not fit. If the card fails, they are added to `rest`.
    pub(crate) fn play(
        &self,
        tasks: &mut Peekable<&mut dyn Iterator<Item = GameTask>>,
        done: &mut dyn FnMut(GameTask, Outcome),
        rest: &mut Vec<GameTask>,
    ) -> Result<(), SearchError> {
        let context = self.context;
        let mut pool = PlayerPool::default();
        loop {
            let mut fitting = Vec::new();
            while let Some(task) = tasks.next_if(|task| fitting.len() < MAX_GAMES && self.has(task)) {
                fitting.push(task);
            }
            let Some(sheet) = self.sheet().filter(|_| !fitting.is_empty()) else { return Ok(()) };
            let mut parts = by_memory(context, fitting)?.into_iter();
            while let Some(part) = parts.next() {
                match self.play_part(sheet, part, done)? {
                    End::Played(left_out) => {
                        for task in left_out {
                            let Some(outcome) = pool.play(context, &task)? else { return Ok(()) };
                            done(task, outcome);
                        }
                    }
                    End::Stopped => return Ok(()),
                    End::Failed(left) => {
                        rest.extend(left.into_iter().chain(parts.flat_map(|part| part.tasks)));
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Plays one job.
    fn play_part(
        &self,
        sheet: &Arc<Sheet>,
        part: Part,
        done: &mut dyn FnMut(GameTask, Outcome),
    ) -> Result<End, SearchError> {
        let context = self.context;
        let mut crew = Crew::default();
        for task in &part.tasks {
            let seats = crew.seats(task).expect("a task that fits can be played");
            crew.games.push(GpuGame { seats, seed: task.seed });
        }
        let job = Job::new(sheet.clone(), crew.codes, crew.games);
        // Compiled before there is a place; an error is told when the job is played.
        let cards = gpu().unwrap_or_default();
        cards.iter().for_each(|card| drop(card.prepare(&job)));
        let Some(place) = Place::wait(&|| (context.stop)()) else { return Ok(End::Stopped) };
        let jobs = context.at_once.div_ceil(cards.len().max(1)).clamp(1, JOBS);
        // Of the memory that others have left.
        let memory = 1.0 / jobs.saturating_sub(place.others).max(1) as f64;
        let plan = MemoryPlan { seat_bytes: part.seat_bytes, memory, warps: 1.0 / jobs as f64, lanes: usize::MAX };
        let fitting = part.tasks.into_iter().map(Some).collect();
        let mut finished = Finished { context, fitting, done, left_out: Vec::new(), begun: Instant::now() };
        let played = place.card.play(&job, plan, &mut finished);
        let Finished { fitting, left_out, .. } = finished;
        Ok(match played {
            Ok(_) if (context.stop)() => End::Stopped,
            Ok(_) => End::Played(left_out),
            Err(error) => {
                (context.note)(&format!("{error}; the games go on without the GPU"));
                End::Failed(fitting.into_iter().flatten().chain(left_out).collect())
            }
        })
    }
}

/// How a job ended, and with which games undone.
enum End {
    Played(Vec<GameTask>),
    Stopped,
    Failed(Vec<GameTask>),
}

/// Games that take about as much memory.
struct Part {
    tasks: Vec<GameTask>,
    /// What a seat of the smallest game takes.
    least: usize,
    /// What is planned for a seat.
    seat_bytes: usize,
}

/// Seats of one job may take so many times as much as others of it: room is planned for the largest.
const SPREAD: usize = 2;

/// With fewer games there is room for all of them.
const MIN_PARTED: usize = 1024;

/// Tasks in parts that take about as much memory, the smallest first.
fn by_memory(context: &GameContext<'_>, tasks: Vec<GameTask>) -> Result<Vec<Part>, SearchError> {
    let is_parted = tasks.len() >= MIN_PARTED;
    let mut known: Vec<(Spec, Budget, usize)> = Vec::new();
    let mut weighed = Vec::new();
    for task in tasks {
        let mut most = 0;
        for &seat in &task.seats {
            let (spec, budget) = (&task.cell.players[seat].spec, task.cell.budget);
            let bytes = match known.iter().find(|known| known.1 == budget && known.0 == *spec) {
                Some(&(_, _, bytes)) => bytes,
                None => {
                    let bytes = bytes_per_player(context, spec, budget)?;
                    known.push((spec.clone(), budget, bytes));
                    bytes
                }
            };
            most = most.max(bytes);
        }
        weighed.push((most, task));
    }
    weighed.sort_by_key(|&(bytes, _)| bytes);
    let mut parts: Vec<Part> = Vec::new();
    for (bytes, task) in weighed {
        match parts.last_mut() {
            Some(part) if !is_parted || bytes <= SPREAD * part.least => {
                part.tasks.push(task);
                part.seat_bytes = with_room(bytes);
            }
            _ => parts.push(Part { tasks: vec![task], least: bytes, seat_bytes: with_room(bytes) }),
        }
    }
    Ok(parts)
}

/// The players of a job, each once.
#[derive(Default)]
struct Crew {
    players: Vec<(Spec, Budget)>,
    codes: Vec<PlayerCode>,
    games: Vec<GpuGame>,
}

impl Crew {
    /// Who sits where in a task; none if a player cannot play here.
    fn seats(&mut self, task: &GameTask) -> Option<Vec<usize>> {
        let number = |role: usize| {
            let spec = &task.cell.players[task.seats[role]].spec;
            let budget = task.cell.budget;
            let known = self.players.iter().position(|player| player.1 == budget && player.0 == *spec);
            known.or_else(|| {
                self.codes.push(PlayerCode::new(spec, &budget).ok()?);
                self.players.push((spec.clone(), budget));
                Some(self.players.len() - 1)
            })
        };
        (0..task.seats.len()).map(number).collect()
    }
}

/// Takes the results of a job.
struct Finished<'t, 'c> {
    context: &'t GameContext<'c>,
    fitting: Vec<Option<GameTask>>,
    done: &'t mut dyn FnMut(GameTask, Outcome),
    left_out: Vec<GameTask>,
    begun: Instant,
}

impl Sink for Finished<'_, '_> {
    fn finished(&mut self, game: usize, played: Option<Played>) {
        let Some(task) = self.fitting[game].take() else { return };
        match played {
            Some(mut played) => {
                // All games ran at once: each has its share of the time.
                let share = self.begun.elapsed() / self.fitting.len() as u32 / task.seats.len() as u32;
                played.efforts.iter_mut().for_each(|effort: &mut Effort| effort.time = share);
                (self.done)(task, Ok(played));
            }
            None => self.left_out.push(task),
        }
    }

    fn searched(&mut self, searches: u64) {
        (0..searches).for_each(|_| (self.context.searched)());
    }

    fn is_stopped(&self) -> bool {
        (self.context.stop)()
    }
}
