//! Backward chaining with memory: a query is answered from the facts and from the clauses of its relation, whose
//! conditions are queries again. Every query is answered once per state; a relation that leads back to itself is repeated
//! until no new answer comes, which gives the least fixpoint.

use crate::dependencies::Dependencies;
use crate::plan::{self, Step, find_instance, instance};
use crate::rules::{Atom, Clause, Condition, Pattern, Relation, Rules, relation};
use crate::table::Table;
use crate::terms::{MAX_TERM_DEPTH, TermId, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Stands for a variable without a value, and for an argument that a query leaves open.
const OPEN: TermId = TermId(u32::MAX);

/// Queries nested deeper than this are given up: the stack is finite.
const MAX_DEPTH: u32 = 1500;

/// Rows that one query from outside may look at, and answers that it may store, before it is given up.
const MAX_WORK: u64 = 100_000_000;
const MAX_ANSWERS: u64 = 5_000_000;

/// Queries and answers that hold forever are forgotten between two states when there are more than this: some sheets ask
/// about ever new combinations of constants.
const MAX_KEPT: usize = 1_000_000;

/// For how long an answer holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    Forever,
    ForState,
    ForMoves,
}

/// A query with its answers.
struct Call {
    relation: Relation,
    args: Box<[TermId]>,
    answers: Table,
    complete: bool,
    /// The round in which its clauses were last run.
    round: u32,
}

/// The queries of one lifetime.
#[derive(Default)]
struct Calls {
    list: Vec<Call>,
    numbers: FxHashMap<(Relation, Box<[TermId]>), usize>,
    /// How many queries and answers these are.
    kept: usize,
}

/// A clause, and which of its variables are known.
type PlanKey = (u32, Box<[bool]>);

/// A query, named by its lifetime and number.
#[derive(Clone, Copy)]
struct CallId(Life, usize);

pub(super) struct Prover {
    pub(super) terms: Terms,
    rules: Arc<Rules>,
    dependencies: Dependencies,
    /// The clauses with conditions, by relation.
    clauses: Vec<Vec<u32>>,
    /// The facts by relation; those of `true` and `does` change.
    facts: Vec<Table>,
    calls: [Calls; 3],
    plans: FxHashMap<PlanKey, Arc<[Step]>>,
    /// Per component: the current round of its repetition, 0 if none is under way.
    rounds: Vec<u32>,
    last_round: u32,
    /// Calls of repetitions under way.
    touched: Vec<CallId>,
    answers: u64,
    depth: u32,
    work: u64,
    /// Whether a query was given up, so that answers may be missing.
    pub(super) exhausted: bool,
}

impl Prover {
    pub(super) fn new(rules: Arc<Rules>) -> Prover {
        let mut terms = rules.terms.clone();
        let mut facts: Vec<_> = rules.relations.iter().map(|&(_, arity)| Table::new(arity)).collect();
        let mut clauses = vec![Vec::new(); rules.relations.len()];
        for (number, clause) in rules.clauses.iter().enumerate() {
            let head = &clause.head;
            if clause.body.is_empty() {
                let row: Vec<_> = head.args.iter().map(|arg| instance(arg, &mut terms, &[])).collect();
                facts[head.relation.index()].insert(&terms, &row);
            } else {
                clauses[head.relation.index()].push(number as u32);
            }
        }
        let dependencies = Dependencies::new(&rules);
        Prover {
            terms,
            dependencies,
            clauses,
            facts,
            calls: Default::default(),
            plans: FxHashMap::default(),
            rounds: vec![0; rules.relations.len()],
            last_round: 0,
            touched: Vec::new(),
            answers: 0,
            depth: 0,
            work: 0,
            exhausted: false,
            rules,
        }
    }

    /// From now on `facts` are true, and nobody has moved.
    pub(super) fn set_state(&mut self, facts: &[TermId]) {
        self.set_moves(&[]);
        self.calls[Life::ForState as usize] = Calls::default();
        if self.calls[Life::Forever as usize].kept > MAX_KEPT {
            self.calls[Life::Forever as usize] = Calls::default();
        }
        let table = &mut self.facts[relation::TRUE.index()];
        table.clear();
        for &fact in facts {
            table.insert(&self.terms, &[fact]);
        }
    }

    /// From now on the roles do these moves.
    pub(super) fn set_moves(&mut self, moves: &[[TermId; 2]]) {
        self.calls[Life::ForMoves as usize] = Calls::default();
        let table = &mut self.facts[relation::DOES.index()];
        table.clear();
        for does in moves {
            table.insert(&self.terms, does);
        }
    }

