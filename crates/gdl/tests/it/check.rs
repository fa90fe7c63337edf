//! What the checks say, in full: one small sheet, and for every check a way to spoil it.

use ludens_gdl::render::Rendering;
use ludens_gdl::{Checked, Severity};

/// A sheet about which there is nothing to say.
const GOOD: &str = "\
(role white)
(succ 0 1)
(succ 1 2)
(init (pile 2))
(<= (legal white (take ?n)) (true (pile ?n)))
(<= (next (pile ?m)) (true (pile ?n)) (does white (take ?n)) (succ ?m ?n))
(<= terminal (true (pile 0)))
(<= (goal white 100) (true (pile 0)))
";

fn rendered(sheet: &str) -> String {
    let checked = Checked::new(sheet);
    Rendering::default().render(&checked.diagnostics, "sheet.kif", sheet)
}

/// The good sheet with further lines.
fn with(lines: &str) -> String {
    rendered(&format!("{GOOD}{lines}\n"))
}

fn severities(sheet: &str) -> Vec<Severity> {
    Checked::new(sheet).diagnostics.iter().map(|remark| remark.severity).collect()
}

#[test]
fn a_good_sheet_passes() {
    assert_eq!(rendered(GOOD), "");
}

#[test]
fn every_sheet_needs_its_parts() {
    insta::assert_snapshot!("nothing", rendered("; nothing here\n"));
    for part in ["(role white)", "(<= (legal", "(<= terminal", "(<= (goal"] {
        let without: String = GOOD.lines().filter(|line| !line.starts_with(part)).map(|l| format!("{l}\n")).collect();
        assert!(severities(&without).contains(&Severity::Error), "{part} is missed");
    }
}

#[test]
fn a_broken_line_does_not_make_its_relation_missing() {
    let sheet = GOOD.replace("(<= terminal", "(<= terminal (not)");
    insta::assert_snapshot!("broken_line", rendered(&sheet));
}

#[test]
fn keywords_have_their_places() {
    insta::assert_snapshot!("true_as_head", with("(<= (true (pile 1)) (does white (take 1)))"));
    insta::assert_snapshot!("does_as_head", with("(does white (take 1))"));
    insta::assert_snapshot!("derived_role", with("(<= (role black) (succ 0 1))\n(legal black wait)\n(goal black 0)"));
    insta::assert_snapshot!("init_as_condition", with("(<= (next (pile 0)) (init (pile 2)))"));
    insta::assert_snapshot!("next_as_condition", with("(<= (next (pile 0)) (next (pile 2)))"));
    insta::assert_snapshot!("base_as_condition", with("(<= (init ?f) (base ?f))"));
    insta::assert_snapshot!("input_as_condition", with("(<= (legal white ?m) (input white ?m))"));
    insta::assert_snapshot!("connective_in_term", with("(<= terminal (true (not (pile 1))))"));
    insta::assert_snapshot!("keyword_in_term", with("(init (goal 1))\n(<= terminal (true (goal 1)))"));
}

#[test]
fn keywords_have_their_arguments() {
    insta::assert_snapshot!("arity_of_head", with("(<= (legal white) (true (pile 1)))"));
    insta::assert_snapshot!("arity_of_condition", with("(<= terminal (true pile 1))"));
    insta::assert_snapshot!("arity_of_terminal", with("(<= (terminal now) (true (pile 1)))"));
}

#[test]
fn variables_need_values() {
    insta::assert_snapshot!("unbound_in_fact", with("(succ ?x 3)"));
    insta::assert_snapshot!("unbound_in_head", with("(<= (next (pile ?x)) (true (pile 1)))"));
    insta::assert_snapshot!("unbound_in_negation", with("(<= terminal (not (true (pile ?x))))"));
    insta::assert_snapshot!("unbound_in_distinct", with("(<= terminal (true (pile ?x)) (distinct ?x ?y))"));
    insta::assert_snapshot!("bound_in_one_arm", with("(<= (next (pile ?x)) (or (succ ?x 1) (true (pile 1))))"));
}

#[test]
fn values_come_from_every_alternative_and_through_equations() {
    for line in [
        "(<= (next (pile ?x)) (or (succ ?x 1) (true (pile ?x))))",
        "(<= terminal (or (true (pile 1)) (and (succ ?x 1) (not (true (pile ?x))))))",
        "(<= (next (pile ?x)) (not (or (not (succ ?x 1)) (true (pile 2)))))",
        "(<= terminal (distinct ?x 1) (not (true (pile ?x))) (succ ?x 2))",
        "(<= (next (pile ?x)) (not (distinct ?x ?y)) (true (pile ?y)))",
        "(<= (next (pile ?x)) (true (pile ?y)) (or (not (distinct ?x ?y)) (succ ?x 1)))",
    ] {
        let errors = severities(&format!("{GOOD}{line}"));
        assert!(!errors.contains(&Severity::Error), "{}", with(line));
    }
}

#[test]
fn what_holds_in_a_state_cannot_depend_on_the_moves() {
    insta::assert_snapshot!(
        "legal_on_does",
        with("(<= (legal white pass) moved)\n(<= moved (took ?n))\n(<= (took ?n) (does white (take ?n)))")
    );
    insta::assert_snapshot!("goal_on_does", with("(<= (goal white 0) (does white (take 1)))"));
    insta::assert_snapshot!("terminal_on_does", with("(<= terminal (not (does white (take 1))))"));
    insta::assert_snapshot!("init_on_true", with("(<= (init (pile ?n)) (true (pile ?n)))"));
    insta::assert_snapshot!("input_on_does", with("(<= (input white ?m) (does white ?m))"));
}

