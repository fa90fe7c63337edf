//! One search: a player follows a game to a position and chooses, watched, within the limits.

use crate::{
    engines::{Engines, Key},
    limits::MAX_TIME,
    pool::Pool,
};
use ludens_game::{Position, Role, Seed};
use ludens_search::{Budget, KeptPlayer, Learned, Playable, Report, SearchObserver, Spec};
use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

/// The time between two looks at a search.
const LOOK: Duration = Duration::from_millis(100);

/// What all searches share.
pub struct Service {
    /// The threads.
    pub pool: Pool,
    /// The players.
    pub engines: Engines,
    /// Weights that policies have learned beforehand.
    pub learned: Arc<dyn Learned>,
}

impl Service {
    /// So many threads, before which `waiting` searches may wait, and players that hold at most so many bytes.
    pub fn new(threads: usize, waiting: usize, memory: usize, learned: Arc<dyn Learned>) -> Service {
        Service { pool: Pool::new(threads.max(1), waiting), engines: Engines::new(memory), learned }
    }
}

/// A search to be done.
pub struct SearchTask {
    /// The game.
    pub game: Arc<dyn Playable>,
    /// The position, with the moves that led there.
    pub position: Box<dyn Position>,
    /// Whose move it is about.
    pub role: Role,
    /// The player that thinks.
    pub player: Spec,
    /// How long.
    pub budget: Budget,
    /// Where its randomness comes from; each role has its own.
    pub seed: u64,
    /// Under which name the player is kept for the next move; without one it is not.
    pub table: Option<String>,
}

/// What a search found.
pub struct Found {
    /// The move, by name.
    pub name: String,
    /// What the player thinks in the end.
    pub report: Report,
    /// Why the search has ended before its budget did.
    pub cut: Option<&'static str>,
}

impl SearchTask {
    /// Searches. `look` hears several times a second what the player thinks, and can end the search.
    ///
    /// # Errors
    /// If the player cannot play the game.
    pub fn search(&self, service: &Service, look: &mut dyn FnMut(&Report) -> ControlFlow<()>) -> Result<Found, String> {
        let seed = Seed::new(self.seed).at(u64::from(self.role.0));
        let key = self.table.as_ref().map(|table| Key {
            table: table.clone(),
            game: self.game.name(),
            role: self.role.index(),
            spec: self.player.to_string(),
            seed: self.seed,
        });
        let running = service.engines.begin();
        let mut engine = match key.as_ref().and_then(|key| service.engines.take(key)) {
            Some(engine) => engine,
            None => {
                let player = self.game.clone().player(self.role, &self.player, service.learned.clone());
                KeptPlayer::new(player.map_err(|error| error.to_string())?, seed)
            }
        };
        engine.follow(self.position.history(), seed);
        let (begun, mut cut) = (Instant::now(), None);
        let mut watch = |report: &Report| {
            let wish = look(report);
            if !running.holds(report.bytes) {
                cut = Some("the memory limit was reached");
            } else if begun.elapsed() >= MAX_TIME {
                cut = Some("the time limit was reached");
            }
            if cut.is_some() { ControlFlow::Break(()) } else { wish }
        };
        let mut observer = SearchObserver { interval: LOOK, look: &mut watch };
        let (mv, _) = engine.player.choose_watched(&self.budget, &mut observer);
        let report = engine.player.report();
        // A player that may not grow any more is of no use for the next move.
        if let Some(key) = key.filter(|_| running.holds(report.bytes)) {
            drop(running);
            service.engines.keep(key, engine, report.bytes);
        }
        Ok(Found { name: self.position.move_name(self.role, mv), report, cut })
    }
}
