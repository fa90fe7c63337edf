//! Rulesheets for tests: random small games that every engine must play alike, and sheets that are meant to hurt.

use ludens_game::Rng;
use std::{fmt::Write as _, path::PathBuf};

/// The folder of the rulesheets that others wrote: `gdl` in `$LUDENS_SHARED`, or in the folder `shared` beside the project.
///
/// They belong to nobody here, so a checkout may lack them. Tests that need them have `real_` in their names, and
/// `scripts/test` leaves those out where the folder is absent.
///
/// # Panics
/// If there is no such folder.
pub fn real_sheets() -> PathBuf {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("LUDENS_SHARED").map_or_else(beside, PathBuf::from).join("gdl");
    assert!(folder.is_dir(), "there are no rulesheets in {}: skip this test with `-- --skip real_`", folder.display());
    folder
}

/// The paths of those rulesheets, in the order of their names.
pub fn real_sheet_files() -> Vec<String> {
    let folder = std::fs::read_dir(real_sheets()).expect("a readable folder");
    let paths = folder.filter_map(|entry| Some(entry.ok()?.path().to_str()?.to_owned()));
    let mut files: Vec<String> = paths.filter(|path| path.ends_with(".kif")).collect();
    assert!(files.len() > 150, "only {} rulesheets", files.len());
    files.sort();
    files
}

/// A random small game: well-formed, over after a few steps, and every role has a move until then.
///
/// One to four roles move in turn or all at once, some of them have nothing but a noop. Finished positions may go on allowing
/// moves. Goals differ between roles and depend on the cells, on who is linked to what, or on nothing.
pub fn random_sheet(rng: &mut Rng) -> String {
    let roles = 1 + rng.below(4) as usize;
    let mut sheet = Builder { rng, text: String::new(), roles, cells: 0, values: 0 };
    sheet.write();
    sheet.text
}

struct Builder<'r> {
    rng: &'r mut Rng,
    text: String,
    roles: usize,
    cells: u32,
    values: u32,
}

