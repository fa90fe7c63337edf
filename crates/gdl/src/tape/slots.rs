//! Places in memory for the values of a tape, used again as soon as a value is dead.

use super::select::{Instruction, Selected};
use super::{Action, Op, Piece, Tape};

/// Gives every value a slot, from `first_slot` on, and puts the tape together; with it the slots of the outputs.
pub(super) fn assign(selected: Selected, first_slot: u32) -> (Tape, Vec<u32>) {
    let last_uses = last_uses(&selected);
    let mut places = Places { of: (0..selected.values).collect(), free: Vec::new(), end: first_slot };
    let mut has_slot = vec![false; selected.values as usize];
    let mut tape = Tape { pieces: Vec::new(), ops: Vec::new(), end: 0 };
    let mut time = 0;
    for (number, segment) in selected.segments.iter().enumerate() {
        if segment.is_empty() {
            continue;
        }
        let cycle = tape.pieces.len();
        if number % 2 == 1 {
            tape.pieces.push(Piece::Cycle { end: 0 });
        }
        for instruction in segment {
            let operands = instruction.operands.map(|value| places.of[value as usize]);
            for (index, &value) in instruction.reads().iter().enumerate() {
                let again = instruction.reads()[..index].contains(&value);
                if value >= selected.first && last_uses[value as usize] == time && !again {
                    places.free.push(places.of[value as usize]);
                }
            }
            let target = instruction.target as usize;
            if !std::mem::replace(&mut has_slot[target], true) {
                places.of[target] = places.take();
            }
            push(&mut tape, instruction.action, Op { target: places.of[target], operands });
            time += 1;
        }
        if number % 2 == 1 {
            tape.pieces[cycle] = Piece::Cycle { end: tape.pieces.len() as u32 };
            // What the cycle reads has to stay until its last round is over.
            let mut dead: Vec<u32> = segment.iter().flat_map(Instruction::reads).copied().collect();
            dead.extend(segment.iter().map(|instruction| instruction.target));
            dead.sort_unstable();
            dead.dedup();
            dead.retain(|&value| value >= selected.first && last_uses[value as usize] == after(time - 1));
            places.free.extend(dead.iter().map(|&value| places.of[value as usize]));
        }
    }
    let outputs = selected.outputs.iter().map(|&value| places.of[value as usize]).collect();
    tape.end = places.end;
    (tape, outputs)
}

struct Places {
    /// Per value: its slot.
    of: Vec<u32>,
    /// Slots whose values are dead; the latest is still near the processor.
    free: Vec<u32>,
    end: u32,
}

impl Places {
    fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.end += 1;
            self.end - 1
        })
    }
}

/// The moment after an operation, as a last use: only the end of a cycle is one.
fn after(time: u64) -> u64 {
    time | 1 << 63
}

/// Per value: the number of the operation that reads it last.
fn last_uses(selected: &Selected) -> Vec<u64> {
    const NEVER: u64 = u64::MAX;
    let mut last = vec![0_u64; selected.values as usize];
    let mut time = 0;
    for (number, segment) in selected.segments.iter().enumerate() {
        let end = time + segment.len() as u64;
        for instruction in segment {
            let moment = if number % 2 == 1 { after(end - 1) } else { time };
            instruction.reads().iter().for_each(|&value| last[value as usize] = moment);
            if instruction.action == Action::Grow {
                last[instruction.target as usize] = moment;
            }
            time += 1;
        }
    }
    selected.outputs.iter().for_each(|&value| last[value as usize] = NEVER);
    last
}

fn push(tape: &mut Tape, action: Action, op: Op) {
    tape.ops.push(op);
    let now = tape.ops.len() as u32;
    match tape.pieces.last_mut() {
        Some(Piece::Run { action: last, end }) if *last == action => *end = now,
        _ => tape.pieces.push(Piece::Run { action, end: now }),
    }
}
