//! The catalogue: every game under its name, with what a user must know to open it.
//!
//! A native game is opened by a text such as `breakthrough:5x6` or `go:9,komi=6.5`, a rulesheet in the binary by
//! `gdl:connect4`, and played to lose by `misere-gdl:connect4`. The `gdl:` may be left out where no native game has the name.
//! Help texts, tables and errors are made from the entries of [`GAMES`] and [`SHEETS`]; a new game is its own file and one
//! entry there.

mod entries;
pub mod notation;
mod objective;
mod sheet;
mod sheets;

pub use entries::GAMES;
pub use ludens_search::quoted;
pub use sheet::{SheetError, playable};
pub use sheets::{Rulesheet, SHEETS};

use ludens_game::nearest_name;
use ludens_gdl::DeadEnds;
use ludens_search::{Args, Param, ParamError, Playable, suggestion};
use std::borrow::Cow;
use std::sync::Arc;

/// A native game of the catalogue.
pub struct Entry {
    /// The name, in lower case.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// The parameters; the value of the first may stand without its name.
    pub params: &'static [Param],
    /// The names of the roles, in role order.
    pub roles: &'static [&'static str],
    build: fn(&Args) -> Arc<dyn Playable>,
}

impl Entry {
    /// The game with the given parameters, written as after the colon of `go:9,komi=6.5`.
    ///
    /// # Errors
    /// A parameter that is unknown, out of its range or given twice.
    pub fn open(&self, params: &str) -> Result<Arc<dyn Playable>, OpenError> {
        match Args::read_first_alone(self.params, params) {
            Ok(args) => Ok((self.build)(&args)),
            Err(error) => Err(OpenError::Params { game: self.name, error }),
        }
    }
}

/// Why a text opens no game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OpenError {
    /// No entry has that name.
    #[error("unknown game {name}{}; games: {}; rulesheets, as gdl:NAME: {}", suggestion(.meant.as_deref()), game_names(), sheet_names())]
    UnknownGame {
        /// The name, quoted.
        name: String,
        /// What opens the game whose name is nearest, if one is near.
        meant: Option<String>,
    },
    /// No rulesheet in the binary has that name.
    #[error("unknown rulesheet {name}{}; rulesheets: {}", suggestion(*.meant), sheet_names())]
    UnknownSheet {
        /// The name, quoted.
        name: String,
        /// The name that is nearest, if one is near.
        meant: Option<&'static str>,
    },
    /// The game exists, but not with these parameters.
    #[error("{game}: {error}")]
    Params {
        /// The entry's name.
        game: &'static str,
        /// What is wrong.
        error: ParamError,
    },
    /// The interpreter has nothing to read.
    #[error(
        "{game} is a native game; the interpreter plays only rulesheets: a .kif file, or gdl:NAME with one of {}",
        sheet_names()
    )]
    NoRules {
        /// The game's name.
        game: String,
    },
    /// The file is not a game.
    #[error(transparent)]
    Sheet(#[from] SheetError),
}

/// Opens a game by name (`breakthrough`, `go:9,komi=6.5`, `gdl:connect4`), or the rulesheet in a `.kif` file.
///
/// # Errors
/// A name or a parameter that the catalogue does not know, a value out of range, or a sheet that is not a game.
pub fn open(text: &str) -> Result<Arc<dyn Playable>, OpenError> {
    open_with_remarks(text, &mut |_| {})
}

/// Opens a game as [`open`] does; `remark` hears what a user should know about it.
///
/// # Errors
/// As [`open`].
pub fn open_with_remarks(text: &str, remark: &mut dyn FnMut(&str)) -> Result<Arc<dyn Playable>, OpenError> {
    if is_file(text) { Ok(sheet::open(text, remark)?) } else { open_known(text, remark) }
}

/// Whether a text means the rulesheet in a file rather than a game of the catalogue.
pub fn is_file(text: &str) -> bool {
    sheet::is_path(text)
}

/// Opens a game of the catalogue but never a file, for requests from untrusted sources.
///
/// # Errors
/// A name or a parameter that the catalogue does not know, or a value out of range.
pub fn open_known(text: &str, remark: &mut dyn FnMut(&str)) -> Result<Arc<dyn Playable>, OpenError> {
    match find(text)? {
        Known::Native(entry, params) => entry.open(params),
        Known::Sheet(sheet) => Ok(sheet.open(false, remark)?),
        Known::MisereSheet(sheet) => Ok(sheet.open(true, remark)?),
    }
}

