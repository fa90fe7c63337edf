//! Backward chaining with memory: a query is answered from the facts and from the clauses of its relation, whose
//! conditions are queries again. Every query is answered once per state; a relation that leads back to itself is repeated
//! until no new answer comes, which gives the least fixpoint.
//!
//! A question that meets a limit ends with an [`Excess`]: there is no such thing as a part of an answer.

use super::excess::{Excess, Limit};
use crate::dependencies::Dependencies;
use crate::plan::{self, Step, find_instance, instance};
use crate::rules::{Atom, Clause, Condition, Pattern, Relation, Rules, relation};
use crate::table::FactTable;
use crate::terms::{TermId, Terms};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Stands for a variable without a value, and for an argument that a query leaves open.
const OPEN: TermId = TermId(u32::MAX);

/// About how many bytes a query takes besides its arguments, the table of its answers, and an answer besides its terms.
const QUERY_BYTES: usize = size_of::<Call>() + 24;
const TABLE_BYTES: usize = size_of::<FactTable>() + 64;
const ANSWER_BYTES: usize = 16;

/// What beginning a query costs.
const QUERY_STEPS: u64 = 3;

/// How many names of a condition, or variables of a clause, are looked at in one step.
const NAMES_PER_STEP: usize = 16;

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
    answers: Answers,
    complete: bool,
    /// The round in which its clauses were last run.
    round: u32,
}

/// What is known of a query: yes or not yet, if no argument is left open, else the rows that agree with it.
enum Answers {
    Holds(bool),
    Rows(Box<FactTable>),
}

impl Answers {
    fn rows(&self) -> impl Iterator<Item = &[TermId]> {
        let table = match self {
            Answers::Holds(_) => None,
            Answers::Rows(table) => Some(table),
        };
        table.into_iter().flat_map(|table| (0..table.len()).map(|row| table.row(row)))
    }
}

/// The queries of one lifetime.
#[derive(Default)]
struct Calls {
    list: Vec<Call>,
    numbers: HashTable<u32>,
    /// About how much memory they take.
    bytes: usize,
}

impl Calls {
    /// The number of a query, which is new or known.
    fn number(&mut self, relation: Relation, args: &[TermId]) -> usize {
        let hash = |relation: Relation, args: &[TermId]| {
            let mut hasher = FxHasher::default();
            (relation, args).hash(&mut hasher);
            hasher.finish()
        };
        let Calls { list, numbers, bytes } = self;
        let hash_of = |number: &u32| hash(list[*number as usize].relation, &list[*number as usize].args);
        let is_same = |number: &u32| {
            let call = &list[*number as usize];
            call.relation == relation && *call.args == *args
        };
        match numbers.entry(hash(relation, args), is_same, hash_of) {
            Entry::Occupied(known) => *known.get() as usize,
            Entry::Vacant(place) => {
                place.insert(list.len() as u32);
                let is_open = args.contains(&OPEN);
                let answers = match is_open {
                    true => Answers::Rows(Box::new(FactTable::new(args.len()))),
                    false => Answers::Holds(false),
                };
                list.push(Call { relation, args: args.into(), answers, complete: false, round: 0 });
                *bytes += QUERY_BYTES + size_of_val(args) + if is_open { TABLE_BYTES } else { 0 };
                list.len() - 1
            }
        }
    }
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
    facts: Vec<FactTable>,
    calls: [Calls; 3],
    plans: FxHashMap<PlanKey, Arc<[Step]>>,
    /// Per component: the current round of its repetition, 0 if none is under way.
    rounds: Vec<u32>,
    last_round: u32,
    /// Calls of repetitions under way.
    touched: Vec<CallId>,
    answers: u64,
    depth: u32,
    /// What the question under way has cost so far, and what each clause has to do with it.
    steps: u64,
    steps_of_clause: Vec<u64>,
    /// What all questions have cost.
    all_steps: u64,
    /// Bytes of the rows that wait for further conditions.
    row_bytes: usize,
    /// Bytes of the terms that there were at the start.
    first_bytes: usize,
    /// Per clause: the steps that a row costs at each condition, and at last at the head.
    prices: Vec<Box<[u32]>>,
}

