//! Results: all records of an experiment by cell and game. Every statistic is a pure function of them, independent of the order in
//! which the games were finished.

use crate::{
    broken::BrokenRecord,
    cell::{Cell, CellId},
    record::{CellRecord, End, GameRecord, JournalLine, Session},
    stats::Sample,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How games are converted to points. A player who is alone at a game has its score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counting {
    /// One point, shared by the players who own a best score, however many roles they have (sironi2021).
    #[default]
    Players,
    /// One point, shared by the roles with the best score; a player gets the points of its roles (tak2012). Equal to the
    /// other if every player has one role.
    Roles,
}

impl Counting {
    /// The points of a player in a game.
    pub fn points(self, game: &GameRecord, player: usize) -> f64 {
        if let [score] = game.scores[..] {
            return score;
        }
        let best = game.scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let winners =
            || game.seats.iter().zip(&game.scores).filter(|(_, score)| **score == best).map(|(seat, _)| *seat);
        let mine = winners().filter(|&winner| winner == player).count() as f64;
        match self {
            Counting::Roles => mine / winners().count() as f64,
            Counting::Players if mine == 0.0 => 0.0,
            Counting::Players => {
                let mut players: Vec<usize> = winners().collect();
                players.sort_unstable();
                players.dedup();
                1.0 / players.len() as f64
            }
        }
    }
}

/// A player's standing in a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Standing {
    /// The points.
    pub points: Sample,
    /// Games against others in which it alone had the best score.
    pub wins: u64,
    /// Games in which it shared the best score with another player.
    pub draws: u64,
    /// Games in which only others had the best score.
    pub losses: u64,
    /// Simulations of all its roles.
    pub simulations: u64,
    /// Milliseconds of thinking of all its roles.
    #[serde(skip)]
    pub ms: f64,
}

impl Standing {
    /// Simulations per second of thinking; 0 if none was measured.
    pub fn pace(&self) -> f64 {
        if self.ms > 0.0 { self.simulations as f64 / self.ms * 1e3 } else { 0.0 }
    }
}

/// The games of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellResults {
    /// What is played.
    pub cell: Cell,
    /// The games by their number, without their moves.
    pub games: BTreeMap<u64, GameRecord>,
    /// Games without a result, because the program failed in the middle of them.
    pub broken: BTreeMap<u64, BrokenRecord>,
}

impl CellResults {
    /// A cell without games.
    pub fn new(cell: Cell) -> CellResults {
        CellResults { cell, games: BTreeMap::new(), broken: BTreeMap::new() }
    }

    /// The games that ended with a result, below a number, in their order.
    pub fn finished(&self, below: u64) -> impl Iterator<Item = &GameRecord> {
        self.games.range(..below).map(|(_, game)| game).filter(|game| game.end == End::Terminal)
    }

    /// How a player stands after the games below a number.
    pub fn standing(&self, counting: Counting, player: usize, below: u64) -> Standing {
        let mut standing = Standing::default();
        for game in self.finished(below) {
            let points = counting.points(game, player);
            standing.points.add(points);
            match Counting::Players.points(game, player) {
                _ if game.seats.len() == 1 => {}
                1.0 => standing.wins += 1,
                0.0 => standing.losses += 1,
                _ => standing.draws += 1,
            }
            for (role, _) in game.seats.iter().enumerate().filter(|(_, seat)| **seat == player) {
                standing.simulations += game.simulations.get(role).copied().unwrap_or(0);
                standing.ms += game.ms.get(role).copied().unwrap_or(0.0);
            }
        }
        standing
    }

    /// How many games make a round: one per seating. None before the first game, which tells the number of roles.
    pub fn round_length(&self) -> Option<u64> {
        let roles = self.games.values().next()?.seats.len();
        Some(self.cell.seats.seatings(self.cell.players.len(), roles)?.len() as u64)
    }

    /// A player's rates of whole rounds from the beginning, with the numbers of the rounds: paired games, in which everybody
    /// had every seat. A round with a failed game is skipped.
    pub fn rounds(&self, counting: Counting, player: usize) -> impl Iterator<Item = (u64, f64)> {
        let length = self.round_length().unwrap_or(0);
        let games = move |round: u64| round * length..(round + 1) * length;
        let is_broken = move |round: &u64| self.broken.range(games(*round)).next().is_some();
        let all = 0..u64::MAX.checked_div(length).unwrap_or(0);
        all.filter(move |round| !is_broken(round)).map_while(move |round| {
            let points = games(round).map(|index| {
                self.games.get(&index).map(|game| match game.end {
                    End::Terminal => counting.points(game, player),
                    // A game without a result says nothing for either side.
                    End::Cut => 0.5,
                })
            });
            Some((round, points.sum::<Option<f64>>()? / length as f64))
        })
    }

