//! Counts: the points of games whose records need not be kept. They come from records, or from a CSV that an earlier report wrote, so
//! figures grow from run to run while only this small file stays.

use crate::{
    cell::CellId,
    csv,
    experiment::Experiment,
    record::End,
    results::{CellResults, Counting, Results},
};
use std::{borrow::Cow, collections::BTreeMap};

/// The points of the first player, by cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    cells: BTreeMap<CellId, Points>,
}

/// The points of a cell's first games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Points {
    /// Games with a result.
    pub games: u64,
    /// The points.
    pub sum: f64,
    /// The number of the game after the last of them. It is greater than `games` if some had no result.
    pub next: u64,
}

/// The columns that tell the points of a cell. A file without the last one has no games without a result.
pub(crate) const COLUMNS: [&str; 4] = ["cell", "games", "points", "next"];

impl Counts {
    /// What records say.
    pub fn of(results: &Results, counting: Counting) -> Counts {
        Counts::default().and(results, counting)
    }

    /// The same with those games of records that come after the counted ones.
    #[must_use]
    pub fn and(mut self, results: &Results, counting: Counting) -> Counts {
        for (id, cell) in &results.cells {
            self.add(*id, cell, counting);
        }
        self
    }

    /// Adds those games of a cell that come after the counted ones.
    pub fn add(&mut self, id: CellId, cell: &CellResults, counting: Counting) {
        let mut points = self.points(id);
        for (index, game) in cell.games.range(points.next..) {
            points.next = index + 1;
            if game.end == End::Terminal {
                points.games += 1;
                points.sum += counting.points(game, 0);
            }
        }
        if points.next > 0 {
            self.cells.insert(id, points);
        }
    }

    /// The counts of both. The games of a cell are the same in both as far as both go, so the longer count includes the shorter.
    #[must_use]
    pub fn or(mut self, other: &Counts) -> Counts {
        for (id, points) in &other.cells {
            let own = self.cells.entry(*id).or_default();
            if own.next < points.next {
                *own = *points;
            }
        }
        self
    }

    /// Reads a CSV with the columns `cell`, `games` and `points`, and perhaps `next`. All others are for readers. Lines without a cell
    /// or without games count nothing.
    ///
    /// # Errors
    /// One line that names the line of the file and what is wrong with it.
    pub fn read(text: &str) -> Result<Counts, String> {
        let mut lines = text.lines();
        let titles = csv::split(lines.next().unwrap_or_default());
        let place = |name: &str| titles.iter().position(|title| title == name);
        let [cell, games, points, next] = COLUMNS.map(place);
        let missing = |name: &str| format!("line 1: there is no column {name:?}");
        let (cell, games, points) = (
            cell.ok_or_else(|| missing("cell"))?,
            games.ok_or_else(|| missing("games"))?,
            points.ok_or_else(|| missing("points"))?,
        );
        let mut cells = BTreeMap::new();
        for (number, line) in (2..).zip(lines) {
            let wrong = |what: String| format!("line {number}: {what}");
            let fields = csv::split(line);
            if fields.len() != titles.len() {
                return Err(wrong(format!("{} fields instead of {}", fields.len(), titles.len())));
            }
            if fields[cell].is_empty() || fields[games] == "0" {
                continue;
            }
            let id: CellId = fields[cell].parse().map_err(wrong)?;
            let next = next.map(|next| &fields[next]).filter(|next| !next.is_empty());
            let known = Points::read(&fields[games], &fields[points], next).map_err(wrong)?;
            if cells.insert(id, known).is_some_and(|before| before != known) {
                return Err(wrong(format!("cell {id} has other points than in a line above")));
            }
        }
        Ok(Counts { cells })
    }

    /// The counts of an experiment as a CSV for [`Counts::read`]: a line per cell with games.
    pub fn csv(&self, experiment: &Experiment) -> String {
        let mut text = csv::line(["game", "budget", "player", "against"].into_iter().chain(COLUMNS));
        for planned in &experiment.cells {
            let (cell, id) = (&planned.cell, planned.cell.id(experiment.seed));
            let points = self.points(id);
            if points.next > 0 {
                let name = |place: usize| cell.players.get(place).map_or("", |player| &player.name);
                let [budget, id] = [cell.budget.to_string(), id.to_string()];
                let [games, sum, next] = points.fields();
                text += &csv::line([&cell.game, &budget, name(0), name(1), &id, &games, &sum, &next]);
            }
        }
        text
    }

    /// The points of a cell.
    pub fn points(&self, cell: CellId) -> Points {
        self.cells.get(&cell).copied().unwrap_or_default()
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// How many cells are none of an experiment's: they were counted with other players or another seed.
    pub fn strangers(&self, experiment: &Experiment) -> usize {
        let own = experiment.cells.iter().map(|planned| planned.cell.id(experiment.seed));
        self.cells.len() - own.filter(|id| self.cells.contains_key(id)).count()
    }

    /// Those games of a cell that are not counted here.
    pub(crate) fn rest<'r>(&self, id: CellId, results: Cow<'r, CellResults>) -> Cow<'r, CellResults> {
        match self.points(id).next {
            0 => results,
            next => {
                let CellResults { cell, mut games, mut broken } = results.into_owned();
                Cow::Owned(CellResults { cell, games: games.split_off(&next), broken: broken.split_off(&next) })
            }
        }
    }
}

