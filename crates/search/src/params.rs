//! Parameters of selection rules, policies and searches as data: their ranges, their values, reading and printing them.

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
}

/// What values a parameter takes.
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

    /// Whether a switch is on.
    ///
    /// # Panics
    /// If the entry has no such parameter.
    pub fn on(&self, name: &str) -> bool {
        self.word(name) == "on"
    }
}

/// Reads `key=value,…`.
pub(crate) fn parse_args(params: &'static [Param], text: &str, owner: &str) -> Result<Args, String> {
    let mut args = Args::defaults(params);
    let mut seen = Vec::new();
    for part in text.split(',').filter(|part| !part.trim().is_empty()) {
        let name = set(&mut args, part, owner)?;
        if seen.contains(&name) {
            return Err(format!("{owner} sets {name} twice"));
        }
        seen.push(name);
    }
    Ok(args)
}

/// Reads `key=value` into the arguments and returns the key.
pub(crate) fn set(args: &mut Args, part: &str, owner: &str) -> Result<&'static str, String> {
    let (key, text) = part.split_once('=').ok_or_else(|| format!("{:?} is not KEY=VALUE", part.trim()))?;
    let (key, text) = (key.trim(), text.trim());
    let Some(place) = args.params.iter().position(|param| param.name == key) else {
        let known = names(args.params.iter().map(|param| param.name));
        let known = if known.is_empty() { "it has none".into() } else { format!("parameters: {known}") };
        return Err(format!("{owner} has no parameter {key:?}; {known}"));
    };
    let param = &args.params[place];
    args.values[place] =
        parse_value(param.kind, text).map_err(|what| format!("{owner}'s {key} must be {what}, not {text:?}"))?;
    Ok(param.name)
}

/// Reads a value, or says what it should have been.
fn parse_value(kind: Kind, text: &str) -> Result<Value, String> {
    match kind {
        Kind::Number(low, high) => {
            let number = text.parse::<f64>().ok().filter(|number| (low..=high).contains(number));
            number.map(Value::Number).ok_or_else(|| format!("a number from {low} to {high}"))
        }
        Kind::Whole(low, high) => {
            let number = text.parse::<u64>().ok().filter(|number| (low..=high).contains(number));
            number.map(Value::Whole).ok_or_else(|| format!("a whole number from {low} to {high}"))
        }
        Kind::WholeOrAuto(..) if text == AUTO => Ok(Value::Word(AUTO)),
        Kind::WholeOrAuto(low, high) => {
            parse_value(Kind::Whole(low, high), text).map_err(|what| format!("{AUTO} or {what}"))
        }
        Kind::Bytes(low) => {
            let bytes = parse_bytes(text).filter(|&bytes| bytes >= low);
            bytes.map(Value::Bytes).ok_or_else(|| format!("a size of at least {} such as 512MiB", Bytes(low)))
        }
        Kind::Word(words) => {
            let word = words.iter().find(|&&word| word == text);
            word.map(|word| Value::Word(word)).ok_or_else(|| format!("one of {}", words.join(", ")))
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
