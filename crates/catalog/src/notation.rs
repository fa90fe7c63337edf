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

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::toy::Pennies;

    #[test]
    fn given_moves_must_be_legal_and_complete() {
        let given = |text| {
            let names = DynGame::role_names(&Pennies);
            play_moves(&mut *Arc::new(Pennies).start(), &names, text)
        };
        assert_eq!(given("heads, tails"), Ok(()));
        let error = |text| given(text).expect_err("an error");
        assert_eq!(error("heads edge"), "move 1: \"edge\" is not a move of this game; legal for odd: heads, tails");
        assert_eq!(error("heads he"), "move 1: \"he\" is an incomplete move; legal for odd: heads, tails");
        assert_eq!(error("heads"), "the last step needs a move of every role that has a choice");
        assert_eq!(error("heads tails heads"), "move \"heads\" comes after the end of the game");
    }

    #[test]
    fn written_moves_can_be_read() {
        for name in ["gdl:goofspiel", "gdl:col3", "gdl:connect4", "breakthrough:5", "havannah:4"] {
            let game = crate::open(name).expect("a game");
            let names = game.role_names();
            let mut position = game.clone().start();
            for _ in 0..4 {
                position.advance(&joint(&*position, names.len(), &[]));
            }
            let mut again = game.clone().start();
            play_moves(&mut *again, &names, &written_moves(game, position.history())).expect("legal moves");
            assert_eq!(again.history(), position.history(), "{name}");
        }
    }

    #[test]
    fn who_has_one_move_is_to_play_unless_it_waits() {
        let game = crate::open("gdl:nim").expect("a game");
        let names = game.role_names();
        let mut position = game.start();
        play_moves(&mut *position, &names, "(leave a 0) (leave b 0) (leave c 1)").expect("legal moves");
        assert_eq!(deciders(&*position, 2), [Role(1)]);
        assert_eq!(legal_names(&*position, Role(1)), ["(leave c 0)"]);
        for text in ["(leave c 0)", "noop"] {
            play_moves(&mut *position, &names, text).expect("the only step");
            assert_eq!(position.scores(), Some(vec![0.0, 1.0]));
            position.undo();
        }
    }

    #[test]
    fn moves_of_rulesheets_need_no_parentheses() {
        let game = crate::open("gdl:nim").expect("a game");
        let (names, position) = (game.role_names(), game.start());
        let read = |text| read_move(&*position, Role(0), text, &names);
        assert_eq!(read("leave a 1"), read("(leave a 1)"));
        assert!(read("leave a 1").is_ok());
        assert!(read("leave a 9").is_err());
    }

    #[test]
    fn moves_in_parentheses_are_not_parted() {
        let parts = |text| parted(text).collect::<Vec<_>>();
        assert_eq!(parts("(put 1 2), (put (at 3,4) 5) pass"), ["(put 1 2)", "(put (at 3,4) 5)", "pass"]);
        assert_eq!(parts(" a1 )b2, (c3 d4"), ["a1", ")b2", "(c3 d4"]);
    }
}
