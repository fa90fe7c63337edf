//! The vocabulary of games.
//!
//! A [`Game`] has any number of roles that move at the same time; every move of a role has a dense id. The author of an
//! alternating game implements [`TurnGame`] and gets `Game` for free. Everything else here serves those two traits:
//! ids ([`Role`], [`Move`]), the one generator of randomness ([`Rng`], split from a [`Seed`]), pictures of a position
//! ([`View`]), the misère transform ([`Objective`]), the conformance suite ([`check`]), move-path counts ([`perft`]), small games
//! with known values ([`toy`]), many positions that step together ([`Lanes`]), and the type-erased form ([`DynGame`]) for command
//! lines and servers.
//!
//! This crate depends on nothing.

pub mod check;
mod circuit;
mod erased;
mod game;
mod lanes;
mod moves;
mod nearest;
mod objective;
mod perft;
mod rng;
mod text;
pub mod toy;
mod turn;
mod view;

pub use circuit::{LogicOp, LogicTape, PhaseCircuit, RoleCircuit, RuleCircuit, TapePart};
pub use erased::{DynGame, Playouts, Position};
pub use game::Game;
pub use lanes::{LanePlayouts, Lanes, LegalRow, WAIT};
pub use moves::{Move, Role, Turn};
pub use nearest::nearest_name;
pub use objective::Objective;
pub use perft::perft;
pub use rng::{Rng, Seed};
pub use text::{Charset, Style};
pub use turn::TurnGame;
pub use view::{Cell, Label, Layout, Piece, View};
