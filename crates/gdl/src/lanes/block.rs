//! [`LaneBlock`]: 512 lanes.

use super::choose::Scratch;
use super::column::{Column, WIDTH, WORDS};
use super::evaluate::evaluate;
use super::program::{MoveSlots, Phase, Program, RoleMoves, RowPlace};
use super::random_playouts::PlayoutsUnderWay;
use super::transpose::{Squares, read_rows, transpose};
use super::vectors::{Kernel, Vectors};
use ludens_game::{Move, Role, WAIT};

/// 512 lanes: their states, and what was computed of them.
pub(super) struct LaneBlock {
    pub(super) vectors: Vectors,
    /// One column per slot; the state is a part of it.
    pub(super) values: Vec<Column>,
    /// The home state, fluent by fluent.
    pub(super) home: Vec<Column>,
    /// The same, lane by lane.
    home_rows: Vec<u64>,
    /// Whether rows have changed that are not yet in `home`.
    home_changed: bool,
    /// Per phase: the lanes whose home has it.
    pub(super) home_phases: Vec<Column>,
    /// Per lane and role: the slot of the move that it makes.
    made: Vec<u32>,
    /// The lanes that make moves at the coming tick.
    played: Column,
    /// The lanes that go home at the coming tick.
    pub(super) rewound: Column,
    /// The lanes whose game is over.
    pub(super) ended: Column,
    /// Whether the rows of legal moves are older than the last tick.
    is_unlisted: bool,
    /// Legal moves: the first words of all lanes, then the second ones, and so on.
    pub(super) rows: Vec<[u64; WORDS]>,
    /// Goals of all roles, when they were computed last.
    pub(super) goals: Vec<Column>,
    /// Playouts under way.
    pub(super) under_way: Option<PlayoutsUnderWay>,
    /// Room for choices.
    pub(super) scratch: Scratch,
}

