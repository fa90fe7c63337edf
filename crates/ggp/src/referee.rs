//! [`Referee`]: one match from START to STOP, as ggp-base's server conducts it.
//!
//! All players are asked at the same time. A random legal move is drawn for everybody beforehand; it is played where a
//! move is late, illegal or unreadable, and the match goes on.

use crate::board::{Board, RefereeGame};
use crate::contestant::{Contestant, Occasion, Summons, Trouble};
use crate::journal::Journal;
use crate::message::{Message, spaced, term};
use crate::record::MatchRecord;
use crate::scramble::Scrambler;
use ludens_game::{Rng, Role, Seed};
use std::cell::Cell;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How much later than its clock a move may arrive.
const GRACE: Duration = Duration::from_secs(1);

/// How long an answer to ABORT may take.
const ABORT_TIME: Duration = Duration::from_secs(1);

/// How often the referee asks whether to go on.
const LOOK: Duration = Duration::from_millis(50);

/// Who plays a role.
#[derive(Clone)]
pub enum Seat {
    /// Chance.
    Random,
    /// Somebody who is asked.
    Contestant(Arc<dyn Contestant>),
}

impl Seat {
    /// What whoever sits there is called.
    pub fn name(&self) -> String {
        match self {
            Seat::Random => "random".to_owned(),
            Seat::Contestant(contestant) => contestant.name(),
        }
    }
}

/// What is played, and on which terms.
pub struct Referee<'r> {
    /// The game.
    pub game: &'r RefereeGame,
    /// The name of the match.
    pub id: String,
    /// Seconds to prepare.
    pub start: u64,
    /// Seconds per step.
    pub play: u64,
    /// Made-up names for everything, if wanted.
    pub scrambler: Option<Scrambler>,
    /// Where moves of chance come from.
    pub seed: Seed,
    /// Hears what goes wrong.
    pub journal: Journal,
}

/// An observer of a match.
pub struct MatchObserver<'w> {
    /// Sees the record after every step.
    pub seen: &'w mut dyn FnMut(&MatchRecord),
    /// Says when to give up.
    pub stop: &'w (dyn Fn() -> bool + Sync),
}

/// A match under way.
struct Match<'m> {
    referee: &'m Referee<'m>,
    /// One per role.
    seats: Vec<&'m Seat>,
    board: Box<dyn Board>,
    record: MatchRecord,
    stop: &'m (dyn Fn() -> bool + Sync),
    rng: Rng,
    /// Whether the players know that it is given up.
    is_aborted: Cell<bool>,
}

impl Referee<'_> {
    /// Plays a match to its end, or until the watch gives it up. `seats`: one per role.
    pub fn run(&self, seats: &[Seat], watch: &mut MatchObserver<'_>) -> MatchRecord {
        let roles = self.game.roles();
        // A role of this name is chance by convention.
        let seat = |(role, seat)| if is_chance(role) { &Seat::Random } else { seat };
        let seats: Vec<_> = roles.iter().map(String::as_str).zip(seats).map(seat).collect();
        let mut rng = self.seed.rng();
        let human = |seat: &&Seat| matches!(seat, Seat::Contestant(contestant) if contestant.is_human());
        let record = MatchRecord {
            match_id: self.id.clone(),
            random_token: token(&mut rng),
            start_time: now(),
            preview_clock: -1,
            start_clock: self.start,
            play_clock: self.play,
            player_names_from_host: seats.iter().map(|seat| seat.name()).collect(),
            is_player_human: seats.iter().map(human).collect(),
            scrambled: self.scrambler.is_some(),
            ..MatchRecord::default()
        };
        let (board, is_aborted) = (self.game.start(), Cell::new(false));
        let mut play = Match { referee: self, seats, board, record, stop: watch.stop, rng, is_aborted };
        if let Err(reason) = play.conduct(watch.seen) {
            self.journal.note(format_args!("match {} aborted: {reason}", self.id));
            play.record.is_aborted = true;
            play.abort();
        }
        (watch.seen)(&play.record);
        play.record
    }
}

