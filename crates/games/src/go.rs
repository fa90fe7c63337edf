//! Go with area scoring: who has more stones and surrounded points than the other, komi included, wins.
//!
//! Black and white in turn place a stone on an empty point, or pass. Chains without liberties are captured; suicide is
//! forbidden. The ko rule is the simple one: a single stone may not be retaken at once where that would restore the position
//! before the last move. Two passes in a row end the game.
//!
//! Longer cycles (triple ko, sending two and returning one) are allowed, so rules alone would not end every game. The game
//! therefore ends after 3·N² steps at the latest, and the board is scored as it stands. Superko would end it too,
//! but has to remember every position of the game, which would make states large and transpositions false.
//!
//! The score counts empty points for a role if the region that they belong to touches stones of that role only; all
//! stones on the board count as alive, and the shared liberties of a seki count for nobody.
//!
//! Playouts draw from all legal moves, passing included. With [`Rules::eyes`] they leave their own one-point eyes alone and
//! pass only if nothing else is left. A random move is drawn from the empty points until one is legal, which the first
//! nearly always is.

use crate::goban::{Goban, PATTERNS, Points, ROLES, Stones};
use ludens_game::{Move, Rng, Role, TurnGame, View};

const PASS: &str = "pass";

/// The variants of the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// The points that white gets for moving second.
    pub komi: f64,
    /// Whether playouts leave their own one-point eyes alone. Legality is not touched.
    pub eyes: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { komi: 7.5, eyes: false }
    }
}

/// Go on a board that fits into `W` words; see [`words`](crate::goban::words).
#[derive(Clone, Debug)]
pub struct Go<const W: usize> {
    board: Goban<W>,
    rules: Rules,
    max_steps: u32,
}

/// A position.
#[derive(Clone, Debug)]
pub struct State<const W: usize> {
    stones: Stones<W>,
    to_move: Role,
    /// Where the simple ko rule forbids to play.
    ko: Points<W>,
    /// The number of passes since the last stone.
    passes: u8,
    steps: u32,
}

impl<const W: usize> Go<W> {
    /// The game on `size` × `size` points, [`MIN_SIZE`](crate::goban::MIN_SIZE) to [`MAX_SIZE`](crate::goban::MAX_SIZE).
    pub fn new(size: usize, rules: Rules) -> Go<W> {
        let board = Goban::new(size);
        let max_steps = 3 * board.point_count() as u32;
        Go { board, rules, max_steps }
    }

    #[inline]
    fn pass(&self) -> Move {
        Move(self.board.point_count() as u32)
    }

    #[inline]
    fn is_over(&self, state: &State<W>) -> bool {
        state.passes == 2 || state.steps == self.max_steps
    }

    #[inline]
    fn is_legal(&self, state: &State<W>, point: usize) -> bool {
        state.stones.breathes(&self.board, point, state.to_move)
            || state.stones.captures(&self.board, point, state.to_move)
    }

    /// The points that a playout considers, among them some that are not legal.
    #[inline]
    fn considered(&self, state: &State<W>) -> Points<W> {
        let playable = state.stones.empty() - state.ko;
        if self.rules.eyes { playable - state.stones.eyes(&self.board, state.to_move) } else { playable }
    }

    fn push_legal(&self, state: &State<W>, points: Points<W>, out: &mut Vec<Move>) {
        out.clear();
        out.extend(points.iter().filter(|&point| self.is_legal(state, point)).map(|point| Move(point as u32)));
    }
}

impl<const W: usize> TurnGame for Go<W> {
    type State = State<W>;

    fn name(&self) -> String {
        let Rules { komi, eyes } = self.rules;
        let komi = if komi == Rules::default().komi { String::new() } else { format!(",komi={komi}") };
        let eyes = if eyes { ",eyes=on" } else { "" };
        format!("go:{0}x{0}{komi}{eyes}", self.board.size())
    }

    #[inline]
    fn role_names(&self) -> &[&'static str] {
        ROLES
    }

    #[inline]
    fn moves(&self, _role: Role) -> usize {
        self.board.point_count() + 1
    }

    fn initial(&self) -> State<W> {
        State { stones: Stones::new(&self.board), to_move: Role(0), ko: Points::EMPTY, passes: 0, steps: 0 }
    }

