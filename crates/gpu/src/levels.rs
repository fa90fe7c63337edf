//! Tapes in levels: operations that do not need each other, so that the threads of a warp can share them.
//!
//! A tape of the rules uses its slots again as soon as a value is dead, in the order of one processor. Here every value gets
//! its own number first; then values get slots again, which are free for others only after the level that reads them last.

use ludens_game::{LogicOp, LogicTape, TapePart};
use std::collections::HashMap;

/// A tape whose operations have slots of a card.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevelTape {
    pub(crate) steps: Vec<Step>,
    pub(crate) ops: Vec<LogicOp>,
    /// Slots `..end` are used.
    pub(crate) end: u32,
}

/// What follows on the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Operations `..end`, in any order.
    Level { end: u32 },
    /// A cycle begins.
    Cycle,
    /// Operations `..end` let their targets grow. If one did, the cycle is repeated.
    Grow { end: u32 },
}

/// A value: where it was made and where it is needed last, as numbers of steps.
#[derive(Clone, Copy)]
struct Value {
    /// Its slot if it is an input.
    fixed: Option<u32>,
    last_use: usize,
}

/// An operation on values.
#[derive(Clone, Copy)]
struct Renamed {
    target: usize,
    operands: [usize; 3],
    table: u8,
}

const FOREVER: usize = usize::MAX;

/// Brings a tape into levels that use slots from `first` on. `place` is where an input slot of the rules is on the card, none if
/// a slot is no input. Returns the slots of the outputs.
pub(crate) fn level(
    tape: &LogicTape,
    outputs: &[u32],
    place: &dyn Fn(u32) -> Option<u32>,
    first: u32,
) -> (LevelTape, Vec<u32>) {
    let mut namer = Namer { place, values: Vec::new(), current: HashMap::new() };
    let mut steps: Vec<(Step, Vec<Renamed>)> = Vec::new();
    for part in &tape.parts {
        match part {
            TapePart::Straight(ops) => namer.add_levels(ops, &mut steps),
            TapePart::Cycle { ops, grows } => {
                let begun = steps.len();
                steps.push((Step::Cycle, Vec::new()));
                namer.add_levels(ops, &mut steps);
                let grow = |&(target, source): &(u32, u32)| {
                    let (target, source) = (namer.read(target), namer.read(source));
                    Renamed { target, operands: [source, target, target], table: 0b1000_0000 }
                };
                let grows: Vec<Renamed> = grows.iter().map(grow).collect();
                steps.push((Step::Grow { end: 0 }, grows));
                // Whatever a cycle touches stays until its last round is over.
                let ended = steps.len() - 1;
                for op in steps[begun..].iter().flat_map(|(_, ops)| ops) {
                    for value in op.operands.into_iter().chain([op.target]) {
                        namer.values[value].last_use = ended;
                    }
                }
            }
        }
    }
    let outputs: Vec<usize> = outputs.iter().map(|&slot| namer.read(slot)).collect();
    outputs.iter().for_each(|&value| namer.values[value].last_use = FOREVER);
    place_values(&namer.values, &steps, &outputs, first)
}

struct Namer<'p> {
    place: &'p dyn Fn(u32) -> Option<u32>,
    values: Vec<Value>,
    /// The value that a slot of the rules has now.
    current: HashMap<u32, usize>,
}

impl Namer<'_> {
    fn read(&mut self, slot: u32) -> usize {
        if let Some(&value) = self.current.get(&slot) {
            return value;
        }
        let fixed = (self.place)(slot);
        assert!(fixed.is_some(), "slot {slot} is read before it is written");
        self.define(slot, fixed)
    }

    fn define(&mut self, slot: u32, fixed: Option<u32>) -> usize {
        self.values.push(Value { fixed, last_use: 0 });
        self.current.insert(slot, self.values.len() - 1);
        self.values.len() - 1
    }

    /// Adds a straight list of operations, level by level.
    fn add_levels(&mut self, ops: &[LogicOp], steps: &mut Vec<(Step, Vec<Renamed>)>) {
        let mut levels: Vec<Vec<Renamed>> = Vec::new();
        let mut made: HashMap<usize, usize> = HashMap::new();
        for op in ops {
            let operands = op.operands.map(|slot| self.read(slot));
            let level = operands.iter().filter_map(|value| made.get(value)).map(|&level| level + 1).max().unwrap_or(0);
            let target = self.define(op.target, None);
            made.insert(target, level);
            if levels.len() == level {
                levels.push(Vec::new());
            }
            levels[level].push(Renamed { target, operands, table: op.table });
        }
        for ops in levels {
            for value in ops.iter().flat_map(|op| op.operands.into_iter().chain([op.target])) {
                self.values[value].last_use = self.values[value].last_use.max(steps.len());
            }
            steps.push((Step::Level { end: 0 }, ops));
        }
    }
}

