//! [`OwnGame`]: a game written in Python as a game of the engine.
//!
//! Every question to the game is a call into Python, with the GIL. That makes it slow, and right: whatever can play a game can play
//! this one. An exception of the game leaves the engine as a panic and is raised again where Python called, see [`Raised`].

use crate::error::{Raised, bad};
use ludens::game::{Cell, Game, Layout, Move, Piece, Role, Turn, View};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// A game whose rules are the methods of a Python object.
pub(crate) struct OwnGame {
    object: Py<PyAny>,
    name: String,
    roles: Vec<String>,
    moves: Vec<MoveTable>,
    has_key: bool,
    has_board: bool,
    raised: Raised,
}

/// The moves of a role: everything that is ever legal, numbered.
struct MoveTable {
    objects: Vec<Py<PyAny>>,
    names: Vec<String>,
    /// From a move to its number.
    numbers: Py<PyDict>,
}

/// A state of the Python game, and what was asked about it once.
#[derive(Clone)]
pub(crate) struct OwnState {
    state: Arc<Py<PyAny>>,
    /// Who decides; nobody alone where all roles do.
    to_play: Option<Role>,
    scores: Option<Arc<[f64]>>,
}

/// What a game must have.
const METHODS: [&str; 6] = ["roles", "moves", "initial", "to_play", "legal_moves", "scores"];

impl OwnGame {
    pub(crate) fn new(object: &Bound<'_, PyAny>, raised: Raised) -> PyResult<OwnGame> {
        for method in METHODS {
            if !object.hasattr(method)? {
                let kind = object.get_type().name()?;
                return Err(PyTypeError::new_err(format!(
                    "a game is a name or an object like ludens.PythonGame, and this {kind} has no {method}"
                )));
            }
        }
        let name: String = match object.getattr("name") {
            Ok(name) => name.extract()?,
            Err(_) => object.get_type().name()?.extract()?,
        };
        let roles: Vec<String> = object.getattr("roles")?.extract()?;
        if roles.is_empty() || roles.len() > 16 {
            return Err(bad(format!("{name} has {} roles; allowed: 1 to 16", roles.len())));
        }
        let moves = object.getattr("moves")?;
        let moves = roles.iter().map(|role| {
            let own = match moves.cast::<PyDict>() {
                Ok(by_role) => by_role.get_item(role)?.ok_or_else(|| bad(format!("{name}: moves has no {role:?}")))?,
                Err(_) => moves.clone(),
            };
            MoveTable::new(object, &own)
        });
        let moves = moves.collect::<PyResult<_>>()?;
        let (has_key, has_board) = (object.hasattr("key")?, object.hasattr("board")?);
        Ok(OwnGame { object: object.clone().unbind(), name, roles, moves, has_key, has_board, raised })
    }

    pub(crate) fn title(&self) -> String {
        self.name.clone()
    }

    /// Asks Python.
    fn ask<T>(&self, question: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
        Python::attach(|py| question(self.object.bind(py))).unwrap_or_else(|error| self.raised.raise(error))
    }

    /// The move of a role that has nothing to decide.
    fn noop(&self, role: Role) -> Move {
        Move(self.moves[role.index()].names.len() as u32)
    }

    /// Looks at a state that was just made.
    fn examine(&self, game: &Bound<'_, PyAny>, state: Bound<'_, PyAny>) -> PyResult<OwnState> {
        let scores = self.read_scores(&game.call_method1("scores", (&state,))?)?;
        let to_play = match scores {
            Some(_) => Some(Role(0)),
            None => self.read_role(&game.call_method1("to_play", (&state,))?)?,
        };
        Ok(OwnState { state: Arc::new(state.unbind()), to_play, scores })
    }

    fn read_scores(&self, scores: &Bound<'_, PyAny>) -> PyResult<Option<Arc<[f64]>>> {
        if scores.is_none() {
            return Ok(None);
        }
        let list: Vec<f64> = match scores.cast::<PyDict>() {
            Ok(by_role) => {
                let of =
                    |role| by_role.get_item(role)?.ok_or_else(|| bad(format!("scores has no {role:?}")))?.extract();
                self.roles.iter().map(of).collect::<PyResult<_>>()?
            }
            Err(_) => scores.extract()?,
        };
        if list.len() != self.roles.len() || list.iter().any(|score| !(0.0..=1.0).contains(score)) {
            let reason =
                format!("scores gave {list:?}; allowed: one number from 0 to 1 for each of {} roles", self.roles.len());
            return Err(bad(format!("{}: {reason}", self.name)));
        }
        Ok(Some(list.into()))
    }

    fn read_role(&self, role: &Bound<'_, PyAny>) -> PyResult<Option<Role>> {
        if role.is_none() {
            return Ok(None);
        }
        let place = match role.extract::<String>() {
            Ok(name) => self.roles.iter().position(|role| *role == name),
            Err(_) => role.extract::<usize>().ok().filter(|&place| place < self.roles.len()),
        };
        let unknown = || bad(format!("{}: to_play gave {role}; roles: {}", self.name, self.roles.join(", ")));
        place.map(|place| Some(Role(place as u8))).ok_or_else(unknown)
    }

