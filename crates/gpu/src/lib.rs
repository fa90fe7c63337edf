//! Tens of thousands of searches at once: the rules of any rulesheet and whole searches on a GPU.
//!
//! ```text
//! RuleCircuit ── levels ──> tapes whose operations the threads of a warp share
//!             ── sheet ───> constants for the compiler, and one array of words
//! Spec ──────── player ───> the same for a player, or why it cannot be played
//!               job ──────> games to be played, and what comes back
//!               kernel ───> the source: rules, choose, tree, learn, play (kernels/)
//!               card, compile, launch ──> the source on a GPU
//!               emulate ──> the source as a program of the host, for tests
//! ```
//!
//! The games are those that the search crate plays, move for move: the same seeds, the same draws, the same floating-point
//! operations in the same order. What the kernels cannot do exactly they leave to the processor.

mod card;
mod compile;
pub mod emulate;
mod job;
mod kernel;
mod launch;
mod levels;
mod player;
mod sheet;

pub use card::{Card, CardError};
pub use job::{GpuGame, Job};
pub use launch::{CardTime, MemoryPlan, Sink};
pub use player::PlayerCode;
pub use sheet::Sheet;
