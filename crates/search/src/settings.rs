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
    Param::number(
        "discount",
        1.0,
        (0.0, 1.0),
        "what a score is multiplied by for every step between a move and the end",
    ),
    Param::word("goals", &["own", "difference"], "learn from own scores or, with two roles, from their difference"),
    Param::word("leaf", &["skip", "count"], "whether the simulation that adds a node also counts at that node"),
    Param::number("pace", 1.0, (0.001, 1000.0), "simulations for each one of the budget: equal time for slow players"),
    Param::word("solver", SWITCH_OFF, "prove forced results"),
    Param::whole(
        "decisive",
        0,
        (0, 1_000_000),
        "visits after which a node's moves (up to 31; more moves need more visits) are tried for an immediate win, and a win as the answer to other moves, with solver=on; 0: never. Where a game tells winning moves, a node is looked at once it is new",
    ),
    Param {
        name: "mem",
        about: "memory for the tree; a full tree stops growing",
        kind: Kind::Bytes(1 << 16),
        default: Value::Bytes(1 << 30),
    },
    Param::whole("threads", 1, (1, 256), "threads of a search"),
    Param::word(
        "tree",
        &["own", "shared"],
        "whether threads search trees of their own, whose results are summed, or share one",
    ),
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

/// What a search learns from the scores of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goals {
    /// Every role's own score.
    Own,
    /// In a game of two roles, how much more a role scores than the other.
    Difference,
}

impl Goals {
    /// Puts what is learned in the place of scores. With two roles a difference is moved into [0, 1]: `((s - t) + 1) / 2`.
    #[inline]
    pub(crate) fn apply(self, scores: &mut [f64]) {
        if let (Goals::Difference, [first, second]) = (self, scores) {
            let lead = *first - *second;
            (*first, *second) = ((1.0 + lead) / 2.0, (1.0 - lead) / 2.0);
        }
    }
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
            BatchSize::Auto => budget.about_simulations().is_none(),
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
    /// What a score is multiplied by for every step between a move and the end of its simulation.
    pub discount: f64,
    /// What is learned from scores.
    pub goals: Goals,
    /// Whether the simulation that adds a node also counts there, for the move that it went on with.
    pub counts_leaf: bool,
    /// The simulations that the player makes for each one of its budget.
    pub pace: f64,
    /// Whether forced results are recognised.
    pub solver: bool,
    /// Visits of a node after which its moves are tried for an immediate win; 0: never.
    pub decisive: u32,
    /// Bytes for the tree.
    pub memory: usize,
    /// Threads of a search.
    pub threads: usize,
    /// Whether all threads share one tree.
    pub shares_tree: bool,
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
            discount: args.number("discount"),
            goals: if args.word("goals") == "difference" { Goals::Difference } else { Goals::Own },
            counts_leaf: args.word("leaf") == "count",
            pace: args.number("pace"),
            solver: args.on("solver"),
            decisive: args.whole("decisive") as u32,
            memory: args.whole("mem") as usize,
            threads: args.whole("threads") as usize,
            shares_tree: args.word("tree") == "shared" && args.whole("threads") > 1,
            batch: match args.get("batch") {
                Value::Word(_) => BatchSize::Auto,
                _ => BatchSize::Fixed(args.whole("batch") as usize),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_by_hand() {
        // 24 and 72 of 100: a lead of -0.48 for the first role, (1 - 0.48)/2 = 0.26.
        let mut scores = [0.24, 0.72];
        Goals::Difference.apply(&mut scores);
        assert!((scores[0] - 0.26).abs() < 1e-12 && (scores[1] - 0.74).abs() < 1e-12, "{scores:?}");
        // What sums up to 1 stays as it is, and so do the scores of three roles.
        let (mut won, mut three) = ([1.0, 0.0], [0.5, 0.25, 1.0]);
        Goals::Difference.apply(&mut won);
        Goals::Difference.apply(&mut three);
        assert_eq!((won, three), ([1.0, 0.0], [0.5, 0.25, 1.0]));
        Goals::Own.apply(&mut scores);
        assert!((scores[0] - 0.26).abs() < 1e-12);
    }
}
