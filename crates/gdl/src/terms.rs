//! [`Terms`]: ground terms, each stored once, so that equal terms have equal numbers.

use crate::sexpr::{self, Sexpr};
use crate::symbols::{Symbol, Symbols};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// A ground term: a constant, or a function of ground terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub u32);

/// All ground terms met so far.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    /// The arguments of all terms, one after the other.
    args: Vec<TermId>,
    numbers: HashTable<TermId>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    name: Symbol,
    start: u32,
    len: u16,
    depth: u16,
    size: u32,
    hash: u64,
}

impl Terms {
    /// The term `name` (without arguments) or `(name args…)`, if it has been added.
    pub fn find(&self, name: Symbol, args: &[TermId]) -> Option<TermId> {
        let same = |&id: &TermId| self.name(id) == name && self.args(id) == args;
        self.numbers.find(hash_of(name, args), same).copied()
    }

    /// The term `name` (without arguments) or `(name args…)`.
    pub fn add(&mut self, name: Symbol, args: &[TermId]) -> TermId {
        if let Some(id) = self.find(name, args) {
            return id;
        }
        let hash = hash_of(name, args);
        let id = TermId(self.nodes.len() as u32);
        let depth = args.iter().map(|&arg| self.depth(arg).saturating_add(1)).max().unwrap_or(0);
        let size = args.iter().fold(1_u32, |sum, &arg| sum.saturating_add(self.size(arg)));
        let node = Node {
            name,
            start: self.args.len() as u32,
            len: args.len() as u16,
            depth,
            size,
            hash: self.hash_of_shape(name, args),
        };
        self.nodes.push(node);
        self.args.extend_from_slice(args);
        let (nodes, all) = (&self.nodes, &self.args);
        self.numbers.insert_unique(hash, id, |id| {
            let node = nodes[id.0 as usize];
            hash_of(node.name, &all[node.start as usize..][..usize::from(node.len)])
        });
        id
    }

    /// The constant's or function's name.
    #[inline]
    pub fn name(&self, term: TermId) -> Symbol {
        self.nodes[term.0 as usize].name
    }

    /// The function's arguments; none for a constant.
    #[inline]
    pub fn args(&self, term: TermId) -> &[TermId] {
        let node = self.nodes[term.0 as usize];
        &self.args[node.start as usize..][..usize::from(node.len)]
    }

    /// How deep functions are nested: 0 for a constant.
    pub fn depth(&self, term: TermId) -> u16 {
        self.nodes[term.0 as usize].depth
    }

    /// How many names the term is written with.
    pub fn size(&self, term: TermId) -> u32 {
        self.nodes[term.0 as usize].size
    }

    /// Orders terms by their shape and by where their names first occur in the sheet: an order that renaming leaves alone.
    pub fn compare(&self, left: TermId, right: TermId) -> Ordering {
        if left == right {
            return Ordering::Equal;
        }
        let key = |term| (self.name(term), self.args(term).len());
        key(left).cmp(&key(right)).then_with(|| {
            let pairs = self.args(left).iter().zip(self.args(right));
            pairs.map(|(&l, &r)| self.compare(l, r)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        })
    }

    /// A hash of the term's shape and names, the same whenever the same sheet is read.
    pub fn hash(&self, term: TermId) -> u64 {
        self.nodes[term.0 as usize].hash
    }

    fn hash_of_shape(&self, name: Symbol, args: &[TermId]) -> u64 {
        let mut hasher = FxHasher::default();
        name.hash(&mut hasher);
        for &arg in args {
            self.hash(arg).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// About how many bytes the terms take.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + 2 * size_of::<TermId>()) + self.args.len() * size_of::<TermId>()
    }

    /// Reads a ground term; `None` if the text is not one term, or one that has not been added.
    pub fn find_text(&self, text: &str, symbols: &Symbols) -> Option<TermId> {
        let expressions = sexpr::read(text).ok()?;
        let [expression] = &*expressions else { return None };
        self.find_expression(expression, text, symbols)
    }

    fn find_expression(&self, expression: &Sexpr, text: &str, symbols: &Symbols) -> Option<TermId> {
        let (head, args) = match expression.list() {
            None => (expression, &[][..]),
            Some(items) => items.split_first()?,
        };
        let name = symbols.find_any_case(head.word(text)?)?;
        let args: Option<Vec<_>> = args.iter().map(|arg| self.find_expression(arg, text, symbols)).collect();
        self.find(name, &args?)
    }

    /// How many terms there are.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Appends the text of a term: one blank between words, none inside parentheses.
    pub fn write(&self, term: TermId, symbols: &Symbols, out: &mut String) {
        let args = self.args(term);
        if args.is_empty() {
            out.push_str(symbols.name(self.name(term)));
            return;
        }
        out.push('(');
        out.push_str(symbols.name(self.name(term)));
        for &arg in args {
            out.push(' ');
            self.write(arg, symbols, out);
        }
        out.push(')');
    }

    /// The text of a term.
    pub fn text(&self, term: TermId, symbols: &Symbols) -> String {
        let mut out = String::new();
        self.write(term, symbols, &mut out);
        out
    }
}

fn hash_of(name: Symbol, args: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    args.hash(&mut hasher);
    hasher.finish()
}
