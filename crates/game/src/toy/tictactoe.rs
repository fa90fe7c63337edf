//! Tic-tac-toe, the smallest game that everybody knows.

use crate::{Move, Piece, Rng, Role, TurnGame, View};

/// Tic-tac-toe. A move is a cell: `a1` at the lower left to `c3` at the upper right.
#[derive(Clone, Debug)]
pub struct TicTacToe;

/// A position of [`TicTacToe`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    /// The role that marked each cell, row by row from below.
    pub cells: [Option<Role>; 9],
    /// Who marks next.
    pub mover: Role,
}

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Marks {
    /// Who has three in a row.
    fn winner(&self) -> Option<Role> {
        let owner = |line: &[usize; 3]| line.map(|cell| self.cells[cell]);
        LINES.iter().map(owner).find(|[a, b, c]| a == b && b == c && a.is_some())?[0]
    }

    fn free(&self) -> impl Iterator<Item = Move> + '_ {
        (0..).map(Move).zip(&self.cells).filter(|(_, mark)| mark.is_none()).map(|(mv, _)| mv)
    }
}

impl TurnGame for TicTacToe {
    type State = Marks;

    fn name(&self) -> String {
        "tictactoe".into()
    }

    fn role_names(&self) -> &[&'static str] {
        &["crosses", "noughts"]
    }

    fn moves(&self, _role: Role) -> usize {
        9
    }

    fn initial(&self) -> Marks {
        Marks { cells: [None; 9], mover: Role(0) }
    }

    fn to_move(&self, state: &Marks) -> Role {
        state.mover
    }

    fn legals(&self, state: &Marks, out: &mut Vec<Move>) {
        out.clear();
        if state.winner().is_none() {
            out.extend(state.free());
        }
    }

    fn random_move(&self, state: &Marks, rng: &mut Rng) -> Option<Move> {
        let free = state.free().count() as u32;
        if free == 0 || state.winner().is_some() {
            return None;
        }
        state.free().nth(rng.below(free) as usize)
    }

    fn play(&self, state: &mut Marks, mv: Move) {
        state.cells[mv.index()] = Some(state.mover);
        state.mover = state.mover.other();
    }

    fn scores(&self, state: &Marks, out: &mut [f64]) -> bool {
        match state.winner() {
            Some(winner) => {
                out[winner.index()] = 1.0;
                out[winner.other().index()] = 0.0;
            }
            None if state.free().next().is_none() => out.fill(0.5),
            None => return false,
        }
        true
    }

    fn hash(&self, state: &Marks) -> Option<u64> {
        let digit = |mark: &Option<Role>| mark.map_or(0, |role| u64::from(role.0) + 1);
        Some(state.cells.iter().fold(u64::from(state.mover.0), |hash, mark| hash * 3 + digit(mark)))
    }

    fn move_name(&self, _role: Role, mv: Move) -> String {
        format!("{}{}", ["a", "b", "c"][mv.index() % 3], mv.index() / 3 + 1)
    }

    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        (0..9).map(Move).find(|&mv| self.move_name(role, mv) == text.to_lowercase())
    }

    fn view(&self, state: &Marks) -> View {
        let mut view =
            View::square(3, 3, vec![Piece::of(Role(0), "cross", '×', 'x'), Piece::of(Role(1), "nought", '○', 'o')]);
        for (cell, mark) in view.cells.iter_mut().zip(&state.cells) {
            cell.piece = mark.map(Role::index);
        }
        view
    }

    fn touched_cells(&self, _role: Role, mv: Move) -> Vec<usize> {
        vec![mv.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Plan, conformance, random_moves};
    use crate::perft;

    const PLAN: Plan = Plan { walks: 50, max_steps: 9, seed: 1 };

    #[test]
    fn it_conforms() {
        assert_eq!(conformance(&TicTacToe, PLAN).map(|walks| walks.count), Ok(PLAN.walks));
        assert_eq!(random_moves(&TicTacToe, PLAN, 20), Ok(()));
    }

    #[test]
    fn move_paths_are_counted_as_everywhere() {
        // Up to the fourth mark nobody can have won; from the fifth on finished games have no continuation.
        assert_eq!((1..=6).map(|depth| perft(&TicTacToe, depth)).collect::<Vec<_>>(), [9, 72, 504, 3024, 15120, 54720]);
    }
}
