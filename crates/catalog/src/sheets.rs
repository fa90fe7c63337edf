//! The rulesheets in the binary: a new one is its file in `rules/` and one line here.

use super::objective::with_objective;
use crate::sheet::{self, SheetError};
use ludens_gdl::{Engine, sexpr};
use ludens_search::Playable;
use std::sync::Arc;

/// A rulesheet in the binary. What can be said of it stands in its text, so that nothing is said twice.
pub struct Rulesheet {
    /// The name, which opens it as `gdl:NAME`.
    pub name: &'static str,
    /// The rules in GDL, below a header.
    pub text: &'static str,
}

macro_rules! sheets {
    ($($name:literal)*) => {
        &[$(Rulesheet {
            name: $name,
            text: include_str!(concat!("../rules/", $name, ".kif")),
        }),*]
    };
}

/// All rulesheets, by name.
pub const SHEETS: &[Rulesheet] = sheets! {
    "amazons6"
    "atarigo5"
    "breakthrough"
    "checkers"
    "chinesecheckers3"
    "chinook"
    "clobber"
    "col3"
    "connect4"
    "connect5"
    "domineering"
    "fighter"
    "goofspiel"
    "hex7"
    "knightthrough"
    "nim"
    "nogo5"
    "othello"
    "pawnwhopping"
    "pawnwhopping-turns"
    "pegs"
    "pentago"
    "quad7"
    "reversi"
    "runners"
    "sheepandwolf"
    "skirmish"
    "skirmish-light"
    "tictactoe"
    "tictactoe3d"
    "ttcc4-2p"
    "ttcc4-3p"
};

impl Rulesheet {
    /// What it is, in one line: the first of the sheet.
    pub fn about(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches([';', ' '])
    }

    /// The names of the roles, in role order: read from the sheet, without compiling it.
    pub fn roles(&self) -> Vec<&'static str> {
        let statements = sexpr::read(self.text).unwrap_or_default();
        let role = |statement: &sexpr::Sexpr| match statement.list()? {
            [keyword, name] if keyword.word(self.text) == Some("role") => name.word(self.text),
            _ => None,
        };
        statements.iter().filter_map(role).collect()
    }

    /// The game, or its misère form.
    pub(super) fn open(&self, is_misere: bool, remark: &mut dyn FnMut(&str)) -> Result<Arc<dyn Playable>, SheetError> {
        Ok(match sheet::compile(&self.opens_as(), self.text, remark)? {
            Engine::Machine(game) => with_objective(owned(game), is_misere),
            Engine::Interpreter { game, .. } => with_objective(owned(game), is_misere),
        })
    }

    /// The same, played by the interpreter.
    pub(super) fn interpret(&self, is_misere: bool) -> Result<Arc<dyn Playable>, SheetError> {
        Ok(with_objective(sheet::interpret(&self.opens_as(), self.text)?, is_misere))
    }

    fn opens_as(&self) -> String {
        format!("gdl:{}", self.name)
    }
}

fn owned<G>(game: Arc<G>) -> G {
    Arc::into_inner(game).expect("a game that was made just now has one owner")
}
