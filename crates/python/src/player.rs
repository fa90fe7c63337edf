//! [`Player`]: a player that searches positions.

use crate::error::bad;
use crate::game::Opened;
use crate::interrupt::interruptible;
use crate::position::{Position, deciders};
use crate::report::Report;
use ludens::game::{Move, Role, Seed};
use ludens::search::{
    Budget, DEFAULT_PLAYER, InMemory, Learned, Player as Seat, RANDOM, SELECTS, Spec, policies as all_policies,
    presets as all_presets,
};
use pyo3::prelude::*;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Weights that were learned beforehand, for all players of this process.
pub(crate) static LEARNED: LazyLock<Arc<InMemory>> = LazyLock::new(Arc::default);

/// A player, described by a spec such as ``uct+ppa`` or a preset such as ``ppa2015/ppa``.
///
/// >>> player = ludens.Player("uct+ppa", seed=7)
/// >>> position = ludens.Game("breakthrough:6").start()
/// >>> report = player.search(position, sims=500)
/// >>> report.simulations
/// 500
/// >>> report.move in position.legal_moves()
/// True
///
/// A player remembers its tree: if the next position follows from the last one, the search continues there. The same seed and
/// positions give the same moves.
///
/// >>> ludens.Player("uct+magic")
/// Traceback (most recent call last):
///   ...
/// ludens.Error: bad player "uct+magic": there is no policy "magic"; policies: ...
#[pyclass(module = "ludens", frozen)]
pub(crate) struct Player {
    spec: Spec,
    seat: Mutex<Place>,
}

/// Where a player sits.
struct Place {
    seed: u64,
    seated: Seated,
}

enum Seated {
    Nowhere,
    /// Its search is under way.
    Searching,
    At(Box<SeatedPlayer>),
}

/// A seat of a game, and the moves that the player there has seen.
struct SeatedPlayer {
    opened: Arc<Opened>,
    role: Role,
    player: Box<dyn Seat>,
    seen: Vec<Vec<Move>>,
}

impl SeatedPlayer {
    /// Whether the player can go on from here to a position.
    fn leads_to(&self, opened: &Arc<Opened>, role: Role, history: &[Vec<Move>]) -> bool {
        Arc::ptr_eq(&self.opened, opened) && self.role == role && history.starts_with(&self.seen)
    }

    /// Shows the player the moves that it has not seen.
    fn catch_up(&mut self, history: Vec<Vec<Move>>) {
        history[self.seen.len()..].iter().for_each(|joint| self.player.observe(joint));
        self.seen = history;
    }
}

impl Player {
    fn place(&self) -> MutexGuard<'_, Place> {
        self.seat.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches a position for a role and says what to play.
    fn think(&self, py: Python<'_>, position: &Position, role: Role, budget: Budget) -> PyResult<Report> {
        let opened = position.opened.clone();
        let history = position.history()?;
        let (seed, seated) = {
            let mut place = self.place();
            if matches!(place.seated, Seated::Searching) {
                return Err(bad("this player is searching in another thread"));
            }
            match std::mem::replace(&mut place.seated, Seated::Searching) {
                Seated::At(seated) if seated.leads_to(&opened, role, &history) => (place.seed, Some(seated)),
                _ => (place.seed, None),
            }
        };
        let searched = interruptible(py, |stop| {
            opened.raised.catch(|| {
                let mut seated = match seated {
                    Some(seated) => seated,
                    None => self.sit_down(&opened, role, seed)?,
                };
                seated.catch_up(history);
                let (chosen, _) = seated.player.choose(&budget, stop);
                let report = seated.player.report();
                Ok((seated, chosen, report))
            })
        });
        let mut place = self.place();
        place.seated = Seated::Nowhere;
        let (seated, chosen, report) = searched??.map_err(|error: ludens::search::SearchError| bad(error))?;
        place.seated = Seated::At(seated);
        drop(place);
        let name = position.with(|line| line.move_name(role, chosen))?;
        Report::new(py, (name, chosen), &report, &position.opened.roles[role.index()])
    }

    fn sit_down(
        &self,
        opened: &Arc<Opened>,
        role: Role,
        seed: u64,
    ) -> Result<Box<SeatedPlayer>, ludens::search::SearchError> {
        let learned: Arc<dyn Learned> = LEARNED.clone();
        let mut player = opened.game.clone().player(role, &self.spec, learned)?;
        player.start(Seed::new(seed));
        Ok(Box::new(SeatedPlayer { opened: opened.clone(), role, player, seen: Vec::new() }))
    }

    /// The role for which to search; the words are those of `ludens analyze`.
    fn role(position: &Position, asked: Option<&Bound<'_, PyAny>>) -> PyResult<Role> {
        let roles = &position.opened.roles;
        let asked = asked.map(|role| position.opened.role(role)).transpose()?;
        let found = position.with(|line| {
            if let Some(failure) = line.failure() {
                return Err(format!("the game cannot continue after these moves: {failure}"));
            }
            if line.scores().is_some() {
                return Err("the game is over after these moves".to_owned());
            }
            let deciders = deciders(line, roles.len());
            match asked {
                Some(role) if !deciders.contains(&role) => {
                    let able: Vec<_> = deciders.iter().map(|role| roles[role.index()].as_str()).collect();
                    let name = &roles[role.index()];
                    Err(format!("{name} has no choice here; roles with a choice: {}", able.join(", ")))
                }
                asked => Ok(asked.unwrap_or(deciders[0])),
            }
        })?;
        found.map_err(bad)
    }
}

