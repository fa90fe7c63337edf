//! Sheets that are meant to hurt: each is refused in bounded time, with the rule that grows.

use ludens_game::{Game, Move, Role};
use ludens_gdl::render::{position, refusal_line};
use ludens_gdl::testing::hostile;
use ludens_gdl::{Checked, GdlGame, Interpreter, Limits, examine, interpret, open};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Ten times what is promised, for a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn hostile_sheets_are_refused_with_the_rule_that_grows() {
    for sheet in hostile() {
        let start = Instant::now();
        let remarks = open("hostile", &sheet.text, Limits::DEFAULT).err().unwrap_or_else(|| panic!("{}", sheet.name));
        let took = start.elapsed();
        println!("{took:?} {}: {}", sheet.name, refusal_line("hostile", &sheet.text, &remarks));
        assert!(took < PATIENCE, "{}: {took:?}", sheet.name);
        let error = remarks.iter().find(|remark| remark.is_error()).expect("an error");
        assert!(error.title.contains(sheet.error), "{}: {}", sheet.name, error.title);
        assert_eq!(position(error.span, &sheet.text).0, sheet.line, "{}: {}", sheet.name, error.title);
    }
}

#[test]
fn the_interpreter_alone_refuses_them_too() {
    for sheet in hostile() {
        let start = Instant::now();
        let refused = interpret("hostile", &sheet.text).is_err();
        assert!(refused, "{}", sheet.name);
        assert!(start.elapsed() < PATIENCE, "{}: {:?}", sheet.name, start.elapsed());
    }
}

/// A game whose cost grows with every step, within its own limits: the first positions are fine.
const GROWING: &str = "(role you) (init (p a))
(<= (next (p (f ?x))) (true (p ?x)) (does you grow))
(<= (next (p ?x)) (true (p ?x)) (does you stay))
(legal you grow) (legal you stay)
(<= terminal (true (p (f (f (f (f (f (f (f (f (f (f a))))))))))))) (goal you 100)";

#[test]
fn a_position_that_fails_is_over_and_says_why() {
    let limits = Limits { term_depth: 5, ..Limits::DEFAULT };
    let rules = Checked::within(GROWING, limits).rules;
    let game = Interpreter::new("growing", Arc::new(rules));
    let mut state = game.initial();
    let grow = game.parse_move(Role(0), "grow").expect("a move");
    for step in 0..4 {
        assert_eq!(game.failure(&state), None, "step {step}");
        game.advance(&mut state, &[grow]);
    }
    // The fact itself is one deep: f of f of f of f of a within p.
    assert!(!game.scores(&state, &mut [0.0]));
    game.advance(&mut state, &[grow]);
    let failure = game.failure(&state).expect("f is nested too deep");
    assert_eq!(failure, "this rule for `next` builds terms nested more than 5 deep (line 2, column 1)");
    let mut scores = [0.0];
    assert!(game.scores(&state, &mut scores));
    assert_eq!(scores, [0.5]);
    // Other positions are as good as before.
    let mut other = game.initial();
    game.advance(&mut other, &[grow]);
    assert_eq!(game.failure(&other), None);
    assert_eq!(game.facts(&other), ["(p (f a))"]);
}

#[test]
fn every_limit_of_the_interpreter_is_kept_and_named() {
    let numbers: String = (0..50).map(|n| format!("(n {n})")).collect();
    let game = |rules: &str| {
        format!("(role you) (init start) {numbers}\n{rules}\n(legal you stay) (<= terminal (true over)) (goal you 100)")
    };
    let square = game("(<= (legal you (m ?x ?y)) (n ?x) (n ?y))");
    let chain: String = (0..200).map(|n| format!("(<= (p{n} ?x) (p{} ?x) (true start))", n + 1)).collect();
    let tall = game(&format!("{chain} (<= (p200 ?x) (n ?x) (true start)) (<= terminal (p0 77))"));
    let usual = Limits::DEFAULT;
    let cases = [
        (&square, Limits { steps: 1000, ..usual }, "`legal` takes more than 1000 steps"),
        (&square, Limits { memory: 1 << 14, ..usual }, "`legal` needs more than 0 MB"),
        (&square, Limits { moves: 100, ..usual }, "`legal` gives the roles more than 100 different moves"),
        (&tall, Limits { proof_depth: 100, ..usual }, "needs a proof more than 100 levels deep"),
        (&game("(<= (next (f (g (h ?x)))) (n ?x))"), Limits { term_depth: 2, ..usual }, "nested more than 2 deep"),
        (&game("(<= (next (f ?x ?x ?x)) (n ?x))"), Limits { term_size: 3, ..usual }, "terms of more than 3 names"),
    ];
    for (text, limits, expected) in cases {
        let rules = Arc::new(Checked::within(text, limits).rules);
        let failure = Interpreter::new("limited", rules).try_out().expect_err(expected);
        assert!(failure.title.contains(expected), "{}", failure.title);
        let rules = Arc::new(Checked::new(text).rules);
        assert_eq!(Interpreter::new("free", rules).try_out(), Ok(()), "{expected}");
    }
}

