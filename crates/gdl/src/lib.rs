//! Game Description Language: from a rulesheet to a fast [`Game`](ludens_game::Game).
//!
//! ```text
//! text ── sexpr ──> words and lists, with places
//!      ── ast ────> Sheet      the rules as written                    (check: remarks for the author)
//!      ── rules ──> Rules      one form: conjunctions of literals over hash-consed terms
//!      ── ground ─> Ground     every rule instance that can ever apply, by joins
//!      ── network > Network    gates; simplify makes it small
//!      ── machine > Machine    the fast game: changes are propagated through counters
//!      ── tape ───> Tape       gates as operations on many states at once; phases proves whose turn it is
//!      ── lanes ──> LaneMachine  the engine for hundreds of positions that step together
//!
//! Rules ─ interp ─> Interpreter  the slow, obvious game: the oracle of the tests, and the engine
//!                                used where grounding reaches its limits
//! DeadEnds<G>                    either engine, safe to search even where a role has no legal move
//! ```

pub mod ast;
pub mod check;
mod components;
mod dead_ends;
mod dependencies;
pub mod diagnostic;
pub mod domains;
mod examine;
mod game;
pub mod ground;
mod grouped;
mod in_use;
pub mod interp;
pub mod lanes;
mod limits;
pub mod machine;
pub mod network;
mod open;
mod phases;
mod plan;
mod ranges;
pub mod render;
pub mod rules;
pub mod sexpr;
pub mod simplify;
pub mod source;
pub mod symbols;
mod table;
mod tape;
pub mod terms;
pub mod testing;
pub mod trace;
pub mod view;

pub use ast::Sheet;
pub use check::Checked;
pub use dead_ends::DeadEnds;
pub use diagnostic::{Diagnostic, Severity, Span};
pub use examine::{Examined, examine};
pub use game::GdlGame;
pub use interp::{Failure, Interpreter};
pub use lanes::{LaneMachine, LaneSizes, Vectors};
pub use limits::Limits;
pub use machine::Machine;
pub use open::{Engine, Opened, Report, ground, interpret, open, open_while};
pub use rules::Rules;