    #[inline]
    fn to_move(&self, state: &State<W>) -> Role {
        state.to_move
    }

    fn legals(&self, state: &State<W>, out: &mut Vec<Move>) {
        self.push_legal(state, state.stones.empty() - state.ko, out);
        out.push(self.pass());
    }

    fn playout_moves(&self, state: &State<W>, out: &mut Vec<Move>) {
        self.push_legal(state, self.considered(state), out);
        if !self.rules.eyes || out.is_empty() {
            out.push(self.pass());
        }
    }

    /// Draws from the considered points, and from passing where that is one of the choices; points that turn out not to be
    /// legal are left out of the next draw, so that the legal ones keep equal chances.
    #[inline]
    fn random_move(&self, state: &State<W>, rng: &mut Rng) -> Option<Move> {
        if self.is_over(state) {
            return None;
        }
        let mut points = self.considered(state);
        loop {
            let count = points.len();
            let choices = if self.rules.eyes { count.max(1) } else { count + 1 };
            let draw = rng.below(choices);
            if draw == count {
                return Some(self.pass());
            }
            let point = points.nth(draw);
            if self.is_legal(state, point) {
                return Some(Move(point as u32));
            }
            points -= Points::single(point);
        }
    }

    #[inline]
    fn play(&self, state: &mut State<W>, mv: Move) {
        state.ko = Points::EMPTY;
        if mv == self.pass() {
            state.passes += 1;
        } else {
            let placed = state.stones.place(&self.board, mv.index(), state.to_move);
            state.passes = 0;
            // The captured stone could be retaken at once, and alone, exactly if the new stone stands alone and has no liberty
            // but the one that it captured.
            let [last_liberty, _] = placed.last_liberties;
            if placed.captured.is_single()
                && placed.captured == last_liberty
                && state.stones.chain(mv.index()).stones.is_single()
            {
                state.ko = placed.captured;
            }
        }
        state.to_move = state.to_move.other();
        state.steps += 1;
    }

    #[inline]
    fn scores(&self, state: &State<W>, out: &mut [f64]) -> bool {
        let over = self.is_over(state);
        if over {
            let [black, white] = [Role(0), Role(1)].map(|role| f64::from(state.stones.area(&self.board, role).len()));
            let lead = black - white - self.rules.komi;
            out[0] = if lead == 0.0 { 0.5 } else { f64::from(u8::from(lead > 0.0)) };
            out[1] = 1.0 - out[0];
        }
        over
    }

    fn code_count(&self, _role: Role) -> usize {
        self.board.point_count() * PATTERNS + 1
    }

    fn codes(&self, state: &State<W>, moves: &[Move], out: &mut Vec<u32>) {
        out.clear();
        let code = state.stones.codes(&self.board, state.to_move);
        out.extend(moves.iter().map(|&mv| match mv {
            mv if mv == self.pass() => (self.board.point_count() * PATTERNS) as u32,
            mv => code(mv.index()),
        }));
    }

    /// Leaves out the number of steps, which matters near the limit only: with it no position could be reached in two ways
    /// of different length.
    #[inline]
    fn hash(&self, state: &State<W>) -> Option<u64> {
        let rest = u64::from(state.to_move.0) << 2 | u64::from(state.passes);
        Some(state.ko.hash(state.stones.hash(rest)))
    }

    fn move_name(&self, _role: Role, mv: Move) -> String {
        if mv == self.pass() { PASS.to_owned() } else { self.board.point_name(mv.index()) }
    }

    fn parse_move(&self, _role: Role, text: &str) -> Option<Move> {
        if text.eq_ignore_ascii_case(PASS) {
            return Some(self.pass());
        }
        self.board.parse_point(text).map(|point| Move(point as u32))
    }

    fn view(&self, state: &State<W>) -> View {
        let mut view = state.stones.view(&self.board);
        view.notes.extend(state.ko.iter().map(|point| format!("ko at {}", self.board.point_name(point))));
        if state.passes > 0 {
            view.notes.push(format!("{} passed", ROLES[state.to_move.other().index()]));
        }
        view
    }

    fn touched_cells(&self, _role: Role, mv: Move) -> Vec<usize> {
        if mv == self.pass() { Vec::new() } else { vec![mv.index()] }
    }
}
