//! What an experiment found, as data.

use crate::{
    broken::BrokenRecord,
    cell::CellId,
    counts::{Counts, Points},
    experiment::Experiment,
    record::GameRecord,
    results::{CellResults, Counting, Results},
    stats::{Decision, Elo, Interval, Meeting, Rating, Sample, ratings},
};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// An experiment and its results so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The experiment's name.
    pub experiment: String,
    /// What it is about.
    pub about: String,
    /// Its seed.
    pub seed: u64,
    /// How games became points.
    pub counting: Counting,
    /// The versions of this program that played.
    pub versions: Vec<String>,
    /// The machines that played.
    pub machines: Vec<String>,
    /// A line per cell; where more than two players meet, one for each.
    pub cells: Vec<CellSummary>,
    /// The players on one scale, if there are more than two.
    pub ratings: Vec<PlayerRating>,
    /// The games in which the program failed.
    pub broken: Vec<BrokenRecord>,
}

/// A cell from a player's point of view.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellSummary {
    /// The cell's name in records.
    pub cell: CellId,
    /// The game.
    pub game: String,
    /// The budget, and its simulations if that is what it limits.
    pub budget: String,
    /// Simulations per move, if that is what the budget limits.
    pub simulations_per_move: Option<u64>,
    /// Whose rate it is.
    pub player: String,
    /// Against whom.
    pub opponents: String,
    /// Games that are wanted.
    pub wanted: u64,
    /// Games with a result.
    pub games: u64,
    /// Those of them that are only counted. Wins, draws, losses, rounds, steps and simulations are those of the others.
    pub counted: u64,
    /// The win rate, if there are games; the mean score of a player who is alone at the game.
    pub rate: Option<f64>,
    /// Its 95 % interval (Wilson).
    pub interval: Interval,
    /// Half of the papers' 95 % interval (1.96 standard errors).
    pub half_width: f64,
    /// Half of the 95 % interval from the rates of whole rounds, in which everybody had every seat.
    pub paired_half_width: f64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Games that were cut off without a result.
    pub cut: u64,
    /// Games in which the program failed.
    pub broken: u64,
    /// Mean number of steps.
    pub mean_steps: f64,
    /// Simulations of the player in all games.
    pub simulations: u64,
    /// The difference of strength.
    pub elo: Elo,
    /// How the test ended, if there is one and it is over.
    pub decision: Option<Decision>,
}

/// A player on the common scale.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerRating {
    /// The player.
    pub player: String,
    /// The rating.
    #[serde(flatten)]
    pub rating: Rating,
    /// The game in which the player did worst, over all its opponents and budgets.
    pub worst: Option<GameScore>,
}

/// How a player did in a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameScore {
    /// The game.
    pub game: String,
    /// Games with a result.
    pub games: u64,
    /// The share of the points.
    pub rate: f64,
    /// Its 95 % interval (Wilson).
    pub interval: Interval,
}

/// What the records say about an experiment.
pub fn summarize(experiment: &Experiment, results: &Results) -> Summary {
    summarize_with(experiment, &Counts::default(), results)
}

/// What counts and the records that go on after them say together. Players are not rated where games are only counted.
pub fn summarize_with(experiment: &Experiment, known: &Counts, results: &Results) -> Summary {
    summarize_cells(experiment, results.provenance(), known, |_, id| results.cells.get(&id).map(Cow::Borrowed))
}

/// The same where the records of all cells together do not fit in memory: `of` gives the games of the cell at a place of the
/// experiment, one cell after the other.
pub fn summarize_cells<'r>(
    experiment: &Experiment,
    (versions, machines): (Vec<&str>, Vec<&str>),
    known: &Counts,
    mut of: impl FnMut(usize, CellId) -> Option<Cow<'r, CellResults>>,
) -> Summary {
    let mut cells = Vec::new();
    let (mut meetings, mut broken) = (Meetings::new(experiment), Vec::new());
    for (number, planned) in experiment.cells.iter().enumerate() {
        let id = planned.cell.id(experiment.seed);
        let games = of(number, id).unwrap_or_else(|| Cow::Owned(CellResults::new((*planned.cell).clone())));
        let (games, counted) = (known.rest(id, games), known.points(id));
        let decision = experiment.decision(&games);
        let below = decision.map_or(u64::MAX, |(games, _)| games);
        let points_of_view = if planned.cell.players.len() == 2 { 1 } else { planned.cell.players.len() };
        for player in 0..points_of_view {
            let mut line = cell_summary((&games, experiment.counting), player, below, counted);
            line.cell = id;
            // Games that ended without a result before the records begin are not played again.
            line.wanted =
                decision.map_or(planned.games - (counted.next - counted.games).min(planned.games), |(games, _)| games);
            line.decision = decision.map(|(_, decision)| decision);
            cells.push(line);
        }
        broken.extend(games.broken.range(..below).map(|(_, broken)| broken.clone()));
        meetings.add(&games, below);
    }
    Summary {
        experiment: experiment.name.clone(),
        about: experiment.about.clone(),
        seed: experiment.seed,
        counting: experiment.counting,
        versions: versions.into_iter().map(str::to_owned).collect(),
        machines: machines.into_iter().map(str::to_owned).collect(),
        ratings: if cells.iter().all(|cell| cell.counted == 0) { meetings.rate() } else { Vec::new() },
        cells,
        broken,
    }
}

