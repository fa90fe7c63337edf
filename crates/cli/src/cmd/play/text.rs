//! The dialogue with a person.

use super::event::{Event, How, Screen};
use crate::{Failure, console::grouped};
use ludens_search::RANDOM;
use std::collections::BTreeMap;
use std::io::Write;

const HELP: &str = "\
Type a move as the board labels it, or one of these:
  moves, hint   list the legal moves
  undo          undo steps until it is a person's turn again
  resign        resign the game
  help          show this list
  quit          leave (so does the end of the input)";

/// So many moves of an expected line are shown.
const LINE_SHOWN: usize = 6;

/// Lines of text are this wide at most.
const WIDTH: usize = 78;

/// Shows events as a person likes to read them.
pub(crate) struct Dialogue<'o> {
    out: &'o mut dyn Write,
    echo: bool,
    people: Vec<String>,
}

impl<'o> Dialogue<'o> {
    /// A dialogue; with `echo` it repeats what was typed, because no terminal shows it.
    pub(crate) fn new(out: &'o mut dyn Write, echo: bool) -> Dialogue<'o> {
        Dialogue { out, echo, people: Vec::new() }
    }
}

impl Screen for Dialogue<'_> {
    fn show(&mut self, event: &Event) -> Result<(), Failure> {
        let text = match event {
            Event::Start { game, roles, people, opponent } => {
                self.people.clone_from(people);
                format!("{game}: {}", introduction(roles, people, opponent.as_deref()))
            }
            Event::Position { board, .. } => format!("\n{}\n", board.join("\n")),
            Event::Thought { role, score, line, simulations, seconds, simulations_per_s, .. } => {
                let score = score.map_or(String::new(), |score| format!(", score {score:.2}"));
                let (simulations, pace) = (grouped(*simulations), grouped(simulations_per_s.round() as u64));
                let line = line.iter().take(LINE_SHOWN).map(String::as_str).collect::<Vec<_>>().join(" ");
                format!("{role} expects {line}{score}; {simulations} simulations in {seconds:.3} s: {pace} sims/s")
            }
            Event::Move { moves, .. } => {
                // What a person typed stands on the line above.
                let others = moves.iter().filter(|(role, _)| !self.people.contains(role));
                let plays: Vec<_> = others.map(|(role, mv)| format!("{role} plays {mv}")).collect();
                if plays.is_empty() {
                    return Ok(());
                }
                plays.join(", ")
            }
            Event::Rejected { role, why, legal } => format!("{why}.\n{}", listing(role, legal)),
            Event::Moves { role, legal } => listing(role, legal),
            Event::Help => HELP.to_owned(),
            Event::Undone { step: 0 } => "Back at the start.".to_owned(),
            Event::Undone { step } => format!("Back after step {step}."),
            Event::NothingToUndo => "There is nothing to undo.".to_owned(),
            Event::Over { how, scores } => ending(*how, scores.as_ref()),
        };
        Ok(writeln!(self.out, "{text}")?)
    }

    fn prompt(&mut self, role: &str) -> Result<(), Failure> {
        write!(self.out, "{role}> ")?;
        Ok(self.out.flush()?)
    }

    fn typed(&mut self, line: Option<&str>) -> Result<(), Failure> {
        match line {
            // Nobody pressed enter: the prompt's line is still open.
            None => writeln!(self.out)?,
            Some(line) if self.echo => {
                // Nothing that was typed may move the cursor.
                let shown: String = line.chars().take(WIDTH).filter(|c| !c.is_control()).collect();
                writeln!(self.out, "{shown}")?;
            }
            Some(_) => {}
        }
        Ok(())
    }
}

