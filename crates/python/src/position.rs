//! Positions: playing, undoing, looking.

use crate::error::bad;
use crate::game::{Game, Opened};
use crate::svg;
use ludens::catalog::notation::{self, joint, play_moves, read_move};
use ludens::game::{Charset, Move, Position as Line, Role, Style, View};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::sync::{Arc, Mutex, TryLockError};

/// A position of a game, with the moves that led to it.
///
/// >>> position = ludens.Game("breakthrough:6").start()
/// >>> position.play("c2-c3").play("d5-d4")
/// <Position of breakthrough:6x6 after 2 steps, white to play>
/// >>> position.undo().to_play
/// 'black'
///
/// A notebook shows it as a picture, `print` as text.
#[pyclass(module = "ludens", frozen)]
pub(crate) struct Position {
    pub(crate) opened: Arc<Opened>,
    line: Mutex<Box<dyn Line>>,
}

impl Position {
    pub(crate) fn start(opened: &Arc<Opened>) -> PyResult<Position> {
        let line = opened.raised.catch(|| opened.game.clone().start())?;
        Ok(Position { opened: opened.clone(), line: Mutex::new(line) })
    }

    /// Works with the line of play. A game written in Python may give way to another thread that wants the same position: waiting
    /// for it here, with the GIL, would be forever.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut dyn Line) -> T) -> PyResult<T> {
        let mut line = match self.line.try_lock() {
            Ok(line) => line,
            Err(TryLockError::Poisoned(line)) => line.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(bad("another thread is using this position")),
        };
        self.opened.raised.catch(|| work(&mut **line))
    }

    /// The joint moves so far.
    pub(crate) fn history(&self) -> PyResult<Vec<Vec<Move>>> {
        self.with(|line| line.history().to_vec())
    }

    /// Plays moves that are written one after the other, all or none.
    pub(crate) fn play_text(&self, moves: &str) -> PyResult<()> {
        let names = &self.opened.roles;
        let played = self.with(|line| {
            let before = line.history().len();
            // A name may have blanks in it.
            if line.scores().is_none()
                && let [role] = deciders(line, names.len())[..]
                && let Ok(mv) = read_move(line, role, moves, names)
            {
                line.advance(&joint(line, names.len(), &[(role, mv)]));
                return Ok(());
            }
            let played = play_moves(line, names, moves);
            while played.is_err() && line.history().len() > before {
                line.undo();
            }
            played
        })?;
        played.map_err(bad)
    }

    /// The legal move that a Python object means: a name or a number.
    fn read(&self, line: &dyn Line, role: Role, mv: &Given) -> Result<Move, String> {
        let names = &self.opened.roles;
        let why = match mv {
            Given::Name(text) => match read_move(line, role, text, names) {
                Ok(mv) => return Ok(mv),
                Err(why) => why,
            },
            Given::Number(number) => match line.legals(role).iter().find(|mv| i64::from(mv.0) == *number) {
                Some(&mv) => return Ok(mv),
                None => format!("number {number} is not legal in this position"),
            },
        };
        let legal = notation::legal_names(line, role).join(", ");
        Err(format!("move {}: {why}; legal for {}: {legal}", line.history().len() + 1, names[role.index()]))
    }

    /// Plays one step.
    fn step(&self, chosen: &[(Role, Given)]) -> PyResult<()> {
        let roles = self.opened.roles.len();
        let played = self.with(|line| {
            if line.scores().is_some() {
                return Err(format!("move {} comes after the end of the game", line.history().len() + 1));
            }
            let deciders = deciders(line, roles);
            let missing: Vec<&str> = deciders
                .iter()
                .filter(|role| !chosen.iter().any(|(chooser, _)| chooser == *role))
                .map(|role| self.opened.roles[role.index()].as_str())
                .collect();
            if !missing.is_empty() {
                return Err(format!("this step needs a move of every role that has a choice: {}", missing.join(", ")));
            }
            let read = |(role, mv): &(Role, Given)| Ok((*role, self.read(line, *role, mv)?));
            let chosen = chosen.iter().map(read).collect::<Result<Vec<_>, String>>()?;
            line.advance(&joint(line, roles, &chosen));
            Ok(())
        })?;
        played.map_err(bad)
    }

    /// The role that a question is about: the one that was named, or the only one that decides.
    pub(crate) fn asked(&self, role: Option<&Bound<'_, PyAny>>) -> PyResult<Role> {
        if let Some(role) = role {
            return self.opened.role(role);
        }
        match self.with(|line| deciders(line, self.opened.roles.len()))?[..] {
            [role] => Ok(role),
            ref several => {
                let names: Vec<_> = several.iter().map(|role| self.opened.roles[role.index()].as_str()).collect();
                Err(bad(format!("several roles decide here, name one of them: {}", names.join(", "))))
            }
        }
    }

    /// The legal moves of a role; none if the game is over.
    fn legals(&self, role: Option<&Bound<'_, PyAny>>) -> PyResult<(Role, Vec<Move>)> {
        if self.with(|line| line.scores().is_some())? {
            return Ok((role.map_or(Ok(Role(0)), |role| self.opened.role(role))?, Vec::new()));
        }
        let role = self.asked(role)?;
        Ok((role, self.with(|line| line.legals(role))?))
    }

    fn view(&self) -> PyResult<View> {
        self.with(|line| line.view())
    }
}

