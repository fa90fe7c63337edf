//! Every selection rule and every policy on every rulesheet, with one simulation at a time, eight, or as many as pay.

use ludens_catalog::{self as catalog, SHEETS};
use ludens_game::{Role, Seed};
use ludens_search::{Budget, InMemory, POLICIES, Playable, SELECTS, Spec, isolate};
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};
use std::time::Duration;

/// All players that are tried, each with the budget under which its batch is used.
fn players() -> Vec<(Spec, Budget)> {
    let selects = SELECTS.iter().map(|entry| format!("{}+mast", entry.name));
    let policies = POLICIES.iter().map(|entry| format!("uct+{}", entry.name));
    let mut players: Vec<(Spec, Budget)> = Vec::new();
    for chain in selects.chain(policies) {
        for (batch, budget) in [
            ("1", Budget::simulations(15)),
            ("8", Budget::simulations(15)),
            ("auto", Budget::time(Duration::from_millis(2))),
        ] {
            match format!("{chain}@batch={batch},solver=on").parse::<Spec>() {
                Ok(spec) => players.push((spec, budget)),
                // Some policies follow only one playout at a time.
                Err(error) => assert!(batch != "1" && error.to_string().contains("one playout at a time"), "{error}"),
            }
        }
    }
    players
}

/// A few moves of a player, the others' at random. All of its moves have to be legal.
fn play(game: &Arc<dyn Playable>, (spec, budget): &(Spec, Budget), seed: Seed) -> Result<(), String> {
    let roles = game.role_names().len();
    let mut rng = seed.rng();
    let role = Role(rng.below(roles as u32) as u8);
    let learned = Arc::new(InMemory::default());
    let mut player = game.clone().player(role, spec, learned).map_err(|error| error.to_string())?;
    player.start(seed);
    let mut position = game.clone().start();
    // It begins to search some steps from the start.
    let idle = rng.below(4) as usize;
    for step in 0..idle + 3 {
        if position.scores().is_some() {
            break;
        }
        let mut joint: Vec<_> = Role::all(roles)
            .map(|role| {
                let moves = position.legals(role);
                moves[rng.below(moves.len() as u32) as usize]
            })
            .collect();
        if step >= idle {
            let (mv, _) = player.choose(budget, &|| false);
            if !position.legals(role).contains(&mv) {
                return Err(format!("{} is not legal at step {step}", position.move_name(role, mv)));
            }
            player.report();
            joint[role.index()] = mv;
        }
        position.advance(&joint);
        player.observe(&joint);
    }
    Ok(())
}

#[test]
fn every_policy_plays_every_rulesheet() {
    let players = players();
    assert!(players.len() >= 25, "{players:?}");
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(sheet) = SHEETS.get(next.fetch_add(1, Ordering::Relaxed)) {
            let name = format!("gdl:{}", sheet.name);
            let game = catalog::open(&name).expect("a game of the catalogue");
            for player in &players {
                let seed = Seed::new(1).named(&format!("{name} {}", player.0));
                let played = isolate(|| play(&game, player, seed)).unwrap_or_else(|panicked| Err(panicked.to_string()));
                if let Err(why) = played {
                    failed.lock().unwrap().push(format!("{name} {}: {why}", player.0));
                }
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{} searches failed:\n{}", failed.len(), failed.join("\n"));
}
