//! A contest: many games between specs, the seats exchanged, on as many threads as there are.
//!
//! Game i depends on the seed and on i alone, so that the number of threads does not matter.

use crate::{
    play::{Game, play},
    stats::{Interval, wilson},
};
use ludens_game::{Role, Seed};
use ludens_search::{Budget, Effort, Learned, Playable, Player, SearchError, Spec};
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering},
};

/// What is to be played.
pub struct Contest {
    game: Arc<dyn Playable>,
    specs: Vec<Spec>,
    /// Which spec sits at which role, all assignments in turn.
    seatings: Vec<Vec<usize>>,
    budget: Budget,
    seed: Seed,
    learned: Arc<dyn Learned>,
}

/// Why a contest cannot be held.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContestError {
    /// A game for r roles needs two players, who share the seats in all ways, or r.
    #[error("{game} has {roles} roles: give 2 players{}, not {given}", if *.roles > 2 { format!(" or {}", .roles) } else { String::new() })]
    Players {
        /// The game's name.
        game: String,
        /// Its roles.
        roles: usize,
        /// The players given.
        given: usize,
    },
    /// A spec cannot play the game.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// How one spec stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// Games in which it alone had the best score.
    pub wins: u64,
    /// Games in which it shared the best score with another spec.
    pub draws: u64,
    /// Games in which another spec had a better score.
    pub losses: u64,
    /// One point per game, shared by the specs with the best score.
    pub points: f64,
    /// What it computed.
    pub effort: Effort,
}

impl Standing {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of points, if there were games.
    pub fn rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points / self.games() as f64)
    }

    /// Wilson's interval of the rate.
    pub fn interval(&self) -> Interval {
        wilson(self.points, self.games())
    }
}

impl Contest {
    /// A contest between specs.
    ///
    /// # Errors
    /// If the number of specs does not fit the game, or a spec cannot play it.
    pub fn new(
        game: Arc<dyn Playable>,
        specs: Vec<Spec>,
        (budget, seed): (Budget, Seed),
        learned: Arc<dyn Learned>,
    ) -> Result<Contest, ContestError> {
        let roles = game.role_names().len();
        let seatings = seatings(specs.len(), roles).ok_or_else(|| ContestError::Players {
            game: game.name(),
            roles,
            given: specs.len(),
        })?;
        let contest = Contest { game, specs, seatings, budget, seed, learned };
        contest.new_players()?;
        Ok(contest)
    }

    /// One player per spec and role: a seating takes what it needs.
    fn new_players(&self) -> Result<Vec<Vec<Box<dyn Player>>>, SearchError> {
        let roles = self.game.role_names().len();
        let player = |spec, role| self.game.clone().player(role, spec, self.learned.clone());
        self.specs.iter().map(|spec| Role::all(roles).map(|role| player(spec, role)).collect()).collect()
    }

    /// Which spec sits at which role in a game.
    pub fn seating(&self, index: u64) -> &[usize] {
        &self.seatings[(index % self.seatings.len() as u64) as usize]
    }

    /// Plays the games `0..games` on `threads` threads; `sink` sees each as it ends. Ends early when `stop` says so.
    ///
    /// # Errors
    /// None that [`Contest::new`] did not find.
    pub fn run(
        &self,
        (games, threads): (u64, usize),
        stop: &(dyn Fn() -> bool + Sync),
        sink: &(dyn Fn(u64, &Game) + Sync),
    ) -> Result<Vec<Standing>, SearchError> {
        let next = AtomicU64::new(0);
        let standings = Mutex::new(vec![Standing::default(); self.specs.len()]);
        let work = || -> Result<(), SearchError> {
            let mut players = self.new_players()?;
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= games || stop() {
                    return Ok(());
                }
                let seating = self.seating(index);
                let mut seats = take_seats(&mut players, seating);
                let Some(game) = play(&self.game, &mut seats, (self.budget, self.seed.at(index)), stop) else {
                    return Ok(());
                };
                score(&mut standings.lock().expect("no thread panics while it counts"), seating, &game);
                sink(index, &game);
            }
        };
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
            handles.into_iter().try_for_each(|handle| handle.join().expect("a game does not panic"))
        })?;
        Ok(standings.into_inner().expect("no thread panics while it counts"))
    }
}

