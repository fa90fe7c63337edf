//! Fills the tables: solves clauses over growing relations and writes their instances down.

use super::join::{Frame, Join, JoinStep};
use super::{Ground, GroundError, Instances, Limits, NEVER, needed, open_conditions};
use crate::dependencies::Dependencies;
use crate::plan::{self, Step, instance};
use crate::rules::{Atom, Clause, Condition, Pattern, Relation, Rules, relation};
use crate::table::FactTable;
use crate::terms::TermId;
use std::cell::{Cell, RefCell};
use std::time::Instant;

/// What a sheet may cost before anybody is asked for consent: steps of joins, words, atoms.
const MOMENT: (u64, usize, usize) = (10_000_000, 4_000_000, 200_000);

/// Keeps the limits.
pub(super) struct GroundingGuard<'c> {
    limits: Limits,
    start: Instant,
    ticks: Cell<u64>,
    /// Whom to ask whether to go on, until they have been asked.
    consent: RefCell<Option<&'c mut dyn FnMut() -> bool>>,
    is_needed: &'c dyn Fn() -> bool,
}

impl GroundingGuard<'_> {
    /// Looks at the clock now and then: for the innermost loops.
    #[inline]
    pub(super) fn tick(&self) -> Result<(), GroundError> {
        self.ticks.set(self.ticks.get() + 1);
        if self.ticks.get() & 0x3fff == 0 { self.look() } else { Ok(()) }
    }

    /// Looks at the clock.
    fn look(&self) -> Result<(), GroundError> {
        if self.ticks.get() > MOMENT.0 {
            self.ask()?;
        }
        if !(self.is_needed)() {
            return Err(GroundError::Refused);
        }
        if self.start.elapsed() > self.limits.time { Err(GroundError::Time(self.limits.time)) } else { Ok(()) }
    }

    /// This takes more than a moment.
    fn ask(&self) -> Result<(), GroundError> {
        let has_consent = self.consent.take().is_none_or(|consent| consent());
        if has_consent { Ok(()) } else { Err(GroundError::Refused) }
    }

    fn atoms(&self, count: usize) -> Result<(), GroundError> {
        if count > MOMENT.2 {
            self.ask()?;
        }
        if count > self.limits.atoms { Err(GroundError::Atoms(self.limits.atoms)) } else { Ok(()) }
    }

    pub(super) fn found(&self, words: usize) -> Result<(), GroundError> {
        if words > MOMENT.1 {
            self.ask()?;
        }
        if words > self.limits.instances { Err(GroundError::Instances(self.limits.instances)) } else { Ok(()) }
    }
}

/// The tables while they grow.
pub(super) struct Grounder<'c> {
    rules: Rules,
    dependencies: Dependencies,
    settled: Vec<bool>,
    tables: Vec<FactTable>,
    /// Atoms that are negated somewhere, by relation.
    negated: Vec<FactTable>,
    instances: Vec<Instances>,
    /// Per relation: rows whose solutions have all been found, and rows of the round under way.
    old: Vec<u32>,
    now: Vec<u32>,
    plans: Vec<Vec<Option<Plan>>>,
    watch: GroundingGuard<'c>,
    words: usize,
}

/// A plan, and the sizes for which it was made.
#[derive(Clone)]
struct Plan {
    steps: Vec<Step>,
    sizes: Vec<u32>,
}

