//! [`InOrder`]: games are recorded in the order of their numbers, however many are played at once.
//!
//! Of thousands of games that begin together the short ones end first. If a run is interrupted then, or a test of a cell looks at
//! what has ended so far, short games count more than they should: a player who wins quickly and loses slowly looks too strong. So
//! a game that ends waits for those of its cell that began before it. What still waits at an interruption is played again.

use crate::{broken::Outcome, engine::GameTask};
use std::collections::BTreeMap;

/// The games of one worker that have begun, by cell and number; those that have ended wait with their outcome.
#[derive(Default)]
pub(crate) struct InOrder {
    games: BTreeMap<(usize, u64), Option<(GameTask, Outcome)>>,
}

impl InOrder {
    /// A game begins.
    pub(crate) fn begin(&mut self, task: &GameTask) {
        self.games.insert((task.number, task.index), None);
    }

    /// A game ends: returns it and those that waited for it, if it waits for none itself.
    pub(crate) fn end(&mut self, task: GameTask, outcome: Outcome) -> Vec<(GameTask, Outcome)> {
        let number = task.number;
        self.games.insert((number, task.index), Some((task, outcome)));
        let of_cell = (number, 0)..=(number, u64::MAX);
        std::iter::from_fn(|| {
            let (&key, ended) = self.games.range_mut(of_cell.clone()).next()?;
            let ended = ended.take()?;
            self.games.remove(&key);
            Some(ended)
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cell::Cell, seats::Seats};
    use ludens_game::Seed;
    use ludens_search::{Budget, Played};
    use std::sync::Arc;

    fn task(number: usize, index: u64) -> GameTask {
        let (game, budget) = ("tictactoe".into(), Budget::simulations(1));
        let cell = Cell { game, budget, players: Vec::new(), seats: Seats::All };
        GameTask { cell: Arc::new(cell), number, index, seats: vec![0, 1], seed: Seed::new(1) }
    }

    #[test]
    fn a_game_waits_for_those_of_its_cell_that_began_before_it() {
        let mut order = InOrder::default();
        for (number, index) in [(0, 3), (0, 4), (1, 0), (0, 7)] {
            order.begin(&task(number, index));
        }
        let mut end = |number, index| {
            let (moves, scores, efforts) = (Vec::new(), Vec::new(), Vec::new());
            let played = Played { moves, scores, efforts, is_cut: false, in_lanes: true };
            let ended = order.end(task(number, index), Ok(played));
            ended.iter().map(|(task, _)| (task.number, task.index)).collect::<Vec<_>>()
        };
        assert_eq!(end(0, 7), []);
        assert_eq!(end(0, 4), []);
        assert_eq!(end(1, 0), [(1, 0)]);
        assert_eq!(end(0, 3), [(0, 3), (0, 4), (0, 7)]);
    }
}
