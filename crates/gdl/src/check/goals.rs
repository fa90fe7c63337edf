//! Goals that hold together: two values for one role, and whenever the rule for the one applies, so does that for the other.

use crate::diagnostic::{Diagnostic, MAX_REMARKS};
use crate::rules::{Clause, Rules, relation};

/// Rules for goals beyond this number are not compared with each other.
const MAX_COMPARED: usize = 300;

pub(super) fn check(rules: &Rules, diagnostics: &mut Vec<Diagnostic>) {
    let goals = rules.clauses.iter().filter(|clause| clause.head.relation == relation::GOAL);
    let goals: Vec<_> = goals.take(MAX_COMPARED).collect();
    for (index, second) in goals.iter().enumerate() {
        let first = goals[..index].iter().find(|first| hold_together(first, second));
        if let (Some(first), true) = (first, diagnostics.len() < MAX_REMARKS) {
            let remark = Diagnostic::warning(second.span, "a role can have two goals at once")
                .label("this one")
                .related(first.span, "and this one");
            diagnostics
                .push(remark.help("give each role exactly one goal in every final position; Ludens uses the mean"));
        }
    }
}

/// Whether two rules give the same role different goals, and one of them asks for nothing that the other does not ask for.
fn hold_together(first: &Clause, second: &Clause) -> bool {
    let (one, other) = (&first.head.args, &second.head.args);
    let asks_less = |less: &Clause, more: &Clause| less.body.iter().all(|condition| more.body.contains(condition));
    one[0] == other[0] && one[1] != other[1] && (asks_less(first, second) || asks_less(second, first))
}
