//! Havannah (Christian Freeling, 1979): connection in three shapes.
//!
//! White and black in turn place a stone on any empty cell of a hexagonal board; stones stay. Whoever completes one of these
//! with stones of the own colour wins:
//! - a **ring**: a loop around at least one cell, whatever is on the cells inside;
//! - a **bridge**: a chain that connects two of the six corner cells;
//! - a **fork**: a chain that touches three of the six edges; corner cells belong to no edge.
//!
//! A full board without any of them is a draw. There is no swap rule: nothing makes up for white's first move.
//!
//! Cells are named by file and rank: `a1` is the lower left corner. Ranks are the rows, counted upwards; files are the lines
//! that rise to the left, so that those of side 4 begin at `a1`, `b1`, `c1`, `d1`, `e2`, `f3` and `g4`.
//!
//! # How rings are found
//!
//! Chains are the trees of a union-find forest whose roots know the edges and corners that their chain touches. That leaves
//! the rings. Let `p` be the cell of a new stone, "foreign" every cell without an own stone, and let the cells beyond the
//! border be foreign, too: they are the outside. A colour has a ring if and only if
//! - (A) some foreign cell cannot reach the outside over foreign cells: own stones around it form a loop; or
//! - (B) some own stone has six own neighbours. For if a loop encloses no foreign cell, it encloses an own one, whose
//!   neighbours are inside or on the loop.
//!
//! The neighbours of `p` that are own form *runs* around `p`, separated by gaps of foreign cells. If there was no ring before:
//! - (B) becomes true if and only if `p` is the last of the six: the stone in question is a neighbour of `p` with an own
//!   neighbour of `p` on both sides, the *middle* of three. (`p` itself cannot be it: its neighbours were a ring before.)
//! - (A) becomes true if and only if two runs belonged to the same chain. If they did, their connection and `p` are a loop
//!   with one gap on either side; one of the two gaps is inside, and not beyond the border, since nothing there can be
//!   inside. Conversely, a newly enclosed cell reached the outside over `p` before: in by one gap and out by another. The new
//!   loop has the one inside and the other outside, so it comes to `p` by a run on one side between them and leaves by
//!   a run on the other, and it joins these two without `p`.

use crate::hexboard::{FILLED, HexBoard, MAX_CELLS, RUNS, Stones};
use ludens_game::{Move, Piece, Rng, Role, TurnGame, View};

/// The smallest side of a board.
pub const MIN_SIDE: usize = 3;
/// The largest side of a board.
pub const MAX_SIDE: usize = crate::hexboard::MAX_SIDE;
/// The usual side of a board.
pub const DEFAULT_SIDE: usize = 8;

/// Havannah on a board of some side.
pub struct Havannah {
    board: HexBoard,
}

/// A position of [`Havannah`].
#[derive(Clone)]
pub struct State {
    /// The stones of each role.
    stones: [Stones; 2],
    /// What a cell links to. An empty cell: its place in `empties`. A stone: another stone of its chain, nearer to the
    /// chain's root. A root: [`ROOT`] and the union of [`Site::border`](crate::hexboard::Site::border) over the chain.
    links: [u16; MAX_CELLS],
    /// The empty cells, in any order; only the first `empty` count.
    empties: [u16; MAX_CELLS],
    empty: u16,
    to_move: Role,
    winner: Option<Role>,
}

/// Marks the root of a chain in [`State::links`].
const ROOT: u16 = 1 << 15;

const EDGES: u16 = 0b111111;
const CORNERS: u16 = 0b111111 << 6;

impl Havannah {
    /// The game on a board of the given side, from [`MIN_SIDE`] to [`MAX_SIDE`].
    pub fn new(side: usize) -> Havannah {
        assert!((MIN_SIDE..=MAX_SIDE).contains(&side), "no Havannah board of side {side}");
        Havannah { board: HexBoard::new(side) }
    }
}

impl State {
    /// Takes a cell out of the empty ones: the last of them moves to its place.
    #[inline]
    fn occupy(&mut self, cell: usize) {
        self.empty -= 1;
        let last = self.empties[usize::from(self.empty)];
        let place = self.links[cell];
        self.empties[usize::from(place)] = last;
        self.links[usize::from(last)] = place;
    }

    /// The root of a stone's chain.
    #[inline]
    fn root_of(&self, mut stone: usize) -> usize {
        while self.links[stone] & ROOT == 0 {
            stone = usize::from(self.links[stone]);
        }
        stone
    }

    /// The root of a stone's chain. Halves the way there for the next time.
    #[inline]
    fn root(&mut self, mut stone: usize) -> usize {
        loop {
            let parent = self.links[stone];
            if parent & ROOT != 0 {
                return stone;
            }
            let grandparent = self.links[usize::from(parent)];
            if grandparent & ROOT != 0 {
                return usize::from(parent);
            }
            self.links[stone] = grandparent;
            stone = usize::from(grandparent);
        }
    }
}

/// Whether a chain that touches these edges and corners is a bridge or a fork.
#[inline]
fn is_bridge_or_fork(border: u16) -> bool {
    let without_lowest = |bits: u16| bits & bits.wrapping_sub(1);
    without_lowest(border & CORNERS) != 0 || without_lowest(without_lowest(border & EDGES)) != 0
}