/// The roles that must decide now; somebody always does.
pub(crate) fn deciders(line: &dyn Line, roles: usize) -> Vec<Role> {
    let deciders = notation::deciders(line, roles);
    if deciders.is_empty() { vec![Role(0)] } else { deciders }
}

/// A move as Python gives it.
enum Given {
    Name(String),
    Number(i64),
}

impl Given {
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Given> {
        if let Ok(name) = object.extract::<String>() {
            return Ok(Given::Name(name));
        }
        object.extract().map(Given::Number).map_err(|_| bad("a move is a name or a number"))
    }
}

#[pymethods]
impl Position {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game { opened: self.opened.clone() }
    }

    /// The role to play. None if the game is over, or if several roles decide at once: see `deciders`.
    #[getter]
    fn to_play(&self) -> PyResult<Option<String>> {
        let deciders = self.deciders()?;
        Ok(if let [role] = &deciders[..] { Some(role.clone()) } else { None })
    }

    /// The roles that decide now: one in games with turns, several where roles move at once, none when the game is over.
    ///
    /// >>> ludens.Game("gdl:goofspiel").start().deciders
    /// ['left', 'right']
    #[getter]
    fn deciders(&self) -> PyResult<Vec<String>> {
        let roles = &self.opened.roles;
        let deciders =
            self.with(|line| if line.scores().is_some() { Vec::new() } else { deciders(line, roles.len()) })?;
        Ok(deciders.into_iter().map(|role| roles[role.index()].clone()).collect())
    }

    /// The names of the legal moves of a role; of the role to play if none is named.
    ///
    /// >>> ludens.Game("gdl:nim").start().legal_moves()[:2]
    /// ['(leave a 0)', '(leave a 1)']
    #[pyo3(signature = (role = None))]
    fn legal_moves(&self, role: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
        let (role, moves) = self.legals(role)?;
        self.with(|line| moves.iter().map(|&mv| line.move_name(role, mv)).collect())
    }

    /// The numbers of the legal moves, ascending. A number means the same move in every position.
    #[pyo3(signature = (role = None))]
    fn legal_ids<'py>(&self, py: Python<'py>, role: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let (_, moves) = self.legals(role)?;
        Ok(PyArray1::from_iter(py, moves.into_iter().map(|mv| i64::from(mv.0))))
    }

    /// Which moves are legal: one truth value for every move of the game.
    #[pyo3(signature = (role = None))]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        role: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let (role, moves) = self.legals(role)?;
        let mut mask = vec![false; self.opened.raised.catch(|| self.opened.game.moves(role))?];
        moves.iter().for_each(|mv| mask[mv.index()] = true);
        Ok(mask.to_pyarray(py))
    }

    /// Plays a step and returns the position itself.
    ///
    /// A move is a name or a number. Several moves in one text are played one after the other. Where several roles decide at once,
    /// give a list with a move of each of them, or a dictionary by role.
    ///
    /// >>> position = ludens.Game("gdl:goofspiel").start()
    /// >>> position.play({"left": "(bid 3)", "right": "(bid 1)"}).moves
    /// ['(bid 3)/(bid 1)']
    ///
    /// >>> ludens.Game("breakthrough:5").start("c2-c4")
    /// Traceback (most recent call last):
    ///   ...
    /// ludens.Error: move 1: "c2-c4" is not a move of this game; legal for white: ...
    fn play<'py>(slf: &Bound<'py, Self>, r#move: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        let position = slf.get();
        if let Ok(text) = r#move.extract::<String>() {
            position.play_text(&text)?;
        } else if let Ok(by_role) = r#move.cast::<PyDict>() {
            let chosen = by_role.iter().map(|(role, mv)| Ok((position.opened.role(&role)?, Given::of(&mv)?)));
            position.step(&chosen.collect::<PyResult<Vec<_>>>()?)?;
        } else {
            let roles = position.with(|line| match line.scores() {
                Some(_) => vec![Role(0)],
                None => deciders(line, position.opened.roles.len()),
            })?;
            let is_list = r#move.is_instance_of::<PyList>() || r#move.is_instance_of::<PyTuple>();
            let given = if is_list {
                r#move.try_iter()?.map(|mv| Given::of(&mv?)).collect::<PyResult<Vec<_>>>()?
            } else {
                vec![Given::of(r#move)?]
            };
            if given.len() > roles.len() {
                return Err(bad(format!("{} moves for {} deciding roles", given.len(), roles.len())));
            }
            position.step(&roles.into_iter().zip(given).collect::<Vec<_>>())?;
        }
        Ok(slf.clone())
    }

    /// Takes the last step back and returns the position itself.
    fn undo<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        if slf.get().with(|line| line.undo())? { Ok(slf.clone()) } else { Err(bad("there is no move to undo")) }
    }

    /// The same position again, to be played on separately.
    fn copy(&self) -> PyResult<Position> {
        let history = self.history()?;
        let copy = Position::start(&self.opened)?;
        copy.with(|line| history.iter().for_each(|joint| line.advance(joint)))?;
        Ok(copy)
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        self.with(|line| line.scores().is_some())
    }

    /// The score of every role, from 0 to 1; None before the end of the game.
    ///
    /// >>> ludens.Game("gdl:tictactoe").start("(mark 1 1) (mark 1 2) (mark 2 2) (mark 1 3) (mark 3 3)").scores
    /// {'crosses': 1.0, 'noughts': 0.0}
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(scores) = self.with(|line| line.scores())? else { return Ok(None) };
        let by_role = PyDict::new(py);
        for (role, score) in self.opened.roles.iter().zip(scores) {
            by_role.set_item(role, score)?;
        }
        Ok(Some(by_role))
    }

    /// The moves so far, step by step; where several roles decided at once, theirs with a slash between.
    #[getter]
    fn moves(&self) -> PyResult<Vec<String>> {
        let copy = Position::start(&self.opened)?;
        let roles = self.opened.roles.len();
        let history = self.history()?;
        copy.with(|line| {
            let mut names = Vec::with_capacity(history.len());
            for joint in &history {
                let name = |role: Role| line.move_name(role, joint[role.index()]);
                names.push(deciders(line, roles).into_iter().map(name).collect::<Vec<_>>().join("/"));
                line.advance(joint);
            }
            names
        })
    }

    /// The position as numbers. A compiled rulesheet: one per fact, see `Game.facts`. Any other game: cells of its picture by kinds of
    /// pieces.
    ///
    /// >>> ludens.Game("breakthrough:6").start().observation().shape
    /// (36, 2)
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<i8>>> {
        let row = self.with(|line| line.row().map(<[u64]>::to_vec))?;
        let (numbers, shape) = match row {
            Some(row) => {
                let facts = py.detach(|| self.opened.facts())?.len();
                let bit = |fact: usize| (row[fact / 64] >> (fact % 64) & 1) as i8;
                ((0..facts).map(bit).collect::<Vec<_>>(), vec![facts])
            }
            None => {
                let view = self.view()?;
                let pieces = view.pieces.len();
                let mut planes = vec![0; view.cells.len() * pieces];
                for (place, cell) in view.cells.iter().enumerate() {
                    cell.piece.into_iter().for_each(|piece| planes[place * pieces + piece] = 1);
                }
                (planes, vec![view.cells.len(), pieces])
            }
        };
        numbers.to_pyarray(py).reshape(shape)
    }

    /// A picture, which notebooks show by themselves.
    fn _repr_svg_(&self) -> PyResult<String> {
        Ok(svg::draw(&self.view()?, &self.__repr__()?))
    }

    fn __str__(&self) -> PyResult<String> {
        Ok(self.view()?.draw(Style { charset: Charset::Unicode, color: false }))
    }

    fn __repr__(&self) -> PyResult<String> {
        let (name, steps) = (self.opened.raised.catch(|| self.opened.game.name())?, self.history()?.len());
        let steps = if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
        let state = match &self.deciders()?[..] {
            [] => "over".to_owned(),
            deciders => format!("{} to play", deciders.join(" and ")),
        };
        Ok(format!("<Position of {name} after {steps}, {state}>"))
    }
}
