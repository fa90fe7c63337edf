//! Goals. They are asked for once per game, so keeping them up to date would cost more than computing them anew.
//!
//! There are two ways, and a sample of states decides between them: to compute all gates in order, or to begin at the
//! goals, where a gate asks for its inputs one by one and stops when it knows its value. The second way does more for a
//! gate, but often needs only a few.

use super::sample::Row;
use super::sweep::{Sweep, value};
use crate::network::{Network, Signal};
use ludens_game::Role;

/// The goals of all roles.
pub(super) struct Goals {
    sweep: Sweep,
    /// Per role: goal value, and what decides.
    values: Vec<Vec<(i32, Decider)>>,
    /// Whether all gates are computed in order.
    all: bool,
}

/// Computing a gate on demand costs about as much as computing this many in order.
const DEMAND_COST: usize = 4;

/// What decides a goal.
#[derive(Clone, Copy)]
pub(super) enum Decider {
    /// A literal of the sweep.
    Literal(u32),
    Constant(bool),
}

/// What is known of the gates.
pub(super) struct GoalValues {
    all: Vec<bool>,
    known: Vec<Option<bool>>,
    stack: Vec<(u32, u32)>,
    raised: Vec<u32>,
}

impl Goals {
    pub(super) fn new(network: &Network, sample: &[Vec<Row>]) -> Goals {
        let mut inside = vec![false; network.nodes()];
        let mut inputs = Vec::new();
        let mut open: Vec<u32> = network.goals.iter().flatten().map(|(_, signal)| signal.source()).collect();
        while let Some(node) = open.pop() {
            match network.gate(node) {
                Some(_) if std::mem::replace(&mut inside[node as usize], true) => {}
                Some(gate) => open.extend(gate.inputs.iter().map(|signal| signal.source())),
                None if node > 0 => inputs.push(node),
                None => {}
            }
        }
        let sweep = Sweep::with_inputs(network, &inside, inputs);
        let decider = |signal: Signal| match sweep.literal(signal) {
            Some(literal) => Decider::Literal(literal),
            None => Decider::Constant(signal == Signal::TRUE),
        };
        let values = (network.goals.iter())
            .map(|goals| goals.iter().map(|&(goal, signal)| (goal, decider(signal))).collect())
            .collect();
        let mut goals = Goals { values, all: sweep.has_cycles(), sweep };
        if !goals.all {
            let ends = sample.iter().filter_map(|walk| walk.last());
            let (states, gates) = ends.fold((0, 0), |(states, gates), row| (states + 1, gates + goals.demanded(row)));
            goals.all = gates * DEMAND_COST > states * goals.sweep.places();
        }
        goals
    }

    /// How many places are known after all goals were asked for in a state.
    fn demanded(&self, row: &[u64]) -> usize {
        let mut values = self.values();
        self.set_state(&mut values, row);
        for &(_, decider) in self.values.iter().flatten() {
            self.holds(decider, &mut values);
        }
        values.known.iter().filter(|known| known.is_some()).count()
    }

    pub(super) fn values(&self) -> GoalValues {
        GoalValues { all: Vec::new(), known: vec![None; self.sweep.places()], stack: Vec::new(), raised: Vec::new() }
    }

    /// The goals of a role and what decides them.
    pub(super) fn of(&self, role: Role) -> &[(i32, Decider)] {
        &self.values[role.index()]
    }

    /// Forgets what was known, and reads the fluents of a state.
    pub(super) fn set_state(&self, values: &mut GoalValues, row: &[u64]) {
        let GoalValues { known, all, raised, .. } = values;
        let read = |node: u32| row[(node as usize - 1) / 64] >> ((node - 1) % 64) & 1 == 1;
        if self.all {
            all.resize(self.sweep.places(), false);
            all.iter_mut().zip(&self.sweep.inputs).for_each(|(place, &node)| *place = read(node));
            self.sweep.run(all, raised);
        } else {
            known.fill(None);
            known.iter_mut().zip(&self.sweep.inputs).for_each(|(place, &node)| *place = Some(read(node)));
        }
    }

    pub(super) fn holds(&self, decider: Decider, values: &mut GoalValues) -> bool {
        match decider {
            Decider::Constant(constant) => constant,
            Decider::Literal(literal) if self.all => value(&values.all, literal),
            Decider::Literal(literal) => {
                self.sweep.demand(literal >> 1, &mut values.known, &mut values.stack) != (literal & 1 == 1)
            }
        }
    }
}