/// Opens the rules of a game that somebody wrote, under a name.
///
/// # Errors
/// If the rules have errors.
pub fn open_rules(name: &str, rules: &str) -> Result<Arc<dyn Playable>, OpenError> {
    Ok(sheet::open_rules(name, rules, &mut |_| {})?)
}

/// Opens a rulesheet as [`open`] does, but for the slow interpreter, whether or not there is a faster engine.
///
/// # Errors
/// As [`open`], and for a game that is no rulesheet.
pub fn interpret(text: &str) -> Result<Arc<dyn Playable>, OpenError> {
    if sheet::is_path(text) {
        let interpreter = sheet::interpret(text, &sheet::read(text)?)?;
        return Ok(Arc::new(DeadEnds::new(Arc::new(interpreter))));
    }
    match find(text)? {
        Known::Native(entry, params) => Err(OpenError::NoRules { game: entry.open(params)?.name() }),
        Known::Sheet(sheet) => Ok(sheet.interpret(false)?),
        Known::MisereSheet(sheet) => Ok(sheet.interpret(true)?),
    }
}

/// The text of a rulesheet: of `gdl:NAME`, or of any file.
///
/// # Errors
/// A rulesheet that the binary does not have, or a file that cannot be read.
pub fn rules(text: &str) -> Result<Cow<'static, str>, OpenError> {
    match find(text) {
        Ok(Known::Sheet(sheet)) => Ok(sheet.text.into()),
        Err(error @ OpenError::UnknownSheet { .. }) => Err(error),
        _ => Ok(sheet::read(text)?.into()),
    }
}

/// A game of the catalogue.
enum Known<'t> {
    /// A native game and its parameters.
    Native(&'static Entry, &'t str),
    Sheet(&'static Rulesheet),
    /// A rulesheet that is played to lose.
    MisereSheet(&'static Rulesheet),
}

/// The game that a text names.
fn find(text: &str) -> Result<Known<'_>, OpenError> {
    let (name, params) = text.split_once(':').unwrap_or((text, ""));
    let plain = plain(name);
    match &*plain {
        "gdl" => return Ok(Known::Sheet(embedded(params)?)),
        "misere-gdl" => return Ok(Known::MisereSheet(embedded(params)?)),
        _ => {}
    }
    if let Some(entry) = GAMES.iter().find(|entry| entry.name == plain) {
        return Ok(Known::Native(entry, params));
    }
    let sheet = |name: &str| SHEETS.iter().find(|sheet| sheet.name == name).filter(|_| params.is_empty());
    let misere = || plain.strip_prefix("misere-").and_then(sheet).map(Known::MisereSheet);
    let found = sheet(&plain).map(Known::Sheet).or_else(misere);
    found.ok_or_else(|| OpenError::UnknownGame { name: quoted(name.trim()), meant: nearest_game(&plain) })
}

/// A name as the entries spell it: "Misère" is as good as "misere".
fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace('è', "e")
}

fn embedded(name: &str) -> Result<&'static Rulesheet, OpenError> {
    let plain = plain(name);
    let found = SHEETS.iter().find(|sheet| sheet.name == plain);
    found.ok_or_else(|| OpenError::UnknownSheet { name: quoted(name.trim()), meant: nearest_sheet(&plain) })
}

fn game_names() -> String {
    GAMES.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ")
}

fn sheet_names() -> String {
    SHEETS.iter().map(|sheet| sheet.name).collect::<Vec<_>>().join(", ")
}

/// A native game, or else a rulesheet. Rulesheets have no parameters: with some, even the right name is unknown.
fn nearest_game(name: &str) -> Option<String> {
    if SHEETS.iter().any(|sheet| sheet.name == name) {
        return Some(format!("gdl:{name}"));
    }
    let native = nearest_name(name, GAMES.iter().map(|entry| entry.name));
    native.map(str::to_owned).or_else(|| nearest_sheet(name).map(|sheet| format!("gdl:{sheet}")))
}

fn nearest_sheet(name: &str) -> Option<&'static str> {
    nearest_name(name, SHEETS.iter().map(|sheet| sheet.name))
}
