//! A position from the texts of its steps, as records have them.

use ludens_arena::counted;
use ludens_catalog::quoted;
use ludens_game::{Move, Position, Role, Turn};

/// What parts the moves of roles that decide at once, in a step's text.
const AT_ONCE: &str = " / ";

/// Longer games are not looked at.
const MAX_STEPS: usize = 20_000;

/// The roles whose moves a step's text has: the one to move, or all of them where several may decide.
pub fn movers(position: &dyn Position, roles: usize) -> Vec<Role> {
    match position.turn() {
        Turn::One(role) => vec![role],
        Turn::Many => Role::all(roles).collect(),
    }
}

/// Plays steps that are given as texts and gives them back as they are named canonically.
///
/// # Errors
/// The first one that cannot be played, and why.
pub fn play_steps(position: &mut dyn Position, roles: &[String], steps: &[String]) -> Result<Vec<String>, String> {
    if steps.len() > MAX_STEPS {
        return Err(format!("a game may have at most {MAX_STEPS} steps here; this one has {}", steps.len()));
    }
    let mut names = Vec::with_capacity(steps.len());
    for (number, step) in (1..).zip(steps) {
        let at = |reason: String| format!("move {number}: {reason}");
        if position.scores().is_some() {
            return Err(at(format!("{} comes after the end of the game", quoted(step))));
        }
        let movers = movers(position, roles.len());
        let parts: Vec<&str> = if movers.len() == 1 { vec![step] } else { step.split(AT_ONCE).collect() };
        if parts.len() != movers.len() {
            let wanted = movers.len();
            let given = counted(parts.len(), "role");
            return Err(at(format!("{} has moves of {given} instead of {wanted}", quoted(step))));
        }
        let first = |role: Role| -> Result<Move, String> {
            let stuck = || at(format!("{} has no legal move here: the rules are unsound", roles[role.index()]));
            position.legals(role).first().copied().ok_or_else(stuck)
        };
        let mut joint: Vec<Move> = Role::all(roles.len()).map(first).collect::<Result<_, _>>()?;
        for (&role, text) in movers.iter().zip(parts) {
            let found = position.parse_move(role, text.trim()).filter(|mv| position.legals(role).contains(mv));
            joint[role.index()] =
                found.ok_or_else(|| at(format!("{} is not a legal move of {}", quoted(text), roles[role.index()])))?;
        }
        let name = |role: &Role| position.move_name(*role, joint[role.index()]);
        names.push(movers.iter().map(name).collect::<Vec<_>>().join(AT_ONCE));
        position.advance(&joint);
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(game: &str, steps: &[&str]) -> String {
        let game = ludens_catalog::open(game).unwrap();
        let roles = game.role_names();
        let steps: Vec<String> = steps.iter().map(|&step| step.to_owned()).collect();
        play_steps(&mut *game.start(), &roles, &steps).unwrap_err()
    }

    #[test]
    fn steps_that_cannot_be_played_are_named() {
        let why = error("breakthrough:5", &["a2-a3", "a2-a3"]);
        assert_eq!(why, "move 2: \"a2-a3\" is not a legal move of black");
        let why = error("domineering:2", &["a1-a2", "a1"]);
        assert_eq!(why, "move 2: \"a1\" comes after the end of the game");
    }
}