    /// Games below a number that were cut off.
    pub fn cut(&self, below: u64) -> u64 {
        self.games.range(..below).filter(|(_, game)| game.end == End::Cut).count() as u64
    }

    /// The mean number of steps of the games below a number.
    pub fn mean_steps(&self, below: u64) -> f64 {
        let (mut games, mut steps) = (0_u64, 0_u64);
        for (_, game) in self.games.range(..below) {
            games += 1;
            steps += game.steps;
        }
        if games == 0 { 0.0 } else { steps as f64 / games as f64 }
    }
}

/// All records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// Cells in the order in which they were first met.
    pub order: Vec<CellId>,
    /// The games by cell.
    pub cells: BTreeMap<CellId, CellResults>,
    /// Who played.
    pub sessions: Vec<Session>,
}

impl Results {
    /// Adds a line. A game that is already there stays; a game of an undescribed cell is ignored.
    pub fn add(&mut self, line: JournalLine) {
        match line {
            JournalLine::Session(session) => self.sessions.push(session),
            JournalLine::Cell(CellRecord { id, cell, .. }) => {
                self.cells.entry(id).or_insert_with(|| {
                    self.order.push(id);
                    CellResults::new(cell)
                });
            }
            JournalLine::Game(mut game) => {
                if let Some(cell) = self.cells.get_mut(&game.cell) {
                    game.moves = Vec::new();
                    cell.broken.remove(&game.index);
                    cell.games.entry(game.index).or_insert(game);
                }
            }
            JournalLine::Broken(broken) => {
                if let Some(cell) =
                    self.cells.get_mut(&broken.cell).filter(|cell| !cell.games.contains_key(&broken.index))
                {
                    cell.broken.insert(broken.index, broken);
                }
            }
        }
    }

    /// The versions that played, and the machines, each once.
    pub fn provenance(&self) -> (Vec<&str>, Vec<&str>) {
        provenance(&self.sessions)
    }
}

