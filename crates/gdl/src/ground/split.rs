//! Clauses are split before they are grounded, so that the number of their instances stays small.
//!
//! A clause says "there are values such that all conditions hold". Where a part of the conditions shares only some of its
//! variables with the rest, "there are values such that this part holds" is a relation of its own:
//!
//! - *Projection.* In `(next (cell ?x ?y ?p)) <- (true (cell ?x ?y ?p)), (does ?r (move ?a ?b ?c ?d)), (other ?a ?b ?x ?y)`
//!   nobody else asks for `?r ?c ?d`, so `(does ?r (move ?a ?b ?c ?d))` becomes `(part1 ?a ?b)`.
//! - *Factoring.* What is left of the moves, `(part1 ?a ?b), (other ?a ?b ?x ?y)`, shares with the rest only variables of
//!   the head and becomes `(part2 ?x ?y)`.
//!
//! The instances of the parts add up where those of the clause would multiply, and equal parts of several clauses are
//! shared.

use crate::dependencies::Dependencies;
use crate::rules::{Atom, Clause, Condition, Pattern, Relation, Rules};
use rustc_hash::FxHashMap;

/// Splits the clauses for which `needed` holds.
pub(super) fn split(rules: &mut Rules, dependencies: &Dependencies, needed: &[bool]) {
    let mut splitter = Splitter { rules, known: FxHashMap::default(), added: Vec::new() };
    for number in 0..splitter.rules.clauses.len() {
        let relation = splitter.rules.clauses[number].head.relation;
        if !needed[relation.index()] || splitter.rules.clauses[number].body.len() < 2 {
            continue;
        }
        splitter.project(number);
        if !dependencies.is_static(relation) {
            splitter.factor(number, dependencies);
        }
    }
    let added = splitter.added;
    rules.clauses.extend(added);
}

struct Splitter<'r> {
    rules: &'r mut Rules,
    /// Parts that exist: body and head arguments, in terms of renumbered variables.
    known: FxHashMap<(Vec<Condition>, u32), Relation>,
    added: Vec<Clause>,
}

impl Splitter<'_> {
    /// Frees every positive condition of the variables that nobody else asks for.
    fn project(&mut self, number: usize) {
        let clause = self.rules.clauses[number].clone();
        let positive = clause.body.iter().filter(|condition| matches!(condition, Condition::Holds(_))).count();
        if positive < 2 {
            return;
        }
        let mut uses = vec![0_u32; clause.variables as usize];
        clause.head.variables(&mut |variable| uses[variable as usize] |= 1 << 31);
        for condition in &clause.body {
            let mut seen = Vec::new();
            condition.variables(&mut |variable| {
                if !seen.contains(&variable) {
                    seen.push(variable);
                    uses[variable as usize] += 1;
                }
            });
        }
        for (index, condition) in clause.body.iter().enumerate() {
            let mut private = false;
            condition.variables(&mut |variable| private |= uses[variable as usize] == 1);
            if private && matches!(condition, Condition::Holds(_)) {
                let part = self.part(&clause, &[index], |variable| uses[variable as usize] > 1);
                self.rules.clauses[number].body[index] = Condition::Holds(part);
            }
        }
    }

    /// Gives every group of conditions that hangs together by variables of its own a relation of its own.
    fn factor(&mut self, number: usize, dependencies: &Dependencies) {
        let clause = self.rules.clauses[number].clone();
        let mut in_head = vec![false; clause.variables as usize];
        clause.head.variables(&mut |variable| in_head[variable as usize] = true);
        let groups = groups(&clause, &in_head);
        let moving = |index: usize| match &clause.body[index] {
            // A relation that is younger than the dependencies is a part, and parts are judged by what they stand for.
            Condition::Holds(atom) => {
                atom.relation.index() >= dependencies.on_state.len() || !dependencies.is_static(atom.relation)
            }
            _ => false,
        };
        let all_moving = (0..clause.body.len()).filter(|&index| moving(index)).count();
        let mut removed = Vec::new();
        let mut parts = Vec::new();
        for group in groups {
            let inside = group.iter().filter(|&&index| moving(index)).count();
            if inside == 0 || inside == all_moving || group.len() < 2 || !is_safe(&clause, &group) {
                continue;
            }
            parts.push(Condition::Holds(self.part(&clause, &group, |variable| in_head[variable as usize])));
            removed.extend(group);
        }
        let body = &mut self.rules.clauses[number].body;
        let mut index = 0;
        body.retain(|_| {
            index += 1;
            !removed.contains(&(index - 1))
        });
        body.extend(parts);
    }

    /// The atom that stands for some conditions of a clause, with the variables that `keep` picks as arguments.
    fn part(&mut self, clause: &Clause, conditions: &[usize], keep: impl Fn(u32) -> bool) -> Atom {
        let mut order = Vec::new();
        let mut add = |variable: u32, kept: bool| {
            if keep(variable) == kept && !order.contains(&variable) {
                order.push(variable);
            }
        };
        for kept in [true, false] {
            for &index in conditions {
                clause.body[index].variables(&mut |variable| add(variable, kept));
            }
        }
        let arity = order.iter().filter(|&&variable| keep(variable)).count();
        let renumber =
            |variable: u32| order.iter().position(|&v| v == variable).expect("every variable was listed") as u32;
        let body: Vec<_> = conditions.iter().map(|&index| rename(&clause.body[index], &renumber)).collect();
        let key = (body, arity as u32);
        let relation = match self.known.get(&key) {
            Some(&relation) => relation,
            None => {
                let relation = Relation(self.rules.relations.len() as u32);
                let name = self.rules.symbols.add(&format!("part:{}", self.known.len() + 1));
                self.rules.relations.push((name, arity));
                let args = (0..arity as u32).map(Pattern::Variable).collect();
                let head = Atom { relation, args };
                let (variables, span) = (order.len() as u32, clause.span);
                self.added.push(Clause { head, body: key.0.clone(), variables, span });
                self.known.insert(key, relation);
                relation
            }
        };
        Atom { relation, args: order[..arity].iter().map(|&variable| Pattern::Variable(variable)).collect() }
    }
}

