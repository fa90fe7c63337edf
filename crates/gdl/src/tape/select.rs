//! From conjunctions to operations that a processor has.
//!
//! Every value is kept in one of two forms, as it is or negated, whichever one operation gives from the forms of its
//! operands. A value that only one operation uses becomes part of that operation.

use super::circuit::{Cell, Circuit};
use super::{Action, FALSE, TRUE, input_slot};
use crate::network::Signal;
use rustc_hash::FxHashMap;

/// An operation on values instead of slots. Values below [`Selected::first`] are input slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) action: Action,
    pub(super) target: u32,
    pub(super) operands: [u32; 3],
}

impl Instruction {
    /// How many operands it has.
    pub(super) fn arity(&self) -> usize {
        match self.action {
            Action::Grow => 1,
            Action::And | Action::Or | Action::AndNot => 2,
            _ => 3,
        }
    }

    /// The values that it reads.
    pub(super) fn reads(&self) -> &[u32] {
        &self.operands[..self.arity()]
    }
}

/// Operations in segments.
pub(super) struct Selected {
    /// Values below are slots of inputs.
    pub(super) first: u32,
    /// Values in all.
    pub(super) values: u32,
    /// Operations, segment by segment. Segments with odd numbers are cycles.
    pub(super) segments: Vec<Vec<Instruction>>,
    /// The values of the outputs.
    pub(super) outputs: Vec<u32>,
}

struct Selector<'c> {
    circuit: &'c Circuit,
    /// Per cell: whether its value is kept negated.
    negated: Vec<bool>,
    /// Values that are negations of others.
    turned: FxHashMap<u32, u32>,
    selected: Selected,
}

pub(super) fn select(circuit: &Circuit) -> Selected {
    let count = circuit.segments.iter().max().map_or(0, |&last| last as usize) + 2;
    let first = circuit.inputs + 1;
    let selected = Selected {
        first,
        values: first + circuit.cells.len() as u32,
        segments: vec![Vec::new(); count],
        outputs: Vec::new(),
    };
    let mut selector =
        Selector { circuit, negated: vec![false; circuit.cells.len()], turned: FxHashMap::default(), selected };
    selector.run();
    let Selector { mut selected, .. } = selector;
    fuse(&mut selected);
    selected
}

impl Selector<'_> {
    fn run(&mut self) {
        for (cell, &kind) in self.circuit.cells.iter().enumerate() {
            let segment = self.circuit.segments[cell] as usize;
            let target = self.selected.first + cell as u32;
            match kind {
                // It is cleared before its cycle begins.
                Cell::Feedback => self.put(segment - 1, Action::And, target, [FALSE, FALSE, 0]),
                Cell::And(a, b) => {
                    let ((a, a_turned), (b, b_turned)) = (self.value(a), self.value(b));
                    let (action, operands) = match (a_turned, b_turned) {
                        (false, false) => (Action::And, [a, b, 0]),
                        (false, true) => (Action::AndNot, [a, b, 0]),
                        (true, false) => (Action::AndNot, [b, a, 0]),
                        (true, true) => (Action::Or, [a, b, 0]),
                    };
                    self.negated[cell] = action == Action::Or;
                    self.put(segment, action, target, operands);
                }
            }
        }
        for &(feedback, signal) in &self.circuit.feedback {
            let segment = self.circuit.segments[(feedback - self.circuit.inputs) as usize] as usize;
            let source = self.plain(signal, segment);
            let target = self.selected.first + feedback - self.circuit.inputs;
            self.put(segment, Action::Grow, target, [source, 0, 0]);
        }
        let last = self.selected.segments.len() - 1;
        let last = last - last % 2;
        self.selected.outputs = self.circuit.outputs.iter().map(|&signal| self.plain(signal, last)).collect();
    }

    fn put(&mut self, segment: usize, action: Action, target: u32, operands: [u32; 3]) {
        self.selected.segments[segment].push(Instruction { action, target, operands });
    }

    /// The value that holds a signal, and whether it holds its negation.
    fn value(&self, signal: Signal) -> (u32, bool) {
        match signal.source().checked_sub(self.circuit.inputs) {
            None if signal == Signal::TRUE => (TRUE, false),
            None => (input_slot(signal.source()), signal.is_negated()),
            Some(cell) => (self.selected.first + cell, self.negated[cell as usize] != signal.is_negated()),
        }
    }

    /// A value that is the signal itself, made in a segment if there is none.
    fn plain(&mut self, signal: Signal, segment: usize) -> u32 {
        match self.value(signal) {
            (value, false) => value,
            (value, true) => match self.turned.get(&value) {
                Some(&turned) => turned,
                None => {
                    let turned = self.selected.values;
                    self.selected.values += 1;
                    self.turned.insert(value, turned);
                    self.put(segment, Action::AndNot, turned, [TRUE, value, 0]);
                    turned
                }
            },
        }
    }
}

