//! Domineering (Göran Andersson, 1973).
//!
//! Two players take turns to cover two adjacent empty cells with a domino: `vertical`, who begins, two cells of a file,
//! `horizontal` two cells of a rank. Who cannot move has lost.
//!
//! One word holds the empty cells; the moves of a side are the empty cells whose neighbour above, or to the right, is
//! empty as well. Whose dominoes cover the other cells matters only for the picture.

use crate::bits::{Word, random_cell};
use crate::grid::{Grid, Look, Step};
use ludens_game::{Move, Piece, Rng, Role, TurnGame, View};

/// The fewest files, and the fewest ranks.
pub const MIN_SIDE: usize = 2;
/// The most files, and the most ranks.
pub const MAX_SIDE: usize = 11;

/// Domineering on a board of at most `W::BITS` cells. A move is the lower or left cell of its domino.
#[derive(Debug)]
pub struct Domineering<W> {
    grid: Grid,
    sides: [Side<W>; 2],
}

/// What one side needs to know.
#[derive(Debug)]
struct Side<W> {
    /// From the first cell of a domino to the second.
    along: Look<W>,
    /// A domino on cell 0.
    domino: W,
    /// From the first cell of a domino to the cells next to it.
    around: [Look<W>; NEXT_CELLS],
}

const NEXT_CELLS: usize = 6;

/// From the first to the second cell of each side's dominoes.
const ALONG: [Step; 2] = [(0, 1), (1, 0)];

/// A position of [`Domineering`].
#[derive(Clone, Debug)]
pub struct State<W> {
    empty: W,
    /// The cells that the side to move has covered.
    own: W,
    /// The cells that the other side has covered.
    other: W,
    mover: Role,
}

impl<W: Word> Domineering<W> {
    /// The game on `width` files and `height` ranks.
    pub fn new(width: usize, height: usize) -> Domineering<W> {
        debug_assert!((MIN_SIDE..=MAX_SIDE).contains(&width) && (MIN_SIDE..=MAX_SIDE).contains(&height));
        let grid = Grid { width, height };
        let side = |along: Step| Side {
            along: Look::new(grid, along),
            domino: W::cell(0) | W::cell(along.0 as usize + along.1 as usize * width),
            around: around(along).map(|step| Look::new(grid, step)),
        };
        Domineering { grid, sides: ALONG.map(side) }
    }

    #[inline]
    fn side(&self, role: Role) -> &Side<W> {
        &self.sides[role.index() & 1]
    }

    /// The first cells of all dominoes that the side to move can place.
    #[inline]
    fn placeable(&self, state: &State<W>) -> W {
        state.empty & self.side(state.mover).along.at(state.empty)
    }

    /// The two cells of a domino.
    fn ends(&self, role: Role, mv: Move) -> Option<(usize, usize)> {
        Some((mv.index(), self.grid.neighbour(mv.index(), ALONG[role.index()])?))
    }
}

/// The steps from the first cell of a domino to the cells next to it: before, beyond, and on both sides of each cell.
fn around((dx, dy): Step) -> [Step; NEXT_CELLS] {
    [(-dx, -dy), (2 * dx, 2 * dy), (dy, dx), (-dy, -dx), (dx + dy, dy + dx), (dx - dy, dy - dx)]
}

impl<W: Word> TurnGame for Domineering<W> {
    type State = State<W>;

    fn name(&self) -> String {
        format!("domineering:{}x{}", self.grid.width, self.grid.height)
    }

    fn role_names(&self) -> &[&'static str] {
        &["vertical", "horizontal"]
    }

    fn moves(&self, _role: Role) -> usize {
        self.grid.cells()
    }

    fn initial(&self) -> State<W> {
        State { empty: self.grid.set(|_| true), own: W::EMPTY, other: W::EMPTY, mover: Role(0) }
    }

    #[inline]
    fn to_move(&self, state: &State<W>) -> Role {
        state.mover
    }

    #[inline]
    fn legals(&self, state: &State<W>, out: &mut Vec<Move>) {
        out.clear();
        out.extend(self.placeable(state).cells().map(|cell| Move(cell as u32)));
    }

    #[inline]
    fn has_fast_draws(&self) -> bool {
        true
    }

    #[inline]
    fn random_move(&self, state: &State<W>, rng: &mut Rng) -> Option<Move> {
        let (_, cell) = random_cell([self.placeable(state)], rng)?;
        Some(Move(cell as u32))
    }

    #[inline]
    fn play(&self, state: &mut State<W>, mv: Move) {
        let domino = self.side(state.mover).domino << mv.0;
        *state = State {
            empty: state.empty ^ domino,
            own: state.other,
            other: state.own | domino,
            mover: state.mover.other(),
        };
    }

    #[inline]
    fn scores(&self, state: &State<W>, out: &mut [f64]) -> bool {
        let over = self.placeable(state) == W::EMPTY;
        if over {
            out[state.mover.index()] = 0.0;
            out[state.mover.other().index()] = 1.0;
        }
        over
    }

    fn code_count(&self, role: Role) -> usize {
        TurnGame::moves(self, role) << NEXT_CELLS
    }

    /// Which of the cells next to the domino are empty.
    #[inline]
    fn codes(&self, state: &State<W>, moves: &[Move], out: &mut Vec<u32>) {
        let empty_next = self.side(state.mover).around.map(|look| look.at(state.empty));
        let code = |mv: &Move| empty_next.iter().fold(mv.0, |code, next| code << 1 | u32::from(next.has(mv.index())));
        out.clear();
        out.extend(moves.iter().map(code));
    }

    #[inline]
    fn hash(&self, state: &State<W>) -> Option<u64> {
        Some(state.empty.hash(u64::from(state.mover.0)))
    }

    fn move_name(&self, role: Role, mv: Move) -> String {
        let (first, second) = self.ends(role, mv).expect("a legal move stays on the board");
        self.grid.pair_name(first, second)
    }

    /// Also reads the cells in the other order.
    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        let (one, two) = self.grid.parse_pair(text)?;
        let ends = (one.min(two), one.max(two));
        let mv = Move(ends.0 as u32);
        (self.ends(role, mv) == Some(ends)).then_some(mv)
    }

    fn view(&self, state: &State<W>) -> View {
        let pieces =
            vec![Piece::of(Role(0), "vertical domino", '┃', '|'), Piece::of(Role(1), "horizontal domino", '━', '-')];
        let mut view = View::square(self.grid.width, self.grid.height, pieces);
        for (role, covered) in [(state.mover, state.own), (state.mover.other(), state.other)] {
            for cell in covered.cells() {
                view.cells[cell].piece = Some(role.index());
            }
        }
        view
    }

    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize> {
        self.ends(role, mv).map_or_else(Vec::new, |(first, second)| vec![first, second])
    }
}
