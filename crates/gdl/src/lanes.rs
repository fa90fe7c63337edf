//! [`LaneMachine`]: hundreds of positions of one game that take their steps together.
//!
//! The network of a game is computed for 512 positions, a *block*, with the same instructions: one bit of each position
//! lies in one wide register. The tapes that do so and the meaning of their slots are the `Program` of a game, made once;
//! a block holds the values.
//!
//! | file | holds |
//! |---|---|
//! | `program.rs` | the tapes of every phase, and which slot means what |
//! | `column.rs` | one bit of 512 lanes |
//! | `vectors.rs` | the widest vectors that the processor has |
//! | `evaluate.rs` | runs a tape |
//! | `block.rs` | 512 lanes: a step, the goals |
//! | `transpose.rs` | between rows of single lanes and columns |
//! | `export.rs` | the program as plain data, for engines elsewhere |
//! | `choose.rs`, `random_playouts.rs` | uniform random moves without looking at single lanes; playouts of them |
//! | `draw.rs` | the same moves by their numbers, for drivers that handle all lanes alike |

mod block;
mod choose;
mod column;
mod draw;
mod evaluate;
mod export;
mod program;
mod random_playouts;
mod transpose;
mod vectors;

use crate::game::{row_hash, score};
use block::{ComputeScores, LaneBlock, ListLegal, Tick};
use column::WIDTH;
use draw::Draw;
use ludens_game::{LanePlayouts, Lanes, LegalRow, Move, Rng, Role};
pub use program::LaneSizes;
pub(crate) use program::Program;
use program::RowPlace;
use std::sync::Arc;
pub use vectors::Vectors;

/// Many positions of a game from a rulesheet.
pub struct LaneMachine {
    program: Arc<Program>,
    blocks: Vec<LaneBlock>,
    /// The phase of the coming tick.
    phase: usize,
}

impl LaneMachine {
    /// At least `count` lanes, all in the initial state.
    pub(crate) fn new(program: Arc<Program>, count: usize, vectors: Vectors) -> LaneMachine {
        let blocks = count.div_ceil(WIDTH).max(1);
        let mut machine = LaneMachine {
            blocks: (0..blocks).map(|_| LaneBlock::new(&program, vectors)).collect(),
            phase: program.phases.len() - 1,
            program,
        };
        // A tick in which all lanes go home to the initial state.
        for lane in 0..machine.lanes() {
            machine.rewind(lane);
        }
        machine.tick();
        machine
    }
}

impl Lanes for LaneMachine {
    fn lanes(&self) -> usize {
        self.blocks.len() * WIDTH
    }

    fn bytes(&self) -> usize {
        self.blocks.iter().map(LaneBlock::bytes).sum()
    }

    fn state_words(&self) -> usize {
        self.program.state_words()
    }

    fn phases(&self) -> u32 {
        self.program.phases.len() as u32
    }

    fn phase_of(&self, state: &[u64]) -> u32 {
        self.program.phase_of(state) as u32
    }

    fn phase(&self) -> u32 {
        self.phase as u32
    }

    fn set_home(&mut self, lane: usize, state: &[u64]) {
        let phase = self.program.phase_of(state);
        self.blocks[lane / WIDTH].set_home(lane % WIDTH, state, phase);
    }

    fn rewind(&mut self, lane: usize) {
        self.blocks[lane / WIDTH].rewound.set(lane % WIDTH);
    }

    #[inline]
    fn play(&mut self, lane: usize, role: Role, mv: Move) {
        let slot = self.program.phases[self.phase].roles[role.index()].inputs[mv.index()];
        self.blocks[lane / WIDTH].play(lane % WIDTH, role, slot);
    }

    fn tick(&mut self) {
        self.tick_unlisted();
        self.list_legal();
    }

    fn tick_unlisted(&mut self) {
        let (program, phase) = (&*self.program, self.phase);
        for block in &mut self.blocks {
            block.vectors.run(Tick { block, program, phase });
        }
        self.phase = (phase + 1) % program.phases.len();
    }

