//! [`Match`]: which player is stronger at a game, in a few lines of code.

use crate::{
    cell::{Cell, Contestant},
    experiment::Experiment,
    open::OpenGames,
    results::{CellResults, Counting, Standing},
    run::{Run, RunError},
    seats::Seats,
    stats::Interval,
    store::Store,
};
use ludens_search::{Budget, Playable, SpecError};
use std::{fmt, sync::Arc};

/// A match between two players of a game, or between as many as it has roles. Seats are exchanged from game to game.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use ludens_arena::Match;
/// use ludens_game::toy::TicTacToe;
/// use std::sync::Arc;
///
/// let result = Match::new(Arc::new(TicTacToe)).player("uct")?.player("random")?.simulations(100).games(20).play()?;
/// assert_eq!(result.games, 20);
/// assert!(result.players[0].rate > result.players[1].rate);
/// println!("{result}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Match {
    game: Arc<dyn Playable>,
    players: Vec<Contestant>,
    budget: Budget,
    games: u64,
    seed: u64,
    threads: Option<usize>,
}

/// What came of a [`Match`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MatchResult {
    /// Games with a result.
    pub games: u64,
    /// The players, in the order in which they were named.
    pub players: Vec<MatchPlayer>,
}

/// One player's part of a [`MatchResult`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MatchPlayer {
    /// Its spec.
    pub spec: String,
    /// Games in which it alone had the best score.
    pub wins: u64,
    /// Games in which it shared the best score.
    pub draws: u64,
    /// Games in which others had the best score.
    pub losses: u64,
    /// Its share of the points, draws as half; `None` before the first game has ended.
    pub rate: Option<f64>,
    /// Wilson's 95 % interval of that.
    pub interval: Interval,
}

impl Match {
    /// A match of 100 games at 1,000 simulations a move, on all cores.
    pub fn new(game: Arc<dyn Playable>) -> Match {
        let budget = Budget::simulations(1000);
        Match { game, players: Vec::new(), budget, games: 100, seed: 1, threads: None }
    }

    /// One more player: a spec such as `uct+ppa`, a preset such as `sironi2021/nst`, or `random`.
    ///
    /// # Errors
    /// If the text is not a spec.
    pub fn player(mut self, spec: &str) -> Result<Match, SpecError> {
        self.players.push(Contestant { name: spec.to_owned(), spec: spec.parse()? });
        Ok(self)
    }

    /// How many simulations a player may make for a move.
    #[must_use]
    pub fn simulations(self, count: u64) -> Match {
        self.budget(Budget::simulations(count))
    }

    /// How long a player may think about a move.
    #[must_use]
    pub fn budget(self, budget: Budget) -> Match {
        Match { budget, ..self }
    }

    /// How many games are played.
    #[must_use]
    pub fn games(self, games: u64) -> Match {
        Match { games, ..self }
    }

    /// What chance decides: the same seed gives the same games, on any number of threads.
    #[must_use]
    pub fn seed(self, seed: u64) -> Match {
        Match { seed, ..self }
    }

    /// How many games are played at the same time.
    #[must_use]
    pub fn threads(self, threads: usize) -> Match {
        Match { threads: Some(threads), ..self }
    }

    /// Plays all games.
    ///
    /// # Errors
    /// If the players do not fit the game's roles, or one of them cannot play it.
    pub fn play(&self) -> Result<MatchResult, RunError> {
        let name = self.game.name();
        let cell = Cell { game: name.clone(), budget: self.budget, players: self.players.clone(), seats: Seats::All };
        let experiment = Experiment::of_cell(cell.clone(), self.games, self.seed);
        let games = OpenGames::default().and(&name, self.game.clone());
        let mut run = Run::new(&experiment, &games);
        run.threads = self.threads.unwrap_or(run.threads);
        let mut store = Store::default();
        run.go(&mut store, &())?;
        let results = store.results.cells.remove(&cell.id(self.seed)).unwrap_or_else(|| CellResults::new(cell));
        let players = self.players.iter().enumerate().map(|(place, player)| {
            let Standing { points, wins, draws, losses, .. } = results.standing(Counting::Players, place, u64::MAX);
            let (rate, interval) = (points.mean(), points.wilson());
            MatchPlayer { spec: player.spec.to_string(), wins, draws, losses, rate, interval }
        });
        Ok(MatchResult { games: results.games.len() as u64, players: players.collect() })
    }
}

impl fmt::Display for MatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games", self.games)?;
        for MatchPlayer { spec, wins, draws, losses, rate, interval } in &self.players {
            let rate = rate.map_or("-".to_owned(), |rate| format!("{:.1} %", 100.0 * rate));
            let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
            write!(f, "\n{spec}: {rate} ({low:.1} to {high:.1}), {wins} won, {draws} drawn, {losses} lost")?;
        }
        Ok(())
    }
}
