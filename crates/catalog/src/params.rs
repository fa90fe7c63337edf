//! What stands behind a game's name: in `go:9,komi=6.5` a size and an option.
//!
//! Every game declares its parameters as data ([`Param`]); reading them, checking their ranges and naming the choices in
//! an error is done here, once for all games.

use std::fmt;

/// A parameter of a game, as the catalogue declares it.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name in `name=value`. The value of the first parameter may stand alone: `go:9`.
    pub name: &'static str,
    /// The value if none is given, as a user would write it.
    pub default: &'static str,
    /// What it may be.
    pub domain: Domain,
    /// What it does, in a few words.
    pub about: &'static str,
}

/// The values that a parameter may have. Its text says so in words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// A rectangular board from one width and height to another: `8x6`, or `8` for `8x8`.
    Board {
        /// The smallest width and height.
        min: (usize, usize),
        /// The largest width and height.
        max: (usize, usize),
    },
    /// A square board: `9` or `9x9`.
    Square {
        /// The smallest size.
        min: usize,
        /// The largest size.
        max: usize,
    },
    /// The side of a hexagonal board.
    Side {
        /// The shortest side.
        min: usize,
        /// The longest side.
        max: usize,
    },
    /// A multiple of one half.
    Halves {
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
    },
    /// One of some words.
    Word(&'static [&'static str]),
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Board { min, max } => write!(f, "{}x{} to {}x{}", min.0, min.1, max.0, max.1),
            Domain::Square { min, max } | Domain::Side { min, max } => write!(f, "{min} to {max}"),
            Domain::Halves { min, max } => write!(f, "{min} to {max} in steps of 0.5"),
            Domain::Word(words) => write!(f, "{}", words.join(" or ")),
        }
    }
}

impl Domain {
    fn read(self, text: &str) -> Option<Value> {
        let count = |text: &str, min, max| text.parse().ok().filter(|n| (min..=max).contains(n));
        let (width, height) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
        match self {
            Domain::Board { min, max } => Some(Value::Board(count(width, min.0, max.0)?, count(height, min.1, max.1)?)),
            Domain::Square { min, max } => count(width, min, max).filter(|_| width == height).map(Value::Side),
            Domain::Side { min, max } => count(text, min, max).map(Value::Side),
            Domain::Halves { min, max } => {
                let number: f64 = text.parse().ok()?;
                let allowed = (min..=max).contains(&number) && (2.0 * number).fract() == 0.0;
                allowed.then_some(Value::Halves(number))
            }
            Domain::Word(words) => {
                words.iter().find(|word| word.eq_ignore_ascii_case(text)).map(|word| Value::Word(word))
            }
        }
    }
}

/// A value that lies in its domain.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Board(usize, usize),
    Side(usize),
    Halves(f64),
    Word(&'static str),
}

/// The parameters of one game, all in their ranges, defaults filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Params(Vec<(&'static str, Value)>);

/// Why a text does not give a game's parameters.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParamError {
    /// The value is not in the parameter's domain.
    #[error("{param} cannot be {value}; allowed: {domain}")]
    BadValue {
        /// The parameter.
        param: &'static str,
        /// What was given.
        value: String,
        /// What is allowed.
        domain: Domain,
    },
    /// There is no such parameter.
    #[error("unknown option {option}; options: {choices}")]
    UnknownOption {
        /// What was given.
        option: String,
        /// What there is.
        choices: String,
    },
    /// One parameter has two values.
    #[error("{param} is given twice")]
    Twice {
        /// The parameter.
        param: &'static str,
    },
}

