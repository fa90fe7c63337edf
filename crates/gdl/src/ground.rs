//! Grounding: every instance of a clause that could ever matter.
//!
//! 1. Relations that depend on neither state nor moves are computed once, component after component.
//! 2. The others are *over-approximated* from the initial state: what might be true in some state, what some role might
//!    do. Negations of such atoms are taken to hold, a fact that may come stays. This is a join over growing tables
//!    (semi-naive: every solution is found once, when the last of its rows has come).
//! 3. Every solution is an instance: a head, and the atoms of its conditions that are not settled in advance.
//!
//! Nothing is ever enumerated over the product of domains.

mod join;
mod split;

use crate::dependencies::Dependencies;
use crate::plan::{self, Step, instance};
use crate::rules::{Atom, Clause, Condition, Relation, Rules, relation};
use crate::table::Table;
use crate::terms::{MAX_TERM_DEPTH, TermId};
use join::{Frame, Join, JoinStep};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// How far grounding may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Ground atoms.
    pub atoms: usize,
    /// Instances of clauses, weighted by their length in words.
    pub instances: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(20), atoms: 3_000_000, instances: 60_000_000 }
    }
}

/// Why a sheet could not be grounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// The time is over.
    #[error("grounding takes more than the {0:?} it may take")]
    Time(Duration),
    /// There are too many atoms.
    #[error("the rules have more than {0} ground atoms")]
    Atoms(usize),
    /// There are too many instances.
    #[error("the instances of the rules have more than {0} words")]
    Instances(usize),
    /// Functions of functions of functions.
    #[error("terms are nested more than {0} deep")]
    Depth(u16),
    /// The initial state depends on a state.
    #[error("the initial state depends on facts that change")]
    Initial,
}

/// Keeps the limits.
struct Watch {
    limits: Limits,
    start: Instant,
    ticks: Cell<u32>,
}

impl Watch {
    /// Looks at the clock now and then: for the innermost loops.
    #[inline]
    fn tick(&self) -> Result<(), GroundError> {
        self.ticks.set(self.ticks.get().wrapping_add(1));
        if self.ticks.get() & 0x3fff == 0 { self.look() } else { Ok(()) }
    }

    /// Looks at the clock.
    fn look(&self) -> Result<(), GroundError> {
        if self.start.elapsed() > self.limits.time { Err(GroundError::Time(self.limits.time)) } else { Ok(()) }
    }

    fn found(&self, words: usize) -> Result<(), GroundError> {
        if words > self.limits.instances { Err(GroundError::Instances(self.limits.instances)) } else { Ok(()) }
    }
}

/// A sheet without variables.
pub struct Ground {
    /// The rules, with the parts that their clauses were split into and with all terms.
    pub rules: Rules,
    /// The ground atoms by relation.
    tables: Vec<Table>,
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
        let mut rules = rules.clone();
        let dependencies = Dependencies::new(&rules);
        let needed = needed(&rules);
        split::split(&mut rules, &dependencies, &needed);
        Grounder::new(rules, limits).run()
    }

    /// The number of atoms that may change.
    pub fn atom_count(&self) -> usize {
        self.offsets.last().map_or(0, |&end| end as usize)
    }

    /// The number of instances.
    pub fn instance_count(&self) -> usize {
        self.instances.iter().map(|instances| instances.count).sum()
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
        debug_assert!(self.is_settled(relation));
        self.tables[relation.index()].find(args).is_some()
    }

    /// The text of an atom.
    pub fn text(&self, atom: AtomId) -> String {
        let relation = self.offsets.partition_point(|&offset| offset <= atom.0) - 1;
        let row = self.tables[relation].row(atom.0 - self.offsets[relation]);
        self.rules.atom_text(Relation(relation as u32), row)
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

fn open_conditions<'c>(clause: &'c Clause, settled: &'c [bool]) -> impl Iterator<Item = (&'c Atom, bool)> {
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

struct Grounder {
    rules: Rules,
    dependencies: Dependencies,
    settled: Vec<bool>,
    tables: Vec<Table>,
    /// Atoms that are negated somewhere, by relation.
    negated: Vec<Table>,
    instances: Vec<Instances>,
    /// Per relation: rows whose solutions have all been found, and rows of the round under way.
    old: Vec<u32>,
    now: Vec<u32>,
    plans: Vec<Vec<Option<Plan>>>,
    watch: Watch,
    words: usize,
}

/// A plan, and the sizes for which it was made.
#[derive(Clone)]
struct Plan {
    steps: Vec<Step>,
    sizes: Vec<u32>,
}

impl Grounder {
    fn new(rules: Rules, limits: Limits) -> Grounder {
        let dependencies = Dependencies::new(&rules);
        let tables: Vec<_> = rules.relations.iter().map(|&(_, arity)| Table::new(arity)).collect();
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
            watch: Watch { limits, start: Instant::now(), ticks: Cell::new(0) },
            words: 0,
        }
    }

    fn run(mut self) -> Result<Ground, GroundError> {
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
        let count = if stride == 0 { solutions.len() } else { solutions.len() / stride };
        let is_open = !self.settled[head.index()];
        for solution in 0..count {
            let words = &solutions[solution * stride..][..stride];
            for (value, &word) in values.iter_mut().zip(words) {
                *value = TermId(word);
            }
            row.clear();
            for arg in &clause.head.args {
                let term = instance(arg, &mut self.rules.terms, &values);
                if self.rules.terms.depth(term) > MAX_TERM_DEPTH {
                    return Err(GroundError::Depth(MAX_TERM_DEPTH));
                }
                row.push(term);
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
                for (atom, _) in open_conditions(clause, &self.settled).filter(|&(_, negated)| negated) {
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
        let atoms = self.watch.limits.atoms;
        if self.tables[head.index()].len() as usize > atoms { Err(GroundError::Atoms(atoms)) } else { Ok(()) }
    }

    fn finish(mut self) -> Ground {
        let mut offsets = vec![0];
        for (table, &settled) in self.tables.iter().zip(&self.settled) {
            let rows = if settled { 0 } else { table.len() };
            offsets.push(offsets.last().expect("there is a first") + rows);
        }
        for (clause, instances) in self.rules.clauses.iter().zip(&mut self.instances) {
            let conditions: Vec<_> = open_conditions(clause, &self.settled).collect();
            for rows in instances.rows.chunks_exact_mut(conditions.len() + 1) {
                for (row, (atom, negated)) in rows[1..].iter_mut().zip(&conditions) {
                    if *negated {
                        let relation = atom.relation.index();
                        *row = self.tables[relation].find(self.negated[relation].row(*row)).unwrap_or(NEVER);
                    }
                }
            }
        }
        let Grounder { rules, tables, settled, instances, .. } = self;
        Ground { rules, tables, settled, offsets, instances }
    }
}
