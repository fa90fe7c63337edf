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
pub use sheet::SheetError;
pub use sheets::{Rulesheet, SHEETS};

use ludens_game::nearest_name;
use ludens_gdl::DeadEnds;
use ludens_search::{Args, Param, ParamError, Playable, suggestion};
use objective::{Lose, Win};
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
        Known::Sheet(sheet) => Ok(sheet.open::<Win>(remark)?),
        Known::MisereSheet(sheet) => Ok(sheet.open::<Lose>(remark)?),
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
        Known::Sheet(sheet) => Ok(sheet.interpret::<Win>()?),
        Known::MisereSheet(sheet) => Ok(sheet.interpret::<Lose>()?),
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

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::{Role, Seed, Turn, check::Plan};

    fn name(text: &str) -> String {
        open(text).map_or_else(|error| error.to_string(), |game| game.name())
    }

    #[test]
    fn games_open_by_name_and_parameters() {
        assert_eq!(name("breakthrough"), "breakthrough:8x8");
        assert_eq!(name("breakthrough:5x6"), "breakthrough:5x6");
        assert_eq!(name(" Misère-Nogo:5 "), "misere-nogo:5x5");
        assert_eq!(name("HAVANNAH:6"), "havannah:6");
        assert_eq!(name("go:9,komi=6.5,eyes=on"), "go:9x9,komi=6.5,eyes=on");
        assert_eq!(name("atarigo:5,suicide=loses"), "atarigo:5x5,suicide=loses");
        assert_eq!(name("GDL: nim"), "gdl:nim");
        assert_eq!(name("misère-gdl:nim"), "misere-gdl:nim");
    }

    #[test]
    fn a_rulesheet_opens_without_its_prefix_where_no_native_game_has_the_name() {
        assert_eq!(name("Connect4"), "gdl:connect4");
        assert_eq!(name("misère-tictactoe"), "misere-gdl:tictactoe");
        assert_eq!(name("breakthrough"), "breakthrough:8x8");
        assert_eq!(interpret("nim").expect("a rulesheet").name(), "gdl:nim");
        assert_eq!(rules("nim"), rules("gdl:nim"));
        assert!(name("connect4:5").starts_with("unknown game \"connect4\" (did you mean \"gdl:connect4\"?)"));
    }

    #[test]
    fn errors_are_one_line_that_names_the_choices() {
        let sheets = sheet_names();
        let all = format!("games: {}; rulesheets, as gdl:NAME: {sheets}", game_names());
        assert_eq!(
            name("breaktrough:5"),
            format!("unknown game \"breaktrough\" (did you mean \"breakthrough\"?); {all}")
        );
        assert_eq!(name("chess"), format!("unknown game \"chess\"; {all}"));
        assert_eq!(name(""), format!("unknown game \"\"; {all}"));
        assert_eq!(name("tictacto"), format!("unknown game \"tictacto\" (did you mean \"gdl:tictactoe\"?); {all}"));
        assert_eq!(
            name("misere-gdl:nimm"),
            format!("unknown rulesheet \"nimm\" (did you mean \"nim\"?); rulesheets: {sheets}")
        );
        assert_eq!(name("gdl"), format!("unknown rulesheet \"\"; rulesheets: {sheets}"));
        assert_eq!(name("havannah:13"), "havannah: side cannot be \"13\"; allowed: 3 to 12");
        assert_eq!(name("nogo:5x6"), "nogo: size cannot be \"5x6\"; allowed: 2 to 19");
        assert_eq!(name("nogo:komi=1"), "nogo: unknown parameter \"komi\"; parameters: size");
        assert!(!name(&"x\n".repeat(10_000)).contains('\n'));
    }

    #[test]
    fn every_entry_describes_its_game() {
        for entry in GAMES {
            let game = entry.open("").expect("defaults open a game");
            assert_eq!(game.role_names(), entry.roles, "{}", entry.name);
            assert!(game.name().starts_with(&format!("{}:", entry.name)), "{} is {}", entry.name, game.name());
            assert_eq!(name(&game.name()), game.name(), "a canonical name opens the same game");
            assert!(!entry.about.is_empty() && !entry.about.contains('\n'));
        }
        assert!(GAMES.is_sorted_by_key(|entry| entry.name));
    }

    #[test]
    fn every_entry_conforms() {
        let plan = Plan { walks: 5, max_steps: 1000, seed: 1 };
        for entry in GAMES {
            for params in ["", "5"] {
                let game = entry.open(params).expect("every game has a board of 5");
                assert_eq!(game.conformance(plan).map(|walks| walks.count), Ok(plan.walks), "{}", game.name());
            }
        }
    }

    #[test]
    fn every_size_in_range_can_be_played() {
        for entry in GAMES {
            let bounds = entry.params[0].kind.bounds().expect("the first parameter is the size");
            for size in bounds {
                let game = entry.open(&size.to_string()).expect("a size in range");
                let playouts = game.playouts(10, &mut Seed::new(1).rng(), u32::MAX);
                assert!(playouts.steps >= 10, "{}: {playouts:?}", game.name());
            }
        }
    }

    #[test]
    fn moves_are_single_words_and_garbage_is_none() {
        for entry in GAMES {
            let position = entry.open("").expect("defaults open a game").start();
            let Turn::One(role) = position.turn() else { panic!("{} is alternating", entry.name) };
            for mv in position.legals(role) {
                let name = position.move_name(role, mv);
                assert!(!name.contains([' ', ',']), "{}: {name:?} cannot stand in a list", entry.name);
                assert_eq!(position.parse_move(role, &name.to_uppercase()), Some(mv), "{}: {name:?}", entry.name);
            }
            for garbage in
                ["", " ", "é", "日本", "a", "1", "a0", "a-1", "z99", "a1a", "a18446744073709551616", "\0", "--"]
            {
                for role in [Role(0), Role(1)] {
                    assert_eq!(position.parse_move(role, garbage), None, "{}: {garbage:?}", entry.name);
                }
            }
        }
    }
}
