//! Who sits where.

use crate::words::counted;
use serde::{Deserialize, Serialize};

/// How players are seated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seats {
    /// Every assignment that seats all players, in turn.
    #[default]
    All,
    /// The players take the roles in the order in which they are named.
    Given,
}

impl Seats {
    /// Which player sits at which role, one list per seating. Two players share the roles of any game; otherwise there must
    /// be one per role. `None` if the players do not fit.
    pub fn seatings(self, players: usize, roles: usize) -> Option<Vec<Vec<usize>>> {
        match self {
            Seats::Given => (players == roles).then(|| vec![(0..roles).collect()]),
            Seats::All => {
                let fits = (players == 2 && roles >= 2) || players == roles;
                fits.then(|| all_seatings(players, roles))
            }
        }
    }

    /// Why this number of players does not fit a game.
    pub fn misfit(self, game: &str, players: usize, roles: usize) -> String {
        let wanted = match (self, roles) {
            (Seats::Given, _) | (Seats::All, 0..=2) => counted(roles, "player"),
            (Seats::All, _) => format!("2 players or {roles}"),
        };
        format!("{game} has {}: give {wanted}, not {players}", counted(roles, "role"))
    }
}

/// All ways to share the roles in which every player sits somewhere.
fn all_seatings(players: usize, roles: usize) -> Vec<Vec<usize>> {
    let mut seatings = vec![vec![]];
    for _ in 0..roles {
        let longer = |seating: Vec<usize>| {
            (0..players).map(move |player| seating.iter().copied().chain([player]).collect::<Vec<_>>())
        };
        seatings = seatings.into_iter().flat_map(longer).collect();
    }
    seatings.retain(|seating| (0..players).all(|player| seating.contains(&player)));
    seatings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_shared_in_all_ways() {
        let all = |players, roles| Seats::All.seatings(players, roles);
        assert_eq!(all(2, 2).unwrap(), [[0, 1], [1, 0]]);
        assert_eq!(all(2, 3).unwrap().len(), 6);
        assert_eq!(all(3, 3).unwrap().len(), 6);
        assert_eq!(all(1, 1).unwrap(), [[0]]);
        assert!(all(3, 2).is_none() && all(2, 1).is_none());
        assert_eq!(Seats::Given.seatings(2, 2).unwrap(), [[0, 1]]);
        assert!(Seats::Given.seatings(2, 3).is_none());
        assert_eq!(Seats::All.misfit("pegs", 2, 1), "pegs has 1 role: give 1 player, not 2");
        assert_eq!(Seats::All.misfit("race", 4, 3), "race has 3 roles: give 2 players or 3, not 4");
    }
}
