//! Sheets that only the interpreter plays can be searched by every player. The sheets lie beside the project; where they are
//! absent, that is said aloud.

use ludens_catalog as catalog;
use ludens_game::{Role, Seed};
use ludens_search::{Budget, InMemory, POLICIES, SELECTS, Spec};
use std::sync::Arc;

/// The sheets that cannot be grounded within the limits.
const SHEETS: [&str; 3] = ["chess", "gt_two_thirds_6p", "mummymaze1p"];

fn sheets() -> Vec<String> {
    let folder = ludens_gdl::testing::real_sheets();
    SHEETS.iter().map(|name| folder.join(format!("{name}.kif")).display().to_string()).collect()
}

/// Every selection rule alone, and every policy with the first of them.
fn specs() -> Vec<String> {
    let selects = SELECTS.iter().map(|entry| entry.name.to_owned());
    selects.chain(POLICIES.iter().map(|entry| format!("{}+{}", SELECTS[0].name, entry.name))).collect()
}

#[test]
fn every_player_searches_what_only_the_interpreter_plays() {
    for path in sheets() {
        let mut remarks = Vec::new();
        let game =
            catalog::open_with_remarks(&path, &mut |remark| remarks.push(remark.to_owned())).expect("a sound sheet");
        assert!(remarks.iter().any(|remark| remark.contains("interpreter")), "{path}: {remarks:?}");
        for text in specs() {
            let spec: Spec = format!("{text}@depth=6").parse().expect("a player");
            let mut position = game.clone().start();
            let roles = game.role_names().len();
            let player = |role| game.clone().player(role, &spec, Arc::new(InMemory::default()));
            let mut players: Vec<_> =
                Role::all(roles).map(|role| player(role).unwrap_or_else(|error| panic!("{text}: {error}"))).collect();
            players.iter_mut().for_each(|player| player.start(Seed::new(1)));
            for _ in 0..2 {
                let budget: Budget = "sims=3".parse().expect("a budget");
                let joint: Vec<_> = players.iter_mut().map(|player| player.choose(&budget, &|| false).0).collect();
                for (role, mv) in Role::all(roles).zip(&joint) {
                    assert!(position.legals(role).contains(mv), "{path}: {text} plays an illegal move");
                }
                position.advance(&joint);
                assert_eq!(position.failure(), None);
                players.iter_mut().for_each(|player| player.observe(&joint));
            }
        }
    }
}
