//! [`Ranges`]: what may stand where, read coarsely from the rules.
//!
//! Every argument of a relation and of a function is a *place*; a place has the set of names that may stand there, and a
//! name with arguments leads on to the places of those. A variable of a clause ranges over the names that all its places
//! have in common, and the head hands them on. That is computed to its end, without looking at single facts: cheap even where
//! grounding is not, and never too narrow.
//!
//! It tells two things: the moves that a role may ever have, and how large a relation may become at most.

use crate::dependencies::Dependencies;
use crate::rules::{Atom, Clause, Condition, Pattern, Relation, Rules, relation};
use crate::symbols::Symbol;
use crate::terms::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Names and sets that are looked at before it is given up.
const MAX_WORK: usize = 3_000_000;

/// What an argument ranges over.
#[derive(Default)]
struct Place {
    names: Vec<u32>,
    known: FxHashSet<u32>,
}

/// The ranges of a sheet.
pub(crate) struct Ranges {
    /// Names with their numbers of arguments, and the first place of those.
    names: Vec<(Symbol, usize, u32)>,
    numbers: FxHashMap<(Symbol, usize), u32>,
    places: Vec<Place>,
    /// The first place of every relation.
    relations: Vec<u32>,
    /// Per role: the place of its moves.
    moves: Vec<u32>,
    /// The roles, as names.
    roles: Vec<u32>,
    /// Per place: how many terms may stand there.
    counts: Vec<f64>,
    work: usize,
}

/// A clause in terms of places.
#[derive(Default)]
struct Flow {
    /// Names that must be possible.
    needs: Vec<(u32, u32)>,
    /// Per variable: its places in positive conditions.
    reads: Vec<Vec<u32>>,
    /// What the head gives to its places.
    writes: Vec<(u32, Given)>,
    /// The variable that stands for the role whose moves get the same as the last argument.
    role: Option<u32>,
    /// How many names its places had when it was last followed.
    seen: Option<usize>,
}

#[derive(Clone, Copy)]
enum Given {
    Name(u32),
    Variable(u32),
}

impl Ranges {
    /// The ranges, unless that is too much work.
    pub(crate) fn new(rules: &Rules) -> Option<Ranges> {
        let mut ranges = Ranges {
            names: Vec::new(),
            numbers: FxHashMap::default(),
            places: Vec::new(),
            relations: Vec::new(),
            moves: Vec::new(),
            roles: Vec::new(),
            counts: Vec::new(),
            work: 0,
        };
        for &(_, arity) in &rules.relations {
            let first = ranges.new_places(arity);
            ranges.relations.push(first);
        }
        // What is next or at first is true later, and what is legal may be done.
        ranges.relations[relation::NEXT.index()] = ranges.relations[relation::TRUE.index()];
        ranges.relations[relation::INIT.index()] = ranges.relations[relation::TRUE.index()];
        ranges.relations[relation::DOES.index()] = ranges.relations[relation::LEGAL.index()];
        for &role in &rules.roles {
            let name = ranges.name(rules.terms.name(role), rules.terms.args(role).len());
            ranges.roles.push(name);
            let place = ranges.new_places(1);
            ranges.moves.push(place);
        }
        let dependencies = Dependencies::new(rules);
        let mut clauses: Vec<_> = rules.clauses.iter().collect();
        clauses.sort_by_key(|clause| dependencies.component[clause.head.relation.index()]);
        let mut flows: Vec<_> = clauses.iter().map(|clause| ranges.flow(rules, clause)).collect();
        loop {
            let mut changed = false;
            for flow in &mut flows {
                changed |= ranges.follow(flow)?;
            }
            if !changed {
                ranges.count_all(rules);
                return Some(ranges);
            }
        }
    }

    fn new_places(&mut self, count: usize) -> u32 {
        let first = self.places.len() as u32;
        self.places.resize_with(self.places.len() + count, Place::default);
        first
    }

    fn name(&mut self, symbol: Symbol, arity: usize) -> u32 {
        if let Some(&known) = self.numbers.get(&(symbol, arity)) {
            return known;
        }
        let first = self.new_places(arity);
        let number = self.names.len() as u32;
        self.names.push((symbol, arity, first));
        self.numbers.insert((symbol, arity), number);
        number
    }

