//! A game of your own, searched: the rules in forty lines, then a search of it.
//!
//!     cargo run --release --example own_game

use ludens::prelude::*;

/// Nim with heaps of 3, 4 and 5: take any number of matches from one heap. Who takes the last match wins.
struct Nim;

#[derive(Clone)]
struct Heaps {
    heaps: [u32; 3],
    to_move: Role,
}

impl TurnGame for Nim {
    type State = Heaps;

    fn name(&self) -> String {
        "nim".into()
    }

    fn role_names(&self) -> &[&'static str] {
        &["first", "second"]
    }

    /// Move 8·heap + n leaves n matches in a heap.
    fn moves(&self, _: Role) -> usize {
        24
    }

    fn initial(&self) -> Heaps {
        Heaps { heaps: [3, 4, 5], to_move: Role(0) }
    }

    fn to_move(&self, state: &Heaps) -> Role {
        state.to_move
    }

    fn legals(&self, state: &Heaps, out: &mut Vec<Move>) {
        out.clear();
        for (heap, &size) in (0..).zip(&state.heaps) {
            out.extend((0..size).map(|left| Move(8 * heap + left)));
        }
    }

    fn play(&self, state: &mut Heaps, mv: Move) {
        state.heaps[mv.index() / 8] = mv.0 % 8;
        state.to_move = state.to_move.other();
    }

    fn scores(&self, state: &Heaps, out: &mut [f64]) -> bool {
        let is_over = state.heaps == [0, 0, 0];
        if is_over {
            out[state.to_move.index()] = 0.0;
            out[state.to_move.other().index()] = 1.0;
        }
        is_over
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut player = PlayerBuilder::new(Nim).spec("uct+ppa@solver=on")?.build()?;
    let (best, effort) = player.choose(&Budget::simulations(20_000), &|| false);
    println!("leaves {} in heap {} after {} simulations", best.0 % 8, best.0 / 8, effort.simulations);
    for arm in player.report().arms.iter().take(3) {
        println!("  move {:>2}: {:>6} visits, score {:.3}", arm.name, arm.visits, arm.score.unwrap_or_default());
    }
    // Nim is solved: 3 xor 4 xor 5 is 2, and taking two from the heap of three leaves 0.
    assert_eq!(best, Move(1));
    Ok(())
}
