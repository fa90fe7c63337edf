//! Small sheets, one corner of the language each, with what must come out of them.

use crate::support::{interpreter, machine_agrees, opened, picture, play};
use ludens_game::{Game, check};
use ludens_gdl::{Engine, GdlGame, Limits, Machine, open};
use std::sync::Arc;

fn machine(text: &str) -> Arc<Machine> {
    match opened("small", text).engine {
        Engine::Machine(machine) => machine,
        Engine::Interpreter { reason, .. } => panic!("{reason}"),
    }
}

/// Checks a line of play of one role, with both engines: legal moves before each move, then terminal and goal.
fn solo(text: &str, line: &[(&[&str], &str)], end: (bool, &[i32])) {
    fn run<G: GdlGame>(game: &G, line: &[(&[&str], &str)], end: (bool, &[i32])) {
        let mut state = game.initial();
        for (legal, mv) in line {
            let here = picture(game, &state);
            assert_eq!(
                (here.terminal, &*here.legal[0]),
                (false, &*legal.iter().map(|s| s.to_string()).collect::<Vec<_>>())
            );
            play(game, &mut state, &[mv]);
        }
        let here = picture(game, &state);
        assert_eq!((here.terminal, &*here.goals[0]), end, "{here:?}");
    }
    run(&*machine(text), line, end);
    run(&interpreter("small", text), line, end);
    machine_agrees("small", text, 5);
}

const TIC_TAC_TOE: &str = include_str!("sheets/tictactoe.kif");

#[test]
fn tic_tac_toe() {
    let game = machine(TIC_TAC_TOE);
    assert_eq!(game.role_names(), ["xplayer", "oplayer"]);
    let mut state = game.initial();
    let start = picture(&*game, &state);
    assert_eq!((start.legal[0].len(), &*start.legal[1]), (9, &["noop".to_owned()][..]));
    assert!(start.goals.iter().all(Vec::is_empty));
    let line = [
        ["(mark 1 1)", "noop"],
        ["noop", "(mark 1 3)"],
        ["(mark 3 1)", "noop"],
        ["noop", "(mark 2 2)"],
        ["(mark 2 1)", "noop"],
    ];
    for joint in line {
        let here = picture(&*game, &state);
        assert!(!here.terminal && here.legal.iter().zip(joint).all(|(legal, mv)| legal.contains(&mv.to_owned())));
        play(&*game, &mut state, &joint);
    }
    let end = picture(&*game, &state);
    assert!(end.terminal);
    assert_eq!(end.goals, [[100], [0]]);
    machine_agrees("tictactoe", TIC_TAC_TOE, 30);
}

#[test]
fn machines_and_interpreters_keep_the_promises_of_games() {
    let plan = check::Plan { walks: 20, max_steps: 9, seed: 3 };
    check::conformance(&*machine(TIC_TAC_TOE), plan).unwrap();
    check::conformance(&interpreter("tictactoe", TIC_TAC_TOE), plan).unwrap();
}

#[test]
fn names_do_not_matter() {
    let mut scrambled = String::new();
    let mut word = String::new();
    for c in TIC_TAC_TOE.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() {
            word.push(c);
            continue;
        }
        let kept = ["role", "init", "true", "next", "legal", "does", "goal", "terminal", "not", "or", "distinct"];
        if !word.is_empty() && !kept.contains(&&*word) && word.parse::<i32>().is_err() {
            word = word.bytes().map(|b| char::from(b'a' + b.wrapping_mul(7) % 26)).collect::<String>() + "q";
        }
        scrambled.push_str(&word);
        scrambled.push(c);
        word.clear();
    }
    let (plain, other) = (machine(TIC_TAC_TOE), machine(&scrambled));
    let mut moves = [Vec::new(), Vec::new()];
    let mut rng = ludens_game::Seed::new(5).rng();
    let (mut here, mut there) = (plain.initial(), other.initial());
    while !plain.is_terminal(&here) {
        assert_eq!(plain.hash(&here), other.hash(&there));
        let joint: Vec<_> = [0, 1]
            .map(|role| {
                plain.legals(&here, ludens_game::Role(role), &mut moves[0]);
                other.legals(&there, ludens_game::Role(role), &mut moves[1]);
                assert_eq!(moves[0], moves[1]);
                moves[0][rng.below(moves[0].len() as u32) as usize]
            })
            .into();
        plain.advance(&mut here, &joint);
        other.advance(&mut there, &joint);
    }
    assert!(other.is_terminal(&there));
}