    /// The places of an atom's arguments.
    fn places_of(&self, rules: &Rules, atom: &Atom) -> Vec<u32> {
        let first = self.relations[atom.relation.index()];
        let mut places: Vec<_> = (0..atom.args.len() as u32).map(|index| first + index).collect();
        if matches!(atom.relation, relation::LEGAL | relation::DOES)
            && let Pattern::Ground(role) = &atom.args[0]
            && let Some(role) = rules.roles.iter().position(|other| other == role)
        {
            places[1] = self.moves[role];
        }
        places
    }

    fn flow(&mut self, rules: &Rules, clause: &Clause) -> Flow {
        let mut flow = Flow { reads: vec![Vec::new(); clause.variables as usize], ..Flow::default() };
        for condition in &clause.body {
            if let Condition::Holds(atom) = condition {
                for (place, arg) in self.places_of(rules, atom).into_iter().zip(&atom.args) {
                    self.read(rules, place, arg, &mut flow);
                }
            }
        }
        let head = &clause.head;
        for (place, arg) in self.places_of(rules, head).into_iter().zip(&head.args) {
            self.write(rules, place, arg, &mut flow);
        }
        if head.relation == relation::LEGAL {
            match &head.args[0] {
                Pattern::Variable(role) => flow.role = Some(*role),
                _ => self.write(rules, self.relations[relation::LEGAL.index()] + 1, &head.args[1], &mut flow),
            }
        }
        flow
    }

    fn read(&mut self, rules: &Rules, place: u32, pattern: &Pattern, flow: &mut Flow) {
        match pattern {
            Pattern::Variable(variable) => flow.reads[*variable as usize].push(place),
            Pattern::Ground(term) => {
                let name = self.name(rules.terms.name(*term), rules.terms.args(*term).len());
                flow.needs.push((place, name));
            }
            Pattern::Function(symbol, args) => {
                let name = self.name(*symbol, args.len());
                flow.needs.push((place, name));
                let first = self.names[name as usize].2;
                for (place, arg) in (first..).zip(args) {
                    self.read(rules, place, arg, flow);
                }
            }
        }
    }

    fn write(&mut self, rules: &Rules, place: u32, pattern: &Pattern, flow: &mut Flow) {
        match pattern {
            Pattern::Variable(variable) => flow.writes.push((place, Given::Variable(*variable))),
            Pattern::Ground(term) => self.write_term(rules, place, *term, flow),
            Pattern::Function(symbol, args) => {
                let name = self.name(*symbol, args.len());
                flow.writes.push((place, Given::Name(name)));
                let first = self.names[name as usize].2;
                for (place, arg) in (first..).zip(args) {
                    self.write(rules, place, arg, flow);
                }
            }
        }
    }

    fn write_term(&mut self, rules: &Rules, place: u32, term: TermId, flow: &mut Flow) {
        let args = rules.terms.args(term);
        let name = self.name(rules.terms.name(term), args.len());
        flow.writes.push((place, Given::Name(name)));
        let first = self.names[name as usize].2;
        for (place, &arg) in (first..).zip(args) {
            self.write_term(rules, place, arg, flow);
        }
    }

    /// Hands on what a clause gives now; whether that was anything new. `None` if the work is too much.
    fn follow(&mut self, flow: &mut Flow) -> Option<bool> {
        let places = flow.reads.iter().flatten().chain(flow.needs.iter().map(|(place, _)| place));
        let seen: usize = places.map(|&place| self.places[place as usize].names.len()).sum();
        self.spend(1 + flow.needs.len() + flow.reads.iter().map(Vec::len).sum::<usize>())?;
        if flow.seen.replace(seen) == Some(seen) {
            return Some(false);
        }
        if !flow.needs.iter().all(|(place, name)| self.places[*place as usize].known.contains(name)) {
            return Some(false);
        }
        let mut values: Vec<Vec<u32>> = Vec::with_capacity(flow.reads.len());
        for places in &flow.reads {
            let common = self.common(places)?;
            if common.is_empty() && !places.is_empty() {
                return Some(false);
            }
            values.push(common);
        }
        let mut changed = false;
        for &(place, given) in &flow.writes {
            match given {
                Given::Name(name) => changed |= self.add(place, &[name])?,
                Given::Variable(variable) => changed |= self.add(place, &values[variable as usize])?,
            }
        }
        if let Some(role) = flow.role {
            let legal = self.relations[relation::LEGAL.index()] + 1;
            for index in 0..self.roles.len() {
                if !values[role as usize].contains(&self.roles[index]) {
                    continue;
                }
                let place = self.moves[index];
                for &(_, given) in flow.writes.iter().filter(|(place, _)| *place == legal) {
                    match given {
                        Given::Name(name) => changed |= self.add(place, &[name])?,
                        Given::Variable(variable) => changed |= self.add(place, &values[variable as usize])?,
                    }
                }
            }
        }
        Some(changed)
    }