fn cell_summary(
    (games, counting): (&CellResults, Counting),
    player: usize,
    below: u64,
    counted: Points,
) -> CellSummary {
    let cell = &games.cell;
    let mut standing = games.standing(counting, player, below);
    standing.points += Sample { count: counted.games, sum: counted.sum, squares: counted.sum };
    let whole = below / games.round_length().unwrap_or(1);
    let rounds = games.rounds(counting, player).take_while(|(round, _)| *round < whole);
    let rounds: Sample = rounds.map(|(_, rate)| rate).collect();
    let others = cell.players.iter().enumerate().filter(|(other, _)| *other != player);
    CellSummary {
        cell: CellId(0),
        game: cell.game.clone(),
        budget: cell.budget.to_string(),
        simulations_per_move: cell.budget.simulations,
        player: cell.players[player].name.clone(),
        opponents: others.map(|(_, other)| other.name.as_str()).collect::<Vec<_>>().join(", "),
        wanted: 0,
        games: standing.points.count,
        counted: counted.games,
        rate: standing.points.mean(),
        interval: standing.points.wilson(),
        half_width: standing.points.half_width(),
        paired_half_width: rounds.half_width(),
        wins: standing.wins,
        draws: standing.draws,
        losses: standing.losses,
        cut: games.cut(below),
        broken: games.broken.range(..below).count() as u64,
        mean_steps: games.mean_steps(below),
        simulations: standing.simulations,
        elo: Elo::of(&standing.points),
        decision: None,
    }
}

/// Who met whom, if there are more than two players.
struct Meetings<'e> {
    names: Vec<&'e str>,
    all: Vec<Meeting>,
    /// Per player: the points in every game.
    by_game: Vec<BTreeMap<String, Sample>>,
}

impl<'e> Meetings<'e> {
    fn new(experiment: &'e Experiment) -> Meetings<'e> {
        let mut names: Vec<&str> = Vec::new();
        let contests = experiment.cells.iter().filter(|planned| planned.cell.players.len() > 1);
        for player in contests.flat_map(|planned| &planned.cell.players) {
            if !names.contains(&player.name.as_str()) {
                names.push(&player.name);
            }
        }
        let by_game = vec![BTreeMap::new(); names.len()];
        Meetings { names, all: Vec::new(), by_game }
    }

    /// Two players need no scale.
    fn is_idle(&self) -> bool {
        self.names.len() < 3
    }

    /// Whoever has the better best score of two players beats the other.
    fn add(&mut self, results: &CellResults, below: u64) {
        let players = &results.cell.players;
        if self.is_idle() {
            return;
        }
        let place = |name: &str| self.names.iter().position(|known| *known == name).expect("every player has a name");
        for a in 0..players.len() {
            for b in a + 1..players.len() {
                let best = |game: &GameRecord, player: usize| {
                    let scores = game.seats.iter().zip(&game.scores).filter(|(seat, _)| **seat == player);
                    scores.map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max)
                };
                let points = results.finished(below).map(|game| match best(game, a) - best(game, b) {
                    difference if difference > 0.0 => 1.0,
                    difference if difference < 0.0 => 0.0,
                    _ => 0.5,
                });
                let points: Vec<f64> = points.collect();
                let (first, second) = (place(&players[a].name), place(&players[b].name));
                for &point in &points {
                    self.by_game[first].entry(results.cell.game.clone()).or_default().add(point);
                    self.by_game[second].entry(results.cell.game.clone()).or_default().add(1.0 - point);
                }
                self.all.push(Meeting { first, second, points });
            }
        }
    }

    fn rate(self) -> Vec<PlayerRating> {
        if self.is_idle() {
            return Vec::new();
        }
        let rated = ratings(self.names.len(), &self.all).into_iter().zip(&self.names).zip(&self.by_game);
        let mut rated: Vec<_> = rated
            .map(|((rating, name), games)| PlayerRating { player: (*name).to_owned(), rating, worst: worst(games) })
            .collect();
        rated.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
        rated
    }
}

/// The game with the lowest rate, if there are at least two to compare.
fn worst(games: &BTreeMap<String, Sample>) -> Option<GameScore> {
    let played = games.iter().filter_map(|(game, points)| Some((game, points, points.mean()?)));
    let (game, points, rate) = played.filter(|_| games.len() > 1).min_by(|a, b| a.2.total_cmp(&b.2))?;
    Some(GameScore { game: game.to_owned(), games: points.count, rate, interval: points.wilson() })
}
