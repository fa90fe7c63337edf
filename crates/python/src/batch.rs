//! [`Batch`]: thousands of positions of one rulesheet that step together.
//!
//! The arrays belong to numpy and are made once. The engine writes into them in place, with the GIL held, so that no other Python
//! code runs meanwhile; nothing here is `unsafe`. Steps run without the GIL: they read a copy of the moves and touch no array.

mod block;
mod blocks;

use crate::error::bad;
use crate::game::{Game, Opened, as_game};
use block::{Block, Decider, Reason, Refused, Wanted, write_mask};
use blocks::{Blocks, LANES};
use ludens::game::{Role, Seed};
use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

/// Thousands of positions of one compiled rulesheet, stepped together from numpy.
///
/// >>> batch = ludens.Batch("gdl:connect4", 1000, seed=1)
/// >>> batch.legal.shape
/// (1000, 8)
/// >>> while batch.finished < 1000:
/// ...     scores, over = batch.step(batch.random_moves())
/// >>> bool((scores[over].sum(axis=1) == 1).all())
/// True
///
/// A game that is over begins again by itself: the next step ignores its move and sets it to the start. All positions are in the same
/// phase of the game, so where roles take turns this may need one step more; `playing` says in which positions the next step plays a
/// move.
///
/// One thread computes it unless more are asked for: to wake another costs as much as a step of thousands of positions.
///
/// The arrays are overwritten by the next step: copy what you keep. `legal`, `states` and `observations` are computed when they are
/// asked for.
#[pyclass(module = "ludens", frozen)]
pub(crate) struct Batch {
    opened: Arc<Opened>,
    count: usize,
    seed: u64,
    blocks: Mutex<Blocks>,
    arrays: Arrays,
}

/// What Python sees.
struct Arrays {
    playing: Py<PyArray1<bool>>,
    over: Py<PyArray1<bool>>,
    scores: Py<PyArray2<f64>>,
    to_play: Py<PyArray1<i8>>,
    legal: Mask,
    states: Py<PyArray2<u64>>,
}

/// A mask of moves: bytes for the engine, truth values for Python, in the same memory.
struct Mask {
    bytes: Py<PyArray2<u8>>,
    truth: Py<PyArray2<bool>>,
}

impl Mask {
    fn new(py: Python<'_>, count: usize, width: usize) -> PyResult<Mask> {
        let bytes = zeros(py, (count, width), "uint8")?;
        let truth = bytes.call_method1("view", ("bool",))?;
        Ok(Mask { bytes: bytes.extract()?, truth: truth.extract()? })
    }
}

/// Scores, and which games are over.
type Ends = (Py<PyArray2<f64>>, Py<PyArray1<bool>>);

/// What the engine of a batch may hold, in bytes.
const LIMIT: usize = 4 << 30;