    fn spend(&mut self, work: usize) -> Option<()> {
        self.work += work;
        (self.work <= MAX_WORK).then_some(())
    }

    /// The names that all places have.
    fn common(&mut self, places: &[u32]) -> Option<Vec<u32>> {
        let smallest = places.iter().min_by_key(|&&place| self.places[place as usize].names.len());
        let Some(&smallest) = smallest else { return Some(Vec::new()) };
        self.spend(self.places[smallest as usize].names.len() * places.len())?;
        let names = self.places[smallest as usize].names.iter().copied();
        let in_all = |name: &u32| places.iter().all(|&place| self.places[place as usize].known.contains(name));
        Some(names.filter(in_all).collect())
    }

    fn add(&mut self, place: u32, names: &[u32]) -> Option<bool> {
        self.spend(names.len())?;
        let place = &mut self.places[place as usize];
        let before = place.names.len();
        for &name in names {
            if place.known.insert(name) {
                place.names.push(name);
            }
        }
        Some(place.names.len() > before)
    }

    /// Counts the terms of all places.
    fn count_all(&mut self, rules: &Rules) {
        let mut counts = vec![None; self.places.len()];
        for place in 0..self.places.len() as u32 {
            self.count_place(place, usize::from(rules.limits.term_depth), &mut counts);
        }
        self.counts = counts.into_iter().map(|count| count.unwrap_or(0.0)).collect();
    }

    /// How many terms may stand at a place: infinitely many if functions lead back to it, or so deep that nobody counts.
    fn count_place(&self, place: u32, depth: usize, counts: &mut [Option<f64>]) -> f64 {
        if let Some(count) = counts[place as usize] {
            return count;
        }
        // Whoever comes back here while it is being counted has found a circle.
        counts[place as usize] = Some(f64::INFINITY);
        if depth == 0 {
            return f64::INFINITY;
        }
        let mut sum = 0.0;
        for &name in &self.places[place as usize].names {
            let (_, arity, first) = self.names[name as usize];
            let args = first..first + arity as u32;
            let factors: Vec<f64> = args.map(|place| self.count_place(place, depth - 1, counts)).collect();
            sum += if factors.contains(&0.0) { 0.0 } else { factors.iter().product() };
        }
        counts[place as usize] = Some(sum);
        sum
    }

    /// All moves that a role may ever have, in the order of [`Terms::compare`], unless they are more than `most`.
    pub(crate) fn moves(&self, role: usize, most: usize, terms: &mut Terms) -> Option<Vec<TermId>> {
        let place = self.moves[role];
        (self.counts[place as usize] <= most as f64).then(|| self.list(place, terms))
    }

    /// All terms of a place, of which there are not too many.
    fn list(&self, place: u32, terms: &mut Terms) -> Vec<TermId> {
        let mut names = self.places[place as usize].names.clone();
        names.sort_unstable_by_key(|&name| self.names[name as usize]);
        let mut list = Vec::new();
        for name in names {
            let (symbol, arity, first) = self.names[name as usize];
            let parts: Vec<_> = (first..first + arity as u32).map(|place| self.list(place, terms)).collect();
            let mut rows = vec![Vec::with_capacity(arity)];
            for part in &parts {
                rows = rows.iter().flat_map(|row| part.iter().map(move |&term| [&row[..], &[term]].concat())).collect();
            }
            list.extend(rows.iter().map(|row| terms.add(symbol, row)));
        }
        list
    }

