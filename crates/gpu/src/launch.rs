//! Plays a job on a [`Card`]: plans its memory, launches the kernels until all games are over, and hands games out as they end.
//!
//! A launch is unsafe because nobody checks what a kernel does. It gets the addresses and sizes of buffers that live until the
//! stream has been waited for; the emulated kernels and `compute-sanitizer` show that it stays within them.
#![allow(unsafe_code)]

use crate::{
    card::{Card, CardError},
    job::{FIRST_PLAYERS, Job, Status},
    kernel::{Shape, for_card},
    player::PlayerCode,
};
use cudarc::driver::{CudaFunction, CudaSlice, CudaStream, DevicePtr, DeviceRepr, LaunchConfig, PushKernelArg, sys};
use ludens_search::Played;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a launch is given: `Job` in `state.h`. Addresses are numbers here.
#[repr(C)]
#[derive(Clone, Copy)]
struct JobArgs {
    buffers: [u64; 13],
    pool_size: u64,
    log_count: u32,
    games: u32,
    history: u32,
    ticks: u32,
    warp_count: u32,
    searches_only: u32,
    width: u32,
    padding: u32,
    first_players: [[u8; PlayerCode::SIZE]; FIRST_PLAYERS],
}

// SAFETY: plain numbers, laid out as in C.
unsafe impl DeviceRepr for JobArgs {}

/// Who hears of the games of a job.
pub trait Sink {
    /// A game has ended; `None`: it is left to the processor.
    fn finished(&mut self, game: usize, played: Option<Played>);
    /// So many searches have ended since the last time.
    fn searched(&mut self, searches: u64);
    /// Whether to abandon all games.
    fn is_stopped(&self) -> bool;
}

/// What it took to play a job.
#[derive(Clone, Copy, Debug, Default)]
pub struct CardTime {
    /// Compiling the kernels, or reading them.
    pub compiling: Duration,
    /// Launches.
    pub playing: Duration,
    /// How many of them.
    pub launches: u64,
    /// Lanes that were used.
    pub lanes: usize,
    /// Bytes of the pool that were taken.
    pub pool: u64,
    /// Simulations that were made, also in searches that were cut.
    pub simulations: u64,
    /// Their steps.
    pub steps: u64,
}

impl CardTime {
    /// Both, one after the other. The lanes are those of the first.
    fn and(self, other: CardTime) -> CardTime {
        CardTime {
            compiling: self.compiling + other.compiling,
            playing: self.playing + other.playing,
            launches: self.launches + other.launches,
            lanes: self.lanes,
            pool: self.pool.max(other.pool),
            simulations: self.simulations + other.simulations,
            steps: self.steps + other.steps,
        }
    }
}

/// The kernels are stopped and taken up again after about this time, so that results come back and a user can interrupt.
const LAUNCH: Duration = Duration::from_millis(300);

/// Warps of a block, and blocks that shall fit on a multiprocessor: more would leave too few registers to a thread.
const WARPS: usize = 2;
const BLOCKS: usize = 4;

/// Shared memory that a block can have on all cards of interest.
const MAX_SHARED: usize = 200 << 10;

/// Games that ran out of memory are played again with so many times as much.
const MORE_MEMORY: usize = 4;

/// The share of the free memory that may be taken.
const MEMORY_SHARE: f64 = 0.9;

impl Card {
    /// Compiles the kernels of a job, so that playing it begins at once.
    ///
    /// # Errors
    /// If the kernels cannot be compiled.
    pub fn prepare(&self, job: &Job) -> Result<(), CardError> {
        self.module(for_card(job, shape(job))).map(drop)
    }

