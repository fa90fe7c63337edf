//! The program of a game as a [`RuleCircuit`], for engines elsewhere.

use super::program::{Phase, Program, RoleMoves};
use crate::tape::{Action, Op, Piece, TRUE, Tape};
use ludens_game::{LogicOp, LogicTape, PhaseCircuit, RoleCircuit, RuleCircuit, TapePart};

impl Program {
    pub(crate) fn circuit(&self) -> RuleCircuit {
        let holds = |fact: usize| self.initial[fact / 64] >> (fact % 64) & 1 == 1;
        let roles = &self.phases[0].roles;
        RuleCircuit {
            facts: self.fluents,
            initial: (0..self.fluents).map(holds).collect(),
            moves: roles.iter().map(|role| role.inputs.len()).collect(),
            phases: self.phases.iter().map(|phase| self.phase_circuit(phase)).collect(),
            goals: logic_tape(&self.goals, &[]),
            goal_slots: self.goal_slots.clone(),
            is_inverted: false,
            has_ways_out: false,
        }
    }

    fn phase_circuit(&self, phase: &Phase) -> PhaseCircuit {
        let role = |role: &RoleMoves| RoleCircuit {
            moves: role.moves.clone(),
            legal: role.legal.clone(),
            inputs: role.inputs.iter().map(|&slot| (slot != self.nowhere).then_some(slot)).collect(),
        };
        PhaseCircuit {
            legal: logic_tape(&phase.legal, &[]),
            terminal: phase.terminal,
            next: logic_tape(&phase.next, &phase.copies),
            next_slots: phase.next_slots.clone(),
            roles: phase.roles.iter().map(role).collect(),
        }
    }
}

/// A tape and the copies after it, from and to, in plain operations.
fn logic_tape(tape: &Tape, copies: &[(u32, u32)]) -> LogicTape {
    let mut parts = Vec::new();
    let mut straight = Vec::new();
    let (mut at, mut done) = (0, 0);
    while at < tape.pieces.len() {
        match tape.pieces[at] {
            Piece::Run { action, end } => {
                straight.extend(tape.ops[done..end as usize].iter().map(|op| logic_op(action, op)));
                (at, done) = (at + 1, end as usize);
            }
            Piece::Cycle { end } => {
                parts.push(TapePart::Straight(std::mem::take(&mut straight)));
                let (mut ops, mut grows) = (Vec::new(), Vec::new());
                for piece in &tape.pieces[at + 1..end as usize] {
                    let Piece::Run { action, end } = *piece else { unreachable!("cycles lie side by side") };
                    for op in &tape.ops[done..end as usize] {
                        match action {
                            Action::Grow => grows.push((op.target, op.operands[0])),
                            _ => ops.push(logic_op(action, op)),
                        }
                    }
                    done = end as usize;
                }
                parts.push(TapePart::Cycle { ops, grows });
                at = end as usize;
            }
        }
    }
    straight.extend(copies.iter().map(|&(from, to)| LogicOp {
        target: to,
        operands: [from, TRUE, 0],
        table: 0b1000_1000,
    }));
    parts.push(TapePart::Straight(straight));
    LogicTape { parts }
}

fn logic_op(action: Action, op: &Op) -> LogicOp {
    // Bit i of these is the value of a, b, c in row i of a truth table.
    let (a, b, c) = (0b1010_1010_u8, 0b1100_1100_u8, 0b1111_0000_u8);
    let table = match action {
        Action::And => a & b,
        Action::Or => a | b,
        Action::AndNot => a & !b,
        Action::AndAnd => a & b & c,
        Action::OrOr => a | b | c,
        Action::AndAndNot => a & b & !c,
        Action::AndNotNot => a & !b & !c,
        Action::AndOr => (a & b) | c,
        Action::AndNotOr => (a & !b) | c,
        Action::OrAnd => (a | b) & c,
        Action::OrAndNot => (a | b) & !c,
        Action::NotAnd => c & !(a & b),
        Action::NotAndNot => c & !(a & !b),
        Action::Grow => unreachable!("only cycles grow"),
    };
    LogicOp { target: op.target, operands: op.operands, table }
}