impl Builder<'_> {
    fn below(&mut self, count: u32) -> u32 {
        self.rng.below(count)
    }

    fn chance(&mut self) -> bool {
        self.below(2) == 0
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    /// A condition about the cells, perhaps negated.
    fn condition(&mut self) -> String {
        let (cell, other, value) = (self.below(self.cells), self.below(self.cells), self.below(self.values));
        let plain = match self.below(4) {
            0 => format!("(linked {cell} {other})"),
            1 => format!("(or (true (cell {cell} v{value})) (true (cell {other} v{value})))"),
            2 => format!("(has v{value})"),
            _ => format!("(true (cell {cell} v{value}))"),
        };
        if self.below(3) == 0 { format!("(not {plain})") } else { plain }
    }

    fn write(&mut self) {
        (self.cells, self.values) = (2 + self.below(3), 2 + self.below(2));
        let steps = 2 + self.below(6);
        for role in 0..self.roles {
            self.line(&format!("(role r{role})"));
        }
        for cell in 0..self.cells {
            let value = self.below(self.values);
            self.line(&format!("(index {cell}) (init (cell {cell} v{value}))"));
        }
        for value in 0..self.values {
            self.line(&format!("(value v{value})"));
        }
        for step in 0..steps {
            self.line(&format!("(after {step} {})", step + 1));
        }
        self.line("(init (step 0)) (<= (next (step ?y)) (true (step ?x)) (after ?x ?y))");
        for _ in 0..=self.cells {
            let (a, b) = (self.below(self.cells), self.below(self.cells));
            self.line(&format!("(near {a} {b})"));
        }
        self.line(
            "(<= (linked ?a ?b) (near ?a ?b) (true (cell ?a ?v)) (true (cell ?b ?v)))
(<= (linked ?a ?c) (linked ?a ?b) (linked ?b ?c))
(<= (has ?v) (true (cell ?i ?v)))",
        );
        let in_turn = self.chance();
        if in_turn {
            self.line("(init (control r0))");
            for role in 0..self.roles {
                let next = (role + 1) % self.roles;
                self.line(&format!("(<= (next (control r{next})) (true (control r{role})))"));
            }
        }
        self.moves(in_turn);
        self.changes();
        self.end(steps);
        self.goals();
    }

    fn moves(&mut self, in_turn: bool) {
        let stops = self.chance();
        for role in 0..self.roles {
            let is_idle = self.below(5) == 0;
            let turn = if in_turn { format!("(true (control r{role}))") } else { String::new() };
            let stop = if stops { "(not terminal)" } else { "" };
            for _ in 0..if is_idle { 0 } else { 1 + self.below(3) } {
                let condition = if self.chance() { self.condition() } else { String::new() };
                let (mv, given) = match self.below(3) {
                    0 => ("(mark ?i ?v)".to_owned(), "(index ?i) (value ?v) (not (true (cell ?i ?v)))"),
                    1 => ("(push ?i)".to_owned(), "(true (cell ?i v0))"),
                    _ => (format!("(mark {} ?v)", self.below(self.cells)), "(value ?v) (distinct ?v v0)"),
                };
                self.line(&format!("(<= (legal r{role} {mv}) {given} {turn} {condition} {stop})"));
                self.line(&format!("(<= (able r{role}) {given} {turn} {condition})"));
            }
            // A noop as one move of several, or only where there is no other.
            match self.chance() {
                true => self.line(&format!("(legal r{role} noop)")),
                false if stops => self.line(&format!("(<= (legal r{role} noop) (or (not (able r{role})) terminal))")),
                false => self.line(&format!("(<= (legal r{role} noop) (not (able r{role})))")),
            }
        }
    }

    fn changes(&mut self) {
        self.line(
            "(<= (marked ?i) (does ?r (mark ?i ?v)))
(<= (pushed ?i) (does ?r (push ?i)))
(<= (next (cell ?i ?v)) (does ?r (mark ?i ?v)))
(<= (next (cell ?i ?v)) (true (cell ?i ?v)) (not (marked ?i)) (not (pushed ?i)))",
        );
        let (to, value) = (self.below(self.cells), self.below(self.values));
        self.line(&format!("(<= (next (cell ?i v1)) (pushed ?i) (distinct ?i {to}))"));
        if self.chance() {
            let condition = self.condition();
            self.line(&format!("(<= (next (cell {to} v{value})) {condition})"));
        }
        if self.roles > 1 {
            self.line("(<= (next (met ?m)) (does r0 ?m) (does r1 ?m))");
        }
    }

    fn end(&mut self, steps: u32) {
        self.line(&format!("(<= terminal (true (step {steps})))"));
        for _ in 0..self.below(3) {
            let (one, two) = (self.condition(), self.condition());
            let late = self.below(steps);
            self.line(&format!("(<= terminal (true (step {})) {one} {two})", 1 + late));
        }
    }

    fn goals(&mut self) {
        for role in 0..self.roles {
            let (low, high) = (self.below(50), 50 + self.below(51));
            let (one, two) = (self.condition(), self.condition());
            match self.below(4) {
                0 => self.line(&format!("(goal r{role} {high})")),
                1 => self.line(&format!(
                    "(<= (wins r{role}) {one} {two}) (<= (goal r{role} {high}) (wins r{role}))
(<= (goal r{role} {low}) (not (wins r{role})))"
                )),
                _ => self.line(&format!(
                    "(<= (wins r{role}) {one}) (<= (draws r{role}) {two})
(<= (goal r{role} {high}) (wins r{role})) (<= (goal r{role} 50) (draws r{role}) (not (wins r{role})))
(<= (goal r{role} {low}) (not (wins r{role})) (not (draws r{role})))"
                )),
            }
        }
    }
}