/// The versions that played in some sessions, and the machines, each once.
pub fn provenance(sessions: &[Session]) -> (Vec<&str>, Vec<&str>) {
    let versions: BTreeSet<_> = sessions.iter().map(|session| session.version.as_str()).collect();
    let machines: BTreeSet<_> = sessions.iter().map(|session| session.machine.as_str()).collect();
    (versions.into_iter().collect(), machines.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(seats: &[usize], scores: &[f64]) -> GameRecord {
        GameRecord {
            cell: CellId(0),
            index: 0,
            seed: 0,
            seats: seats.to_vec(),
            scores: scores.to_vec(),
            end: End::Terminal,
            steps: 3,
            simulations: vec![10; seats.len()],
            ms: vec![5.0; seats.len()],
            in_lanes: false,
            moves: vec![],
        }
    }

    #[test]
    fn the_papers_count_in_their_own_ways() {
        // Seats, scores, points of player 0 as sironi2021 counts them, and as tak2012 does.
        for (seats, scores, by_player, by_role) in [
            (&[0, 1][..], &[1.0, 0.0][..], 1.0, 1.0),
            (&[0, 1], &[0.5, 0.5], 0.5, 0.5),
            (&[1, 0], &[0.9, 0.1], 0.0, 0.0),
            (&[0, 0, 1], &[1.0, 0.0, 0.0], 1.0, 1.0),
            (&[0, 0, 1], &[1.0, 1.0, 0.0], 1.0, 1.0),
            (&[0, 0, 1], &[1.0, 0.0, 1.0], 0.5, 0.5),
            (&[0, 0, 1], &[0.0, 0.0, 0.0], 0.5, 2.0 / 3.0),
            (&[1, 0, 1], &[0.5, 0.5, 0.5], 0.5, 1.0 / 3.0),
        ] {
            let game = game(seats, scores);
            assert_eq!(Counting::Players.points(&game, 0), by_player, "{game:?}");
            assert_eq!(Counting::Roles.points(&game, 0), by_role, "{game:?}");
            for counting in [Counting::Players, Counting::Roles] {
                assert!((counting.points(&game, 0) + counting.points(&game, 1) - 1.0).abs() < 1e-12);
            }
        }
    }

    fn cell_with(games: &[(u64, f64)]) -> CellResults {
        let cell = serde_json::from_str(
            r#"{"game":"go:5","budget":"sims=1","players":[{"name":"a","spec":"uct"},{"name":"b","spec":"uct"}]}"#,
        )
        .unwrap();
        let mut results = CellResults::new(cell);
        for &(index, score) in games {
            let seats = if index % 2 == 0 { [0, 1] } else { [1, 0] };
            let scores = if index % 2 == 0 { [score, 1.0 - score] } else { [1.0 - score, score] };
            results.games.insert(index, GameRecord { index, ..game(&seats, &scores) });
        }
        results
    }

    #[test]
    fn standings_and_rounds_come_from_the_games_in_their_order() {
        let results = cell_with(&[(0, 1.0), (1, 0.0), (2, 0.5), (3, 1.0), (5, 1.0)]);
        let standing = results.standing(Counting::Players, 0, 4);
        assert_eq!((standing.wins, standing.draws, standing.losses), (2, 1, 1));
        assert_eq!((standing.points.mean(), standing.simulations), (Some(0.625), 40));
        let rounds: Vec<_> = results.rounds(Counting::Players, 0).collect();
        assert_eq!(rounds, [(0, 0.5), (1, 0.75)], "the third round has a hole");
        assert_eq!(results.mean_steps(u64::MAX), 3.0);
    }

    #[test]
    fn a_player_alone_has_its_score() {
        let mut results = cell_with(&[]);
        for (index, score) in [(0, 0.0), (1, 0.25), (2, 1.0)] {
            results.games.insert(index, GameRecord { index, ..game(&[0], &[score]) });
        }
        let standing = results.standing(Counting::Players, 0, u64::MAX);
        assert_eq!(standing.points.sum, 1.25);
        assert_eq!((standing.wins, standing.draws, standing.losses), (0, 0, 0), "there is nobody to win against");
        assert_eq!(Counting::Roles.points(&results.games[&1], 0), 0.25);
    }

    #[test]
    fn rounds_with_a_game_that_broke_off_are_left_out() {
        let mut results = cell_with(&[(0, 1.0), (1, 1.0), (2, 1.0), (4, 0.5), (5, 0.5)]);
        assert_eq!(results.rounds(Counting::Players, 0).collect::<Vec<_>>(), [(0, 1.0)]);
        results.broken.insert(3, broken(3));
        assert_eq!(results.rounds(Counting::Players, 0).collect::<Vec<_>>(), [(0, 1.0), (2, 0.5)]);
        assert_eq!(results.standing(Counting::Players, 0, u64::MAX).points.count, 5);
    }

    fn broken(index: u64) -> BrokenRecord {
        let text = |text: &str| text.to_owned();
        BrokenRecord {
            cell: CellId(0),
            index,
            seed: 0,
            seats: vec![0, 1],
            moves: vec![],
            message: text("index out of bounds"),
            place: Some(text("tree.rs:338")),
            replay: text("ludens match"),
        }
    }

    #[test]
    fn a_game_that_is_played_again_is_not_broken_any_more() {
        let mut results = Results::default();
        let cell = cell_with(&[]).cell;
        results.add(JournalLine::Cell(CellRecord { id: CellId(0), seed: 1, cell }));
        results.add(JournalLine::Broken(broken(3)));
        assert_eq!(results.cells[&CellId(0)].broken.len(), 1);
        results.add(JournalLine::Game(GameRecord { index: 3, ..game(&[0, 1], &[1.0, 0.0]) }));
        results.add(JournalLine::Broken(broken(3)));
        let cell = &results.cells[&CellId(0)];
        assert_eq!((cell.broken.len(), cell.games.len()), (0, 1));
    }

    #[test]
    fn games_without_a_result_are_counted_apart() {
        let mut results = cell_with(&[(0, 1.0), (1, 1.0)]);
        results.games.get_mut(&1).unwrap().end = End::Cut;
        assert_eq!(results.standing(Counting::Players, 0, u64::MAX).points.count, 1);
        assert_eq!((results.cut(2), results.cut(1)), (1, 0));
        assert_eq!(results.rounds(Counting::Players, 0).collect::<Vec<_>>(), [(0, 0.75)]);
    }
}
