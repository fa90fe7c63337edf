//! Rules that are opened while somebody plays them are not compiled again.

use crate::support::agree;
use ludens_gdl::{Engine, GdlGame, Limits, Opened, open, open_while};
use std::sync::Arc;

/// Small rules that no other test opens.
const RULES: &str = "(role you) (init (left 3)) (after 3 2) (after 2 1)
    (<= (legal you take) (true (left ?n))) ; a comment
    (<= (next (left ?m)) (true (left ?n)) (after ?n ?m))
    (<= terminal (true (left 1))) (goal you 100)";

fn opened(name: &str, text: &str, limits: Limits) -> Opened {
    open(name, text, limits).unwrap_or_else(|remarks| panic!("{name}: {remarks:#?}"))
}

/// Whether the second was made when the first was: then it took the same time, to the nanosecond.
fn is_shared(first: &Opened, second: &Opened) -> bool {
    let times = |opened: &Opened| {
        let report = &opened.report;
        [report.read_time, report.ground_time, report.network_time, report.compile_time]
    };
    times(first) == times(second)
}

fn play_alike<G: GdlGame>(games: [&Arc<G>; 2]) {
    assert_eq!(games.map(|game| game.name()), ["first", "second"]);
    agree(&**games[0], &**games[1], 2, 10);
}

#[test]
fn games_of_the_same_rules_share_all_but_the_name() {
    let first = opened("first", RULES, Limits::DEFAULT);
    let layout = RULES.replace(" ; a comment\n", "\n;; another (one)\n\n").replace("(role you)", "( role\tyou )");
    let second = opened("second", &layout, Limits::DEFAULT);
    assert!(is_shared(&first, &second));
    let (Engine::Machine(one), Engine::Machine(two)) = (&first.engine, &second.engine) else {
        panic!("they are small")
    };
    play_alike([one, two]);
    assert!(!is_shared(&first, &opened("third", &RULES.replace("100", "90"), Limits::DEFAULT)));
    assert!(!is_shared(&first, &opened("third", RULES, Limits { atoms: 1000, ..Limits::DEFAULT })));
}

#[test]
fn so_do_games_that_only_the_interpreter_plays() {
    let limits = Limits { atoms: 1, ..Limits::DEFAULT };
    let (first, second) = (opened("first", RULES, limits), opened("second", RULES, limits));
    assert!(is_shared(&first, &second));
    let (Engine::Interpreter { game: one, reason: why }, Engine::Interpreter { game: two, reason }) =
        (&first.engine, &second.engine)
    else {
        panic!("they are too large")
    };
    assert_eq!(why, reason);
    play_alike([one, two]);
}

#[test]
fn rules_that_nobody_plays_any_more_are_forgotten() {
    let rules = RULES.replace("take", "leave");
    let first = opened("first", &rules, Limits::DEFAULT);
    let Opened { engine, warnings, report } = first;
    drop(engine);
    let (second, third) = (opened("second", &rules, Limits::DEFAULT), opened("third", &rules, Limits::DEFAULT));
    assert_ne!(report.compile_time, second.report.compile_time);
    assert!(is_shared(&second, &third));
    assert_eq!(warnings.len(), second.warnings.len());
}

#[test]
fn rules_that_nobody_needs_are_not_opened() {
    let rules = RULES.replace("take", "give");
    assert!(open_while("first", &rules, Limits::DEFAULT, &|| false).is_none());
    assert!(open_while("first", &rules, Limits::DEFAULT, &|| true).is_some_and(|opened| opened.is_ok()));
}
