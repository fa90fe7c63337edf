//! Looking at a search while it runs.

use ludens_game::{Role, Seed, toy::Race};
use ludens_search::{Budget, InMemory, Playable, Player, Report, SearchObserver};
use std::{ops::ControlFlow, sync::Arc, time::Duration};

fn player(spec: &str) -> Box<dyn Player> {
    let spec = spec.parse().expect("a spec");
    let mut player = Arc::new(Race::new(9)).player(Role(0), &spec, Arc::new(InMemory::default())).expect("a player");
    player.start(Seed::new(5));
    player
}

#[test]
fn looking_changes_nothing() {
    for spec in ["uct+ppa", "rave+ppr@reuse=off", "uct+nst@threads=2", "uct+nst@threads=3,tree=shared"] {
        let budget = Budget::simulations(301);
        let (mut alone, mut watched) = (player(spec), player(spec));
        for _ in 0..2 {
            let mut seen = vec![0];
            let mut look = |report: &Report| {
                seen.push(report.effort.simulations);
                ControlFlow::Continue(())
            };
            // Without a pause between two looks there is one behind every simulation of the first thread.
            let watch = &mut SearchObserver { interval: Duration::ZERO, look: &mut look };
            let (mv, effort) = watched.choose_watched(&budget, watch);
            assert_eq!(mv, alone.choose(&budget, &|| false).0, "{spec}");
            assert_eq!((watched.report().arms, effort.simulations), (alone.report().arms, 301), "{spec}");
            assert_eq!(watched.report().line, alone.report().line, "{spec}");
            assert!(seen.len() > 100 && seen.is_sorted() && seen.last() <= Some(&301), "{spec}: {seen:?}");
            let joint = vec![mv; 3];
            alone.observe(&joint);
            watched.observe(&joint);
        }
    }
}

#[test]
fn who_looks_may_end_the_search() {
    let mut player = player("uct+mast");
    let mut looks = 0;
    let mut look = |_: &Report| {
        looks += 1;
        if looks < 7 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let watch = &mut SearchObserver { interval: Duration::ZERO, look: &mut look };
    let (mv, effort) = player.choose_watched(&Budget::time(Duration::from_secs(3600)), watch);
    assert_eq!(effort.simulations, 7);
    let report = player.report();
    let chosen = report.arms.iter().find(|arm| arm.mv == mv).map(|arm| &*arm.name);
    assert_eq!(report.line[0].split('/').next(), chosen, "the expected line begins with the move that is played");
}
