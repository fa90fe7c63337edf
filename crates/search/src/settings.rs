//! The settings of a search, which a spec has behind its `@`.

use crate::{
    budget::Budget,
    params::{Args, Kind, Param, SWITCH_OFF, SWITCH_ON, Value},
};

/// All settings of a search, written behind `@` in a spec.
pub static SETTINGS: &[Param] = &[
    Param::word("tt", SWITCH_ON, "share nodes between move orders that reach the same position"),
    Param::word("reuse", SWITCH_ON, "keep the tree between moves"),
    Param::word("think", &["own", "every"], "search only where the role has a choice, or at every step"),
    Param::word("final", &["visits", "score"], "play the move with the most visits or the best mean score"),
    Param::whole("depth", 500, (1, 1 << 30), "steps after which a simulation is cut off"),
    Param::word("solver", SWITCH_OFF, "prove forced results"),
    Param::whole(
        "decisive",
        0,
        (0, 1_000_000),
        "visits after which a node's moves are tried for an immediate win, with solver=on; 0: never",
    ),
    Param {
        name: "mem",
        about: "memory for the tree; a full tree stops growing",
        kind: Kind::Bytes(1 << 16),
        default: Value::Bytes(1 << 30),
    },
    Param::whole("threads", 1, (1, 256), "independent searches whose results are summed"),
    Param {
        name: "batch",
        about: "simulations of one tree in flight at once (rulesheets only); auto: 128 for time budgets if a trial shows a gain",
        kind: Kind::WholeOrAuto(1, 4096),
        default: Value::Whole(1),
    },
];

/// What makes the final move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Final {
    /// The most visits.
    Visits,
    /// The best mean score.
    Score,
}

/// How many simulations of one tree are in flight at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchSize {
    /// So many.
    Fixed(usize),
    /// Many if a search has nothing but a clock to keep to, and if they are so much faster that it pays. With a number of
    /// simulations it is one: they are worth more if each knows the results of all before it.
    Auto,
}

impl BatchSize {
    /// The lanes that it may take.
    pub fn lanes(self) -> usize {
        match self {
            BatchSize::Fixed(count) => count,
            BatchSize::Auto => 128,
        }
    }

    /// Whether there are several simulations in flight in a search with this budget.
    pub fn is_many(self, budget: &Budget) -> bool {
        match self {
            BatchSize::Fixed(count) => count > 1,
            BatchSize::Auto => budget.simulations.is_none() && budget.nodes.is_none(),
        }
    }
}

/// The settings of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Whether positions reached in different ways share a node.
    pub transpositions: bool,
    /// Whether the tree is kept from move to move.
    pub reuse: bool,
    /// Whether to search where there is nothing to decide.
    pub think_every: bool,
    /// What makes the final move.
    pub final_by: Final,
    /// Steps after which a simulation is cut off.
    pub depth: u32,
    /// Whether forced results are recognised.
    pub solver: bool,
    /// Visits of a node after which its moves are tried for an immediate win; 0: never.
    pub decisive: u32,
    /// Bytes for the tree.
    pub memory: usize,
    /// Independent searches.
    pub threads: usize,
    /// Simulations in flight at once, if the game has lanes.
    pub batch: BatchSize,
}

impl Settings {
    pub(crate) fn of(args: &Args) -> Settings {
        Settings {
            transpositions: args.on("tt"),
            reuse: args.on("reuse"),
            think_every: args.word("think") == "every",
            final_by: if args.word("final") == "score" { Final::Score } else { Final::Visits },
            depth: args.whole("depth") as u32,
            solver: args.on("solver"),
            decisive: args.whole("decisive") as u32,
            memory: args.whole("mem") as usize,
            threads: args.whole("threads") as usize,
            batch: match args.get("batch") {
                Value::Word(_) => BatchSize::Auto,
                _ => BatchSize::Fixed(args.whole("batch") as usize),
            },
        }
    }
}
