//! Runs a tape over the columns of a block.

use super::column::Column;
use super::vectors::{Kernel, Vectors};
use crate::tape::{Action, Op, Piece, Tape};

/// Computes a tape.
///
/// Not inlined: the loops over all kinds of operations would be compiled again for every caller.
#[inline(never)]
pub(super) fn evaluate(vectors: Vectors, tape: &Tape, values: &mut [Column]) {
    vectors.run(Evaluate { tape, values });
}

struct Evaluate<'a> {
    tape: &'a Tape,
    values: &'a mut [Column],
}

/// Pieces that are repeated until nothing grows.
struct Cycle {
    first_piece: usize,
    first_op: usize,
    /// The piece behind them.
    end: usize,
    /// Whether something grew in this round.
    grown: bool,
}

impl Kernel for Evaluate<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Evaluate { tape, values } = self;
        let (mut at, mut done) = (0, 0);
        let mut cycle: Option<Cycle> = None;
        loop {
            if let Some(round) = cycle.as_mut().filter(|round| round.end == at) {
                if round.grown {
                    (at, done, round.grown) = (round.first_piece, round.first_op, false);
                } else {
                    cycle = None;
                }
            }
            let Some(piece) = tape.pieces.get(at) else { return };
            at += 1;
            match *piece {
                Piece::Run { action, end } => {
                    let grown = run(action, &tape.ops[done..end as usize], values);
                    done = end as usize;
                    if let Some(round) = &mut cycle {
                        round.grown |= grown;
                    }
                }
                Piece::Cycle { end } => {
                    cycle = Some(Cycle { first_piece: at, first_op: done, end: end as usize, grown: false });
                }
            }
        }
    }
}

/// Does operations of one kind; whether something grew.
#[inline(always)]
fn run(action: Action, ops: &[Op], values: &mut [Column]) -> bool {
    match action {
        Action::And => two(ops, values, |a, b| a & b),
        Action::Or => two(ops, values, |a, b| a | b),
        Action::AndNot => two(ops, values, |a, b| a & !b),
        Action::AndAnd => three(ops, values, |a, b, c| a & b & c),
        Action::OrOr => three(ops, values, |a, b, c| a | b | c),
        Action::AndAndNot => three(ops, values, |a, b, c| a & b & !c),
        Action::AndNotNot => three(ops, values, |a, b, c| a & !b & !c),
        Action::AndOr => three(ops, values, |a, b, c| (a & b) | c),
        Action::AndNotOr => three(ops, values, |a, b, c| (a & !b) | c),
        Action::OrAnd => three(ops, values, |a, b, c| (a | b) & c),
        Action::OrAndNot => three(ops, values, |a, b, c| (a | b) & !c),
        Action::NotAnd => three(ops, values, |a, b, c| c & !(a & b)),
        Action::NotAndNot => three(ops, values, |a, b, c| c & !(a & !b)),
        Action::Grow => return grow(ops, values),
    }
    false
}

#[inline(always)]
fn two(ops: &[Op], values: &mut [Column], f: impl Fn(u64, u64) -> u64) {
    for op in ops {
        let [a, b, _] = op.operands;
        values[op.target as usize] = Column::map2(values[a as usize], values[b as usize], &f);
    }
}

#[inline(always)]
fn three(ops: &[Op], values: &mut [Column], f: impl Fn(u64, u64, u64) -> u64) {
    for op in ops {
        let [a, b, c] = op.operands;
        values[op.target as usize] = Column::map3(values[a as usize], values[b as usize], values[c as usize], &f);
    }
}

#[inline(always)]
fn grow(ops: &[Op], values: &mut [Column]) -> bool {
    let mut grown = Column::FALSE;
    for op in ops {
        let source = values[op.operands[0] as usize];
        let target = &mut values[op.target as usize];
        grown = grown | (source & !*target);
        *target = *target | source;
    }
    !grown.is_false()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Gates, Kind, Network, Signal};
    use crate::tape::{Part, TRUE, first_free_slot, input_slot};
    use ludens_game::{Rng, Seed};

    /// A network of gates that nobody would write. In a cycle no signal of the cycle is negated.
    fn network(rng: &mut Rng) -> Network {
        let fluents = 1 + rng.below(12) as usize;
        let moves = 1 + rng.below(5) as usize;
        let mut terms = crate::terms::Terms::default();
        let mut symbols = crate::symbols::Symbols::default();
        let term = terms.add(symbols.add("a"), &[]);
        let mut network = Network {
            fluents: vec![term; fluents],
            moves: vec![vec![term; moves]],
            gates: Gates::default(),
            cycles: Vec::new(),
            initial: vec![false; fluents],
            next: Vec::new(),
            legal: vec![vec![Signal::FALSE; moves]],
            terminal: Signal::FALSE,
            goals: vec![Vec::new()],
        };
        while network.gates.len() < 60 {
            let length = if rng.chance(0.3) { 2 + rng.below(6) } else { 1 };
            let start = network.nodes() as u32;
            for _ in 0..length {
                let kind = if rng.chance(0.5) { Kind::And } else { Kind::Or };
                let inputs = (0..1 + rng.below(5)).map(|_| match length > 1 && rng.chance(0.5) {
                    true => Signal::node(start + rng.below(length)),
                    false => Signal::node(1 + rng.below(start - 1)).negate_if(rng.chance(0.4)),
                });
                network.gates.push(kind, inputs);
            }
            if length > 1 {
                let end = network.gates.len() as u32;
                network.cycles.push(end - length..end);
            }
        }
        let nodes = network.nodes() as u32;
        network.next = (0..fluents).map(|_| Signal::node(rng.below(nodes)).negate_if(rng.chance(0.5))).collect();
        network
    }

    #[test]
    fn random_networks_with_cycles_have_the_values_of_single_states() {
        for seed in 0..300 {
            let mut rng = Seed::new(seed).rng();
            let network = network(&mut rng);
            let (tape, outputs) = Tape::new(&Part::Next.alone(&network), Part::Next, first_free_slot(&network));
            let mut start = vec![Column::FALSE; tape.end as usize];
            start[TRUE as usize] = Column::TRUE;
            for node in 1..network.first_gate() {
                start[input_slot(node) as usize] = Column(std::array::from_fn(|_| rng.next_u64()));
            }
            for vectors in Vectors::available() {
                let mut values = start.clone();
                evaluate(vectors, &tape, &mut values);
                for lane in [0, 1, 63, 64, 200, 511] {
                    let input = |node: u32| node > 0 && start[input_slot(node) as usize].get(lane);
                    let mut expected: Vec<bool> = (0..network.first_gate()).map(input).collect();
                    network.evaluate(&mut expected);
                    for (signal, &slot) in network.next.iter().zip(&outputs) {
                        let expected = expected[signal.source() as usize] != signal.is_negated();
                        assert_eq!(values[slot as usize].get(lane), expected, "seed {seed}, lane {lane}, {signal:?}");
                    }
                }
            }
        }
    }
}
