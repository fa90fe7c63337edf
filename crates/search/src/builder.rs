//! [`PlayerBuilder`]: from a game and a spec to a player.

use crate::{InMemory, Learned, Playable, Player, SearchError, Spec, SpecError, presets::DEFAULT_PLAYER};
use ludens_game::{Role, Seed};
use std::{str::FromStr, sync::Arc};

/// Builds a player for a role of a game.
///
/// ```
/// use ludens_game::{Role, toy::TicTacToe};
/// use ludens_search::{Budget, PlayerBuilder};
///
/// let mut player = PlayerBuilder::new(TicTacToe).spec("uct+ppa")?.role(Role(0)).seed(7).build()?;
/// let (best, effort) = player.choose(&Budget::simulations(1000), &|| false);
/// assert_eq!(effort.simulations, 1000);
/// assert_eq!(best, player.report().arms[0].mv);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct PlayerBuilder {
    game: Arc<dyn Playable>,
    role: Role,
    spec: Spec,
    seed: Seed,
    learned: Arc<dyn Learned>,
}

impl PlayerBuilder {
    /// A player of a game: the default player at role 0, with seed 1.
    pub fn new<G: Playable + 'static>(game: G) -> PlayerBuilder {
        PlayerBuilder::of(Arc::new(game))
    }

    /// The same for a shared game.
    pub fn of(game: Arc<dyn Playable>) -> PlayerBuilder {
        let spec = DEFAULT_PLAYER.parse().expect("the default player is a spec");
        PlayerBuilder { game, role: Role(0), spec, seed: Seed::new(1), learned: Arc::new(InMemory::default()) }
    }

    /// The player's spec, such as `uct+ppa`, or a preset such as `sironi2021/nst`.
    ///
    /// # Errors
    /// If the text is not a spec.
    pub fn spec(self, text: &str) -> Result<PlayerBuilder, SpecError> {
        Ok(PlayerBuilder { spec: Spec::from_str(text)?, ..self })
    }

    /// The role it plays.
    #[must_use]
    pub fn role(self, role: Role) -> PlayerBuilder {
        PlayerBuilder { role, ..self }
    }

    /// The seed: the same seed and number of simulations give the same moves.
    #[must_use]
    pub fn seed(self, seed: u64) -> PlayerBuilder {
        PlayerBuilder { seed: Seed::new(seed), ..self }
    }

    /// The store of weights that were learned beforehand.
    #[must_use]
    pub fn learned(self, learned: Arc<dyn Learned>) -> PlayerBuilder {
        PlayerBuilder { learned, ..self }
    }

    /// The player, at the start of a game.
    ///
    /// # Errors
    /// If the game has no such role, or the spec cannot play it.
    pub fn build(self) -> Result<Box<dyn Player>, SearchError> {
        let roles = self.game.role_names().len();
        if self.role.index() >= roles {
            return Err(SearchError::NoSuchRole { game: self.game.name(), role: self.role.0, roles });
        }
        let mut player = self.game.player(self.role, &self.spec, self.learned)?;
        player.start(self.seed);
        Ok(player)
    }
}
