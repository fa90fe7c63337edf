//! From what a person writes to a legal move, or to the reason why it is none.

use ludens_game::{Move, Position, Role, Turn};
use ludens_games::quoted;

/// The roles that must decide now. In a simultaneous step these are the roles with a choice.
pub(crate) fn deciders(position: &dyn Position, roles: usize) -> Vec<Role> {
    match position.turn() {
        Turn::One(role) => vec![role],
        Turn::Many => Role::all(roles).filter(|&role| position.legals(role).len() > 1).collect(),
    }
}

/// The names of the legal moves.
pub(crate) fn legal_names(position: &dyn Position, role: Role) -> Vec<String> {
    position.legals(role).into_iter().map(|mv| position.move_name(role, mv)).collect()
}

/// The legal move of `role` that `text` means, or why there is none. `names` has the names of all roles.
pub(crate) fn read_move(position: &dyn Position, role: Role, text: &str, names: &[String]) -> Result<Move, String> {
    let Some(mv) = position.parse_move(role, text) else {
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
        return format!("{shown} is only the beginning of a move");
    }
    match Role::all(names.len()).find(|&other| position.parse_move(other, text).is_some()) {
        Some(other) => format!("{shown} is a move of {}, not of {}", names[other.index()], names[role.index()]),
        None => format!("{shown} is not a move of this game"),
    }
}
