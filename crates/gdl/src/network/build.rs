//! From ground rules to gates: an atom is the disjunction of its instances, an instance the conjunction of its conditions.

use super::{Factory, Gates, Kind, Network, Signal};
use crate::components::components;
use crate::diagnostic::Span;
use crate::ground::{AtomId, Ground, GroundLiteral};
use crate::rules::{Clause, Condition, relation};
use std::ops::Range;

/// An atom that depends on its own negation, so that the rules do not say whether it holds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} depends on its own negation")]
pub struct NegativeCycle(pub String, pub Span);

/// The atom, with the place of a rule for it that negates something.
fn negative_cycle(ground: &Ground, atom: AtomId) -> NegativeCycle {
    let relation = ground.relation(atom);
    let negates = |clause: &&Clause| clause.body.iter().any(|condition| matches!(condition, Condition::Fails(_)));
    let mut clauses = ground.rules.clauses.iter().filter(|clause| clause.head.relation == relation);
    let span = clauses.clone().find(negates).or_else(|| clauses.next()).map_or(Span::default(), |clause| clause.span);
    NegativeCycle(ground.text(atom), span)
}

/// All instances, grouped by head: `bodies[starts[atom]..starts[atom + 1]]` are ranges of `literals`.
struct Instances {
    literals: Vec<GroundLiteral>,
    bodies: Vec<Range<u32>>,
    starts: Vec<u32>,
}

impl Instances {
    fn new(ground: &Ground) -> Instances {
        let mut starts = vec![0_u32; ground.atom_count() + 2];
        let mut total = 0;
        ground.for_each_instance(|head, body| {
            starts[head.0 as usize + 2] += 1;
            total += body.len();
        });
        for index in 2..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut literals = Vec::with_capacity(total);
        let mut bodies = vec![0..0; ground.instance_count()];
        ground.for_each_instance(|head, body| {
            let start = literals.len() as u32;
            literals.extend_from_slice(body);
            let place = &mut starts[head.0 as usize + 1];
            bodies[*place as usize] = start..literals.len() as u32;
            *place += 1;
        });
        starts.pop();
        Instances { literals, bodies, starts }
    }

    fn of(&self, atom: usize) -> impl ExactSizeIterator<Item = &[GroundLiteral]> {
        let bodies = &self.bodies[self.starts[atom] as usize..self.starts[atom + 1] as usize];
        bodies.iter().map(|body| &self.literals[body.start as usize..body.end as usize])
    }
}

impl Network {
    /// The circuit of ground rules, with every gate in its simplest form by itself.
    ///
    /// # Errors
    /// An atom that depends on its own negation.
    pub fn new(ground: &Ground) -> Result<Network, NegativeCycle> {
        let terms = &ground.rules.terms;
        let mut fluents: Vec<_> = ground.rows(relation::TRUE).map(|row| row[0]).collect();
        fluents.sort_by(|&a, &b| terms.compare(a, b));
        let mut moves = vec![Vec::new(); ground.rules.roles.len()];
        for row in ground.rows(relation::DOES) {
            let role = ground.rules.roles.iter().position(|&role| role == row[0]).expect("only roles move");
            moves[role].push(row[1]);
        }
        for moves in &mut moves {
            moves.sort_by(|&a, &b| terms.compare(a, b));
        }
        let mut network = Network {
            initial: fluents.iter().map(|&fluent| ground.has_settled(relation::INIT, &[fluent])).collect(),
            next: vec![Signal::FALSE; fluents.len()],
            legal: moves.iter().map(|moves| vec![Signal::FALSE; moves.len()]).collect(),
            terminal: Signal::FALSE,
            goals: vec![Vec::new(); moves.len()],
            gates: Gates::default(),
            cycles: Vec::new(),
            fluents,
            moves,
        };
        let signals = Builder::new(ground, &network).run(&mut network)?;
        network.connect(ground, &signals);
        Ok(network)
    }

    fn connect(&mut self, ground: &Ground, signals: &[Signal]) {
        let signal = |relation, args: &[_]| match ground.is_settled(relation) {
            true => ground.has_settled(relation, args).then_some(Signal::TRUE),
            false => ground.find(relation, args).map(|atom| signals[atom.0 as usize]),
        };
        for (fluent, next) in self.fluents.iter().zip(&mut self.next) {
            *next = signal(relation::NEXT, &[*fluent]).unwrap_or(Signal::FALSE);
        }
        for ((moves, legal), &role) in self.moves.iter().zip(&mut self.legal).zip(&ground.rules.roles) {
            for (mv, legal) in moves.iter().zip(legal) {
                *legal = signal(relation::LEGAL, &[role, *mv]).unwrap_or(Signal::FALSE);
            }
        }
        self.terminal = signal(relation::TERMINAL, &[]).unwrap_or(Signal::FALSE);
        for row in ground.rows(relation::GOAL) {
            let role = ground.rules.roles.iter().position(|&role| role == row[0]);
            let value = ground.rules.terms.text(row[1], &ground.rules.symbols).parse();
            if let (Some(role), Ok(value), Some(signal)) = (role, value, signal(relation::GOAL, row)) {
                self.goals[role].push((value, signal));
            }
        }
        for goals in &mut self.goals {
            goals.sort_unstable();
        }
    }
}

