//! The order of operations.
//!
//! Each output in turn is preceded by what it needs and what is not there yet, so that values are used soon. Within a window
//! of that order, operations of one kind are drawn together: an interpreter pays for every change of kind.

use super::Action;
use super::select::{Instruction, Selected};
use crate::grouped::Grouped;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An operation may be done this many places earlier than its turn.
const WINDOW: usize = 96;

const NOWHERE: u32 = u32::MAX;

pub(super) fn schedule(mut selected: Selected) -> Selected {
    let mut makers = vec![NOWHERE; selected.values as usize];
    for segment in &mut selected.segments {
        enter(segment, &mut makers);
        let ordered = depth_first(segment, &makers);
        enter(&ordered, &mut makers);
        *segment = draw_together(&ordered, &makers);
        segment.iter().for_each(|instruction| makers[instruction.target as usize] = NOWHERE);
    }
    selected
}

/// Writes down who makes each value, among some operations. What only grows is not made, but there before.
fn enter(segment: &[Instruction], makers: &mut [u32]) {
    for (index, instruction) in (0..).zip(segment) {
        if instruction.action != Action::Grow {
            makers[instruction.target as usize] = index;
        }
    }
}

/// Every operation after those that it needs, and these as late as possible.
fn depth_first(segment: &[Instruction], makers: &[u32]) -> Vec<Instruction> {
    let mut used = vec![false; segment.len()];
    for value in segment.iter().flat_map(Instruction::reads) {
        if let Some(used) = used.get_mut(makers[*value as usize] as usize) {
            *used = true;
        }
    }
    let mut done = vec![false; segment.len()];
    let mut order = Vec::with_capacity(segment.len());
    let mut stack: Vec<(u32, usize)> = Vec::new();
    // Last come the feedbacks: all else in a round uses the values of the round before.
    let (grows, roots): (Vec<u32>, Vec<u32>) = (0..segment.len() as u32)
        .filter(|&index| !used[index as usize])
        .partition(|&index| segment[index as usize].action == Action::Grow);
    let feeds = grows.iter().flat_map(|&grow| segment[grow as usize].reads()).map(|&value| makers[value as usize]);
    let feeds: Vec<u32> = feeds.filter(|&maker| maker != NOWHERE).collect();
    for root in roots.into_iter().chain(feeds) {
        if !std::mem::replace(&mut done[root as usize], true) {
            stack.push((root, 0));
        }
        while let Some((index, place)) = stack.last_mut() {
            match segment[*index as usize].reads().get(*place) {
                Some(&value) => {
                    *place += 1;
                    let maker = makers[value as usize];
                    if maker != NOWHERE && !std::mem::replace(&mut done[maker as usize], true) {
                        stack.push((maker, 0));
                    }
                }
                None => {
                    order.push(segment[*index as usize]);
                    stack.pop();
                }
            }
        }
    }
    order.extend(grows.iter().map(|&grow| segment[grow as usize]));
    order
}

/// The same operations in runs of one kind.
fn draw_together(segment: &[Instruction], makers: &[u32]) -> Vec<Instruction> {
    let grows = segment.iter().filter(|instruction| instruction.action == Action::Grow).count();
    let straight = segment.len() - grows;
    let mut waiting = vec![0_u32; straight];
    let users: Grouped<u32> = Grouped::new(straight, || {
        let reads = (0..).zip(&segment[..straight]).flat_map(|(user, instruction)| {
            instruction.reads().iter().map(move |&value| (makers[value as usize], user))
        });
        reads.filter(|&(maker, _)| maker != NOWHERE)
    });
    let mut ready: [BinaryHeap<Reverse<usize>>; Action::COUNT] = std::array::from_fn(|_| BinaryHeap::new());
    for (index, instruction) in segment[..straight].iter().enumerate() {
        let made = instruction.reads().iter().filter(|&&value| makers[value as usize] != NOWHERE);
        waiting[index] = made.count() as u32;
        if waiting[index] == 0 {
            ready[instruction.action as usize].push(Reverse(index));
        }
    }
    let mut order = Vec::with_capacity(segment.len());
    let mut kind = 0;
    let first = |heap: &BinaryHeap<Reverse<usize>>| heap.peek().map(|&Reverse(index)| index);
    while let Some(earliest) = ready.iter().filter_map(first).min() {
        if first(&ready[kind]).is_none_or(|index| index > earliest + WINDOW) {
            kind = segment[earliest].action as usize;
        }
        let Reverse(index) = ready[kind].pop().expect("there is one of this kind");
        order.push(segment[index]);
        for &user in users.of(index) {
            waiting[user as usize] -= 1;
            if waiting[user as usize] == 0 {
                ready[segment[user as usize].action as usize].push(Reverse(user as usize));
            }
        }
    }
    order.extend_from_slice(&segment[straight..]);
    order
}
