//! Parameters of selection rules, policies, searches and games as data: their ranges, their values, reading and printing them.
//!
//! Whoever has parameters declares them once. Parser, printer, help texts, errors, documents and forms follow.

use ludens_game::nearest_name;
use std::fmt;

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Any number, `inf` included.
    Number(f64),
    /// A whole number.
    Whole(u64),
    /// A number of bytes, written with a unit.
    Bytes(u64),
    /// One of a list of words.
    Word(&'static str),
    /// Width and height.
    Board(usize, usize),
}

/// What values a parameter takes. Its text says so in words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// From the first to the second, both included.
    Number(f64, f64),
    /// From the first to the second, both included.
    Whole(u64, u64),
    /// The same, or the word `auto`.
    WholeOrAuto(u64, u64),
    /// At least so many bytes.
    Bytes(u64),
    /// One of these.
    Word(&'static [&'static str]),
    /// A multiple of one half, from the first to the second.
    Halves(f64, f64),
    /// A rectangular board from one width and height to another: `8x6`, or `8` for `8x8`.
    Board((usize, usize), (usize, usize)),
    /// The side of a square board: `9` or `9x9`.
    Square(usize, usize),
}

impl Kind {
    /// The kind in one word.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Number(..) => "number",
            Kind::Whole(..) | Kind::WholeOrAuto(..) => "whole",
            Kind::Bytes(_) => "bytes",
            Kind::Word(_) => "word",
            Kind::Halves(..) => "halves",
            Kind::Board(..) => "board",
            Kind::Square(..) => "square",
        }
    }

    /// The least and the greatest value, where values have an order and both ends.
    pub fn bounds(self) -> Option<[Value; 2]> {
        match self {
            Kind::Number(low, high) | Kind::Halves(low, high) => Some([low, high].map(Value::Number)),
            Kind::Whole(low, high) | Kind::WholeOrAuto(low, high) => Some([low, high].map(Value::Whole)),
            Kind::Board(low, high) => Some([low, high].map(|(width, height)| Value::Board(width, height))),
            Kind::Square(low, high) => Some([low, high].map(|side| Value::Whole(side as u64))),
            Kind::Bytes(_) | Kind::Word(_) => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Number(low, high) => write!(f, "{low} to {high}"),
            Kind::Whole(low, high) => write!(f, "{low} to {high}"),
            Kind::WholeOrAuto(low, high) => write!(f, "{AUTO} or {low} to {high}"),
            Kind::Bytes(low) => write!(f, "at least {}", Bytes(*low)),
            Kind::Word(words) => f.write_str(&words.join("|")),
            Kind::Halves(low, high) => write!(f, "{low} to {high} in steps of 0.5"),
            Kind::Board(low, high) => write!(f, "{}x{} to {}x{}", low.0, low.1, high.0, high.1),
            Kind::Square(low, high) => write!(f, "{low} to {high}"),
        }
    }
}

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its key in a spec.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Its value if a spec does not say.
    pub default: Value,
}

impl Param {
    /// A number from `range.0` to `range.1`, both included.
    pub const fn number(name: &'static str, default: f64, range: (f64, f64), about: &'static str) -> Param {
        Param { name, about, kind: Kind::Number(range.0, range.1), default: Value::Number(default) }
    }

    /// A whole number from `range.0` to `range.1`, both included.
    pub const fn whole(name: &'static str, default: u64, range: (u64, u64), about: &'static str) -> Param {
        Param { name, about, kind: Kind::Whole(range.0, range.1), default: Value::Whole(default) }
    }

