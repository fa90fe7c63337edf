//! [`RefereeGame`]: the rules of a match as its referee needs them, facts and goals by name.

use crate::message::{compact, spaced};
use ludens_game::{Game, Role, View};
use ludens_gdl::render::refusal_line;
use ludens_gdl::{Engine, GdlGame, Limits, sexpr};
use std::sync::Arc;

/// A game that can be refereed.
pub struct RefereeGame {
    name: String,
    /// The rules without comments, on one line.
    rules: String,
    roles: Vec<String>,
    engine: Engine,
}

/// Why rules cannot be refereed: the first error with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RulesError(pub String);

impl RefereeGame {
    /// Opens the rules `text` under a name.
    ///
    /// # Errors
    /// If the rules have errors.
    pub fn open(name: &str, text: &str) -> Result<RefereeGame, RulesError> {
        let opened = ludens_gdl::open(name, text, Limits::default());
        let opened = opened.map_err(|remarks| RulesError(refusal_line(name, text, &remarks)))?;
        RefereeGame::by(opened.engine, name, text)
    }

    fn by(engine: Engine, name: &str, text: &str) -> Result<RefereeGame, RulesError> {
        let statements = sexpr::read(text).map_err(|error| RulesError(error.title))?;
        let rules: Vec<_> = statements.iter().map(|statement| spaced(&compact(statement, text))).collect();
        let roles = match &engine {
            Engine::Machine(game) => game.role_names(),
            Engine::Interpreter { game, .. } => game.role_names(),
        };
        Ok(RefereeGame { name: name.to_owned(), rules: rules.join(" "), roles, engine })
    }

    /// The same without the time that it takes to compile rules.
    #[cfg(test)]
    pub(crate) fn interpreted(name: &str, text: &str) -> Result<RefereeGame, RulesError> {
        let game = ludens_gdl::interpret(name, text);
        let game = Arc::new(game.map_err(|remarks| RulesError(refusal_line(name, text, &remarks)))?);
        RefereeGame::by(Engine::Interpreter { game, reason: String::new() }, name, text)
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rules as they are sent: without comments, on one line.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// The roles.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The initial position.
    pub(crate) fn start(&self) -> Box<dyn Board> {
        match &self.engine {
            Engine::Machine(game) => Box::new(BoardLine { state: game.initial(), game: Arc::clone(game) }),
            Engine::Interpreter { game, .. } => Box::new(BoardLine { state: game.initial(), game: Arc::clone(game) }),
        }
    }
}

/// A position, with everything in it by name.
pub(crate) trait Board {
    /// The legal moves of a role.
    fn legal(&self, role: Role) -> Vec<String>;
    /// Plays a joint move of legal moves.
    fn advance(&mut self, joint: &[String]);
    /// The facts, sorted.
    fn facts(&self) -> Vec<String>;
    /// Whether the game is over.
    fn is_over(&self) -> bool;
    /// The goal values of a role.
    fn goals(&self, role: Role) -> Vec<i32>;
    /// A picture.
    fn view(&self) -> View;
}

struct BoardLine<G: GdlGame> {
    game: Arc<G>,
    state: G::State,
}

impl<G: GdlGame> Board for BoardLine<G> {
    fn legal(&self, role: Role) -> Vec<String> {
        let mut moves = Vec::new();
        self.game.legals(&self.state, role, &mut moves);
        moves.into_iter().map(|mv| self.game.move_name(role, mv)).collect()
    }

    fn advance(&mut self, joint: &[String]) {
        let parse = |(role, name): (Role, &String)| self.game.parse_move(role, name);
        let joint: Option<Vec<_>> = Role::all(self.game.roles()).zip(joint).map(parse).collect();
        self.game.advance(&mut self.state, &joint.expect("names of legal moves can be read"));
    }

    fn facts(&self) -> Vec<String> {
        let mut facts = self.game.facts(&self.state);
        facts.sort();
        facts
    }

    fn is_over(&self) -> bool {
        self.game.is_terminal(&self.state)
    }

    fn goals(&self, role: Role) -> Vec<i32> {
        self.game.goals(&self.state, role)
    }

    fn view(&self) -> View {
        self.game.view(&self.state)
    }
}
