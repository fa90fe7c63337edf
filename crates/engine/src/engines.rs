//! Players of running games, kept from move to move so that their trees and tables are, and the memory of all players.
//!
//! A player that is not here any more is made anew from the moves of the game: forgetting one costs strength for a move,
//! nothing else. So the limits can be strict. Players that think say at every look how much they hold. When all together
//! hold too much, those that are kept go first; after them whoever thinks and holds more than its share has to end. A game
//! that nobody goes on with is not told to anybody, so that its players go when nobody has used them for a while.

use ludens_search::KeptPlayer;
use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// How many players are kept.
const MAX_ENGINES: usize = 48;

/// Whose player it is: two with the same key have played alike so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The client's name for its game.
    pub table: String,
    /// The game's name.
    pub game: String,
    /// Its role.
    pub role: usize,
    /// Its spec.
    pub spec: String,
    /// Its seed.
    pub seed: u64,
}

/// All players.
pub struct Engines {
    /// The bytes that they may hold together.
    limit: usize,
    all: Mutex<All>,
}

#[derive(Default)]
struct All {
    /// Those that wait for their next move, the one that was used last at the end.
    kept: Vec<Kept>,
    /// The bytes of those that think, by the number of their search.
    running: Vec<(u64, usize)>,
    searches: u64,
}

struct Kept {
    key: Key,
    engine: KeptPlayer,
    bytes: usize,
    since: Instant,
}

impl All {
    fn bytes(&self) -> usize {
        let kept = self.kept.iter().map(|kept| kept.bytes);
        kept.chain(self.running.iter().map(|&(_, bytes)| bytes)).sum()
    }

    /// Drops those that were not used for longest until few enough are left, with few enough bytes.
    fn make_room(&mut self, limit: usize) {
        while self.kept.len() > MAX_ENGINES || (!self.kept.is_empty() && self.bytes() > limit) {
            self.kept.remove(0);
        }
    }
}

impl Engines {
    /// No players yet. Together they may hold so many bytes.
    pub fn new(limit: usize) -> Engines {
        Engines { limit, all: Mutex::default() }
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a player out. While it thinks nobody else finds it.
    pub fn take(&self, key: &Key) -> Option<KeptPlayer> {
        let mut all = self.all();
        let place = all.kept.iter().position(|other| other.key == *key)?;
        Some(all.kept.remove(place).engine)
    }

    /// Keeps a player that holds so many bytes for its next move, as long as there is room.
    pub fn keep(&self, key: Key, engine: KeptPlayer, bytes: usize) {
        let mut all = self.all();
        all.kept.retain(|other| other.key != key);
        all.kept.push(Kept { key, engine, bytes, since: Instant::now() });
        all.make_room(self.limit);
    }

    /// Forgets the players that nobody has used for so long.
    pub fn forget_idle(&self, age: Duration) {
        self.all().kept.retain(|kept| kept.since.elapsed() < age);
    }

    /// A player begins to think.
    pub fn begin(&self) -> Running<'_> {
        let mut all = self.all();
        all.searches += 1;
        let number = all.searches;
        all.running.push((number, 0));
        Running { engines: self, number }
    }
}

/// A player that thinks.
pub struct Running<'e> {
    engines: &'e Engines,
    number: u64,
}

impl Running<'_> {
    /// Says how many bytes the player holds; whether it may hold more.
    pub fn holds(&self, bytes: usize) -> bool {
        let limit = self.engines.limit;
        let mut all = self.engines.all();
        all.running.iter_mut().filter(|(number, _)| *number == self.number).for_each(|running| running.1 = bytes);
        all.make_room(limit);
        all.bytes() <= limit || bytes < limit / all.running.len()
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.engines.all().running.retain(|(number, _)| *number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::{Role, Seed};
    use ludens_search::InMemory;
    use std::sync::Arc;

    fn engine() -> KeptPlayer {
        let game = ludens_catalog::open("breakthrough:5").unwrap();
        let spec = "uct+mast".parse().unwrap();
        KeptPlayer::new(game.player(Role(0), &spec, Arc::new(InMemory::default())).unwrap(), Seed::new(1))
    }

    fn key(table: usize) -> Key {
        Key { table: table.to_string(), game: "breakthrough:5".into(), role: 0, spec: "uct+mast".into(), seed: 1 }
    }

    #[test]
    fn the_oldest_go_first() {
        let engines = Engines::new(1000);
        for table in 0..MAX_ENGINES + 2 {
            engines.keep(key(table), engine(), 1);
        }
        assert!(engines.take(&key(1)).is_none());
        assert!(engines.take(&key(2)).is_some());
        assert!(engines.take(&key(2)).is_none(), "it was taken");
        engines.keep(key(1000), engine(), 999);
        assert!(engines.take(&key(MAX_ENGINES)).is_none());
        assert!(engines.take(&key(MAX_ENGINES + 1)).is_some(), "for the last one there is room");
        assert!(engines.take(&key(1000)).is_some());
        engines.keep(key(1001), engine(), 1001);
        assert!(engines.take(&key(1001)).is_none(), "larger than all may be together");
    }

    #[test]
    fn players_of_games_that_were_left_are_forgotten() {
        let engines = Engines::new(1000);
        engines.keep(key(1), engine(), 1);
        std::thread::sleep(Duration::from_millis(30));
        engines.keep(key(2), engine(), 1);
        engines.forget_idle(Duration::from_millis(20));
        assert!(engines.take(&key(1)).is_none(), "nobody has used it for long enough");
        assert!(engines.take(&key(2)).is_some());
    }

    #[test]
    fn whoever_holds_more_than_its_share_ends() {
        let engines = Engines::new(1000);
        engines.keep(key(1), engine(), 300);
        let (large, small) = (engines.begin(), engines.begin());
        assert!(large.holds(500) && small.holds(200), "exactly what is allowed");
        assert!(large.holds(501), "a player that was kept makes room");
        assert!(engines.take(&key(1)).is_none());
        assert!(large.holds(800) && small.holds(200));
        assert!(!large.holds(801), "now all hold too much");
        assert!(small.holds(201), "the small one may go on");
        drop(large);
        assert!(small.holds(1000) && !small.holds(1001), "alone it may have everything");
    }
}