    /// One of some words; the first is the default.
    pub const fn word(name: &'static str, words: &'static [&'static str], about: &'static str) -> Param {
        Param { name, about, kind: Kind::Word(words), default: Value::Word(words[0]) }
    }

    /// A switch that is off by default.
    pub const fn switch(name: &'static str, about: &'static str) -> Param {
        Param::word(name, SWITCH_OFF, about)
    }

    /// A multiple of one half from `range.0` to `range.1`, both included.
    pub const fn halves(name: &'static str, default: f64, range: (f64, f64), about: &'static str) -> Param {
        Param { name, about, kind: Kind::Halves(range.0, range.1), default: Value::Number(default) }
    }

    /// A rectangular board between two sizes, given as width and height; `default` is the side of a square one.
    pub const fn board(
        name: &'static str,
        default: usize,
        range: ((usize, usize), (usize, usize)),
        about: &'static str,
    ) -> Param {
        Param { name, about, kind: Kind::Board(range.0, range.1), default: Value::Board(default, default) }
    }

    /// A square board with sides from `range.0` to `range.1`, both included.
    pub const fn square(name: &'static str, default: usize, range: (usize, usize), about: &'static str) -> Param {
        Param { name, about, kind: Kind::Square(range.0, range.1), default: Value::Whole(default as u64) }
    }
}

/// Why a text does not set parameters.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParamError {
    /// The parameter does not take this value.
    #[error("{param} cannot be {value}; allowed: {allowed}")]
    BadValue {
        /// The parameter.
        param: &'static str,
        /// The value, quoted.
        value: String,
        /// What it takes.
        allowed: Kind,
    },
    /// There is no such parameter.
    #[error("unknown parameter {name}{}; {}", suggestion(*.meant), choices(.known))]
    Unknown {
        /// The name, quoted.
        name: String,
        /// The parameter whose name is nearest, if one is near.
        meant: Option<&'static str>,
        /// The parameters that there are.
        known: Vec<&'static str>,
    },
    /// One parameter has two values.
    #[error("{param} is given twice")]
    Twice {
        /// The parameter.
        param: &'static str,
    },
    /// Something that sets no parameter.
    #[error("{text} is not KEY=VALUE")]
    NoKey {
        /// The text, quoted.
        text: String,
    },
}

fn choices(known: &[&str]) -> String {
    if known.is_empty() { "there are none".into() } else { format!("parameters: {}", known.join(", ")) }
}

/// The part of an error that names the nearest known name; empty if none is near.
pub fn suggestion(meant: Option<&str>) -> String {
    meant.map_or(String::new(), |name| format!(" (did you mean {name:?}?)"))
}

/// A user's text for an error of one line: quoted, with everything unprintable escaped, and not too long.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// The words of a switch that is off by default.
pub(crate) const SWITCH_OFF: &[&str] = &["off", "on"];
/// The words of a switch that is on by default.
pub(crate) const SWITCH_ON: &[&str] = &["on", "off"];

/// The values of all parameters of one entry, in the entry's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Args {
    pub(crate) params: &'static [Param],
    pub(crate) values: Vec<Value>,
}

impl Args {
    /// All defaults.
    pub fn defaults(params: &'static [Param]) -> Args {
        Args { params, values: params.iter().map(|param| param.default).collect() }
    }

    /// Reads `key=value,…`. Keys and words may be written in capitals.
    ///
    /// # Errors
    /// The first thing that does not fit the declaration.
    pub fn read(params: &'static [Param], text: &str) -> Result<Args, ParamError> {
        Args::read_items(params, text, Args::set)
    }

    /// Reads the same, but the value of the first parameter may stand without its key: `9,komi=6.5`.
    ///
    /// # Errors
    /// As [`read`](Args::read).
    pub fn read_first_alone(params: &'static [Param], text: &str) -> Result<Args, ParamError> {
        Args::read_items(params, text, |args, item| match item.contains('=') || params.is_empty() {
            true => args.set(item),
            false => args.set_at(0, item),
        })
    }