    fn list_legal(&mut self) {
        let phase = &self.program.phases[self.phase];
        for block in &mut self.blocks {
            block.vectors.run(ListLegal { block, phase });
        }
    }

    fn play_each(&mut self, role: Role, moves: &[Move]) -> Result<(), usize> {
        let moves_of_role = &self.program.phases[self.phase].roles[role.index()];
        let mut blocks = (0..).step_by(WIDTH).zip(&mut self.blocks).zip(moves.chunks(WIDTH));
        blocks.try_for_each(|((first, block), moves)| {
            block.play_each(role, moves_of_role, moves).map_err(|lane| first + lane)
        })
    }

    fn draw_each(&mut self, role: Role, rng: &mut Rng, moves: &mut [Move]) {
        let (role, drawn) = (&self.program.phases[self.phase].roles[role.index()], self.program.drawn);
        for (block, moves) in self.blocks.iter_mut().zip(moves.chunks_mut(WIDTH)) {
            block.vectors.run(Draw { block, role, drawn, streams: choose::Streams::new(rng), moves });
        }
    }

    fn list_ended(&self, lanes: &mut Vec<usize>) {
        lanes.clear();
        for (first, block) in (0..).step_by(WIDTH).zip(&self.blocks) {
            block.ended.for_each(|lane| lanes.push(first + lane));
        }
    }

    #[inline]
    fn is_terminal(&self, lane: usize) -> bool {
        self.blocks[lane / WIDTH].ended.get(lane % WIDTH)
    }

    #[inline]
    fn legal(&self, lane: usize, role: Role) -> LegalRow<'_> {
        let phase = &self.program.phases[self.phase];
        let role = &phase.roles[role.index()];
        let (bits, stride) = match &role.row {
            RowPlace::Fixed(bits) => (&**bits, 1),
            &RowPlace::At(start) => {
                let rows = self.blocks[lane / WIDTH].rows.as_flattened();
                (&rows[start * WIDTH + lane % WIDTH..], WIDTH)
            }
        };
        LegalRow { bits, stride, moves: &role.moves }
    }

    fn store(&self, lane: usize, state: &mut [u64]) {
        self.blocks[lane / WIDTH].store(&self.program, lane % WIDTH, state);
    }

    fn hash(&self, state: &[u64]) -> u64 {
        row_hash(state)
    }

    fn scores_cost(&self) -> f64 {
        self.program.goal_cost
    }

    fn compute_scores(&mut self) {
        for block in &mut self.blocks {
            block.vectors.run(ComputeScores { block, program: &self.program });
        }
    }

    fn scores(&self, lane: usize, scores: &mut [f64]) {
        let block = &self.blocks[lane / WIDTH];
        let mut columns = block.goals.iter();
        for (goals, place) in self.program.goal_slots.iter().zip(scores) {
            let holding = goals.iter().zip(&mut columns).filter(|(_, column)| column.get(lane % WIDTH));
            *place = score(holding.map(|(&(value, _), _)| value));
        }
    }

    fn random_playouts(&mut self, ticks: u64, rng: &mut Rng) -> LanePlayouts {
        let mut total = LanePlayouts { scores: vec![0.0; self.program.goal_slots.len()], ..LanePlayouts::default() };
        for block in &mut self.blocks {
            let streams = choose::Streams::new(rng);
            let program = &*self.program;
            let done = block.vectors.run(random_playouts::RandomPlayouts {
                block,
                program,
                phase: self.phase,
                ticks,
                streams,
            });
            total.count += done.count;
            total.steps += done.steps;
            total.scores.iter_mut().zip(done.scores).for_each(|(sum, score)| *sum += score);
        }
        self.phase = ((self.phase as u64 + ticks) % self.program.phases.len() as u64) as usize;
        total
    }
}
