//! Which relations look like boards.

use super::{Evidence, Order, others, picked};
use crate::symbols::Symbol;
use crate::terms::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Boards with a longer side are told in words.
const MAX_SIDE: usize = 40;

/// Boards with fewer cells are told in words.
const MIN_CELLS: usize = 4;

/// Games with more possible facts are told in words: looking for boards would take seconds.
const MAX_FACTS: usize = 300_000;

/// Relations with more leaves are told in words.
const MAX_LEAVES: usize = 8;

/// More kinds of pieces cannot be told apart by a letter.
const MAX_PIECES: usize = 60;

/// At least this part of a relation's facts must be alone on their cells.
const MIN_ALONE: f64 = 0.55;

/// A relation of which no state has more facts than this is a token, not a board.
const MAX_TOKENS: usize = 2;

/// A fact without its constants: the names of its functions and their numbers of arguments, from left to right.
pub(super) type Skeleton = Box<[(Symbol, u32)]>;

/// The constants of a fact, from left to right.
pub(super) type Leaves = Box<[TermId]>;

/// Splits a term into skeleton and leaves; a lone constant is all skeleton.
pub(super) fn taken_apart(term: TermId, terms: &Terms) -> (Skeleton, Leaves) {
    let (mut skeleton, mut leaves) = (Vec::new(), Vec::new());
    let mut open = vec![term];
    while let Some(at) = open.pop() {
        let args = terms.args(at);
        if args.is_empty() && at != term {
            leaves.push(at);
            skeleton.push((LEAF, 0));
        } else {
            skeleton.push((terms.name(at), args.len() as u32));
            open.extend(args.iter().rev());
        }
    }
    (skeleton.into(), leaves.into())
}

/// In place of a constant's name.
const LEAF: Symbol = Symbol(u32::MAX);

/// Relations that are drawn on the same cells.
pub(super) struct Grid {
    /// The values of each key.
    pub(super) sides: Vec<Vec<TermId>>,
    /// The keys of every cell.
    pub(super) cells: Vec<Box<[TermId]>>,
    pub(super) layers: Vec<Relation>,
}

/// A relation that looks like a board.
pub(super) struct Relation {
    pub(super) skeleton: Skeleton,
    /// The leaves that say where.
    pub(super) keys: Vec<usize>,
    /// What the other leaves can be, in the order of the sheet.
    pub(super) values: Vec<Value>,
}

/// What can stand on a cell.
pub(super) struct Value {
    pub(super) leaves: Box<[TermId]>,
    /// Whether it looks like nothing.
    pub(super) empty: bool,
    /// How often it was seen: the rarest is drawn over the others.
    pub(super) seen: usize,
}

/// All facts of one skeleton.
struct Facts {
    skeleton: Skeleton,
    possible: Vec<Leaves>,
    /// Per state.
    states: Vec<Vec<Leaves>>,
}

/// A relation with its keys, before it is known on which grid it lies.
struct Candidate<'f> {
    facts: &'f Facts,
    keys: Vec<usize>,
    sides: Vec<Vec<TermId>>,
    token: bool,
}

/// The grids of a game, those with most cells first.
pub(super) fn grids(evidence: Evidence<'_>, order: &Order<'_>) -> Vec<Grid> {
    if evidence.possible.len() > MAX_FACTS {
        return Vec::new();
    }
    let all = by_skeleton(evidence);
    let mut candidates: Vec<_> = all.iter().filter_map(|facts| candidate(evidence, order, facts)).collect();
    // Whole boards first: tokens are put on boards that are there.
    candidates.sort_by_key(|candidate| (candidate.token, std::cmp::Reverse(candidate.facts.possible.len())));
    let mut groups: Vec<Vec<Candidate<'_>>> = Vec::new();
    for candidate in candidates {
        match groups.iter().position(|group| fits(evidence, group, &candidate)) {
            Some(group) => groups[group].push(candidate),
            None if candidate.token && (!groups.is_empty() || candidate.facts.states[0].is_empty()) => {}
            None => groups.push(vec![candidate]),
        }
    }
    groups.into_iter().map(|group| grid(evidence, group)).collect()
}

