//! What a spec can name: the entries of selection rules and playout policies, and how a program adds its own policies.
//!
//! Every selection rule and policy has an entry in its own file; parser, printer, help texts, documents, benches and tests
//! are generated from them.

use crate::{
    params::{Args, Param},
    policy::{POLICIES, Policy},
    policy_spec::{MAX_POLICIES, PolicySpec},
    select::Select,
    trail::CodeSpace,
};
use std::sync::RwLock;

/// A selection rule.
pub struct SelectEntry {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    pub(crate) build: fn(&Args) -> Box<dyn Select>,
}

/// A playout policy. [`PolicyEntry::new`] creates an entry, [`register`] adds it.
#[non_exhaustive]
pub struct PolicyEntry {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Whether it always chooses; then no policy can follow it in a spec.
    pub total: bool,
    /// What it remembers.
    pub memory: Memory,
    /// Rejects values that do not fit together; the reason follows the policy's name in the message.
    pub check: fn(&Args) -> Result<(), String>,
    /// Creates the policy for a game with these codes.
    pub build: Build,
}

/// How a policy is created.
#[derive(Clone, Copy)]
pub enum Build {
    /// From its parameters and the codes of the game.
    Alone(fn(&Args, &CodeSpace) -> Box<dyn Policy>),
    /// From other policies, too: a spec lists them between the parentheses, `auto(mast|lgrf+nst)`.
    Over {
        /// Those that it has if a spec lists none.
        members: &'static str,
        /// The fewest and the most that it can have.
        count: (usize, usize),
        /// Creates the policy.
        build: fn(&Args, &CodeSpace, Vec<Member>) -> Box<dyn Policy>,
    },
}

/// One of the policies among which another one chooses.
pub struct Member {
    /// As a spec names it.
    pub name: String,
    /// The policies in the order in which they are asked.
    pub policies: Vec<Box<dyn Policy>>,
}

/// How much a policy remembers, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Memory {
    /// Nothing.
    Nothing,
    /// Something about every move.
    Moves,
    /// Something about sequences of moves.
    Sequences,
}

impl PolicyEntry {
    /// A policy without parameters that always chooses and remembers something about every move.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        build: fn(&Args, &CodeSpace) -> Box<dyn Policy>,
    ) -> PolicyEntry {
        PolicyEntry::of(name, about, Build::Alone(build))
    }

    /// The same for a policy that chooses among others: these, unless a spec lists some.
    pub const fn over(
        name: &'static str,
        about: &'static str,
        members: &'static str,
        build: fn(&Args, &CodeSpace, Vec<Member>) -> Box<dyn Policy>,
    ) -> PolicyEntry {
        PolicyEntry::of(name, about, Build::Over { members, count: (2, MAX_POLICIES), build })
    }

    const fn of(name: &'static str, about: &'static str, build: Build) -> PolicyEntry {
        let check = |_: &Args| Ok(());
        PolicyEntry { name, about, params: &[], total: true, memory: Memory::Moves, check, build }
    }

    /// Sets how many policies a policy that chooses among others can have.
    #[must_use]
    pub const fn members(self, fewest: usize, most: usize) -> PolicyEntry {
        let Build::Over { members, build, .. } = self.build else { return self };
        PolicyEntry { build: Build::Over { members, count: (fewest, most), build }, ..self }
    }

    /// Sets the parameters.
    #[must_use]
    pub const fn params(self, params: &'static [Param]) -> PolicyEntry {
        PolicyEntry { params, ..self }
    }

    /// Declares that the policy sometimes leaves the choice to the next one in the spec.
    #[must_use]
    pub const fn partial(self) -> PolicyEntry {
        PolicyEntry { total: false, ..self }
    }

    /// Sets how much the policy remembers.
    #[must_use]
    pub const fn memory(self, memory: Memory) -> PolicyEntry {
        PolicyEntry { memory, ..self }
    }

    /// Sets a check of the parameters.
    #[must_use]
    pub const fn check(self, check: fn(&Args) -> Result<(), String>) -> PolicyEntry {
        PolicyEntry { check, ..self }
    }

    /// Whether it reads AMAF sums, which a suitable selection rule collects.
    pub fn reads_amaf(&'static self) -> bool {
        PolicySpec::plain(self).needs().amaf
    }
}

/// The policies that programs have added.
static ADDED: RwLock<Vec<&'static PolicyEntry>> = RwLock::new(Vec::new());

/// Why a policy was not added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// There is a policy of this name.
    #[error("there is already a policy {0:?}")]
    NameTaken(&'static str),
    /// The name cannot be written in a spec.
    #[error("{0:?} is not a valid name: use lower-case letters, digits and hyphens")]
    BadName(&'static str),
}

/// Adds a policy. Every spec parsed afterwards can name it. It stays for the life of the program.
///
/// # Errors
/// If the name is taken or cannot be written in a spec.
pub fn register(entry: PolicyEntry) -> Result<(), RegisterError> {
    let name = entry.name;
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err(RegisterError::BadName(name));
    }
    let mut added = ADDED.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    if POLICIES.iter().chain(added.iter().copied()).any(|known| known.name == name) {
        return Err(RegisterError::NameTaken(name));
    }
    added.push(Box::leak(Box::new(entry)));
    Ok(())
}

/// All policies that a spec can name: [`POLICIES`], and those that were [added](register).
pub fn policies() -> impl Iterator<Item = &'static PolicyEntry> {
    let added = ADDED.read().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    POLICIES.iter().chain(added)
}
