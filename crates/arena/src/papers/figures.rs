//! Reads the published figures.

use super::{Entry, Paper, Rate};
use crate::stats::{Interval, wilson};

/// One line of the CSV, as printed.
struct Figure {
    table: String,
    game: String,
    size: String,
    budget: String,
    player: String,
    opponent: String,
    percent: f64,
    /// Half of the 95 % interval, where the paper prints it.
    ci95: Option<f64>,
    /// One standard error, where the paper prints it.
    sd: Option<f64>,
    games: u64,
}

/// The name of lines that are averages over all games.
const AVERAGE: &str = "AVERAGE";

/// The entries of a table; `rename` may put other agents into it.
pub(super) fn entries(paper: &Paper, table: &str, rename: &dyn Fn(&str) -> String) -> Vec<Entry> {
    let figures: Vec<Figure> = read(paper.csv).filter(|figure| figure.table == table).collect();
    let mut entries: Vec<Entry> = Vec::new();
    for figure in &figures {
        let agents = [rename(&figure.player), rename(&figure.opponent)];
        let cells = if figure.game == AVERAGE {
            let same = entries.iter().filter(|entry| entry.player == agents[0] && entry.opponent == agents[1]);
            same.flat_map(|entry| entry.cells.clone()).collect()
        } else {
            let simulations = (paper.simulations)(&figure.budget);
            let simulations = simulations.unwrap_or_else(|| panic!("{}: budget {:?}", paper.name, figure.budget));
            vec![paper.cell(&(paper.game)(&figure.game, &figure.size), simulations, [&agents[0], &agents[1]])]
        };
        let [player, opponent] = agents;
        let game = if figure.game == AVERAGE { "all games".to_owned() } else { cells[0].game.clone() };
        // An average has as many games as its cells have together; the cells have their own entries.
        let games = if figure.game == AVERAGE { 1 } else { figure.games };
        entries.push(Entry { game, player, opponent, cells, games, published: Some(rate(figure)), point: None });
    }
    entries
}

/// The published rate with its 95 % interval: the printed one, or Wilson's from the number of games.
fn rate(figure: &Figure) -> Rate {
    let rate = figure.percent / 100.0;
    let interval = match (figure.ci95, figure.sd) {
        (Some(half), _) => Interval::around(rate, half / 100.0),
        (None, Some(sd)) => Interval::around(rate, 1.96 * sd / 100.0),
        (None, None) => wilson(rate * figure.games as f64, figure.games),
    };
    Rate { rate, interval, games: figure.games }
}

/// The lines of the CSV, which is part of the program: a line that cannot be read is an error of ours.
fn read(csv: &str) -> impl Iterator<Item = Figure> {
    csv.lines().skip(1).map(|line| {
        let fields = split(line);
        let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{text:?} is no number in {line:?}"));
        let optional = |text: &String| (!text.is_empty()).then(|| number(text));
        let [table, game, size, budget, player, opponent, percent, ci95, sd, games] = &fields[..] else {
            panic!("{line:?} has {} fields", fields.len());
        };
        Figure {
            table: table.clone(),
            game: game.clone(),
            size: size.clone(),
            budget: budget.clone(),
            player: player.clone(),
            opponent: opponent.clone(),
            percent: number(percent),
            ci95: optional(ci95),
            sd: optional(sd),
            games: number(games) as u64,
        }
    })
}

/// The fields of a line, in which quotes protect commas.
pub(super) fn split(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("there is a field").push(c),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_the_printed_ones() {
        let csv = "header\n1,go,5,1000 playouts,a,b,50.0,4.4,,500\n1,go,5,1000 playouts,a,b,74.4,,1.78,600\n\
                   1,go,5,1000 playouts,\"a(x=1,y=2)\",b,81.2,,,500\n";
        let figures: Vec<Figure> = read(csv).collect();
        assert_eq!(figures[2].player, "a(x=1,y=2)");
        let intervals: Vec<Interval> = figures.iter().map(|figure| rate(figure).interval).collect();
        assert_eq!(intervals[0], Interval { low: 0.456, high: 0.544 });
        assert!((intervals[1].high - 0.744 - 0.034888).abs() < 1e-9);
        assert_eq!(intervals[2], wilson(406.0, 500));
    }
}