/// Simulations if nothing else is said.
const SIMULATIONS: u64 = 10_000;

/// A budget from what was given; `default` simulations if nothing was.
pub(crate) fn read_budget(
    (sims, ms, nodes): (Option<u64>, Option<u64>, Option<usize>),
    text: Option<&str>,
    default: u64,
) -> PyResult<Budget> {
    let numbers = [sims.map(|n| ("sims", n)), ms.map(|n| ("ms", n)), nodes.map(|n| ("nodes", n as u64))];
    if let Some((name, _)) = numbers.iter().flatten().find(|(_, number)| *number == 0) {
        return Err(bad(format!("{name} is 0: give a whole number above 0")));
    }
    let given = Budget { simulations: sims, time: ms.map(Duration::from_millis), nodes, ..Budget::default() };
    match (text, numbers.iter().flatten().next()) {
        (Some(_), Some((name, _))) => Err(bad(format!("give either budget or {name}"))),
        (Some(text), None) => text.parse().map_err(bad),
        (None, Some(_)) => Ok(given),
        (None, None) => Ok(Budget::simulations(default)),
    }
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (spec = DEFAULT_PLAYER, *, seed = 1))]
    fn new(spec: &str, seed: u64) -> PyResult<Player> {
        let spec = spec.parse().map_err(bad)?;
        Ok(Player { spec, seat: Mutex::new(Place { seed, seated: Seated::Nowhere }) })
    }

    /// The spec, without default values.
    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// The seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.place().seed
    }

    /// Searches a position and reports on its moves.
    ///
    /// The budget is a number of simulations, milliseconds or nodes, or a text such as ``sims=1000``; the first limit reached ends the
    /// search. Without one it makes 10,000 simulations. Other threads run meanwhile, and Ctrl-C ends the search.
    ///
    /// >>> position = ludens.Game("gdl:nim").start()
    /// >>> ludens.Player("uct@solver=on").search(position, sims=20000).proven
    /// 1.0
    #[pyo3(signature = (position, *, sims = None, ms = None, nodes = None, budget = None, role = None))]
    #[allow(clippy::too_many_arguments)]
    fn search(
        &self,
        py: Python<'_>,
        position: &Bound<'_, Position>,
        sims: Option<u64>,
        ms: Option<u64>,
        nodes: Option<usize>,
        budget: Option<&str>,
        role: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Report> {
        if !self.spec.searches() {
            return Err(bad(format!("{RANDOM} does not search, so there is nothing to show")));
        }
        let budget = read_budget((sims, ms, nodes), budget, SIMULATIONS)?;
        self.think(py, position.get(), Player::role(position.get(), role)?, budget)
    }

    /// The move that the player would play: that of a search.
    ///
    /// >>> ludens.Player("random", seed=3).choose(ludens.Game("gdl:connect4").start())
    /// '(drop ...)'
    #[pyo3(signature = (position, *, sims = None, ms = None, nodes = None, budget = None, role = None))]
    #[allow(clippy::too_many_arguments)]
    fn choose(
        &self,
        py: Python<'_>,
        position: &Bound<'_, Position>,
        sims: Option<u64>,
        ms: Option<u64>,
        nodes: Option<usize>,
        budget: Option<&str>,
        role: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let budget = read_budget((sims, ms, nodes), budget, SIMULATIONS)?;
        let report = self.think(py, position.get(), Player::role(position.get(), role)?, budget)?;
        Ok(report.chosen())
    }

    /// Forgets everything: the next search is that of a new player, with this seed or the one it had.
    #[pyo3(signature = (seed = None))]
    fn restart(&self, seed: Option<u64>) -> PyResult<()> {
        let mut place = self.place();
        if matches!(place.seated, Seated::Searching) {
            return Err(bad("this player is searching in another thread"));
        }
        *place = Place { seed: seed.unwrap_or(place.seed), seated: Seated::Nowhere };
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("Player('{}', seed={})", self.spec, self.place().seed)
    }
}

/// Name and description of every selection rule and policy.
#[pyfunction]
pub(crate) fn policies() -> Vec<(String, String, String)> {
    let selects = SELECTS.iter().map(|entry| (entry.name, "selection", entry.about));
    let policies = all_policies().map(|entry| (entry.name, "policy", entry.about));
    selects.chain(policies).map(|(name, kind, about)| (name.to_owned(), kind.to_owned(), about.to_owned())).collect()
}

/// Name, spec and description of the agents of the papers.
#[pyfunction]
pub(crate) fn presets() -> Vec<(String, String, String)> {
    all_presets().map(|preset| (preset.name.to_owned(), preset.spec.to_owned(), preset.about.to_owned())).collect()
}
