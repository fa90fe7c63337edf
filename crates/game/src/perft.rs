//! Move-path counts, the classic test of a move generator.

use crate::{Game, Move, Role};

/// The number of paths of exactly `depth` steps from the initial position. A path that ends early does not count.
pub fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    let mut scratch = vec![Level::new(game.roles()); depth as usize];
    count(game, &game.initial(), &mut scratch)
}

/// What one depth of the recursion reuses.
#[derive(Clone)]
struct Level {
    legals: Vec<Vec<Move>>,
    joint: Vec<Move>,
    choice: Vec<usize>,
    scores: Vec<f64>,
}

impl Level {
    fn new(roles: usize) -> Level {
        Level {
            legals: vec![Vec::new(); roles],
            joint: vec![Move(0); roles],
            choice: vec![0; roles],
            scores: vec![0.0; roles],
        }
    }
}

fn count<G: Game>(game: &G, state: &G::State, levels: &mut [Level]) -> u64 {
    let Some((level, deeper)) = levels.split_first_mut() else {
        return 1;
    };
    if game.scores(state, &mut level.scores) {
        return 0;
    }
    for (role, legals) in Role::all(game.roles()).zip(&mut level.legals) {
        game.legals(state, role, legals);
    }
    if deeper.is_empty() {
        return level.legals.iter().map(|moves| moves.len() as u64).product();
    }
    level.choice.fill(0);
    let mut total = 0;
    loop {
        for (role, &index) in level.choice.iter().enumerate() {
            level.joint[role] = level.legals[role][index];
        }
        let mut next = state.clone();
        game.advance(&mut next, &level.joint);
        total += count(game, &next, deeper);
        // The next joint move, as an odometer counts.
        let Some(role) = (0..level.choice.len()).find(|&role| level.choice[role] + 1 < level.legals[role].len()) else {
            return total;
        };
        level.choice[role] += 1;
        level.choice[..role].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::{Bandit, Pennies, Race};

    #[test]
    fn counts_joint_moves_and_skips_finished_paths() {
        assert_eq!(perft(&Bandit::new(&[0.1, 0.5, 0.9]), 0), 1);
        assert_eq!(perft(&Bandit::new(&[0.1, 0.5, 0.9]), 1), 3);
        assert_eq!(perft(&Bandit::new(&[0.1, 0.5, 0.9]), 2), 0);
        assert_eq!(perft(&Pennies, 1), 4);
        // Three roles with two moves each: 8 joint moves a step, nobody can be home after one.
        assert_eq!(perft(&Race::new(3), 2), 64);
    }
}
