//! Whole searches from bytes: the first six choose a player, a budget and a seat, the rest are the rules. The fuzz target
//! `search` and a test of `crates/catalog` share this file.

use ludens_game::{Game, Role, Seed};
use ludens_gdl::{DeadEnds, Engine, Limits, open};
use ludens_search::{Budget, InMemory, POLICIES, Playable, SELECTS, Spec};
use std::sync::Arc;
use std::time::Duration;

/// Steps that a player makes, with a search at each.
const STEPS: usize = 3;

/// Plays a few moves of the player that the bytes describe; whether there was a game to play. Every move has to be legal.
pub(crate) fn whole_search(bytes: &[u8]) -> bool {
    let Some((&[select, policy, batch, budget, role, seed], text)) = bytes.split_first_chunk::<6>() else {
        return false;
    };
    let pick = |names: &[&'static str], byte: u8| names[byte as usize % names.len()];
    let selects: Vec<_> = SELECTS.iter().map(|entry| entry.name).collect();
    let policies: Vec<_> = POLICIES.iter().map(|entry| entry.name).collect();
    let (select, policy) = (pick(&selects, select), pick(&policies, policy));
    let batch = pick(&["1", "2", "8", "auto"], batch);
    // Policies that follow only one playout at a time have no batch.
    let Ok(spec) = format!("{select}+{policy}@batch={batch},solver=on,depth=30,mem=1MiB").parse::<Spec>() else {
        return false;
    };
    let budget = match batch {
        "auto" => Budget::time(Duration::from_millis(1)),
        _ => Budget::simulations(1 + u64::from(budget % 64)),
    };
    let limits = Limits { atoms: 2_000, instances: 20_000, ..Limits::default() };
    let text = String::from_utf8_lossy(text);
    let Ok(opened) = open("sheet", &text, limits) else { return false };
    let seed = Seed::new(u64::from(seed));
    match opened.engine {
        Engine::Machine(game) => play(DeadEnds::new(game), (&spec, budget), role, seed),
        Engine::Interpreter { game, .. } => play(DeadEnds::new(game), (&spec, budget), role, seed),
    }
    true
}

fn play<G: Game + 'static>(game: DeadEnds<G>, (spec, budget): (&Spec, Budget), role: u8, seed: Seed) {
    let game = Arc::new(game);
    let roles = game.roles();
    let role = Role(role % roles as u8);
    // A game may have more moves than a search can tell apart.
    let Ok(mut player) = Playable::player(game.clone(), role, spec, Arc::new(InMemory::default())) else { return };
    player.start(seed);
    let mut rng = seed.named("others").rng();
    let mut state = game.initial();
    let mut legal = Vec::new();
    for step in 0..STEPS {
        if game.scores(&state, &mut vec![0.0; roles]) {
            break;
        }
        let mut joint: Vec<_> = Role::all(roles)
            .map(|role| {
                game.legals(&state, role, &mut legal);
                legal[rng.below(legal.len() as u32) as usize]
            })
            .collect();
        let (mv, _) = player.choose(&budget, &|| false);
        game.legals(&state, role, &mut legal);
        assert!(legal.contains(&mv), "{spec} plays {} at step {step}", game.move_name(role, mv));
        player.report();
        joint[role.index()] = mv;
        game.advance(&mut state, &joint);
        player.observe(&joint);
    }
}
