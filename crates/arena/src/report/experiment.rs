//! The report of an experiment.

use super::{
    Block, Column, Document, Grid, percent,
    plot::{Line, LinePlot, Sample, Whisker, WhiskerGroup, WhiskerPlot},
    summary::{CellSummary, Summary},
};
use crate::stats::{Decision, Elo};

/// Everything that there is to say about an experiment.
pub fn experiment_document(summary: &Summary) -> Document {
    let mut blocks = Vec::new();
    if !summary.about.is_empty() {
        blocks.push(Block::Text(summary.about.clone()));
    }
    blocks.push(Block::Text(summary.provenance()));
    blocks.push(Block::Table(summary.grid()));
    blocks.extend(summary.plots().into_iter().map(Block::Plot));
    if !summary.ratings.is_empty() {
        blocks.push(Block::Heading("Ratings".into()));
        blocks.push(Block::Text(
            "Elo of all players on one scale (Bradley-Terry, mean 0, 95 % intervals by bootstrap), over all games together.".into(),
        ));
        blocks.push(Block::Table(summary.rating_grid()));
    }
    Document { title: summary.experiment.clone(), blocks }
}

impl Summary {
    /// Seed, versions and machines in a sentence.
    pub fn provenance(&self) -> String {
        let by = |what: &str, list: &[String]| {
            if list.is_empty() { String::new() } else { format!(", {what} {}", list.join(" and ")) }
        };
        format!("Seed {}{}{}.", self.seed, by("ludens", &self.versions), by("on", &self.machines))
    }

    /// A row per cell.
    pub fn grid(&self) -> Grid {
        let columns = vec![
            Column::text("game"),
            Column::text("budget"),
            Column::text("player"),
            Column::text("against"),
            Column::number("win rate %"),
            Column::number("95 % interval"),
            Column::number("games"),
            Column::number("won"),
            Column::number("drawn"),
            Column::number("lost"),
            Column::number("cut off"),
            Column::number("steps"),
            Column::number("Elo"),
            Column::text("state"),
        ];
        Grid { columns, rows: self.cells.iter().map(row).collect() }
    }

    /// A row per cell without the columns that say nothing, for narrow terminals.
    pub fn short_grid(&self) -> Grid {
        let mut idle = vec!["steps"];
        if self.cells.iter().all(|cell| cell.cut == 0) {
            idle.push("cut off");
        }
        if self.cells.iter().all(|cell| cell.decision.is_none() && cell.games + cell.cut >= cell.wanted) {
            idle.push("state");
        }
        self.grid().without(&idle)
    }

    /// A row per player.
    pub fn rating_grid(&self) -> Grid {
        let columns = vec![Column::text("player"), Column::number("Elo"), Column::number("95 % interval")];
        let row = |line: &super::PlayerRating| {
            let rating = line.rating;
            vec![
                line.player.clone(),
                format!("{:+.0}", rating.elo),
                format!("{:+.0} to {:+.0}", rating.low, rating.high),
            ]
        };
        Grid { columns, rows: self.ratings.iter().map(row).collect() }
    }

    /// Rates per game, and against the budget where there are several.
    fn plots(&self) -> Vec<String> {
        let played: Vec<&CellSummary> = self.cells.iter().filter(|cell| cell.rate.is_some()).collect();
        let budgets = distinct(played.iter().map(|cell| cell.budget.as_str()));
        let games = distinct(played.iter().map(|cell| cell.game.as_str()));
        let series = distinct(played.iter().map(|cell| cell.series()));
        let place = |cell: &CellSummary| series.iter().position(|name| *name == cell.series()).unwrap_or(0);
        let whiskers = budgets.iter().map(|budget| {
            let group = |game: &&str| {
                let cells = played.iter().filter(|cell| cell.game == *game && cell.budget == *budget);
                let whisker = |cell: &&CellSummary| Whisker {
                    series: place(cell),
                    ours: cell.rate.map(|rate| (rate, cell.interval)),
                    published: None,
                };
                WhiskerGroup { label: (*game).to_owned(), whiskers: cells.map(whisker).collect() }
            };
            let groups = games.iter().map(group).filter(|group| !group.whiskers.is_empty()).collect();
            WhiskerPlot { title: format!("Win rate per game, {budget}"), series: series.clone(), groups }.svg()
        });
        let lines = games.iter().filter_map(|game| {
            let line = |name: &String| {
                let cells = played.iter().filter(|cell| cell.game == *game && cell.series() == *name);
                let sample = |cell: &&CellSummary| {
                    Some(Sample { x: cell.simulations_per_move? as f64, rate: cell.rate?, interval: cell.interval })
                };
                Line { name: name.clone(), samples: cells.filter_map(sample).collect() }
            };
            let lines: Vec<Line> = series.iter().map(line).filter(|line| line.samples.len() > 1).collect();
            let title = format!("Win rate by budget, {game}");
            let plot = LinePlot { title, axis: "simulations per move".into(), is_log: true, lines };
            (!plot.lines.is_empty()).then(|| plot.svg())
        });
        whiskers.chain(lines).collect()
    }
}

impl CellSummary {
    /// Who against whom.
    fn series(&self) -> String {
        format!("{} vs {}", self.player, self.opponents)
    }
}

fn row(cell: &CellSummary) -> Vec<String> {
    let state = match (cell.decision, cell.games + cell.cut >= cell.wanted) {
        (Some(Decision::H0), _) => "decided: H0".to_owned(),
        (Some(Decision::H1), _) => "decided: H1".to_owned(),
        (None, true) => "complete".to_owned(),
        (None, false) => format!("{} left", cell.wanted - cell.games - cell.cut),
    };
    vec![
        cell.game.clone(),
        cell.budget.clone(),
        cell.player.clone(),
        cell.opponents.clone(),
        cell.rate.map_or("-".into(), percent),
        format!("{} to {}", percent(cell.interval.low), percent(cell.interval.high)),
        cell.games.to_string(),
        cell.wins.to_string(),
        cell.draws.to_string(),
        cell.losses.to_string(),
        cell.cut.to_string(),
        format!("{:.1}", cell.mean_steps),
        elo_text(&cell.elo),
        state,
    ]
}

/// "+35", or where it lies if nothing finite explains the rate.
fn elo_text(elo: &Elo) -> String {
    match (elo.difference, elo.low, elo.high) {
        (Some(difference), _, _) => format!("{difference:+.0}"),
        (None, Some(low), None) => format!("> {low:+.0}"),
        (None, None, Some(high)) => format!("< {high:+.0}"),
        (None, _, _) => "-".into(),
    }
}

/// The values, each once, in the order in which they first come.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut list = Vec::new();
    for value in values {
        if !list.contains(&value) {
            list.push(value);
        }
    }
    list
}