fn by_skeleton(evidence: Evidence<'_>) -> Vec<Facts> {
    let mut found: Vec<Facts> = Vec::new();
    let mut numbers: FxHashMap<Skeleton, usize> = FxHashMap::default();
    let mut seen = FxHashSet::default();
    let mut sorted: Vec<TermId> = evidence.possible.iter().chain(evidence.states.iter().flatten()).copied().collect();
    sorted.sort_unstable_by(|&left, &right| evidence.terms.compare(left, right));
    for fact in sorted.into_iter().filter(|fact| seen.insert(*fact)) {
        let (skeleton, leaves) = taken_apart(fact, evidence.terms);
        let number = *numbers.entry(skeleton).or_insert_with_key(|skeleton| {
            let states = vec![Vec::new(); evidence.states.len()];
            found.push(Facts { skeleton: skeleton.clone(), possible: Vec::new(), states });
            found.len() - 1
        });
        found[number].possible.push(leaves);
    }
    for (index, state) in evidence.states.iter().enumerate() {
        for &fact in state {
            let (skeleton, leaves) = taken_apart(fact, evidence.terms);
            found[numbers[&skeleton]].states[index].push(leaves);
        }
    }
    found
}

impl Facts {
    fn values(&self, leaf: usize) -> Vec<TermId> {
        let mut seen = FxHashSet::default();
        self.possible.iter().map(|leaves| leaves[leaf]).filter(|value| seen.insert(*value)).collect()
    }

    /// The part of the facts that are alone with their keys in their state.
    fn alone(&self, keys: &[usize]) -> f64 {
        let (mut places, mut facts) = (0, 0);
        for state in &self.states {
            places += state.iter().map(|leaves| picked(leaves, keys)).collect::<FxHashSet<_>>().len();
            facts += state.len();
        }
        if facts == 0 { 1.0 } else { places as f64 / facts as f64 }
    }

    /// Whether each value of a leaf has one fact from the start: then the relation tells something about that leaf.
    fn is_attribute_of(&self, leaf: usize) -> bool {
        self.alone(&[leaf]) == 1.0 && self.states[0].len() == self.values(leaf).len()
    }

    fn most_in_a_state(&self) -> usize {
        self.states.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// The relation as a board, with the keys that look most like places.
fn candidate<'f>(evidence: Evidence<'_>, order: &Order<'_>, facts: &'f Facts) -> Option<Candidate<'f>> {
    let leaves = facts.possible.first()?.len();
    if !(2..=MAX_LEAVES).contains(&leaves) {
        return None;
    }
    let sides: Vec<Vec<TermId>> = (0..leaves).map(|leaf| facts.values(leaf)).collect();
    let worth: Vec<Option<f64>> = sides.iter().map(|side| place_value(evidence, order, side)).collect();
    if facts.states.is_empty() || (leaves == 2 && (0..leaves).any(|leaf| facts.is_attribute_of(leaf))) {
        return None;
    }
    let subsets = (0_u32..1 << leaves).filter(|set| (2..=4).contains(&set.count_ones()));
    let best = subsets
        .map(|set| (0..leaves).filter(|leaf| set >> leaf & 1 == 1).collect::<Vec<_>>())
        .filter_map(|keys| {
            let worths: Vec<f64> = keys.iter().map(|&key| worth[key]).collect::<Option<_>>()?;
            let least = worths.into_iter().fold(f64::INFINITY, f64::min);
            let product: usize = keys.iter().map(|&key| sides[key].len()).product();
            let cells = facts.possible.iter().map(|leaves| picked(leaves, &keys)).collect::<FxHashSet<_>>().len();
            let coverage = cells as f64 / product as f64;
            let alone = facts.alone(&keys);
            // Several boards are drawn only if they are well filled.
            let filled = if keys.len() == 2 { 0.2 } else { 0.5 };
            if product < MIN_CELLS || coverage < filled || alone < MIN_ALONE || !has_pieces(facts, &keys, &worth) {
                return None;
            }
            let alike = keys.windows(2).filter(|pair| same_values(&sides[pair[0]], &sides[pair[1]])).count();
            let late: usize = keys.iter().sum();
            // Every key beyond the second must be needed; what comes early is rather a place than a piece.
            let excess = keys.len() as f64 - 2.0;
            let score = 3.0 * least + coverage + 0.5 * alike as f64 - 0.2 * late as f64;
            Some((score - 1.5 * excess - 20.0 * (1.0 - alone), keys))
        })
        .max_by(|left, right| left.0.total_cmp(&right.0))?;
    let keys = best.1;
    let token = facts.most_in_a_state() <= MAX_TOKENS;
    let sides = keys.iter().map(|&key| sides[key].clone()).collect();
    Some(Candidate { facts, keys, sides, token })
}

