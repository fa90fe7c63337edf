//! General game playing over the network, in the protocol of ggp-base, Dresden's GameController and Tiltyard.
//!
//! ```text
//! http ──────> requests and replies within limits, on plain sockets
//! message ───> INFO, PREVIEW, START, PLAY, STOP, ABORT as data
//!
//! server ────> connections      player ──> which message means what, one match at a time
//!                               thinker ─> the thread of a match that keeps the position, and a legal move at hand
//!                               searcher > the thread of a match that searches, and may be late
//!                               table ───> a position, and somebody who plays it, by either engine
//!                               clock ───> how much of a clock is kept in hand
//!
//! tournament > many matches     referee ─> one match, from START to STOP or ABORT
//!                               contestant the ways to reach a player
//!                               board ───> the rules as a referee needs them
//!                               scramble, record
//! ```
//!
//! Sockets and threads stay out of the search: a searcher asks a [`Player`](ludens_search::Player) to choose, and tells it
//! when to stop.

mod board;
mod clock;
mod compile;
mod contestant;
mod http;
mod journal;
mod message;
mod player;
mod record;
mod referee;
mod role;
mod scramble;
mod searcher;
mod server;
mod solo;
mod thinker;
mod tournament;

pub use board::{RefereeGame, RulesError};
pub use contestant::{Contestant, Inside, Occasion, Remote, Summons, Trouble};
pub use http::{Call, CallError, MAX_REPLY, exchange};
pub use journal::Journal;
pub use message::{Message, MessageError, spaced};
pub use player::{NetworkPlayer, Options};
pub use record::MatchRecord;
pub use referee::{MatchObserver, Referee, Seat};
pub use scramble::Scrambler;
pub use server::Server;
pub use tournament::{Standing, Tournament, TournamentError, TournamentProgress};