#[test]
fn bodiless_rules_are_facts() {
    let text = "(role you) (init ready) (<= (legal you proceed) (true ready)) (<= (next done) (does you proceed))
        (<= terminal (true done)) (<= (goal you 100))";
    solo(text, &[(&["proceed"], "proceed")], (true, &[100]));
}

#[test]
fn a_game_may_end_because_nothing_is_legal() {
    let text = "(role you) (init (step 1)) (<= (legal you win) (true (step 1))) (<= (legal you lose) (true (step 1)))
        (<= (next won) (does you win)) (<= (next lost) (does you lose))
        (<= terminal (not (some))) (<= some (legal ?p ?m)) (<= (goal you 100) (true won)) (<= (goal you 0) (true lost))";
    solo(text, &[(&["lose", "win"], "win")], (true, &[100]));
    solo(text, &[(&["lose", "win"], "lose")], (true, &[0]));
}

#[test]
fn parentheses_around_a_lone_name_do_not_matter() {
    let text = "(role you) (init a) (<= open1 (true a)) (<= (open2) (true a)) (<= (legal you (go right)) (open1) open2)
        (<= (legal you (go wrong)) (not open1)) (<= (next b) (does you (go right))) (<= (terminal) (true b))
        (goal you 100)";
    solo(text, &[(&["(go right)"], "(go right)")], (true, &[100]));
}

#[test]
fn undefined_relations_are_false_and_states_may_be_empty() {
    let text = "(role you) (<= (legal you win) (not (squeak 1))) (<= (legal you lose) (squeak 1))
        (<= (next over) (does you win)) (<= terminal (true over)) (goal you 100)";
    assert!(machine(text).facts(&machine(text).initial()).is_empty());
    solo(text, &[(&["win"], "win")], (true, &[100]));
}

#[test]
fn functions_may_nest_and_recur() {
    let text =
        "(role you) (init (list (s (s (s zero))))) (<= (number zero)) (<= (number (s ?n)) (number ?n) (small ?n))
        (small zero) (small (s zero)) (small (s (s zero)))
        (<= (legal you proceed) (true (list ?n)) (number ?n))
        (<= (next (list ?n)) (does you proceed) (true (list (s ?n)))) (<= terminal (true (list zero))) (goal you 100)";
    solo(text, &[(&["proceed"], "proceed"), (&["proceed"], "proceed"), (&["proceed"], "proceed")], (true, &[100]));
}

#[test]
fn a_variable_may_repeat_in_a_head() {
    let text = "(role you) (init start) (next_to 1 2) (<= (legal you (draw ?a ?a ?a ?b)) (next_to ?a ?b) (true start))
        (<= (next (line ?a ?b ?c ?d)) (does you (draw ?a ?b ?c ?d))) (<= (next done) (does you ?m))
        (<= (next (box ?a)) (does you (draw ?a ?b ?b ?a)) (distinct ?a ?b)) (<= terminal (true done)) (goal you 100)";
    solo(text, &[(&["(draw 1 1 1 2)"], "(draw 1 1 1 2)")], (true, &[100]));
    let game = machine(text);
    let mut state = game.initial();
    play(&*game, &mut state, &["(draw 1 1 1 2)"]);
    assert_eq!(picture(&*game, &state).facts, ["(line 1 1 1 2)", "done"]);
}

#[test]
fn nothing_supports_itself() {
    let text = "(role you) (init f) (<= p (true f)) (<= p p) (<= left (up)) (<= up left)
        (<= (legal you proceed) (not left) (true ?x)) (<= (next g) (true f)) (<= (next h) (true g) (not p))
        (<= (next wrong) (true g) p) (<= terminal (true h)) (<= terminal (true wrong))
        (<= (goal you 100) (true h)) (<= (goal you 0) (not (true h)))";
    solo(text, &[(&["proceed"], "proceed"), (&["proceed"], "proceed")], (true, &[100]));
}

#[test]
fn components_of_the_state_are_least_fixpoints() {
    let text = "(role you) (init (stone 1)) (init (stone 2)) (init (stone 3)) (init (stone 5)) (init (left 4))
        (next_to 1 2) (next_to 2 3) (next_to 3 4) (next_to 4 5) (next_to 5 1)
        (<= (near ?a ?b) (next_to ?a ?b)) (<= (near ?b ?a) (next_to ?a ?b))
        (<= (linked ?a ?a) (true (stone ?a))) (<= (linked ?a ?c) (linked ?a ?b) (near ?b ?c) (true (stone ?c)))
        (<= (legal you (take ?a)) (true (stone ?a)))
        (<= (next (stone ?a)) (true (stone ?a)) (not (does you (take ?a))))
        (<= (next (left ?m)) (true (left ?n)) (minus ?n ?m)) (minus 4 3) (minus 3 2) (minus 2 1)
        (<= apart (true (stone ?a)) (true (stone ?b)) (not (linked ?a ?b)))
        (<= terminal (true (left 1))) (<= (goal you 100) (not apart)) (<= (goal you 0) apart)";
    machine_agrees("linked", text, 30);
    solo(
        text,
        &[
            (&["(take 1)", "(take 2)", "(take 3)", "(take 5)"], "(take 1)"),
            (&["(take 2)", "(take 3)", "(take 5)"], "(take 5)"),
        ],
        (false, &[100]),
    );
}