/// Whether what is not a key can be a piece: it is no second place, and there are not too many kinds. Without any piece
/// all keys must be in a known order, or be two.
fn has_pieces(facts: &Facts, keys: &[usize], worth: &[Option<f64>]) -> bool {
    let ordered = |leaf: usize| worth[leaf].is_some_and(|worth| worth > 1.0);
    let rest: Vec<usize> = (0..worth.len()).filter(|leaf| !keys.contains(leaf)).collect();
    if rest.is_empty() {
        return keys.len() == 2 || keys.iter().all(|&key| ordered(key));
    }
    let kinds = facts.possible.iter().map(|leaves| others(leaves, keys)).collect::<FxHashSet<_>>().len();
    kinds <= MAX_PIECES && rest.iter().filter(|&&leaf| ordered(leaf)).count() < 2
}

/// How much a set of values looks like a side of a board; `None` if it cannot be one.
fn place_value(evidence: Evidence<'_>, order: &Order<'_>, values: &[TermId]) -> Option<f64> {
    if !(2..=MAX_SIDE).contains(&values.len()) || values.iter().any(|value| evidence.background.roles.contains(value)) {
        return None;
    }
    Some(if order.is_known(values) { 3.0 } else { 1.0 })
}

fn same_values(left: &[TermId], right: &[TermId]) -> bool {
    left.len() == right.len() && left.iter().all(|value| right.contains(value))
}

/// Whether a relation can be drawn on the cells of a group: the sides are about the same, and no cell is ever claimed
/// twice, except by tokens.
fn fits(evidence: Evidence<'_>, group: &[Candidate<'_>], candidate: &Candidate<'_>) -> bool {
    let sides = &group[0].sides;
    let overlap = |(left, right): (&Vec<TermId>, &Vec<TermId>)| {
        let common = left.iter().filter(|value| right.contains(value)).count();
        2 * common >= left.len().max(right.len()) || (candidate.token && common == right.len())
    };
    if sides.len() != candidate.sides.len() || !sides.iter().zip(&candidate.sides).all(overlap) {
        return false;
    }
    let claims = |candidate: &Candidate<'_>, state: usize| -> FxHashSet<Box<[TermId]>> {
        let empty = empty_value(evidence, candidate.facts, &candidate.keys);
        let facts = candidate.facts.states[state].iter();
        let solid = facts.filter(|leaves| Some(others(leaves, &candidate.keys)) != empty);
        solid.map(|leaves| picked(leaves, &candidate.keys)).collect()
    };
    candidate.token
        || (0..evidence.states.len()).all(|state| {
            let mine = claims(candidate, state);
            group.iter().filter(|other| !other.token).all(|other| claims(other, state).is_disjoint(&mine))
        })
}

