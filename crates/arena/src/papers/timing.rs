//! Table 4 of sironi2021: how long 1,000 simulations take. Times depend on the machine; what can be compared is how the agents
//! compare with random playouts.

use super::{SEED, Table, figures};
use crate::{
    report::{Column, Grid},
    results::Results,
};
use serde::Serialize;

/// The times of the paper: games by agents, in milliseconds.
const TIMES: &str = include_str!("sironi2021-timing.csv");

/// The time of an agent at a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// The game.
    pub game: String,
    /// The agent.
    pub agent: String,
    /// The paper's milliseconds for 1,000 simulations.
    pub published: f64,
    /// Ours, over all games measured.
    pub ours: Option<f64>,
}

/// All times of the table whose cells are given.
pub fn timings(table: &Table, results: &Results) -> Vec<Timing> {
    let mut lines = TIMES.lines().map(figures::split);
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
    timings
}

/// Milliseconds for 1,000 simulations, over all games of the table's cells in which the agent plays this game. In lanes
/// searches share their time, so those games do not count.
fn measured(table: &Table, (game, agent): (&str, &str), results: &Results) -> Option<f64> {
    let (mut simulations, mut ms) = (0, 0.0);
    for cell in table.entries.iter().filter(|entry| entry.game == game).flat_map(|entry| &entry.cells) {
        let Some(games) = results.cells.get(&cell.id(SEED)) else { continue };
        for (player, _) in cell.players.iter().enumerate().filter(|(_, player)| player.name == agent) {
            for game in games.games.values().filter(|game| !game.in_lanes) {
                for role in (0..game.seats.len()).filter(|&role| game.seats[role] == player) {
                    simulations += game.simulations[role];
                    ms += game.ms[role];
                }
            }
        }
    }
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
