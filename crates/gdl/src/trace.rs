//! Traces: random walks written down, one JSON object a line, so that engines can be compared.
//!
//! The first line has `game`, `roles` and `initial` (the facts, sorted). Then one line per state: `walk`, `step`, `facts`
//! (how many), `facts_sha`, `terminal`, `goals` per role (`null` where not exactly one holds) and, unless terminal,
//! `legal` per role and `joint`, the moves then played. `legal` is the sorted list in the first state of the first walk,
//! afterwards `{"n": how many, "sha": …}`. A `sha` is the first 16 hex digits of SHA-256 over the sorted texts joined by
//! newlines. A line with `cut` says that its walk was given up there, one with `failure` why nothing more could be worked out.

use crate::game::GdlGame;
use ludens_game::{Move, Role, Seed};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// Which walks to write down.
#[derive(Clone, Copy, Debug)]
pub struct Walks {
    /// How many.
    pub count: u32,
    /// Steps after which a walk is cut off.
    pub max_steps: u32,
    /// Where their randomness comes from.
    pub seed: Seed,
}

/// The lines of a trace of random walks, each given to `line` without its newline.
///
/// # Errors
/// Why a walk ended at a position that could not be worked out. Nothing is written after it.
pub fn write<G: GdlGame>(game: &G, walks: Walks, mut line: impl FnMut(&str)) -> Result<(), String> {
    line(&Value::Object(header(game)).to_string());
    for walk in 0..walks.count {
        let mut rng = walks.seed.at(u64::from(walk)).rng();
        let mut state = game.initial();
        for step in 0.. {
            if step == walks.max_steps {
                line(&json!({"walk": walk, "step": step, "cut": true}).to_string());
                break;
            }
            let legals = legals(game, &state);
            let mut entry = describe(game, &state, &legals, (walk, step));
            if let Some(failure) = game.failure(&state) {
                line(&json!({"walk": walk, "step": step, "failure": failure}).to_string());
                return Err(failure);
            }
            let over = game.is_terminal(&state) || legals.iter().any(Vec::is_empty);
            if !over {
                let joint: Vec<_> = legals.iter().map(|moves| moves[rng.below(moves.len() as u32) as usize]).collect();
                let names = Role::all(joint.len()).zip(&joint).map(|(role, &mv)| game.move_name(role, mv).into());
                entry.insert("joint".into(), Value::Array(names.collect()));
                game.advance(&mut state, &joint);
            }
            line(&Value::Object(entry).to_string());
            if over {
                break;
            }
        }
    }
    Ok(())
}

/// What following a trace showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Walks of the trace.
    pub walks: u32,
    /// States that were compared.
    pub states: u32,
}

/// Why a trace could not be followed to its end.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The line is not what a trace has there.
    #[error("line {line} of the trace: {what}")]
    Malformed {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The game and the trace tell different things.
    #[error("walk {walk}, step {step}: {what}")]
    Difference {
        /// The walk.
        walk: u64,
        /// The step in it.
        step: u64,
        /// What differs, in words.
        what: String,
    },
}

/// Replays a trace and compares everything that it tells.
///
/// # Errors
/// The first difference, or a line that makes no sense.
pub fn follow<G: GdlGame>(game: &G, trace: &str) -> Result<Followed, TraceError> {
    let mut seen = Followed::default();
    let mut state = game.initial();
    for (index, text) in trace.lines().enumerate() {
        let malformed = |what: &str| TraceError::Malformed { line: index + 1, what: what.to_owned() };
        let entry: Map<String, Value> = serde_json::from_str(text).map_err(|error| malformed(&error.to_string()))?;
        let place = |key| entry.get(key).and_then(Value::as_u64).unwrap_or(0);
        let (walk, step) = (place("walk"), place("step"));
        let differs = |what| TraceError::Difference { walk, step, what };
        if index == 0 {
            compare_header(&header(game), &entry).map_err(differs)?;
            continue;
        }
        if entry.contains_key("cut") {
            continue;
        }
        if step == 0 {
            seen.walks += 1;
            state = game.initial();
        }
        let legals = if entry.contains_key("legal") { legals(game, &state) } else { Vec::new() };
        let ours = describe(game, &state, &legals, (walk as u32, step as u32));
        compare(&ours, &entry).map_err(differs)?;
        seen.states += 1;
        if let Some(joint) = entry.get("joint").and_then(Value::as_array) {
            if joint.len() != game.roles() {
                return Err(malformed("a joint move needs one move per role"));
            }
            let joint: Result<Vec<Move>, _> = (Role::all(joint.len()).zip(joint))
                .map(|(role, name)| {
                    let name = name.as_str().ok_or_else(|| malformed("a move is not a string"))?;
                    game.parse_move(role, name).ok_or_else(|| differs(format!("the move {name} is unknown")))
                })
                .collect();
            game.advance(&mut state, &joint?);
        }
    }
    Ok(seen)
}