impl Points {
    /// As [`Points::fields`] writes them.
    fn read(games: &str, points: &str, next: Option<&String>) -> Result<Points, String> {
        let whole = |text: &str| text.parse().map_err(|_| format!("{text:?} is not a number of games"));
        let games: u64 = whole(games)?;
        let sum = points.parse().ok().filter(|sum| (0.0..=games as f64).contains(sum));
        let sum = sum.ok_or_else(|| format!("{points:?} are not points of {games} games"))?;
        let next = next.map_or(Ok(games), |next| whole(next))?;
        if next < games {
            return Err(format!("{games} games end before game {next}"));
        }
        Ok(Points { games, sum, next })
    }

    /// Games, points and the next game. Four places of points tell halves and thirds.
    pub(crate) fn fields(&self) -> [String; 3] {
        [self.games.to_string(), csv::number(self.sum, 4), self.next.to_string()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cell::{Cell, Contestant},
        record::{CellRecord, GameRecord, JournalLine},
        seats::Seats,
    };
    use ludens_search::Budget;

    fn cell() -> Cell {
        let player = |name: &str, spec: &str| Contestant { name: name.into(), spec: spec.parse().unwrap() };
        let players = vec![player("a", "uct"), player("b", "uct+mast")];
        Cell { game: "go:5,komi=6.5".into(), budget: Budget::simulations(1), players, seats: Seats::All }
    }

    /// The records of games with these points of the first player; none for a game that was cut off.
    fn records(games: &[(u64, Option<f64>)]) -> Results {
        let mut results = Results::default();
        let id = cell().id(1);
        results.add(JournalLine::Cell(CellRecord { id, seed: 1, cell: cell() }));
        for &(index, points) in games {
            let score = points.unwrap_or(0.0);
            results.add(JournalLine::Game(GameRecord {
                cell: id,
                index,
                seed: 0,
                seats: vec![0, 1],
                scores: vec![score, 1.0 - score],
                end: if points.is_some() { End::Terminal } else { End::Cut },
                steps: 3,
                simulations: vec![1, 1],
                ms: vec![1.0, 1.0],
                in_lanes: false,
                moves: vec![],
            }));
        }
        results
    }

    fn known(games: u64, sum: f64, next: u64) -> Counts {
        Counts { cells: [(cell().id(1), Points { games, sum, next })].into() }
    }

    #[test]
    fn records_go_on_where_counts_end() {
        let counting = Counting::Players;
        let results = records(&[(0, Some(1.0)), (1, None), (2, Some(0.5)), (3, Some(1.0))]);
        let all = Counts::of(&results, counting);
        assert_eq!(all, known(3, 2.5, 4));
        // What is counted already does not count twice, whether it has a result or not.
        assert_eq!(all.clone().and(&results, counting), all);
        assert_eq!(known(2, 1.5, 2).and(&results, counting), known(4, 3.0, 4));
        assert_eq!(known(9, 5.0, 9).and(&results, counting), known(9, 5.0, 9));
        assert_eq!(Counts::of(&records(&[]), counting), Counts::default());
        let rest = known(2, 1.5, 2).rest(cell().id(1), Cow::Borrowed(&results.cells[&cell().id(1)]));
        assert_eq!(rest.games.keys().copied().collect::<Vec<_>>(), [2, 3]);
        // Of two files the longer one counts.
        assert_eq!(known(2, 1.5, 2).or(&known(4, 3.0, 4)), known(4, 3.0, 4));
        assert_eq!(known(4, 3.0, 4).or(&known(2, 1.5, 2)), known(4, 3.0, 4));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let experiment = Experiment::of_cell(cell(), 10, 1);
        let counts = known(7, 3.0 + 1.0 / 3.0, 8);
        let text = counts.csv(&experiment);
        let id = cell().id(1);
        assert_eq!(
            text,
            format!(
                "game,budget,player,against,cell,games,points,next\n\"go:5,komi=6.5\",sims=1,a,b,{id},7,3.3333,8\n"
            )
        );
        assert_eq!(Counts::read(&text), Ok(known(7, 3.3333, 8)));
        // Other columns and another order do not matter, and without `next` every game has a result.
        let other = format!("points,state,cell,games\n3.3333,complete,{id},7\n,,,12\n,4 left,{id},0\n");
        assert_eq!(Counts::read(&other), Ok(known(7, 3.3333, 7)));
        assert_eq!((counts.strangers(&experiment), counts.strangers(&Experiment::of_cell(cell(), 10, 2))), (0, 1));
        assert_eq!(counts.csv(&Experiment::of_cell(cell(), 10, 2)).lines().count(), 1, "they are not written");
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(Counts::read("a,games\n").unwrap_err(), "line 1: there is no column \"cell\"");
        assert_eq!(Counts::read("").unwrap_err(), "line 1: there is no column \"cell\"");
        let read = |line: &str| Counts::read(&format!("cell,games,points,next\n{line}\n"));
        let error = |line: &str| read(line).unwrap_err();
        assert_eq!(error("a,b"), "line 2: 2 fields instead of 4");
        assert_eq!(error("12,4,2,4"), "line 2: \"12\" is not 16 hexadecimal digits");
        let id = "0123456789abcdef";
        assert_eq!(error(&format!("{id},x,1,")), "line 2: \"x\" is not a number of games");
        assert_eq!(error(&format!("{id},4,9,")), "line 2: \"9\" are not points of 4 games");
        assert_eq!(error(&format!("{id},4,NaN,")), "line 2: \"NaN\" are not points of 4 games");
        assert_eq!(error(&format!("{id},4,2,3")), "line 2: 4 games end before game 3");
        let twice = format!("{id},4,2,4\n{id},4,2,4\n{id},5,2,5");
        assert_eq!(error(&twice), format!("line 4: cell {id} has other points than in a line above"));
        assert!(read(&format!("{id},4,2,4\n{id},4,2,")).is_ok(), "the same cell of two tables");
    }
}
