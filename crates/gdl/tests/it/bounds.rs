//! Sheets that are meant to hurt: each gets an answer in bounded time and memory.

use ludens_gdl::ground::{Ground, GroundError, Limits};
use ludens_gdl::render::Rendering;
use ludens_gdl::{Checked, Rules, Sheet};
use std::time::{Duration, Instant};

/// Generous: what is tested is that nothing explodes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The titles of the errors, found in time.
fn errors(text: &str) -> Vec<String> {
    let start = Instant::now();
    let checked = Checked::new(text);
    let rendered = Rendering::default().render(&checked.diagnostics, "sheet.kif", text);
    assert!(start.elapsed() < PATIENCE, "took {:?}", start.elapsed());
    assert!(rendered.len() < 1 << 20, "{} bytes of remarks", rendered.len());
    checked.diagnostics.into_iter().filter(|remark| remark.is_error()).map(|remark| remark.title).collect()
}

fn rules(text: &str) -> Rules {
    Rules::new(&Sheet::read(text, &mut Vec::new()), &mut Vec::new())
}

fn ground(text: &str, limits: Limits) -> Result<usize, GroundError> {
    let start = Instant::now();
    let result = Ground::new(&rules(text), limits).map(|ground| ground.instance_count());
    assert!(start.elapsed() < PATIENCE, "took {:?}", start.elapsed());
    result
}

#[test]
fn ten_megabytes_are_refused() {
    assert!(errors(&"(p a)\n".repeat((10 << 20) / 6))[0].contains("bytes"));
}

#[test]
fn nesting_a_hundred_thousand_deep_is_refused() {
    assert!(errors(&format!("{}a{}", "(f ".repeat(100_000), ")".repeat(100_000)))[0].contains("nested"));
    assert!(errors(&"(".repeat(100_000))[0].contains("nested"));
}

#[test]
fn large_sheets_of_every_kind_are_checked_in_time() {
    let repeated = |part: &dyn Fn(usize) -> String| (0..20_000).map(part).collect::<String>();
    let sheets = [
        repeated(&|n| format!("(p{n} a)\n")),
        repeated(&|n| format!("(<= (p{n} ?x) (p{} ?x))\n", n + 1)),
        repeated(&|n| format!("(<= (p ?x) (q{n} ?x) (not (p a)))\n")),
        format!("(<= p {})", repeated(&|n| format!("(q ?x{n}) (not (r ?x{n})) "))),
        format!("(<= p {})", repeated(&|n| format!("(or (q ?x{n}) (r ?x{n}))"))),
        format!("(<= p {})", repeated(&|n| format!("(not (distinct ?x{n} ?x{}))", n + 1))),
        format!("(<= (p ?x) {})", repeated(&|n| format!("(p ?x{n}) (q ?y{n})"))),
        repeated(&|n| format!("(<= (<= {n}))")),
        repeated(&|n| format!("(true a{n} ?x ?X)")),
        repeated(&|n| format!("(role r{n})(legal s{n} (true (does x)))")),
    ];
    for sheet in sheets {
        errors(&sheet);
    }
}

#[test]
fn nested_alternatives_and_equations_do_not_explode() {
    let mut nested = "(q ?x)".to_owned();
    for level in 0..200 {
        nested = format!("(or (and (q ?x{level}) {nested}) (not (and (r ?x) (s ?x))))");
    }
    errors(&format!("(<= (p ?x) {nested})"));
    let product: String = (0..64).map(|n| format!("(or (q {n}) (r {n}))")).collect();
    assert!(errors(&format!("(<= p {product})")).iter().any(|title| title.contains("expands to more than")));
    let doubling: String = (0..64).map(|n| format!("(not (distinct ?x{n} (f ?x{m} ?x{m})))", m = n + 1)).collect();
    let found = errors(&format!("(<= (p ?x0) (q ?x64) {doubling})"));
    assert!(
        found.iter().any(|title| title.contains("equations") || title.contains("names and variables")),
        "{found:?}"
    );
    let chain: String = (0..100_000).map(|n| format!("(not (distinct ?x{n} ?x{}))", n + 1)).collect();
    errors(&format!("(<= (p ?x0) (q ?x100000) {chain})"));
}

#[test]
fn endless_recursion_is_refused_by_checks_and_grounder() {
    let sheet = "(num 0) (<= (num (s ?x)) (num ?x)) (<= (init ?x) (num ?x))";
    assert!(errors(sheet).iter().any(|title| title.contains("recursion")));
    assert!(matches!(ground(sheet, Limits::default()), Err(GroundError::Depth(_))));
    let growing = "(role r) (init (list nil)) (legal r a) (<= (next (list (cons a ?l))) (true (list ?l)))";
    assert!(matches!(ground(growing, Limits::default()), Err(GroundError::Depth(_))));
    let wide = "(role r) (init (pair a b)) (legal r a)
        (<= (next (pair (f ?x ?y) ?x)) (true (pair ?x ?y))) (<= (next (pair ?y (g ?x ?y))) (true (pair ?x ?y)))";
    assert!(ground(wide, Limits { atoms: 100_000, ..Limits::default() }).is_err());
}

#[test]
fn rules_with_many_instances_keep_to_the_limits() {
    let numbers: String = (0..100).map(|n| format!("(n {n})")).collect();
    let cube = format!("{numbers} (role r) (<= (legal r (m ?x ?y ?z)) (n ?x) (n ?y) (n ?z))");
    let few = Limits { atoms: 50_000, ..Limits::default() };
    assert_eq!(ground(&cube, few), Err(GroundError::Atoms(50_000)));
    let words = Limits { instances: 50_000, ..Limits::default() };
    let state = format!("{cube} (<= (next (at ?x)) (does r (m ?x ?y ?z)))");
    assert_eq!(ground(&state, words), Err(GroundError::Instances(50_000)));
    let time = Limits { time: Duration::from_millis(50), ..Limits::default() };
    let power = format!("{cube} (<= terminal (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (distinct ?a ?e) (n (f ?a)))");
    let _ = ground(&power, time);
    let long = format!("{cube} (<= (p ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d)) (<= terminal (p ?x ?x ?x ?x))");
    assert!(ground(&long, time).is_err());
}
