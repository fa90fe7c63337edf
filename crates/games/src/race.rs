//! Races of two armies across a board: what Breakthrough and Knightthrough have in common.
//!
//! White fills the two lowest ranks and moves first, Black fills the two highest. A piece moves only forward, by one of
//! the steps of its kind. Whoever reaches the farthest rank, or takes the last piece of the other side, wins.
//!
//! The position is seen from the side to move: its own pieces and the others', two words that change places with every
//! move. Both sides use the same code with their own tables. For each step one word holds the pieces that can make it;
//! counting and choosing in those words ([`random_cell`]) is all that a random move costs. Moving flips the two cells of
//! the move's path in the own pieces and clears them in the others'.

use crate::bits::{Word, random_cell};
use crate::grid::{Grid, Look, Step};
use ludens_game::{Move, Piece, Rng, Role, TurnGame, View};
use std::marker::PhantomData;

/// A kind of piece that races: it has `N` steps.
pub trait Runner<const N: usize>: Send + Sync + 'static {
    /// The name of the race.
    const GAME: &'static str;
    /// The steps of White's pieces; Black's go down instead of up.
    const STEPS: [Advance; N];
    /// The pieces of White and of Black.
    fn pieces() -> [Piece; 2];
}

/// One way to move forward.
#[derive(Clone, Copy, Debug)]
pub struct Advance {
    /// Files to the right and ranks forward.
    pub step: Step,
    /// Whether the step may take a piece of the other side; otherwise it leads to empty cells only.
    pub captures: bool,
}

/// A race of pieces of kind `R` on a board that fits the word `W`.
///
/// A move is its origin and its step: `origin * N + step`.
#[derive(Debug)]
pub struct Race<R, W, const N: usize> {
    grid: Grid,
    sides: [Side<W, N>; 2],
    runner: PhantomData<R>,
}

/// What one side needs to know.
#[derive(Debug)]
struct Side<W, const N: usize> {
    start: W,
    goal: W,
    looks: [Look<W>; N],
    /// Of every move the two cells that it touches; nothing if it leaves the board.
    paths: Box<[W]>,
}

/// A position of a race.
#[derive(Clone, Debug)]
pub struct State<W> {
    own: W,
    other: W,
    mover: Role,
}

const WHITE: Role = Role(0);
const START_RANKS: usize = 2;

impl<R: Runner<N>, W: Word, const N: usize> Race<R, W, N> {
    /// A race on a board on which both armies have room.
    pub(crate) fn on(grid: Grid) -> Race<R, W, N> {
        assert!(grid.height >= 2 * START_RANKS);
        let side = |role: Role, start, goal| {
            let steps = R::STEPS.map(|advance| forward(role, advance.step));
            let path = |origin, step| grid.neighbour(origin, step).map(|target| W::cell(origin) | W::cell(target));
            Side {
                start: grid.ranks(start),
                goal: grid.ranks(goal),
                looks: steps.map(|step| Look::new(grid, step)),
                paths: (0..grid.cells())
                    .flat_map(|origin| steps.map(|step| path(origin, step).unwrap_or(W::EMPTY)))
                    .collect(),
            }
        };
        let top = grid.height;
        let white = side(WHITE, 0..START_RANKS, top - 1..top);
        let black = side(WHITE.other(), top - START_RANKS..top, 0..1);
        Race { grid, sides: [white, black], runner: PhantomData }
    }

    #[inline]
    fn side(&self, role: Role) -> &Side<W, N> {
        &self.sides[role.index() & 1]
    }

    /// Whether the side that has just moved has won.
    #[inline]
    fn is_lost(&self, state: &State<W>) -> bool {
        state.other & self.side(state.mover.other()).goal != W::EMPTY || state.own == W::EMPTY
    }

    /// For each step the pieces that can make it.
    #[inline]
    fn movable(&self, state: &State<W>) -> [W; N] {
        let side = self.side(state.mover);
        let empty = !(state.own | state.other);
        std::array::from_fn(|index| {
            let target = if R::STEPS[index].captures { !state.own } else { empty };
            state.own & side.looks[index].at(target)
        })
    }