    /// All rows of a relation that agree with `args`, where `None` agrees with anything.
    pub(super) fn ask(&mut self, relation: Relation, args: &[Option<TermId>]) -> Vec<Box<[TermId]>> {
        (self.work, self.answers) = (0, 0);
        let args: Vec<_> = args.iter().map(|arg| arg.unwrap_or(OPEN)).collect();
        let agrees = |row: &[TermId]| args.iter().zip(row).all(|(&arg, &term)| arg == OPEN || arg == term);
        let facts = &self.facts[relation.index()];
        let mut found: Vec<Box<[TermId]>> =
            (0..facts.len()).map(|row| facts.row(row)).filter(|row| agrees(row)).map(Into::into).collect();
        if !self.clauses[relation.index()].is_empty() {
            let call = self.call(relation, &args, false);
            let answers = &self.call_of(call).answers;
            let rows = (0..answers.len()).map(|row| answers.row(row));
            found.extend(rows.filter(|row| agrees(row)).map(Box::from));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn call_of(&self, CallId(life, number): CallId) -> &Call {
        &self.calls[life as usize].list[number]
    }

    fn call_mut(&mut self, CallId(life, number): CallId) -> &mut Call {
        &mut self.calls[life as usize].list[number]
    }

    /// The query with its answers: all of them, unless it is being answered further up.
    ///
    /// Under a negation all of them are needed, even if the relation is being answered further up.
    fn call(&mut self, relation: Relation, args: &[TermId], negated: bool) -> CallId {
        let index = relation.index();
        let life = match () {
            () if self.dependencies.on_moves[index] => Life::ForMoves,
            () if self.dependencies.on_state[index] => Life::ForState,
            () => Life::Forever,
        };
        let calls = &mut self.calls[life as usize];
        let number = *calls.numbers.entry((relation, args.into())).or_insert_with(|| {
            let answers = Table::new(args.len());
            calls.list.push(Call { relation, args: args.into(), answers, complete: false, round: 0 });
            calls.kept += 1;
            calls.list.len() - 1
        });
        let id = CallId(life, number);
        if self.call_of(id).complete {
            return id;
        }
        if self.depth == MAX_DEPTH {
            self.exhausted = true;
            return id;
        }
        let component = self.dependencies.component[index] as usize;
        let round = self.rounds[component];
        if !self.dependencies.recursive[index] {
            self.run(id);
            self.call_mut(id).complete = true;
        } else if round == 0 || negated {
            self.repeat(id, component);
            self.rounds[component] = round;
        } else if self.call_of(id).round != round {
            self.call_mut(id).round = round;
            self.touched.push(id);
            self.run(id);
        }
        id
    }

    /// Answers a query of a recursive relation, and all queries of its component that it needs.
    fn repeat(&mut self, id: CallId, component: usize) {
        let before = self.touched.len();
        self.touched.push(id);
        loop {
            self.last_round += 1;
            self.rounds[component] = self.last_round;
            self.call_mut(id).round = self.last_round;
            let answers = self.answers;
            self.run(id);
            if answers == self.answers || self.exhausted {
                break;
            }
        }
        for id in self.touched.split_off(before) {
            self.call_mut(id).complete = true;
        }
    }

    /// Runs the clauses of a query's relation once.
    fn run(&mut self, id: CallId) {
        self.depth += 1;
        let rules = Arc::clone(&self.rules);
        let Call { relation, args, .. } = self.call_of(id);
        let (relation, args) = (*relation, args.clone());
        for index in 0..self.clauses[relation.index()].len() {
            let number = self.clauses[relation.index()][index];
            let clause = &rules.clauses[number as usize];
            let mut values = vec![OPEN; clause.variables as usize];
            let fits = clause
                .head
                .args
                .iter()
                .zip(&args)
                .all(|(pattern, &arg)| arg == OPEN || agree(pattern, arg, &self.terms, &mut values));
            if !fits {
                continue;
            }
            let rows = self.body(number, clause, values);
            for row in rows.chunks_exact((clause.variables as usize).max(1)) {
                let head: Vec<_> = clause.head.args.iter().map(|arg| instance(arg, &mut self.terms, row)).collect();
                if head.iter().any(|&term| self.terms.depth(term) > MAX_TERM_DEPTH) || self.answers > MAX_ANSWERS {
                    self.exhausted = true;
                    break;
                }
                let CallId(life, number) = id;
                let calls = &mut self.calls[life as usize];
                let is_new = calls.list[number].answers.insert(&self.terms, &head).1;
                calls.kept += usize::from(is_new);
                self.answers += u64::from(is_new);
            }
        }
        self.depth -= 1;
    }

    /// All solutions of a clause's conditions: rows of values for its variables (of one dummy value if it has none).
    fn body(&mut self, number: u32, clause: &Clause, mut start: Vec<TermId>) -> Vec<TermId> {
        let steps = self.plan(number, clause, &start);
        let width = start.len().max(1);
        start.resize(width, OPEN);
        let mut rows = start;
        for step in &*steps {
            let mut out = Vec::new();
            for row in rows.chunks_exact(width) {
                self.work += 1;
                if self.work > MAX_WORK {
                    self.exhausted = true;
                    return Vec::new();
                }
                match step {
                    Step::Test(index) => {
                        if self.test(&clause.body[*index], row) {
                            out.extend_from_slice(row);
                        }
                    }
                    Step::Scan(index, access) => {
                        let Condition::Holds(atom) = &clause.body[*index] else {
                            unreachable!("only atoms are scanned")
                        };
                        self.scan(atom, access, row, &mut out);
                    }
                }
            }
            rows = out;
            if rows.is_empty() {
                break;
            }
        }
        rows
    }

    fn plan(&mut self, number: u32, clause: &Clause, start: &[TermId]) -> Arc<[Step]> {
        let mut bound: Box<[bool]> = start.iter().map(|&value| value != OPEN).collect();
        let key = (number, bound.clone());
        if let Some(steps) = self.plans.get(&key) {
            return Arc::clone(steps);
        }
        // Authors write conditions in an order in which they can be tried one after the other. Only facts about variables
        // of which nothing is known wait for shorter facts about the same variables.
        let mut cost = |index: usize, bound: &[bool]| {
            let waits = !clause.body[index].any_variable(|variable| bound[variable as usize])
                && clause.body.iter().any(|other| self.is_shorter(other, &clause.body[index]));
            index as f64 + if waits { 1e6 } else { 0.0 }
        };
        let steps: Arc<[Step]> = plan::plan(clause, None, &mut bound, &mut cost).into();
        self.plans.insert(key, Arc::clone(&steps));
        steps
    }

    /// Whether both conditions are facts, and the shorter one is about all variables of the longer one.
    fn is_shorter(&self, shorter: &Condition, longer: &Condition) -> bool {
        let rows = |condition: &Condition| match condition {
            Condition::Holds(atom) if self.clauses[atom.relation.index()].is_empty() => {
                Some(self.facts[atom.relation.index()].len())
            }
            _ => None,
        };
        let is_about = |variable| shorter.any_variable(|other| other == variable);
        matches!((rows(shorter), rows(longer)), (Some(few), Some(many)) if few < many)
            && !longer.any_variable(|variable| !is_about(variable))
    }

    fn test(&mut self, condition: &Condition, row: &[TermId]) -> bool {
        match condition {
            Condition::Distinct(left, right) => {
                instance(left, &mut self.terms, row) != instance(right, &mut self.terms, row)
            }
            Condition::Holds(atom) => self.holds(atom, row, false),
            Condition::Fails(atom) => !self.holds(atom, row, true),
        }
    }

    fn holds(&mut self, atom: &Atom, row: &[TermId], negated: bool) -> bool {
        let args: Vec<_> = atom.args.iter().map(|arg| instance(arg, &mut self.terms, row)).collect();
        if self.facts[atom.relation.index()].find(&args).is_some() {
            return true;
        }
        if self.clauses[atom.relation.index()].is_empty() {
            return false;
        }
        let call = self.call(atom.relation, &args, negated);
        self.call_of(call).answers.find(&args).is_some()
    }

    /// Appends `row` once for every row of the atom's relation that agrees with it, with the values that it gives.
    fn scan(&mut self, atom: &Atom, access: &plan::Access, row: &[TermId], out: &mut Vec<TermId>) {
        let facts = &mut self.facts[atom.relation.index()];
        if facts.len() > 0 {
            let index = facts.index(&self.terms, &access.shape);
            let mut key = vec![OPEN; access.key.len()];
            access.write_key(row, &mut key);
            let mut at = facts.first(&self.terms, index, &key);
            while let Some(found) = at {
                extend(atom, facts.row(found), (&self.terms, row), out);
                at = facts.next(index, found);
            }
        }
        if self.clauses[atom.relation.index()].is_empty() {
            return;
        }
        let args: Vec<_> = atom
            .args
            .iter()
            .map(|arg| match arg.any_variable(|variable| row[variable as usize] == OPEN) {
                true => OPEN,
                false => find_instance(arg, &self.terms, row).unwrap_or(OPEN),
            })
            .collect();
        let call = self.call(atom.relation, &args, false);
        self.work += u64::from(self.call_of(call).answers.len());
        let answers = &self.call_of(call).answers;
        for found in 0..answers.len() {
            if self.facts[atom.relation.index()].find(answers.row(found)).is_none() {
                extend(atom, answers.row(found), (&self.terms, row), out);
            }
        }
    }
}

fn extend(atom: &Atom, found: &[TermId], (terms, row): (&Terms, &[TermId]), out: &mut Vec<TermId>) {
    let start = out.len();
    out.extend_from_slice(row);
    if !atom.args.iter().zip(found).all(|(pattern, &term)| agree(pattern, term, terms, &mut out[start..])) {
        out.truncate(start);
    }
}

/// Whether a pattern can be the term; if so, gives its open variables their values.
fn agree(pattern: &Pattern, term: TermId, terms: &Terms, values: &mut [TermId]) -> bool {
    match pattern {
        Pattern::Variable(variable) => {
            let value = &mut values[*variable as usize];
            if *value == OPEN {
                *value = term;
            }
            *value == term
        }
        Pattern::Ground(other) => *other == term,
        Pattern::Function(name, args) => {
            let inner = terms.args(term);
            terms.name(term) == *name
                && inner.len() == args.len()
                && args.iter().zip(inner).all(|(pattern, &term)| agree(pattern, term, terms, values))
        }
    }
}
