//! Runs a tape over the columns of a block.

use super::column::Column;
use crate::tape::{Action, Op, Piece, Tape};

/// Computes a tape.
#[inline(always)]
pub(super) fn evaluate(tape: &Tape, values: &mut [Column]) {
    let mut at = 0;
    let mut done = 0;
    while let Some(piece) = tape.pieces.get(at) {
        match *piece {
            Piece::Run { action, end } => {
                run(action, &tape.ops[done..end as usize], values);
                done = end as usize;
                at += 1;
            }
            Piece::Cycle { end } => {
                done = repeat(tape, at + 1..end as usize, done, values);
                at = end as usize;
            }
        }
    }
}

/// Repeats some pieces until nothing grows; where their operations end.
#[inline(always)]
fn repeat(tape: &Tape, pieces: std::ops::Range<usize>, start: usize, values: &mut [Column]) -> usize {
    loop {
        let mut done = start;
        let mut grown = false;
        for piece in &tape.pieces[pieces.clone()] {
            if let Piece::Run { action, end } = *piece {
                grown |= run(action, &tape.ops[done..end as usize], values);
                done = end as usize;
            }
        }
        if !grown {
            return done;
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