/// Gives every value a slot.
fn place_values(
    values: &[Value],
    steps: &[(Step, Vec<Renamed>)],
    outputs: &[usize],
    first: u32,
) -> (LevelTape, Vec<u32>) {
    let mut slots: Vec<Option<u32>> = values.iter().map(|value| value.fixed).collect();
    let mut dying: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
    for (number, value) in values.iter().enumerate() {
        if value.fixed.is_none() && value.last_use != FOREVER {
            dying[value.last_use].push(number);
        }
    }
    let mut tape = LevelTape { end: first, ..LevelTape::default() };
    let mut free: Vec<u32> = Vec::new();
    for (number, (step, ops)) in steps.iter().enumerate() {
        for op in ops {
            let target = *slots[op.target].get_or_insert_with(|| {
                free.pop().unwrap_or_else(|| {
                    tape.end += 1;
                    tape.end - 1
                })
            });
            let operands = op.operands.map(|value| slots[value].expect("operands are made before they are used"));
            tape.ops.push(LogicOp { target, operands, table: op.table });
        }
        let end = tape.ops.len() as u32;
        tape.steps.push(match step {
            Step::Level { .. } => Step::Level { end },
            Step::Cycle => Step::Cycle,
            Step::Grow { .. } => Step::Grow { end },
        });
        free.extend(dying[number].iter().filter_map(|&value| slots[value]));
    }
    let outputs = outputs.iter().map(|&value| slots[value].expect("outputs are made")).collect();
    (tape, outputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a tape as a card would: all operations of a level read before any of them writes.
    fn run(tape: &LevelTape, values: &mut Vec<bool>) {
        values.resize(tape.end as usize, false);
        let (mut at, mut done, mut cycle) = (0, 0, (0, 0));
        while at < tape.steps.len() {
            match tape.steps[at] {
                Step::Level { end } => {
                    let ops = &tape.ops[done..end as usize];
                    let results: Vec<bool> = ops
                        .iter()
                        .map(|op| {
                            let [a, b, c] = op.operands.map(|slot| u8::from(values[slot as usize]));
                            op.table >> (a + 2 * b + 4 * c) & 1 == 1
                        })
                        .collect();
                    ops.iter().zip(results).for_each(|(op, result)| values[op.target as usize] = result);
                    (at, done) = (at + 1, end as usize);
                }
                Step::Cycle => {
                    at += 1;
                    cycle = (at, done);
                }
                Step::Grow { end } => {
                    let mut grown = false;
                    for op in &tape.ops[done..end as usize] {
                        grown |= values[op.operands[0] as usize] & !values[op.target as usize];
                        values[op.target as usize] |= values[op.operands[0] as usize];
                    }
                    (at, done) = if grown { cycle } else { (at + 1, end as usize) };
                }
            }
        }
    }

    const AND: u8 = 0b1000_1000;
    const OR: u8 = 0b1110_1110;

    fn op(target: u32, a: u32, b: u32, table: u8) -> LogicOp {
        LogicOp { target, operands: [a, b, 0], table }
    }

    #[test]
    fn slots_that_a_tape_uses_again_are_told_apart() {
        // Slots 2, 3, 4 are inputs x, y, z. Slot 5 holds x and y, then 6 keeps it with z; slot 5 becomes y or z.
        let ops = vec![op(5, 2, 3, AND), op(6, 5, 4, OR), op(5, 3, 4, OR), op(7, 5, 6, AND)];
        let tape = LogicTape { parts: vec![TapePart::Straight(ops)] };
        let (level, outputs) = level(&tape, &[7, 6], &|slot| (slot < 5).then_some(slot), 5);
        // Two operations can be done at once, and the third and the fourth one after the other.
        assert_eq!(level.steps, [Step::Level { end: 2 }, Step::Level { end: 3 }, Step::Level { end: 4 }]);
        for input in 0..8 {
            let [x, y, z] = [input & 1 == 1, input & 2 == 2, input & 4 == 4];
            let mut values = vec![false, true, x, y, z];
            run(&level, &mut values);
            let kept = (x && y) || z;
            assert_eq!(outputs.iter().map(|&slot| values[slot as usize]).collect::<Vec<_>>(), [(y || z) && kept, kept]);
        }
    }

    #[test]
    fn cycles_grow_to_their_fixpoint() {
        // b holds if x or c, c holds if b: both follow x. Slot 3 is what b was in the round before.
        let clear = op(3, 0, 0, AND);
        let cycle = TapePart::Cycle { ops: vec![op(4, 3, 3, AND), op(5, 2, 4, OR)], grows: vec![(3, 5)] };
        let tape = LogicTape { parts: vec![TapePart::Straight(vec![clear]), cycle, TapePart::Straight(vec![])] };
        let (level, outputs) = level(&tape, &[4, 5], &|slot| (slot < 3).then_some(slot), 3);
        for x in [false, true] {
            let mut values = vec![false, true, x];
            run(&level, &mut values);
            assert!(outputs.iter().all(|&slot| values[slot as usize] == x));
        }
    }
}
