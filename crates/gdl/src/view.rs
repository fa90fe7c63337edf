//! [`Board`]: draws states of a rulesheet, whose names may mean nothing.
//!
//! A relation looks like a board if some of its arguments, the *keys*, say where and the others say what: a state has
//! hardly ever two facts with the same keys. Two keys make a board, three a row of boards, four a square of boards. What
//! fits on no board is told in words. The analysis is done once per game, drawing is done per state.

mod glyph;
mod order;
mod picture;
mod shape;
mod tiling;

use crate::ground::Ground;
use crate::rules::{Pattern, Relation, Rules, relation};
use crate::symbols::Symbols;
use crate::terms::{TermId, Terms};
use ludens_game::{Cell, Game, Label, Layout, Piece, Role, Seed, View};
use order::Order;
use picture::Picture;
use rustc_hash::{FxHashMap, FxHashSet};
use shape::{Leaves, Skeleton};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tiling::{Pairs, Tiling};

/// Boards that would make a line longer than this begin a new line.
const MAX_LINE: i32 = 40;

/// How many states are looked at to find the boards.
const SAMPLES: usize = 24;

/// Facts of one relation beyond this number are only counted.
const MAX_TOLD: usize = 40;

/// What the rules say once and for all.
pub struct Background {
    roles: Vec<TermId>,
    /// The facts, without keywords.
    facts: Vec<(Relation, Box<[TermId]>)>,
    /// What may be pairs of neighbours, by relation; only known where the rules were grounded.
    pairs: Vec<Pairs>,
}

impl Background {
    /// What grounded rules say without conditions on the state.
    pub fn of_ground(ground: &Ground) -> Background {
        let relations = (relation::COUNT..ground.relation_count() as u32).map(Relation);
        let settled = relations.filter(|&relation| ground.is_settled(relation));
        let pairs = settled.flat_map(|relation| tiling::pairs(ground.rows(relation))).collect();
        Background { pairs, ..Background::new(&ground.rules) }
    }

    /// What `rules` say without conditions.
    pub fn new(rules: &Rules) -> Background {
        let facts = rules.clauses.iter().filter(|c| c.body.is_empty() && c.head.relation.0 >= relation::COUNT);
        let ground = |pattern: &Pattern| if let Pattern::Ground(term) = pattern { Some(*term) } else { None };
        let facts =
            facts.filter_map(|c| Some((c.head.relation, c.head.args.iter().map(ground).collect::<Option<_>>()?)));
        Background { roles: rules.roles.clone(), facts: facts.collect(), pairs: Vec::new() }
    }
}

/// What is known of a game's states.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// What never changes.
    pub background: &'a Background,
    /// All names.
    pub symbols: &'a Symbols,
    /// The terms of the facts.
    pub terms: &'a Terms,
    /// Facts that may become true.
    pub possible: &'a [TermId],
    /// Whether no other facts may.
    pub complete: bool,
    /// The facts of some states, the initial one first.
    pub states: &'a [Vec<TermId>],
}

/// Some states of a game, the initial one first: a random walk that is always the same.
pub fn samples<G: Game>(game: &G) -> Vec<G::State> {
    let mut rng = Seed::new(1).rng();
    let mut state = game.initial();
    let mut states = vec![state.clone()];
    let mut scores = vec![0.0; game.roles()];
    let mut legals = Vec::new();
    while states.len() < SAMPLES && !game.scores(&state, &mut scores) {
        let mut joint = Vec::new();
        for role in Role::all(game.roles()) {
            game.legals(&state, role, &mut legals);
            if legals.is_empty() {
                return states;
            }
            joint.push(legals[rng.below(legals.len() as u32) as usize]);
        }
        game.advance(&mut state, &joint);
        states.push(state.clone());
    }
    states
}