/// A sheet that would take all time or memory.
pub struct Hostile {
    /// What it does.
    pub name: &'static str,
    /// The sheet.
    pub text: String,
    /// What the error says, among other things.
    pub error: &'static str,
    /// The line of the rule that grows.
    pub line: usize,
}

/// Sheets that would take all time or memory, all of them small.
pub fn hostile() -> Vec<Hostile> {
    let numbers = |count: usize| (0..count).map(|n| format!("(n {n})")).collect::<String>();
    let variables = |count: usize| (0..count).map(|n| format!(" ?x{n}")).collect::<String>();
    let each = |count: usize| (0..count).map(|n| format!(" (n ?x{n})")).collect::<String>();
    let differ = |count: usize| {
        let pairs = (0..count).flat_map(|n| (0..n).map(move |m| format!(" (distinct ?x{m} ?x{n})")));
        pairs.collect::<String>()
    };
    let rest = "(<= terminal (true over)) (goal you 100)";
    let game = |rules: &str| format!("(role you) (init start)\n{rules}\n(legal you stay) {rest}");
    let mut sheets = Vec::new();
    let mut add = |name, text, error, line| sheets.push(Hostile { name, text, error, line });
    add(
        "a legal move with twelve arguments of thirty values",
        format!("(role you) {}\n(<= (legal you (m{})){})\n{rest}", numbers(30), variables(12), each(12)),
        "`legal`",
        2,
    );
    add(
        "legal moves over a hundred to the eighth",
        format!("(role you) {}\n(<= (legal you (m{})){})\n{rest}", numbers(100), variables(8), each(8)),
        "`legal`",
        2,
    );
    add(
        "a join of twenty unrelated relations",
        game(&format!("{} (<= terminal (all{v}))\n(<= (all{v}){})", numbers(10), each(20), v = variables(20))),
        "`all`",
        3,
    );
    add(
        "fifteen pigeons in fourteen holes",
        game(&format!("{}\n(<= terminal (true start) {}{})", numbers(14), each(15), differ(15))),
        "`terminal`",
        3,
    );
    add(
        "a join of six unrelated relations",
        game(&format!("{}\n(<= (next (f{})){})", numbers(30), variables(6), each(6))),
        "`next`",
        3,
    );
    add(
        "pairs of all facts",
        game(
            "(init (p a)) (init (p b))\n(<= (next (p (f ?x ?y))) (true (p ?x)) (true (p ?y)))\n(<= (next (p ?x)) (true (p ?x)))",
        ),
        "`next`",
        3,
    );
    add(
        "facts that double",
        game("(init (p a))\n(<= (next (p (f ?x))) (true (p ?x))) (<= (next (p (g ?x))) (true (p ?x)))"),
        "`next`",
        3,
    );
    add("a term that doubles", game("(init (p a))\n(<= (next (p (f ?x ?x))) (true (p ?x)))"), "`next`", 3);
    add("a term that grows", game("(init (p a))\n(<= (next (p (f ?x))) (true (p ?x)))"), "`next`", 3);
    add(
        "recursion that builds terms",
        game("(num zero)\n(<= (num (s ?x)) (num ?x)) (<= terminal (num ?x) (true ?x))"),
        "`num`",
        3,
    );
    add(
        "a closure over four arguments",
        game(&format!(
            "{}\n(<= (reach ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d)) (<= (reach ?a ?b ?c ?d) (reach ?b ?c ?d ?a))\n(<= terminal (reach ?a ?a ?b ?c) (true (at ?a)))",
            numbers(100)
        )),
        "`reach`",
        3,
    );
    add(
        "ten thousand roles",
        format!("{}\n(<= (legal ?r go) (role ?r)) (<= terminal (true over)) (<= (goal ?r 0) (role ?r))", {
            (0..10_000).map(|n| format!("(role r{n})\n")).collect::<String>()
        }),
        "10000 roles",
        101,
    );
    sheets
}
