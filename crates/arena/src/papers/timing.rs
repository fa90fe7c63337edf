//! Tables of how long 1,000 simulations take. Times depend on the machine; what can be compared is how the agents
//! compare with random playouts.

use super::{Content, SEED, Table, figures};
use crate::{
    report::{Column, Grid},
    results::Results,
};
use serde::Serialize;

/// The time of an agent at a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// The game.
    pub game: String,
    /// The agent.
    pub agent: String,
    /// The paper's milliseconds for 1,000 simulations.
    pub published: f64,
    /// Ours.
    pub ours: Option<f64>,
}

/// The times of a table of times.
pub fn timings(table: &Table, results: &Results) -> Option<Vec<Timing>> {
    let Content::Times(_, published) = table.info.content else { return None };
    let mut lines = published.lines().map(figures::split);
    let agents = lines.next().expect("the table has a head");
    let mut timings = Vec::new();
    for line in lines {
        let game = (table.paper.game)(&line[0], "");
        for (agent, published) in agents.iter().zip(&line).skip(1) {
            let published = published.parse().expect("times are numbers");
            let (game, agent) = (game.clone(), agent.clone());
            let ours = measured(table, (&game, &agent), results);
            timings.push(Timing { game, agent, published, ours });
        }
    }
    Some(timings)
}

/// Milliseconds for 1,000 simulations in the games of the table's cells in which the agent plays this game. In lanes searches
/// share their time, so those games do not count.
fn measured(table: &Table, (game, agent): (&str, &str), results: &Results) -> Option<f64> {
    let mut searches = Vec::new();
    for cell in table.entries.iter().filter(|entry| entry.game == game).flat_map(|entry| &entry.cells) {
        let Some(games) = results.cells.get(&cell.id(SEED)) else { continue };
        for (player, _) in cell.players.iter().enumerate().filter(|(_, player)| player.name == agent) {
            for game in games.games.values().filter(|game| !game.in_lanes) {
                let roles = (0..game.seats.len()).filter(|&role| game.seats[role] == player);
                searches.extend(roles.map(|role| (game.simulations[role], game.ms[role])));
            }
        }
    }
    undisturbed(searches)
}

/// Milliseconds for 1,000 simulations in the faster half of the games, each with its simulations and milliseconds: what else
/// the machine has to do can only make games slower.
fn undisturbed(mut searches: Vec<(u64, f64)>) -> Option<f64> {
    searches.retain(|&(simulations, _)| simulations > 0);
    let per_simulation = |&(simulations, ms): &(u64, f64)| ms / simulations as f64;
    searches.sort_by(|one, other| per_simulation(one).total_cmp(&per_simulation(other)));
    searches.truncate(searches.len().div_ceil(2));
    let simulations: u64 = searches.iter().map(|&(simulations, _)| simulations).sum();
    let ms: f64 = searches.iter().map(|&(_, ms)| ms).sum();
    (simulations > 0).then(|| ms / simulations as f64 * 1000.0)
}

/// A row per game and agent, with both times relative to random playouts.
pub fn timing_grid(timings: &[Timing]) -> Grid {
    let random = |game: &str| timings.iter().find(|timing| timing.game == game && timing.agent == "random");
    let row = |timing: &Timing| {
        let base = random(&timing.game);
        let ratio = |time: Option<f64>, base: Option<f64>| match (time, base) {
            (Some(time), Some(base)) if base > 0.0 => format!("{:.2}", time / base),
            _ => "-".into(),
        };
        vec![
            timing.game.clone(),
            timing.agent.clone(),
            format!("{:.0}", timing.published),
            timing.ours.map_or("-".into(), |ms| format!("{ms:.1}")),
            ratio(Some(timing.published), base.map(|base| base.published)),
            ratio(timing.ours, base.and_then(|base| base.ours)),
        ]
    };
    let columns = vec![
        Column::text("game"),
        Column::text("agent"),
        Column::number("published ms"),
        Column::number("our ms"),
        Column::number("published / random"),
        Column::number("ours / random"),
    ];
    Grid { columns, rows: timings.iter().map(row).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_games_do_not_count() {
        // 3, 1 and 2 ms for 1,000: the faster half are the second and the third, 50 ms for 30,000 simulations.
        let games = vec![(10_000, 30.0), (10_000, 10.0), (20_000, 40.0), (0, 1.0)];
        assert!((undisturbed(games).unwrap() - 5.0 / 3.0).abs() < 1e-9);
        assert_eq!(undisturbed(vec![(0, 1.0)]), None);
    }
}