#[test]
fn long_rules_and_too_many_bytes_are_refused_with_a_place() {
    let titles = |text: &str, limits| -> Vec<String> {
        let remarks = Checked::within(text, limits).diagnostics;
        remarks.iter().filter(|remark| remark.is_error()).map(|remark| remark.title.clone()).collect()
    };
    let text = "(role you) (p a b c)\n(<= (legal you (go ?x ?y)) (p ?x ?y a) (p ?y ?x b)) (<= terminal (p a a a)) (goal you 1)";
    assert_eq!(titles(text, Limits::DEFAULT), [""; 0]);
    assert_eq!(
        titles(text, Limits { clause_size: 8, ..Limits::DEFAULT }),
        ["the rule has more than 8 names and variables"]
    );
    assert_eq!(titles(text, Limits { bytes: 50, ..Limits::DEFAULT }), ["the sheet has more than 50 bytes"]);
    let roles = "(role a) (role b) (role c) (<= (legal ?r go) (role ?r)) (terminal) (<= (goal ?r 1) (role ?r))";
    assert_eq!(titles(roles, Limits { roles: 2, ..Limits::DEFAULT }), ["3 roles; at most 2 are supported"]);
}

/// Moves over two arguments that are never all legal; the numbers follow the text, not the order of play.
#[test]
fn moves_have_the_same_numbers_whatever_is_asked_first() {
    let text = "(role you) (role me) (n 1) (n 2) (n 3) (init (at 2))
        (<= (legal you (go ?x ?y)) (true (at ?x)) (n ?y)) (legal me noop) (legal you wait)
        (<= (next (at ?y)) (does you (go ?x ?y))) (<= terminal (true (at 3))) (<= (goal ?r 50) (role ?r))";
    let open = || interpret("moves", text).unwrap_or_else(|remarks| panic!("{remarks:?}"));
    let game = open();
    assert_eq!((game.moves(Role(0)), game.moves(Role(1))), (10, 1));
    let names: Vec<_> = (0..10).map(|number| game.move_name(Role(0), Move(number))).collect();
    let expected = "(go 1 1),(go 1 2),(go 1 3),(go 2 1),(go 2 2),(go 2 3),(go 3 1),(go 3 2),(go 3 3),wait";
    assert_eq!(names.join(","), expected);
    let mut legal = Vec::new();
    game.legals(&game.initial(), Role(0), &mut legal);
    assert_eq!(legal, [3, 4, 5, 9].map(Move));
    assert_eq!(open().parse_move(Role(0), "(go 3 1)"), Some(Move(6)));
}

#[test]
fn absurd_sizes_and_double_goals_are_worth_a_warning() {
    let titles = |text: &str| -> Vec<String> {
        examine("sheet", text, Limits::DEFAULT).remarks.into_iter().map(|remark| remark.title).collect()
    };
    let numbers: String = (0..40).map(|n| format!("(n {n})")).collect();
    let rest = "(legal you stay) (<= (next over) (does you stay)) (<= terminal (true over))";
    // 40^7 is 1.6·10^11; nothing that play needs depends on it.
    let absurd = format!(
        "(role you) {numbers} (<= (p ?a ?b ?c ?d ?e ?f ?g) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g)) {rest} (goal you 1)"
    );
    assert!(
        titles(&absurd).contains(&"this rule for `p` could hold in about 10^11 ways".to_owned()),
        "{:?}",
        titles(&absurd)
    );
    let modest =
        format!("(role you) {numbers} (<= (p ?a ?b) (n ?a) (n ?b)) (<= terminal (p 1 77)) {rest} (goal you 1)");
    assert_eq!(titles(&modest), [""; 0]);
    let always = format!("(role you) {rest} (goal you 1) (<= (goal you 0) (true over))");
    assert_eq!(titles(&always), ["a role can have two goals at once"]);
    let at_the_end = format!("(role you) {rest} (<= (goal you 1) (true over)) (<= (goal you 0) (not (true under)))");
    assert_eq!(titles(&at_the_end)[0], "`you` has the goals 0 and 1 in the same final position");
    let sound = format!("(role you) {rest} (<= (goal you 1) (true over)) (<= (goal you 0) (not (true over)))");
    assert_eq!(titles(&sound), [""; 0]);
}

#[test]
fn the_guide_tells_the_limits() {
    let guide = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/write-a-game.md");
    let guide = std::fs::read_to_string(guide).expect("the guide").replace('\n', " ");
    let limits = Limits::DEFAULT;
    let told = [
        format!("bytes of a sheet | {} |", limits.bytes),
        format!("lists nested in each other | {} |", limits.nesting),
        format!("roles | {} |", limits.roles),
        format!("arguments of a relation or function | {} |", limits.arguments),
        format!("conditions of a rule | {} |", limits.body),
        format!("names and variables of a rule | {} |", limits.clause_size),
        format!("expands to | {} |", limits.alternatives),
        format!("functions nested in a term | {} |", limits.term_depth),
        format!("names in a term | {} |", limits.term_size),
        format!("{} seconds, {} atoms of a relation", limits.time.as_secs(), limits.atoms),
        format!("{} words of instances", limits.instances),
        format!("{} steps and {} MB", limits.steps, limits.memory >> 20),
        format!("{} moves", limits.moves),
    ];
    for text in told {
        assert!(guide.contains(&text), "the guide does not tell: {text}");
    }
}
