//! [`Tournament`]: matches of one game between the same players, who change seats from match to match.

use crate::board::RefereeGame;
use crate::journal::Journal;
use crate::record::MatchRecord;
use crate::referee::{MatchObserver, Referee, Seat, is_chance};
use crate::scramble::Scrambler;
use ludens_game::Seed;
use std::time::{SystemTime, UNIX_EPOCH};

/// What is to be played.
pub struct Tournament {
    /// The game.
    pub game: RefereeGame,
    /// Who plays: one for every role that is not chance.
    pub players: Vec<Seat>,
    /// Seconds to prepare.
    pub start: u64,
    /// Seconds per step.
    pub play: u64,
    /// How many matches.
    pub matches: u64,
    /// Whether the players get made-up names.
    pub scramble: bool,
    /// Where all randomness comes from.
    pub seed: Seed,
    /// Hears what goes wrong.
    pub journal: Journal,
}

/// Why a tournament cannot be held.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{game} needs {wanted} players, for {roles}; {given} given")]
pub struct TournamentError {
    game: String,
    wanted: usize,
    roles: String,
    given: usize,
}

/// How one player stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// The player.
    pub name: String,
    /// Completed matches.
    pub matches: u64,
    /// Completed matches in which nobody had a higher goal.
    pub best: u64,
    /// The goals of all completed matches added up.
    pub points: i64,
    /// Answers that came too late, in all matches.
    pub late: u64,
    /// Illegal or unreadable moves.
    pub illegal: u64,
    /// Failed connections.
    pub unreachable: u64,
}

impl Standing {
    /// The mean goal, if a match was completed.
    pub fn mean(&self) -> Option<f64> {
        (self.matches > 0).then(|| self.points as f64 / self.matches as f64)
    }
}

/// What a tournament has come to.
pub struct TournamentProgress<'p> {
    /// The match, counted from 0.
    pub index: u64,
    /// Whether it is over; the last thing that is told about it.
    pub is_over: bool,
    /// Its record so far.
    pub record: &'p MatchRecord,
    /// The standings after the matches that are over, this one included if it is.
    pub standings: &'p [Standing],
}

impl Tournament {
    /// Whether the players fit the game.
    ///
    /// # Errors
    /// If they are too many or too few.
    pub fn check(&self) -> Result<(), TournamentError> {
        let roles = self.seated_roles();
        let (wanted, given) = (roles.len(), self.players.len());
        if wanted == given {
            return Ok(());
        }
        let roles = roles.iter().map(|&role| self.game.roles()[role].as_str()).collect::<Vec<_>>().join(", ");
        Err(TournamentError { game: self.game.name().to_owned(), wanted, roles, given })
    }

    /// The roles that somebody plays.
    fn seated_roles(&self) -> Vec<usize> {
        let roles = self.game.roles();
        (0..roles.len()).filter(|&role| !is_chance(&roles[role])).collect()
    }

    /// Who plays which role in a match: everybody moves on by one seat from match to match. `None`: chance.
    fn seating(&self, index: u64) -> Vec<Option<usize>> {
        let (seated, count) = (self.seated_roles(), self.players.len());
        let player = |role| seated.iter().position(|&other| other == role);
        (0..self.game.roles().len()).map(|role| Some((player(role)? + index as usize) % count)).collect()
    }

    /// Plays all matches, or until `stop` says so; `watch` sees every step. The players must fit the game.
    pub fn run(
        &self,
        watch: &mut dyn FnMut(&TournamentProgress<'_>),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Vec<Standing> {
        let named = |seat: &Seat| Standing { name: seat.name(), ..Standing::default() };
        let mut standings: Vec<_> = self.players.iter().map(named).collect();
        for index in 0..self.matches {
            let seating = self.seating(index);
            let seats: Vec<_> = seating
                .iter()
                .map(|player| player.map_or(Seat::Random, |player| self.players[player].clone()))
                .collect();
            let seed = self.seed.at(index);
            let referee = Referee {
                game: &self.game,
                id: self.match_id(index),
                start: self.start,
                play: self.play,
                scrambler: self.scramble.then(|| Scrambler::new(self.game.rules(), seed)),
                seed,
                journal: self.journal.clone(),
            };
            let mut seen = |record: &MatchRecord| {
                watch(&TournamentProgress { index, is_over: false, record, standings: &standings })
            };
            let record = referee.run(&seats, &mut MatchObserver { seen: &mut seen, stop });
            score(&mut standings, &seating, &record);
            watch(&TournamentProgress { index, is_over: true, record: &record, standings: &standings });
            if stop() {
                break;
            }
        }
        standings
    }

    /// The game, the time and the number of the match: all that a name on the wire may have.
    fn match_id(&self, index: u64) -> String {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name: String = self.game.name().chars().map(plain).collect();
        format!("ludens.{name}.{time}.{}", index + 1)
    }
}

/// Adds a match to the standings.
fn score(standings: &mut [Standing], seating: &[Option<usize>], record: &MatchRecord) {
    let goals = record.goal_values.as_deref().unwrap_or_default();
    let highest = seating.iter().zip(goals).filter(|(player, _)| player.is_some()).map(|(_, &goal)| goal).max();
    for (role, player) in seating.iter().enumerate() {
        let Some(standing) = player.map(|player| &mut standings[player]) else { continue };
        if let Some(&goal) = goals.get(role) {
            standing.matches += 1;
            standing.points += i64::from(goal);
            standing.best += u64::from(Some(goal) == highest);
        }
        for error in record.errors.iter().filter_map(|errors| errors.get(role)) {
            match error.get(..2) {
                Some("TO") => standing.late += 1,
                Some("CE") => standing.unreachable += 1,
                Some("IL") => standing.illegal += 1,
                _ => {}
            }
        }
    }
}