#[test]
fn relations_may_recur_through_each_other() {
    let text =
        "(role you) (init (edge a b)) (init (edge b c)) (<= (r ?x ?y) (true (edge ?x ?y))) (<= (r ?x ?y) (s ?y ?x))
        (<= (s ?x ?y) (r ?y ?x)) (<= (s ?x ?z) (s ?y ?x) (r ?y ?z))
        (<= (legal you proceed) (r a b) (s b a) (r c a) (not (r a d)))
        (<= (next over) (does you proceed)) (<= terminal (true over)) (goal you 100)";
    solo(text, &[(&["proceed"], "proceed")], (true, &[100]));
}

#[test]
fn left_recursion_ends() {
    let text = "(role you) (init (heap a 2)) (init (heap c 5)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
        (<= (smaller ?a ?b) (smaller ?a ?c) (succ ?c ?b)) (<= (smaller ?a ?b) (succ ?a ?b))
        (<= (legal you (reduce ?h ?m)) (true (heap ?h ?n)) (smaller ?m ?n))
        (<= (next (heap ?h ?m)) (does you (reduce ?h ?m)))
        (<= terminal (not some)) (<= some (legal you ?m)) (goal you 100)";
    let legal: Vec<_> = ["a 0", "a 1", "c 0", "c 1", "c 2", "c 3", "c 4"].map(|m| format!("(reduce {m})")).into();
    let legal: Vec<&str> = legal.iter().map(|name| &**name).collect();
    solo(text, &[(&legal, "(reduce c 0)")], (true, &[100]));
}

#[test]
fn distinct_and_not_may_come_first() {
    let text = "(role you) (init start) (letter a) (letter b)
        (<= (legal you (do ?x ?y)) (distinct ?x ?y) (not (true over)) (letter ?x) (letter ?y))
        (<= (next over) (does you (do a b))) (<= terminal (true over)) (goal you 100)";
    solo(text, &[(&["(do a b)", "(do b a)"], "(do a b)")], (true, &[100]));
}

#[test]
fn a_negated_distinct_makes_terms_equal() {
    let text = "(role you) (init (at 1)) (number 1) (number 2)
        (<= (legal you (stay ?y)) (true (at ?x)) (number ?y) (not (distinct ?x ?y)))
        (<= (next over) (does you ?m)) (<= terminal (true over)) (goal you 100)";
    solo(text, &[(&["(stay 1)"], "(stay 1)")], (true, &[100]));
    assert_eq!(opened("stay", text).warnings.len(), 1);
}

#[test]
fn a_name_with_two_arities_is_two_relations() {
    let text = "(role you) (init s) (p 1) (p 2 3) (<= (legal you (a ?x)) (p ?x) (true s)) (<= (legal you (a ?x ?y)) (p ?x ?y) (true s))
        (<= (next over) (does you ?m)) (<= terminal (true over)) (goal you 100)";
    solo(text, &[(&["(a 1)", "(a 2 3)"], "(a 2 3)")], (true, &[100]));
}

#[test]
fn goals_may_negate_goals() {
    let text = "(role you) (init a) (legal you go) (<= (next b) (does you go)) (<= terminal (true b))
        (<= (goal you 100) (true b)) (<= (goal you 0) (not (goal you 100)))";
    solo(text, &[], (false, &[0]));
    solo(text, &[(&["go"], "go")], (true, &[100]));
}

#[test]
fn whole_variables_stand_for_facts_and_moves() {
    let text = "(role you) (role me) (init (cell 1 a)) (init (cell 2 b)) (init last) (<= (may ?p (set ?n)) (role ?p) (true (cell ?n ?v)))
        (<= (legal ?p ?m) (may ?p ?m)) (<= (next ?f) (true ?f) (distinct ?f last))
        (<= (next (said ?m)) (does ?p ?m)) (<= terminal (true (said (set 1))) (true (said (set 2)))) (goal you 1) (goal me 2)";
    machine_agrees("whole", text, 20);
}