impl Params {
    /// Reads what follows the colon of a game's name: values separated by commas, each `name=value`, the first parameter's
    /// also alone. An empty text leaves everything at its default.
    ///
    /// # Errors
    /// The first value that does not fit the declaration.
    pub fn read(declared: &'static [Param], text: &str) -> Result<Params, ParamError> {
        let mut given = vec![None; declared.len()];
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (index, value) = locate(declared, item)?;
            let param = &declared[index];
            let value = param.domain.read(value).ok_or_else(|| ParamError::BadValue {
                param: param.name,
                value: quoted(value),
                domain: param.domain,
            })?;
            if given[index].replace(value).is_some() {
                return Err(ParamError::Twice { param: param.name });
            }
        }
        let filled = declared.iter().zip(given).map(|(param, value)| {
            let default = || param.domain.read(param.default).expect("a default lies in its domain");
            (param.name, value.unwrap_or_else(default))
        });
        Ok(Params(filled.collect()))
    }

    /// Width and height of a board.
    pub fn board(&self, name: &str) -> (usize, usize) {
        match self.value(name) {
            Value::Board(width, height) => (width, height),
            other => mismatch(name, other),
        }
    }

    /// The side of a board.
    pub fn side(&self, name: &str) -> usize {
        match self.value(name) {
            Value::Side(side) => side,
            other => mismatch(name, other),
        }
    }

    /// A number that is a multiple of one half.
    pub fn halves(&self, name: &str) -> f64 {
        match self.value(name) {
            Value::Halves(number) => number,
            other => mismatch(name, other),
        }
    }

    /// Whether a parameter is the given one of its words.
    pub fn is(&self, name: &str, word: &str) -> bool {
        match self.value(name) {
            Value::Word(chosen) => chosen == word,
            other => mismatch(name, other),
        }
    }

    fn value(&self, name: &str) -> Value {
        self.0.iter().find(|entry| entry.0 == name).map(|entry| entry.1).expect("the catalogue declares this parameter")
    }
}

/// A constructor asks for another kind of value than its entry declares: the catalogue itself is wrong.
fn mismatch(name: &str, value: Value) -> ! {
    panic!("the catalogue declares {name} as {value:?}");
}

/// The parameter that an item means, and the text of its value.
fn locate<'t>(declared: &[Param], item: &'t str) -> Result<(usize, &'t str), ParamError> {
    let Some((name, value)) = item.split_once('=') else {
        return Ok((0, item));
    };
    let name = name.trim();
    match declared.iter().position(|param| param.name.eq_ignore_ascii_case(name)) {
        Some(index) => Ok((index, value.trim())),
        None => {
            let choices: Vec<_> = declared.iter().map(|param| param.name).collect();
            Err(ParamError::UnknownOption { option: quoted(name), choices: choices.join(", ") })
        }
    }
}

/// A user's text for an error of one line: quoted, with everything unprintable escaped, and not too long.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARED: &[Param] = &[
        Param { name: "size", default: "8", domain: Domain::Board { min: (4, 5), max: (10, 10) }, about: "" },
        Param { name: "komi", default: "7.5", domain: Domain::Halves { min: -20.0, max: 20.0 }, about: "" },
        Param { name: "eyes", default: "off", domain: Domain::Word(&["on", "off"]), about: "" },
    ];

    fn read(text: &str) -> Result<(usize, usize, f64, bool), String> {
        let params = Params::read(DECLARED, text).map_err(|error| error.to_string())?;
        let (width, height) = params.board("size");
        Ok((width, height, params.halves("komi"), params.is("eyes", "on")))
    }

    #[test]
    fn values_in_any_order_and_spelling() {
        assert_eq!(read(""), Ok((8, 8, 7.5, false)));
        assert_eq!(read("5"), Ok((5, 5, 7.5, false)));
        assert_eq!(read("5x6,komi=-0.5"), Ok((5, 6, -0.5, false)));
        assert_eq!(read(" Eyes = ON , 6X7 "), Ok((6, 7, 7.5, true)));
        assert_eq!(read("komi=6,size=5×5"), Ok((5, 5, 6.0, false)));
    }

    #[test]
    fn errors_name_the_choices() {
        let error = |text| read(text).expect_err("an error");
        assert_eq!(error("4"), "size cannot be \"4\"; allowed: 4x5 to 10x10");
        assert_eq!(error("5x11"), "size cannot be \"5x11\"; allowed: 4x5 to 10x10");
        assert_eq!(error("-5"), "size cannot be \"-5\"; allowed: 4x5 to 10x10");
        assert_eq!(error("komi=0.25"), "komi cannot be \"0.25\"; allowed: -20 to 20 in steps of 0.5");
        assert_eq!(error("komi=nan"), "komi cannot be \"nan\"; allowed: -20 to 20 in steps of 0.5");
        assert_eq!(error("eyes=maybe"), "eyes cannot be \"maybe\"; allowed: on or off");
        assert_eq!(error("kom=1"), "unknown option \"kom\"; options: size, komi, eyes");
        assert_eq!(error("5,size=6"), "size is given twice");
    }

    #[test]
    fn a_users_text_stays_on_one_line() {
        assert_eq!(quoted("a\nb"), r#""a\nb""#);
        assert_eq!(quoted(&"é".repeat(41)), format!("\"{}\"...", "é".repeat(40)));
    }
}
