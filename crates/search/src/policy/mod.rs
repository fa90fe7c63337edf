//! Playout policies: each one object in one file that owns its tables.
//!
//! A policy sees numbers, not moves, and never a position. It is asked at every decision of a playout, and after every
//! simulation it reads the whole trail, tree part and playout part.

use crate::{
    registry::PolicyEntry,
    trail::Trail,
    tree::{NodeId, Tree},
};
use ludens_game::{Move, Rng, Role};

/// Declares the files of the policies and lists their entries.
macro_rules! policies {
    ($($file:ident),*) => {
        $(mod $file;)*

        /// The policies of this crate. A new one is a file with an `ENTRY` and its name here.
        pub static POLICIES: &[PolicyEntry] = &[$($file::ENTRY),*];
    };
}

policies![uniform, mast, nst, lgrf, ppa, nppa, poolrave, ppr, auto, lasting];

/// What a policy needs to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The moves of every step of a simulation.
    pub trail: bool,
    /// The codes of all legal moves of every decision, not only of the one played.
    pub legal: bool,
    /// These codes with move features.
    pub features: bool,
    /// AMAF sums at the nodes of the tree.
    pub amaf: bool,
    /// Where the playout started. Such a policy can follow only one playout at a time.
    pub leaf: bool,
    /// Whether moves last: [`Leaf::moves_last`].
    pub lasting: bool,
}

impl Needs {
    /// The needs of both.
    #[must_use]
    pub fn and(self, other: Needs) -> Needs {
        Needs {
            trail: self.trail | other.trail,
            legal: self.legal | other.legal,
            features: self.features | other.features,
            amaf: self.amaf | other.amaf,
            leaf: self.leaf | other.leaf,
            lasting: self.lasting | other.lasting,
        }
    }
}

/// A decision to be made: a role with more than one move.
pub struct Decision<'a> {
    /// Who decides.
    pub role: Role,
    /// The moves to choose from, ascending.
    pub moves: &'a [Move],
    /// The code of the role's move 0.
    pub first: u32,
    /// Their codes relative to the role's first, if [`Needs::legal`].
    pub legal: &'a [u32],
    /// The simulation so far.
    pub trail: &'a Trail,
}

/// Where a playout begins.
pub struct Leaf<'a> {
    /// The tree.
    pub tree: &'a Tree,
    /// The nodes from the root to the newest one.
    pub path: &'a [NodeId],
    /// The budget of the search in simulations, or how many there were if it has another limit.
    pub simulations: u64,
    /// Whether nearly all later moves of a simulation could be played at the root, as where stones are placed and stay; `false` unless
    /// a policy [asks](Needs::lasting).
    pub moves_last: bool,
}

impl Leaf<'_> {
    /// The arms of the root's first decider.
    pub fn root_arms(&self) -> usize {
        let root = self.path[0];
        if self.tree.deciders(root) == 0 { 0 } else { self.tree.arms(root, 0).len() }
    }
}

/// What a policy that chooses among others has found out about one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// The policy, as a spec names it.
    pub policy: String,
    /// The playouts that it chose for; older ones count less.
    pub playouts: f64,
    /// Their mean score for the role, if there were any.
    pub score: Option<f64>,
}

/// A playout policy.
pub trait Policy: Send {
    /// What it needs to know.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// A playout begins.
    fn begin(&mut self, leaf: &Leaf<'_>, rng: &mut Rng) {
        let _ = (leaf, rng);
    }

    /// Whether to leave this decision of a role to chance. Called before every [`choose`](Policy::choose), before the moves are
    /// listed.
    fn explores(&self, role: Role, rng: &mut Rng) -> bool {
        let _ = (role, rng);
        false
    }

    /// Whether the choices of the playout under way can be made without a list of the moves: by drawing moves until it
    /// [takes](Policy::takes) one. Nobody reads the legal moves of such choices.
    fn draws(&self) -> bool {
        false
    }

    /// Whether to play a move that was drawn uniformly, by its code.
    fn takes(&self, role: Role, code: u32, rng: &mut Rng) -> bool {
        let _ = (role, code, rng);
        true
    }

    /// The index of the chosen move among the decision's moves, or `None` to let the next policy choose.
    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize>;

    /// A simulation has ended with these scores, one per role.
    fn learn(&mut self, trail: &Trail, scores: &[f64]) {
        let _ = (trail, scores);
    }

    /// The real game advanced by one step.
    fn new_turn(&mut self) {}

    /// A new game starts; forgets everything.
    fn reset(&mut self) {}

    /// The bytes held by its tables.
    fn bytes(&self) -> usize;

    /// Its opinion of a move, by code; `None` if it has none. Comparable within one policy and role.
    fn value_of(&self, code: u32) -> Option<f64> {
        let _ = code;
        None
    }

    /// How a policy that chooses among others has used them for a role; empty for all other policies.
    fn shares(&self, role: Role) -> Vec<Share> {
        let _ = role;
        Vec::new()
    }

    /// Whether a game starts with weights that were learned beforehand, see [`snapshot`](Policy::snapshot).
    fn starts_learned(&self) -> bool {
        false
    }

    /// What was learned, as numbers for [`restore`](Policy::restore); empty if there is nothing to keep.
    fn snapshot(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Restores a snapshot of a policy with the same game and parameters.
    fn restore(&mut self, snapshot: &[f64]) {
        let _ = snapshot;
    }
}

#[cfg(test)]
pub(crate) mod test {
    use super::{Decision, Policy};
    use crate::trail::{CodeSpace, Trail};
    use ludens_game::{Move, Role, Seed};

    /// What a policy chooses at the first step of a simulation.
    pub(crate) fn choose(policy: &mut dyn Policy, space: &CodeSpace, role: u8, legal: &[u32]) -> Option<usize> {
        choose_after(policy, space, &[], role, legal)
    }

    /// What a policy chooses after a history.
    pub(crate) fn choose_after(
        policy: &mut dyn Policy,
        space: &CodeSpace,
        history: &[&[(&[u32], usize)]],
        role: u8,
        legal: &[u32],
    ) -> Option<usize> {
        let moves: Vec<_> = legal.iter().copied().map(Move).collect();
        let trail = Trail::by_hand(space, history);
        let first = space.first(Role(role));
        let decision = Decision { role: Role(role), moves: &moves, first, legal, trail: &trail };
        let mut rng = Seed::new(1).rng();
        assert!(!policy.explores(Role(role), &mut rng), "the policy chooses at random");
        policy.choose(&decision, &mut rng)
    }

    /// How often a policy chooses each move, of 40,000 draws.
    pub(crate) fn frequencies(policy: &mut dyn Policy, space: &CodeSpace, role: u8, legal: &[u32]) -> Vec<f64> {
        let moves: Vec<_> = legal.iter().copied().map(Move).collect();
        let trail = Trail::by_hand(space, &[]);
        let first = space.first(Role(role));
        let mut rng = Seed::new(2).rng();
        let mut counts = vec![0; legal.len()];
        for _ in 0..40_000 {
            let decision = Decision { role: Role(role), moves: &moves, first, legal, trail: &trail };
            counts[policy.choose(&decision, &mut rng).expect("the policy always chooses")] += 1;
        }
        counts.into_iter().map(|count| f64::from(count) / 40_000.0).collect()
    }
}
