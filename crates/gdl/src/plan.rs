//! The order in which the conditions of a clause are tried, and how each is looked up.
//!
//! At every point the condition that is expected to have the fewest solutions comes next; tests come as soon as their
//! variables are known.

use crate::rules::{Atom, Clause, Condition, Pattern};
use crate::symbols::Symbol;
use crate::table::Shape;
use crate::terms::{TermId, Terms};

/// One step of a plan.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// All variables are known: the condition holds or fails.
    Test(usize),
    /// The rows that agree with the known variables give values to the others.
    Scan(usize, Access),
}

/// How the rows for an atom are found, and what they give.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    /// The parts that are known.
    pub(crate) shape: Box<[Shape]>,
    /// Their values.
    pub(crate) key: Box<[KeyPart]>,
    /// What to do with the arguments of a row.
    pub(crate) reads: Box<[Read]>,
}

/// A value that is looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyPart {
    Variable(u32),
    Ground(TermId),
}

/// What to do with an argument of a row that was found by its key.
#[derive(Clone, Debug)]
pub(crate) enum Read {
    /// Nothing: it was part of the key.
    Skip,
    /// It is the value of the variable.
    Bind(u32),
    /// It must be the value that the variable has got from the same row.
    Same(u32),
    /// It must be this term.
    Is(TermId),
    /// It is a function with these arguments.
    Function(Symbol, Box<[Read]>),
}

/// Plans a clause.
///
/// `first`: a condition whose rows are given from outside; it is scanned first. `bound`: the variables that are known from
/// the start. `cost`: how dear a positive condition with an unknown variable is, such as the number of rows that agree with the
/// known ones; not negative.
pub(crate) fn plan(
    clause: &Clause,
    first: Option<usize>,
    bound: &mut [bool],
    cost: &mut dyn FnMut(usize, &[bool]) -> f64,
) -> Vec<Step> {
    let mut left: Vec<usize> = (0..clause.body.len()).collect();
    let mut steps = Vec::with_capacity(left.len());
    if let (Some(first), Some(Condition::Holds(atom))) = (first, first.map(|first| &clause.body[first])) {
        left.retain(|&index| index != first);
        steps.push(Step::Scan(first, Access::unindexed(&atom.args, bound)));
    }
    while !left.is_empty() {
        let mut best = (f64::INFINITY, 0);
        for (place, &index) in left.iter().enumerate() {
            let mut open = false;
            clause.body[index].variables(&mut |variable| open |= !bound[variable as usize]);
            let price = match &clause.body[index] {
                Condition::Distinct(..) if !open => -3.0,
                Condition::Holds(_) if !open => -2.0,
                Condition::Fails(_) if !open => -1.0,
                Condition::Holds(_) => cost(index, bound),
                _ => f64::INFINITY,
            };
            if price < best.0 {
                best = (price, place);
            }
        }
        let index = left.remove(best.1);
        steps.push(match &clause.body[index] {
            Condition::Holds(atom) if atom.args.iter().any(|arg| arg.any_variable(|v| !bound[v as usize])) => {
                Step::Scan(index, Access::new(&atom.args, bound))
            }
            _ => Step::Test(index),
        });
    }
    steps
}

/// About how many of `rows` rows agree with an atom's known arguments, if nothing but the number of rows is known.
pub(crate) fn guess(atom: &Atom, bound: &[bool], rows: f64) -> f64 {
    fn count(pattern: &Pattern, bound: &[bool], known: &mut f64, unknown: &mut f64) {
        match pattern {
            Pattern::Variable(variable) if !bound[*variable as usize] => *unknown += 1.0,
            Pattern::Variable(_) | Pattern::Ground(_) => *known += 1.0,
            Pattern::Function(_, args) => args.iter().for_each(|arg| count(arg, bound, known, unknown)),
        }
    }
    let (mut known, mut unknown) = (0.0, 0.0);
    atom.args.iter().for_each(|arg| count(arg, bound, &mut known, &mut unknown));
    (rows + 1.0).powf(unknown / (known + unknown))
}

impl Access {
    /// Marks the variables that the rows give as bound.
    pub(crate) fn new(args: &[Pattern], bound: &mut [bool]) -> Access {
        let mut key = Vec::new();
        let before = bound.to_vec();
        let shape = args.iter().map(|arg| shape_of(arg, &before, &mut key)).collect();
        let reads = args.iter().map(|arg| read_of(arg, Some(&before), bound)).collect();
        Access { shape, key: key.into(), reads }
    }