fn header<G: GdlGame>(game: &G) -> Map<String, Value> {
    let mut initial = game.facts(&game.initial());
    initial.sort_unstable();
    let Value::Object(header) = json!({"game": game.name(), "roles": game.role_names(), "initial": initial}) else {
        unreachable!("an object was written")
    };
    header
}

fn legals<G: GdlGame>(game: &G, state: &G::State) -> Vec<Vec<Move>> {
    let mut out = vec![Vec::new(); game.roles()];
    if !game.is_terminal(state) {
        for (role, moves) in Role::all(game.roles()).zip(&mut out) {
            game.legals(state, role, moves);
        }
    }
    out
}

/// A state as a line of a trace, without the joint move.
fn describe<G: GdlGame>(game: &G, state: &G::State, legals: &[Vec<Move>], place: (u32, u32)) -> Map<String, Value> {
    let mut facts = game.facts(state);
    facts.sort_unstable();
    let terminal = game.is_terminal(state);
    let goals: Vec<Value> = Role::all(game.roles())
        .map(|role| match *game.goals(state, role) {
            [goal] => goal.into(),
            _ => Value::Null,
        })
        .collect();
    let mut entry = Map::new();
    entry.insert("walk".into(), place.0.into());
    entry.insert("step".into(), place.1.into());
    entry.insert("facts".into(), facts.len().into());
    entry.insert("facts_sha".into(), sha(&facts).into());
    entry.insert("terminal".into(), terminal.into());
    entry.insert("goals".into(), goals.into());
    if !terminal {
        let lists = Role::all(legals.len()).zip(legals).map(|(role, moves)| {
            let mut names: Vec<_> = moves.iter().map(|&mv| game.move_name(role, mv)).collect();
            names.sort_unstable();
            match place {
                (0, 0) => json!(names),
                _ => json!({"n": names.len(), "sha": sha(&names)}),
            }
        });
        entry.insert("legal".into(), lists.collect());
    }
    entry
}

fn sha(texts: &[String]) -> String {
    let digest = Sha256::digest(texts.join("\n"));
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn compare_header(ours: &Map<String, Value>, theirs: &Map<String, Value>) -> Result<(), String> {
    for (key, what) in [("roles", "the roles"), ("initial", "the initial facts")] {
        compare_values(what, &ours[key], theirs.get(key).unwrap_or(&Value::Null))?;
    }
    Ok(())
}

fn compare(ours: &Map<String, Value>, theirs: &Map<String, Value>) -> Result<(), String> {
    let names = [
        ("terminal", "whether the game is over"),
        ("facts", "the number of facts"),
        ("facts_sha", "the facts"),
        ("goals", "the goals"),
        ("legal", "the legal moves"),
    ];
    for (key, what) in names {
        if let (Some(ours), Some(theirs)) = (ours.get(key), theirs.get(key)) {
            compare_values(what, ours, theirs)?;
        }
    }
    Ok(())
}

fn compare_values(what: &str, ours: &Value, theirs: &Value) -> Result<(), String> {
    if ours == theirs {
        return Ok(());
    }
    let (Some(our_items), Some(their_items)) = (ours.as_array(), theirs.as_array()) else {
        return Err(format!("{what}: {ours} here, {theirs} in the trace"));
    };
    for (role, (ours, theirs)) in our_items.iter().zip(their_items).enumerate() {
        if ours.is_array() || ours.is_object() {
            compare_values(&format!("{what} of role {}", role + 1), ours, theirs)?;
        }
    }
    let without = |list: &[Value], other: &[Value]| -> Vec<String> {
        list.iter().filter(|item| !other.contains(item)).map(Value::to_string).collect()
    };
    let (extra, missing) = (without(our_items, their_items), without(their_items, our_items));
    Err(match (extra.is_empty(), missing.is_empty()) {
        (true, true) => format!("{what}: {ours} here, {theirs} in the trace"),
        _ => format!("{what}: only here [{}], only in the trace [{}]", extra.join(", "), missing.join(", ")),
    })
}
