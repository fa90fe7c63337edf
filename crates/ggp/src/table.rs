//! [`Table`]: a position of a match with somebody who plays it, by whichever engine there is.

use crate::solo::Solo;
use crate::sound::Sound;
use ludens_game::{DynGame, Game, Move, Position, Role, Seed};
use ludens_gdl::{Checked, Interpreter, Machine};
use ludens_search::{InMemory, Player, Search, Spec};
use std::sync::Arc;

/// Who plays which role of what.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) rules: String,
    pub(crate) role: String,
    pub(crate) spec: Spec,
    pub(crate) seed: Seed,
}

/// A game in progress. Everything that is asked of it takes as long as its engine takes.
pub(crate) struct Table {
    pub(crate) position: Box<dyn Position>,
    /// Nobody, if the game is too large for any search.
    pub(crate) player: Option<Box<dyn Player>>,
    pub(crate) role: Role,
    pub(crate) roles: usize,
}

/// Rules that can be played in some way.
pub(crate) struct Readable {
    checked: Checked,
    role: Role,
}

impl Readable {
    /// Reads rules; what the checker finds wrong with them only keeps the fast engine away.
    ///
    /// # Errors
    /// Why nobody can play that role.
    pub(crate) fn new(task: &Task) -> Result<Readable, String> {
        let checked = Checked::new(&task.rules);
        let rules = &checked.rules;
        let names: Vec<_> = rules.roles.iter().map(|&role| rules.terms.text(role, &rules.symbols)).collect();
        if names.len() > rules.limits.roles {
            return Err(format!("the rules have more than {} roles", rules.limits.roles));
        }
        let is_named = |role: &Role| names[role.index()] == task.role;
        let is_similar = |role: &Role| names[role.index()].eq_ignore_ascii_case(&task.role);
        let all = || Role::all(names.len());
        let role = all().find(is_named).or_else(|| all().find(is_similar));
        let role = role.ok_or_else(|| match checked.diagnostics.iter().find(|remark| remark.is_error()) {
            Some(error) => format!("the rules cannot be read: {}", error.title),
            None => format!("the rules have no role {}; roles: {}", task.role, names.join(", ")),
        })?;
        Ok(Readable { checked, role })
    }

    /// Whether the fast engine may try.
    pub(crate) fn is_sound(&self) -> bool {
        !self.checked.is_broken()
    }

    /// The game as played by proving: slow, but there at once.
    pub(crate) fn interpreted(&self, task: &Task) -> Table {
        let rules = Arc::new(self.checked.rules.clone());
        Table::new(Arc::new(Interpreter::new("match", rules)), self.role, task)
    }

    /// The game as played by a machine.
    pub(crate) fn compiled(&self, machine: Arc<Machine>, task: &Task) -> Table {
        Table::new(machine, self.role, task)
    }
}

impl Table {
    fn new<G: Game + 'static>(game: Arc<G>, role: Role, task: &Task) -> Table {
        let game = Arc::new(Sound::new(game));
        let search = Search::new(game.clone(), role, &task.spec, Arc::new(InMemory::default()));
        let roles = game.roles();
        let player = search.ok().map(|search| -> Box<dyn Player> {
            if roles == 1 { Box::new(Solo::new(game.clone(), search)) } else { Box::new(search) }
        });
        let mut table = Table { position: game.start(), player, role, roles };
        if let Some(player) = &mut table.player {
            player.start(task.seed);
        }
        table
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.position.scores().is_some()
    }

    /// The legal moves of a joint move's texts, or what is wrong with them.
    pub(crate) fn joint(&self, texts: &[String]) -> Result<Vec<Move>, String> {
        if texts.len() != self.roles {
            return Err(format!("{} moves for {} roles", texts.len(), self.roles));
        }
        let read = |(role, text): (Role, &String)| {
            let mv = self.position.parse_move(role, text).filter(|mv| self.position.legals(role).contains(mv));
            mv.ok_or_else(|| format!("{text} is not a legal move"))
        };
        Role::all(self.roles).zip(texts).map(read).collect()
    }

    /// Plays a joint move.
    pub(crate) fn advance(&mut self, joint: &[Move]) {
        self.position.advance(joint);
        if let Some(player) = &mut self.player {
            player.observe(joint);
        }
    }

    /// The name of an own move.
    pub(crate) fn name(&self, mv: Move) -> String {
        self.position.move_name(self.role, mv)
    }

    /// The own move to play if there is no time to think about it.
    pub(crate) fn first_choice(&self) -> Move {
        let thought = self.player.as_ref().and_then(|player| player.report().arms.into_iter().next());
        let legal = self.position.legals(self.role);
        thought.filter(|arm| arm.visits > 0 && legal.contains(&arm.mv)).map_or(legal[0], |arm| arm.mv)
    }
}
