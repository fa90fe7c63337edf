//! Go: which stones are dead, by random games.
//!
//! A chain is dead if its points end up in the other colour's area in at least three of four random games in which neither fills
//! its own eyes. That settles positions that are played out; a seki or an unfinished fight may be judged wrongly, as by
//! every program that counts so.

use crate::stones::Stones;
use ludens_game::{Position, Role, Seed, Turn};

/// Random games.
const GAMES: u32 = 96;

/// The share of the games in which the points of a dead chain belong to the other colour.
const DEAD: f64 = 0.75;

/// The dead chains of a position. Playouts of its game must leave eyes alone.
pub(crate) fn dead_chains(position: &mut dyn Position) -> Vec<Vec<usize>> {
    let stones = Stones::of(&position.view());
    let mut taken = vec![0_u32; stones.len()];
    let mut rng = Seed::new(1).named("life").rng();
    for _ in 0..GAMES {
        let begun = position.history().len();
        while position.scores().is_none()
            && let Turn::One(role) = position.turn()
        {
            let moves = position.playout_moves(role);
            let mv = moves[rng.below(moves.len() as u32) as usize];
            let other = position.legals(role.other())[0];
            let joint = Role::all(2).map(|mover| if mover == role { mv } else { other });
            position.advance(&joint.collect::<Vec<_>>());
        }
        for (point, owner) in Stones::of(&position.view()).owners().into_iter().enumerate() {
            taken[point] += u32::from(stones.at(point).is_some_and(|role| owner == Some(role.other())));
        }
        while position.history().len() > begun {
            position.undo();
        }
    }
    let chains = stones.groups().into_iter().filter(|group| stones.at(group[0]).is_some());
    let share = |chain: &Vec<usize>| {
        let lost: u32 = chain.iter().map(|&point| taken[point]).sum();
        f64::from(lost) / (chain.len() as f64 * f64::from(GAMES))
    };
    chains.filter(|chain| share(chain) >= DEAD).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lonely_stone_in_enemy_land_is_dead() {
        // Black has a wall on the fourth line of 7x7 and two eyes behind it; white has the rest. A white stone behind
        // the wall is dead, and nothing else is.
        let mut position = ludens_catalog::open("go:7,eyes=on").unwrap().start();
        let black = ["d1", "d2", "d3", "d4", "d5", "d6", "d7", "b2", "b4", "b6", "c2"];
        let white = ["e1", "e2", "e3", "e4", "e5", "e6", "e7", "f2", "f6", "a1", "f4"];
        for (black, white) in black.iter().zip(white) {
            for (role, name) in [(Role(0), black), (Role(1), &white)] {
                let mv = position.parse_move(role, name).unwrap();
                let other = position.legals(role.other())[0];
                let joint = if role == Role(0) { [mv, other] } else { [other, mv] };
                position.advance(&joint);
            }
        }
        let steps = position.history().len();
        assert_eq!(dead_chains(&mut *position), [vec![0]]);
        assert_eq!(position.history().len(), steps, "the position is as it was");
    }
}
