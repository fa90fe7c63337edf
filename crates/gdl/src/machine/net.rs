//! [`Net`]: one network, compiled for propagating differences; [`Values`]: its state.
//!
//! Every node has a counter. A gate's counter says how many of its inputs keep it from being true, so a gate is true when
//! its counter is 0; a disjunction is the negation of the conjunction of its negated inputs. When a node changes, the
//! counters of the gates that it feeds go up or down by one, and those that arrive at 0 or leave it have changed, too.
//!
//! ```text
//! nodes     fluents, moves and gates with edges | gates that decide one bit of the output row, and nothing else
//! edges     per node: target gate and sign, or a bit of the output row
//! output    come | stay | legal moves of role 0 | … of the last role | terminal      (each part starts a new word)
//! ```
//!
//! A fluent is true next if its bit of `come` is set, or if it is true and its bit of `stay` is set. Most fluents stay what
//! they are most of the time, so a change of a fluent need not travel through the rule that says so.

use super::late::Late;

/// Marks an edge that leads to a bit of the output row.
pub(super) const OUTPUT: u32 = 1 << 31;

/// In place of a node: it does not exist here.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A compiled network.
pub(super) struct Net {
    /// Per node with edges: where they begin; one more than such nodes.
    pub(super) starts: Vec<u32>,
    pub(super) edges: Vec<u32>,
    /// Per node without edges: the bit that it decides.
    pub(super) leaf_bits: Vec<u32>,
    /// Per fluent: its node.
    pub(super) fluents: Vec<u32>,
    /// Per role, per move: its node.
    pub(super) moves: Vec<Vec<u32>>,
    /// The fluents that have a node, as a row.
    pub(super) used: Vec<u64>,
    /// Words of the output row: where the legal moves of each role begin, and the word of `terminal`.
    pub(super) legal_words: Vec<usize>,
    /// The only move that a role can make here, if that is known.
    pub(super) forced: Vec<Option<u32>>,
    /// What is computed only after the state, or after the moves, is known.
    pub(super) after_state: Late,
    pub(super) after_moves: Late,
    /// The values in the initial state.
    pub(super) start: Values,
}

/// What changes.
#[derive(Clone, Default)]
pub(super) struct Values {
    pub(super) counters: Vec<u32>,
    /// The state for which the values hold.
    pub(super) row: Vec<u64>,
    /// The move of every role for which they hold.
    pub(super) made: Vec<u32>,
    /// The output row.
    pub(super) out: Vec<u64>,
    /// Changes that wait: a node, and whether it is true now in the lowest bit.
    stack: Vec<u32>,
    pub(super) state_values: Vec<bool>,
    pub(super) move_values: Vec<bool>,
    /// Whether the late values hold for the state.
    late_done: bool,
}

impl Net {
    /// Values to play with.
    pub(super) fn values(&self) -> Values {
        self.start.clone()
    }

    pub(super) fn roles(&self) -> usize {
        self.moves.len()
    }

    /// The number of edges.
    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// About how much work it is to compute everything anew.
    pub(super) fn size(&self) -> usize {
        self.edges.len() + self.after_state.size() + self.after_moves.size()
    }

    /// The number of nodes.
    pub(super) fn node_count(&self) -> usize {
        self.starts.len() - 1 + self.leaf_bits.len()
    }

    /// Makes the values those of the state `row`.
    #[inline]
    pub(super) fn set_state(&self, values: &mut Values, row: &[u64]) {
        let Values { counters, out, stack, row: known, late_done, .. } = values;
        for (word, ((known, &new), &used)) in known.iter_mut().zip(row).zip(&self.used).enumerate() {
            let mut changed = *known ^ new;
            if changed == 0 {
                continue;
            }
            *known = new;
            *late_done = false;
            changed &= used;
            while changed != 0 {
                let place = changed.trailing_zeros();
                changed &= changed - 1;
                let node = self.fluents[word * 64 + place as usize];
                self.change((counters, out, stack), node, new >> place & 1 == 1);
            }
        }
        if !*late_done {
            self.after_state.run(counters, &[], (&mut values.state_values, stack), out);
            *late_done = true;
        }
    }

    /// Makes the values those of a role's move.
    #[inline]
    pub(super) fn set_move(&self, values: &mut Values, role: usize, mv: u32) {
        let old = std::mem::replace(&mut values.made[role], mv);
        if old == mv {
            return;
        }
        let nodes = &self.moves[role];
        let (new, old) = (nodes[mv as usize], nodes[old as usize]);
        let Values { counters, out, stack, .. } = values;
        if new != NOWHERE {
            self.change((counters, out, stack), new, true);
        }
        if old != NOWHERE {
            self.change((counters, out, stack), old, false);
        }
    }

    /// Writes the next state to `row`, once all moves are set.
    #[inline]
    pub(super) fn next_state(&self, values: &mut Values, row: &mut [u64]) {
        let Values { counters, state_values, move_values, out, stack, .. } = values;
        self.after_moves.run(counters, state_values, (move_values, stack), out);
        let (come, stay) = out.split_at(row.len());
        for ((word, come), stay) in row.iter_mut().zip(come).zip(stay) {
            *word = come | (*word & stay);
        }
    }

    /// Changes a node and all that depends on it.
    #[inline]
    fn change(&self, (counters, out, stack): (&mut [u32], &mut [u64], &mut Vec<u32>), node: u32, now: bool) {
        counters[node as usize] = u32::from(!now);
        let leaves = self.starts.len() as u32 - 1;
        let mut item = node << 1 | u32::from(now);
        loop {
            let node = (item >> 1) as usize;
            let edges = &self.edges[self.starts[node] as usize..self.starts[node + 1] as usize];
            for &edge in edges {
                if edge & OUTPUT != 0 {
                    toggle(out, edge & !OUTPUT);
                    continue;
                }
                let target = edge >> 1;
                let counter = &mut counters[target as usize];
                let rises = (item ^ edge) & 1;
                let before = *counter;
                *counter = before.wrapping_add(1).wrapping_sub(rises << 1);
                // It has changed if it comes to 0 or leaves it.
                if before == rises {
                    match target.checked_sub(leaves) {
                        Some(leaf) => toggle(out, self.leaf_bits[leaf as usize]),
                        None => stack.push(target << 1 | rises),
                    }
                }
            }
            match stack.pop() {
                Some(next) => item = next,
                None => return,
            }
        }
    }
}

#[inline]
fn toggle(out: &mut [u64], bit: u32) {
    out[(bit / 64) as usize] ^= 1 << (bit % 64);
}