struct Builder<'g> {
    ground: &'g Ground,
    instances: Instances,
    factory: Factory,
    signals: Vec<Signal>,
    /// Atoms that are inputs or that are finished.
    done: Vec<bool>,
}

impl<'g> Builder<'g> {
    fn new(ground: &'g Ground, network: &Network) -> Builder<'g> {
        let mut builder = Builder {
            ground,
            instances: Instances::new(ground),
            // Many instances have one condition or none, and need no gate.
            factory: Factory::new(network.first_gate(), ground.instance_count() / 2),
            signals: vec![Signal::FALSE; ground.atom_count()],
            done: vec![false; ground.atom_count()],
        };
        for (index, &fluent) in network.fluents.iter().enumerate() {
            let atom = ground.find(relation::TRUE, &[fluent]).expect("fluents are atoms");
            builder.input(atom, network.fluent_node(index));
        }
        for (role, moves) in network.moves.iter().enumerate() {
            let first = network.move_node(role, 0);
            for (index, &mv) in moves.iter().enumerate() {
                let atom = ground.find(relation::DOES, &[ground.rules.roles[role], mv]).expect("moves are atoms");
                builder.input(atom, first + index as u32);
            }
        }
        builder
    }

    fn input(&mut self, atom: AtomId, node: u32) {
        self.signals[atom.0 as usize] = Signal::node(node);
        self.done[atom.0 as usize] = true;
    }

    /// The signals of all atoms.
    fn run(mut self, network: &mut Network) -> Result<Vec<Signal>, NegativeCycle> {
        let count = self.signals.len();
        let mut starts = vec![0_u32];
        let mut targets = Vec::with_capacity(self.instances.literals.len());
        for atom in 0..count {
            if !self.done[atom] {
                targets.extend(self.instances.of(atom).flatten().map(|literal| literal.atom.0));
            }
            starts.push(targets.len() as u32);
        }
        let component = components(count, |atom| &targets[starts[atom] as usize..starts[atom + 1] as usize]);
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_key(|&atom| component[atom as usize]);
        for members in order.chunk_by(|&a, &b| component[a as usize] == component[b as usize]) {
            match *members {
                [atom] if self.done[atom as usize] => {}
                [atom] if self.instances.of(atom as usize).flatten().all(|literal| literal.atom.0 != atom) => {
                    self.signals[atom as usize] = self.atom(atom as usize);
                    self.done[atom as usize] = true;
                }
                _ => network.cycles.push(self.cycle(members)?),
            }
        }
        network.gates = self.factory.gates;
        Ok(self.signals)
    }

    fn atom(&mut self, atom: usize) -> Signal {
        let (mut arms, mut conditions) = (Vec::new(), Vec::new());
        for body in self.instances.of(atom) {
            conditions.clear();
            conditions.extend(body.iter().map(|&literal| signal(&self.signals, literal)));
            arms.push(self.factory.and(&mut conditions));
        }
        self.factory.or(&mut arms)
    }

    /// Atoms that depend on each other: one place for every atom and for every instance with several conditions.
    fn cycle(&mut self, members: &[u32]) -> Result<Range<u32>, NegativeCycle> {
        let inside = |atom: AtomId| members.binary_search(&atom.0).is_ok();
        for &atom in members {
            if self.instances.of(atom as usize).flatten().any(|literal| literal.negated && inside(literal.atom)) {
                return Err(negative_cycle(self.ground, AtomId(atom)));
            }
        }
        let start = self.factory.next_node();
        for (node, &atom) in (start..).zip(members) {
            self.signals[atom as usize] = Signal::node(node);
            self.done[atom as usize] = true;
        }
        let mut arm = start + members.len() as u32;
        for &atom in members {
            let arms = self.instances.of(atom as usize).len() as u32;
            self.factory.push(Kind::Or, (arm..arm + arms).map(Signal::node));
            arm += arms;
        }
        for body in members.iter().flat_map(|&atom| self.instances.of(atom as usize)) {
            self.factory.push(Kind::And, body.iter().map(|&literal| signal(&self.signals, literal)));
        }
        let first = self.factory.first_gate();
        Ok(start - first..arm - first)
    }
}

fn signal(signals: &[Signal], literal: GroundLiteral) -> Signal {
    signals[literal.atom.0 as usize].negate_if(literal.negated)
}
