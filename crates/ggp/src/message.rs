//! [`Message`]: what a game server says to a player.
//!
//! Servers differ in blanks and capitals: ggp-base and Tiltyard write `( PLAY id ( noop ( mark 1 1 ) ) )`, the Dresden
//! GameController `(PLAY id (NOOP (MARK 1 1)))`. Reading takes both, writing follows ggp-base.

use ludens_gdl::sexpr::{self, Sexpr};
use std::fmt;

/// Clocks beyond a day are taken for a day.
const LONGEST_CLOCK: u64 = 86_400;

/// A message. Moves have one blank between words and none inside parentheses, clocks are seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Who are you, and are you free?
    Info,
    /// These rules may be played soon.
    Preview {
        /// The rules, one after the other.
        rules: String,
        /// Seconds to look at them.
        clock: u64,
    },
    /// A match begins.
    Start {
        /// The name of the match.
        id: String,
        /// The role to play.
        role: String,
        /// The rules, one after the other.
        rules: String,
        /// Seconds to prepare.
        start: u64,
        /// Seconds per step.
        play: u64,
    },
    /// What is your move?
    Play {
        /// The name of the match.
        id: String,
        /// The joint move of the step before; none before the first step.
        moves: Option<Vec<String>>,
    },
    /// The match is over.
    Stop {
        /// The name of the match.
        id: String,
        /// The last joint move; none if there was no step.
        moves: Option<Vec<String>>,
    },
    /// The match is given up.
    Abort {
        /// The name of the match.
        id: String,
    },
}

/// Why a text is no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// Parentheses that do not match, or too many of them.
    #[error("not an expression: {0}")]
    Expression(String),
    /// The first word is none of those that are known.
    #[error("unknown message {0:?}; messages: INFO, PREVIEW, START, PLAY, STOP, ABORT")]
    Keyword(String),
    /// The message is known, but has other parts than it should have.
    #[error("{keyword} must be {form}")]
    Form {
        /// The first word.
        keyword: &'static str,
        /// What the whole should look like.
        form: &'static str,
    },
}

impl Message {
    /// Reads the first expression of a text. Nothing at all asks the same as INFO, and so does `ping`.
    ///
    /// # Errors
    /// Why it is no message.
    pub fn read(text: &str) -> Result<Message, MessageError> {
        let text = first_expression(text);
        let read = sexpr::read(text).map_err(|why| MessageError::Expression(why.title))?;
        let Some(first) = read.first() else { return Ok(Message::Info) };
        let parts = first.list().unwrap_or(std::slice::from_ref(first));
        let Some((keyword, args)) = parts.split_first() else { return Ok(Message::Info) };
        let keyword = keyword.word(text).unwrap_or("(");
        let known = ["INFO", "PING", "PREVIEW", "START", "PLAY", "STOP", "ABORT"];
        match known.into_iter().find(|word| word.eq_ignore_ascii_case(keyword)) {
            Some("INFO" | "PING") => Ok(Message::Info),
            Some("PREVIEW") => preview(args, text).ok_or(("PREVIEW", "(PREVIEW (rule ...) clock)")),
            Some("START") => start(args, text).ok_or(("START", "(START id role (rule ...) startclock playclock)")),
            Some("PLAY") => (step(args, text).map(|(id, moves)| Message::Play { id, moves }))
                .ok_or(("PLAY", "(PLAY id NIL) or (PLAY id (move ...))")),
            Some("STOP") => (step(args, text).map(|(id, moves)| Message::Stop { id, moves }))
                .ok_or(("STOP", "(STOP id NIL) or (STOP id (move ...))")),
            Some("ABORT") => abort(args, text).ok_or(("ABORT", "(ABORT id)")),
            _ => return Err(MessageError::Keyword(keyword.chars().take(40).collect())),
        }
        .map_err(|(keyword, form)| MessageError::Form { keyword, form })
    }
}

fn preview(args: &[Sexpr], text: &str) -> Option<Message> {
    let [rules, clock] = args else { return None };
    Some(Message::Preview { rules: inside(rules, text)?, clock: seconds(clock, text)? })
}

fn start(args: &[Sexpr], text: &str) -> Option<Message> {
    // Servers may add what they like behind the clocks.
    let [id, role, rules, start, play, ..] = args else { return None };
    Some(Message::Start {
        id: id.word(text)?.to_owned(),
        role: compact(role, text),
        rules: inside(rules, text)?,
        start: seconds(start, text)?,
        play: seconds(play, text)?,
    })
}

fn step(args: &[Sexpr], text: &str) -> Option<(String, Option<Vec<String>>)> {
    let [id, moves] = args else { return None };
    // Any word in the place of the moves means that there were none.
    let moves = moves.list().map(|moves| moves.iter().map(|mv| compact(mv, text)).collect());
    Some((id.word(text)?.to_owned(), moves))
}

fn abort(args: &[Sexpr], text: &str) -> Option<Message> {
    let [id] = args else { return None };
    Some(Message::Abort { id: id.word(text)?.to_owned() })
}

fn seconds(clock: &Sexpr, text: &str) -> Option<u64> {
    clock.word(text)?.parse::<u64>().ok().map(|seconds| seconds.min(LONGEST_CLOCK))
}

/// What stands between the parentheses of a list.
fn inside(list: &Sexpr, text: &str) -> Option<String> {
    list.list()?;
    let range = list.span.range();
    Some(text[range.start + 1..range.end - 1].trim().to_owned())
}

/// The part of a text that its first expression takes; what follows is nobody's.
fn first_expression(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return &text[..=at],
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text
}

/// The first expression of a text with one blank between words and none inside parentheses; `None` if there is none.
pub(crate) fn term(text: &str) -> Option<String> {
    let text = first_expression(text);
    let read = sexpr::read(text).ok()?;
    read.first().map(|first| compact(first, text))
}

/// An expression with one blank between words and none inside parentheses.
pub(crate) fn compact(expression: &Sexpr, text: &str) -> String {
    match expression.list() {
        None => expression.word(text).unwrap_or_default().to_owned(),
        Some(items) => {
            format!("({})", items.iter().map(|item| compact(item, text)).collect::<Vec<_>>().join(" "))
        }
    }
}

/// A text in the style of ggp-base: one blank between words, and parentheses are words.
pub fn spaced(text: &str) -> String {
    let padded = text.replace('(', " ( ").replace(')', " ) ");
    padded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A list of moves, or `NIL`.
fn move_list(moves: Option<&[String]>) -> String {
    moves.map_or("NIL".to_owned(), |moves| spaced(&format!("({})", moves.join(" "))))
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Info => f.write_str("( INFO )"),
            Message::Preview { rules, clock } => write!(f, "( PREVIEW ( {} ) {clock} )", spaced(rules)),
            Message::Start { id, role, rules, start, play } => {
                write!(f, "( START {id} {} ( {} ) {start} {play} )", spaced(role), spaced(rules))
            }
            Message::Play { id, moves } => write!(f, "( PLAY {id} {} )", move_list(moves.as_deref())),
            Message::Stop { id, moves } => write!(f, "( STOP {id} {} )", move_list(moves.as_deref())),
            Message::Abort { id } => write!(f, "( ABORT {id} )"),
        }
    }
}
