//! A match from one role's side: [`RulesEngine`] plays its rules, a [`RolePosition`] is a position of it, a [`RoleSearch`] has somebody who thinks.

use crate::solo::Solo;
use ludens_game::{DynGame, Game, Move, Position, Role, Seed};
use ludens_gdl::{Checked, DeadEnds, Interpreter, Machine, Rules};
use ludens_search::{InMemory, Player, Search, Spec};
use std::sync::Arc;

/// Who plays which role of what.
#[derive(Clone)]
pub(crate) struct RoleTask {
    pub(crate) rules: String,
    pub(crate) role: String,
    pub(crate) spec: Spec,
    pub(crate) seed: Seed,
    /// What a test makes of the player.
    #[cfg(test)]
    pub(crate) disguise: Option<Disguise>,
}

/// Makes another player of a player.
#[cfg(test)]
pub(crate) type Disguise = Arc<dyn Fn(Box<dyn Player>) -> Box<dyn Player> + Send + Sync>;

/// Rules that can be played in some way.
pub(crate) struct Readable {
    checked: Checked,
    pub(crate) role: Role,
}

impl Readable {
    /// Reads rules; what the checker finds wrong with them only keeps the fast engine away.
    ///
    /// # Errors
    /// Why nobody can play that role.
    pub(crate) fn new(task: &RoleTask) -> Result<Readable, String> {
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

    /// The rules as played by proving: slow, but there at once.
    pub(crate) fn interpreted(&self) -> RulesEngine {
        RulesEngine::Interpreter(Arc::new(self.checked.rules.clone()))
    }
}

/// Who knows the rules.
#[derive(Clone)]
pub(crate) enum RulesEngine {
    Machine(Arc<Machine>),
    /// Everybody gets an interpreter of their own: it answers one question at a time.
    Interpreter(Arc<Rules>),
}

impl RulesEngine {
    /// The initial position.
    pub(crate) fn position(&self, role: Role) -> RolePosition {
        match self {
            RulesEngine::Machine(machine) => RolePosition::new(Arc::new(DeadEnds::new(Arc::clone(machine))), role),
            RulesEngine::Interpreter(rules) => RolePosition::new(Arc::new(DeadEnds::new(interpreter(rules))), role),
        }
    }

    /// The initial position with somebody who thinks about it, whose randomness comes from `seed`.
    pub(crate) fn search(&self, role: Role, task: &RoleTask, seed: Seed) -> RoleSearch {
        match self {
            RulesEngine::Machine(machine) => RoleSearch::new(Arc::clone(machine), role, task, seed),
            RulesEngine::Interpreter(rules) => RoleSearch::new(interpreter(rules), role, task, seed),
        }
    }
}

fn interpreter(rules: &Arc<Rules>) -> Arc<Interpreter> {
    Arc::new(Interpreter::new("match", Arc::clone(rules)))
}

/// A position. Everything that is asked of it takes as long as its engine takes.
pub(crate) struct RolePosition {
    pub(crate) position: Box<dyn Position>,
    pub(crate) role: Role,
    roles: usize,
}

impl RolePosition {
    fn new<G: Game + 'static>(game: Arc<DeadEnds<G>>, role: Role) -> RolePosition {
        let roles = game.roles();
        RolePosition { position: game.start(), role, roles }
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.position.scores().is_some()
    }

    /// The own legal moves; there is always one.
    pub(crate) fn legals(&self) -> Vec<Move> {
        self.position.legals(self.role)
    }

    /// The legal moves of a joint move's texts, or what is wrong with them.
    pub(crate) fn joint(&self, texts: &[String]) -> Result<Vec<Move>, String> {
        if texts.len() != self.roles {
            return Err(format!("{} moves for {} roles", texts.len(), self.roles));
        }
        let read =
            |(role, text): (Role, &String)| self.legal(role, text).ok_or_else(|| format!("{text} is not a legal move"));
        Role::all(self.roles).zip(texts).map(read).collect()
    }

    fn legal(&self, role: Role, text: &str) -> Option<Move> {
        // An engine may get to know a move by its being legal.
        let legal = self.position.legals(role);
        self.position.parse_move(role, text).filter(|mv| legal.contains(mv))
    }

    /// Whether the text is that of an own legal move.
    pub(crate) fn is_legal(&self, text: &str) -> bool {
        self.legal(self.role, text).is_some()
    }

    /// The name of an own move.
    pub(crate) fn name(&self, mv: Move) -> String {
        self.position.move_name(self.role, mv)
    }

    /// Plays the moves of a whole match up to now.
    ///
    /// # Errors
    /// The first move that is not legal.
    pub(crate) fn replay(&mut self, history: &[Vec<String>]) -> Result<(), String> {
        history.iter().try_for_each(|moves| self.joint(moves).map(|joint| self.position.advance(&joint)))
    }
}

/// A position with somebody who thinks.
pub(crate) struct RoleSearch {
    pub(crate) at: RolePosition,
    /// Nobody, if the game is too large for any search.
    pub(crate) player: Option<Box<dyn Player>>,
}

impl RoleSearch {
    fn new<G: Game + 'static>(game: Arc<G>, role: Role, task: &RoleTask, seed: Seed) -> RoleSearch {
        let game = Arc::new(DeadEnds::new(game));
        let search = Search::new(game.clone(), role, &task.spec, Arc::new(InMemory::default()));
        let roles = game.roles();
        let player = search.ok().map(|search| -> Box<dyn Player> {
            if roles == 1 { Box::new(Solo::new(game.clone(), search)) } else { Box::new(search) }
        });
        #[cfg(test)]
        let player = player.map(|player| match &task.disguise {
            Some(disguise) => disguise(player),
            None => player,
        });
        let mut search = RoleSearch { at: RolePosition::new(game, role), player };
        if let Some(player) = &mut search.player {
            player.start(seed);
        }
        search
    }

    /// Plays a joint move.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn advance(&mut self, moves: &[String]) -> Result<(), String> {
        let joint = self.at.joint(moves)?;
        self.at.position.advance(&joint);
        if let Some(player) = &mut self.player {
            player.observe(&joint);
        }
        Ok(())
    }

    /// The own move that looks best by what is known already, if anything is.
    pub(crate) fn first_choice(&self) -> Option<String> {
        let report = self.player.as_ref()?.report();
        let thought = report.arms.first().filter(|arm| arm.visits > 0)?;
        self.at.legals().contains(&thought.mv).then(|| self.at.name(thought.mv))
    }
}