    /// Plays a job. Games that need more memory than was planned are played again, with more of it.
    ///
    /// # Errors
    /// If the card fails, or has no memory for a single game.
    pub fn play(&self, job: &Job, plan: MemoryPlan, sink: &mut dyn Sink) -> Result<CardTime, CardError> {
        let (mut time, mut left) = self.play_wave(job, plan, sink)?;
        let (mut lanes, mut seat_bytes) = (time.lanes, plan.seat_bytes);
        while !left.is_empty() && !sink.is_stopped() {
            // A game that was alone had all the memory there is.
            if lanes <= job.sheet.roles() {
                left.iter().for_each(|&game| sink.finished(game, None));
                break;
            }
            seat_bytes *= MORE_MEMORY;
            let plan = MemoryPlan { seat_bytes, lanes: (lanes / MORE_MEMORY).max(1), ..plan };
            let wave = self.play_wave(&job.part(&left), plan, &mut Again { games: &left, sink: &mut *sink });
            match wave {
                Ok((more, starved)) => {
                    lanes = more.lanes;
                    time = time.and(more);
                    left = starved.into_iter().map(|game| left[game]).collect();
                }
                Err(CardError::Memory { .. }) => lanes = 0,
                Err(error) => return Err(error),
            }
        }
        Ok(time)
    }

    /// Plays what memory allows; returns the games that ran out of it.
    fn play_wave(&self, job: &Job, plan: MemoryPlan, sink: &mut dyn Sink) -> Result<(CardTime, Vec<usize>), CardError> {
        if job.games.is_empty() {
            return Ok(Default::default());
        }
        let begun = Instant::now();
        let shape = shape(job);
        let module = self.module(for_card(job, shape))?;
        let play = module.load_function("play_games")?;
        let stream = self.context.new_stream()?;
        let sizes = sizes(&stream, &module.load_function("sizes")?)?;
        let compiling = begun.elapsed();
        let run = Running::new(self, job, (shape, sizes, plan), &stream)?;
        run.go((job, shape, play), sink).map(|(time, starved)| (CardTime { compiling, ..time }, starved))
    }
}

/// Tells of games that are played again.
struct Again<'s> {
    games: &'s [usize],
    sink: &'s mut dyn Sink,
}

impl Sink for Again<'_> {
    fn finished(&mut self, game: usize, played: Option<Played>) {
        self.sink.finished(self.games[game], played);
    }

    fn searched(&mut self, searches: u64) {
        self.sink.searched(searches);
    }

    fn is_stopped(&self) -> bool {
        self.sink.is_stopped()
    }
}

/// How the kernels of a job are put on a card.
fn shape(job: &Job) -> Shape {
    let own = 4 * job.sheet.value_words + job.told_bytes();
    Shape { warps: WARPS, min_blocks: BLOCKS, shares_values: WARPS * own <= MAX_SHARED }
}

/// Warps that a card can have under way at the same time.
fn resident_warps(card: &Card, job: &Job, shape: Shape) -> Result<usize, CardError> {
    let count = sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
    let processors = card.context.attribute(count)?.max(1) as usize;
    let by_memory =
        if shape.shares_values { MAX_SHARED / (4 * job.sheet.value_words + job.told_bytes()) } else { usize::MAX };
    Ok(processors * by_memory.min(shape.warps * shape.min_blocks).max(1))
}

/// What a job may expect of memory.
#[derive(Clone, Copy, Debug)]
pub struct MemoryPlan {
    /// What the tree and the tables of one seat are expected to take.
    pub seat_bytes: usize,
    /// The part of the free memory that the job may take, from 0 to 1.
    pub memory: f64,
    /// The part of the card's warps that it may keep busy.
    pub warps: f64,
    /// Seats that may play at once.
    pub lanes: usize,
}

/// Bytes of what the kernels keep.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    lane: usize,
    store: usize,
    warp: usize,
    shared: usize,
}

