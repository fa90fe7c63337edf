//! Rules as text: a game in the Game Description Language, opened, played and searched.
//!
//!     cargo run --release --example rulesheet

use ludens::prelude::*;

/// Two roles take one or two matches in turn from a heap of seven. Who takes the last one wins.
const RULES: &str = "
    (role left) (role right)
    (init (heap 7)) (init (turn left))
    (other left right) (other right left)
    (less 7 1 6) (less 6 1 5) (less 5 1 4) (less 4 1 3) (less 3 1 2) (less 2 1 1) (less 1 1 0)
    (less 7 2 5) (less 6 2 4) (less 5 2 3) (less 4 2 2) (less 3 2 1) (less 2 2 0)
    (<= (legal ?who (take ?n)) (true (turn ?who)) (true (heap ?size)) (less ?size ?n ?rest))
    (<= (legal ?who noop) (true (turn ?other)) (other ?other ?who))
    (<= (next (heap ?rest)) (true (heap ?size)) (does ?who (take ?n)) (less ?size ?n ?rest))
    (<= (next (turn ?other)) (true (turn ?who)) (other ?who ?other))
    (<= terminal (true (heap 0)))
    (<= (goal ?who 0) (true (turn ?who)))
    (<= (goal ?who 100) (role ?who) (not (true (turn ?who))))";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = ludens::rulesheet("matches", RULES)?;
    let mut position = game.clone().start();
    let mut players = Vec::new();
    for role in [Role(0), Role(1)] {
        players.push(PlayerBuilder::of(game.clone()).spec("uct+mast@solver=on")?.role(role).build()?);
    }
    while position.scores().is_none() {
        let joint: Vec<Move> =
            players.iter_mut().map(|player| player.choose(&Budget::simulations(500), &|| false).0).collect();
        let names: Vec<_> =
            [Role(0), Role(1)].iter().zip(&joint).map(|(&role, &mv)| position.move_name(role, mv)).collect();
        println!("{}", names.join(" / "));
        position.advance(&joint);
        players.iter_mut().for_each(|player| player.observe(&joint));
    }
    let scores = position.scores().expect("the game is over");
    println!("scores {scores:?}");
    // Seven is not a multiple of three, so whoever begins wins.
    assert_eq!(scores, [1.0, 0.0]);
    Ok(())
}