/// How the states of one game are drawn.
pub struct Board {
    layers: FxHashMap<Skeleton, Layer>,
    /// Per grid, the cells by the values of their keys.
    places: Vec<FxHashMap<Box<[TermId]>, usize>>,
    cells: Vec<Cell>,
    labels: Vec<Label>,
    pieces: Vec<Piece>,
    layout: Layout,
}

/// A relation that is drawn.
struct Layer {
    /// The arguments that say where: [row of boards,] [board,] x, y.
    keys: Vec<usize>,
    grid: usize,
    /// What stands there by the other arguments; `None` for what looks empty.
    pieces: FxHashMap<Box<[TermId]>, Option<Standing>>,
}

/// A piece, and how often it was seen.
#[derive(Clone, Copy)]
struct Standing {
    piece: usize,
    seen: usize,
}

impl Board {
    /// Finds out how a game's states can be drawn.
    pub fn detect(evidence: Evidence<'_>) -> Board {
        let order = Order::new(evidence);
        let grids = shape::grids(evidence, &order);
        let mut board = Board {
            layers: FxHashMap::default(),
            places: Vec::new(),
            cells: Vec::new(),
            labels: Vec::new(),
            pieces: Vec::new(),
            layout: if grids.is_empty() { Layout::Free } else { Layout::Square },
        };
        // Beside a board of hexagons no other could be drawn.
        let is_alone = grids.len() == 1;
        let mut corner = (0, 0);
        let mut line_height = 0;
        for grid in grids {
            let sides: Vec<Vec<TermId>> = grid.sides.iter().map(|side| order.sorted(side)).collect();
            let tiling =
                if is_alone { tiling::tiling(evidence.background, &sides, &grid.cells) } else { Tiling::Squares };
            if tiling != Tiling::Squares {
                board.layout = Layout::Hex;
            }
            let picture = Picture::new(evidence, &sides, tiling);
            if corner.0 > 0 && corner.0 + picture.width > MAX_LINE {
                corner = (0, corner.1 + line_height + 1);
                line_height = 0;
            }
            board.place(&picture, &grid.cells, corner);
            for relation in grid.layers {
                let standing = relation.values.into_iter().map(|value| {
                    let standing = (!value.empty).then(|| {
                        board.pieces.push(glyph::named(evidence, &relation.skeleton, &value.leaves));
                        Standing { piece: board.pieces.len() - 1, seen: value.seen }
                    });
                    (value.leaves, standing)
                });
                let pieces = standing.collect();
                let layer = Layer { keys: relation.keys, grid: board.places.len() - 1, pieces };
                board.layers.insert(relation.skeleton, layer);
            }
            corner.0 += picture.width;
            line_height = line_height.max(picture.height);
        }
        glyph::choose(evidence, &mut board.pieces);
        board
    }

    fn place(&mut self, picture: &Picture<'_>, cells: &[Box<[TermId]>], corner: (i32, i32)) {
        let mut places = FxHashMap::default();
        let mut listed: Vec<_> = cells.iter().filter_map(|keys| Some((picture.position(keys)?, keys))).collect();
        listed.sort_unstable_by_key(|&((x, y), _)| (y, x));
        for ((x, y), keys) in listed {
            places.insert(keys.clone(), self.cells.len());
            let name = picture.name(keys);
            self.cells.push(Cell { name, x: x + corner.0, y: y + corner.1, piece: None, marked: false });
        }
        self.places.push(places);
        let labels = picture.labels(&self.cells).into_iter();
        self.labels.extend(labels.map(|label| Label { x: label.x + corner.0, y: label.y + corner.1, ..label }));
    }

