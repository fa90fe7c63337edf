//! Games: opened by name, from rules, or written in Python.

use crate::error::{Raised, bad};
use crate::own_game::OwnGame;
use crate::position::Position;
use ludens::catalog::{self, GAMES, SHEETS, notation};
use ludens::game::check::Plan;
use ludens::game::{Move, Role};
use ludens::gdl::{Engine, GdlGame, Limits};
use ludens::search::{Playable, isolate};
use pyo3::prelude::*;
use std::sync::{Arc, OnceLock};

/// An open game, shared by everything that plays it.
pub(crate) struct Opened {
    pub(crate) game: Arc<dyn Playable>,
    /// What opened it, as the user wrote it: experiments derive seeds from that.
    pub(crate) text: String,
    pub(crate) roles: Vec<String>,
    pub(crate) raised: Raised,
    /// The rules of a rulesheet.
    rules: Option<String>,
    facts: OnceLock<Vec<String>>,
}

impl Opened {
    fn new(game: Arc<dyn Playable>, text: &str, rules: Option<String>, raised: Raised) -> PyResult<Arc<Opened>> {
        let roles = raised.catch(|| game.role_names())?;
        Ok(Arc::new(Opened { game, text: text.trim().to_owned(), roles, raised, rules, facts: OnceLock::new() }))
    }

    /// Opens a game by name. The second value is what a user should know about it.
    pub(crate) fn by_name(text: &str) -> PyResult<(Arc<Opened>, Vec<String>)> {
        let mut remarks = Vec::new();
        let game = catalog::open_with_remarks(text, &mut |remark| remarks.push(remark.to_owned())).map_err(bad)?;
        let sheet = text.trim().to_lowercase().replace("misère-", "").replace("misere-", "");
        let is_sheet = catalog::is_file(text) || sheet.starts_with("gdl:");
        let rules = is_sheet.then(|| catalog::rules(if catalog::is_file(text) { text } else { &sheet }));
        let rules = rules.transpose().map_err(bad)?.map(|rules| rules.into_owned());
        Ok((Opened::new(game, text, rules, Raised::default())?, remarks))
    }

    /// The role that a Python object means: a name or a number.
    pub(crate) fn role(&self, role: &Bound<'_, PyAny>) -> PyResult<Role> {
        if let Ok(name) = role.extract::<String>() {
            return notation::role_named(&*self.game, &name).map_err(bad);
        }
        let number: usize = role.extract().map_err(|_| bad("a role is a name or a number from 0"))?;
        if number < self.roles.len() {
            return Ok(Role(number as u8));
        }
        Err(bad(format!("{} has no role {number}; roles: {}", self.game.name(), self.roles.join(", "))))
    }

    /// The facts of a rulesheet in the order of the bits of its states.
    pub(crate) fn facts(&self) -> PyResult<&[String]> {
        if let Some(facts) = self.facts.get() {
            return Ok(facts);
        }
        let facts = self.raised.catch(|| self.read_facts())?;
        let none = || bad(format!("{} has no facts: only compiled rulesheets have them", self.game.name()));
        let facts = facts.ok_or_else(none)?;
        Ok(self.facts.get_or_init(|| facts))
    }

    /// The machine numbers its facts from 0; a state in which one fact is true names it.
    fn read_facts(&self) -> Option<Vec<String>> {
        let Ok(opened) = ludens::gdl::open(&self.text, self.rules.as_ref()?, Limits::default()) else { return None };
        let Engine::Machine(machine) = opened.engine else { return None };
        let words = self.game.clone().start().row()?.len();
        let name = |bit: usize| {
            let mut row = vec![0; words];
            row[bit / 64] |= 1 << (bit % 64);
            machine.facts(&machine.state(&row)).pop()
        };
        Some((0..64 * words).map_while(name).collect())
    }
}

/// A game: ``Game("breakthrough:8")``, ``Game("gdl:connect4")``, ``Game("rules.kif")``, or a game written in Python.
///
/// >>> game = ludens.Game("breakthrough:6")
/// >>> game
/// Game('breakthrough:6x6')
/// >>> game.roles
/// ['white', 'black']
///
/// `ludens.games()` lists the names. What is written after the colon are parameters: ``go:9,komi=6.5``.
///
/// >>> ludens.Game("breaktrough")
/// Traceback (most recent call last):
///   ...
/// ludens.Error: unknown game "breaktrough" (did you mean "breakthrough"?); games: ...
#[pyclass(module = "ludens", frozen)]
pub(crate) struct Game {
    pub(crate) opened: Arc<Opened>,
}

/// A game from something that may be one: a `Game`, a name, or an object with the methods of `PythonGame`.
pub(crate) fn as_game(object: &Bound<'_, PyAny>) -> PyResult<Arc<Opened>> {
    let py = object.py();
    if let Ok(game) = object.cast::<Game>() {
        return Ok(game.get().opened.clone());
    }
    if let Ok(text) = object.extract::<String>() {
        let (opened, remarks) = py.detach(|| Opened::by_name(&text))?;
        for remark in remarks {
            py.import("warnings")?.call_method1("warn", (remark,))?;
        }
        return Ok(opened);
    }
    let raised = Raised::default();
    let game = OwnGame::new(object, raised.clone())?;
    let name = game.title();
    Opened::new(Arc::new(game), &name, None, raised)
}

