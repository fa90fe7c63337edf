//! What a game of a cell costs: measured where games are recorded, estimated elsewhere.
//!
//! The estimate is rough, and enough to balance tasks: a game has as many moves as a random one, every simulation plays half a
//! game, and a step takes as long as in a random game. Where some cells are measured, the estimates of the others are
//! multiplied by what measured cells took compared with their own estimates.

use crate::{
    cell::Cell,
    experiment::Experiment,
    open::OpenGames,
    results::{CellResults, Results},
};
use ludens_catalog::OpenError;
use ludens_game::Seed;
use std::{collections::BTreeMap, time::Instant};

/// Random games per estimate.
const PLAYOUTS: u64 = 20;

/// Longer random games are cut.
const MAX_STEPS: u32 = 1000;

/// A simulation chooses and learns besides stepping through the game.
const OVERHEAD: f64 = 3.0;

/// Where a cost comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The mean of so many recorded games.
    Measured(u64),
    /// Random games.
    Estimated,
}

/// What a game costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Seconds on one core.
    pub seconds: f64,
    /// How that is known.
    pub basis: Basis,
}

/// The cost of a game, cell by cell.
///
/// # Errors
/// If a game cannot be opened.
pub fn costs(experiment: &Experiment, results: &Results, games: &OpenGames) -> Result<Vec<Cost>, OpenError> {
    let mut samples = BTreeMap::new();
    for planned in &experiment.cells {
        let name = &planned.cell.game;
        if !samples.contains_key(name) {
            samples.insert(name.clone(), RandomGames::of(&*games.open(name)?));
        }
    }
    let estimates: Vec<f64> =
        experiment.cells.iter().map(|planned| samples[&planned.cell.game].estimate(&planned.cell)).collect();
    let of = |planned: &crate::Planned| results.cells.get(&planned.cell.id(experiment.seed));
    let measured: Vec<_> = experiment.cells.iter().map(|planned| of(planned).and_then(measured)).collect();
    Ok(combine(&estimates, &measured))
}

/// Measured costs, and estimates corrected by them.
fn combine(estimates: &[f64], measured: &[Option<Cost>]) -> Vec<Cost> {
    let both = estimates.iter().zip(measured);
    let mut factors: Vec<f64> = both
        .clone()
        .filter_map(|(estimate, measured)| {
            Some(measured.as_ref()?.seconds / estimate).filter(|factor| factor.is_finite())
        })
        .collect();
    factors.sort_by(f64::total_cmp);
    let factor = factors.get(factors.len() / 2).copied().unwrap_or(1.0);
    both.map(|(estimate, measured)| measured.unwrap_or(Cost { seconds: estimate * factor, basis: Basis::Estimated }))
        .collect()
}

/// The mean time of the recorded games of a cell.
fn measured(results: &CellResults) -> Option<Cost> {
    let games = results.games.len() as u64;
    let ms: f64 = results.games.values().flat_map(|game| &game.ms).sum();
    (games > 0).then(|| Cost { seconds: ms / 1e3 / games as f64, basis: Basis::Measured(games) })
}

/// What random games of a game are like.
struct RandomGames {
    steps: f64,
    seconds_per_step: f64,
}

impl RandomGames {
    fn of(game: &dyn ludens_search::Playable) -> RandomGames {
        let begun = Instant::now();
        let playouts = game.playouts(PLAYOUTS, &mut Seed::new(1).named("cost").rng(), MAX_STEPS);
        let steps = playouts.steps.max(1) as f64;
        RandomGames { steps: steps / PLAYOUTS as f64, seconds_per_step: begun.elapsed().as_secs_f64() / steps }
    }

    fn estimate(&self, cell: &Cell) -> f64 {
        let budget = cell.budget;
        let simulations = budget.simulations.or(budget.nodes.map(|nodes| nodes as u64));
        let by_simulations = simulations.map(|simulations| simulations as f64 * (self.steps / 2.0));
        let by_steps = budget.steps.map(|steps| steps as f64);
        let search_steps = by_simulations.into_iter().chain(by_steps).reduce(f64::min);
        let by_count = search_steps.map(|steps| self.steps * steps * self.seconds_per_step * OVERHEAD);
        let by_time = budget.time.map(|time| {
            let start = budget.start.map_or(0.0, |start| start.as_secs_f64() * cell.players.len() as f64);
            start + self.steps * time.as_secs_f64()
        });
        by_count.into_iter().chain(by_time).fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_corrected_by_measured_cells() {
        let measured = |seconds| Some(Cost { seconds, basis: Basis::Measured(5) });
        let costs = combine(&[1.0, 10.0, 4.0], &[measured(2.0), None, measured(8.0)]);
        assert_eq!(costs.iter().map(|cost| cost.seconds).collect::<Vec<_>>(), [2.0, 20.0, 8.0]);
        assert_eq!((costs[0].basis, costs[1].basis), (Basis::Measured(5), Basis::Estimated));
        assert_eq!(combine(&[3.0], &[None])[0].seconds, 3.0, "nothing to correct it by");
    }

    #[test]
    fn a_game_by_hand() {
        let games = RandomGames { steps: 40.0, seconds_per_step: 1e-6 };
        let cell = |budget: &str| -> Cell {
            let text = format!(
                r#"{{"game":"go:5","budget":"{budget}","players":[{{"name":"a","spec":"uct"}},{{"name":"b","spec":"uct"}}]}}"#
            );
            serde_json::from_str(&text).unwrap()
        };
        // 40 moves of 1,000 simulations of 20 steps, each of a millionth of a second, three times.
        assert!((games.estimate(&cell("sims=1000")) - 2.4).abs() < 1e-9);
        assert!((games.estimate(&cell("ms=50")) - 2.0).abs() < 1e-9);
        assert!((games.estimate(&cell("sims=1000,ms=50")) - 2.0).abs() < 1e-9, "the first limit ends a search");
        assert!((games.estimate(&cell("start=1s,play=50ms")) - 4.0).abs() < 1e-9);
    }
}