impl Prover {
    pub(super) fn new(rules: Arc<Rules>) -> Prover {
        let mut terms = rules.terms.clone();
        let mut facts: Vec<_> = rules.relations.iter().map(|&(_, arity)| FactTable::new(arity)).collect();
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
            first_bytes: terms.bytes(),
            prices: rules.clauses.iter().map(prices).collect(),
            steps_of_clause: vec![0; rules.clauses.len()],
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
            steps: 0,
            all_steps: 0,
            row_bytes: 0,
            rules,
        }
    }

    /// The terms that there are now are not counted as memory.
    pub(super) fn accept_terms(&mut self) {
        self.first_bytes = self.terms.bytes();
    }

    /// The steps that all questions so far have taken.
    pub(super) fn all_steps(&self) -> u64 {
        self.all_steps + self.steps
    }

    /// From now on `facts` are true, and nobody has moved.
    pub(super) fn set_state(&mut self, facts: &[TermId]) {
        self.set_moves(&[]);
        self.calls[Life::ForState as usize] = Calls::default();
        // Some sheets ask about ever new combinations of constants.
        if self.calls[Life::Forever as usize].bytes > self.rules.limits.memory / 4 {
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

    /// Whether a relation without arguments holds.
    pub(super) fn holds_now(&mut self, relation: Relation) -> Result<bool, Excess> {
        self.begin();
        let atom = Atom { relation, args: Box::default() };
        let holds = self.holds(&atom, &[], false);
        self.end(holds)
    }

    /// The values of a relation's last argument, sorted, where the arguments before it are `first`.
    pub(super) fn values(&mut self, relation: Relation, first: &[TermId]) -> Result<Vec<TermId>, Excess> {
        self.begin();
        let mut args = first.to_vec();
        args.push(OPEN);
        let agrees = |row: &&[TermId]| row.starts_with(first);
        let facts = &self.facts[relation.index()];
        let rows = (0..facts.len()).map(|row| facts.row(row));
        let mut found: Vec<TermId> = rows.filter(agrees).map(|row| row[first.len()]).collect();
        if !self.clauses[relation.index()].is_empty() {
            let call = self.call(relation, &args, false);
            let call = self.end(call)?;
            found.extend(self.call_of(call).answers.rows().filter(agrees).map(|row| row[first.len()]));
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Begins a question from outside.
    fn begin(&mut self) {
        self.all_steps += self.steps;
        self.steps = 0;
        self.steps_of_clause.fill(0);
    }

    /// After a question that was given up, queries that were under way are forgotten.
    fn end<T>(&mut self, answer: Result<T, Excess>) -> Result<T, Excess> {
        if answer.is_err() {
            self.calls = Default::default();
            self.rounds.fill(0);
            self.touched.clear();
            self.depth = 0;
            self.row_bytes = 0;
        }
        answer
    }

    /// Counts the steps that a clause takes.
    fn spend(&mut self, clause: u32, steps: u64) -> Result<(), Excess> {
        self.steps += steps;
        self.steps_of_clause[clause as usize] += steps;
        if self.steps > self.rules.limits.steps {
            return Err(self.excess(Limit::Steps));
        }
        if self.bytes() > self.rules.limits.memory {
            return Err(self.excess(Limit::Memory));
        }
        Ok(())
    }

    /// About how many bytes everything takes that has come since the start.
    fn bytes(&self) -> usize {
        let calls: usize = self.calls.iter().map(|calls| calls.bytes).sum();
        self.terms.bytes() - self.first_bytes + calls + self.row_bytes
    }

    /// A limit that is met by whichever clause has taken the most steps.
    fn excess(&self, limit: Limit) -> Excess {
        let most = self.steps_of_clause.iter().enumerate().rev().max_by_key(|&(_, steps)| steps);
        Excess { limit, clause: most.map_or(0, |(clause, _)| clause as u32) }
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
    fn call(&mut self, relation: Relation, args: &[TermId], negated: bool) -> Result<CallId, Excess> {
        let index = relation.index();
        let life = match () {
            () if self.dependencies.on_moves[index] => Life::ForMoves,
            () if self.dependencies.on_state[index] => Life::ForState,
            () => Life::Forever,
        };
        let id = CallId(life, self.calls[life as usize].number(relation, args));
        if self.call_of(id).complete {
            return Ok(id);
        }
        if self.depth == self.rules.limits.proof_depth {
            return Err(Excess { limit: Limit::ProofDepth, clause: self.clauses[index][0] });
        }
        let component = self.dependencies.component[index] as usize;
        let round = self.rounds[component];
        if !self.dependencies.recursive[index] {
            self.run(id)?;
            self.call_mut(id).complete = true;
        } else if round == 0 || negated {
            self.repeat(id, component)?;
            self.rounds[component] = round;
        } else if self.call_of(id).round != round {
            self.call_mut(id).round = round;
            self.touched.push(id);
            self.run(id)?;
        }
        Ok(id)
    }

    /// Answers a query of a recursive relation, and all queries of its component that it needs.
    fn repeat(&mut self, id: CallId, component: usize) -> Result<(), Excess> {
        let before = self.touched.len();
        self.touched.push(id);
        loop {
            self.last_round += 1;
            self.rounds[component] = self.last_round;
            self.call_mut(id).round = self.last_round;
            let answers = self.answers;
            self.run(id)?;
            if answers == self.answers {
                break;
            }
        }
        for id in self.touched.split_off(before) {
            self.call_mut(id).complete = true;
        }
        Ok(())
    }

    /// Runs the clauses of a query's relation once.
    fn run(&mut self, id: CallId) -> Result<(), Excess> {
        self.depth += 1;
        let rules = Arc::clone(&self.rules);
        let Call { relation, args, .. } = self.call_of(id);
        let (relation, args) = (*relation, args.clone());
        for index in 0..self.clauses[relation.index()].len() {
            let number = self.clauses[relation.index()][index];
            let clause = &rules.clauses[number as usize];
            let mut values = vec![OPEN; clause.variables as usize];
            self.spend(number, QUERY_STEPS + (values.len() / NAMES_PER_STEP) as u64)?;
            let fits = clause
                .head
                .args
                .iter()
                .zip(&args)
                .all(|(pattern, &arg)| arg == OPEN || agree(pattern, arg, &self.terms, &mut values));
            if !fits {
                continue;
            }
            let rows = self.body(number, clause, values)?;
            self.row_bytes += size_of_val(&*rows);
            for row in rows.chunks_exact((clause.variables as usize).max(1)) {
                self.answer(id, number, &clause.head, row)?;
            }
            self.row_bytes -= size_of_val(&*rows);
        }
        self.depth -= 1;
        Ok(())
    }

    /// Adds the answer that a solution of a clause gives.
    fn answer(&mut self, CallId(life, call): CallId, clause: u32, head: &Atom, row: &[TermId]) -> Result<(), Excess> {
        let price = self.prices[clause as usize].last().copied().unwrap_or(1);
        self.spend(clause, u64::from(price))?;
        let limits = &self.rules.limits;
        let mut terms = Vec::with_capacity(head.args.len());
        for arg in &head.args {
            let term = instance(arg, &mut self.terms, row);
            if self.terms.depth(term) > limits.term_depth {
                return Err(Excess { limit: Limit::TermDepth, clause });
            }
            if self.terms.size(term) > limits.term_size {
                return Err(Excess { limit: Limit::TermSize, clause });
            }
            terms.push(term);
        }
        let calls = &mut self.calls[life as usize];
        let is_new = match &mut calls.list[call].answers {
            Answers::Holds(holds) => !std::mem::replace(holds, true),
            Answers::Rows(rows) => {
                let is_new = rows.insert(&self.terms, &terms).1;
                if is_new && head.relation == relation::LEGAL && rows.len() as usize > limits.moves {
                    return Err(Excess { limit: Limit::Moves, clause });
                }
                calls.bytes += if is_new { ANSWER_BYTES + size_of_val(&*terms) } else { 0 };
                is_new
            }
        };
        self.answers += u64::from(is_new);
        Ok(())
    }

    /// All solutions of a clause's conditions: rows of values for its variables (of one dummy value if it has none).
    fn body(&mut self, number: u32, clause: &Clause, mut start: Vec<TermId>) -> Result<Vec<TermId>, Excess> {
        let steps = self.plan(number, clause, &start)?;
        let width = start.len().max(1);
        start.resize(width, OPEN);
        let mut rows = start;
        for step in &*steps {
            let (Step::Test(index) | Step::Scan(index, _)) = step;
            let price = u64::from(self.prices[number as usize][*index]);
            let mut out = Vec::new();
            for row in rows.chunks_exact(width) {
                self.spend(number, price)?;
                let bytes = size_of_val(&*rows) + size_of_val(&*out);
                self.row_bytes += bytes;
                match (step, &clause.body[*index]) {
                    (Step::Scan(_, access), Condition::Holds(atom)) => {
                        let visited = self.scan(atom, access, row, &mut out)?;
                        self.spend(number, visited * price)?;
                    }
                    (_, condition) => {
                        if self.test(condition, row)? {
                            out.extend_from_slice(row);
                        }
                    }
                }
                self.row_bytes -= bytes;
            }
            rows = out;
            if rows.is_empty() {
                break;
            }
        }
        Ok(rows)
    }

    fn plan(&mut self, number: u32, clause: &Clause, start: &[TermId]) -> Result<Arc<[Step]>, Excess> {
        let mut bound: Box<[bool]> = start.iter().map(|&value| value != OPEN).collect();
        let key = (number, bound.clone());
        if let Some(steps) = self.plans.get(&key) {
            return Ok(Arc::clone(steps));
        }
        // Authors write conditions in an order in which they can be tried one after the other. Only facts about variables
        // of which nothing is known wait for shorter facts about the same variables.
        let has_shorter: Vec<bool> = self.longer_facts(clause);
        let mut cost = |index: usize, bound: &[bool]| {
            let waits = has_shorter[index] && !clause.body[index].any_variable(|variable| bound[variable as usize]);
            index as f64 + if waits { 1e6 } else { 0.0 }
        };
        let steps: Arc<[Step]> = plan::plan(clause, None, &mut bound, &mut cost).into();
        // Every condition is compared with every other one.
        let price: u64 = self.prices[number as usize].iter().map(|&price| u64::from(price)).sum();
        self.spend(number, price * clause.body.len() as u64 / NAMES_PER_STEP as u64)?;
        self.plans.insert(key, Arc::clone(&steps));
        Ok(steps)
    }

    /// Per condition of a clause: whether it is a fact, and a shorter fact is about all of its variables.
    fn longer_facts(&self, clause: &Clause) -> Vec<bool> {
        let rows = |condition: &Condition| match condition {
            Condition::Holds(atom) if self.clauses[atom.relation.index()].is_empty() => {
                Some(self.facts[atom.relation.index()].len())
            }
            _ => None,
        };
        let variables = |condition: &Condition| {
            let mut all = Vec::new();
            condition.variables(&mut |variable| all.push(variable));
            all.sort_unstable();
            all.dedup();
            all
        };
        let facts: Vec<_> = clause.body.iter().map(|fact| rows(fact).map(|rows| (rows, variables(fact)))).collect();
        let is_shorter = |(few, known): &(u32, Vec<u32>), (many, asked): &(u32, Vec<u32>)| {
            few < many && known.len() >= asked.len() && asked.iter().all(|v| known.binary_search(v).is_ok())
        };
        let has_shorter = |fact| facts.iter().flatten().any(|other| is_shorter(other, fact));
        facts.iter().map(|fact| fact.as_ref().is_some_and(has_shorter)).collect()
    }

    fn test(&mut self, condition: &Condition, row: &[TermId]) -> Result<bool, Excess> {
        match condition {
            Condition::Distinct(left, right) => {
                Ok(instance(left, &mut self.terms, row) != instance(right, &mut self.terms, row))
            }
            Condition::Holds(atom) => self.holds(atom, row, false),
            Condition::Fails(atom) => Ok(!self.holds(atom, row, true)?),
        }
    }

    fn holds(&mut self, atom: &Atom, row: &[TermId], negated: bool) -> Result<bool, Excess> {
        let args: Vec<_> = atom.args.iter().map(|arg| instance(arg, &mut self.terms, row)).collect();
        if self.facts[atom.relation.index()].find(&args).is_some() {
            return Ok(true);
        }
        if self.clauses[atom.relation.index()].is_empty() {
            return Ok(false);
        }
        let call = self.call(atom.relation, &args, negated)?;
        Ok(matches!(self.call_of(call).answers, Answers::Holds(true)))
    }

    /// Appends `row` once for every row of the atom's relation that agrees with it, with the values that it gives. Returns
    /// how many rows it looked at.
    fn scan(
        &mut self,
        atom: &Atom,
        access: &plan::Access,
        row: &[TermId],
        out: &mut Vec<TermId>,
    ) -> Result<u64, Excess> {
        let mut visited = 0;
        let room = out.len() + self.rules.limits.memory.saturating_sub(self.bytes()) / size_of::<TermId>();
        let facts = &mut self.facts[atom.relation.index()];
        if facts.len() > 0 {
            let index = facts.index(&self.terms, &access.shape);
            let mut key = vec![OPEN; access.key.len()];
            access.write_key(row, &mut key);
            let mut at = facts.first(&self.terms, index, &key);
            while let Some(found) = at.filter(|_| out.len() <= room) {
                extend(atom, facts.row(found), (&self.terms, row), out);
                at = facts.next(index, found);
                visited += 1;
            }
        }
        if !self.clauses[atom.relation.index()].is_empty() {
            let args: Vec<_> = atom
                .args
                .iter()
                .map(|arg| match arg.any_variable(|variable| row[variable as usize] == OPEN) {
                    true => OPEN,
                    false => find_instance(arg, &self.terms, row).unwrap_or(OPEN),
                })
                .collect();
            let call = self.call(atom.relation, &args, false)?;
            let facts = &self.facts[atom.relation.index()];
            for found in self.call_of(call).answers.rows() {
                if out.len() > room {
                    break;
                }
                if facts.find(found).is_none() {
                    extend(atom, found, (&self.terms, row), out);
                }
                visited += 1;
            }
        }
        if out.len() > room { Err(self.excess(Limit::Memory)) } else { Ok(visited) }
    }
}

/// What a row costs at each condition of a clause, and at its head.
fn prices(clause: &Clause) -> Box<[u32]> {
    let price = |names: usize| 1 + ((names + clause.variables as usize) / NAMES_PER_STEP) as u32;
    let conditions = clause.body.iter().map(|condition| price(condition.size()));
    conditions.chain([price(clause.head.size())]).collect()
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
