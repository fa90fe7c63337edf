//! From what a person writes to roles and legal moves, or to the reason why it is none.

use crate::quoted;
use ludens_game::{DynGame, Move, Position, Role, Turn};
use std::sync::Arc;

/// The role with that name.
///
/// # Errors
/// One line with the roles that there are.
pub fn role_named(game: &dyn DynGame, name: &str) -> Result<Role, String> {
    let roles = game.role_names();
    let found = Role::all(roles.len()).find(|role| roles[role.index()].eq_ignore_ascii_case(name));
    found.ok_or_else(|| format!("{} has no role {}; roles: {}", game.name(), quoted(name), roles.join(", ")))
}

/// The roles that must decide now. In a simultaneous step these are the roles with a choice.
pub fn deciders(position: &dyn Position, roles: usize) -> Vec<Role> {
    match position.turn() {
        Turn::One(role) if position.legals(role).len() > 1 => vec![role],
        Turn::One(role) => vec![acting(position, roles).unwrap_or(role)],
        Turn::Many => Role::all(roles).filter(|&role| position.legals(role).len() > 1).collect(),
    }
}

/// Where nobody has a choice: the one role that does not wait. Rules do not say who that is, but by convention waiting is called noop.
fn acting(position: &dyn Position, roles: usize) -> Option<Role> {
    let waits = |role: Role| {
        position.legals(role).first().is_some_and(|&mv| position.move_name(role, mv).eq_ignore_ascii_case(NOOP))
    };
    let mut acting = Role::all(roles).filter(|&role| !waits(role));
    acting.next().filter(|_| acting.next().is_none())
}

/// What a role does that waits.
const NOOP: &str = "noop";

/// The names of the legal moves.
pub fn legal_names(position: &dyn Position, role: Role) -> Vec<String> {
    position.legals(role).into_iter().map(|mv| position.move_name(role, mv)).collect()
}

/// The legal move of `role` that `text` means. `names` has the names of all roles.
///
/// # Errors
/// Why there is none.
pub fn read_move(position: &dyn Position, role: Role, text: &str, names: &[String]) -> Result<Move, String> {
    // Moves of rulesheets may be typed without their parentheses.
    let bare = || position.parse_move(role, &format!("({text})"));
    let Some(mv) = position.parse_move(role, text).or_else(bare) else {
        return Err(not_a_move(position, role, text, names));
    };
    if position.legals(role).contains(&mv) {
        return Ok(mv);
    }
    let name = position.move_name(role, mv);
    let view = position.view();
    let taken = view.cells.iter().find(|cell| cell.name == name).and_then(|cell| cell.piece);
    Err(match taken {
        Some(piece) => format!("{name} is taken by a {}", view.pieces[piece].name),
        None => format!("{name} is not legal in this position"),
    })
}

fn not_a_move(position: &dyn Position, role: Role, text: &str, names: &[String]) -> String {
    let shown = quoted(text);
    let begun = |name: &String| name.to_lowercase().starts_with(&text.to_lowercase());
    if legal_names(position, role).iter().any(begun) {
        return format!("{shown} is an incomplete move");
    }
    match Role::all(names.len()).find(|&other| position.parse_move(other, text).is_some()) {
        Some(other) => format!("{shown} is a move of {}, not of {}", names[other.index()], names[role.index()]),
        None => format!("{shown} is not a move of this game"),
    }
}

/// The chosen moves, and the only move of every other role.
pub fn joint(position: &dyn Position, roles: usize, chosen: &[(Role, Move)]) -> Vec<Move> {
    let of = |role| chosen.iter().find(|(chooser, _)| *chooser == role).map(|(_, mv)| *mv);
    Role::all(roles).map(|role| of(role).unwrap_or_else(|| position.legals(role)[0])).collect()
}

/// The moves of a text: parted by blanks or commas, except within the parentheses that moves of rulesheets have.
fn parted(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    let parts = text.split(move |c: char| {
        depth = (depth + i32::from(c == '(') - i32::from(c == ')')).max(0);
        depth == 0 && (c == ',' || c.is_whitespace())
    });
    parts.filter(|part| !part.is_empty())
}

/// Plays moves that are written one after the other with blanks or commas between, by whomever they are.
///
/// # Errors
/// The first one that cannot be played, and why.
pub fn play_moves(position: &mut dyn Position, names: &[String], text: &str) -> Result<(), String> {
    let mut chosen: Vec<(Role, Move)> = Vec::new();
    for text in parted(text) {
        let deciders = loop {
            if position.scores().is_some() {
                return Err(format!("move {} comes after the end of the game", quoted(text)));
            }
            let deciders = deciders(position, names.len());
            if !deciders.is_empty() {
                break deciders;
            }
            // A simultaneous step without a choice plays itself.
            position.advance(&joint(position, names.len(), &[]));
        };
        let role = deciders[chosen.len()];
        let only = || says_only_move(position, names.len(), text).then(|| position.legals(role)[0]);
        let mv = read_move(position, role, text, names).or_else(|why| only().ok_or(why)).map_err(|why| {
            let legal = legal_names(position, role).join(", ");
            format!("move {}: {why}; legal for {}: {legal}", position.history().len() + 1, names[role.index()])
        })?;
        chosen.push((role, mv));
        if chosen.len() == deciders.len() {
            position.advance(&joint(position, names.len(), &chosen));
            chosen.clear();
        }
    }
    if chosen.is_empty() {
        Ok(())
    } else {
        Err("the last step needs a move of every role that has a choice".to_owned())
    }
}

/// Where nobody has a choice the only move of any role, be it that of waiting, stands for the step.
fn says_only_move(position: &dyn Position, roles: usize, text: &str) -> bool {
    let only: Vec<Vec<Move>> = Role::all(roles).map(|role| position.legals(role)).collect();
    only.iter().all(|moves| moves.len() == 1)
        && Role::all(roles).zip(&only).any(|(role, moves)| position.parse_move(role, text) == Some(moves[0]))
}

/// The joint moves from the start of a game, as [`play_moves`] reads them.
pub fn written_moves(game: Arc<dyn DynGame>, history: &[Vec<Move>]) -> String {
    let roles = game.role_names().len();
    let mut position = game.start();
    let mut words = Vec::new();
    for joint in history {
        let name = |role: Role| position.move_name(role, joint[role.index()]);
        words.extend(deciders(&*position, roles).into_iter().map(name));
        position.advance(joint);
    }
    words.join(" ")
}
