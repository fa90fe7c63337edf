//! Policies that start a game with what was learned beforehand (PPAFM of ppafm2017).

use crate::common::{self, choose};
use ludens_game::toy::TicTacToe;
use ludens_game::{Move, Role, Seed};
use ludens_search::{Budget, InMemory, Learned, Player, Report, Search, SearchObserver, Spec};
use std::{
    ops::ControlFlow,
    sync::{Arc, Mutex},
    time::Duration,
};

/// A store that counts what it is asked.
#[derive(Default)]
struct Watched {
    store: InMemory,
    log: Mutex<Vec<String>>,
}

impl Learned for Watched {
    fn load(&self, key: &str) -> Option<Vec<f64>> {
        let found = self.store.load(key);
        self.log.lock().unwrap().push(format!("{} {key}", if found.is_some() { "found" } else { "missed" }));
        found
    }

    fn store(&self, key: &str, weights: &[f64]) {
        assert!(weights.iter().any(|&weight| weight != 0.0) && weights.iter().all(|weight| weight.is_finite()));
        self.log.lock().unwrap().push(format!("stored {key}"));
        self.store.store(key, weights);
    }
}

#[test]
fn weights_are_learned_once_per_position_and_used_at_the_first_search_only() {
    let store = Arc::new(Watched::default());
    let spec: Spec = "uct+ppa(alpha=0.01,initial=learned)".parse().unwrap();
    let new = |role| Search::new(Arc::new(TicTacToe), Role(role), &spec, store.clone()).unwrap();
    let mut first = new(0);
    first.start(Seed::new(1));
    choose(&mut first, 10);
    // Ten simulations of its own, on top of what a hundred thousand have taught.
    let spread =
        |report: &Report| report.policy_values[0].value - report.policy_values[report.policy_values.len() - 1].value;
    let report = first.report();
    let plain = {
        let mut plain = common::player(&Arc::new(TicTacToe), 0, "uct+ppa(alpha=0.01)", 1);
        choose(&mut plain, 10);
        spread(&plain.report())
    };
    assert_eq!(report.effort.simulations, 10);
    assert!(spread(&report) > 5.0 * plain, "{} against {plain}", spread(&report));
    first.observe(&[Move(4), Move(9)]);
    first.observe(&[Move(9), Move(0)]);
    choose(&mut first, 10);
    // A second player of the same seat finds what the first one left; the other seat has its own position.
    let mut again = new(0);
    choose(&mut again, 10);
    let mut second = new(1);
    second.observe(&[Move(4), Move(9)]);
    choose(&mut second, 10);
    let log: Vec<_> = store.log.lock().unwrap().iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(log, ["missed", "stored", "found", "missed", "stored"]);
}

#[test]
fn whoever_stops_the_learning_leaves_nothing_half_learned() {
    let store = Arc::new(Watched::default());
    let spec: Spec = "uct+ppa(initial=learned)".parse().unwrap();
    let mut player = Search::new(Arc::new(TicTacToe), Role(0), &spec, store.clone()).unwrap();
    let log = || store.log.lock().unwrap().iter().map(|line| line[..6].to_owned()).collect::<Vec<_>>();
    let mut looks = 0;
    let mut look = |_: &Report| {
        looks += 1;
        ControlFlow::Break(())
    };
    player.choose_watched(&Budget::simulations(10), &mut SearchObserver { interval: Duration::ZERO, look: &mut look });
    player.choose(&Budget::simulations(10), &|| true);
    assert_eq!((looks, log()), (2, vec!["missed".to_owned(); 2]), "one look while it learns, one while it thinks");
    choose(&mut player, 10);
    assert_eq!(log(), ["missed", "missed", "missed", "stored"]);
}
