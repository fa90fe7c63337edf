//! A game in progress: who is asked, what an answer does.

use super::event::{Event, How, Screen};
use super::input::Lines;
use crate::{
    Failure,
    notation::{deciders, joint, legal_names, play_moves, read_move, written_moves},
};
use ludens_arena::shell_word;
use ludens_game::{DynGame, Move, Position, Role, Seed, Style};
use ludens_search::{Budget, Effort, Panicked, Player, Report, isolate};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::Arc;

/// Who sits at a role.
pub(crate) enum SeatKind {
    /// Somebody at the keyboard.
    Person,
    /// A player.
    Engine(Box<dyn Player>),
}

/// Who sits at the board, and on which terms.
pub(crate) struct GameSetup {
    /// One seat per role.
    pub(crate) seats: Vec<SeatKind>,
    /// What those who are no people are called.
    pub(crate) opponent: String,
    /// What an engine may compute per move.
    pub(crate) budget: Budget,
    /// Where all randomness comes from.
    pub(crate) seed: Seed,
}

/// A game in progress.
pub(crate) struct Session {
    game: Arc<dyn DynGame>,
    roles: Vec<String>,
    table: GameSetup,
    position: Box<dyn Position>,
    style: Style,
}

/// What the roles made of one position.
enum Answer {
    /// A joint move, and what the engines thought about theirs.
    Step(Vec<Move>, Vec<Event>),
    Undo,
    Resign(Role),
    Leave(How),
}

impl Session {
    pub(crate) fn new(game: Arc<dyn DynGame>, table: GameSetup, style: Style) -> Session {
        let (roles, position) = (game.role_names(), game.clone().start());
        Session { game, roles, table, position, style }
    }

    /// Plays moves that are given from the start.
    ///
    /// # Errors
    /// The first one that cannot be played, and why.
    pub(crate) fn play_given(&mut self, text: &str) -> Result<(), String> {
        play_moves(&mut *self.position, &self.roles, text)
    }

    /// Brings every engine to the position, as if it had played the game from its start.
    fn set_up_engines(&mut self) -> Result<(), Failure> {
        let set_up = isolate(|| {
            for (index, seat) in (0..).zip(&mut self.table.seats) {
                if let SeatKind::Engine(player) = seat {
                    player.start(self.table.seed.at(index));
                    self.position.history().iter().for_each(|joint| player.observe(joint));
                }
            }
        });
        set_up.map_err(|panicked| self.broken(&panicked))
    }

    /// A player failed, which ends the session.
    fn broken(&self, panicked: &Panicked) -> Failure {
        let moves = written_moves(self.game.clone(), self.position.history());
        let [game, player, moves] = [&self.game.name(), &self.table.opponent, &moves].map(|text| shell_word(text));
        let GameSetup { budget, seed, .. } = &self.table;
        let seed = seed.value();
        let replay =
            format!("ludens play {game} --as none --against {player} --budget {budget} --moves {moves} --seed {seed}");
        Failure::fault(&self.table.opponent, panicked, &replay)
    }

    fn is_person(&self, role: Role) -> bool {
        matches!(self.table.seats[role.index()], SeatKind::Person)
    }

    /// Plays until the game is over or left.
    pub(crate) fn run<R: BufRead>(&mut self, input: &mut Lines<R>, screen: &mut dyn Screen) -> Result<(), Failure> {
        let people = Role::all(self.roles.len()).filter(|&role| self.is_person(role));
        let people: Vec<_> = people.map(|role| self.name(role).to_owned()).collect();
        let opponent = (people.len() < self.roles.len()).then(|| self.table.opponent.clone());
        screen.show(&Event::Start { game: self.game.name(), roles: self.roles.clone(), people, opponent })?;
        screen.show(&self.picture())?;
        self.set_up_engines()?;
        loop {
            if let Some(failure) = self.position.failure() {
                return Err(Failure::Usage(format!("the game ends without a result: {failure}")));
            }
            if let Some(scores) = self.position.scores() {
                let scores = Some(self.by_role(scores));
                return screen.show(&Event::Over { how: How::Finished, scores });
            }
            match self.answer(input, screen)? {
                Answer::Step(joint, thoughts) => {
                    thoughts.iter().try_for_each(|thought| screen.show(thought))?;
                    let moves = deciders(&*self.position, self.roles.len())
                        .into_iter()
                        .map(|role| (self.name(role).to_owned(), self.position.move_name(role, joint[role.index()])));
                    let event = Event::Move { step: self.position.history().len() + 1, moves: moves.collect() };
                    self.advance(&joint)?;
                    screen.show(&event)?;
                    screen.show(&self.picture())?;
                }
                Answer::Undo => {
                    if self.take_back()? {
                        screen.show(&Event::Undone { step: self.position.history().len() })?;
                        screen.show(&self.picture())?;
                    } else {
                        screen.show(&Event::NothingToUndo)?;
                    }
                }
                Answer::Resign(role) => {
                    let scores = Role::all(self.roles.len()).map(|other| f64::from(u8::from(other != role)));
                    let scores = Some(self.by_role(scores));
                    return screen.show(&Event::Over { how: How::Resigned, scores });
                }
                Answer::Leave(how) => return screen.show(&Event::Over { how, scores: None }),
            }
        }
    }

