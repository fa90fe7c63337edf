//! How strong one player is: the report of an experiment in which all others meet it, game by game.

use super::{Column, DocumentBlock, Grid, experiment::distinct, percent};
use crate::{cell::Cell, counts::Counts, experiment::Experiment, papers::Rate, words::counted};
use std::collections::BTreeMap;

/// A mean rate from which on a player beats another clearly.
const CLEAR: f64 = 0.6;

/// Verdict and tables, budget by budget. Rates are those of the player whom all others meet: the last one of every cell.
pub fn strength_report(experiment: &Experiment, counts: &Counts) -> Vec<DocumentBlock> {
    let budgets = distinct(experiment.cells.iter().map(|planned| planned.cell.budget.to_string()));
    let section = |budget: String| {
        let table = Table::new(experiment, counts, &budget);
        let mut blocks = vec![DocumentBlock::Heading(format!("With {budget}")), DocumentBlock::Text(table.verdict())];
        if table.mean().is_some() {
            blocks.extend([
                DocumentBlock::Text("By opponent, over the games:".into()),
                DocumentBlock::Table(table.by_opponent()),
                DocumentBlock::Text("By game, over the opponents:".into()),
                DocumentBlock::Table(table.by_game()),
                DocumentBlock::Text("Every pair: the rate in percent, and the number of games.".into()),
                DocumentBlock::Table(table.pairs()),
            ]);
        }
        blocks
    };
    budgets.into_iter().flat_map(section).collect()
}

/// The rates of one budget.
struct Table<'e> {
    games: Vec<&'e str>,
    opponents: Vec<&'e str>,
    /// By game and opponent; pairs without games are missing.
    rates: BTreeMap<(&'e str, &'e str), Rate>,
}

/// A game or an opponent, and the rates with it by the names of what is on the other side.
struct Line<'e> {
    name: &'e str,
    rates: Vec<(&'e str, Rate)>,
}

impl<'e> Table<'e> {
    fn new(experiment: &'e Experiment, counts: &Counts, budget: &str) -> Table<'e> {
        let cells =
            || experiment.cells.iter().map(|planned| &*planned.cell).filter(|cell| cell.budget.to_string() == budget);
        let rate = |cell: &'e Cell| {
            let points = counts.points(cell.id(experiment.seed));
            let rate = Rate::of_points(points.games as f64 - points.sum, points.games)?;
            Some(((&*cell.game, &*cell.players[0].name), rate))
        };
        Table {
            games: distinct(cells().map(|cell| &*cell.game)),
            opponents: distinct(cells().map(|cell| &*cell.players[0].name)),
            rates: cells().filter_map(rate).collect(),
        }
    }

    fn rate(&self, game: &'e str, opponent: &'e str) -> Option<Rate> {
        self.rates.get(&(game, opponent)).copied()
    }

    fn opponent_lines(&self) -> impl Iterator<Item = Line<'e>> {
        self.opponents.iter().map(|opponent| {
            let rates = self.games.iter().filter_map(|game| Some((*game, self.rate(game, opponent)?)));
            Line { name: opponent, rates: rates.collect() }
        })
    }

    fn game_lines(&self) -> impl Iterator<Item = Line<'e>> {
        self.games.iter().map(|game| {
            let rates = self.opponents.iter().filter_map(|opponent| Some((*opponent, self.rate(game, opponent)?)));
            Line { name: game, rates: rates.collect() }
        })
    }

    fn mean(&self) -> Option<Rate> {
        Rate::mean_of(&self.rates.values().copied().collect::<Vec<_>>())
    }

    /// What the tables say, in words.
    fn verdict(&self) -> String {
        let Some(mean) = self.mean() else { return "No games yet.".into() };
        let means: Vec<Rate> = self.opponent_lines().filter_map(|line| line.mean()).collect();
        let beaten = means.iter().filter(|mean| mean.rate >= CLEAR).count();
        let mut text = format!(
            "It wins {} of the games, with equal weight for every pair of game and opponent. It beats {beaten} of {} by {:.0} % or more on average. ",
            words(&mean),
            counted(means.len(), "opponent"),
            100.0 * CLEAR,
        );
        let of_games = |weak: fn(&Rate) -> bool| -> Vec<String> {
            let weak = self.game_lines().filter_map(move |line| Some((line.name, line.mean().filter(weak)?)));
            weak.map(|(game, mean)| format!("{game} ({})", words(&mean))).collect()
        };
        let lost = of_games(|mean| mean.interval.high < 0.5);
        text += &match lost.is_empty() {
            true => "In no game is the interval of all opponents together wholly below 50 %.".to_owned(),
            false => format!("The interval of all opponents together is wholly below 50 % in {}.", lost.join(", ")),
        };
        let count = |is: fn(&Rate) -> bool| self.rates.values().filter(|rate| is(rate)).count();
        let (above, below) = (count(|rate| rate.interval.low > 0.5), count(|rate| rate.interval.high < 0.5));
        let pairs = self.games.len() * self.opponents.len();
        text += &format!(
            " The interval of a single pair is wholly above 50 % in {above} of {pairs} and wholly below in {below}; of equal players, \
             chance alone puts one pair in forty on each side."
        );
        if self.rates.len() < pairs {
            text += &format!(" Means leave out {} without games.", counted(pairs - self.rates.len(), "pair"));
        }
        text
    }

    fn by_opponent(&self) -> Grid {
        let lines = self.opponent_lines().map(|line| line.row(self.games.len()));
        Grid { columns: columns(["against", "of the games", "worst game"]), rows: lines.collect() }
    }

    fn by_game(&self) -> Grid {
        let lines = self.game_lines().map(|line| line.row(self.opponents.len()));
        Grid { columns: columns(["game", "of the opponents", "strongest opponent"]), rows: lines.collect() }
    }

    fn pairs(&self) -> Grid {
        let row = |game: &&'e str| {
            let cells = self.opponents.iter().map(|opponent| match self.rate(game, opponent) {
                Some(rate) => format!("{:.0} ({})", 100.0 * rate.rate, rate.games),
                None => "-".to_owned(),
            });
            [(*game).to_owned()].into_iter().chain(cells).collect()
        };
        let opponents = self.opponents.iter().map(|opponent| Column::number((*opponent).to_owned()));
        Grid {
            columns: [Column::text("game")].into_iter().chain(opponents).collect(),
            rows: self.games.iter().map(row).collect(),
        }
    }
}

