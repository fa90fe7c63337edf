//! [`Rules`]: a sheet in one simple form, on which all engines agree.
//!
//! Every clause is a head and a conjunction of conditions. `or` has become several clauses, `(not (distinct …))` has been
//! solved by substitution, names are numbers and ground terms are shared. A relation is a name with a number of arguments:
//! `(a 1)` and `(a 2 3)` are two relations.

mod normal;

use crate::ast::Sheet;
use crate::diagnostic::{Diagnostic, Span};
use crate::limits::Limits;
use crate::symbols::{Symbol, Symbols, keyword};
use crate::terms::{TermId, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A name with a number of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Relation(pub u32);

impl Relation {
    /// The relation as an index into per-relation tables.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The relations with a meaning of their own. They exist in every sheet.
pub mod relation {
    use super::Relation;
    /// `(role r)`
    pub const ROLE: Relation = Relation(0);
    /// `(init fact)`
    pub const INIT: Relation = Relation(1);
    /// `(true fact)`
    pub const TRUE: Relation = Relation(2);
    /// `(next fact)`
    pub const NEXT: Relation = Relation(3);
    /// `(legal role move)`
    pub const LEGAL: Relation = Relation(4);
    /// `(does role move)`
    pub const DOES: Relation = Relation(5);
    /// `(goal role value)`
    pub const GOAL: Relation = Relation(6);
    /// `terminal`
    pub const TERMINAL: Relation = Relation(7);
    /// `(base fact)`
    pub const BASE: Relation = Relation(8);
    /// `(input role move)`
    pub const INPUT: Relation = Relation(9);
    /// How many there are.
    pub const COUNT: u32 = 10;
}

/// A term that may have variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// A variable of the clause, counted from 0.
    Variable(u32),
    /// A term without variables.
    Ground(TermId),
    /// A function with a variable somewhere in it.
    Function(Symbol, Box<[Pattern]>),
}

/// A relation applied to patterns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The relation.
    pub relation: Relation,
    /// As many as the relation has arguments.
    pub args: Box<[Pattern]>,
}

/// A condition of a clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// The atom holds.
    Holds(Atom),
    /// The atom does not hold.
    Fails(Atom),
    /// The two terms differ.
    Distinct(Pattern, Pattern),
}

/// `head` if all of `body`. Every variable occurs in a [`Condition::Holds`].
#[derive(Clone, Debug)]
pub struct Clause {
    /// What follows.
    pub head: Atom,
    /// From what.
    pub body: Vec<Condition>,
    /// The variables are `0..variables`.
    pub variables: u32,
    /// The rule of the sheet from which the clause comes.
    pub span: Span,
}

/// A sheet in normal form.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The text of the sheet, for the places of its rules.
    pub text: Arc<str>,
    /// What whoever plays it may spend.
    pub limits: Limits,
    /// All names.
    pub symbols: Symbols,
    /// The ground terms of the sheet, and with time those of its engines.
    pub terms: Terms,
    /// Name and number of arguments of every relation.
    pub relations: Vec<(Symbol, usize)>,
    /// All clauses, those without conditions among them.
    pub clauses: Vec<Clause>,
    /// The roles, in the order of the text; of too many only the first ones.
    pub roles: Vec<TermId>,
}

impl Rules {
    /// Brings a sheet into normal form, adding remarks to `diagnostics`.
    ///
    /// Clauses in which a variable occurs in no positive condition can derive nothing and are left out; that such a rule is
    /// an error is for the checks to say.
    pub fn new(sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) -> Rules {
        let mut build = normal::Builder::new(sheet);
        for rule in &sheet.rules {
            build.rule(rule, diagnostics);
        }
        build.finish()
    }

    /// The text of an atom without variables.
    pub fn atom_text(&self, relation: Relation, args: &[TermId]) -> String {
        let name = self.symbols.name(self.relations[relation.index()].0);
        if args.is_empty() {
            return name.to_owned();
        }
        let args: Vec<_> = args.iter().map(|&arg| self.terms.text(arg, &self.symbols)).collect();
        format!("({name} {})", args.join(" "))
    }
}

impl Condition {
    /// How many names and variables the condition is written with.
    pub(crate) fn size(&self) -> usize {
        match self {
            Condition::Holds(atom) | Condition::Fails(atom) => atom.size(),
            Condition::Distinct(left, right) => left.size() + right.size(),
        }
    }

    /// Calls `visit` for every variable of the condition, with repetitions.
    pub fn variables(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Condition::Holds(atom) | Condition::Fails(atom) => atom.variables(visit),
            Condition::Distinct(left, right) => {
                left.variables(visit);
                right.variables(visit);
            }
        }
    }

    /// Whether `test` holds for some variable of the condition.
    pub fn any_variable(&self, mut test: impl FnMut(u32) -> bool) -> bool {
        let mut found = false;
        self.variables(&mut |variable| found |= test(variable));
        found
    }
}

impl Clause {
    /// How many names and variables the clause is written with.
    pub(crate) fn size(&self) -> usize {
        self.head.size() + self.body.iter().map(Condition::size).sum::<usize>()
    }
}

impl Atom {
    /// How many names and variables the arguments are written with.
    pub(crate) fn size(&self) -> usize {
        self.args.iter().map(Pattern::size).sum()
    }

    /// Calls `visit` for every variable of the atom, with repetitions.
    pub fn variables(&self, visit: &mut impl FnMut(u32)) {
        for arg in &self.args {
            arg.variables(visit);
        }
    }
}

impl Pattern {
    /// Calls `visit` for every variable of the pattern, with repetitions.
    pub fn variables(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Pattern::Variable(variable) => visit(*variable),
            Pattern::Ground(_) => {}
            Pattern::Function(_, args) => args.iter().for_each(|arg| arg.variables(visit)),
        }
    }

    /// How many names and variables the pattern is written with; a part without variables counts once.
    pub(crate) fn size(&self) -> usize {
        match self {
            Pattern::Variable(_) | Pattern::Ground(_) => 1,
            Pattern::Function(_, args) => 1 + args.iter().map(Pattern::size).sum::<usize>(),
        }
    }

    /// Whether `test` holds for some variable of the pattern.
    pub fn any_variable(&self, mut test: impl FnMut(u32) -> bool) -> bool {
        let mut found = false;
        self.variables(&mut |variable| found |= test(variable));
        found
    }
}

/// The relations of a sheet while they are numbered.
#[derive(Default)]
struct Relations {
    list: Vec<(Symbol, usize)>,
    numbers: FxHashMap<(Symbol, usize), Relation>,
}

impl Relations {
    fn with_keywords() -> Relations {
        let mut relations = Relations::default();
        for index in 0..relation::COUNT {
            let name = Symbol(index);
            relations.add(name, keyword::arity(name).expect("the first keywords are relations"));
        }
        relations
    }

    fn add(&mut self, name: Symbol, arity: usize) -> Relation {
        *self.numbers.entry((name, arity)).or_insert_with(|| {
            self.list.push((name, arity));
            Relation(self.list.len() as u32 - 1)
        })
    }
}
