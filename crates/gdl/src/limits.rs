//! [`Limits`]: how much a rulesheet may cost. Sheets come from strangers; the command line, the network player and the page
//! all read and play them within the same defaults.

use std::time::Duration;

/// What a sheet may cost, from its first byte to its last position.
///
/// Every limit but [`time`](Limits::time) counts something of the sheet itself, so that the same sheet meets the same limit on
/// every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the sheet. People have written 70,000.
    pub bytes: usize,
    /// Lists nested in each other.
    pub nesting: usize,
    /// Roles.
    pub roles: usize,
    /// Arguments of a relation or function. People have written 50.
    pub arguments: usize,
    /// Conditions of one rule: ordering them takes time that grows with the square. People have written 102.
    pub body: usize,
    /// Clauses that one rule stands for once its `or`s are multiplied out.
    pub alternatives: usize,
    /// Names and variables of one such clause.
    pub clause_size: usize,
    /// Conditions of all clauses together.
    pub conditions: usize,
    /// Terms that are visited to solve the equations of all rules, which are negated `distinct`s.
    pub equations: usize,
    /// How deep functions may be nested in a term that the rules build.
    pub term_depth: u16,
    /// Names in a term that the rules build.
    pub term_size: u32,
    /// Wall-clock time of grounding.
    pub time: Duration,
    /// Ground atoms of one relation.
    pub atoms: usize,
    /// Ground instances of clauses, in words.
    pub instances: usize,
    /// Steps that the interpreter may take to answer one question about a position. A million take about a tenth of a second.
    pub steps: u64,
    /// Questions that wait for each other's answers. The stack of a thread must be large enough for them.
    pub proof_depth: u32,
    /// Bytes that the interpreter may hold.
    pub memory: usize,
    /// Moves of all roles that the interpreter tells apart. Searches learn about 262,142 at most.
    pub moves: usize,
}

impl Limits {
    /// The limits of everything that is not told otherwise.
    pub const DEFAULT: Limits = Limits {
        bytes: 1 << 20,
        nesting: 500,
        roles: 100,
        arguments: 1000,
        body: 1000,
        alternatives: 20_000,
        clause_size: 10_000,
        conditions: 500_000,
        equations: 2_000_000,
        term_depth: 100,
        term_size: 10_000,
        time: Duration::from_secs(20),
        atoms: 3_000_000,
        instances: 60_000_000,
        steps: 5_000_000,
        proof_depth: 1500,
        memory: 48 << 20,
        moves: 240_000,
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::DEFAULT
    }
}
