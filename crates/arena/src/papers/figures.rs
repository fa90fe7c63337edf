//! Reads the published figures.

use super::{Entry, Paper, Rate, Swap};
use crate::{csv::split, stats::Z95};

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

/// The entries of a table; or only those that something is swapped in.
pub(super) fn entries(paper: &Paper, table: &str, swap: Option<&Swap>) -> Vec<Entry> {
    let figures = read(paper.csv).filter(|figure| figure.table == table);
    let figures: Vec<Figure> = figures.filter(|figure| swap.is_none_or(|swap| swap.touches(figure))).collect();
    let mut entries: Vec<Entry> = Vec::new();
    for figure in &figures {
        let agents = [&figure.player, &figure.opponent].map(|name| swap.map_or(&**name, |swap| swap.agent(name)));
        let cells = if figure.game == AVERAGE {
            let same = entries.iter().filter(|entry| entry.player == agents[0] && entry.opponent == agents[1]);
            same.flat_map(|entry| entry.cells.clone()).collect()
        } else {
            let spec = |name: &str| match swap {
                Some(Swap::Setup(spec, _)) => spec(&figure.game, name),
                _ => (paper.agent)(name),
            };
            let budget = match swap {
                Some(Swap::Setup(_, budget)) => budget(&figure.game, &figure.budget),
                _ => (paper.budget)(&figure.game, &figure.budget),
            };
            let budget = budget.unwrap_or_else(|| panic!("{}: budget {:?}", paper.name, figure.budget));
            let game = match swap {
                Some(Swap::Rules(game)) => game(&figure.game, &figure.size),
                _ => None,
            };
            let game = game.unwrap_or_else(|| (paper.game)(&figure.game, &figure.size));
            vec![paper.cell_of(&spec, &game, budget, agents)]
        };
        let [player, opponent] = agents.map(str::to_owned);
        let game = if figure.game == AVERAGE { "all games".to_owned() } else { cells[0].game.clone() };
        // An average has as many games as its cells have together; the cells have their own entries.
        let games = if figure.game == AVERAGE { 1 } else { figure.games };
        entries.push(Entry { game, player, opponent, cells, games, published: Some(rate(figure)), point: None });
    }
    entries
}

impl Swap {
    /// Whether a figure is about what is swapped.
    fn touches(&self, figure: &Figure) -> bool {
        match self {
            Swap::Agent(from, _) => figure.player == *from,
            Swap::Rules(game) => game(&figure.game, &figure.size).is_some(),
            Swap::Setup(..) => true,
        }
    }

    fn agent<'a>(&self, name: &'a str) -> &'a str {
        match self {
            Swap::Agent(from, to) if name == *from => to,
            _ => name,
        }
    }
}

/// The published rate with its 95 % interval: the printed one, or Wilson's from the number of games.
fn rate(figure: &Figure) -> Rate {
    let rate = figure.percent / 100.0;
    let half = figure.ci95.or(figure.sd.map(|sd| Z95 * sd));
    let printed = half.map(|half| Rate::printed(rate, half / 100.0, figure.games));
    printed.or_else(|| Rate::of_points(rate * figure.games as f64, figure.games)).expect("a figure has games")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Interval, wilson};

    #[test]
    fn intervals_are_the_printed_ones() {
        let csv = "header\n1,go,5,1000 playouts,a,b,50.0,4.4,,500\n1,go,5,1000 playouts,a,b,74.4,,1.78,600\n\
                   1,go,5,1000 playouts,\"a(x=1,y=2)\",b,81.2,,,500\n";
        let figures: Vec<Figure> = read(csv).collect();
        assert_eq!(figures[2].player, "a(x=1,y=2)");
        let intervals: Vec<Interval> = figures.iter().map(|figure| rate(figure).interval).collect();
        assert_eq!(intervals[0], Interval { low: 0.456, high: 0.544 });
        assert!((intervals[1].high - 0.744 - 0.034888).abs() < 1e-5);
        assert_eq!(intervals[2], wilson(406.0, 500));
    }
}