    /// Origin and target of a move.
    fn ends(&self, role: Role, mv: Move) -> Option<(usize, usize)> {
        let origin = mv.index() / N;
        let target = self.grid.neighbour(origin, forward(role, R::STEPS[mv.index() % N].step))?;
        Some((origin, target))
    }
}

/// A step of White's as `role` makes it.
fn forward(role: Role, (files, ranks): Step) -> Step {
    if role == WHITE { (files, ranks) } else { (files, -ranks) }
}

impl<R: Runner<N>, W: Word, const N: usize> TurnGame for Race<R, W, N> {
    type State = State<W>;

    fn name(&self) -> String {
        format!("{}:{}x{}", R::GAME, self.grid.width, self.grid.height)
    }

    fn role_names(&self) -> &[&'static str] {
        &["white", "black"]
    }

    fn moves(&self, _role: Role) -> usize {
        self.grid.cells() * N
    }

    fn initial(&self) -> State<W> {
        let [white, black] = &self.sides;
        State { own: white.start, other: black.start, mover: WHITE }
    }

    #[inline]
    fn to_move(&self, state: &State<W>) -> Role {
        state.mover
    }

    #[inline]
    fn legals(&self, state: &State<W>, out: &mut Vec<Move>) {
        out.clear();
        let movable = self.movable(state);
        let origins = movable.iter().fold(W::EMPTY, |any, &pieces| any | pieces);
        for origin in origins.cells() {
            let steps = (0..N).filter(|&step| movable[step].has(origin));
            out.extend(steps.map(|step| Move((origin * N + step) as u32)));
        }
    }

    #[inline]
    fn has_fast_draws(&self) -> bool {
        true
    }

    #[inline]
    fn random_move(&self, state: &State<W>, rng: &mut Rng) -> Option<Move> {
        if self.is_lost(state) {
            return None;
        }
        let (step, origin) = random_cell(self.movable(state), rng)?;
        Some(Move((origin * N + step) as u32))
    }

    #[inline]
    fn play(&self, state: &mut State<W>, mv: Move) {
        let path = self.side(state.mover).paths[mv.index()];
        *state = State { own: state.other & !path, other: state.own ^ path, mover: state.mover.other() };
    }

    #[inline]
    fn scores(&self, state: &State<W>, out: &mut [f64]) -> bool {
        let over = self.is_lost(state);
        if over {
            out[state.mover.index()] = 0.0;
            out[state.mover.other().index()] = 1.0;
        }
        over
    }

    fn code_count(&self, role: Role) -> usize {
        2 * TurnGame::moves(self, role)
    }

    /// Whether the move captures.
    #[inline]
    fn codes(&self, state: &State<W>, moves: &[Move], out: &mut Vec<u32>) {
        let paths = &self.side(state.mover).paths;
        out.clear();
        out.extend(moves.iter().map(|mv| 2 * mv.0 + u32::from(paths[mv.index()] & state.other != W::EMPTY)));
    }

    #[inline]
    fn hash(&self, state: &State<W>) -> Option<u64> {
        Some(state.other.hash(state.own.hash(u64::from(state.mover.0))))
    }

    fn move_name(&self, role: Role, mv: Move) -> String {
        let (origin, target) = self.ends(role, mv).expect("a legal move stays on the board");
        self.grid.pair_name(origin, target)
    }

    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        let ends = self.grid.parse_pair(text)?;
        let mut moves = (0..N).map(|step| Move((ends.0 * N + step) as u32));
        moves.find(|&mv| self.ends(role, mv) == Some(ends))
    }

    fn view(&self, state: &State<W>) -> View {
        let mut view = View::square(self.grid.width, self.grid.height, R::pieces().to_vec());
        for (role, pieces) in [(state.mover, state.own), (state.mover.other(), state.other)] {
            for cell in pieces.cells() {
                view.cells[cell].piece = Some(role.index());
            }
        }
        view
    }

    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize> {
        self.ends(role, mv).map_or_else(Vec::new, |(origin, target)| vec![origin, target])
    }
}