/// The players that sit down, by role.
fn take_seats<'p>(players: &'p mut [Vec<Box<dyn Player>>], seating: &[usize]) -> Vec<&'p mut Box<dyn Player>> {
    let mut seats: Vec<Option<&'p mut Box<dyn Player>>> = seating.iter().map(|_| None).collect();
    for (spec, players) in players.iter_mut().enumerate() {
        for (role, player) in players.iter_mut().enumerate() {
            if seating[role] == spec {
                seats[role] = Some(player);
            }
        }
    }
    seats.into_iter().map(|seat| seat.expect("every role has a player")).collect()
}

/// Two specs: all ways to share the roles in which both sit. As many specs as roles: all orders. Otherwise none.
fn seatings(specs: usize, roles: usize) -> Option<Vec<Vec<usize>>> {
    let all = (0..specs.checked_pow(roles as u32)?).map(|number| {
        let digit = |role: usize| number / specs.pow((roles - 1 - role) as u32) % specs;
        (0..roles).map(digit).collect::<Vec<usize>>()
    });
    let complete = |seating: &Vec<usize>| (0..specs).all(|spec| seating.contains(&spec));
    let fits = (specs == 2 && roles >= 2) || specs == roles;
    fits.then(|| all.filter(complete).collect())
}

/// One point, shared by the specs that own a best score.
fn score(standings: &mut [Standing], seating: &[usize], game: &Game) {
    let best = game.scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut winners: Vec<usize> =
        (0..seating.len()).filter(|&role| game.scores[role] == best).map(|role| seating[role]).collect();
    winners.sort_unstable();
    winners.dedup();
    for (spec, standing) in standings.iter_mut().enumerate() {
        match (winners.contains(&spec), winners.len()) {
            (true, 1) => standing.wins += 1,
            (true, _) => standing.draws += 1,
            (false, _) => standing.losses += 1,
        }
        if winners.contains(&spec) {
            standing.points += 1.0 / winners.len() as f64;
        }
    }
    for (&spec, effort) in seating.iter().zip(&game.efforts) {
        standings[spec].effort += *effort;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_shared_in_all_ways() {
        assert_eq!(seatings(2, 2).unwrap(), [[0, 1], [1, 0]]);
        assert_eq!(seatings(2, 3).unwrap().len(), 6);
        assert_eq!(seatings(3, 3).unwrap().len(), 6);
        assert_eq!(seatings(1, 1).unwrap(), [[0]]);
        assert!(seatings(3, 2).is_none() && seatings(2, 1).is_none());
    }

    #[test]
    fn points_go_to_the_specs_with_the_best_score() {
        let mut standings = vec![Standing::default(); 2];
        let game = |scores: &[f64]| Game {
            moves: vec![],
            scores: scores.to_vec(),
            efforts: vec![Effort::default(); scores.len()],
        };
        score(&mut standings, &[0, 0, 1], &game(&[1.0, 0.0, 0.0])); // one of two wins: the spec wins
        score(&mut standings, &[0, 0, 1], &game(&[1.0, 0.0, 1.0])); // shared
        score(&mut standings, &[0, 1, 1], &game(&[0.0, 0.0, 0.0])); // shared
        score(&mut standings, &[1, 0, 1], &game(&[0.5, 0.0, 0.75])); // the other wins
        assert_eq!((standings[0].wins, standings[0].draws, standings[0].losses), (1, 2, 1));
        assert_eq!((standings[0].points, standings[1].points), (2.0, 2.0));
        assert_eq!(standings[0].rate(), Some(0.5));
    }
}
