//! [`Sheet`]: the rules of a game as the kernels read them: constants for the compiler, and one array of words.

use crate::levels::{LevelTape, Step, level};
use ludens_game::{LogicOp, PhaseCircuit, RuleCircuit};
use std::fmt::Write as _;

/// Rules, ready for the kernels.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// What the compiler is told.
    pub(crate) defines: String,
    /// The tables of `state.h`.
    pub(crate) words: Vec<u32>,
    pub(crate) roles: usize,
    /// The most moves that a role may have in a phase.
    pub(crate) max_moves: usize,
    /// Words of slots and homes of a warp.
    pub(crate) value_words: usize,
}

/// Slots 0 and 1 are constant, then come the facts.
const FIRST_FACT: u32 = 2;

/// Operations with smaller slots fit into eight bytes.
const NARROW: u32 = 1 << 13;

/// Slots of a wide operation, and offsets of a narrow one, must fit into their bits.
const MAX_SLOTS: u32 = 1 << 27;

/// A sequence has 18 bits for every move; two numbers mean something else.
const MAX_CODES: usize = (1 << 18) - 2;

/// Words of tables that a card keeps as constants: half of what it has room for.
const MAX_HEAD: usize = 1 << 13;

/// Rows of operations that are loaded at once.
const ROWS_AT_ONCE: usize = 4;

/// Lanes are 32 bits of a word.
const WIDTH: usize = 32;

/// A tape and where its outputs are.
type Placed = (LevelTape, Vec<u32>);

