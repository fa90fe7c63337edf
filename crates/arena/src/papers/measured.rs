//! What was measured, cell by cell: counted from records, or read from the file that an earlier report wrote.

use super::{Comparison, Rate, Table, figures::split};
use crate::{
    cell::{Cell, CellId},
    report::percent,
    results::{Counting, Results},
};
use std::collections::{BTreeMap, BTreeSet};

/// The points of the first player, by cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    cells: BTreeMap<CellId, Points>,
}

/// The points of consecutive games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Points {
    /// The first of them.
    first: u64,
    games: u64,
    sum: f64,
}

/// The columns of the file. The cell decides what was played; the words are for readers.
const COLUMNS: &str = "table,game,budget,player,against,published %,published 95 %,published games,ours %,95 % interval,games,\
                       points,z,verdict,cell";

impl Measured {
    /// What the records of a paper say.
    pub fn of(results: &Results, counting: Counting) -> Measured {
        let points = |id: &CellId| {
            let points = results.cells[id].standing(counting, 0, u64::MAX).points;
            let first = results.cells[id].games.keys().next().copied().unwrap_or(0);
            Points { first, games: points.count, sum: points.sum }
        };
        let cells = results.cells.keys().map(|id| (*id, points(id)));
        Measured { cells: cells.filter(|(_, points)| points.games > 0).collect() }
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
    pub fn read(csv: &str) -> Result<Measured, String> {
        let mut lines = csv.lines();
        if lines.next() != Some(COLUMNS) {
            return Err(format!("line 1: the columns are not {COLUMNS}"));
        }
        let mut cells = BTreeMap::new();
        for (number, line) in (2..).zip(lines) {
            let wrong = |what: &str| format!("line {number}: {what}");
            let fields = split(line);
            let [.., games, points, _z, _verdict, cell] = &fields[..] else { return Err(wrong("too few fields")) };
            if cell.is_empty() || games == "0" {
                continue;
            }
            let cell: CellId = cell.parse().map_err(|error: String| wrong(&error))?;
            let games: u64 = games.parse().map_err(|_| wrong(&format!("{games:?} is not a number of games")))?;
            let sum = points.parse().ok().filter(|sum| (0.0..=games as f64).contains(sum));
            let sum = sum.ok_or_else(|| wrong(&format!("{points:?} are not points of {games} games")))?;
            cells.insert(cell, Points { first: 0, games, sum });
        }
        Ok(Measured { cells })
    }

    /// The figures of both. The same seed plays the same games: of a cell that begins with the same game in both, the one with more
    /// games counts; where one goes on with the game after the last of the other, both do.
    #[must_use]
    pub fn or(mut self, other: &Measured) -> Measured {
        for (id, points) in &other.cells {
            let own = self.cells.entry(*id).or_default();
            if own.games > 0 && own.first == points.first + points.games {
                *own = Points { first: points.first, games: own.games + points.games, sum: own.sum + points.sum };
            } else if own.first > points.first || own.games < points.games {
                *own = *points;
            }
        }
        self
    }

    /// How many games of a cell are known, from its first one on.
    pub fn prefix(&self, cell: CellId) -> u64 {
        self.cells.get(&cell).filter(|points| points.first == 0).map_or(0, |points| points.games)
    }

    /// Whether there is anything.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The rate of a cell, if it has games. Those that go on after others count only together with them.
    pub(super) fn rate(&self, cell: &Cell) -> Option<Rate> {
        let points = self.cells.get(&cell.id(super::SEED)).filter(|points| points.first == 0)?;
        Rate::of_points(points.sum, points.games)
    }

    fn points(&self, cell: CellId) -> f64 {
        self.cells.get(&cell).map_or(0.0, |points| points.sum)
    }
}

/// The measured figures of tables as a file that [`Measured::read`] understands: a line per figure, and one for each cell that only
/// takes part in a mean.
pub fn figures_csv(compared: &[(&Table, Vec<Comparison>)], measured: &Measured) -> String {
    let mut text = format!("{COLUMNS}\n");
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
        text(line.cell.map(|cell| shortest(measured.points(cell)))),
        text(line.z.map(|z| format!("{z:.2}"))),
        text(line.verdict.map(|verdict| verdict.text().to_owned())),
        text(line.cell.map(|cell| cell.to_string())),
    ];
    let quoted = |field: &String| if field.contains(',') { format!("\"{field}\"") } else { field.clone() };
    fields.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

/// Points to four places, without zeros at the end: wins, halves and thirds.
fn shortest(points: f64) -> String {
    let text = format!("{points:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_figures_are_read() {
        let committed = Measured::committed();
        assert!(committed.cells.len() > 300, "{}", committed.cells.len());
    }

    #[test]
    fn what_is_written_is_read_again() {
        let paper = super::super::PAPERS.iter().find(|paper| paper.name == "sironi2021").unwrap();
        let tables = [paper.table("1").unwrap(), paper.table("figure1").unwrap()];
        // Every cell of both tables: so many games, of which half a point more than a half.
        let cells = tables.iter().flat_map(|table| &table.entries).flat_map(|entry| &entry.cells);
        let points = |games: u64| Points { first: 0, games, sum: games as f64 / 2.0 + 0.5 };
        let cells: BTreeMap<_, _> =
            cells.zip(7..).map(|(cell, count)| (cell.id(super::super::SEED), points(count))).collect();
        let measured = Measured { cells };
        let compared: Vec<_> = tables.iter().map(|table| (table, super::super::compare(table, &measured))).collect();
        let text = figures_csv(&compared, &measured);
        assert_eq!(Measured::read(&text), Ok(measured.clone()));
        // More games count, fewer do not.
        let id = *measured.cells.keys().next().unwrap();
        let with = |count: u64| Measured { cells: [(id, points(count))].into() };
        assert_eq!(measured.clone().or(&with(1)), measured);
        assert_eq!(measured.clone().or(&with(5000)).cells[&id].games, 5000);
        // Games that go on where others end are added: 20 with 10.5 points, then 6 with 4. After a gap they do not count.
        let later = |first: u64| Measured { cells: [(id, Points { first, games: 6, sum: 4.0 })].into() };
        let both = later(20).or(&with(20));
        assert_eq!(both.cells[&id], Points { first: 0, games: 26, sum: 14.5 });
        assert_eq!((both.prefix(id), later(20).prefix(id)), (26, 0));
        assert_eq!(later(21).or(&with(20)), with(20));
    }

    #[test]
    fn errors_name_the_line() {
        let read = |line: &str| Measured::read(&format!("{COLUMNS}\n{line}\n")).unwrap_err();
        assert!(Measured::read("a,b").unwrap_err().starts_with("line 1: the columns"));
        assert!(read("a,b").contains("line 2: too few fields"));
        let line = |games: &str, points: &str, cell: &str| format!("t,g,b,p,o,,,,50.0,,{games},{points},,,{cell}");
        assert!(read(&line("x", "1", "0123456789abcdef")).contains("\"x\" is not a number of games"));
        assert!(read(&line("4", "9", "0123456789abcdef")).contains("\"9\" are not points of 4 games"));
        assert!(read(&line("4", "2", "12")).contains("hexadecimal"));
    }
}