fn grid(evidence: Evidence<'_>, group: Vec<Candidate<'_>>) -> Grid {
    let mut sides: Vec<Vec<TermId>> = group[0].sides.clone();
    let mut cells = Vec::new();
    let mut seen = FxHashSet::default();
    for candidate in &group {
        for (side, more) in sides.iter_mut().zip(&candidate.sides) {
            let new: Vec<_> = more.iter().filter(|value| !side.contains(value)).copied().collect();
            side.extend(new);
        }
        for leaves in &candidate.facts.possible {
            let keys = picked(leaves, &candidate.keys);
            if seen.insert(keys.clone()) {
                cells.push(keys);
            }
        }
    }
    let product: usize = sides.iter().map(Vec::len).product();
    if !evidence.complete && 2 * cells.len() > product {
        cells = all_cells(&sides);
    }
    let layers = group.into_iter().map(|candidate| relation(evidence, candidate)).collect();
    Grid { sides, cells, layers }
}

fn all_cells(sides: &[Vec<TermId>]) -> Vec<Box<[TermId]>> {
    let mut cells: Vec<Vec<TermId>> = vec![Vec::new()];
    for side in sides {
        let longer = |cell: &Vec<TermId>| side.iter().map(|&v| [&cell[..], &[v]].concat()).collect::<Vec<_>>();
        cells = cells.iter().flat_map(longer).collect();
    }
    cells.into_iter().map(Vec::into_boxed_slice).collect()
}

fn relation(evidence: Evidence<'_>, candidate: Candidate<'_>) -> Relation {
    let Candidate { facts, keys, .. } = candidate;
    let empty = empty_value(evidence, facts, &keys);
    let mut counts: FxHashMap<Box<[TermId]>, usize> = FxHashMap::default();
    for leaves in facts.states.iter().flatten() {
        *counts.entry(others(leaves, &keys)).or_default() += 1;
    }
    let mut met = FxHashSet::default();
    let values = facts.possible.iter().map(|leaves| others(leaves, &keys)).filter(|value| met.insert(value.clone()));
    let values = values.map(|leaves| Value {
        empty: Some(&leaves) == empty.as_ref(),
        seen: counts.get(&leaves).copied().unwrap_or(0),
        leaves,
    });
    Relation { values: values.collect(), skeleton: facts.skeleton.clone(), keys }
}

/// What stands for an empty cell: a usual name for it or, where all cells are filled at the start, the most frequent value.
fn empty_value(evidence: Evidence<'_>, facts: &Facts, keys: &[usize]) -> Option<Box<[TermId]>> {
    const USUAL: [&str; 11] = ["b", "blank", "empty", "e", "none", "nil", "free", "clear", "dot", "hole", "_"];
    let leaves = facts.possible.first()?.len();
    let is_usual = |name: &str| USUAL.contains(&&*name.to_ascii_lowercase());
    if leaves == keys.len() {
        // What always holds everywhere is the board itself.
        let ground = facts.states.iter().all(|state| state.len() == facts.possible.len());
        return (ground || is_usual(evidence.symbols.name(facts.skeleton[0].0))).then(Box::default);
    }
    let usual = |value: &[TermId]| value.len() == 1 && is_usual(&evidence.terms.text(value[0], evidence.symbols));
    let values: Vec<_> = facts.possible.iter().map(|leaves| others(leaves, keys)).collect();
    if let Some(value) = values.iter().find(|value| usual(value)) {
        return Some(value.clone());
    }
    let initial = facts.states.first()?;
    let cells: FxHashSet<_> = facts.possible.iter().map(|leaves| picked(leaves, keys)).collect();
    if initial.len() < cells.len() {
        return None;
    }
    let mut counts: FxHashMap<Box<[TermId]>, usize> = FxHashMap::default();
    initial.iter().for_each(|leaves| *counts.entry(others(leaves, keys)).or_default() += 1);
    let (value, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    // What is named after a role is its piece, however many there are.
    let is_owned = value.iter().any(|leaf| evidence.background.roles.contains(leaf));
    (3 * count >= cells.len() && !is_owned).then_some(value)
}
