//! A playout policy of your own: registered, named in a spec, and compared with plain UCT in a match.
//!
//!     cargo run --release --example own_policy

use ludens::{
    policy::{Args, Decision, Memory, Needs, Param, Policy, PolicyEntry, Trail, register},
    prelude::*,
};

/// Counts how often every move was played by whoever won, and plays the move with the highest count, or any move with
/// probability `eps`.
struct WinCounts {
    counts: Vec<u32>,
    eps: f64,
}

impl Policy for WinCounts {
    fn needs(&self) -> Needs {
        Needs { trail: true, ..Needs::default() }
    }

    fn explores(&self, _: Role, rng: &mut Rng) -> bool {
        rng.chance(self.eps)
    }

    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize> {
        let count = |place: &usize| self.counts[decision.first as usize + decision.moves[*place].index()];
        let best = (0..decision.moves.len()).map(|place| count(&place)).max()?;
        let candidates: Vec<_> = (0..decision.moves.len()).filter(|place| count(place) == best).collect();
        Some(candidates[rng.below(candidates.len() as u32) as usize])
    }

    fn learn(&mut self, trail: &Trail, scores: &[f64]) {
        for choice in trail.choices().iter().filter(|choice| scores[choice.role.index()] == 1.0) {
            self.counts[choice.code as usize] += 1;
        }
    }

    fn reset(&mut self) {
        self.counts.fill(0);
    }

    fn bytes(&self) -> usize {
        size_of_val(self.counts.as_slice())
    }
}

const PARAMS: &[Param] = &[Param::number("eps", 0.3, (0.0, 1.0), "share of uniform moves")];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let build = |args: &Args, space: &ludens::policy::CodeSpace| -> Box<dyn Policy> {
        Box::new(WinCounts { counts: vec![0; space.total()], eps: args.number("eps") })
    };
    register(
        PolicyEntry::new("wincounts", "moves by how often they were played by a winner", build)
            .params(PARAMS)
            .memory(Memory::Moves),
    )?;
    let result = Match::new(ludens::open("breakthrough:5")?)
        .player("uct+wincounts(eps=0.2)")?
        .player("uct")?
        .simulations(200)
        .games(40)
        .play()?;
    println!("{result}");
    assert_eq!(result.games, 40);
    Ok(())
}