impl TurnGame for Havannah {
    type State = State;

    fn name(&self) -> String {
        format!("havannah:{}", self.board.side)
    }

    fn role_names(&self) -> &[&'static str] {
        &["white", "black"]
    }

    #[inline]
    fn moves(&self, _role: Role) -> usize {
        self.board.cells()
    }

    fn initial(&self) -> State {
        let cells = std::array::from_fn(|cell| cell as u16);
        State {
            stones: [Stones::NONE; 2],
            links: cells,
            empties: cells,
            empty: self.board.cells() as u16,
            to_move: Role(0),
            winner: None,
        }
    }

    #[inline]
    fn to_move(&self, state: &State) -> Role {
        state.to_move
    }

    fn legals(&self, state: &State, out: &mut Vec<Move>) {
        let [white, black] = &state.stones;
        out.clear();
        out.extend(
            (self.board.sites.iter().enumerate())
                .filter(|(_, site)| !white.has(site) && !black.has(site))
                .map(|(cell, _)| Move(cell as u32)),
        );
    }

    #[inline]
    fn has_fast_draws(&self) -> bool {
        true
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng) -> Option<Move> {
        if state.winner.is_some() || state.empty == 0 {
            return None;
        }
        let place = rng.below(u32::from(state.empty));
        Some(Move(u32::from(state.empties[place as usize])))
    }

    /// As [`play`](TurnGame::play) finds it, but nothing changes.
    #[inline]
    fn wins(&self, state: &State, mv: Move) -> Option<bool> {
        let site = &self.board.sites[mv.index()];
        let own = &state.stones[state.to_move.index()];
        let runs = &RUNS[own.around(site)];
        let (heads, is_inner) = (runs.heads(), site.border == 0);
        if (heads.is_empty() || heads.len() == 1 && is_inner) && runs.middles().next().is_none() {
            // Most moves join nothing to anything.
            return Some(false);
        }
        let mut border = site.border;
        let mut chains = [usize::MAX; 3];
        for (place, &head) in heads.iter().enumerate() {
            let root = state.root_of(usize::from(site.neighbours[usize::from(head)]));
            if chains.contains(&root) {
                return Some(true);
            }
            chains[place] = root;
            border |= state.links[root];
        }
        if is_bridge_or_fork(border) {
            return Some(true);
        }
        let mut own = own.clone();
        own.put(site);
        Some(runs.middles().any(|middle| {
            let stone = usize::from(site.neighbours[middle]);
            own.around(&self.board.sites[stone]) == FILLED
        }))
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let cell = mv.index();
        let site = &self.board.sites[cell];
        state.occupy(cell);
        let own = &mut state.stones[state.to_move.index()];
        let runs = &RUNS[own.around(site)];
        own.put(site);
        let mut ring = runs.middles().any(|middle| {
            let stone = usize::from(site.neighbours[middle]);
            own.around(&self.board.sites[stone]) == FILLED
        });
        // The chain of each run takes up the new stone with all that it connects so far.
        let mut chain = cell;
        let mut border = ROOT | site.border;
        state.links[chain] = border;
        for &head in runs.heads() {
            let root = state.root(usize::from(site.neighbours[usize::from(head)]));
            ring |= root == chain;
            border |= state.links[root];
            state.links[chain] = root as u16;
            state.links[root] = border;
            chain = root;
        }
        if ring || is_bridge_or_fork(border) {
            state.winner = Some(state.to_move);
        }
        state.to_move = state.to_move.other();
    }

    #[inline]
    fn scores(&self, state: &State, out: &mut [f64]) -> bool {
        match state.winner {
            Some(winner) => {
                out[winner.index()] = 1.0;
                out[winner.other().index()] = 0.0;
            }
            None if state.empty == 0 => out.fill(0.5),
            None => return false,
        }
        true
    }

    fn hash(&self, state: &State) -> Option<u64> {
        let ranks = self.board.ranks();
        let [white, black] = &state.stones;
        let rows = white.ranks(ranks).iter().zip(black.ranks(ranks));
        // Whose turn it is follows from the number of stones.
        let hash = rows.fold(0, |hash: u64, (&white, &black)| {
            let mixed = (hash ^ (u64::from(white) << 32 | u64::from(black))).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed ^ mixed >> 29
        });
        let hash = hash.wrapping_mul(0x94d0_49bb_1331_11eb);
        Some(hash ^ hash >> 31)
    }

    fn move_name(&self, _role: Role, mv: Move) -> String {
        self.board.cell_name(mv.index())
    }

    fn parse_move(&self, _role: Role, text: &str) -> Option<Move> {
        self.board.parse_cell(text).map(|cell| Move(cell as u32))
    }

    fn view(&self, state: &State) -> View {
        let white = Piece::of(Role(0), "white stone", '○', 'O');
        let black = Piece::of(Role(1), "black stone", '●', 'X');
        let mut view = self.board.view(vec![white, black]);
        for (cell, site) in view.cells.iter_mut().zip(&self.board.sites) {
            cell.piece = state.stones.iter().position(|stones| stones.has(site));
        }
        view
    }

    fn touched_cells(&self, _role: Role, mv: Move) -> Vec<usize> {
        vec![mv.index()]
    }
}