#[pymethods]
impl Game {
    #[new]
    fn new(game: &Bound<'_, PyAny>) -> PyResult<Game> {
        Ok(Game { opened: as_game(game)? })
    }

    /// Opens rules in the Game Description Language.
    ///
    /// >>> rules = "(role you) (init ready) (legal you go) (<= (next done) (does you go)) (<= terminal (true done)) (goal you 100)"
    /// >>> position = ludens.Game.from_gdl(rules).start()
    /// >>> position.play("go").scores
    /// {'you': 1.0}
    #[staticmethod]
    #[pyo3(signature = (text, name = "rules"))]
    fn from_gdl(py: Python<'_>, text: &str, name: &str) -> PyResult<Game> {
        let game = py.detach(|| Raised::default().catch(|| catalog::open_rules(name, text)))?.map_err(bad)?;
        Ok(Game { opened: Opened::new(game, name, Some(text.to_owned()), Raised::default())? })
    }

    /// The name that opens it again, with all parameters.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.opened.raised.catch(|| self.opened.game.name())
    }

    /// The names of the roles, in role order.
    #[getter]
    fn roles(&self) -> Vec<String> {
        self.opened.roles.clone()
    }

    /// What computes the rules: ``machine``, or ``interp`` for rules that are interpreted word by word.
    #[getter]
    fn engine(&self) -> &'static str {
        self.opened.game.engine()
    }

    /// The facts of a compiled rulesheet, in the order in which `Position.observation` and `Batch.observations` have them.
    ///
    /// >>> ludens.Game("gdl:tictactoe").facts[:2]
    /// ['(cell 1 1 x)', '(cell 1 1 o)']
    #[getter]
    fn facts(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(py.detach(|| self.opened.facts())?.to_vec())
    }

    /// The initial position, or the one after some moves, separated by blanks or commas.
    ///
    /// >>> ludens.Game("breakthrough:6").start("c2-c3 d5-d4")
    /// <Position of breakthrough:6x6 after 2 steps, white to play>
    #[pyo3(signature = (moves = ""))]
    fn start(&self, moves: &str) -> PyResult<Position> {
        let position = Position::start(&self.opened)?;
        position.play_text(moves)?;
        Ok(position)
    }

    /// How many numbers the moves of a role have. A number means the same move in every position; some may never be legal.
    ///
    /// >>> ludens.Game("gdl:tictactoe").move_count("crosses")
    /// 10
    fn move_count(&self, role: &Bound<'_, PyAny>) -> PyResult<usize> {
        let role = self.opened.role(role)?;
        self.opened.raised.catch(|| self.opened.game.moves(role))
    }

    /// The name of the move with a number.
    ///
    /// >>> ludens.Game("gdl:tictactoe").move_name("crosses", 0)
    /// '(mark 1 1)'
    fn move_name(&self, role: &Bound<'_, PyAny>, number: u32) -> PyResult<String> {
        let count = self.move_count(role)?;
        let role = self.opened.role(role)?;
        let name = || self.opened.game.clone().start().move_name(role, Move(number));
        // Native games know no names for numbers that are never legal.
        let name = isolate(|| (number < count as u32).then(name)).ok().flatten();
        let role = &self.opened.roles[role.index()];
        name.ok_or_else(|| bad(format!("{} has no move {number} of {role}", self.opened.game.name())))
    }

    /// The number of ways to play a number of steps.
    ///
    /// >>> ludens.Game("gdl:tictactoe").perft(2)
    /// 72
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        let Opened { game, raised, .. } = &*self.opened;
        py.detach(|| raised.catch(|| game.perft(depth)))
    }

    /// Plays random games and checks that the game keeps every promise of the engine. For games of your own: raises with the broken
    /// promise and the moves that lead to it, or returns the number of steps that were checked.
    ///
    /// >>> ludens.Game("breakthrough:5").check(walks=3) > 0
    /// True
    #[pyo3(signature = (walks = 20, seed = 1))]
    fn check(&self, py: Python<'_>, walks: u32, seed: u64) -> PyResult<u64> {
        let Opened { game, raised, .. } = &*self.opened;
        let plan = Plan { walks, max_steps: 10_000, seed };
        let walked = py.detach(|| raised.catch(|| game.conformance(plan)))?;
        walked.map(|walks| walks.steps).map_err(bad)
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("Game('{}')", self.name()?))
    }
}

/// Name, description, roles and parameters of every game in the catalogue.
#[pyfunction]
pub(crate) fn games() -> Vec<(String, String, Vec<String>, Vec<String>)> {
    let owned = |roles: &[&str]| roles.iter().map(|&role| role.to_owned()).collect();
    let native = GAMES.iter().map(|entry| {
        let param = |param: &ludens::search::Param| format!("{}={} ({})", param.name, param.default, param.kind);
        (entry.name.to_owned(), entry.about.to_owned(), owned(entry.roles), entry.params.iter().map(param).collect())
    });
    let sheets = SHEETS
        .iter()
        .map(|sheet| (format!("gdl:{}", sheet.name), sheet.about().to_owned(), owned(&sheet.roles()), Vec::new()));
    native.chain(sheets).collect()
}
