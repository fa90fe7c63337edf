//! [`KeptPlayer`]: a player that is kept between positions.

use crate::Player;
use ludens_game::{Move, Seed};

/// A player and the moves that it has seen.
pub struct KeptPlayer {
    /// The player, in the position that it was last brought to.
    pub player: Box<dyn Player>,
    history: Vec<Vec<Move>>,
}

impl KeptPlayer {
    /// A player at the start of a game.
    pub fn new(player: Box<dyn Player>, seed: Seed) -> KeptPlayer {
        let mut kept = KeptPlayer { player, history: Vec::new() };
        kept.player.start(seed);
        kept
    }

    /// Brings the player to a position. After moves that were taken back it starts anew, so that nothing it saw in them is
    /// left in its tables.
    pub fn follow(&mut self, history: &[Vec<Move>], seed: Seed) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, PlayerBuilder};
    use ludens_game::{Move, toy::TicTacToe};

    #[test]
    fn a_player_follows_forwards_and_back() {
        let seed = Seed::new(1);
        let player = || {
            let player = PlayerBuilder::new(TicTacToe).spec("uct+mast").unwrap().build().unwrap();
            KeptPlayer::new(player, seed)
        };
        let budget = Budget::simulations(50);
        let mut fresh = player();
        let expected = fresh.player.choose(&budget, &|| false).0;
        let mut used = player();
        used.player.choose(&budget, &|| false);
        used.follow(&[vec![Move(0), Move(9)]], seed);
        used.follow(&[], seed);
        assert_eq!(used.player.choose(&budget, &|| false).0, expected);
        assert_eq!(used.player.report().arms, fresh.player.report().arms);
    }
}