    fn read_legals(&self, legal: &Bound<'_, PyAny>, role: Role, out: &mut Vec<Move>) -> PyResult<()> {
        let numbers = self.moves[role.index()].numbers.bind(legal.py());
        for mv in legal.try_iter()? {
            let mv = mv?;
            let Some(number) = numbers.get_item(&mv)? else {
                return Err(bad(format!("{}: legal_moves gave {mv}, which is not among the moves", self.name)));
            };
            out.push(Move(number.extract()?));
        }
        out.sort_unstable();
        out.dedup();
        Ok(())
    }

    /// The state after a joint move.
    fn successor(&self, game: &Bound<'_, PyAny>, state: &OwnState, joint: &[Move]) -> PyResult<OwnState> {
        let py = game.py();
        let object = |role: Role| {
            let table = &self.moves[role.index()];
            table.objects.get(joint[role.index()].index()).map_or(py.None(), |mv| mv.clone_ref(py))
        };
        let to_play = state.to_play;
        let state = state.state.bind(py);
        let next = match to_play {
            Some(role) => game.call_method1("play", (state, object(role)))?,
            None => {
                let moves = PyTuple::new(py, Role::all(self.roles.len()).map(object).collect::<Vec<_>>())?;
                game.call_method1("play_joint", (state, moves))?
            }
        };
        self.examine(game, next)
    }
}

impl MoveTable {
    fn new(game: &Bound<'_, PyAny>, moves: &Bound<'_, PyAny>) -> PyResult<MoveTable> {
        let py = game.py();
        let numbers = PyDict::new(py);
        let (mut objects, mut names) = (Vec::new(), Vec::new());
        for mv in moves.try_iter()? {
            let mv = mv?;
            if numbers.contains(&mv)? {
                return Err(bad(format!("the move {mv} is there twice")));
            }
            numbers.set_item(&mv, objects.len())?;
            names.push(match game.hasattr("move_name")? {
                true => game.call_method1("move_name", (&mv,))?.extract()?,
                false => mv.str()?.extract()?,
            });
            objects.push(mv.unbind());
        }
        Ok(MoveTable { objects, names, numbers: numbers.unbind() })
    }
}

impl Game for OwnGame {
    type State = OwnState;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn role_names(&self) -> Vec<String> {
        self.roles.clone()
    }

    fn roles(&self) -> usize {
        self.roles.len()
    }

    fn moves(&self, role: Role) -> usize {
        self.moves[role.index()].names.len() + 1
    }

    fn idle_move(&self, role: Role) -> Option<Move> {
        Some(self.noop(role))
    }

    fn initial(&self) -> OwnState {
        self.ask(|game| self.examine(game, game.call_method0("initial")?))
    }

    fn turn(&self, state: &OwnState) -> Turn {
        state.to_play.map_or(Turn::Many, Turn::One)
    }

    fn legals(&self, state: &OwnState, role: Role, out: &mut Vec<Move>) {
        out.clear();
        if state.to_play.is_none_or(|to_play| to_play == role) {
            self.ask(|game| {
                let legal = game.call_method1("legal_moves", (state.state.bind(game.py()), role.index()))?;
                self.read_legals(&legal, role, out)?;
                if out.is_empty() && state.to_play.is_some() {
                    let role = &self.roles[role.index()];
                    return Err(bad(format!("{}: {role} has no legal move, and the game is not over", self.name)));
                }
                Ok(())
            });
        }
        if out.is_empty() {
            out.push(self.noop(role));
        }
    }

    fn advance(&self, state: &mut OwnState, joint: &[Move]) {
        *state = self.ask(|game| self.successor(game, state, joint));
    }

    fn scores(&self, state: &OwnState, out: &mut [f64]) -> bool {
        state.scores.as_ref().inspect(|scores| out.copy_from_slice(scores)).is_some()
    }

    fn hash(&self, state: &OwnState) -> Option<u64> {
        self.has_key.then(|| {
            let hash = self.ask(|game| game.call_method1("key", (state.state.bind(game.py()),))?.hash());
            // Python's hashes of small numbers are these numbers.
            ludens::game::Seed::new(0).at(hash as u64).value()
        })
    }

    fn move_name(&self, role: Role, mv: Move) -> String {
        self.moves[role.index()].names.get(mv.index()).map_or("noop", String::as_str).to_owned()
    }

    fn view(&self, state: &OwnState) -> View {
        if !self.has_board {
            return View::default();
        }
        let text: String = self.ask(|game| game.call_method1("board", (state.state.bind(game.py()),))?.extract());
        board(&text)
    }

    fn engine(&self) -> &'static str {
        "python"
    }
}

/// A board from lines of text: every character but a blank is a cell, a dot is an empty one.
fn board(text: &str) -> View {
    let mut view = View { layout: Layout::Square, ..View::default() };
    for (y, line) in text.lines().enumerate() {
        for (x, c) in line.split_whitespace().collect::<String>().chars().enumerate() {
            let piece = (c != '.').then(|| {
                let known = view.pieces.iter().position(|piece| piece.glyph == c);
                known.unwrap_or_else(|| {
                    let ascii = if c.is_ascii() { c } else { '?' };
                    view.pieces.push(Piece { name: c.to_string(), glyph: c, ascii, role: None });
                    view.pieces.len() - 1
                })
            });
            view.cells.push(Cell { name: format!("{x},{y}"), x: x as i32, y: y as i32, piece, marked: false });
        }
    }
    view
}
