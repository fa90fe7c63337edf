//! Players of running games, kept from move to move so that their trees and tables are.
//!
//! A player that is not here any more is made anew from the moves of the game: forgetting one costs strength for a move,
//! nothing else. So the limits can be strict.

use ludens_game::{Move, Seed};
use ludens_search::Player;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many players are kept.
const MAX_ENGINES: usize = 48;

/// How many bytes their trees may have together.
const MAX_BYTES: usize = 1 << 30;

/// Whose player it is: two with the same key have played alike so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// The page's name for its game.
    pub(crate) table: String,
    pub(crate) game: String,
    pub(crate) role: usize,
    pub(crate) spec: String,
    pub(crate) seed: u64,
}

/// A player and the moves that it has seen.
pub(crate) struct Engine {
    pub(crate) player: Box<dyn Player>,
    history: Vec<Vec<Move>>,
}

impl Engine {
    /// A player at the start of a game.
    pub(crate) fn new(player: Box<dyn Player>, seed: Seed) -> Engine {
        let mut engine = Engine { player, history: Vec::new() };
        engine.player.start(seed);
        engine
    }

    /// Brings the player to a position. After moves that were taken back it starts anew, so that nothing it saw in them is
    /// left in its tables.
    pub(crate) fn follow(&mut self, history: &[Vec<Move>], seed: Seed) {
        if !history.starts_with(&self.history) {
            self.player.start(seed);
            self.history.clear();
        }
        for joint in &history[self.history.len()..] {
            self.player.observe(joint);
        }
        self.history = history.to_vec();
    }
}

/// All players that are kept, the one that was used last at the end.
#[derive(Default)]
pub(crate) struct Engines {
    kept: Mutex<Vec<Kept>>,
}

struct Kept {
    key: Key,
    engine: Engine,
    bytes: usize,
}

impl Engines {
    fn kept(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a player out. While it thinks nobody else finds it.
    pub(crate) fn take(&self, key: &Key) -> Option<Engine> {
        let mut kept = self.kept();
        let place = kept.iter().position(|other| other.key == *key)?;
        Some(kept.remove(place).engine)
    }

    /// Keeps a player whose tree has so many bytes, and drops those that were not used for longest where it gets too much.
    pub(crate) fn keep(&self, key: Key, engine: Engine, bytes: usize) {
        let mut kept = self.kept();
        kept.retain(|other| other.key != key);
        kept.push(Kept { key, engine, bytes });
        let total = |kept: &[Kept]| kept.iter().map(|engine| engine.bytes).sum::<usize>();
        while kept.len() > MAX_ENGINES || (kept.len() > 1 && total(&kept) > MAX_BYTES) {
            kept.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::Role;
    use ludens_search::{Budget, InMemory};
    use std::sync::Arc;

    fn engine() -> Engine {
        let game = ludens_games::catalog::open("breakthrough:5").unwrap();
        let spec = "uct+mast".parse().unwrap();
        Engine::new(game.player(Role(0), &spec, Arc::new(InMemory::default())).unwrap(), Seed::new(1))
    }

    fn key(table: usize) -> Key {
        Key { table: table.to_string(), game: "breakthrough:5".into(), role: 0, spec: "uct+mast".into(), seed: 1 }
    }

    #[test]
    fn the_oldest_go_first() {
        let engines = Engines::default();
        for table in 0..MAX_ENGINES + 2 {
            engines.keep(key(table), engine(), 1);
        }
        assert!(engines.take(&key(1)).is_none());
        assert!(engines.take(&key(2)).is_some());
        assert!(engines.take(&key(2)).is_none(), "it was taken");
        engines.keep(key(1000), engine(), MAX_BYTES);
        assert!(engines.take(&key(MAX_ENGINES)).is_none());
        assert!(engines.take(&key(1000)).is_some(), "the newest stays, however large");
    }

    #[test]
    fn a_player_follows_forwards_and_back() {
        let position = ludens_games::catalog::open("breakthrough:5").unwrap().start();
        let [white, black] = [Role(0), Role(1)].map(|role| position.legals(role)[0]);
        let budget = Budget::simulations(50);
        let mut fresh = engine();
        let expected = fresh.player.choose(&budget, &|| false).0;
        let mut used = engine();
        used.player.choose(&budget, &|| false);
        used.follow(&[vec![white, black]], Seed::new(1));
        used.follow(&[], Seed::new(1));
        assert_eq!(used.player.choose(&budget, &|| false).0, expected);
        assert_eq!(used.player.report().arms, fresh.player.report().arms);
    }
}