    /// One move of every role, unless a person wants something else.
    ///
    /// Engines are asked at every step: some think also where they have no choice.
    fn answer<R: BufRead>(&mut self, input: &mut Lines<R>, screen: &mut dyn Screen) -> Result<Answer, Failure> {
        let deciders = deciders(&*self.position, self.roles.len());
        let (mut chosen, mut thoughts) = (Vec::new(), Vec::new());
        for role in Role::all(self.roles.len()) {
            let decides = deciders.contains(&role);
            let mv = match &mut self.table.seats[role.index()] {
                SeatKind::Engine(player) => {
                    let budget = self.table.budget;
                    let chosen = isolate(|| (player.choose(&budget, &|| false).0, player.report()));
                    let (mv, report) = chosen.map_err(|panicked| self.broken(&panicked))?;
                    if decides {
                        thoughts.extend(thought(&self.roles[role.index()], mv, &report));
                    }
                    mv
                }
                SeatKind::Person if !decides => continue,
                SeatKind::Person => match self.ask(role, input, screen)? {
                    Ok(mv) => mv,
                    Err(other) => return Ok(other),
                },
            };
            chosen.push((role, mv));
        }
        Ok(Answer::Step(joint(&*self.position, self.roles.len(), &chosen), thoughts))
    }

    fn advance(&mut self, joint: &[Move]) -> Result<(), Failure> {
        self.position.advance(joint);
        let observed = isolate(|| {
            for seat in &mut self.table.seats {
                if let SeatKind::Engine(player) = seat {
                    player.observe(joint);
                }
            }
        });
        observed.map_err(|panicked| self.broken(&panicked))
    }

    /// Asks a person until there is a legal move, or another wish.
    fn ask<R: BufRead>(
        &self,
        role: Role,
        input: &mut Lines<R>,
        screen: &mut dyn Screen,
    ) -> Result<Result<Move, Answer>, Failure> {
        let name = || self.name(role).to_owned();
        let legal = || legal_names(&*self.position, role);
        loop {
            screen.prompt(self.name(role))?;
            let line = input.next()?;
            screen.typed(line.as_deref())?;
            let Some(line) = line else {
                return Ok(Err(Answer::Leave(How::EndOfInput)));
            };
            // A legal move comes first: no command may hide it.
            let why = match read_move(&*self.position, role, &line, &self.roles) {
                Ok(mv) => return Ok(Ok(mv)),
                Err(why) => why,
            };
            match line.to_ascii_lowercase().as_str() {
                "" => {}
                "moves" | "hint" => screen.show(&Event::Moves { role: name(), legal: legal() })?,
                "help" | "?" => screen.show(&Event::Help)?,
                "undo" => return Ok(Err(Answer::Undo)),
                "resign" => return Ok(Err(Answer::Resign(role))),
                "quit" | "exit" => return Ok(Err(Answer::Leave(How::Quit))),
                _ => screen.show(&Event::Rejected { role: name(), why, legal: legal() })?,
            }
        }
    }

