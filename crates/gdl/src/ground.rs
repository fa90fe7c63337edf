//! Grounding: every instance of a clause that could ever matter.
//!
//! 1. Relations that depend on neither state nor moves are computed once, component after component.
//! 2. The others are *over-approximated* from the initial state: what might be true in some state, what some role might
//!    do. Negations of such atoms are taken to hold, a fact that may come stays. This is a join over growing tables
//!    (semi-naive: every solution is found once, when the last of its rows has come).
//! 3. Every solution is an instance: a head, and the atoms of its conditions that are not settled in advance.
//!
//! Nothing is ever enumerated over the product of domains.

mod grounder;
mod join;
mod split;

use crate::dependencies::Dependencies;
pub use crate::limits::Limits;
use crate::rules::{Atom, Clause, Condition, Relation, Rules, relation};
use crate::table::FactTable;
use crate::terms::TermId;
use grounder::Grounder;
use std::time::Duration;

/// Why a sheet could not be grounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// The time is over.
    #[error("grounding took longer than {0:?}")]
    Time(Duration),
    /// There are too many atoms.
    #[error("the rules have more than {0} ground atoms")]
    Atoms(usize),
    /// There are too many instances.
    #[error("the ground rules have more than {0} words")]
    Instances(usize),
    /// Functions of functions of functions.
    #[error("terms are nested more than {0} deep")]
    Depth(u16),
    /// Terms that double and double.
    #[error("terms have more than {0} names")]
    Size(u32),
    /// It would take long, and somebody was against it.
    #[error("grounding takes too long")]
    Refused,
    /// The initial state depends on a state.
    #[error("the initial state depends on facts that change")]
    Initial,
}

/// A sheet without variables.
pub struct Ground {
    /// The rules, with the parts that their clauses were split into and with all terms.
    pub rules: Rules,
    /// The ground atoms by relation.
    tables: Vec<FactTable>,
    /// Whether the atoms of a relation are settled in advance.
    settled: Vec<bool>,
    /// The number of the first atom of every relation.
    offsets: Vec<u32>,
    instances: Vec<Instances>,
}

/// The instances of one clause: head row, rows of positive conditions, rows of negated ones.
#[derive(Default)]
struct Instances {
    rows: Vec<u32>,
    count: usize,
}

/// An atom that may change, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomId(pub u32);

/// An atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroundLiteral {
    /// The atom.
    pub atom: AtomId,
    /// Whether it must fail.
    pub negated: bool,
}

impl Ground {
    /// Grounds a sheet within limits.
    ///
    /// # Errors
    /// Which limit was met.
    pub fn new(rules: &Rules, limits: Limits) -> Result<Ground, GroundError> {
        Ground::with_consent(rules, limits, &mut || true, &|| true)
    }

    /// Grounds a sheet within limits. When it turns out that this takes more than a moment, `consent` is asked once whether to go on.
    /// It ends when it is no longer needed.
    ///
    /// # Errors
    /// Which limit was met, or that there was no consent or no need.
    pub(crate) fn with_consent(
        rules: &Rules,
        limits: Limits,
        consent: &mut dyn FnMut() -> bool,
        is_needed: &dyn Fn() -> bool,
    ) -> Result<Ground, GroundError> {
        let mut rules = rules.clone();
        let dependencies = Dependencies::new(&rules);
        let needed = needed(&rules);
        split::split(&mut rules, &dependencies, &needed);
        Grounder::new(rules, limits, consent, is_needed).run()
    }

    /// The number of atoms that may change.
    pub fn atom_count(&self) -> usize {
        self.offsets.last().map_or(0, |&end| end as usize)
    }

    /// The number of instances.
    pub fn instance_count(&self) -> usize {
        self.instances.iter().map(|instances| instances.count).sum()
    }

    /// The number of relations, those of the keywords first.
    pub fn relation_count(&self) -> usize {
        self.tables.len()
    }

    /// The rows of a relation.
    pub fn rows(&self, relation: Relation) -> impl ExactSizeIterator<Item = &[TermId]> {
        let table = &self.tables[relation.index()];
        (0..table.len()).map(move |row| table.row(row))
    }

    /// The atom of a relation's row.
    pub fn atom(&self, relation: Relation, row: usize) -> AtomId {
        AtomId(self.offsets[relation.index()] + row as u32)
    }

    /// The atom with these arguments, if it may ever hold.
    pub fn find(&self, relation: Relation, args: &[TermId]) -> Option<AtomId> {
        self.tables[relation.index()].find(args).map(|row| self.atom(relation, row as usize))
    }

    /// Whether a relation is the same in all states; then all its rows hold.
    pub fn is_settled(&self, relation: Relation) -> bool {
        self.settled[relation.index()]
    }

    /// Whether an atom of a settled relation holds.
    pub fn has_settled(&self, relation: Relation, args: &[TermId]) -> bool {
        assert!(self.is_settled(relation));
        self.tables[relation.index()].find(args).is_some()
    }

