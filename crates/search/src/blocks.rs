//! Sixteen moves at a time: sets of moves as blocks of lanes, so that one instruction handles several moves.
//!
//! The functions here are inlined into loops that are compiled for several instruction sets; they use no operation whose
//! result depends on the width of the vectors.

use crate::exp::exp_f32;

/// Moves per block.
pub(crate) const WIDTH: usize = 16;

/// A number for each of sixteen consecutive moves.
pub(crate) type Floats = [f32; WIDTH];

/// Which of sixteen consecutive moves are in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CodeBlock {
    /// The moves `WIDTH * n ..`.
    n: u32,
    /// The number of moves of the set in earlier blocks.
    before: u32,
    pub(crate) bits: u16,
}

impl CodeBlock {
    /// The number of the block.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.n as usize
    }

    /// Whether the move of a lane is in the set.
    #[inline]
    pub(crate) fn has(self, lane: usize) -> bool {
        self.bits >> lane & 1 == 1
    }
}

/// A set of moves as blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mask {
    blocks: Vec<CodeBlock>,
}

impl Mask {
    /// Replaces the moves; they ascend.
    #[inline]
    pub(crate) fn set(&mut self, moves: &[u32]) {
        self.blocks.clear();
        let mut open = CodeBlock { n: u32::MAX, before: 0, bits: 0 };
        for (place, &mv) in (0..).zip(moves) {
            let n = mv / WIDTH as u32;
            if n != open.n {
                if open.bits != 0 {
                    self.blocks.push(open);
                }
                open = CodeBlock { n, before: place, bits: 0 };
            }
            open.bits |= 1 << (mv % WIDTH as u32);
        }
        if open.bits != 0 {
            self.blocks.push(open);
        }
    }

    /// The blocks that have moves.
    #[inline]
    pub(crate) fn blocks(&self) -> &[CodeBlock] {
        &self.blocks
    }

    /// Draws a move with probability proportional to its weight and returns its place in the set; `number` is uniform
    /// between 0 and the sum of all weights. First the lane by the sums over all blocks, then the block.
    #[inline]
    pub(crate) fn sample(&self, weighed: &Weighed, number: f32) -> usize {
        let (lane, mut rest) = pick(weighed.sums, number);
        let mut chosen = 0;
        for (block, lanes) in self.blocks.iter().zip(&weighed.lanes) {
            let weight = lanes[lane];
            if weight > 0.0 {
                chosen = block.before as usize + (block.bits & ((1 << lane) - 1)).count_ones() as usize;
                rest -= weight;
                if rest < 0.0 {
                    break;
                }
            }
        }
        chosen
    }
}

/// The first entry up to which the weights add up to more than `rest`, and what is left of `rest` before it; the last entry
/// with a weight if rounding used up the sum.
#[inline]
fn pick(weights: Floats, mut rest: f32) -> (usize, f32) {
    let mut chosen = (0, 0.0);
    for (lane, weight) in weights.into_iter().enumerate() {
        if weight > 0.0 {
            chosen = (lane, rest);
            rest -= weight;
            if rest < 0.0 {
                break;
            }
        }
    }
    chosen
}

/// Weights of a set of moves, block by block, 0 in the lanes of other moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weighed {
    pub(crate) lanes: Vec<Floats>,
    /// The sum of each lane over all blocks.
    sums: Floats,
}

impl Weighed {
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.lanes.clear();
        self.sums = [0.0; WIDTH];
    }

    /// Adds the exponentials of the values of a block's moves.
    #[inline(always)]
    pub(crate) fn push_exp(&mut self, values: &Floats, block: CodeBlock) {
        let exps = exp_lanes(values, block);
        for (sum, exp) in self.sums.iter_mut().zip(exps) {
            *sum += exp;
        }
        self.lanes.push(exps);
    }

    /// The sum of all weights.
    #[inline]
    pub(crate) fn sum(&self) -> f32 {
        self.sums.as_chunks::<4>().0.iter().map(|four| (four[0] + four[2]) + (four[1] + four[3])).sum()
    }
}

/// `exp` of the values of the block's moves, 0 in the other lanes.
#[inline(always)]
fn exp_lanes(values: &Floats, block: CodeBlock) -> Floats {
    let mut exps = [0.0; WIDTH];
    for lane in 0..WIDTH {
        let exp = exp_f32(values[lane]);
        exps[lane] = if block.bits >> lane & 1 == 1 { exp } else { 0.0 };
    }
    exps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(mask: &Mask) -> Vec<usize> {
        let lanes = |block: &CodeBlock| {
            let block = *block;
            (0..WIDTH).filter(move |&lane| block.has(lane)).map(move |lane| block.index() * WIDTH + lane)
        };
        mask.blocks().iter().flat_map(lanes).collect()
    }

    #[test]
    fn masks_hold_moves_in_blocks() {
        let mut mask = Mask::default();
        for set in [vec![3, 15, 16, 40, 47], vec![], vec![31]] {
            mask.set(&set);
            let set: Vec<usize> = set.into_iter().map(|mv| mv as usize).collect();
            assert_eq!(moves(&mask), set);
        }
    }

    #[test]
    fn exponentials_and_their_sum() {
        let mut mask = Mask::default();
        mask.set(&[1, 3]);
        let mut weighed = Weighed::default();
        weighed.push_exp(&std::array::from_fn(|lane| lane as f32), mask.blocks()[0]);
        assert_eq!(weighed.lanes[0].iter().filter(|&&exp| exp != 0.0).count(), 2);
        assert!((weighed.sum() - (1.0_f32.exp() + 3.0_f32.exp())).abs() < 1e-4);
    }

    #[test]
    fn moves_are_drawn_by_their_weights() {
        let mut mask = Mask::default();
        mask.set(&[1, 3, 17, 18, 33, 40]);
        let mut lanes = vec![[0.0; WIDTH]; 3];
        // Moves 1, 3, 18, 33, 40 have the weights 1, 2, 4, 1, 8; move 17 has none. By lanes: 1 and 33, 18, 3, 40.
        (lanes[0][1], lanes[0][3], lanes[1][2], lanes[2][1], lanes[2][8]) = (1.0, 2.0, 4.0, 1.0, 8.0);
        let mut sums = [0.0; WIDTH];
        lanes.iter().for_each(|lanes| (0..WIDTH).for_each(|lane| sums[lane] += lanes[lane]));
        let mut weighed = Weighed { lanes, sums };
        assert_eq!(weighed.sum(), 16.0);
        for (number, place) in [(0.0, 0), (0.9, 0), (1.0, 4), (1.9, 4), (2.0, 3), (5.9, 3), (6.0, 1), (8.0, 5)] {
            assert_eq!(mask.sample(&weighed, number), place, "{number}");
        }
        // Sums that are too large, as rounding makes them.
        weighed.sums[8] = 8.1;
        assert_eq!(mask.sample(&weighed, 16.05), 5);
    }
}
