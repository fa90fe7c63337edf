//! Runs the plan of one clause over the tables.

use super::GroundError;
use super::grounder::GroundingGuard;
use crate::plan::{Access, find_instance};
use crate::rules::{Atom, Pattern};
use crate::table::FactTable;
use crate::terms::{TermId, Terms};

/// Where a join may look.
pub(super) struct Join<'t, 'c> {
    pub(super) terms: &'t Terms,
    pub(super) tables: &'t [FactTable],
    pub(super) steps: &'t [JoinStep],
    pub(super) watch: &'t GroundingGuard<'c>,
}

/// A step of a plan with everything that it needs.
pub(super) enum JoinStep {
    Distinct(Pattern, Pattern),
    /// The atom is in its table, below the limit; its row goes to `slot`.
    Present {
        atom: Atom,
        limit: u32,
        slot: Option<usize>,
    },
    Absent(Atom),
    /// The rows below the limit that an index finds.
    Scan {
        relation: usize,
        index: usize,
        access: Access,
        limit: u32,
        slot: Option<usize>,
    },
}

/// Values of the variables and rows of the conditions so far, and the finished solutions: values, then rows.
pub(super) struct Frame {
    pub(super) values: Vec<TermId>,
    pub(super) rows: Vec<u32>,
    pub(super) out: Vec<u32>,
}

impl Join<'_, '_> {
    /// Appends all solutions that extend the frame.
    pub(super) fn run(&self, step: usize, frame: &mut Frame) -> Result<(), GroundError> {
        let Some(now) = self.steps.get(step) else {
            frame.out.extend(frame.values.iter().map(|value| value.0));
            frame.out.extend_from_slice(&frame.rows);
            if frame.values.is_empty() && frame.rows.is_empty() {
                // A solution without any word would not be seen.
                frame.out.push(0);
            }
            return self.watch.found(frame.out.len());
        };
        self.watch.tick()?;
        match now {
            JoinStep::Distinct(left, right) => {
                let value = |pattern| find_instance(pattern, self.terms, &frame.values);
                // A term that does not exist differs from all that do; two such patterns are compared part by part.
                let same = match (value(left), value(right)) {
                    (Some(left), Some(right)) => left == right,
                    (None, None) => same_instance(left, right, self.terms, &frame.values),
                    _ => false,
                };
                if !same {
                    self.run(step + 1, frame)?;
                }
            }
            JoinStep::Present { atom, limit, slot } => {
                if let Some(row) = self.find(atom, frame).filter(|row| row < limit) {
                    if let Some(slot) = slot {
                        frame.rows[*slot] = row;
                    }
                    self.run(step + 1, frame)?;
                }
            }
            JoinStep::Absent(atom) => {
                if self.find(atom, frame).is_none() {
                    self.run(step + 1, frame)?;
                }
            }
            JoinStep::Scan { relation, index, access, limit, slot } => {
                let table = &self.tables[*relation];
                let mut key = [TermId(0); 16];
                let mut long_key = Vec::new();
                let key: &[TermId] = match access.key.len() {
                    n if n <= key.len() => {
                        access.write_key(&frame.values, &mut key[..n]);
                        &key[..n]
                    }
                    n => {
                        long_key.resize(n, TermId(0));
                        access.write_key(&frame.values, &mut long_key);
                        &long_key
                    }
                };
                let mut at = table.first(self.terms, *index, key);
                while let Some(row) = at.filter(|row| row < limit) {
                    if access.read(self.terms, table.row(row), &mut frame.values) {
                        if let Some(slot) = slot {
                            frame.rows[*slot] = row;
                        }
                        self.run(step + 1, frame)?;
                    }
                    at = table.next(*index, row);
                }
            }
        }
        Ok(())
    }

    fn find(&self, atom: &Atom, frame: &Frame) -> Option<u32> {
        let mut row = [TermId(0); 8];
        if atom.args.len() > row.len() {
            let row: Option<Vec<_>> =
                atom.args.iter().map(|arg| find_instance(arg, self.terms, &frame.values)).collect();
            return self.tables[atom.relation.index()].find(&row?);
        }
        for (place, arg) in row.iter_mut().zip(&atom.args) {
            *place = find_instance(arg, self.terms, &frame.values)?;
        }
        self.tables[atom.relation.index()].find(&row[..atom.args.len()])
    }
}

fn same_instance(left: &Pattern, right: &Pattern, terms: &Terms, values: &[TermId]) -> bool {
    match (left, right) {
        (Pattern::Function(f, a), Pattern::Function(g, b)) => {
            f == g && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_instance(a, b, terms, values))
        }
        _ => match (find_instance(left, terms, values), find_instance(right, terms, values)) {
            (Some(left), Some(right)) => left == right,
            _ => false,
        },
    }
}