/// Whether a role is never asked.
pub(crate) fn is_chance(role: &str) -> bool {
    role.eq_ignore_ascii_case("random")
}

impl Match<'_> {
    fn conduct(&mut self, seen: &mut dyn FnMut(&MatchRecord)) -> Result<(), String> {
        self.note_state();
        let roles = self.seats.len();
        let answers = self.ask_all(Summons::Start);
        let errors = answers.into_iter().map(|answer| answer.err());
        self.note_errors(errors.collect());
        while !self.board.is_over() {
            if (self.stop)() {
                return Err("stopped".to_owned());
            }
            seen(&self.record);
            let mut joint = Vec::with_capacity(roles);
            for role in Role::all(roles) {
                let legal = self.board.legal(role);
                if legal.is_empty() {
                    return Err(format!("{} has no legal move", self.role(role)));
                }
                joint.push(legal[self.rng.below(legal.len() as u32) as usize].clone());
            }
            let answers = self.ask_all(Summons::Play);
            if (self.stop)() {
                return Err("stopped".to_owned());
            }
            let mut errors = vec![None; roles];
            for (role, answer) in Role::all(roles).zip(answers) {
                match self.judge(role, answer) {
                    Ok(Some(mv)) => joint[role.index()] = mv,
                    Ok(None) => {}
                    Err(trouble) => errors[role.index()] = Some(trouble),
                }
            }
            self.board.advance(&joint);
            self.record.moves.push(joint.iter().map(|mv| spaced(mv)).collect());
            self.note_state();
            self.note_errors(errors);
        }
        let goals: Result<Vec<_>, String> = Role::all(roles).map(|role| self.goal(role)).collect();
        self.record.goal_values = Some(goals?);
        self.record.is_completed = true;
        self.ask_all(Summons::Stop);
        Ok(())
    }

    fn role(&self, role: Role) -> &str {
        &self.referee.game.roles()[role.index()]
    }

    fn goal(&self, role: Role) -> Result<i32, String> {
        match *self.board.goals(role) {
            [goal] => Ok(goal),
            ref goals => Err(format!("{} has {} goal values at the end", self.role(role), goals.len())),
        }
    }

    /// The legal move that an answer means; none for those who were not asked.
    fn judge(&self, role: Role, answer: Result<Option<String>, Trouble>) -> Result<Option<String>, Trouble> {
        let Some(text) = answer? else { return Ok(None) };
        let text = match (&self.referee.scrambler, self.seats[role.index()]) {
            (Some(scrambler), Seat::Contestant(contestant)) if !contestant.is_human() => scrambler.unscramble(&text),
            _ => text,
        };
        let mv = term(&text).ok_or(Trouble::Unreadable)?;
        if self.board.legal(role).contains(&mv) { Ok(Some(mv)) } else { Err(Trouble::Illegal(spaced(&mv))) }
    }

    fn note_state(&mut self) {
        let facts = self.board.facts();
        self.record.states.push(spaced(&format!("({})", facts.join(" "))));
        self.record.state_times.push(now());
    }

    fn note_errors(&mut self, errors: Vec<Option<Trouble>>) {
        let step = self.record.moves.len();
        for (role, trouble) in Role::all(errors.len()).zip(&errors) {
            if let Some(trouble) = trouble {
                let (id, name) = (&self.referee.id, &self.record.player_names_from_host[role.index()]);
                let text = format!("match {id}, step {step}: {name} as {}: {trouble}", self.role(role));
                self.referee.journal.note(format_args!("{text}"));
            }
        }
        let text = |trouble: Option<Trouble>| trouble.map_or(String::new(), |trouble| trouble.to_string());
        self.record.errors.push(errors.into_iter().map(text).collect());
    }

    /// The message to a role.
    fn message(&self, summons: Summons, role: Role) -> Message {
        let id = self.referee.id.clone();
        let moves = self.record.moves.last().cloned();
        match summons {
            Summons::Start => Message::Start {
                id,
                role: self.role(role).to_owned(),
                rules: self.referee.game.rules().to_owned(),
                start: self.referee.start,
                play: self.referee.play,
            },
            Summons::Play => Message::Play { id, moves },
            Summons::Stop => Message::Stop { id, moves },
            Summons::Abort => Message::Abort { id },
        }
    }

    /// The message in the words that the players get. The name of the match is nobody's to change.
    fn scrambled(&self, message: Message) -> Message {
        let Some(scrambler) = &self.referee.scrambler else { return message };
        let all = |moves: Option<Vec<String>>| -> Option<Vec<String>> {
            moves.map(|moves| moves.iter().map(|mv| scrambler.scramble(mv)).collect())
        };
        match message {
            Message::Start { id, role, rules, start, play } => {
                let (role, rules) = (scrambler.scramble(&role), scrambler.scramble(&rules));
                Message::Start { id, role, rules, start, play }
            }
            Message::Play { id, moves } => Message::Play { id, moves: all(moves) },
            Message::Stop { id, moves } => Message::Stop { id, moves: all(moves) },
            other => other,
        }
    }

    fn limit(&self, summons: Summons) -> Duration {
        match summons {
            Summons::Start => Duration::from_secs(self.referee.start),
            Summons::Play => Duration::from_secs(self.referee.play) + GRACE,
            Summons::Stop => Duration::from_secs(self.referee.play),
            Summons::Abort => ABORT_TIME,
        }
    }

    /// Asks everybody at once; who is chance is not asked. A match that is given up meanwhile is aborted at once, so
    /// that nobody has to wait for answers that nobody needs.
    fn ask_all(&self, summons: Summons) -> Vec<Result<Option<String>, Trouble>> {
        let ending = matches!(summons, Summons::Stop | Summons::Abort);
        let stop: &(dyn Fn() -> bool + Sync) = if ending { &|| false } else { self.stop };
        let limit = self.limit(summons);
        let is_watched = summons == Summons::Play && self.record.is_player_human.contains(&true);
        let view = is_watched.then(|| self.board.view());
        let view = view.as_ref();
        let asked: Vec<_> = Role::all(self.seats.len()).filter_map(|role| self.asked(summons, role)).collect();
        let mut answers: Vec<_> = self.seats.iter().map(|_| Ok(None)).collect();
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for (role, contestant, message, legal) in &asked {
                let (sender, name) = (sender.clone(), self.role(*role));
                scope.spawn(move || {
                    let occasion = Occasion { summons, message, role: name, legal, view, limit, stop };
                    let _ = sender.send((*role, contestant.ask(&occasion)));
                });
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(LOOK) {
                    Ok((role, answer)) => answers[role.index()] = answer.map(Some),
                    Err(mpsc::RecvTimeoutError::Disconnected) => return,
                    Err(mpsc::RecvTimeoutError::Timeout) if stop() => self.abort(),
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                }
            }
        });
        answers
    }

    /// Tells everybody, once, that the match is given up.
    fn abort(&self) {
        if !self.is_aborted.replace(true) {
            self.ask_all(Summons::Abort);
        }
    }

    /// Who is asked for a role, the message, and the legal moves if it is about them.
    fn asked(&self, summons: Summons, role: Role) -> Option<(Role, &dyn Contestant, String, Vec<String>)> {
        let Seat::Contestant(contestant) = self.seats[role.index()] else { return None };
        let message = self.message(summons, role);
        let message = if contestant.is_human() { message } else { self.scrambled(message) };
        let legal = if summons == Summons::Play { self.board.legal(role) } else { Vec::new() };
        Some((role, &**contestant, message.to_string(), legal))
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as u64
}

/// 32 random letters and digits.
fn token(rng: &mut Rng) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    (0..32).map(|_| char::from(LETTERS[rng.below(LETTERS.len() as u32) as usize])).collect()
}
