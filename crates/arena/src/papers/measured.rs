//! What was measured: the points of cells and the times of agents, from records or from the file of an earlier report.

use super::{
    Comparison, Paper, Rate, Table,
    timing::{self, Times},
};
use crate::{cell::CellId, counts::Counts, csv, report::percent, results::Results};
use std::collections::BTreeSet;

/// Points and times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The points of cells.
    pub counts: Counts,
    pub(super) times: Times,
}

/// The columns of the file. Those of [`Counts`] and [`Times`] are read again; the others are for readers.
const COLUMNS: [&str; 18] = [
    "table",
    "game",
    "budget",
    "player",
    "against",
    "published %",
    "published 95 %",
    "published games",
    "ours %",
    "95 % interval",
    "games",
    "points",
    "z",
    "verdict",
    "cell",
    "next",
    timing::COLUMNS[0],
    timing::COLUMNS[1],
];

impl Measured {
    /// What the records of a paper say.
    pub fn of(paper: &'static Paper, results: &Results) -> Measured {
        Measured::default().and(paper, results)
    }

    /// The same with what the records of a paper add.
    #[must_use]
    pub fn and(self, paper: &'static Paper, results: &Results) -> Measured {
        Measured { counts: self.counts.and(results, paper.counting), times: self.times.or(&Times::of(paper, results)) }
    }

    /// What both say together.
    #[must_use]
    pub fn or(self, other: &Measured) -> Measured {
        Measured { counts: self.counts.or(&other.counts), times: self.times.or(&other.times) }
    }

    /// The figures in `docs/reproduction.csv` when the program was built.
    ///
    /// # Panics
    /// Never: the tests read the file.
    pub fn committed() -> Measured {
        Measured::read(include_str!("reproduction.csv")).expect("the tests read the committed figures")
    }

    /// Reads a file that [`figures_csv`] wrote.
    ///
    /// # Errors
    /// One line that names the line of the file and what is wrong with it.
    pub fn read(text: &str) -> Result<Measured, String> {
        Ok(Measured { counts: Counts::read(text)?, times: Times::read(text)? })
    }
}

/// The measured figures of tables as a file that [`Measured::read`] understands: a line per figure, and one for each cell that only
/// takes part in a mean.
pub fn figures_csv(compared: &[(&Table, Vec<Comparison>)], measured: &Measured) -> String {
    let mut text = csv::line(COLUMNS);
    for (table, list) in compared {
        let mut written: BTreeSet<CellId> = list.iter().filter_map(|line| line.cell).collect();
        let parts = table.entries.iter().filter(|entry| entry.cells.len() > 1).flat_map(|entry| &entry.cells);
        let parts = parts.filter(|cell| written.insert(cell.id(super::SEED)));
        let parts: Vec<_> = parts.map(|cell| Comparison::of_cell(table, cell, measured)).collect();
        for line in list.iter().chain(&parts).filter(|line| line.ours.is_some()) {
            text += &csv_line(line, measured);
        }
    }
    text
}

fn csv_line(line: &Comparison, measured: &Measured) -> String {
    let interval = |rate: &Rate| format!("{} to {}", percent(rate.interval.low), percent(rate.interval.high));
    let published = line.published.as_ref();
    let ours = line.ours.as_ref();
    let text = |value: Option<String>| value.unwrap_or_default();
    let counted = line.cell.map(|cell| measured.counts.points(cell).fields());
    let [_, points, next] = counted.unwrap_or_default();
    let [ms, ms_against] =
        [&line.player, &line.opponent].map(|agent| measured.times.field(&line.table, &line.game, agent));
    let fields = [
        line.table.clone(),
        line.game.clone(),
        line.budget.clone(),
        line.player.clone(),
        line.opponent.clone(),
        text(published.map(|rate| percent(rate.rate))),
        text(published.map(interval)),
        text(published.map(|rate| rate.games.to_string())),
        text(ours.map(|rate| percent(rate.rate))),
        text(ours.map(interval)),
        text(ours.map(|rate| rate.games.to_string())),
        points,
        text(line.z.map(|z| format!("{z:.2}"))),
        text(line.verdict.map(|verdict| verdict.text().to_owned())),
        text(line.cell.map(|cell| cell.to_string())),
        next,
        ms,
        ms_against,
    ];
    csv::line(fields.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::{PAPERS, compare};

    #[test]
    fn the_committed_figures_are_read() {
        let committed = Measured::committed();
        let is_measured = |table: &Table| compare(table, &committed).iter().filter(|line| line.ours.is_some()).count();
        let tables = PAPERS.iter().flat_map(|paper| paper.all_tables());
        assert!(tables.map(|table| is_measured(&table)).sum::<usize>() > 600);
        assert!(committed.times != Times::default());
    }

    #[test]
    fn what_is_written_is_read_again() {
        let paper = *PAPERS.iter().find(|paper| paper.name == "sironi2021").unwrap();
        let tables = ["1", "4", "figure1"].map(|table| paper.table(table).unwrap());
        // Every cell of the tables: so many games, of which half a point more than a half.
        let cells = tables.iter().flat_map(|table| &table.entries).flat_map(|entry| &entry.cells);
        let lines = cells.zip(7_u64..).map(|(cell, games)| {
            let points = games as f64 / 2.0 + 0.5;
            format!("{},{games},{points}", cell.id(super::super::SEED))
        });
        let mut lines: Vec<String> = lines.collect();
        lines.sort();
        lines.dedup_by_key(|line| line[..16].to_owned());
        let counts = Counts::read(&format!("cell,games,points\n{}\n", lines.join("\n"))).unwrap();
        let times = "table,game,player,against,ms,ms against\nsironi2021/4,gdl:connect5,nst,random,15.9,16.93\n";
        let measured = Measured { counts, times: Times::read(times).unwrap() };
        let compared: Vec<_> = tables.iter().map(|table| (table, compare(table, &measured))).collect();
        let text = figures_csv(&compared, &measured);
        assert_eq!(Measured::read(&text), Ok(measured));
    }
}