#[test]
fn upper_case_sheets_are_understood() {
    let upper = TIC_TAC_TOE.to_ascii_uppercase();
    let game = machine(&upper);
    assert_eq!(game.role_names(), ["XPLAYER", "OPLAYER"]);
    machine_agrees("upper", &upper, 5);
}

#[test]
fn an_atom_that_denies_itself_is_an_error() {
    let text = "(role you) (init a) (legal you go) (<= p (true a) (not q)) (<= q (not p)) (<= (next a) (does you go) q)
        (<= terminal (not (true a))) (goal you 0)";
    let remarks = open("loop", text, Limits::default()).err().expect("it has no meaning");
    assert!(remarks.iter().any(|remark| remark.title.contains("negation")), "{remarks:?}");
}

#[test]
fn sheets_without_roles_are_refused() {
    assert!(open("nobody", "(init a) (<= terminal (true a))", Limits::default()).is_err());
}

#[test]
fn limits_are_kept_and_the_interpreter_takes_over() {
    let digits: String = (0..10).map(|n| format!("(digit {n}) ")).collect();
    let text = format!(
        "(role you) (init (n 0 0 0 0 0 0 0)) {digits} (<= (legal you (say ?a ?b ?c ?d ?e ?f ?g)) (digit ?a) (digit ?b) (digit ?c)
        (digit ?d) (digit ?e) (digit ?f) (digit ?g) (true (n ?a ?b ?c ?d ?e ?f ?g)))
        (<= (next (n ?a ?b ?c ?d ?e ?f ?h)) (does you (say ?a ?b ?c ?d ?e ?f ?g)) (digit ?h))
        (<= (next (n ?h ?a ?b ?c ?d ?e ?f)) (does you (say ?a ?b ?c ?d ?e ?f ?g)) (digit ?h))
        (<= terminal (true (n 9 9 9 9 9 9 9))) (goal you 0)"
    );
    let limits = Limits { atoms: 10_000, ..Limits::default() };
    let start = std::time::Instant::now();
    let Engine::Interpreter { game, reason } = open("digits", &text, limits).unwrap_or_else(|e| panic!("{e:?}")).engine
    else {
        panic!("ten million moves fit into ten thousand atoms")
    };
    assert!(reason.contains("10000"), "{reason}");
    assert!(start.elapsed().as_secs() < 60);
    assert_eq!(picture(&*game, &game.initial()).legal[0].len(), 1);
}

#[test]
fn terms_that_grow_for_ever_end_at_a_limit() {
    let text =
        "(role you) (init (s zero)) (legal you go) (<= (next (s ?x)) (true ?x)) (<= terminal (true (s (s (s zero)))))
        (goal you 50)";
    let Engine::Interpreter { game, .. } = opened("tower", text).engine else { panic!("the tower has no end") };
    let mut state = game.initial();
    play(&*game, &mut state, &["go"]);
    play(&*game, &mut state, &["go"]);
    assert!(game.is_terminal(&state));
}

#[test]
fn recursion_without_end_is_an_error() {
    let text = "(role you) (init (n zero)) (<= (number (s ?n)) (number ?n)) (number zero) (<= (legal you (say ?n)) (number ?n))
        (<= terminal (true (n ?x)) (number (s ?x))) (goal you 50)";
    let start = std::time::Instant::now();
    let remarks = open("numbers", text, Limits::default()).err().expect("there are too many numbers");
    assert!(remarks.iter().any(|remark| remark.title.contains(" end")), "{remarks:?}");
    assert!(start.elapsed().as_secs() < 60);
}

#[test]
fn a_rule_with_a_million_instances_is_grounded_or_given_up() {
    let digits: String = (0..10).map(|n| format!("(digit {n}) ")).collect();
    let text = format!(
        "(role you) {digits} (<= (sum ?a ?b ?c ?d ?e ?f) (digit ?a) (digit ?b) (digit ?c) (digit ?d) (digit ?e) (digit ?f))
        (<= (legal you go) (sum 1 2 3 4 5 6)) (<= (next done) (does you go)) (<= terminal (true done)) (goal you 100)"
    );
    assert!(matches!(opened("million", &text).engine, Engine::Machine(_)));
    let limits = Limits { instances: 1_000_000, ..Limits::default() };
    let opened = open("million", &text, limits).unwrap_or_else(|remarks| panic!("{remarks:?}"));
    assert!(matches!(opened.engine, Engine::Interpreter { .. }));
}
