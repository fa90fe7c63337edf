//! [`Interpreter`]: the rules as a game, straight from the clauses. Slow and obvious.
//!
//! It is the oracle that the [`Machine`](crate::machine::Machine) is tested against, and what plays the games that cannot
//! be grounded.

mod prover;

use crate::game::{GdlGame, mix, score};
use crate::rules::{Rules, relation};
use crate::terms::TermId;
use crate::view::{self, Background, Board, Evidence};
use ludens_game::{Game, Move, Role, Turn, View};
use prover::Prover;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Room for the moves of a role that are numbered as they appear: where nothing is known of them in advance, and where
/// `input` names them.
const MAX_MOVES: usize = 1 << 20;
const SPARE_MOVES: usize = 1 << 10;

/// A game that is played by proving.
pub struct Interpreter {
    name: String,
    rules: Arc<Rules>,
    initial: Facts,
    /// Per role: its moves have numbers below this.
    capacity: Vec<usize>,
    desk: Mutex<Desk>,
    board: OnceLock<Board>,
}

/// A state: the facts that are true, sorted.
pub type Facts = Arc<[TermId]>;

/// What changes while questions are answered. Only answers leave it.
struct Desk {
    prover: Prover,
    /// The state that the prover has in mind.
    state: Option<Facts>,
    moves: Vec<Moves>,
}

/// The moves of one role.
#[derive(Default)]
struct Moves {
    list: Vec<TermId>,
    numbers: FxHashMap<TermId, Move>,
}

impl Moves {
    fn number(&mut self, term: TermId) -> Move {
        let next = Move(self.list.len() as u32);
        *self.numbers.entry(term).or_insert_with(|| {
            self.list.push(term);
            next
        })
    }
}

impl Interpreter {
    /// The game of `rules`.
    ///
    /// Moves that `input` names have their numbers from the start. Others get theirs when they are first legal, so a game
    /// without `input` that is searched by several threads may number them differently each time.
    pub fn new(name: &str, rules: Arc<Rules>) -> Interpreter {
        let mut prover = Prover::new(Arc::clone(&rules));
        let facts = prover.ask(relation::INIT, &[None]);
        let initial = facts.iter().map(|row| row[0]).collect();
        let mut moves = Vec::new();
        let mut capacity = Vec::new();
        for &role in &rules.roles {
            let mut rows = prover.ask(relation::INPUT, &[Some(role), None]);
            rows.sort_unstable_by(|a, b| prover.terms.compare(a[1], b[1]));
            let mut known = Moves::default();
            for row in &rows {
                known.number(row[1]);
            }
            capacity.push(if rows.is_empty() { MAX_MOVES } else { rows.len() + SPARE_MOVES });
            moves.push(known);
        }
        let desk = Mutex::new(Desk { prover, state: None, moves });
        Interpreter { name: name.to_owned(), rules, initial, capacity, desk, board: OnceLock::new() }
    }

    /// Whether some question was given up because it took too much work or went too deep; answers may then be missing.
    pub fn exhausted(&self) -> bool {
        self.lock().prover.exhausted
    }

    /// Whether everything that can be asked of the initial state has an answer.
    pub fn can_start(&self) -> bool {
        let state = self.initial();
        self.is_terminal(&state);
        for role in Role::all(self.roles()) {
            self.goals(&state, role);
            self.legal_count(&state, role);
        }
        !self.exhausted()
    }

    /// How states are drawn, as far as a short walk shows it.
    fn board(&self) -> &Board {
        self.board.get_or_init(|| {
            let states: Vec<Vec<TermId>> = view::samples(self).iter().map(|state| state.to_vec()).collect();
            let desk = self.lock();
            Board::detect(Evidence {
                background: &Background::new(&self.rules),
                symbols: &self.rules.symbols,
                terms: &desk.prover.terms,
                possible: &[],
                complete: false,
                states: &states,
            })
        })
    }

    fn lock(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The prover with `state` in mind.
    fn at(&self, state: &Facts) -> MutexGuard<'_, Desk> {
        let mut desk = self.lock();
        if desk.state.as_ref() != Some(state) {
            desk.prover.set_state(state);
            desk.state = Some(Arc::clone(state));
        }
        desk
    }