impl Batch {
    fn blocks(&self) -> PyResult<MutexGuard<'_, Blocks>> {
        match self.blocks.try_lock() {
            Ok(blocks) => Ok(blocks),
            Err(TryLockError::Poisoned(blocks)) => Ok(blocks.into_inner()),
            Err(TryLockError::WouldBlock) => Err(bad("another thread is using this batch")),
        }
    }

    /// Writes what the last step changed.
    fn publish(&self, py: Python<'_>, blocks: &mut Blocks) -> PyResult<()> {
        let mut over = self.arrays.over.bind(py).try_readwrite()?;
        let mut scores = self.arrays.scores.bind(py).try_readwrite()?;
        let mut playing = self.arrays.playing.bind(py).try_readwrite()?;
        let (over, scores) = (over.as_slice_mut()?, scores.as_slice_mut()?);
        let playing = playing.as_slice_mut()?;
        let roles = self.opened.roles.len();
        for position in blocks.ended.drain(..) {
            over[position] = false;
            scores[position * roles..][..roles].fill(0.0);
        }
        for block in &blocks.list {
            playing[block.first()..][..block.playing().len()].copy_from_slice(block.playing());
            for (position, values) in block.ended() {
                over[position] = true;
                scores[position * roles..][..roles].copy_from_slice(values);
                blocks.ended.push(position);
            }
        }
        blocks.finished += blocks.ended.len() as u64;
        Ok(())
    }

    fn refusal(&self, refused: &Refused, moves: &Bound<'_, PyAny>) -> PyErr {
        let position = refused.position;
        match refused.reason {
            Reason::Several => {
                let shape = (self.count, self.opened.roles.len());
                bad(format!("position {position}: several roles decide; give moves of shape {shape:?}"))
            }
            Reason::Illegal(role) => {
                let given = moves.get_item(position).map_or(String::new(), |given| format!(" {given}"));
                let role = &self.opened.roles[role.index()];
                bad(format!("position {position}: move{given} is not legal for {role}"))
            }
        }
    }

    /// The moves as numbers, copied.
    fn read(&self, moves: &Bound<'_, PyAny>) -> PyResult<Wanted> {
        let py = moves.py();
        let roles = self.opened.roles.len();
        let numpy = py.import("numpy")?;
        let array = numpy.call_method1("asarray", (moves,))?;
        if !["i", "u"].contains(&array.getattr("dtype")?.getattr("kind")?.extract::<String>()?.as_str()) {
            return Err(bad(format!("moves are whole numbers, not {}", array.getattr("dtype")?)));
        }
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        let each = match shape[..] {
            [count] if count == self.count => 1,
            [count, each] if count == self.count && each == roles => roles,
            _ => {
                let (one, all) = ((self.count,), (self.count, roles));
                let shape = array.getattr("shape")?;
                return Err(bad(format!("moves have shape {shape}; allowed: {one:?} or {all:?}")));
            }
        };
        // The usual kinds are read as they are, all others are converted first.
        let moves = if let Ok(narrow) = array.cast::<PyArrayDyn<i32>>() {
            let narrow = narrow.try_readonly()?;
            narrow.as_slice().map_or_else(|_| narrow.as_array().iter().copied().collect(), <[i32]>::to_vec)
        } else {
            let wide = array.call_method1("astype", ("int64",))?;
            let wide = wide.cast::<PyArrayDyn<i64>>()?.try_readonly()?;
            wide.as_array().iter().map(|&number| i32::try_from(number).unwrap_or(i32::MIN)).collect()
        };
        Ok(Wanted { moves, each })
    }

    /// Fills the mask of one role, or of the role that decides in each position.
    fn fill_legal(&self, py: Python<'_>, blocks: &mut Blocks, role: Option<Role>, mask: &Mask) -> PyResult<()> {
        let array = mask.bytes.bind(py);
        let width = array.shape()[1];
        let fill = |block: &mut Block, mask: &mut [u8]| {
            block.list_legal();
            for (lane, mask) in mask.chunks_exact_mut(width).enumerate() {
                let decider = match role {
                    Some(role) => Decider::One(role),
                    None if block.playing()[lane] => block.decider(lane),
                    None => Decider::One(Role(0)),
                };
                match decider {
                    Decider::One(role) if block.playing()[lane] => write_mask(block.legal(lane, role), mask),
                    Decider::One(_) => mask.fill(0),
                    Decider::Several => return Err(block.first() + lane),
                }
            }
            Ok(())
        };
        let filled = blocks.try_each_with((array.try_readwrite()?.as_slice_mut()?, width), fill);
        filled.map_err(|position| bad(format!("position {position}: several roles decide; ask legal_of(role)")))
    }
}

