//! Ludens is a general game player: it plays any game whose rules you give it. It uses Monte-Carlo tree search whose playouts learn
//! while it plays, and measures which way of learning plays best.
//!
//! Start here to use Ludens from your own program. This crate re-exports the crates behind it:
//!
//! | you want to | look at |
//! |---|---|
//! | search a game of your own | [`TurnGame`](prelude::TurnGame), [`PlayerBuilder`](prelude::PlayerBuilder), `examples/own_game.rs` |
//! | open a game by its name | [`open`] |
//! | play a rulesheet | [`rulesheet`], `examples/rulesheet.rs` |
//! | compare two players | [`Match`](prelude::Match) |
//! | write a playout policy | [`policy`], `examples/own_policy.rs` |
//! | run an experiment | [`experiment`], `examples/experiment.rs` |
//!
//! # A search in ten lines
//!
//! ```
//! use ludens::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let game = ludens::open("breakthrough:5")?;
//! let mut player = PlayerBuilder::of(game.clone()).spec("uct+ppa")?.seed(1).build()?;
//! let (best, effort) = player.choose(&Budget::simulations(500), &|| false);
//! println!("{} after {} simulations", game.start().move_name(Role(0), best), effort.simulations);
//! # assert_eq!(effort.simulations, 500);
//! # Ok(())
//! # }
//! ```
//!
//! # A game of your own
//!
//! Implement [`TurnGame`](prelude::TurnGame) if one role moves at a time: eight methods are enough. Games with simultaneous moves
//! implement [`Game`](prelude::Game). Every player and policy then works with it, and
//! [`check::conformance`](ludens_game::check::conformance) checks that the game keeps its promises.
//!
//! # How a player is described
//!
//! A player is described by a spec string: a selection rule, playout policies, settings. `uct` is plain UCT;
//! `uct(c=0.7)+nst(eps=0.2)@solver=on` has n-gram playouts and proves forced results; `sironi2021/nst` is an agent from a paper.
//! [`Spec`](prelude::Spec) parses and prints them.

use std::sync::Arc;

pub use ludens_arena as arena;
pub use ludens_catalog as catalog;
pub use ludens_game as game;
pub use ludens_games as games;
pub use ludens_gdl as gdl;
pub use ludens_search as search;

pub use ludens_catalog::OpenError;
use prelude::Playable;

/// What most programs need.
pub mod prelude {
    pub use ludens_arena::{Match, MatchResult};
    pub use ludens_game::{DynGame, Game, Move, Objective, Position, Rng, Role, Seed, Turn, TurnGame, View};
    pub use ludens_search::{Budget, Playable, Player, PlayerBuilder, Report, Spec};
}

/// Playout policies: what one is, and how a program adds its own.
pub mod policy {
    pub use ludens_search::{
        Args, Choice, CodeSpace, Decision, Leaf, Memory, Needs, POLICIES, Param, Policy, PolicyEntry, RegisterError,
        Trail, policies, register,
    };
}

/// Experiments: from a file to records and statistics.
pub mod experiment {
    pub use ludens_arena::{
        Cell, CellResults, Counting, Experiment, OpenGames, Results, Run, RunError, Standing, Store, load, report,
        stats,
    };
}

/// Opens a game by its name: `breakthrough:6`, `go:9,komi=6.5`, `gdl:connect4`, or the path of a `.kif` file.
///
/// ```
/// let game = ludens::open("gdl:tictactoe")?;
/// assert_eq!(game.role_names(), ["crosses", "noughts"]);
/// assert!(ludens::open("checkerz").is_err());
/// # Ok::<(), ludens::OpenError>(())
/// ```
///
/// # Errors
/// If there is no such game, or its file cannot be played.
pub fn open(name: &str) -> Result<Arc<dyn Playable>, OpenError> {
    ludens_catalog::open(name)
}

/// Opens a game from rules in the Game Description Language.
///
/// ```
/// let rules = "(role you) (init ready) (legal you go) (<= (next done) (does you go)) (<= terminal (true done)) (goal you 100)";
/// let game = ludens::rulesheet("go-once", rules)?;
/// let mut position = game.start();
/// assert!(position.scores().is_none());
/// let go = position.legals(ludens::prelude::Role(0))[0];
/// position.advance(&[go]);
/// assert_eq!(position.scores(), Some(vec![1.0]));
/// # Ok::<(), ludens::OpenError>(())
/// ```
///
/// # Errors
/// If the rules have errors: the place of the first one, and what is wrong with it.
pub fn rulesheet(name: &str, rules: &str) -> Result<Arc<dyn Playable>, OpenError> {
    ludens_catalog::open_rules(name, rules)
}

/// The program in the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
