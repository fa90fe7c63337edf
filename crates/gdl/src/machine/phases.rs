//! Fluents that go round in a short circle by themselves, whatever the roles do: whose turn it is.
//!
//! In each phase of the circle these fluents are constant. A network that is specialised on them does not switch all moves
//! of a role on and off at every turn, and knows that the others wait.

use crate::network::{Kind, Network, Signal};

/// Circles longer than this are not followed.
const MAX_PERIOD: usize = 6;

/// Fluents that depend on more than this are not looked at.
const MAX_CONE: usize = 200;

/// The values of the circling fluents in every phase, from the initial state on.
pub(super) struct Phases {
    pub(super) fluents: Vec<usize>,
    pub(super) values: Vec<Vec<bool>>,
}

/// The circle of a network, unless there is none.
pub(super) fn find(network: &Network) -> Option<Phases> {
    let cones = cones(network);
    let mut period = 1;
    let mut fluents = Vec::new();
    for fluent in 0..network.fluents.len() {
        if let Some(own) = closure(&cones, fluent).and_then(|closure| circle(network, &closure, fluent)) {
            let common = lcm(period, own);
            if own > 1 && common <= MAX_PERIOD {
                period = common;
                fluents.push(fluent);
            }
        }
    }
    if period == 1 {
        return None;
    }
    let mut values = vec![Vec::new(); period];
    for &fluent in &fluents {
        let closure = closure(&cones, fluent)?;
        let mut state: Vec<bool> = closure.iter().map(|&f| network.initial[f]).collect();
        let place = closure.iter().position(|&f| f == fluent)?;
        for phase in &mut values {
            phase.push(state[place]);
            state = step(network, &closure, &state);
        }
    }
    Some(Phases { fluents, values })
}

/// Per fluent: the fluents on which its next value depends, unless moves or too many others are among them.
fn cones(network: &Network) -> Vec<Option<Vec<usize>>> {
    let (first_move, first_gate) = (network.move_node(0, 0), network.first_gate());
    let cone = |next: Signal| {
        let mut seen = vec![next.source()];
        let mut at = 0;
        while at < seen.len() {
            let node = seen[at];
            at += 1;
            if (first_move..first_gate).contains(&node) || seen.len() > MAX_CONE {
                return None;
            }
            for signal in network.gate(node).map_or(&[][..], |gate| &gate.inputs) {
                if !seen.contains(&signal.source()) {
                    seen.push(signal.source());
                }
            }
        }
        Some(seen.iter().filter(|&&node| node > 0 && node < first_move).map(|&node| node as usize - 1).collect())
    };
    network.next.iter().map(|&next| cone(next)).collect()
}

/// A fluent with all fluents on which its future depends, if that is a small world of its own.
fn closure(cones: &[Option<Vec<usize>>], fluent: usize) -> Option<Vec<usize>> {
    let mut world = vec![fluent];
    let mut at = 0;
    while at < world.len() {
        for &other in cones[world[at]].as_ref()? {
            if !world.contains(&other) {
                world.push(other);
            }
        }
        at += 1;
        if world.len() > 2 * MAX_PERIOD {
            return None;
        }
    }
    Some(world)
}

/// After how many steps the values of a fluent repeat, if the initial state of its world comes again.
fn circle(network: &Network, world: &[usize], fluent: usize) -> Option<usize> {
    let initial: Vec<bool> = world.iter().map(|&f| network.initial[f]).collect();
    let mut state = initial.clone();
    for steps in 1..=MAX_PERIOD {
        state = step(network, world, &state);
        if state == initial {
            return Some(steps).filter(|_| world.contains(&fluent));
        }
    }
    None
}

fn step(network: &Network, world: &[usize], state: &[bool]) -> Vec<bool> {
    let value = |fluent: usize| world.iter().position(|&f| f == fluent).is_some_and(|place| state[place]);
    world.iter().map(|&fluent| evaluate(network, network.next[fluent], &value)).collect()
}

/// Small cones without cycles only.
fn evaluate(network: &Network, signal: Signal, fluent: &dyn Fn(usize) -> bool) -> bool {
    let node = match network.gate(signal.source()) {
        Some(gate) => match gate.kind {
            Kind::And => gate.inputs.iter().all(|&input| evaluate(network, input, fluent)),
            Kind::Or => gate.inputs.iter().any(|&input| evaluate(network, input, fluent)),
        },
        None => signal.source() > 0 && fluent(signal.source() as usize - 1),
    };
    node != signal.is_negated()
}

fn lcm(a: usize, b: usize) -> usize {
    let gcd = |mut a: usize, mut b: usize| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    a / gcd(a, b) * b
}