#[test]
fn recursion_is_restricted() {
    insta::assert_snapshot!("endless_recursion", with("(num 0)\n(<= (num (s ?x)) (num ?x))\n(<= terminal (num 0))"));
    insta::assert_snapshot!(
        "mutual_recursion",
        with(
            "(<= (even ?x) (odd (pre ?y)) (succ ?x ?y))\n(<= (odd (s ?x)) (even ?x) (succ ?x 2))\n(<= terminal (odd 1))"
        )
    );
    insta::assert_snapshot!(
        "harmless_recursion",
        with("(<= (near ?x ?z) (near ?x ?y) (near ?y ?z))\n(<= (near ?x ?y) (succ ?x ?y))\n(<= terminal (near 0 5))")
    );
    let fine = "(<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))\n(<= (less ?x ?y) (succ ?x ?y))\n(<= terminal (less 1 0))";
    assert_eq!(with(fine), "");
    let fine = "(<= (far ?x) (or (succ ?x ?y) (and (far ?y) (succ ?x ?y))))\n(<= terminal (far 7))";
    assert_eq!(with(fine), "");
}

#[test]
fn negation_in_a_cycle_is_pointed_out_only_where_it_can_happen() {
    insta::assert_snapshot!("negative_cycle", with("(<= p (not q))\n(<= q (not p))\n(<= terminal p)"));
    let fine = "(<= (goal white 0) (not (goal white 100)))";
    assert_eq!(with(fine), "");
}

#[test]
fn relations_are_defined_and_needed() {
    insta::assert_snapshot!("undefined", with(&"(<= terminal (sucz 0 2))\n".repeat(3)));
    insta::assert_snapshot!("undefined_by_arity", with("(<= terminal (succ 0))"));
    insta::assert_snapshot!("unused", with("(<= (twice ?x ?z) (succ ?x ?y) (succ ?y ?z) (twice ?x ?y))"));
    insta::assert_snapshot!("relation_arities", with("(succ 5)\n(<= terminal (succ 7))"));
    insta::assert_snapshot!("function_arities", with("(init (pile 1 2))\n(<= terminal (true (pile 7 ?x)))"));
}

#[test]
fn facts_and_moves_exist() {
    insta::assert_snapshot!("unknown_fact", with("(<= terminal (true (pille 7)))\n(<= terminal (true sky))"));
    insta::assert_snapshot!("unknown_move", with("(<= (next (pile 0)) (does white (take 1 2)))"));
    let fine = "(<= (next ?f) (succ 0 ?f))\n(<= terminal (true anything))";
    assert_eq!(with(fine), "");
    let keeping = "(<= (next ?f) (true ?f))\n(<= terminal (true anything))";
    assert_ne!(with(keeping), "");
}

#[test]
fn roles_are_meant_consistently() {
    insta::assert_snapshot!("no_role", with("(<= (legal whit pass) (true (pile 1)))"));
    insta::assert_snapshot!("role_without_rules", with("(role black)"));
    insta::assert_snapshot!("goal_value", with("(<= (goal white 101) (true (pile 1)))"));
    let crowd: String = (0..256).map(|role| format!("(role r{role})")).collect();
    assert!(with(&crowd).contains("at most 100 are supported"));
}

#[test]
fn names_differ_by_more_than_case() {
    insta::assert_snapshot!("case_of_constant", with("(Succ 2 3)\n(<= terminal (Succ 2 3))"));
    insta::assert_snapshot!("case_of_variable", with("(<= terminal (succ ?x ?X))"));
    assert_eq!(with("(<= terminal (succ ?X 5))\n(<= terminal (succ ?x 6))"), "");
    assert_eq!(rendered(&GOOD.to_uppercase()), "");
}

#[test]
fn older_habits_are_warned_about() {
    insta::assert_snapshot!("no_body", with("(<= (succ 2 3))"));
    insta::assert_snapshot!("parentheses", with("(<= (terminal) (true (pile 1)))"));
    insta::assert_snapshot!("not_distinct", with("(<= terminal (true (pile ?x)) (not (distinct ?x 1)))"));
    insta::assert_snapshot!("old_base", with("(base pile 1)"));
    let old = "(<= (succ 2 3))(<= (terminal) (true (pile ?x)) (not (distinct ?x 1)))(base pile 1)";
    assert!(!severities(&format!("{GOOD}{old}")).contains(&Severity::Error));
}

#[test]
fn parentheses_match() {
    insta::assert_snapshot!("unclosed", with("(<= terminal (true (pile 1))"));
    insta::assert_snapshot!("unopened", with("(<= terminal (true (pile 1))))"));
}

#[test]
fn all_errors_come_at_once_and_in_order() {
    let sheet = format!("{GOOD}(succ ?x 3)\n(does white x)\n(<= terminal (not (p ?y)))\n(<= q ())\n");
    let checked = Checked::new(&sheet);
    let starts: Vec<_> = checked.diagnostics.iter().filter(|remark| remark.is_error()).map(|r| r.span.start).collect();
    assert_eq!(starts.len(), 4);
    assert!(starts.is_sorted());
}

#[test]
fn long_lines_tabs_and_returns_are_drawn_well() {
    let one_line = format!("{}\t(succ ?é 3) {}", GOOD.replace('\n', " "), GOOD.replace('\n', " "));
    insta::assert_snapshot!("one_line", rendered(&one_line));
    insta::assert_snapshot!("returns", rendered(&format!("{GOOD}(succ\n ?x\n 3)\n").replace('\n', "\r\n")));
}

#[test]
fn many_remarks_are_counted() {
    let many: String = (0..500).map(|n| format!("(succ ?x{n} 3)\n")).collect();
    assert!(with(&many).ends_with("… and 400 more\n"));
}