    /// Per clause: how many instances its head has at most.
    pub(crate) fn instances(&self, rules: &Rules) -> Vec<f64> {
        let dependencies = Dependencies::new(rules);
        let mut sizes: Vec<f64> =
            (0..rules.relations.len()).map(|index| self.product(Relation(index as u32), rules)).collect();
        let mut order: Vec<_> = (0..rules.clauses.len()).collect();
        order.sort_by_key(|&clause| dependencies.component[rules.clauses[clause].head.relation.index()]);
        let mut instances = vec![0.0; rules.clauses.len()];
        // What a relation depends on comes before it; a recursive one is bounded by what its arguments range over.
        for clauses in order.chunk_by(|&a, &b| rules.clauses[a].head.relation == rules.clauses[b].head.relation) {
            let mut sum = 0.0;
            for &clause in clauses {
                instances[clause] = self.bound(rules, &rules.clauses[clause], &sizes);
                sum += instances[clause];
            }
            let head = rules.clauses[clauses[0]].head.relation;
            let is_fed = matches!(head, relation::NEXT | relation::INIT | relation::LEGAL);
            if !dependencies.recursive[head.index()] && !is_fed {
                sizes[head.index()] = sizes[head.index()].min(sum);
            }
        }
        instances
    }

    /// As many atoms as a relation's arguments allow.
    fn product(&self, relation: Relation, rules: &Rules) -> f64 {
        let first = self.relations[relation.index()];
        (first..first + rules.relations[relation.index()].1 as u32).map(|place| self.counts[place as usize]).product()
    }

    /// How many instances the head of a clause has at most: conditions, or the ranges of variables, that together fix the
    /// variables of the head.
    fn bound(&self, rules: &Rules, clause: &Clause, sizes: &[f64]) -> f64 {
        let mut places: Vec<Vec<u32>> = vec![Vec::new(); clause.variables as usize];
        let mut covers: Vec<(f64, Vec<u32>)> = Vec::new();
        for condition in &clause.body {
            let Condition::Holds(atom) = condition else { continue };
            let mut variables = Vec::new();
            for (place, arg) in self.places_of(rules, atom).into_iter().zip(&atom.args) {
                self.places_of_variables(place, arg, &mut |variable, place| {
                    places[variable as usize].push(place);
                    variables.push(variable);
                });
            }
            covers.push((sizes[atom.relation.index()].max(1.0).log10(), variables));
        }
        let ranges: Vec<f64> = places
            .iter()
            .map(|places| {
                let counts = places.iter().map(|&place| self.counts[place as usize]);
                counts.fold(f64::INFINITY, f64::min).max(1.0).log10()
            })
            .collect();
        let mut open = FxHashSet::default();
        clause.head.variables(&mut |variable| _ = open.insert(variable));
        covers.extend(open.iter().map(|&variable| (ranges[variable as usize], vec![variable])));
        let mut total = 0.0;
        while !open.is_empty() {
            let price = |(cost, variables): &(f64, Vec<u32>)| {
                let new: FxHashSet<_> = variables.iter().filter(|variable| open.contains(variable)).collect();
                cost.min(variables.iter().map(|&v| ranges[v as usize]).sum()) / new.len() as f64
            };
            let prices = covers.iter().map(|cover| (price(cover), cover));
            let Some((_, best)) = prices.filter(|(price, _)| !price.is_nan()).min_by(|a, b| a.0.total_cmp(&b.0)) else {
                return f64::INFINITY;
            };
            total += best.0.min(best.1.iter().map(|&v| ranges[v as usize]).sum());
            let covered = best.1.clone();
            if !covered.iter().any(|variable| open.remove(variable)) {
                return f64::INFINITY;
            }
            covered.iter().for_each(|variable| _ = open.remove(variable));
        }
        10_f64.powf(total)
    }

    fn places_of_variables(&self, place: u32, pattern: &Pattern, visit: &mut impl FnMut(u32, u32)) {
        match pattern {
            Pattern::Variable(variable) => visit(*variable, place),
            Pattern::Ground(_) => {}
            Pattern::Function(symbol, args) => {
                let Some(&name) = self.numbers.get(&(*symbol, args.len())) else { return };
                let first = self.names[name as usize].2;
                for (place, arg) in (first..).zip(args) {
                    self.places_of_variables(place, arg, visit);
                }
            }
        }
    }
}