fn sizes(stream: &Arc<CudaStream>, kernel: &CudaFunction) -> Result<Sizes, CardError> {
    let mut out: CudaSlice<u64> = stream.alloc_zeros(4)?;
    let one = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (1, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: the kernel writes four numbers into a buffer of four.
    unsafe { stream.launch_builder(kernel).arg(&mut out).launch(one) }?;
    let [lane, store, warp, shared] = stream.clone_dtoh(&out)?[..] else { unreachable!("four numbers") };
    Ok(Sizes { lane: lane as usize, store: store as usize, warp: warp as usize, shared: shared as usize })
}

/// A job on a card.
struct Running {
    stream: Arc<CudaStream>,
    args: JobArgs,
    shared_bytes: usize,
    results: CudaSlice<u8>,
    moves: CudaSlice<u8>,
    queue: CudaSlice<u32>,
    counts: CudaSlice<u64>,
    /// Buffers that only the kernels look into.
    _held: Vec<CudaSlice<u8>>,
}

impl Running {
    fn new(
        card: &Card,
        job: &Job,
        (shape, sizes, plan): (Shape, Sizes, MemoryPlan),
        stream: &Arc<CudaStream>,
    ) -> Result<Running, CardError> {
        let results = stream.alloc_zeros::<u8>(job.result_size() * job.games.len())?;
        let moves = stream.alloc_zeros::<u8>(job.moves_size() * job.games.len())?;
        let words: Vec<u8> = job.sheet.words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let bytes_of =
            |numbers: Vec<f64>| -> Vec<u8> { numbers.iter().flat_map(|number| number.to_ne_bytes()).collect() };
        let (logs, mut discounts) = (bytes_of(job.logs()), bytes_of(job.discounts()));
        // No buffer is empty.
        discounts.resize(discounts.len().max(8), 0);
        let given = [words, job.player_bytes(), job.task_bytes(), logs, discounts];
        let mut held = given.iter().map(|bytes| stream.clone_htod(bytes)).collect::<Result<Vec<_>, _>>()?;
        stream.synchronize()?;
        let (free, _) = card.context.mem_get_info()?;
        let free = (free as f64 * MEMORY_SHARE * plan.memory) as usize;
        let value_bytes = if shape.shares_values { 0 } else { 4 * job.sheet.value_words };
        // With few games a warp has few of them: the fewer, the less its lanes wait for each other.
        let roles = job.sheet.roles();
        // Where memory is scarce, the games that fit are spread over all warps, as if there were no others.
        let fitting = free / (roles * (sizes.store + plan.seat_bytes)).max(1);
        let at_once = job.games.len().min(plan.lanes.div_ceil(roles)).min(fitting.max(1));
        let resident = (resident_warps(card, job, shape)? as f64 * plan.warps) as usize;
        let games = at_once.div_ceil(resident.max(1)).clamp(1, 32 / roles);
        let width = games * roles;
        let fixed = 32 * sizes.lane + width * sizes.store + sizes.warp + value_bytes;
        let needed = fixed + width * plan.seat_bytes;
        let warps = at_once.div_ceil(games).min(free / needed);
        if warps == 0 {
            return Err(CardError::Memory { needed, free });
        }
        // Some games take more than others; whatever is free may be theirs.
        let pool_size =
            (free - warps * (fixed - width * sizes.store)).min(warps * width * (sizes.store + 4 * plan.seat_bytes));
        for bytes in [32 * sizes.lane * warps, sizes.warp * warps, pool_size, (value_bytes * warps).max(4)] {
            held.push(stream.alloc_zeros::<u8>(bytes)?);
        }
        let queue = stream.alloc_zeros::<u32>(4)?;
        let counts = stream.alloc_zeros::<u64>(3)?;
        let address = |buffer: &CudaSlice<u8>| buffer.device_ptr(stream).0;
        let [sheet, players, tasks, logs, discounts, lanes, warp_states, pool, values] =
            std::array::from_fn(|place| address(&held[place]));
        let mut first_players = [[0; PlayerCode::SIZE]; FIRST_PLAYERS];
        for (player, bytes) in first_players.iter_mut().zip(job.player_bytes().chunks_exact(PlayerCode::SIZE)) {
            player.copy_from_slice(bytes);
        }
        let args = JobArgs {
            buffers: [
                sheet,
                players,
                tasks,
                logs,
                discounts,
                address(&results),
                address(&moves),
                lanes,
                warp_states,
                pool,
                counts.device_ptr(stream).0,
                queue.device_ptr(stream).0,
                values,
            ],
            pool_size: pool_size as u64,
            log_count: job.logs().len() as u32,
            games: job.games.len() as u32,
            history: job.history as u32,
            ticks: 0,
            warp_count: warps as u32,
            searches_only: u32::from(job.searches_only),
            width: width as u32,
            padding: 0,
            first_players,
        };
        let own = if shape.shares_values { (4 * job.sheet.value_words).next_multiple_of(16) } else { 0 };
        let shared_bytes = shape.warps * (sizes.shared.next_multiple_of(16) + own.next_multiple_of(16) + 16);
        stream.synchronize()?;
        Ok(Running { stream: stream.clone(), args, shared_bytes, results, moves, queue, counts, _held: held })
    }

    /// Launches until all games are over.
    fn go(
        mut self,
        (job, shape, play): (&Job, Shape, CudaFunction),
        sink: &mut dyn Sink,
    ) -> Result<(CardTime, Vec<usize>), CardError> {
        let attribute = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        play.set_attribute(attribute, self.shared_bytes as i32)?;
        let blocks = (self.args.warp_count as usize).div_ceil(shape.warps);
        let config = LaunchConfig {
            grid_dim: (blocks as u32, 1, 1),
            block_dim: (32 * shape.warps as u32, 1, 1),
            shared_mem_bytes: self.shared_bytes as u32,
        };
        let mut time = CardTime { lanes: (self.args.width * self.args.warp_count) as usize, ..CardTime::default() };
        let mut told = vec![false; job.games.len()];
        let mut starved = Vec::new();
        let mut searches = 0;
        self.args.ticks = 64;
        loop {
            let begun = Instant::now();
            let args = self.args;
            // SAFETY: every address is that of a buffer of `self`, and the stream is waited for below.
            unsafe { self.stream.launch_builder(&play).arg(&args).launch(config) }?;
            self.stream.synchronize()?;
            let took = begun.elapsed();
            time.playing += took;
            time.launches += 1;
            let queue = self.stream.clone_dtoh(&self.queue)?;
            sink.searched(u64::from(queue[2].wrapping_sub(searches)));
            searches = queue[2];
            self.hand_out(job, (&mut told, &mut starved), sink)?;
            let is_over = queue[1] == 0;
            if is_over || sink.is_stopped() {
                let counts = self.stream.clone_dtoh(&self.counts)?;
                (time.pool, time.simulations, time.steps) = (counts[0], counts[1], counts[2]);
                return Ok((time, starved));
            }
            self.stream.memcpy_htod(&[0_u32], &mut self.queue.slice_mut(1..2))?;
            let pace = LAUNCH.as_secs_f64() / took.as_secs_f64().max(1e-6);
            self.args.ticks = ((f64::from(self.args.ticks) * pace.clamp(0.25, 4.0)) as u32).clamp(16, 1 << 20);
        }
    }

    /// Tells of games that have ended since the last time.
    fn hand_out(
        &self,
        job: &Job,
        (told, starved): (&mut [bool], &mut Vec<usize>),
        sink: &mut dyn Sink,
    ) -> Result<(), CardError> {
        let results = self.stream.clone_dtoh(&self.results)?;
        let ended: Vec<usize> = (0..told.len())
            .filter(|&game| !told[game] && job.status(&results[game * job.result_size()..]) != Status::Unplayed)
            .collect();
        let Some((&first, &last)) = ended.first().zip(ended.last()) else { return Ok(()) };
        let size = job.moves_size();
        // One copy for all: games end near each other.
        let moves = self.stream.clone_dtoh(&self.moves.slice(first * size..(last + 1) * size))?;
        for game in ended {
            told[game] = true;
            let result = &results[game * job.result_size()..][..job.result_size()];
            let moves = &moves[(game - first) * size..][..size];
            match job.status(result) {
                Status::Played => sink.finished(game, Some(job.played(result, moves))),
                Status::Starved => starved.push(game),
                Status::GivenUp | Status::Unplayed => sink.finished(game, None),
            }
        }
        Ok(())
    }
}