    /// The relation of an atom.
    pub fn relation(&self, atom: AtomId) -> Relation {
        Relation(self.offsets.partition_point(|&offset| offset <= atom.0) as u32 - 1)
    }

    /// The text of an atom.
    pub fn text(&self, atom: AtomId) -> String {
        let relation = self.relation(atom);
        let row = self.tables[relation.index()].row(atom.0 - self.offsets[relation.index()]);
        self.rules.atom_text(relation, row)
    }

    /// Calls `visit` with the head and the conditions of every instance.
    pub fn for_each_instance(&self, mut visit: impl FnMut(AtomId, &[GroundLiteral])) {
        let mut body = Vec::new();
        for (clause, instances) in self.rules.clauses.iter().zip(&self.instances) {
            let relations: Vec<_> =
                self.open_conditions(clause).map(|(atom, negated)| (atom.relation, negated)).collect();
            for rows in instances.rows.chunks_exact(relations.len() + 1) {
                body.clear();
                body.extend(rows[1..].iter().zip(&relations).filter(|&(&row, _)| row != NEVER).map(
                    |(&row, &(relation, negated))| GroundLiteral { atom: self.atom(relation, row as usize), negated },
                ));
                visit(self.atom(clause.head.relation, rows[0] as usize), &body);
            }
        }
    }

    /// The conditions of a clause that are not settled: positive ones first.
    fn open_conditions<'c>(&'c self, clause: &'c Clause) -> impl Iterator<Item = (&'c Atom, bool)> {
        open_conditions(clause, &self.settled)
    }
}

/// In place of a row: the atom never holds.
const NEVER: u32 = u32::MAX;

fn open_conditions<'c>(clause: &'c Clause, settled: &[bool]) -> impl Iterator<Item = (&'c Atom, bool)> {
    let open = move |atom: &&Atom| !settled[atom.relation.index()];
    let positive = clause.body.iter().filter_map(|condition| match condition {
        Condition::Holds(atom) => Some(atom),
        _ => None,
    });
    let negative = clause.body.iter().filter_map(|condition| match condition {
        Condition::Fails(atom) => Some(atom),
        _ => None,
    });
    let positive = positive.filter(open).map(|atom| (atom, false));
    positive.chain(negative.filter(open).map(|atom| (atom, true)))
}

/// The relations on which play depends.
fn needed(rules: &Rules) -> Vec<bool> {
    let mut needed = vec![false; rules.relations.len()];
    let mut open =
        vec![relation::ROLE, relation::INIT, relation::NEXT, relation::LEGAL, relation::GOAL, relation::TERMINAL];
    let mut used: Vec<Vec<Relation>> = vec![Vec::new(); rules.relations.len()];
    for clause in &rules.clauses {
        for condition in &clause.body {
            if let Condition::Holds(atom) | Condition::Fails(atom) = condition {
                used[clause.head.relation.index()].push(atom.relation);
            }
        }
    }
    while let Some(relation) = open.pop() {
        if !std::mem::replace(&mut needed[relation.index()], true) {
            open.extend(&used[relation.index()]);
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sheet;

    fn ground(text: &str) -> Ground {
        let rules = Rules::new(&Sheet::read(text, &mut Vec::new()), &mut Vec::new());
        Ground::new(&rules, Limits::default()).unwrap()
    }

    const WALK: &str = "(role you) (init (at 0)) (init (at 1)) (up 0 1) (up 1 2) (up 5 6)
        (<= (legal you (go ?x ?y)) (true (at ?x)) (up ?x ?y))
        (<= (next (at ?y)) (does you (go ?x ?y)))
        (<= terminal (true (at 2))) (goal you 100)";

    #[test]
    fn only_what_may_be_reached_is_grounded() {
        let ground = ground(WALK);
        let texts = |relation| -> Vec<String> {
            ground.rows(relation).map(|row| ground.rules.atom_text(relation, row)).collect()
        };
        assert_eq!(texts(relation::TRUE), ["(true (at 0))", "(true (at 1))", "(true (at 2))"]);
        assert_eq!(texts(relation::DOES), ["(does you (go 0 1))", "(does you (go 1 2))"]);
    }

    #[test]
    fn parts_keep_the_number_of_instances_small() {
        let squares: String = (0..20).map(|n| format!("(square {n}) (init (on {n} x)) (init (on {n} y)) ")).collect();
        let text = format!(
            "(role you) {squares}
            (<= (other ?a ?b) (square ?a) (square ?b) (distinct ?a ?b))
            (<= (legal you (move ?a ?b ?p)) (true (on ?a ?p)) (square ?b))
            (<= (next (on ?c ?p)) (true (on ?c ?p)) (does you (move ?a ?b ?q)) (other ?c ?a) (other ?c ?b))
            (<= terminal (not (true (on 0 x)))) (goal you 100)"
        );
        // Taken literally the rule for what stays has 40 · 800 instances, nearly.
        let ground = ground(&text);
        assert!(ground.instance_count() < 12_000, "{}", ground.instance_count());
    }
}