impl LaneBlock {
    pub(super) fn new(program: &Program, vectors: Vectors) -> LaneBlock {
        let roles = program.goal_slots.len();
        let row_words = program.phases.iter().map(|phase| phase.row_words).max().unwrap_or(0);
        let mut values = vec![Column::FALSE; program.slots];
        values[crate::tape::TRUE as usize] = Column::TRUE;
        let mut home_phases = vec![Column::FALSE; program.phases.len()];
        home_phases[program.phase_of(&program.initial)] = Column::TRUE;
        LaneBlock {
            vectors,
            values,
            home: vec![Column::FALSE; program.fluents],
            home_rows: program.initial.repeat(WIDTH),
            home_changed: true,
            home_phases,
            made: vec![program.nowhere; WIDTH * roles],
            played: Column::FALSE,
            rewound: Column::FALSE,
            ended: Column::FALSE,
            is_unlisted: false,
            rows: vec![[0; WORDS]; 64 * row_words],
            goals: vec![Column::FALSE; program.goal_slots.iter().map(Vec::len).sum()],
            under_way: None,
            scratch: Scratch::default(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let columns = self.values.len() + self.home.len() + self.goals.len() + self.rows.len();
        columns * size_of::<Column>() + self.home_rows.len() * size_of::<u64>() + self.made.len() * size_of::<u32>()
    }

    pub(super) fn set_home(&mut self, lane: usize, state: &[u64], phase: usize) {
        let words = state.len();
        self.home_rows[lane * words..(lane + 1) * words].copy_from_slice(state);
        self.home_changed = true;
        self.home_phases.iter_mut().for_each(|lanes| lanes.clear(lane));
        self.home_phases[phase].set(lane);
        self.under_way = None;
    }

    #[inline]
    pub(super) fn play(&mut self, lane: usize, role: Role, slot: u32) {
        self.made[role.index() * WIDTH + lane] = slot;
        self.played.set(lane);
    }

    /// The moves of a role in all lanes; the first lane whose move is not legal is refused.
    pub(super) fn play_each(&mut self, role: Role, possible: &RoleMoves, moves: &[Move]) -> Result<(), usize> {
        let (mut told, mut refused) = (Column::FALSE, Column::FALSE);
        let made = &mut self.made[role.index() * WIDTH..][..moves.len()];
        // Lanes that follow each other have words that follow each other.
        let lanes = moves.chunks(WORDS).zip(made.chunks_mut(WORDS)).enumerate();
        if let [only] = possible.moves[..] {
            for (bit, (moves, _)) in lanes {
                for (word, &mv) in moves.iter().enumerate() {
                    told.0[word] |= u64::from(mv != WAIT) << bit;
                    refused.0[word] |= u64::from(mv != WAIT && mv != only) << bit;
                }
            }
            refused = refused | (told & !self.values[possible.slots(only).legal as usize]);
        } else {
            for (bit, (moves, made)) in lanes {
                for (word, (&mv, made)) in moves.iter().zip(made).enumerate() {
                    let MoveSlots { legal, input } = possible.slots(mv);
                    let is_legal = self.values[legal as usize].0[word] >> bit & 1;
                    let is_told = u64::from(mv != WAIT);
                    told.0[word] |= is_told << bit;
                    refused.0[word] |= (is_told & !is_legal) << bit;
                    *made = input;
                }
            }
        }
        self.played = self.played | told;
        let mut first = None;
        refused.for_each(|lane| first = Some(first.map_or(lane, |first: usize| first.min(lane))));
        first.map_or(Ok(()), Err)
    }

    pub(super) fn store(&self, program: &Program, lane: usize, state: &mut [u64]) {
        let columns = &self.values[program.fluent_slot(0)..][..program.fluents];
        for (word, columns) in state.iter_mut().zip(columns.chunks(64)) {
            let bits = columns.iter().enumerate();
            *word = bits.fold(0, |word, (bit, column)| word | u64::from(column.get(lane)) << bit);
        }
    }

    /// Brings the home columns up to date.
    #[inline(always)]
    pub(super) fn update_home(&mut self, program: &Program) {
        if !std::mem::take(&mut self.home_changed) {
            return;
        }
        let mut squares: Squares = [Column::FALSE; 64];
        for (word, columns) in self.home.chunks_mut(64).enumerate() {
            read_rows(&self.home_rows, program.state_words(), word, &mut squares);
            transpose(&mut squares);
            columns.copy_from_slice(&squares[..columns.len()]);
        }
    }

    /// Puts some lanes into their home states.
    #[inline(always)]
    fn go_home(&mut self, program: &Program, lanes: Column) {
        let state = &mut self.values[program.fluent_slot(0)..];
        for (column, &home) in state.iter_mut().zip(&self.home) {
            *column = lanes.choose(home, *column);
        }
    }

    /// Computes the next state; it is taken by some lanes, while others go home.
    #[inline(always)]
    pub(super) fn advance(&mut self, program: &Program, phase: &Phase, lanes: Transition) {
        evaluate(self.vectors, &phase.next, &mut self.values);
        for &(from, to) in &phase.copies {
            self.values[to as usize] = self.values[from as usize];
        }
        let Transition { moving, homing } = lanes;
        let first = program.fluent_slot(0);
        if homing.is_false() {
            for &(fluent, slot) in &phase.changes {
                let here = first + fluent as usize;
                self.values[here] = moving.choose(self.values[slot as usize], self.values[here]);
            }
        } else {
            let staying = !(moving | homing);
            for (fluent, (&slot, &home)) in phase.next_slots.iter().zip(&self.home).enumerate() {
                let (next, here) = (self.values[slot as usize], self.values[first + fluent]);
                self.values[first + fluent] = (next & moving) | (home & homing) | (here & staying);
            }
        }
    }

    /// One column per move that is made.
    #[inline(always)]
    fn enter_moves(&mut self, phase: &Phase) {
        for role in &phase.roles {
            role.inputs.iter().for_each(|&slot| self.values[slot as usize] = Column::FALSE);
        }
        for (role, made) in phase.roles.iter().zip(self.made.chunks_exact(WIDTH)) {
            match role.moves[..] {
                // Who has one move makes it wherever a step is made.
                [only] => self.values[role.inputs[only.index()] as usize] = self.played,
                _ => self.played.for_each(|lane| self.values[made[lane] as usize].set(lane)),
            }
        }
    }

    /// Legal moves, lane by lane.
    #[inline(always)]
    fn write_rows(&mut self, phase: &Phase) {
        let mut squares: Squares = [Column::FALSE; 64];
        for role in &phase.roles {
            if let RowPlace::At(start) = role.row {
                for (word, slots) in role.legal.chunks(64).enumerate() {
                    squares[slots.len()..].fill(Column::FALSE);
                    for (square, &slot) in squares.iter_mut().zip(slots) {
                        *square = self.values[slot as usize];
                    }
                    transpose(&mut squares);
                    for (row, column) in self.rows[64 * (start + word)..].iter_mut().zip(&squares) {
                        *row = column.0;
                    }
                }
            }
        }
    }
}

/// Which lanes do what in a step; the others stay as they are.
#[derive(Clone, Copy)]
pub(super) struct Transition {
    /// They take the next state.
    pub(super) moving: Column,
    /// They take their home state.
    pub(super) homing: Column,
}

/// [`Lanes::tick`](ludens_game::Lanes::tick) for a block.
pub(super) struct Tick<'a> {
    pub(super) block: &'a mut LaneBlock,
    pub(super) program: &'a Program,
    pub(super) phase: usize,
}

impl Kernel for Tick<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Tick { block, program, phase } = self;
        let (played, rewound) = (block.played, block.rewound);
        if (played | rewound).is_false() {
            return;
        }
        block.under_way = None;
        block.update_home(program);
        if !(played & rewound).is_false() {
            block.go_home(program, played & rewound);
        }
        if played.is_false() {
            block.go_home(program, rewound);
        } else {
            block.enter_moves(&program.phases[phase]);
            block.advance(program, &program.phases[phase], Transition { moving: played, homing: rewound & !played });
        }
        let next = &program.phases[(phase + 1) % program.phases.len()];
        evaluate(block.vectors, &next.legal, &mut block.values);
        block.ended = (played | rewound).choose(block.values[next.terminal as usize], block.ended);
        block.is_unlisted = true;
        block.played = Column::FALSE;
        block.rewound = Column::FALSE;
    }
}

/// [`Lanes::list_legal`](ludens_game::Lanes::list_legal) for a block: in the phase of the coming tick.
pub(super) struct ListLegal<'a> {
    pub(super) block: &'a mut LaneBlock,
    pub(super) phase: &'a Phase,
}

impl Kernel for ListLegal<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        if std::mem::take(&mut self.block.is_unlisted) {
            self.block.write_rows(self.phase);
        }
    }
}

/// [`Lanes::compute_scores`](ludens_game::Lanes::compute_scores) for a block.
pub(super) struct ComputeScores<'a> {
    pub(super) block: &'a mut LaneBlock,
    pub(super) program: &'a Program,
}

impl Kernel for ComputeScores<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let ComputeScores { block, program } = self;
        if block.ended.is_false() {
            return;
        }
        evaluate(block.vectors, &program.goals, &mut block.values);
        let slots = program.goal_slots.iter().flatten();
        for (column, &(_, slot)) in block.goals.iter_mut().zip(slots) {
            *column = block.values[slot as usize];
        }
    }
}