impl Sheet {
    /// Prepares rules.
    ///
    /// # Errors
    /// Why the kernels cannot play them.
    pub fn new(circuit: &RuleCircuit) -> Result<Sheet, String> {
        let roles = circuit.moves.len();
        if roles > WIDTH {
            return Err(format!("it has {roles} roles, and at most {WIDTH} fit into a warp"));
        }
        let facts = circuit.facts as u32;
        let first_input = FIRST_FACT + facts;
        let inputs: Vec<Vec<u32>> = circuit.phases.iter().map(used_inputs).collect();
        let nowhere = first_input + inputs.iter().map(Vec::len).max().unwrap_or(0) as u32;
        let first = nowhere + 1;
        let fact = |slot: u32| (slot < first_input).then_some(slot);
        let mut phases = Vec::new();
        for (phase, inputs) in circuit.phases.iter().zip(&inputs) {
            let place = |slot| fact(slot).or_else(|| Some(first_input + inputs.binary_search(&slot).ok()? as u32));
            let outputs: Vec<u32> =
                phase.roles.iter().flat_map(|role| &role.legal).chain([&phase.terminal]).copied().collect();
            let legal = level(&phase.legal, &outputs, &fact, first);
            let next = level(&phase.next, &phase.next_slots, &place, first);
            phases.push(PlacedPhase { phase, legal, next, inputs });
        }
        let goal_slots: Vec<u32> = circuit.goal_slots.iter().flatten().map(|&(_, slot)| slot).collect();
        let goals = level(&circuit.goals, &goal_slots, &fact, first);
        let tapes = || phases.iter().flat_map(|phase| [&phase.legal.0, &phase.next.0]).chain([&goals.0]);
        let slots = tapes().map(|tape| tape.end).max().unwrap_or(first);
        let codes: usize = circuit.moves.iter().sum();
        if codes >= MAX_CODES {
            return Err(format!("it has {codes} moves, and fewer than {MAX_CODES} can be told apart"));
        }
        if slots >= MAX_SLOTS {
            return Err(format!("its rules take {slots} slots, and at most {MAX_SLOTS} can be told apart"));
        }
        if head_words(phases.len(), roles) > MAX_HEAD {
            return Err(format!("it has {} phases and {roles} roles, and their tables do not fit", phases.len()));
        }
        let mut writer = Writer { words: vec![0; head_words(phases.len(), roles)], wide: slots >= NARROW };
        let mut head = Vec::new();
        let mut row_words = 1;
        for phase in &phases {
            row_words = row_words.max(phase.write(&mut writer, &mut head, (first_input, nowhere)));
        }
        head.extend(writer.tape(&goals.0));
        let pairs = circuit.goal_slots.iter().flatten().zip(&goals.1).flat_map(|(goal, &slot)| [goal.0 as u32, slot]);
        head.push(writer.list(pairs));
        head.extend(circuit.goal_slots.iter().map(|goals| goals.len() as u32));
        let bits = circuit.initial.chunks(WIDTH);
        let row = bits.map(|bits| bits.iter().rev().fold(0, |word, &holds| word << 1 | u32::from(holds)));
        head.push(writer.list(row));
        let mut code = 0;
        for &moves in &circuit.moves {
            head.push(code);
            code += moves as u32;
        }
        head.push(code);
        head.extend(circuit.moves.iter().map(|&moves| moves as u32));
        writer.words[..head.len()].copy_from_slice(&head);

        let possible = circuit.phases.iter().flat_map(|phase| &phase.roles).map(|role| role.moves.len());
        let max_moves = possible.max().unwrap_or(1).max(1);
        let steps: usize = phases.iter().map(|phase| phase.legal.0.ops.len() + phase.next.0.ops.len()).sum();
        let goal_cost = goals.0.ops.len() as f64 * phases.len() as f64 / (steps as f64).max(1.0);
        let mut defines = String::new();
        let list: Vec<String> = writer.words[..head_words(phases.len(), roles)].iter().map(u32::to_string).collect();
        let _ = writeln!(defines, "#define HEAD_WORDS {}", list.join(","));
        for (name, value) in [
            ("ROLES", roles),
            ("PHASES", phases.len()),
            ("FLUENTS", circuit.facts),
            ("STATE_WORDS", circuit.facts.div_ceil(64)),
            ("SLOTS", slots as usize),
            ("ROW_WORDS", row_words),
            ("MASK_WORDS", max_moves.div_ceil(WIDTH)),
            ("CODES", code as usize),
            ("MAX_MOVES", max_moves),
            ("GOAL_PATIENCE", ((goal_cost * WIDTH as f64) as usize).clamp(1, 1 << 20)),
            ("WIDE_OPS", usize::from(writer.wide)),
            ("INVERTED", usize::from(circuit.is_inverted)),
            ("WAYS_OUT", usize::from(circuit.has_ways_out)),
            ("SIMULTANEOUS", usize::from(circuit.phases.iter().any(is_simultaneous))),
        ] {
            let _ = writeln!(defines, "#define {name} {value}");
        }
        Ok(Sheet { defines, words: writer.words, roles, max_moves, value_words: slots as usize + circuit.facts })
    }

    /// The number of roles.
    pub fn roles(&self) -> usize {
        self.roles
    }
}

/// Whether several roles may have a choice in a phase.
fn is_simultaneous(phase: &PhaseCircuit) -> bool {
    phase.roles.iter().filter(|role| role.moves.len() > 1).count() > 1
}

/// The slots of moves that matter in a phase, ascending.
fn used_inputs(phase: &PhaseCircuit) -> Vec<u32> {
    let mut slots: Vec<u32> = phase.roles.iter().flat_map(|role| role.inputs.iter().flatten()).copied().collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// Words of `SheetTable`.
fn head_words(phases: usize, roles: usize) -> usize {
    let words = phases * (9 + 7 * roles) + 3 + 1 + roles + 1 + (roles + 1) + roles;
    words.next_multiple_of(4)
}

/// A phase with tapes in levels.
struct PlacedPhase<'c> {
    phase: &'c PhaseCircuit,
    legal: Placed,
    next: Placed,
    inputs: &'c [u32],
}

