//! The report of an experiment.

use super::{
    Column, Document, DocumentBlock, Grid, percent,
    plot::{Curve, LinePlot, Sample, Whisker, WhiskerGroup, WhiskerPlot},
    summary::{CellSummary, Summary},
};
use crate::{
    stats::{Decision, Elo},
    words::counted,
};

/// Everything that there is to say about an experiment.
pub fn experiment_document(summary: &Summary) -> Document {
    let mut blocks = Vec::new();
    if !summary.about.is_empty() {
        blocks.push(DocumentBlock::Text(summary.about.clone()));
    }
    blocks.push(DocumentBlock::Text(summary.provenance()));
    blocks.extend(summary.counted_games().map(DocumentBlock::Text));
    blocks.push(DocumentBlock::Table(summary.grid()));
    blocks.extend(summary.broken_games().map(DocumentBlock::Text));
    blocks.extend(summary.plots().into_iter().map(DocumentBlock::Plot));
    if !summary.ratings.is_empty() {
        blocks.push(DocumentBlock::Heading("Ratings".into()));
        blocks.push(DocumentBlock::Text(
            "Elo of all players on one scale (Bradley-Terry, mean 0, 95 % intervals by bootstrap), over all games together.".into(),
        ));
        blocks.push(DocumentBlock::Table(summary.rating_grid()));
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

    /// The games that are only counted, in words.
    pub fn counted_games(&self) -> Option<String> {
        let counted: u64 = self.cells.iter().map(|cell| cell.counted).sum();
        let games: u64 = self.cells.iter().map(|cell| cell.games).sum();
        (counted > 0).then(|| format!("Of {games} games {counted} are only counted: there are no records of them."))
    }

    /// The failed games, in words.
    pub fn broken_games(&self) -> Option<String> {
        let list: Vec<String> = self.broken.iter().map(ToString::to_string).collect();
        let (count, games) = (list.len(), list.join(". "));
        let are = if count == 1 { "is" } else { "are" };
        (count > 0).then(|| format!("{} failed and {are} not counted: {games}.", counted(count, "game")))
    }

    /// What the rates are: where a player is alone at a game, its score stands in place of a win rate.
    fn measure(&self) -> &'static str {
        let alone = self.cells.iter().filter(|cell| cell.is_alone()).count();
        match self.cells.len() {
            _ if alone == 0 => "win rate %",
            cells if alone == cells => "mean score %",
            _ => "win rate or mean score %",
        }
    }

    /// A row per cell.
    pub fn grid(&self) -> Grid {
        let columns = vec![
            Column::text("game"),
            Column::text("budget"),
            Column::text("player"),
            Column::text("against"),
            Column::number(self.measure()),
            Column::number("95 % interval"),
            Column::number("games"),
            Column::number("won"),
            Column::number("drawn"),
            Column::number("lost"),
            Column::number("cut off"),
            Column::number("broken"),
            Column::number("steps"),
            Column::number("Elo"),
            Column::text("state"),
        ];
        let grid = Grid { columns, rows: self.cells.iter().map(row).collect() };
        if self.cells.iter().any(|cell| cell.counted > 0) {
            return grid.without(&["won", "drawn", "lost", "steps"]);
        }
        grid
    }

    /// A row per cell without the columns that say nothing, for narrow terminals.
    pub fn short_grid(&self) -> Grid {
        let mut idle = vec!["steps"];
        if self.cells.iter().all(|cell| cell.cut == 0) {
            idle.push("cut off");
        }
        if self.broken.is_empty() {
            idle.push("broken");
        }
        if self.cells.iter().all(CellSummary::is_alone) {
            idle.extend(["against", "won", "drawn", "lost", "Elo"]);
        }
        if self.cells.iter().all(|cell| cell.decision.is_none() && cell.left() == 0) {
            idle.push("state");
        }
        self.grid().without(&idle)
    }

    /// A row per player.
    pub fn rating_grid(&self) -> Grid {
        let has_worst = self.ratings.iter().any(|line| line.worst.is_some());
        let mut columns = vec![Column::text("player"), Column::number("Elo"), Column::number("95 % interval")];
        if has_worst {
            columns.push(Column::text("worst game"));
        }
        let row = |line: &super::PlayerRating| {
            let rating = line.rating;
            let mut cells = vec![
                line.player.clone(),
                format!("{:+.0}", rating.elo),
                format!("{:+.0} to {:+.0}", rating.low, rating.high),
            ];
            cells.extend(line.worst.as_ref().map(|worst| {
                let (low, high) = (percent(worst.interval.low), percent(worst.interval.high));
                format!("{} {} % ({low} to {high}, {} games)", worst.game, percent(worst.rate), worst.games)
            }));
            cells
        };
        Grid { columns, rows: self.ratings.iter().map(row).collect() }
    }

    /// The same for the titles of plots, whose axes say that it is percent.
    fn measure_of_plots(&self) -> String {
        let measure = self.measure().trim_end_matches(" %");
        measure[..1].to_uppercase() + &measure[1..]
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
            WhiskerPlot {
                title: format!("{} per game, {budget}", self.measure_of_plots()),
                series: series.clone(),
                groups,
            }
            .svg()
        });
        let lines = games.iter().filter_map(|game| {
            let line = |name: &String| {
                let cells = played.iter().filter(|cell| cell.game == *game && cell.series() == *name);
                let sample = |cell: &&CellSummary| {
                    Some(Sample { x: cell.simulations_per_move? as f64, rate: cell.rate?, interval: cell.interval })
                };
                Curve { name: name.clone(), samples: cells.filter_map(sample).collect() }
            };
            let lines: Vec<Curve> = series.iter().map(line).filter(|line| line.samples.len() > 1).collect();
            let title = format!("{} by budget, {game}", self.measure_of_plots());
            let plot = LinePlot { title, axis: "simulations per move".into(), is_log: true, lines };
            (!plot.lines.is_empty()).then(|| plot.svg())
        });
        whiskers.chain(lines).collect()
    }
}

impl CellSummary {
    /// Who against whom.
    fn series(&self) -> String {
        if self.is_alone() { self.player.clone() } else { format!("{} vs {}", self.player, self.opponents) }
    }

    /// Whether the game has no other player.
    fn is_alone(&self) -> bool {
        self.opponents.is_empty()
    }

    /// Games that are still to be played.
    fn left(&self) -> u64 {
        self.wanted.saturating_sub(self.games + self.cut + self.broken)
    }
}

fn row(cell: &CellSummary) -> Vec<String> {
    let state = match (cell.decision, cell.left()) {
        (Some(Decision::H0), _) => "decided: H0".to_owned(),
        (Some(Decision::H1), _) => "decided: H1".to_owned(),
        (None, 0) => "complete".to_owned(),
        (None, left) => format!("{left} left"),
    };
    let contested = |text: String| if cell.is_alone() { "-".to_owned() } else { text };
    vec![
        cell.game.clone(),
        cell.budget.clone(),
        cell.player.clone(),
        cell.opponents.clone(),
        cell.rate.map_or("-".into(), percent),
        format!("{} to {}", percent(cell.interval.low), percent(cell.interval.high)),
        cell.games.to_string(),
        contested(cell.wins.to_string()),
        contested(cell.draws.to_string()),
        contested(cell.losses.to_string()),
        cell.cut.to_string(),
        cell.broken.to_string(),
        format!("{:.1}", cell.mean_steps),
        contested(elo_text(&cell.elo)),
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
pub(super) fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut list = Vec::new();
    for value in values {
        if !list.contains(&value) {
            list.push(value);
        }
    }
    list
}