/// The conditions with variables that are not in the head, grouped by those that they share.
fn groups(clause: &Clause, in_head: &[bool]) -> Vec<Vec<usize>> {
    let mut group_of: Vec<Option<usize>> = vec![None; clause.variables as usize];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, condition) in clause.body.iter().enumerate() {
        let mut own = Vec::new();
        condition.variables(&mut |variable| {
            if !in_head[variable as usize] {
                own.push(variable as usize);
            }
        });
        if own.is_empty() {
            continue;
        }
        let target = groups.len();
        groups.push(vec![index]);
        for variable in own {
            if let Some(other) = group_of[variable].filter(|&other| other != target) {
                let members = std::mem::take(&mut groups[other]);
                groups[target].extend(members);
                group_of.iter_mut().filter(|group| **group == Some(other)).for_each(|group| *group = Some(target));
            }
            group_of[variable] = Some(target);
        }
    }
    groups.retain(|group| !group.is_empty());
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}

/// Whether the positive conditions among some conditions bind all their variables.
fn is_safe(clause: &Clause, conditions: &[usize]) -> bool {
    let mut bound = vec![false; clause.variables as usize];
    for &index in conditions {
        if let Condition::Holds(atom) = &clause.body[index] {
            atom.variables(&mut |variable| bound[variable as usize] = true);
        }
    }
    let mut safe = true;
    for &index in conditions {
        clause.body[index].variables(&mut |variable| safe &= bound[variable as usize]);
    }
    safe
}

fn rename(condition: &Condition, number: &impl Fn(u32) -> u32) -> Condition {
    fn pattern(from: &Pattern, number: &impl Fn(u32) -> u32) -> Pattern {
        match from {
            Pattern::Variable(variable) => Pattern::Variable(number(*variable)),
            Pattern::Ground(term) => Pattern::Ground(*term),
            Pattern::Function(name, args) => {
                Pattern::Function(*name, args.iter().map(|a| pattern(a, number)).collect())
            }
        }
    }
    let atom = |from: &Atom| Atom {
        relation: from.relation,
        args: from.args.iter().map(|arg| pattern(arg, number)).collect(),
    };
    match condition {
        Condition::Holds(a) => Condition::Holds(atom(a)),
        Condition::Fails(a) => Condition::Fails(atom(a)),
        Condition::Distinct(a, b) => Condition::Distinct(pattern(a, number), pattern(b, number)),
    }
}
