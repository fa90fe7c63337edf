//! [`examine`]: everything that can be said about a sheet, also what shows only when it is opened and played.

use crate::check::Checked;
use crate::diagnostic::Diagnostic;
use crate::game::GdlGame;
use crate::limits::Limits;
use crate::open::{Engine, Opened, open};
use crate::ranges::Ranges;
use crate::rules::{Pattern, Rules, relation};
use ludens_game::{Role, Seed};
use std::time::{Duration, Instant};

/// Heads of a rule beyond this number are worth a warning. Of 192 public sheets none has such a rule.
const ABSURD: f64 = 1e9;

/// How many random games are played, how many steps they may have, and how long all of them may take: a sheet whose rules are slow is
/// tried in fewer games.
const GAMES: u64 = 20;
const STEPS: u32 = 200;
const PATIENCE: Duration = Duration::from_millis(500);

/// A sheet and all remarks about it.
pub struct Examined {
    /// The game, if it can be played.
    pub opened: Option<Opened>,
    /// The remarks, in the order of their places.
    pub remarks: Vec<Diagnostic>,
}

/// Reads, checks, opens and tries a sheet.
pub fn examine(name: &str, text: &str, limits: Limits) -> Examined {
    let rules = Checked::within(text, limits).rules;
    let (opened, mut remarks) = match open(name, text, limits) {
        Ok(opened) => {
            let mut remarks = opened.warnings.clone();
            match &opened.engine {
                Engine::Machine(game) => double_goals(&**game, &rules, &mut remarks),
                Engine::Interpreter { game, .. } => double_goals(&**game, &rules, &mut remarks),
            }
            (Some(opened), remarks)
        }
        Err(remarks) => (None, remarks),
    };
    absurd_sizes(&rules, &mut remarks);
    remarks.sort_by_key(|remark| remark.span.start);
    Examined { opened, remarks }
}

/// Rules that could have more instances than anybody can count.
fn absurd_sizes(rules: &Rules, remarks: &mut Vec<Diagnostic>) {
    let Some(ranges) = Ranges::new(rules) else { return };
    for (clause, count) in rules.clauses.iter().zip(ranges.instances(rules)) {
        let is_told = remarks.iter().any(|remark| remark.span == clause.span);
        if count <= ABSURD || is_told {
            continue;
        }
        let name = rules.symbols.name(rules.relations[clause.head.relation.index()].0);
        let many = match count.is_finite() {
            true => format!("about 10^{:.0}", count.log10()),
            false => "infinitely many".to_owned(),
        };
        let title = format!("this rule for `{name}` could hold in {many} ways");
        let help = "this is an upper bound; if play is slow or refused, add conditions that relate the variables";
        remarks.push(Diagnostic::warning(clause.span, title).help(help));
    }
}

/// Final positions in which a role has several goals.
fn double_goals<G: GdlGame>(game: &G, rules: &Rules, remarks: &mut Vec<Diagnostic>) {
    let mut is_told = vec![false; game.roles()];
    let deadline = Instant::now() + PATIENCE;
    for number in 0..GAMES {
        let Some(end) = random_end(game, number, deadline) else { continue };
        for role in Role::all(game.roles()) {
            let mut goals = game.goals(&end, role);
            goals.sort_unstable();
            goals.dedup();
            let [low, .., high] = *goals else { continue };
            if std::mem::replace(&mut is_told[role.index()], true) {
                continue;
            }
            let place = |value: i32| goal_rule(rules, role, value);
            let (Some(first), Some(second)) = (place(low), place(high)) else { continue };
            if remarks.iter().any(|remark| remark.span == first || remark.span == second) {
                continue;
            }
            let name = game.role_names().swap_remove(role.index());
            let title = format!("`{name}` has the goals {low} and {high} in the same final position");
            let remark = Diagnostic::warning(second, title).label("one of them").related(first, "the other one");
            remarks.push(remark.help("give each role exactly one goal in every final position; Ludens uses the mean"));
        }
    }
}

/// The place of a rule that can give a role that goal.
fn goal_rule(rules: &Rules, role: Role, value: i32) -> Option<crate::Span> {
    let value = value.to_string();
    let fits = |pattern: &Pattern, is_it: &dyn Fn(crate::terms::TermId) -> bool| match pattern {
        Pattern::Ground(term) => is_it(*term),
        _ => true,
    };
    let clause = rules.clauses.iter().filter(|clause| clause.head.relation == relation::GOAL).find(|clause| {
        fits(&clause.head.args[0], &|term| term == rules.roles[role.index()])
            && fits(&clause.head.args[1], &|term| rules.terms.text(term, &rules.symbols) == value)
    });
    clause.map(|clause| clause.span)
}

/// The last position of a random game, if it ends properly and in time.
fn random_end<G: GdlGame>(game: &G, number: u64, deadline: Instant) -> Option<G::State> {
    let mut rng = Seed::new(1).at(number).rng();
    let mut state = game.initial();
    let mut legal = Vec::new();
    for _ in 0..STEPS {
        if game.is_terminal(&state) {
            return game.failure(&state).is_none().then_some(state);
        }
        if Instant::now() > deadline {
            return None;
        }
        let mut joint = Vec::new();
        for role in Role::all(game.roles()) {
            game.legals(&state, role, &mut legal);
            if legal.is_empty() {
                return None;
            }
            joint.push(legal[rng.below(legal.len() as u32) as usize]);
        }
        game.advance(&mut state, &joint);
    }
    None
}