fn columns([name, of, worst]: [&'static str; 3]) -> Vec<Column> {
    vec![
        Column::text(name),
        Column::number("mean %"),
        Column::number("95 % interval"),
        Column::number("games"),
        Column::number(of),
        Column::text(worst),
    ]
}

impl Line<'_> {
    /// The mean over the other side, each weighted equally, however many games it has.
    fn mean(&self) -> Option<Rate> {
        Rate::mean_of(&self.rates.iter().map(|(_, rate)| *rate).collect::<Vec<_>>())
    }

    /// A row of a table, beside so many on the other side.
    fn row(&self, others: usize) -> Vec<String> {
        let or_dash = |text: Option<String>| text.unwrap_or("-".into());
        let mean = self.mean();
        let worst = self.rates.iter().min_by(|one, other| one.1.rate.total_cmp(&other.1.rate));
        vec![
            self.name.to_owned(),
            or_dash(mean.map(|mean| percent(mean.rate))),
            or_dash(mean.map(|mean| format!("{} to {}", percent(mean.interval.low), percent(mean.interval.high)))),
            mean.map_or(0, |mean| mean.games).to_string(),
            format!("{} of {others}", self.rates.len()),
            or_dash(
                worst.map(|(name, rate)| format!("{name}: {}, {}", words(rate), counted(rate.games as usize, "game"))),
            ),
        ]
    }
}

/// "65.5 % (61.0 to 70.1)".
fn words(rate: &Rate) -> String {
    format!("{} % ({} to {})", percent(rate.rate), percent(rate.interval.low), percent(rate.interval.high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OpenGames;

    const EXPERIMENT: &str = r#"name = "strength"
games = ["nogo:4", "domineering:4"]
budgets = ["sims=10", "ms=5"]
games-per-cell = 4
against = "me"

[players]
me = "uct+mast"
one = "uct"
other = "uct+ppa"
"#;

    fn report(counts: &[(u64, f64)]) -> String {
        let experiment = crate::load("strength.toml", EXPERIMENT, &OpenGames::default()).unwrap();
        let ids = experiment.cells.iter().map(|planned| planned.cell.id(experiment.seed));
        let lines = ids.zip(counts).map(|(id, (games, points))| format!("{id},{games},{points}\n"));
        let counts = Counts::read(&format!("cell,games,points\n{}", lines.collect::<String>())).unwrap();
        let blocks = strength_report(&experiment, &counts);
        blocks.iter().filter_map(DocumentBlock::markdown).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn rates_are_those_of_the_player_whom_all_meet() {
        // Cells: nogo with 10 simulations against both, nogo with 5 ms, domineering in the same way. The first player is the opponent.
        let text = report(&[(30, 3.0), (30, 27.0), (0, 0.0), (0, 0.0), (10, 5.0), (0, 0.0)]);
        let (simulations, time) = text.split_once("## With ms=5").unwrap();
        assert_eq!(time.trim(), "No games yet.");
        for expected in [
            // Halves of Wilson's intervals: 11.08 for 27 and 3 of 30, 26.34 for 5 of 10; sqrt(11.08² + 26.34²) / 2 = 14.29.
            "| one | 70.0 | 55.7 to 84.3 | 40 | 2 of 2 | domineering:4: 50.0 % (23.7 to 76.3), 10 games |",
            "| other | 10.0 | 3.5 to 25.6 | 30 | 1 of 2 | nogo:4: 10.0 % (3.5 to 25.6), 30 games |",
            "| nogo:4 | 50.0 | 42.2 to 57.8 | 60 | 2 of 2 | other: 10.0 % (3.5 to 25.6), 30 games |",
            "| domineering:4 | 50.0 | 23.7 to 76.3 | 10 | 1 of 2 | one: 50.0 % (23.7 to 76.3), 10 games |",
            "| game | one | other |\n|---|---:|---:|\n| nogo:4 | 90 (30) | 10 (30) |\n| domineering:4 | 50 (10) | - |",
            "It wins 50.0 % (39.8 to 60.2) of the games",
            "It beats 1 of 2 opponents by 60 % or more on average. In no game is",
            "wholly above 50 % in 1 of 4 and wholly below in 1;",
            "Means leave out 1 pair without games.",
        ] {
            assert!(simulations.contains(expected), "{expected}\n{simulations}");
        }
    }

    #[test]
    fn lost_games_are_named_and_nothing_is_said_of_nothing() {
        let text = report(&[(30, 27.0), (30, 27.0)]);
        assert!(text.contains("is wholly below 50 % in nogo:4 (10.0 % (2."), "{text}");
        assert_eq!(report(&[]), "## With sims=10\n\nNo games yet.\n\n## With ms=5\n\nNo games yet.\n");
    }
}
