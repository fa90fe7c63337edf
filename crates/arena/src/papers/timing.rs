//! Tables of how long 1,000 simulations take. Times depend on the machine; what can be compared is how the agents
//! compare with random playouts.

use super::{Content, Measured, Paper, SEED, Table};
use crate::{
    csv::{self, split},
    report::{Column, Grid},
    results::Results,
};
use serde::Serialize;
use std::collections::BTreeMap;

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

/// Our milliseconds for 1,000 simulations, by table, game and agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Times {
    ms: BTreeMap<(String, String, String), f64>,
}

/// The columns of a file that hold the times of the player and of its opponent.
pub(super) const COLUMNS: [&str; 2] = ["ms", "ms against"];

impl Times {
    /// What the records of a paper say.
    pub(super) fn of(paper: &'static Paper, results: &Results) -> Times {
        let mut times = Times::default();
        for table in paper.tables.iter().filter(|info| info.is_timing()).map(|info| paper.fill(info)) {
            let agents = table
                .entries
                .iter()
                .flat_map(|entry| [&entry.player, &entry.opponent].map(|agent| (&entry.game, agent)));
            for (game, agent) in agents {
                if let Some(ms) = measured(&table, (game, agent), results) {
                    times.ms.insert((table.id(), game.clone(), agent.clone()), ms);
                }
            }
        }
        times
    }

    /// The faster times of both.
    #[must_use]
    pub(super) fn or(mut self, other: &Times) -> Times {
        for (agent, &ms) in &other.ms {
            let own = self.ms.entry(agent.clone()).or_insert(ms);
            *own = own.min(ms);
        }
        self
    }

    /// Reads the times in a file of figures; one that has no columns for them has none.
    ///
    /// # Errors
    /// One line that names the line of the file and what is wrong with it.
    pub(super) fn read(text: &str) -> Result<Times, String> {
        let mut times = Times::default();
        let mut lines = text.lines();
        let titles = split(lines.next().unwrap_or_default());
        let place = |name: &str| titles.iter().position(|title| title == name);
        let [Some(table), Some(game), Some(player), Some(against), Some(ms), Some(ms_against)] =
            ["table", "game", "player", "against", COLUMNS[0], COLUMNS[1]].map(place)
        else {
            return Ok(times);
        };
        for (number, line) in (2..).zip(lines) {
            let fields = split(line);
            let field = |place: usize| fields.get(place).map_or("", String::as_str);
            for (agent, ms) in [(player, ms), (against, ms_against)].map(|(agent, ms)| (field(agent), field(ms))) {
                if !ms.is_empty() {
                    let value = ms.parse().ok().filter(|ms: &f64| ms.is_finite() && *ms > 0.0);
                    let value = value.ok_or_else(|| format!("line {number}: {ms:?} is not a time"))?;
                    times.ms.insert((field(table).into(), field(game).into(), agent.into()), value);
                }
            }
        }
        Ok(times)
    }

    /// A time as a field of the file; empty if there is none.
    pub(super) fn field(&self, table: &str, game: &str, agent: &str) -> String {
        self.get(table, game, agent).map_or(String::new(), |ms| csv::number(ms, 2))
    }

    fn get(&self, table: &str, game: &str, agent: &str) -> Option<f64> {
        self.ms.get(&(table.to_owned(), game.to_owned(), agent.to_owned())).copied()
    }
}

/// The times of a table of times.
pub fn timings(table: &Table, measured: &Measured) -> Option<Vec<Timing>> {
    let Content::Times(_, published) = table.info.content else { return None };
    let mut lines = published.lines().map(split);
    let agents = lines.next().expect("the table has a head");
    let mut timings = Vec::new();
    for line in lines {
        let game = (table.paper.game)(&line[0], "");
        for (agent, published) in agents.iter().zip(&line).skip(1) {
            let published = published.parse().expect("times are numbers");
            let ours = measured.times.get(&table.id(), &game, agent);
            timings.push(Timing { game: game.clone(), agent: agent.clone(), published, ours });
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
/// the machine has to do can only make games slower. In hundredths, as they are written, so that a report and one that goes on from it
/// print the same.
fn undisturbed(mut searches: Vec<(u64, f64)>) -> Option<f64> {
    searches.retain(|&(simulations, _)| simulations > 0);
    let per_simulation = |&(simulations, ms): &(u64, f64)| ms / simulations as f64;
    searches.sort_by(|one, other| per_simulation(one).total_cmp(&per_simulation(other)));
    searches.truncate(searches.len().div_ceil(2));
    let simulations: u64 = searches.iter().map(|&(simulations, _)| simulations).sum();
    let ms: f64 = searches.iter().map(|&(_, ms)| ms).sum();
    (simulations > 0).then(|| (ms / simulations as f64 * 100_000.0).round() / 100.0)
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
        assert_eq!(undisturbed(games), Some(1.67));
        assert_eq!(undisturbed(vec![(0, 1.0)]), None);
    }

    #[test]
    fn times_are_read_and_the_faster_ones_stay() {
        let read = |line: &str| Times::read(&format!("table,game,player,against,ms,ms against\n{line}\n"));
        let (one, other) = (read("t/4,go,nst,random,15.9,16.93").unwrap(), read("t/4,go,mast,random,,17.5").unwrap());
        let both = other.or(&one);
        assert_eq!(["nst", "random", "mast"].map(|agent| both.field("t/4", "go", agent)), ["15.9", "16.93", ""]);
        assert_eq!(read("t/4,go,nst,random,fast,").unwrap_err(), "line 2: \"fast\" is not a time");
        assert_eq!(Times::read("table,game\nt/4,go\n"), Ok(Times::default()));
    }
}