    fn legal_count(&self, state: &Facts, role: Role) -> usize {
        let role = self.rules.roles[role.index()];
        self.at(state).prover.ask(relation::LEGAL, &[Some(role), None]).len()
    }
}

impl GdlGame for Interpreter {
    fn facts(&self, state: &Facts) -> Vec<String> {
        let desk = self.lock();
        state.iter().map(|&fact| desk.prover.terms.text(fact, &self.rules.symbols)).collect()
    }

    fn is_terminal(&self, state: &Facts) -> bool {
        !self.at(state).prover.ask(relation::TERMINAL, &[]).is_empty()
    }

    fn goals(&self, state: &Facts, role: Role) -> Vec<i32> {
        let mut desk = self.at(state);
        let rows = desk.prover.ask(relation::GOAL, &[Some(self.rules.roles[role.index()]), None]);
        let text = |term| desk.prover.terms.text(term, &self.rules.symbols);
        rows.iter().filter_map(|row| text(row[1]).parse().ok()).collect()
    }
}

impl Game for Interpreter {
    type State = Facts;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn engine(&self) -> &'static str {
        "interp"
    }

    fn role_names(&self) -> Vec<String> {
        self.rules.roles.iter().map(|&role| self.rules.terms.text(role, &self.rules.symbols)).collect()
    }

    fn roles(&self) -> usize {
        self.rules.roles.len()
    }

    fn moves(&self, role: Role) -> usize {
        self.capacity[role.index()]
    }

    fn initial(&self) -> Facts {
        Arc::clone(&self.initial)
    }

    fn turn(&self, state: &Facts) -> Turn {
        let mut deciders = Role::all(self.roles()).filter(|&role| self.legal_count(state, role) > 1);
        match (deciders.next(), deciders.next()) {
            (decider, None) => Turn::One(decider.unwrap_or(Role(0))),
            _ => Turn::Many,
        }
    }

    fn legals(&self, state: &Facts, role: Role, out: &mut Vec<Move>) {
        let mut desk = self.at(state);
        let mut rows = desk.prover.ask(relation::LEGAL, &[Some(self.rules.roles[role.index()]), None]);
        let Desk { prover, moves, .. } = &mut *desk;
        rows.sort_unstable_by(|a, b| prover.terms.compare(a[1], b[1]));
        out.clear();
        out.extend(rows.iter().map(|row| moves[role.index()].number(row[1])));
        out.retain(|mv| mv.index() < self.capacity[role.index()]);
        out.sort_unstable();
    }

    fn advance(&self, state: &mut Facts, joint: &[Move]) {
        let mut desk = self.at(state);
        let does: Vec<_> = (self.rules.roles.iter().zip(&desk.moves).zip(joint))
            .map(|((&role, moves), mv)| [role, moves.list[mv.index()]])
            .collect();
        desk.prover.set_moves(&does);
        let facts = desk.prover.ask(relation::NEXT, &[None]);
        desk.prover.set_moves(&[]);
        *state = facts.iter().map(|row| row[0]).collect();
    }

    fn scores(&self, state: &Facts, out: &mut [f64]) -> bool {
        let terminal = self.is_terminal(state);
        if terminal {
            for (role, place) in Role::all(self.roles()).zip(out) {
                *place = score(self.goals(state, role));
            }
        }
        terminal
    }

    fn hash(&self, state: &Facts) -> Option<u64> {
        let desk = self.lock();
        Some(state.iter().fold(0, |sum, &fact| sum.wrapping_add(mix(desk.prover.terms.hash(fact)))))
    }

    fn move_name(&self, role: Role, mv: Move) -> String {
        let desk = self.lock();
        desk.prover.terms.text(desk.moves[role.index()].list[mv.index()], &self.rules.symbols)
    }

    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        let mut desk = self.lock();
        let term = desk.prover.terms.find_text(text, &self.rules.symbols)?;
        let mv = desk.moves[role.index()].number(term);
        Some(mv).filter(|mv| mv.index() < self.capacity[role.index()])
    }

    fn view(&self, state: &Facts) -> View {
        let board = self.board();
        board.view(state, &self.rules.symbols, &self.lock().prover.terms)
    }

    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize> {
        let board = self.board();
        let desk = self.lock();
        board.touched(desk.moves[role.index()].list[mv.index()], &desk.prover.terms)
    }
}
