//! A game in progress: who is asked, what an answer does.

use super::event::{Event, How, Screen};
use super::input::Lines;
use super::notation::{deciders, legal_names, read_move};
use crate::{Failure, random::random_move};
use ludens_game::{DynGame, Move, Position, Rng, Role, Seed, Style};
use ludens_games::quoted;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::Arc;

/// Who sits at the board.
pub(crate) struct Table {
    /// For each role, whether a person plays it; the others move at random.
    pub(crate) people: Vec<bool>,
    /// Where the random moves come from.
    pub(crate) seed: Seed,
}

/// A game in progress.
pub(crate) struct Session {
    game: String,
    roles: Vec<String>,
    people: Vec<bool>,
    position: Box<dyn Position>,
    rng: Rng,
    style: Style,
}

/// What the roles made of one position.
enum Answer {
    Step(Vec<Move>),
    Undo,
    Resign(Role),
    Leave(How),
}

impl Session {
    pub(crate) fn new(game: Arc<dyn DynGame>, table: Table, style: Style) -> Session {
        let (name, roles) = (game.name(), game.role_names());
        let rng = table.seed.rng();
        Session { game: name, roles, people: table.people, position: game.start(), rng, style }
    }

    /// Plays moves that are given from the start, by whomever they are.
    ///
    /// # Errors
    /// The first one that cannot be played, and why.
    pub(crate) fn play_given<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) -> Result<(), String> {
        let mut chosen: Vec<(Role, Move)> = Vec::new();
        for text in texts {
            let deciders = loop {
                if self.position.scores().is_some() {
                    return Err(format!("move {} comes after the end of the game", quoted(text)));
                }
                let deciders = deciders(&*self.position, self.roles.len());
                if !deciders.is_empty() {
                    break deciders;
                }
                // A simultaneous step without a choice plays itself.
                self.position.advance(&self.joint(&[]));
            };
            let role = deciders[chosen.len()];
            let mv = read_move(&*self.position, role, text, &self.roles).map_err(|why| {
                let legal = legal_names(&*self.position, role).join(", ");
                format!("move {}: {why}; legal for {}: {legal}", self.position.history().len() + 1, self.name(role))
            })?;
            chosen.push((role, mv));
            if chosen.len() == deciders.len() {
                self.position.advance(&self.joint(&chosen));
                chosen.clear();
            }
        }
        if chosen.is_empty() { Ok(()) } else { Err("the last step needs a move of every role that decides".to_owned()) }
    }

    /// Plays until the game is over or left.
    pub(crate) fn run<R: BufRead>(&mut self, input: &mut Lines<R>, screen: &mut dyn Screen) -> Result<(), Failure> {
        let people = self.roles.iter().zip(&self.people).filter(|(_, person)| **person);
        let people = people.map(|(role, _)| role.clone()).collect();
        screen.show(&Event::Start { game: self.game.clone(), roles: self.roles.clone(), people })?;
        screen.show(&self.picture())?;
        loop {
            if let Some(scores) = self.position.scores() {
                let scores = Some(self.by_role(scores));
                return screen.show(&Event::Over { how: How::Finished, scores });
            }
            match self.answer(input, screen)? {
                Answer::Step(joint) => {
                    let moves = deciders(&*self.position, self.roles.len())
                        .into_iter()
                        .map(|role| (self.name(role).to_owned(), self.position.move_name(role, joint[role.index()])));
                    let event = Event::Move { step: self.position.history().len() + 1, moves: moves.collect() };
                    self.position.advance(&joint);
                    screen.show(&event)?;
                    screen.show(&self.picture())?;
                }
                Answer::Undo => {
                    if self.take_back() {
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

    /// One move of every role that decides, unless a person wants something else.
    fn answer<R: BufRead>(&mut self, input: &mut Lines<R>, screen: &mut dyn Screen) -> Result<Answer, Failure> {
        let mut chosen = Vec::new();
        for role in deciders(&*self.position, self.roles.len()) {
            if !self.people[role.index()] {
                chosen.push((role, random_move(&*self.position, role, &mut self.rng)));
                continue;
            }
            match self.ask(role, input, screen)? {
                Ok(mv) => chosen.push((role, mv)),
                Err(other) => return Ok(other),
            }
        }
        Ok(Answer::Step(self.joint(&chosen)))
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
    fn take_back(&mut self) -> bool {
        let before = self.position.history().to_vec();
        while self.position.undo() {
            if deciders(&*self.position, self.roles.len()).iter().any(|role| self.people[role.index()]) {
                return true;
            }
        }
        for joint in &before {
            self.position.advance(joint);
        }
        false
    }

    /// The chosen moves, and the only move of every other role.
    fn joint(&self, chosen: &[(Role, Move)]) -> Vec<Move> {
        let of = |role| chosen.iter().find(|(chooser, _)| *chooser == role).map(|(_, mv)| *mv);
        Role::all(self.roles.len()).map(|role| of(role).unwrap_or_else(|| self.position.legals(role)[0])).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cmd::play::event::JsonLines;
    use ludens_game::Charset;
    use ludens_game::toy::{Bandit, Node, Pennies, Race, Tree};

    /// The events of a session, one line of JSON each.
    fn play(game: impl DynGame + 'static, people: &[bool], typed: &str) -> Vec<String> {
        let table = Table { people: people.to_vec(), seed: Seed::new(3) };
        let mut session = Session::new(Arc::new(game), table, Style { charset: Charset::Ascii, color: false });
        let mut out = Vec::new();
        session
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
        assert!(events[0].ends_with(r#""people":["role1"]}"#), "{}", events[0]);
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
    fn given_moves_must_be_legal_and_complete() {
        let given = |texts: &str| {
            let table = Table { people: vec![true; 2], seed: Seed::new(1) };
            let mut session = Session::new(Arc::new(Pennies), table, Style { charset: Charset::Ascii, color: false });
            session.play_given(texts.split_whitespace())
        };
        assert_eq!(given("heads tails"), Ok(()));
        let error = |texts| given(texts).expect_err("an error");
        assert_eq!(error("heads edge"), "move 1: \"edge\" is not a move of this game; legal for odd: heads, tails");
        assert_eq!(error("heads he"), "move 1: \"he\" is only the beginning of a move; legal for odd: heads, tails");
        assert_eq!(error("heads"), "the last step needs a move of every role that decides");
        assert_eq!(error("heads tails heads"), "move \"heads\" comes after the end of the game");
    }

    #[test]
    fn the_end_of_the_input_ends_the_session() {
        let events = play(Bandit::new(&[0.5, 0.7]), &[true], "\nfoo\nmoves\nhelp");
        let kinds: Vec<_> = events.iter().map(|event| event.split('"').nth(3).expect("a kind")).collect();
        assert_eq!(kinds, ["start", "position", "rejected", "moves", "help", "over"]);
        assert_eq!(last(&events), r#"{"event":"over","how":"end_of_input","scores":null}"#);
    }
}