/// Makes operations with three operands of two with two, where nobody else wants the value between them.
fn fuse(selected: &mut Selected) {
    let mut uses = vec![0_u32; selected.values as usize];
    let reads = selected.segments.iter().flatten().flat_map(Instruction::reads);
    reads.chain(&selected.outputs).for_each(|&value| uses[value as usize] += 1);
    const NOWHERE: usize = usize::MAX;
    let mut maker = vec![NOWHERE; selected.values as usize];
    for segment in &mut selected.segments {
        let mut gone = vec![false; segment.len()];
        for index in 0..segment.len() {
            let instruction = segment[index];
            // What a cycle carries from round to round has two makers, and stays as it is.
            if instruction.arity() == 2 {
                let fits = |place: usize| {
                    let value = instruction.operands[place];
                    let made = maker[value as usize];
                    (uses[value as usize] == 1 && made != NOWHERE && segment[made].arity() == 2).then_some(made)
                };
                // Prefer the older value: it would have to be kept for longer.
                let choice = [0, 1].into_iter().filter_map(|place| Some((fits(place)?, place))).min();
                if let Some((made, place)) = choice {
                    segment[index] = fused(segment[made], instruction, place);
                    gone[made] = true;
                }
            }
            maker[instruction.target as usize] = index;
        }
        for instruction in &*segment {
            maker[instruction.target as usize] = NOWHERE;
        }
        let mut gone = gone.into_iter();
        segment.retain(|_| !gone.next().expect("one mark per operation"));
    }
}

/// `outer` with its operand `place` computed by `inner`.
fn fused(inner: Instruction, outer: Instruction, place: usize) -> Instruction {
    use Action::{
        And, AndAnd, AndAndNot, AndNot, AndNotNot, AndNotOr, AndOr, NotAnd, NotAndNot, Or, OrAnd, OrAndNot, OrOr,
    };
    let [a, b, _] = inner.operands;
    let c = outer.operands[1 - place];
    let (action, operands) = match (inner.action, outer.action, place) {
        (And, And, _) => (AndAnd, [a, b, c]),
        (And, Or, _) => (AndOr, [a, b, c]),
        (And, AndNot, 0) => (AndAndNot, [a, b, c]),
        (And, AndNot, _) => (NotAnd, [a, b, c]),
        (Or, And, _) => (OrAnd, [a, b, c]),
        (Or, Or, _) => (OrOr, [a, b, c]),
        (Or, AndNot, 0) => (OrAndNot, [a, b, c]),
        (Or, AndNot, _) => (AndNotNot, [c, a, b]),
        (AndNot, And, _) => (AndAndNot, [a, c, b]),
        (AndNot, Or, _) => (AndNotOr, [a, b, c]),
        (AndNot, AndNot, 0) => (AndNotNot, [a, b, c]),
        (AndNot, AndNot, _) => (NotAndNot, [a, b, c]),
        _ => unreachable!("only operations with two operands are fused"),
    };
    Instruction { action, target: outer.target, operands }
}
