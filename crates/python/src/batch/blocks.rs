//! [`Blocks`]: the positions of a batch, and the threads that compute them.

use super::block::{Block, Refused, Wanted};
use rayon::ThreadPool;

/// Positions of a block: as many as the engine computes with one instruction.
pub(super) const LANES: usize = 512;

/// The positions and who computes them.
pub(super) struct Blocks {
    pub(super) list: Vec<Block>,
    /// Threads that help the one that calls.
    pub(super) pool: Option<ThreadPool>,
    pub(super) finished: u64,
    /// The positions whose game ended at the last step that was published.
    pub(super) ended: Vec<usize>,
    /// Whether the arrays that are computed when asked for are those of the present step.
    pub(super) has_legal: bool,
    pub(super) has_states: bool,
}

impl Blocks {
    /// Does something with all blocks.
    pub(super) fn try_each<E: Send>(&mut self, work: impl Fn(&mut Block) -> Result<(), E> + Sync) -> Result<(), E> {
        share_out(self.pool.as_ref(), &mut self.list, work)
    }

    /// The same with the part of an array that belongs to each block, in which a position has `width` places.
    pub(super) fn try_each_with<T: Send, E: Send>(
        &mut self,
        (array, width): (&mut [T], usize),
        work: impl Fn(&mut Block, &mut [T]) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let mut pairs: Vec<_> = self.list.iter_mut().zip(array.chunks_mut(LANES * width)).collect();
        share_out(self.pool.as_ref(), &mut pairs, |(block, part)| work(block, part))
    }

    /// Plays a move in every position, or none if one of them is refused.
    pub(super) fn step(&mut self, wanted: &Wanted) -> Result<(), Refused> {
        self.try_each(|block| block.enter(wanted))?;
        (self.has_legal, self.has_states) = (false, false);
        self.try_each(|block| {
            block.step();
            Ok(())
        })
    }

    /// Whether several roles decide in some position.
    pub(super) fn has_joint_moves(&mut self) -> bool {
        self.list.iter_mut().any(Block::has_joint_moves)
    }
}

/// Does work by this thread and those of a pool; the first failure counts.
fn share_out<I: Send, E: Send>(
    pool: Option<&ThreadPool>,
    items: &mut [I],
    work: impl Fn(&mut I) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let Some(pool) = pool else { return items.iter_mut().try_for_each(work) };
    let share = items.len().div_ceil(pool.current_num_threads() + 1);
    let mut parts = items.chunks_mut(share);
    let own = parts.next().unwrap_or_default();
    let mut results: Vec<Result<(), E>> = (0..=parts.len()).map(|_| Ok(())).collect();
    pool.in_place_scope(|scope| {
        let (first, others) = results.split_first_mut().expect("this thread has a part");
        for (part, result) in parts.zip(others) {
            let work = &work;
            scope.spawn(move |_| *result = part.iter_mut().try_for_each(work));
        }
        *first = own.iter_mut().try_for_each(&work);
    });
    results.into_iter().collect()
}