    /// Takes steps back until a person decides again; `false` if none ever did.
    fn take_back(&mut self) -> Result<bool, Failure> {
        let before = self.position.history().to_vec();
        while self.position.undo() {
            if deciders(&*self.position, self.roles.len()).iter().any(|&role| self.is_person(role)) {
                self.set_up_engines()?;
                return Ok(true);
            }
        }
        for joint in &before {
            self.position.advance(joint);
        }
        Ok(false)
    }

    fn picture(&self) -> Event {
        let board = self.position.view().draw(self.style).lines().map(str::to_owned).collect();
        let mut legal = BTreeMap::new();
        if self.position.scores().is_none() {
            for role in deciders(&*self.position, self.roles.len()) {
                legal.insert(self.name(role).to_owned(), legal_names(&*self.position, role));
            }
        }
        Event::Position { step: self.position.history().len(), board, legal }
    }

    fn by_role(&self, scores: impl IntoIterator<Item = f64>) -> BTreeMap<String, f64> {
        self.roles.iter().cloned().zip(scores).collect()
    }

    fn name(&self, role: Role) -> &str {
        &self.roles[role.index()]
    }
}

/// What an engine thought about the move that it chose; nothing if it did not have to think.
fn thought(role: &str, mv: Move, report: &Report) -> Option<Event> {
    let Effort { simulations, time, .. } = report.effort;
    let arm = report.arms.iter().find(|arm| arm.mv == mv)?;
    (simulations > 0).then(|| Event::Thought {
        role: role.to_owned(),
        mv: arm.name.clone(),
        score: report.proven.or(arm.score),
        line: report.line.clone(),
        simulations,
        seconds: time.as_secs_f64(),
        simulations_per_s: report.effort.pace(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cmd::play::event::JsonLines;
    use ludens_game::Charset;
    use ludens_game::toy::{Bandit, Node, Pennies, Race, Tree};
    use ludens_search::{InMemory, Playable, RANDOM};

    /// A player that fails at its second choice.
    struct Failing {
        choices: u32,
    }

    impl Player for Failing {
        fn start(&mut self, _: Seed) {}

        fn choose(&mut self, _: &Budget, _: &dyn Fn() -> bool) -> (Move, Effort) {
            self.choices += 1;
            assert!(self.choices < 2, "no idea\nwhatsoever");
            (Move(0), Effort::default())
        }

        fn observe(&mut self, _: &[Move]) {}
    }

    #[test]
    fn a_player_that_fails_ends_the_session_with_one_line() {
        let seats = vec![SeatKind::Person, SeatKind::Engine(Box::new(Failing { choices: 0 })), SeatKind::Person];
        let mut out = Vec::new();
        let mut lines = Lines::new("walk\nwalk\nwalk\nwalk\n".as_bytes());
        let ended = session(Arc::new(Race::new(9)), seats).run(&mut lines, &mut JsonLines { out: &mut out });
        let failure = ended.expect_err("the second choice of role1").to_string();
        assert!(failure.starts_with("other failed: no idea whatsoever at "), "{failure}");
        let replay = "; replay with: ludens play race:9 --as none --against other --budget sims=100 --moves ";
        assert!(failure.contains(replay) && failure.ends_with("--seed 3") && !failure.contains('\n'), "{failure}");
    }

    /// The events of a session, one line of JSON each.
    fn play(game: impl Playable + 'static, people: &[bool], typed: &str) -> Vec<String> {
        let game = Arc::new(game);
        let seat = |(role, &person)| if person { SeatKind::Person } else { engine(&game, role, RANDOM) };
        let seats = Role::all(people.len()).zip(people).map(seat).collect();
        play_at(game, seats, typed)
    }

    fn engine<G: Playable + 'static>(game: &Arc<G>, role: Role, spec: &str) -> SeatKind {
        let spec = spec.parse().expect("a spec");
        SeatKind::Engine(game.clone().player(role, &spec, Arc::new(InMemory::default())).expect("a player"))
    }

    fn session(game: Arc<dyn DynGame>, seats: Vec<SeatKind>) -> Session {
        let (budget, seed) = (Budget::simulations(100), Seed::new(3));
        let table = GameSetup { seats, opponent: "other".to_owned(), budget, seed };
        Session::new(game, table, Style { charset: Charset::Ascii, color: false })
    }

    fn play_at(game: Arc<dyn DynGame>, seats: Vec<SeatKind>, typed: &str) -> Vec<String> {
        let mut out = Vec::new();
        session(game, seats)
            .run(&mut Lines::new(typed.as_bytes()), &mut JsonLines { out: &mut out })
            .expect("memory can be written");
        String::from_utf8(out).expect("JSON is UTF-8").lines().map(str::to_owned).collect()
    }

    fn last(events: &[String]) -> &str {
        events.last().expect("a session has events")
    }

    #[test]
    fn simultaneous_moves_are_asked_for_one_by_one() {
        let events = play(Pennies, &[true, true], "heads\ntails\n");
        assert_eq!(events[2], r#"{"event":"move","step":1,"moves":{"even":"heads","odd":"tails"}}"#);
        assert_eq!(last(&events), r#"{"event":"over","how":"finished","scores":{"even":0.0,"odd":1.0}}"#);
    }

    #[test]
    fn random_movers_play_the_other_roles() {
        let events = play(Race::new(9), &[false, true, false], &"walk\n".repeat(30));
        assert!(last(&events).starts_with(r#"{"event":"over","how":"finished""#), "{}", last(&events));
        assert!(events[0].ends_with(r#""people":["role1"],"opponent":"other"}"#), "{}", events[0]);
    }

    #[test]
    fn nobody_hears_what_an_engine_thinks_before_having_decided() {
        let game = Arc::new(Pennies);
        let seats = vec![engine(&game, Role(0), "uct"), SeatKind::Person];
        let events = play_at(game, seats, "moves\nheads\n");
        let kinds: Vec<_> = events.iter().map(|event| event.split('"').nth(3).expect("a kind")).collect();
        assert_eq!(kinds, ["start", "position", "moves", "thought", "move", "position", "over"]);
        assert!(events[3].contains(r#""simulations":100,"#), "{}", events[3]);
    }

    #[test]
    fn one_who_resigns_loses_against_everybody() {
        let events = play(Race::new(9), &[true, true, true], "walk\nresign\n");
        let over = r#"{"event":"over","how":"resigned","scores":{"role0":1.0,"role1":0.0,"role2":1.0}}"#;
        assert_eq!(last(&events), over);
    }

    #[test]
    fn undo_goes_back_to_the_last_choice_of_a_person() {
        let end = || Node::End(vec![1.0, 0.0]);
        let own = || Node::Choice(Role(0), vec![end(), end()]);
        let reply = Node::Choice(Role(1), vec![Node::Choice(Role(1), vec![own()])]);
        let game = Tree::new(2, Node::Choice(Role(0), vec![reply]));
        let undone = |events: &[String]| {
            let undone = events.iter().find(|event| event.contains("undo"));
            undone.cloned().expect("an answer to undo")
        };
        let after_replies = play(game.clone(), &[true, false], "0\nundo\n");
        assert_eq!(undone(&after_replies), r#"{"event":"undone","step":0}"#);
        let between_people = play(game.clone(), &[true, true], "0\n0\nundo\n");
        assert_eq!(undone(&between_people), r#"{"event":"undone","step":1}"#);
        let first_choice = play(game, &[true, true], "undo\n");
        assert_eq!(undone(&first_choice), r#"{"event":"nothing_to_undo"}"#);
    }

    #[test]
    fn nothing_is_taken_back_if_no_person_has_moved() {
        let own = Node::Choice(Role(0), vec![Node::End(vec![1.0, 0.0])]);
        let game = Tree::new(2, Node::Choice(Role(1), vec![own]));
        let events = play(game, &[true, false], "undo\n0\n");
        assert!(events.contains(&r#"{"event":"nothing_to_undo"}"#.to_owned()), "{events:?}");
        assert_eq!(last(&events), r#"{"event":"over","how":"finished","scores":{"role0":1.0,"role1":0.0}}"#);
    }

    #[test]
    fn the_end_of_the_input_ends_the_session() {
        let events = play(Bandit::new(&[0.5, 0.7]), &[true], "\nfoo\nmoves\nhelp");
        let kinds: Vec<_> = events.iter().map(|event| event.split('"').nth(3).expect("a kind")).collect();
        assert_eq!(kinds, ["start", "position", "rejected", "moves", "help", "over"]);
        assert_eq!(last(&events), r#"{"event":"over","how":"end_of_input","scores":null}"#);
    }
}