    /// A picture of the state with these facts.
    pub fn view(&self, facts: &[TermId], symbols: &Symbols, terms: &Terms) -> View {
        let mut cells = self.cells.clone();
        let mut told = Vec::new();
        let mut standing: Vec<(usize, Standing, TermId)> = Vec::new();
        for &fact in facts {
            match self.locate(fact, terms) {
                Some((cell, Some(piece))) => standing.push((cell, piece, fact)),
                Some((_, None)) => {}
                None => told.push(fact),
            }
        }
        // Where two things stand on a cell, the rarer one is drawn and the other told in words.
        standing.sort_by_key(|&(cell, piece, _)| (cell, piece.seen, piece.piece));
        for (cell, piece, fact) in standing {
            if cells[cell].piece.is_none() {
                cells[cell].piece = Some(piece.piece);
            } else {
                told.push(fact);
            }
        }
        let mut notes: Vec<String> = self.legend(&cells).into_iter().collect();
        notes.extend(in_words(told, symbols, terms));
        View { layout: self.layout, cells, pieces: self.pieces.clone(), labels: self.labels.clone(), notes }
    }

    /// The cell of a fact and what it puts there, if it can be drawn.
    fn locate(&self, fact: TermId, terms: &Terms) -> Option<(usize, Option<Standing>)> {
        let (skeleton, leaves) = shape::taken_apart(fact, terms);
        let layer = self.layers.get(&skeleton)?;
        let cell = *self.places[layer.grid].get(&picked(&leaves, &layer.keys))?;
        Some((cell, *layer.pieces.get(&others(&leaves, &layer.keys))?))
    }

    /// The cells that a move speaks of, in order.
    pub fn touched(&self, mv: TermId, terms: &Terms) -> Vec<usize> {
        let (_, leaves) = shape::taken_apart(mv, terms);
        let mut touched = Vec::new();
        let mut rest = &leaves[..];
        while !rest.is_empty() {
            let found = self.places.iter().find_map(|places| {
                let keys = places.keys().next()?.len();
                Some((keys, *places.get(rest.get(..keys)?)?))
            });
            let (used, cell) = found.map_or((1, None), |(used, cell)| (used, Some(cell)));
            touched.extend(cell);
            rest = &rest[used..];
        }
        touched
    }

    /// What the signs on the board mean, where they do not say it themselves.
    fn legend(&self, cells: &[Cell]) -> Option<String> {
        let shown = |index: &usize| cells.iter().any(|cell| cell.piece == Some(*index));
        let named = (0..self.pieces.len()).filter(shown).map(|index| &self.pieces[index]);
        let mut words: Vec<String> = named
            .filter(|piece| !piece.name.eq_ignore_ascii_case(&piece.ascii.to_string()))
            .map(|piece| format!("{} {}", piece.ascii, piece.name))
            .collect();
        let mut seen = FxHashSet::default();
        words.retain(|word| seen.insert(word.clone()));
        (!words.is_empty()).then(|| words.join(", "))
    }
}

/// The leaves at some places.
fn picked(leaves: &Leaves, places: &[usize]) -> Box<[TermId]> {
    places.iter().map(|&place| leaves[place]).collect()
}

/// The leaves at all other places.
fn others(leaves: &Leaves, places: &[usize]) -> Box<[TermId]> {
    (0..leaves.len()).filter(|place| !places.contains(place)).map(|place| leaves[place]).collect()
}

/// The facts in words, one line per relation.
fn in_words(mut facts: Vec<TermId>, symbols: &Symbols, terms: &Terms) -> Vec<String> {
    facts.sort_unstable_by(|&left, &right| terms.compare(left, right));
    facts.dedup();
    let mut by_name: BTreeMap<_, Vec<TermId>> = BTreeMap::new();
    for fact in facts {
        by_name.entry(terms.name(fact)).or_default().push(fact);
    }
    let line = |facts: &Vec<TermId>| {
        let told = facts.iter().take(MAX_TOLD).map(|&fact| terms.text(fact, symbols));
        let mut line = told.collect::<Vec<_>>().join(" ");
        if facts.len() > MAX_TOLD {
            let _ = write!(line, " … and {} more", facts.len() - MAX_TOLD);
        }
        line
    };
    by_name.values().map(line).collect()
}