    /// For rows that come from elsewhere than an index, so that nothing of them has been compared. No variable may be
    /// bound yet.
    pub(crate) fn unindexed(args: &[Pattern], bound: &mut [bool]) -> Access {
        let reads = args.iter().map(|arg| read_of(arg, None, bound)).collect();
        Access { shape: Box::new([]), key: Box::new([]), reads }
    }

    /// The key under the given values.
    pub(crate) fn write_key(&self, values: &[TermId], out: &mut [TermId]) {
        for (place, part) in out.iter_mut().zip(&self.key) {
            *place = match part {
                KeyPart::Variable(variable) => values[*variable as usize],
                KeyPart::Ground(term) => *term,
            };
        }
    }

    /// Reads a row that has the key into `values`; `false` if it does not fit.
    #[inline]
    pub(crate) fn read(&self, terms: &Terms, row: &[TermId], values: &mut [TermId]) -> bool {
        read(&self.reads, terms, row, values)
    }
}

fn shape_of(pattern: &Pattern, bound: &[bool], key: &mut Vec<KeyPart>) -> Shape {
    match pattern {
        Pattern::Variable(variable) if bound[*variable as usize] => {
            key.push(KeyPart::Variable(*variable));
            Shape::Key
        }
        Pattern::Variable(_) => Shape::Any,
        Pattern::Ground(term) => {
            key.push(KeyPart::Ground(*term));
            Shape::Key
        }
        Pattern::Function(name, args) => {
            Shape::Function(*name, args.iter().map(|arg| shape_of(arg, bound, key)).collect())
        }
    }
}

/// `before`: the variables that were part of the key; `None` if there was no key.
fn read_of(pattern: &Pattern, before: Option<&[bool]>, bound: &mut [bool]) -> Read {
    match pattern {
        Pattern::Variable(variable) => {
            let index = *variable as usize;
            if before.is_some_and(|before| before[index]) {
                Read::Skip
            } else if std::mem::replace(&mut bound[index], true) {
                Read::Same(*variable)
            } else {
                Read::Bind(*variable)
            }
        }
        Pattern::Ground(_) if before.is_some() => Read::Skip,
        Pattern::Ground(term) => Read::Is(*term),
        Pattern::Function(name, args) => {
            Read::Function(*name, args.iter().map(|arg| read_of(arg, before, bound)).collect())
        }
    }
}

fn read(reads: &[Read], terms: &Terms, row: &[TermId], values: &mut [TermId]) -> bool {
    reads.iter().zip(row).all(|(what, &term)| match what {
        Read::Skip => true,
        Read::Bind(variable) => {
            values[*variable as usize] = term;
            true
        }
        Read::Same(variable) => values[*variable as usize] == term,
        Read::Is(other) => *other == term,
        Read::Function(name, inner) => {
            let args = terms.args(term);
            terms.name(term) == *name && args.len() == inner.len() && read(inner, terms, args, values)
        }
    })
}

/// Functions of at most this many arguments are put together without an allocation.
const FEW: usize = 8;

/// The pattern with values for its variables, if that term exists.
pub(crate) fn find_instance(pattern: &Pattern, terms: &Terms, values: &[TermId]) -> Option<TermId> {
    match pattern {
        Pattern::Variable(variable) => Some(values[*variable as usize]),
        Pattern::Ground(term) => Some(*term),
        Pattern::Function(name, args) => {
            if args.len() > FEW {
                let args: Option<Vec<_>> = args.iter().map(|arg| find_instance(arg, terms, values)).collect();
                return terms.find(*name, &args?);
            }
            let mut few = [TermId(0); FEW];
            for (place, arg) in few.iter_mut().zip(args) {
                *place = find_instance(arg, terms, values)?;
            }
            terms.find(*name, &few[..args.len()])
        }
    }
}

/// The pattern with values for its variables.
pub(crate) fn instance(pattern: &Pattern, terms: &mut Terms, values: &[TermId]) -> TermId {
    match pattern {
        Pattern::Variable(variable) => values[*variable as usize],
        Pattern::Ground(term) => *term,
        Pattern::Function(name, args) => {
            if args.len() > FEW {
                let args: Vec<_> = args.iter().map(|arg| instance(arg, terms, values)).collect();
                return terms.add(*name, &args);
            }
            let mut few = [TermId(0); FEW];
            for (place, arg) in few.iter_mut().zip(args) {
                *place = instance(arg, terms, values);
            }
            terms.add(*name, &few[..args.len()])
        }
    }
}