    fn read_items(
        params: &'static [Param],
        text: &str,
        set: impl Fn(&mut Args, &str) -> Result<&'static str, ParamError>,
    ) -> Result<Args, ParamError> {
        let mut args = Args::defaults(params);
        let mut seen = Vec::new();
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let param = set(&mut args, item)?;
            if seen.contains(&param) {
                return Err(ParamError::Twice { param });
            }
            seen.push(param);
        }
        Ok(args)
    }

    /// Reads `key=value` and returns the key.
    pub(crate) fn set(&mut self, item: &str) -> Result<&'static str, ParamError> {
        let no_key = || ParamError::NoKey { text: quoted(item.trim()) };
        let (key, text) = item.split_once('=').ok_or_else(no_key)?;
        let key = key.trim();
        let names = || self.params.iter().map(|param| param.name);
        let place = names().position(|name| name.eq_ignore_ascii_case(key));
        let unknown =
            || ParamError::Unknown { name: quoted(key), meant: nearest_name(key, names()), known: names().collect() };
        self.set_at(place.ok_or_else(unknown)?, text.trim())
    }

    fn set_at(&mut self, place: usize, text: &str) -> Result<&'static str, ParamError> {
        let Param { name, kind, .. } = self.params[place];
        let bad = || ParamError::BadValue { param: name, value: quoted(text), allowed: kind };
        self.values[place] = parse_value(kind, text).ok_or_else(bad)?;
        Ok(name)
    }

    /// The parameters that do not have their default.
    pub fn changed(&self) -> impl Iterator<Item = &'static str> {
        self.params
            .iter()
            .zip(&self.values)
            .filter(|(param, value)| param.default != **value)
            .map(|(param, _)| param.name)
    }

    pub(crate) fn get(&self, name: &str) -> Value {
        let place = self.params.iter().position(|param| param.name == name);
        self.values[place.expect("the entry has the parameter")]
    }

    /// The value of a parameter that is a number.
    ///
    /// # Panics
    /// If the entry has no such parameter.
    pub fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Number(number) => number,
            other => unreachable!("{name} is {other:?}, not a number"),
        }
    }

    /// The value of a parameter that is a whole number or a size.
    ///
    /// # Panics
    /// If the entry has no such parameter.
    pub fn whole(&self, name: &str) -> u64 {
        match self.get(name) {
            Value::Whole(number) | Value::Bytes(number) => number,
            other => unreachable!("{name} is {other:?}, not a whole number"),
        }
    }

    /// The value of a parameter that is a word.
    ///
    /// # Panics
    /// If the entry has no such parameter.
    pub fn word(&self, name: &str) -> &'static str {
        match self.get(name) {
            Value::Word(word) => word,
            other => unreachable!("{name} is {other:?}, not a word"),
        }
    }

    /// The value of a parameter that is the side of a board.
    ///
    /// # Panics
    /// If the entry has no such parameter.
    pub fn side(&self, name: &str) -> usize {
        self.whole(name) as usize
    }

    /// Width and height of a board.
    ///
    /// # Panics
    /// If the entry has no such parameter.
    pub fn board(&self, name: &str) -> (usize, usize) {
        match self.get(name) {
            Value::Board(width, height) => (width, height),
            other => unreachable!("{name} is {other:?}, not a board"),
        }
    }

    /// Whether a switch is on.
    ///
    /// # Panics
    /// If the entry has no such parameter.
    pub fn on(&self, name: &str) -> bool {
        self.word(name) == "on"
    }
}