fn introduction(roles: &[String], people: &[String], opponent: Option<&str>) -> String {
    let Some(opponent) = opponent else {
        if let [alone] = roles {
            return format!("you are {alone}. Type a move, or \"help\".");
        }
        return format!("{} take turns at this keyboard. Type a move, or \"help\".", roles.join(" and "));
    };
    let others: Vec<_> = roles.iter().filter(|role| !people.contains(role)).map(String::as_str).collect();
    let others = match (opponent, &others[..]) {
        (RANDOM, [one]) => format!("{one} moves at random"),
        (RANDOM, several) => format!("{} move at random", several.join(" and ")),
        (player, others) => format!("{player} plays {}", others.join(" and ")),
    };
    if people.is_empty() {
        return format!("{others}.");
    }
    format!("you are {}, {others}. Type a move, or \"help\".", people.join(" and "))
}

fn ending(how: How, scores: Option<&BTreeMap<String, f64>>) -> String {
    let Some(scores) = scores else {
        return match how {
            How::EndOfInput => "The input ended before the game was over.".to_owned(),
            _ => "You left before the game was over.".to_owned(),
        };
    };
    let with = |score: f64| scores.iter().filter(move |entry| *entry.1 == score).map(|entry| entry.0.as_str());
    let winners: Vec<_> = with(1.0).collect();
    let losers: Vec<_> = with(0.0).collect();
    let result = match winners[..] {
        [winner] if winners.len() + losers.len() == scores.len() => format!("{winner} wins."),
        _ if scores.values().all(|&score| score == 0.5) => "A draw.".to_owned(),
        _ => {
            let all: Vec<_> = scores.iter().map(|(role, score)| format!("{role} {score}")).collect();
            format!("Scores: {}.", all.join(", "))
        }
    };
    match how {
        How::Resigned => format!("{} resigns. {result}", losers.join(" and ")),
        _ => result,
    }
}

/// The legal moves in lines that fit a terminal.
fn listing(role: &str, legal: &[String]) -> String {
    let mut text = format!("{} legal {} for {role}:", legal.len(), if legal.len() == 1 { "move" } else { "moves" });
    let mut column = WIDTH;
    for name in legal {
        let width = name.chars().count() + 1;
        if column + width > WIDTH {
            text.push_str("\n ");
            column = 1;
        }
        text.push(' ');
        text.push_str(name);
        column += width;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn introductions_in_words() {
        let names = |roles: &[&str]| roles.iter().map(|&role| role.to_owned()).collect::<Vec<_>>();
        let alone = introduction(&names(&["jumper"]), &names(&["jumper"]), None);
        assert_eq!(alone, "you are jumper. Type a move, or \"help\".");
        let both = introduction(&names(&["white", "black"]), &names(&["white", "black"]), None);
        assert_eq!(both, "white and black take turns at this keyboard. Type a move, or \"help\".");
        let one = introduction(&names(&["white", "black"]), &names(&["black"]), Some(RANDOM));
        assert_eq!(one, "you are black, white moves at random. Type a move, or \"help\".");
    }

    #[test]
    fn endings_in_words() {
        let scores = |pairs: &[(&str, f64)]| pairs.iter().map(|&(role, score)| (role.to_owned(), score)).collect();
        let end = |how, pairs: &[(&str, f64)]| ending(how, Some(&scores(pairs)));
        assert_eq!(end(How::Finished, &[("black", 0.0), ("white", 1.0)]), "white wins.");
        assert_eq!(end(How::Finished, &[("black", 0.5), ("white", 0.5)]), "A draw.");
        assert_eq!(end(How::Finished, &[("a", 0.5), ("b", 0.0), ("c", 0.5)]), "Scores: a 0.5, b 0, c 0.5.");
        assert_eq!(end(How::Resigned, &[("black", 0.0), ("white", 1.0)]), "black resigns. white wins.");
        assert_eq!(ending(How::Quit, None), "You left before the game was over.");
        assert_eq!(ending(How::EndOfInput, None), "The input ended before the game was over.");
    }

    #[test]
    fn long_lists_are_wrapped() {
        let legal: Vec<_> = (0..40).map(|n| format!("e{n}")).collect();
        let text = listing("white", &legal);
        assert!(text.starts_with("40 legal moves for white:\n  e0 e1 "), "{text}");
        assert!(text.lines().count() == 3 && text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert_eq!(listing("white", &["pass".to_owned()]), "1 legal move for white:\n  pass");
    }
}
