//! [`Contestant`]: anything that a referee can ask for a move, and the ways to reach it.

use crate::http::{Call, CallError, exchange};
use crate::player::NetworkPlayer;
use ludens_game::View;
use std::fmt;
use std::time::{Duration, Instant};

/// Anything that answers messages.
pub trait Contestant: Send + Sync {
    /// What they are called.
    fn name(&self) -> String;

    /// Whether they are people: those get the words of the rules even if all others get made-up ones.
    fn is_human(&self) -> bool {
        false
    }

    /// Their answer to a message.
    ///
    /// # Errors
    /// Why there is none.
    fn ask(&self, occasion: &Occasion<'_>) -> Result<String, Trouble>;
}

/// A message, and what it is about.
pub struct Occasion<'o> {
    /// What is wanted.
    pub summons: Summons,
    /// The message as it is sent.
    pub message: &'o str,
    /// The role that is asked.
    pub role: &'o str,
    /// Its legal moves, for people.
    pub legal: &'o [String],
    /// The position in which to choose, if people play.
    pub view: Option<&'o View>,
    /// How long the answer may take.
    pub limit: Duration,
    /// Whether nobody needs it any more.
    pub stop: &'o (dyn Fn() -> bool + Sync),
}

/// The kinds of messages that a referee sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summons {
    /// Prepare.
    Start,
    /// Choose a move.
    Play,
    /// It is over.
    Stop,
    /// It is given up.
    Abort,
}

/// Why there is no move, written as match records have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// No answer in time.
    Late,
    /// The player could not be reached, or went away.
    Unreachable,
    /// There is an answer, but it is no term.
    Unreadable,
    /// The answer is a term, but not a legal move.
    Illegal(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Late => f.write_str("TO"),
            Trouble::Unreachable => f.write_str("CE"),
            Trouble::Unreadable => f.write_str("IL null"),
            Trouble::Illegal(mv) => write!(f, "IL {mv}"),
        }
    }
}

/// A player at an address.
pub struct Remote {
    address: String,
}

impl Remote {
    /// The player at `host:port`.
    pub fn new(address: &str) -> Remote {
        Remote { address: address.to_owned() }
    }
}

impl Contestant for Remote {
    fn name(&self) -> String {
        self.address.clone()
    }

    fn ask(&self, occasion: &Occasion<'_>) -> Result<String, Trouble> {
        let (address, limit) = (&*self.address, occasion.limit);
        let call = Call { address, receiver: address, body: occasion.message, limit };
        exchange(&call, &|| (occasion.stop)()).map_err(|error| match error {
            CallError::Late => Trouble::Late,
            CallError::TooLong => Trouble::Unreadable,
            CallError::Connection(_) => Trouble::Unreachable,
        })
    }
}

/// A player in this program. It hears and says the same as it would over the network.
pub struct Inside {
    name: String,
    player: NetworkPlayer,
}

impl Inside {
    /// A player of any name, for one match at a time.
    pub fn new(name: &str, player: NetworkPlayer) -> Inside {
        Inside { name: name.to_owned(), player }
    }
}

impl Contestant for Inside {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn ask(&self, occasion: &Occasion<'_>) -> Result<String, Trouble> {
        self.player.answer(occasion.message, Instant::now()).map_err(|_| Trouble::Unreadable)
    }
}
