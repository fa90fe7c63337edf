//! [`Report`]: what a search thinks, as Python values and numpy arrays.

use ludens::game::Move;
use ludens::search::{ArmReport, Effort, Report as Thought};
use numpy::{PyArray1, ToPyArray};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::fmt::Write as _;

/// What a search thinks of a position. All arrays are in the order of `moves`, the most visited first.
///
/// >>> position = ludens.Game("gdl:tictactoe").start()
/// >>> report = ludens.Player("uct+mast", seed=1).search(position, sims=1000)
/// >>> len(report.moves), int(report.visits.sum())
/// (9, 1000)
/// >>> report.scores.shape == report.learned.shape == (9,)
/// True
#[pyclass(module = "ludens", frozen)]
pub(crate) struct Report {
    chosen: (String, Move),
    role: String,
    moves: Vec<String>,
    ids: Py<PyArray1<i64>>,
    visits: Py<PyArray1<u64>>,
    scores: Py<PyArray1<f64>>,
    amaf: Py<PyArray1<f64>>,
    learned: Py<PyArray1<f64>>,
    /// For the text.
    rows: Vec<(u64, Option<f64>)>,
    line: Vec<String>,
    proven: Option<f64>,
    nodes: usize,
    bytes: usize,
    effort: Effort,
}

impl Report {
    pub(crate) fn new(py: Python<'_>, chosen: (String, Move), thought: &Thought, role: &str) -> PyResult<Report> {
        let arms = &thought.arms;
        let learned: HashMap<&str, f64> =
            thought.policy_values.iter().map(|policy| (&*policy.name, policy.value)).collect();
        let numbers = |number: &dyn Fn(&ArmReport) -> Option<f64>| {
            arms.iter().map(|arm| number(arm).unwrap_or(f64::NAN)).collect::<Vec<_>>().to_pyarray(py).unbind()
        };
        Ok(Report {
            chosen,
            role: role.to_owned(),
            moves: arms.iter().map(|arm| arm.name.clone()).collect(),
            ids: PyArray1::from_iter(py, arms.iter().map(|arm| i64::from(arm.mv.0))).unbind(),
            visits: PyArray1::from_iter(py, arms.iter().map(|arm| arm.visits)).unbind(),
            scores: numbers(&|arm| arm.score),
            amaf: numbers(&|arm| arm.amaf),
            learned: numbers(&|arm| learned.get(&*arm.name).copied()),
            rows: arms.iter().map(|arm| (arm.visits, arm.score)).collect(),
            line: thought.line.clone(),
            proven: thought.proven,
            nodes: thought.nodes,
            bytes: thought.bytes,
            effort: thought.effort,
        })
    }

    pub(crate) fn chosen(self) -> String {
        self.chosen.0
    }
}

/// Moves that the text shows.
const SHOWN: usize = 10;

#[pymethods]
impl Report {
    /// The move that the player would play.
    #[getter]
    fn r#move(&self) -> &str {
        &self.chosen.0
    }

    /// Its number.
    #[getter]
    fn move_id(&self) -> u32 {
        self.chosen.1.0
    }

    /// The role whose moves these are.
    #[getter]
    fn role(&self) -> &str {
        &self.role
    }

    /// The legal moves, the most visited first. There are none if the player had only one move and did not search.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.moves.clone()
    }

    /// The numbers of the moves.
    #[getter]
    fn ids(&self, py: Python<'_>) -> Py<PyArray1<i64>> {
        self.ids.clone_ref(py)
    }

    /// Simulations that began with each move.
    #[getter]
    fn visits(&self, py: Python<'_>) -> Py<PyArray1<u64>> {
        self.visits.clone_ref(py)
    }

    /// The mean score of these simulations, from 0 to 1; nan for a move without any.
    #[getter]
    fn scores(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        self.scores.clone_ref(py)
    }

    /// The mean score of all simulations in which the move was played at any time; nan where the player does not count them.
    #[getter]
    fn amaf(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        self.amaf.clone_ref(py)
    }

    /// What the playouts have learned about each move: a mean score or a weight, as the policy measures it; nan if nothing.
    #[getter]
    fn learned(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        self.learned.clone_ref(py)
    }

    /// The line of play that the search expects.
    #[getter]
    fn line(&self) -> Vec<String> {
        self.line.clone()
    }

    /// The role's score, if the search has proven it.
    #[getter]
    fn proven(&self) -> Option<f64> {
        self.proven
    }

    /// Simulations.
    #[getter]
    fn simulations(&self) -> u64 {
        self.effort.simulations
    }

    /// Steps of all simulations, in the tree and in playouts.
    #[getter]
    fn steps(&self) -> u64 {
        self.effort.steps
    }

    /// Wall-clock time.
    #[getter]
    fn seconds(&self) -> f64 {
        self.effort.time.as_secs_f64()
    }

    /// Nodes in the tree.
    #[getter]
    fn nodes(&self) -> usize {
        self.nodes
    }

    /// The size of the tree in bytes.
    #[getter]
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn __repr__(&self) -> String {
        let effort = format!("{} simulations in {:.3} s", self.effort.simulations, self.effort.time.as_secs_f64());
        let mut text = format!("{} plays {} after {effort}", self.role, self.chosen.0);
        let width = self.moves.iter().take(SHOWN).map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, (visits, score)) in self.moves.iter().zip(&self.rows).take(SHOWN) {
            let score = score.map_or("-".to_owned(), |score| format!("{score:.3}"));
            let _ = write!(text, "\n  {name:<width$}  {visits:>8}  {score}");
        }
        if self.moves.len() > SHOWN {
            let _ = write!(text, "\n  {} more", self.moves.len() - SHOWN);
        }
        text
    }
}