/// An array of zeros, made by numpy, which says so if there is no memory for it.
fn zeros<'py>(py: Python<'py>, shape: impl IntoPyObject<'py>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("numpy")?.call_method1("zeros", (shape, kind))
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, count, *, seed = 1, threads = 1))]
    fn new(py: Python<'_>, game: &Bound<'_, PyAny>, count: usize, seed: u64, threads: usize) -> PyResult<Batch> {
        let opened = as_game(game)?;
        let name = opened.game.name();
        if !(1..=1 << 24).contains(&count) {
            return Err(bad(format!("a batch of {count} positions; allowed: 1 to {}", 1 << 24)));
        }
        if !(1..=1024).contains(&threads) {
            return Err(bad(format!("{threads} threads; allowed: 1 to 1024")));
        }
        let roles = opened.roles.len();
        let Some(first) = py.detach(|| opened.raised.catch(|| opened.game.lanes(LANES)))? else {
            return Err(bad(format!("{name} has no lanes: only compiled rulesheets have them")));
        };
        if opened.game.clone().start().scores().is_some() {
            return Err(bad(format!("{name} is over before the first move")));
        }
        let need = first.bytes() * count.div_ceil(LANES);
        if need > LIMIT {
            let gib = |bytes: usize| bytes as f64 / (1u64 << 30) as f64;
            let (need, limit) = (gib(need), gib(LIMIT));
            return Err(bad(format!("{count} positions of {name} need {need:.1} GiB; allowed: {limit} GiB")));
        }
        let words = first.state_words();
        let row = opened.raised.catch(|| opened.game.clone().start().row().map(<[u64]>::len))?;
        let is_plain = row == Some(words);
        let start = opened.game.clone().start();
        let noops: Arc<[_]> = Role::all(roles).map(|role| start.parse_move(role, "noop")).collect();
        let list = (0..count).step_by(LANES).map(|start| {
            let lanes = opened.game.lanes(LANES).expect("a game that has lanes has more of them");
            let rng = Seed::new(seed).at((start / LANES) as u64).rng();
            Block::new(lanes, (start, LANES.min(count - start)), noops.clone(), is_plain, rng)
        });
        let list: Vec<Block> = list.collect();
        let threads = threads.min(list.len());
        let pool = (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads - 1).build()).transpose();
        let width = Role::all(roles).map(|role| opened.game.moves(role)).max().unwrap_or(0);
        let arrays = Arrays {
            playing: zeros(py, count, "bool")?.extract()?,
            over: zeros(py, count, "bool")?.extract()?,
            scores: zeros(py, (count, roles), "float64")?.extract()?,
            to_play: zeros(py, count, "int8")?.extract()?,
            legal: Mask::new(py, count, width)?,
            states: zeros(py, (count, words), "uint64")?.extract()?,
        };
        arrays.playing.bind(py).try_readwrite()?.as_slice_mut()?.fill(true);
        let blocks = Blocks {
            list,
            pool: pool.map_err(bad)?,
            finished: 0,
            ended: Vec::new(),
            has_legal: false,
            has_states: false,
        };
        Ok(Batch { opened, count, seed, blocks: Mutex::new(blocks), arrays })
    }

    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game { opened: self.opened.clone() }
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// How many games have ended since the start.
    #[getter]
    fn finished(&self) -> PyResult<u64> {
        Ok(self.blocks()?.finished)
    }

    /// All games begin again; with a seed, with new random moves.
    #[pyo3(signature = (seed = None))]
    fn reset(&self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        let seed = seed.unwrap_or(self.seed);
        let mut blocks = self.blocks()?;
        let reset = |block: &mut Block| block.reset(Seed::new(seed).at((block.first() / LANES) as u64).rng());
        blocks.list.iter_mut().for_each(reset);
        (blocks.has_legal, blocks.has_states, blocks.finished) = (false, false, 0);
        self.publish(py, &mut blocks)
    }

    /// Plays a move in every position that is played; numbers for the others are ignored.
    ///
    /// `moves` has the number of a move of the role to play for each position, or where several roles decide at once one number for
    /// each role; -1 stands for the only move of a role. Returns `scores` and `over`. If a move is not legal nothing is played.
    fn step(&self, py: Python<'_>, moves: &Bound<'_, PyAny>) -> PyResult<Ends> {
        let wanted = self.read(moves)?;
        let mut blocks = self.blocks()?;
        let working = &mut *blocks;
        let stepped = py.detach(|| self.opened.raised.catch(|| working.step(&wanted)))?;
        stepped.map_err(|refused| self.refusal(&refused, moves))?;
        self.publish(py, &mut blocks)?;
        Ok((self.arrays.scores.clone_ref(py), self.arrays.over.clone_ref(py)))
    }

    /// A random legal move for every position, as `step` takes them; -1 where nothing is played.
    fn random_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut blocks = self.blocks()?;
        let each = if blocks.has_joint_moves() { self.opened.roles.len() } else { 1 };
        let moves = PyArray1::<i32>::zeros(py, self.count * each, false);
        let drawn = blocks.try_each_with((moves.try_readwrite()?.as_slice_mut()?, each), |block, part| {
            if each == 1 {
                block.random(part)
            } else {
                block.random_joint(part)
            }
            Ok::<_, std::convert::Infallible>(())
        });
        drawn.unwrap_or_else(|never| match never {});
        if each == 1 { Ok(moves.into_any()) } else { Ok(moves.reshape([self.count, each])?.into_any()) }
    }

    /// In which positions the next step plays a move; the others are about to begin again.
    #[getter]
    fn playing(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.arrays.playing.clone_ref(py)
    }

    /// Which games ended with the last step.
    #[getter]
    fn over(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.arrays.over.clone_ref(py)
    }

    /// The scores of the games that ended with the last step, by role; 0 for all others.
    #[getter]
    fn scores(&self, py: Python<'_>) -> Py<PyArray2<f64>> {
        self.arrays.scores.clone_ref(py)
    }

    /// The number of the role to play; -1 where nothing is played, -2 where several roles decide.
    #[getter]
    fn to_play(&self, py: Python<'_>) -> PyResult<Py<PyArray1<i8>>> {
        let mut blocks = self.blocks()?;
        let mut roles = self.arrays.to_play.bind(py).try_readwrite()?;
        let roles = roles.as_slice_mut()?;
        for block in &mut blocks.list {
            block.list_legal();
            for (lane, place) in roles[block.first()..][..block.playing().len()].iter_mut().enumerate() {
                *place = match block.playing()[lane].then(|| block.decider(lane)) {
                    Some(Decider::One(role)) => role.0 as i8,
                    Some(Decider::Several) => -2,
                    None => -1,
                };
            }
        }
        Ok(self.arrays.to_play.clone_ref(py))
    }

    /// Which moves are legal for the role to play: positions by moves. Nothing is where nothing is played.
    #[getter]
    fn legal(&self, py: Python<'_>) -> PyResult<Py<PyArray2<bool>>> {
        let mut blocks = self.blocks()?;
        if !blocks.has_legal {
            self.fill_legal(py, &mut blocks, None, &self.arrays.legal)?;
            blocks.has_legal = true;
        }
        Ok(self.arrays.legal.truth.clone_ref(py))
    }

    /// Which moves are legal for a role: positions by moves of that role.
    fn legal_of(&self, py: Python<'_>, role: &Bound<'_, PyAny>) -> PyResult<Py<PyArray2<bool>>> {
        let role = self.opened.role(role)?;
        let mask = Mask::new(py, self.count, self.opened.game.moves(role))?;
        self.fill_legal(py, &mut *self.blocks()?, Some(role), &mask)?;
        Ok(mask.truth)
    }

    /// The states as the engine has them: rows of bits, 64 facts in a word.
    #[getter]
    fn states(&self, py: Python<'_>) -> PyResult<Py<PyArray2<u64>>> {
        let mut blocks = self.blocks()?;
        if !blocks.has_states {
            let array = self.arrays.states.bind(py);
            let words = array.shape()[1];
            let stored = blocks.try_each_with((array.try_readwrite()?.as_slice_mut()?, words), |block, rows| {
                block.store(rows);
                Ok::<_, std::convert::Infallible>(())
            });
            stored.unwrap_or_else(|never| match never {});
            blocks.has_states = true;
        }
        Ok(self.arrays.states.clone_ref(py))
    }

    /// The states as truth values, positions by facts: `Game.facts` names the columns.
    ///
    /// >>> batch = ludens.Batch("gdl:tictactoe", 2)
    /// >>> [fact for fact, holds in zip(batch.game.facts, batch.observations[0]) if holds][:2]
    /// ['(cell 1 1 blank)', '(cell 1 2 blank)']
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let facts = py.detach(|| self.opened.facts())?.len();
        let bytes = self.states(py)?.bind(py).call_method1("view", ("uint8",))?;
        let options = pyo3::types::PyDict::new(py);
        options.set_item("axis", 1)?;
        options.set_item("count", facts)?;
        options.set_item("bitorder", "little")?;
        let bits = py.import("numpy")?.getattr("unpackbits")?.call((bytes,), Some(&options))?;
        bits.call_method1("view", ("bool",))
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<Batch of {} positions of {}>", self.count, self.opened.game.name()))
    }
}
