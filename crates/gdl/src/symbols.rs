//! [`Symbols`]: the names of a sheet as numbers. Keywords have fixed numbers.

use rustc_hash::FxHashMap;

/// A name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

impl Symbol {
    /// The symbol as an index into per-symbol tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The words with a meaning of their own.
pub mod keyword {
    use super::Symbol;
    /// All keywords, in the order of their symbols.
    pub(super) const ALL: [&str; 15] = [
        "role", "init", "true", "next", "legal", "does", "goal", "terminal", "base", "input", "distinct", "not", "or",
        "and", "<=",
    ];
    /// How many there are.
    pub const COUNT: usize = ALL.len();
    /// `role`
    pub const ROLE: Symbol = Symbol(0);
    /// `init`
    pub const INIT: Symbol = Symbol(1);
    /// `true`
    pub const TRUE: Symbol = Symbol(2);
    /// `next`
    pub const NEXT: Symbol = Symbol(3);
    /// `legal`
    pub const LEGAL: Symbol = Symbol(4);
    /// `does`
    pub const DOES: Symbol = Symbol(5);
    /// `goal`
    pub const GOAL: Symbol = Symbol(6);
    /// `terminal`
    pub const TERMINAL: Symbol = Symbol(7);
    /// `base`
    pub const BASE: Symbol = Symbol(8);
    /// `input`
    pub const INPUT: Symbol = Symbol(9);
    /// `distinct`
    pub const DISTINCT: Symbol = Symbol(10);
    /// `not`
    pub const NOT: Symbol = Symbol(11);
    /// `or`
    pub const OR: Symbol = Symbol(12);
    /// `and`
    pub const AND: Symbol = Symbol(13);
    /// `<=`
    pub const RULE: Symbol = Symbol(14);

    /// The keyword that a word spells in any case, if it does.
    pub fn find(word: &str) -> Option<Symbol> {
        ALL.iter().position(|k| k.eq_ignore_ascii_case(word)).map(|index| Symbol(index as u32))
    }

    /// The number of arguments of a keyword relation; `None` for other names and for connectives.
    pub fn arity(name: Symbol) -> Option<usize> {
        match name {
            TERMINAL => Some(0),
            ROLE | INIT | TRUE | NEXT | BASE => Some(1),
            LEGAL | DOES | GOAL | INPUT => Some(2),
            _ => None,
        }
    }
}

/// All names of a sheet, each once, as written.
#[derive(Clone, Debug)]
pub struct Symbols {
    names: Vec<Box<str>>,
    numbers: FxHashMap<Box<str>, Symbol>,
}

impl Default for Symbols {
    fn default() -> Symbols {
        let mut symbols = Symbols { names: Vec::new(), numbers: FxHashMap::default() };
        for name in keyword::ALL {
            symbols.add(name);
        }
        symbols
    }
}

impl Symbols {
    /// The number of `name`, which is new or known.
    pub fn add(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.numbers.get(name) {
            return symbol;
        }
        let symbol = Symbol(self.names.len() as u32);
        self.names.push(name.into());
        self.numbers.insert(name.into(), symbol);
        symbol
    }

    /// The number of a known name.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.numbers.get(name).copied()
    }

    /// The number of a known name; if it is unknown, of one that differs in case only.
    pub fn find_any_case(&self, name: &str) -> Option<Symbol> {
        let similar = || self.names.iter().position(|known| known.eq_ignore_ascii_case(name));
        self.find(name).or_else(|| similar().map(|index| Symbol(index as u32)))
    }

    /// The name as written.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }

    /// How many names there are.
    pub fn count(&self) -> usize {
        self.names.len()
    }
}
