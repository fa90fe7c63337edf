//! Rules that somebody in this process plays: whoever opens them again gets what was made of them, under another name.
//!
//! Only those who play keep it alive. Here are a reference that does not count, and what it takes to know the rules again.

use crate::interp::Interpreter;
use crate::limits::Limits;
use crate::machine::{Machine, Parts};
use crate::open::{Engine, Report};
use crate::rules::Rules;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

static IN_USE: Mutex<Vec<InUse>> = Mutex::new(Vec::new());

struct InUse {
    /// The rules as [`bare`](crate::sexpr::bare) has them.
    rules: String,
    limits: Limits,
    engine: Kept,
    report: Report,
}

enum Kept {
    Machine(Weak<Parts>),
    Interpreter(Weak<Rules>, String),
}

impl Kept {
    fn is_alive(&self) -> bool {
        match self {
            Kept::Machine(parts) => parts.strong_count() > 0,
            Kept::Interpreter(rules, _) => rules.strong_count() > 0,
        }
    }

    fn engine(&self, name: &str) -> Option<Engine> {
        Some(match self {
            Kept::Machine(parts) => Engine::Machine(Arc::new(Machine::of(name, parts.upgrade()?))),
            Kept::Interpreter(rules, reason) => {
                let game = Arc::new(Interpreter::new(name, rules.upgrade()?));
                Engine::Interpreter { game, reason: reason.clone() }
            }
        })
    }
}

fn in_use() -> MutexGuard<'static, Vec<InUse>> {
    IN_USE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The engine of rules that are in use, under a name.
pub(crate) fn find(name: &str, rules: &str, limits: Limits) -> Option<(Engine, Report)> {
    let in_use = in_use();
    let known = in_use.iter().find(|known| known.limits == limits && known.rules == rules)?;
    Some((known.engine.engine(name)?, known.report.clone()))
}

/// Remembers rules for as long as their engine is in use.
pub(crate) fn note(rules: String, limits: Limits, engine: &Engine, report: &Report) {
    let kept = match engine {
        Engine::Machine(game) => Kept::Machine(Arc::downgrade(game.parts())),
        Engine::Interpreter { game, reason } => Kept::Interpreter(Arc::downgrade(game.rules()), reason.clone()),
    };
    let mut in_use = in_use();
    in_use.retain(|known| known.engine.is_alive() && !(known.limits == limits && known.rules == rules));
    in_use.push(InUse { rules, limits, engine: kept, report: report.clone() });
}
