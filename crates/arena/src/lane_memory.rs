//! [`LaneMemory`]: how many games in lanes fit into memory.
//!
//! What a search takes depends on the game, the player and the budget, and nobody knows it beforehand. So one search of
//! every player is made and looked at, before the first game of a cell is let in.

use crate::engine::{GameContext, GameTask};
use ludens_game::{Role, Seed};
use ludens_search::{Budget, SearchError, Spec};
use std::collections::HashMap;

/// For all searches of one thread together, in bytes.
const LIMIT: usize = 3 << 30;

/// Simulations of a search that is looked at; one that makes more is expected to take as much more.
const SAMPLE: u64 = 1000;

/// As a game goes on a player keeps a part of its tree and fills its tables.
const GROWTH: usize = 2;

/// The memory of the games in lanes.
pub(crate) struct LaneMemory {
    size: usize,
    taken: usize,
    /// What a game of a cell takes, by the cell's place in the experiment.
    known: HashMap<usize, usize>,
}

impl LaneMemory {
    pub(crate) fn new() -> LaneMemory {
        LaneMemory::of(LIMIT)
    }

    fn of(size: usize) -> LaneMemory {
        LaneMemory { size, taken: 0, known: HashMap::new() }
    }

    /// Lets a game in, if it has room beside the others; one always has.
    pub(crate) fn enter(&mut self, context: &GameContext<'_>, task: &GameTask) -> Result<bool, SearchError> {
        let need = match self.known.get(&task.number) {
            Some(&need) => need,
            None => {
                let need = need(context, task)?;
                self.known.insert(task.number, need);
                need
            }
        };
        let fits = self.taken == 0 || self.taken + need <= self.size;
        if fits {
            self.taken += need;
        }
        Ok(fits)
    }

    /// A game that was let in is over.
    pub(crate) fn leave(&mut self, task: &GameTask) {
        self.taken -= self.known[&task.number];
    }
}

/// The bytes that the players of a game are expected to take.
fn need(context: &GameContext<'_>, task: &GameTask) -> Result<usize, SearchError> {
    let players: Vec<usize> = task
        .cell
        .players
        .iter()
        .map(|player| bytes_per_player(context, &player.spec, task.cell.budget))
        .collect::<Result<_, _>>()?;
    Ok(task.seats.iter().map(|&seat| players[seat]).sum())
}

/// The same for one player.
pub(crate) fn bytes_per_player(context: &GameContext<'_>, spec: &Spec, budget: Budget) -> Result<usize, SearchError> {
    let position = context.game.clone().start();
    let roles = Role::all(context.game.role_names().len());
    let decider = roles.into_iter().find(|&role| position.legals(role).len() > 1).unwrap_or(Role(0));
    let mut player = context.game.clone().player(decider, spec, context.learned.clone())?;
    let simulations = budget.about_simulations().unwrap_or(SAMPLE);
    player.start(Seed::new(0));
    player.choose(&Budget::simulations(simulations.min(SAMPLE)), context.stop);
    Ok(player.report().bytes * simulations.div_ceil(SAMPLE) as usize * GROWTH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Contestant, Seats};
    use ludens_search::InMemory;
    use std::sync::Arc;

    fn task(spec: &str, simulations: u64, number: usize) -> GameTask {
        let player = Contestant { name: spec.into(), spec: spec.parse().expect("a spec") };
        let budget = Budget::simulations(simulations);
        let cell = Cell { game: "gdl:connect4".into(), budget, players: vec![player], seats: Seats::All };
        GameTask { cell: Arc::new(cell), number, index: 0, seats: vec![0, 0], seed: Seed::new(1) }
    }

    #[test]
    fn games_enter_as_long_as_there_is_room() {
        let game = ludens_catalog::open("gdl:connect4").expect("a rulesheet");
        let context = GameContext {
            game,
            learned: Arc::new(InMemory::default()),
            share: 4,
            at_once: 1,
            stop: &|| false,
            searched: &|| {},
            note: &|_| {},
        };
        let (small, large) = (task("uct", 100, 0), task("uct+nppa", 10_000, 1));
        let (one, other) = (need(&context, &small).unwrap(), need(&context, &large).unwrap());
        assert!(other > 50 * one, "{one} and {other} bytes");
        // Memory for two small games and a half.
        let mut memory = LaneMemory::of(one * 5 / 2);
        assert_eq!([(); 3].map(|()| memory.enter(&context, &small).unwrap()), [true, true, false]);
        memory.leave(&small);
        assert!(memory.enter(&context, &small).unwrap());
        assert!(!memory.enter(&context, &large).unwrap());
        // What has no room beside others is let in alone.
        memory.leave(&small);
        memory.leave(&small);
        assert!(memory.enter(&context, &large).unwrap());
        assert!(!memory.enter(&context, &small).unwrap());
    }
}