/// Reads a value.
fn parse_value(kind: Kind, text: &str) -> Option<Value> {
    fn within<T: std::str::FromStr + PartialOrd>(text: &str, low: T, high: T) -> Option<T> {
        text.parse().ok().filter(|number| (low..=high).contains(number))
    }
    let (width, height) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
    match kind {
        Kind::Number(low, high) => within(text, low, high).map(Value::Number),
        Kind::Whole(low, high) => within(text, low, high).map(Value::Whole),
        Kind::WholeOrAuto(..) if text.eq_ignore_ascii_case(AUTO) => Some(Value::Word(AUTO)),
        Kind::WholeOrAuto(low, high) => within(text, low, high).map(Value::Whole),
        Kind::Bytes(low) => parse_bytes(text).filter(|&bytes| bytes >= low).map(Value::Bytes),
        Kind::Word(words) => words.iter().find(|word| word.eq_ignore_ascii_case(text)).map(|word| Value::Word(word)),
        Kind::Halves(low, high) => {
            within(text, low, high).filter(|number| (2.0 * number).fract() == 0.0).map(Value::Number)
        }
        Kind::Board(low, high) => Some(Value::Board(within(width, low.0, high.0)?, within(height, low.1, high.1)?)),
        Kind::Square(low, high) => {
            within(width, low, high).filter(|_| width == height).map(|side| Value::Whole(side as u64))
        }
    }
}

/// Instead of a number that depends on the circumstances.
const AUTO: &str = "auto";

const UNITS: [(&str, u64); 4] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

fn parse_bytes(text: &str) -> Option<u64> {
    UNITS
        .iter()
        .find_map(|(unit, size)| text.strip_suffix(unit).map(|number| (number, *size)))
        .or(Some((text, 1)))
        .and_then(|(number, size)| number.trim().parse::<u64>().ok()?.checked_mul(size))
}

struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, size) =
            UNITS.iter().find(|(_, size)| self.0.is_multiple_of(*size)).expect("every number is a number of bytes");
        write!(f, "{}{unit}", self.0 / size)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Whole(number) => write!(f, "{number}"),
            Value::Bytes(bytes) => write!(f, "{}", Bytes(*bytes)),
            Value::Word(word) => f.write_str(word),
            Value::Board(width, height) => write!(f, "{width}x{height}"),
        }
    }
}

/// `key=value,…` for all values that are not the default.
pub(crate) fn changed(args: &Args) -> String {
    let pairs = args.params.iter().zip(&args.values);
    let changed = pairs.filter(|(param, value)| param.default != **value);
    changed.map(|(param, value)| format!("{}={value}", param.name)).collect::<Vec<_>>().join(",")
}

/// `name(key=value,…)`, or the name alone if all values are the default.
pub(crate) fn written(name: &str, args: &Args) -> String {
    match changed(args) {
        params if params.is_empty() => name.to_owned(),
        params => format!("{name}({params})"),
    }
}

/// Names as a list in a sentence.
pub(crate) fn names(names: impl Iterator<Item = &'static str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARED: &[Param] = &[
        Param::board("size", 8, ((4, 5), (10, 10)), ""),
        Param::halves("komi", 7.5, (-20.0, 20.0), ""),
        Param::switch("eyes", ""),
    ];

    fn read(text: &str) -> Result<(usize, usize, f64, bool), String> {
        let args = Args::read_first_alone(DECLARED, text).map_err(|error| error.to_string())?;
        let (width, height) = args.board("size");
        Ok((width, height, args.number("komi"), args.on("eyes")))
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
        assert_eq!(error("eyes=maybe"), "eyes cannot be \"maybe\"; allowed: off|on");
        assert_eq!(error("kom=1"), "unknown parameter \"kom\" (did you mean \"komi\"?); parameters: size, komi, eyes");
        assert_eq!(error("5,size=6"), "size is given twice");
        let keys_only = Args::read(DECLARED, "5").expect_err("an error");
        assert_eq!(keys_only.to_string(), "\"5\" is not KEY=VALUE");
        assert_eq!(
            Args::read(&[], "x=1").expect_err("an error").to_string(),
            "unknown parameter \"x\"; there are none"
        );
        assert_eq!(Args::read_first_alone(&[], "1").expect_err("an error").to_string(), "\"1\" is not KEY=VALUE");
    }

    #[test]
    fn a_users_text_stays_on_one_line() {
        assert_eq!(quoted("a\nb"), r#""a\nb""#);
        assert_eq!(quoted(&"é".repeat(41)), format!("\"{}\"...", "é".repeat(40)));
    }
}