impl<'c> Grounder<'c> {
    pub(super) fn new(
        rules: Rules,
        limits: Limits,
        consent: &'c mut dyn FnMut() -> bool,
        is_needed: &'c dyn Fn() -> bool,
    ) -> Grounder<'c> {
        let dependencies = Dependencies::new(&rules);
        let tables: Vec<_> = rules.relations.iter().map(|&(_, arity)| FactTable::new(arity)).collect();
        let count = tables.len();
        // Negation within a cycle of relations can only be judged on the ground atoms, so those wait for the network;
        // and so does what depends on them.
        let component = |relation: Relation| dependencies.component[relation.index()] as usize;
        let mut unsettled = vec![false; count];
        for r in (0..count as u32).map(Relation) {
            unsettled[component(r)] |= !dependencies.is_static(r) || dependencies.negates_itself[r.index()];
        }
        // What a relation depends on has a lower number.
        let mut upwards: Vec<_> = rules.clauses.iter().collect();
        upwards.sort_by_key(|clause| component(clause.head.relation));
        for clause in upwards {
            let open = clause.body.iter().any(|condition| match condition {
                Condition::Holds(atom) | Condition::Fails(atom) => unsettled[component(atom.relation)],
                Condition::Distinct(..) => false,
            });
            unsettled[component(clause.head.relation)] |= open;
        }
        let settled = (0..count as u32).map(|r| !unsettled[component(Relation(r))]).collect();
        Grounder {
            instances: rules.clauses.iter().map(|_| Instances::default()).collect(),
            plans: rules.clauses.iter().map(|clause| vec![None; clause.body.len() + 1]).collect(),
            negated: tables.clone(),
            tables,
            settled,
            dependencies,
            old: vec![0; count],
            now: vec![0; count],
            rules,
            watch: GroundingGuard {
                limits,
                start: Instant::now(),
                ticks: Cell::new(0),
                consent: RefCell::new(Some(consent)),
                is_needed,
            },
            words: 0,
        }
    }

    pub(super) fn run(mut self) -> Result<Ground, GroundError> {
        let needed = needed(&self.rules);
        if !self.settled[relation::INIT.index()] || !self.settled[relation::ROLE.index()] {
            return Err(GroundError::Initial);
        }
        let mut by_component: Vec<Vec<usize>> = vec![Vec::new(); self.tables.len()];
        let mut open = Vec::new();
        for (number, clause) in self.rules.clauses.iter().enumerate() {
            let head = clause.head.relation.index();
            match (needed[head], self.settled[head]) {
                (false, _) => {}
                (true, true) => by_component[self.dependencies.component[head] as usize].push(number),
                (true, false) => open.push(number),
            }
        }
        for clauses in by_component.iter().filter(|clauses| !clauses.is_empty()) {
            let mut heads: Vec<_> = clauses.iter().map(|&number| self.rules.clauses[number].head.relation).collect();
            heads.sort_unstable();
            heads.dedup();
            self.saturate(clauses, &|relation| heads.binary_search(&relation).is_ok())?;
        }
        for row in 0..self.tables[relation::INIT.index()].len() {
            let fact = self.tables[relation::INIT.index()].row(row)[0];
            self.tables[relation::TRUE.index()].insert(&self.rules.terms, &[fact]);
        }
        let settled = self.settled.clone();
        self.saturate(&open, &|relation| !settled[relation.index()])?;
        Ok(self.finish())
    }

    /// Finds all solutions of some clauses. `moving`: the relations whose tables may grow meanwhile.
    fn saturate(&mut self, clauses: &[usize], moving: &dyn Fn(Relation) -> bool) -> Result<(), GroundError> {
        let places = |clause: &Clause| -> Vec<usize> {
            let holds = |condition: &Condition| matches!(condition, Condition::Holds(atom) if moving(atom.relation));
            (0..clause.body.len()).filter(|&index| holds(&clause.body[index])).collect()
        };
        let places: Vec<_> = clauses.iter().map(|&number| places(&self.rules.clauses[number])).collect();
        let relations: Vec<usize> = (0..self.tables.len()).filter(|&r| moving(Relation(r as u32))).collect();
        for (&number, places) in clauses.iter().zip(&places) {
            if places.is_empty() {
                self.solve(number, None, places)?;
            }
        }
        loop {
            let mut grown = false;
            for &relation in &relations {
                self.old[relation] = self.now[relation];
                self.now[relation] = self.tables[relation].len();
                grown |= self.old[relation] < self.now[relation];
            }
            if !grown {
                return Ok(());
            }
            for (&number, places) in clauses.iter().zip(&places) {
                for &place in places {
                    let Condition::Holds(atom) = &self.rules.clauses[number].body[place] else { continue };
                    let relation = atom.relation.index();
                    if self.old[relation] < self.now[relation] {
                        self.solve(number, Some(place), places)?;
                    }
                }
            }
        }
    }

    /// Finds the solutions of a clause in which the condition `delta` holds by a row of the last round, those of `moving`
    /// before it by older rows, and those after it by either.
    fn solve(&mut self, number: usize, delta: Option<usize>, moving: &[usize]) -> Result<(), GroundError> {
        self.watch.look()?;
        let clause = self.rules.clauses[number].clone();
        self.plan(number, &clause, delta);
        let slot_of = |relation: Relation, index: usize| {
            let open = |i: &usize| matches!(&clause.body[*i], Condition::Holds(a) if !self.settled[a.relation.index()]);
            (!self.settled[relation.index()]).then(|| (0..index).filter(open).count())
        };
        let slots = (0..clause.body.len()).filter_map(|i| match &clause.body[i] {
            Condition::Holds(atom) => slot_of(atom.relation, i),
            _ => None,
        });
        let slots = slots.count();
        let limit = |relation: Relation, index: usize| match (moving.contains(&index), delta) {
            (true, Some(delta)) if index < delta => self.old[relation.index()],
            (true, _) => self.now[relation.index()],
            (false, _) => u32::MAX,
        };
        let plan = self.plans[number][delta.map_or(0, |delta| delta + 1)].clone().expect("it was planned");
        let mut steps = Vec::with_capacity(plan.steps.len());
        let mut first = None;
        for step in &plan.steps {
            match step {
                Step::Test(index) => match &clause.body[*index] {
                    Condition::Distinct(left, right) => steps.push(JoinStep::Distinct(left.clone(), right.clone())),
                    Condition::Fails(atom) if self.settled[atom.relation.index()] => {
                        steps.push(JoinStep::Absent(atom.clone()));
                    }
                    Condition::Fails(_) => {}
                    Condition::Holds(atom) => steps.push(JoinStep::Present {
                        atom: atom.clone(),
                        limit: limit(atom.relation, *index),
                        slot: slot_of(atom.relation, *index),
                    }),
                },
                Step::Scan(index, access) if delta == Some(*index) => first = Some((*index, access)),
                Step::Scan(index, access) => {
                    let Condition::Holds(atom) = &clause.body[*index] else { continue };
                    let relation = atom.relation.index();
                    let limit = limit(atom.relation, *index);
                    let slot = slot_of(atom.relation, *index);
                    let index = self.tables[relation].index(&self.rules.terms, &access.shape);
                    steps.push(JoinStep::Scan { relation, index, access: access.clone(), limit, slot });
                }
            }
        }
        let mut frame =
            Frame { values: vec![TermId(0); clause.variables as usize], rows: vec![0; slots], out: Vec::new() };
        let Some((index, access)) = first else {
            self.join(&steps, &mut frame)?;
            return self.record(number, &clause, &mut frame);
        };
        let Condition::Holds(atom) = &clause.body[index] else { return Ok(()) };
        let (relation, slot) = (atom.relation.index(), slot_of(atom.relation, index));
        for row in self.old[relation]..self.now[relation] {
            if !access.read(&self.rules.terms, self.tables[relation].row(row), &mut frame.values) {
                continue;
            }
            if let Some(slot) = slot {
                frame.rows[slot] = row;
            }
            self.join(&steps, &mut frame)?;
            if frame.out.len() > 1 << 16 {
                self.record(number, &clause, &mut frame)?;
            }
        }
        self.record(number, &clause, &mut frame)
    }

    fn join(&self, steps: &[JoinStep], frame: &mut Frame) -> Result<(), GroundError> {
        Join { terms: &self.rules.terms, tables: &self.tables, steps, watch: &self.watch }.run(0, frame)
    }

    /// Makes sure that there is a plan for a clause, made for tables of about their present sizes.
    fn plan(&mut self, number: usize, clause: &Clause, delta: Option<usize>) {
        let sizes: Vec<u32> = clause
            .body
            .iter()
            .map(|condition| match condition {
                Condition::Holds(atom) => self.tables[atom.relation.index()].len(),
                _ => 0,
            })
            .collect();
        let place = delta.map_or(0, |delta| delta + 1);
        let fits =
            |plan: &Plan| plan.sizes.iter().zip(&sizes).all(|(&then, &now)| now <= then.saturating_mul(4).max(16));
        if self.plans[number][place].as_ref().is_some_and(fits) {
            return;
        }
        let (tables, terms, settled) = (&mut self.tables, &self.rules.terms, &self.settled);
        let mut solutions = |index: usize, bound: &[bool]| {
            let Condition::Holds(atom) = &clause.body[index] else { return f64::INFINITY };
            let table = &mut tables[atom.relation.index()];
            if settled[atom.relation.index()] {
                let access = plan::Access::new(&atom.args, &mut bound.to_vec());
                let index = table.index(terms, &access.shape);
                table.rows_per_key(index)
            } else {
                plan::guess(atom, bound, f64::from(table.len()))
            }
        };
        let mut bound = vec![false; clause.variables as usize];
        let steps = plan::plan(clause, delta, &mut bound, &mut solutions);
        self.plans[number][place] = Some(Plan { steps, sizes });
    }

    /// Adds the heads of solutions to their table and, unless the head is settled, the solutions to the instances.
    fn record(&mut self, number: usize, clause: &Clause, frame: &mut Frame) -> Result<(), GroundError> {
        let width = clause.variables as usize;
        let stride = width + frame.rows.len();
        let solutions = std::mem::take(&mut frame.out);
        let head = clause.head.relation;
        let mut values = vec![TermId(0); width];
        let mut row = Vec::new();
        let count = solutions.len().checked_div(stride).unwrap_or(solutions.len());
        let is_open = !self.settled[head.index()];
        let negated = open_conditions(clause, &self.settled).filter(|&(_, negated)| negated);
        let negated: Vec<&Atom> = negated.map(|(atom, _)| atom).collect();
        for solution in 0..count {
            let words = &solutions[solution * stride..][..stride];
            for (value, &word) in values.iter_mut().zip(words) {
                *value = TermId(word);
            }
            row.clear();
            for arg in &clause.head.args {
                let term = instance(arg, &mut self.rules.terms, &values);
                row.push(term);
                if matches!(arg, Pattern::Variable(_)) {
                    // The rows that gave it its value were within the limits.
                    continue;
                }
                let Limits { term_depth, term_size, .. } = self.watch.limits;
                if self.rules.terms.depth(term) > term_depth {
                    return Err(GroundError::Depth(term_depth));
                }
                if self.rules.terms.size(term) > term_size {
                    return Err(GroundError::Size(term_size));
                }
            }
            let (head_row, new) = self.tables[head.index()].insert(&self.rules.terms, &row);
            if new {
                self.derive(head, &row)?;
            }
            if is_open {
                let Instances { rows, count } = &mut self.instances[number];
                *count += 1;
                rows.push(head_row);
                rows.extend_from_slice(&words[width..]);
                for atom in &negated {
                    row.clear();
                    row.extend(atom.args.iter().map(|arg| instance(arg, &mut self.rules.terms, &values)));
                    rows.push(self.negated[atom.relation.index()].insert(&self.rules.terms, &row).0);
                }
                self.words += stride - width + 1;
            }
        }
        frame.out = solutions;
        frame.out.clear();
        self.watch.found(self.words)
    }

    /// What follows from a new atom outside the clauses: a fact that may come may be true, a legal move may be made.
    fn derive(&mut self, head: Relation, row: &[TermId]) -> Result<(), GroundError> {
        self.words += 1 + row.len();
        match head {
            relation::NEXT => _ = self.tables[relation::TRUE.index()].insert(&self.rules.terms, row),
            relation::LEGAL if self.rules.roles.contains(&row[0]) => {
                self.tables[relation::DOES.index()].insert(&self.rules.terms, row);
            }
            _ => {}
        }
        self.watch.atoms(self.tables[head.index()].len() as usize)
    }

    fn finish(mut self) -> Ground {
        let mut offsets = vec![0];
        for (table, &settled) in self.tables.iter().zip(&self.settled) {
            let rows = if settled { 0 } else { table.len() };
            offsets.push(offsets.last().expect("there is a first") + rows);
        }
        // The rows of negated atoms in the tables of those that may hold.
        let places = self.negated.iter().zip(&self.tables).map(|(negated, table)| -> Vec<u32> {
            (0..negated.len()).map(|row| table.find(negated.row(row)).unwrap_or(NEVER)).collect()
        });
        let places: Vec<_> = places.collect();
        for (clause, instances) in self.rules.clauses.iter().zip(&mut self.instances) {
            let conditions: Vec<_> = open_conditions(clause, &self.settled).collect();
            for rows in instances.rows.chunks_exact_mut(conditions.len() + 1) {
                for (row, (atom, _)) in rows[1..].iter_mut().zip(&conditions).filter(|(_, (_, negated))| *negated) {
                    *row = places[atom.relation.index()][*row as usize];
                }
            }
        }
        let Grounder { rules, tables, settled, instances, .. } = self;
        Ground { rules, tables, settled, offsets, instances }
    }
}