impl PlacedPhase<'_> {
    /// Writes its tables; the head gets a `PhaseTable`. Returns the words of all roles' rows.
    fn write(&self, writer: &mut Writer, head: &mut Vec<u32>, (first_input, nowhere): (u32, u32)) -> usize {
        head.extend(writer.tape(&self.legal.0));
        head.extend(writer.tape(&self.next.0));
        let (legal, next) = (&self.legal.1, &self.next.1);
        head.push(*legal.last().expect("the end is an output"));
        let facts = (FIRST_FACT..).zip(next).filter(|&(fact, &slot)| fact != slot);
        let changes: Vec<u32> = facts.flat_map(|(fact, &slot)| [fact, slot]).collect();
        let count = changes.len() as u32 / 2;
        head.extend([writer.list(changes), count]);
        let (mut row, mut rest) = (0, &legal[..]);
        for role in &self.phase.roles {
            let (slots, others) = rest.split_at(role.moves.len());
            rest = others;
            let words = role.moves.len().div_ceil(WIDTH);
            let input = |slot: &Option<u32>| match slot {
                Some(slot) => first_input + self.inputs.binary_search(slot).expect("it is used") as u32,
                None => nowhere,
            };
            let is_fixed = slots.iter().all(|&slot| slot == 1);
            head.extend([writer.list(role.moves.iter().map(|mv| mv.0)), role.moves.len() as u32]);
            head.push(writer.list(slots.iter().copied()));
            head.extend([row as u32, words as u32, u32::from(is_fixed)]);
            head.push(writer.list(role.inputs.iter().map(input)));
            row += words;
        }
        row
    }
}

/// Writes lists one after the other.
struct Writer {
    words: Vec<u32>,
    wide: bool,
}

impl Writer {
    /// Writes a list; returns where.
    fn list(&mut self, items: impl IntoIterator<Item = u32>) -> u32 {
        // Operations are read as pairs or fours of words.
        self.words.resize(self.words.len().next_multiple_of(4), 0);
        let at = self.words.len() as u32;
        self.words.extend(items);
        at
    }

    /// Writes a tape; returns its `TapeTable`.
    fn tape(&mut self, tape: &LevelTape) -> [u32; 3] {
        let (mut steps, mut ops): (Vec<[u32; 2]>, Vec<LogicOp>) = (Vec::new(), Vec::new());
        let mut done = 0;
        for (number, &step) in tape.steps.iter().enumerate() {
            // Levels that follow each other are read without a break.
            let goes_on = matches!((step, tape.steps.get(number + 1)), (Step::Level { .. }, Some(Step::Level { .. })));
            let mut rows = |end: u32| {
                ops.extend_from_slice(&tape.ops[done..end as usize]);
                // The rest of the last row does nothing; where reading breaks off, the rest of the last four rows.
                let unit = if goes_on { WIDTH } else { ROWS_AT_ONCE * WIDTH };
                ops.resize(ops.len().next_multiple_of(unit), LogicOp { target: 0, operands: [0; 3], table: 0 });
                done = end as usize;
                ops.len() as u32
            };
            match (step, steps.last_mut()) {
                // Threads wait for each other after every row, so levels need not be told apart.
                (Step::Level { end }, Some([0, last])) => *last = rows(end),
                (Step::Level { end }, _) => steps.push([0, rows(end)]),
                (Step::Cycle, _) => steps.push([1, 0]),
                (Step::Grow { end }, _) => steps.push([2, rows(end)]),
            }
        }
        let wide = self.wide;
        let words: Vec<u32> = ops.iter().flat_map(|op| if wide { wide_op(op) } else { narrow_op(op) }).collect();
        let count = steps.len() as u32;
        [self.list(steps.into_iter().flatten()), count, self.list(words)]
    }
}

/// Sixteen bits for every slot: its place in bytes, of which the highest bit and the two lowest are free for flips.
fn narrow_op(op: &LogicOp) -> Vec<u32> {
    let flags = u32::from(flags(op));
    let [xa, xb, xt, xc, xr] = [0, 1, 2, 3, 4].map(|bit| flags >> bit & 1);
    let half = |slot: u32, highest: u32| (4 * slot) | (highest << 15);
    let [a, b, c] = op.operands;
    vec![(half(op.target, xr) | xt) | (half(a, xa) << 16), half(b, xb) | (half(c, xc) << 16)]
}

