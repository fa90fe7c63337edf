//! Engines, which play the games of an experiment.
//!
//! The runner hands out tasks of one game at a time. It does not matter how they are played: one after another, as
//! [`OneByOne`] does, or many at once, as [`InLanes`](crate::InLanes) does. A task says everything that its result depends on.

use crate::{
    broken::{Broken, Outcome},
    cell::Cell,
    open::OpenGames,
    run::RunError,
};
use ludens_game::{Position, Role, Seed};
use ludens_search::{Learned, Playable, Player, SearchError, Spec, isolate, play};
use std::sync::Arc;

/// One game to be played.
#[derive(Clone, Debug)]
pub struct GameTask {
    /// What is played: the budget and the players.
    pub cell: Arc<Cell>,
    /// The place of the cell in the experiment.
    pub number: usize,
    /// The number of the game in its cell.
    pub index: u64,
    /// Which of the cell's players sits at which role.
    pub seats: Vec<usize>,
    /// The seed of the game; role r plays with `seed.at(r)`.
    pub seed: Seed,
}

impl GameTask {
    /// The spec that sits at a role.
    pub fn spec(&self, role: Role) -> &Spec {
        &self.cell.players[self.seats[role.index()]].spec
    }
}

/// Where tasks are played: the game, and what all its players share.
pub struct GameContext<'t> {
    /// The game of all tasks.
    pub game: Arc<dyn Playable>,
    /// Where weights that were learned beforehand are kept.
    pub learned: Arc<dyn Learned>,
    /// How many tasks may be under way at once, so that other threads have their share.
    pub share: usize,
    /// Games of the catalogue that are played at the same time, this one among them.
    pub at_once: usize,
    /// Polled regularly; if it returns `true`, the games under way are abandoned.
    pub stop: &'t (dyn Fn() -> bool + Sync),
    /// Called after every search when many games run at once, of which the first may end late.
    pub searched: &'t (dyn Fn() + Sync),
    /// Hears what a user should know.
    pub note: &'t (dyn Fn(&str) + Sync),
}

/// Plays tasks.
pub trait Backend: Sync {
    /// Whether it can play a cell at all.
    ///
    /// # Errors
    /// Why it cannot.
    fn check(&self, games: &OpenGames, cell: &Cell) -> Result<(), RunError> {
        let _ = (games, cell);
        Ok(())
    }

    /// Whether it plays many games of a cell at once, if so many games of its kind are there for each thread.
    fn plays_many(&self, games: &OpenGames, cell: &Cell, share: u64) -> bool {
        let _ = (games, cell, share);
        false
    }

    /// Plays tasks of one game, on the calling thread, until there are none left or the context says stop. `done` hears of
    /// every game that was finished or failed, in any order.
    ///
    /// # Errors
    /// If a spec cannot play the game.
    fn play(
        &self,
        context: &GameContext<'_>,
        tasks: &mut dyn Iterator<Item = GameTask>,
        done: &mut dyn FnMut(GameTask, Outcome),
    ) -> Result<(), SearchError>;
}

/// One game after another. Players are kept between tasks while the cell needs them.
pub struct OneByOne;

impl Backend for OneByOne {
    fn play(
        &self,
        context: &GameContext<'_>,
        tasks: &mut dyn Iterator<Item = GameTask>,
        done: &mut dyn FnMut(GameTask, Outcome),
    ) -> Result<(), SearchError> {
        let mut pool = PlayerPool::default();
        for task in tasks {
            match pool.play(context, &task)? {
                Some(outcome) => done(task, outcome),
                None => return Ok(()),
            }
        }
        Ok(())
    }
}

/// Players that wait for their next game.
#[derive(Default)]
pub(crate) struct PlayerPool {
    seats: Vec<SeatedPlayer>,
    cell: usize,
}

struct SeatedPlayer {
    role: Role,
    spec: Spec,
    player: Box<dyn Player>,
}

impl PlayerPool {
    /// Plays a task; `None` if the context said stop first. A panic ends the game and the players that sat there, nothing
    /// else.
    pub(crate) fn play(&mut self, context: &GameContext<'_>, task: &GameTask) -> Result<Option<Outcome>, SearchError> {
        let mut position: Option<Box<dyn Position>> = None;
        let attempt = isolate(|| {
            let mut seats = self.take_seats(context, task)?;
            let position = position.insert(context.game.clone().start());
            let mut players: Vec<_> = seats.iter_mut().map(|seat| &mut seat.player).collect();
            let played = play(&mut **position, &mut players, (task.cell.budget, task.seed), context.stop);
            self.seats.extend(seats);
            Ok(played)
        });
        match attempt {
            Ok(played) => Ok(played?.map(Ok)),
            Err(panicked) => {
                let moves = position.map(|position| position.history().to_vec()).unwrap_or_default();
                Ok(Some(Err(Broken { moves, panicked })))
            }
        }
    }

    /// The players of a task, by role. When the cell changes only those that the new one needs as well stay.
    fn take_seats(&mut self, context: &GameContext<'_>, task: &GameTask) -> Result<Vec<SeatedPlayer>, SearchError> {
        if self.cell != task.number {
            self.cell = task.number;
            self.seats.retain(|seat| task.cell.players.iter().any(|player| player.spec == seat.spec));
        }
        Role::all(task.seats.len()).map(|role| self.take(context, role, task.spec(role))).collect()
    }

    fn take(&mut self, context: &GameContext<'_>, role: Role, spec: &Spec) -> Result<SeatedPlayer, SearchError> {
        match self.seats.iter().position(|seat| seat.role == role && seat.spec == *spec) {
            Some(place) => Ok(self.seats.swap_remove(place)),
            None => {
                let player = context.game.clone().player(role, spec, context.learned.clone())?;
                Ok(SeatedPlayer { role, spec: spec.clone(), player })
            }
        }
    }
}
