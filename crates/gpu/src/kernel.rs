//! The source of the kernels, one text for one sheet and its players.

use crate::job::Job;

/// The stages, in the order in which they use each other.
const STAGES: [&str; 12] = [
    include_str!("../kernels/common.h"),
    include_str!("../kernels/state.h"),
    include_str!("../kernels/rules.h"),
    include_str!("../kernels/tree.h"),
    include_str!("../kernels/choose.h"),
    include_str!("../kernels/learn.h"),
    include_str!("../kernels/means.h"),
    include_str!("../kernels/weights.h"),
    include_str!("../kernels/sequences.h"),
    include_str!("../kernels/learners.h"),
    include_str!("../kernels/playout.h"),
    include_str!("../kernels/play.h"),
];

/// The source with the constants of a job, `more` of them, and an entry.
fn source(job: &Job, more: &str, entry: &str) -> String {
    format!("{}{more}{}{entry}", job.defines(), STAGES.concat())
}

/// The source for the host's compiler.
pub(crate) fn for_host(job: &Job) -> String {
    source(job, "", include_str!("../kernels/host.cpp"))
}

/// How the kernels are put on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Warps of a block.
    pub(crate) warps: usize,
    /// Blocks that shall fit on a multiprocessor at once; the compiler spares registers for it.
    pub(crate) min_blocks: usize,
    /// Whether slots lie in shared memory.
    pub(crate) shares_values: bool,
}

/// The source for a card.
pub(crate) fn for_card(job: &Job, shape: Shape) -> String {
    let Shape { warps, min_blocks, shares_values } = shape;
    let shared = u8::from(shares_values);
    let more = format!("#define WARPS {warps}\n#define MIN_BLOCKS {min_blocks}\n#define VALUES_SHARED {shared}\n");
    source(job, &more, include_str!("../kernels/card.cu"))
}