fn wide_op(op: &LogicOp) -> Vec<u32> {
    let [a, b, c] = op.operands;
    vec![op.target, a, b, c | u32::from(flags(op)) << 27]
}

/// The flips with which `gate` of `rules.h` does an operation. Only rows count that the constants among the operands allow.
fn flags(op: &LogicOp) -> u8 {
    let gate = |row: u8, flags: u8| {
        let flip = |bit: u8| flags >> bit & 1;
        let [a, b, c] = [row & 1, row >> 1 & 1, row >> 2 & 1];
        let both = ((a ^ flip(0)) & (b ^ flip(1))) ^ flip(2);
        (both & (c ^ flip(3))) ^ flip(4)
    };
    let allows =
        |row: u8| op.operands.iter().enumerate().all(|(place, &slot)| slot > 1 || u32::from(row >> place & 1) == slot);
    let fits = |flags: &u8| (0..8).filter(|&row| allows(row)).all(|row| gate(row, *flags) == op.table >> row & 1);
    (0..32).find(fits).expect("a gate does every operation of a tape")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_does_every_operation() {
        // Bit i of these is the value of a, b, c in row i of a truth table.
        let (a, b, c) = (0b1010_1010_u8, 0b1100_1100_u8, 0b1111_0000_u8);
        let three = [
            a & b & c,
            a | b | c,
            a & b & !c,
            a & !b & !c,
            (a & b) | c,
            (a & !b) | c,
            (a | b) & c,
            (a | b) & !c,
            c & !(a & b),
            c & !(a & !b),
        ];
        for table in three {
            flags(&LogicOp { target: 9, operands: [5, 6, 7], table });
        }
        for table in [a & b, a | b, a & !b] {
            flags(&LogicOp { target: 9, operands: [5, 6, 0], table });
        }
        // a & !b with a constant: only the rows with a = 1 and c = 0 count.
        flags(&LogicOp { target: 9, operands: [1, 6, 0], table: a & !b });
    }

    #[test]
    fn operations_are_packed_without_loss() {
        // Not (a and b and c): only the result is flipped.
        let op = LogicOp { target: 8_191, operands: [2, 4_096, 8_000], table: 0b0111_1111 };
        assert_eq!(flags(&op), 0b10000);
        assert_eq!(narrow_op(&op), [0xfffc | 8 << 16, 0x4000 | 0x7d00 << 16]);
        assert_eq!(wide_op(&op), [8_191, 2, 4_096, 8_000 | 0b10000 << 27]);
        // (a or b) and c is c and not (not a and not b): a, b and their product are flipped.
        let op = LogicOp { table: 0b1110_0000, ..op };
        assert_eq!(flags(&op), 0b00111);
        assert_eq!(narrow_op(&op), [0x7ffd | 0x8008 << 16, 0xc000 | 0x7d00 << 16]);
    }

    #[test]
    fn rows_that_are_read_without_a_break_are_whole_fours() {
        let op = LogicOp { target: 9, operands: [5, 6, 7], table: 0b1000_0000 };
        let steps = vec![
            Step::Level { end: 1 },
            Step::Level { end: 2 },
            Step::Cycle,
            Step::Level { end: 3 },
            Step::Grow { end: 4 },
            Step::Level { end: 5 },
        ];
        let tape = LevelTape { steps, ops: vec![op; 5], end: 10 };
        let mut writer = Writer { words: Vec::new(), wide: false };
        let [at, count, ops] = writer.tape(&tape).map(|word| word as usize);
        // Two levels share four rows; whatever begins after them has four rows of its own.
        assert_eq!(writer.words[at..at + 2 * count], [0, 128, 1, 0, 0, 256, 2, 384, 0, 512]);
        assert_eq!(writer.words.len() - ops, 2 * 512);
    }
}
