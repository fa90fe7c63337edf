//! [`Interpreter`]: the rules as a game, straight from the clauses. Slow and obvious.
//!
//! It is the oracle that the [`Machine`](crate::machine::Machine) is tested against, and what plays the games that cannot
//! be grounded. Every question is answered within the [`Limits`](crate::Limits) of the sheet. A position about which one cannot be
//! answered is over, nobody has won it, and [`failure`](Game::failure) tells why.

mod excess;
mod prover;

pub use excess::Failure;

use crate::game::{GdlGame, mix, score};
use crate::ranges::Ranges;
use crate::rules::{Rules, relation};
use crate::terms::TermId;
use crate::view::{self, Background, Board, Evidence};
use excess::{Excess, Limit};
use ludens_game::{Game, Move, Role, Seed, Turn, View};
use prover::Prover;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Room for moves that `input` forgot.
const SPARE_MOVES: usize = 1 << 10;

/// How long the walk is that tries a game out, and how much it may cost in all, in questions at their limit.
const TRIAL_STEPS: u32 = 200;
const TRIAL_COST: u64 = 2;

/// A game that is played by proving.
pub struct Interpreter {
    name: String,
    rules: Arc<Rules>,
    initial: State,
    /// Per role: its moves have numbers below this.
    capacity: Vec<usize>,
    scratch: Mutex<Scratch>,
    board: OnceLock<Board>,
}

/// A state: the facts that are true, and what follows from them, which is worked out when somebody asks.
#[derive(Clone)]
pub struct State(Arc<Situation>);

struct Situation {
    /// Sorted.
    facts: Box<[TermId]>,
    outlook: OnceLock<Outlook>,
}

/// What follows from a state.
enum Outlook {
    /// The legal moves of every role, ascending.
    Open(Vec<Box<[Move]>>),
    /// The scores.
    Over(Box<[f64]>),
    Failed(Arc<Failure>),
}

impl State {
    fn new(facts: Result<Vec<TermId>, Failure>) -> State {
        let (facts, outlook) = match facts {
            Ok(facts) => (facts, OnceLock::new()),
            Err(failure) => (Vec::new(), OnceLock::from(Outlook::Failed(Arc::new(failure)))),
        };
        State(Arc::new(Situation { facts: facts.into(), outlook }))
    }
}

/// What changes while questions are answered. Only answers leave it.
struct Scratch {
    prover: Prover,
    /// The state that the prover has in mind.
    state: Option<State>,
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
    /// Moves are numbered in the order of [`Terms::compare`](crate::terms::Terms::compare), like those of the machine. The
    /// moves that `input` names have their numbers in advance; without it, all moves that a role could have by what the
    /// arguments of its moves range over. If these are too many, a move gets its number when it is first legal: then several
    /// threads that play the game at once may number them differently each time.
    pub fn new(name: &str, rules: Arc<Rules>) -> Interpreter {
        let mut prover = Prover::new(Arc::clone(&rules));
        let initial = prover.values(relation::INIT, &[]).map_err(|excess| Failure::new(&rules, excess));
        let ranges = Ranges::new(&rules);
        let most = rules.limits.moves / rules.roles.len().max(1);
        let mut moves = Vec::new();
        let mut capacity = Vec::new();
        for (role, &term) in rules.roles.iter().enumerate() {
            let mut named = prover.values(relation::INPUT, &[term]).unwrap_or_default();
            named.sort_unstable_by(|&a, &b| prover.terms.compare(a, b));
            named.truncate(most);
            let (list, room) = if named.is_empty() {
                match ranges.as_ref().and_then(|ranges| ranges.moves(role, most, &mut prover.terms)) {
                    Some(all) => (all, 0),
                    None => (named, most),
                }
            } else {
                (named, SPARE_MOVES)
            };
            let mut known = Moves::default();
            for &mv in &list {
                known.number(mv);
            }
            capacity.push((list.len() + room).clamp(1, most.max(1)));
            moves.push(known);
        }
        prover.accept_terms();
        let scratch = Mutex::new(Scratch { prover, state: None, moves });
        Interpreter {
            name: name.to_owned(),
            rules,
            initial: State::new(initial),
            capacity,
            scratch,
            board: OnceLock::new(),
        }
    }

    pub(crate) fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Plays a random game for a while, to see whether its rules can be worked out.
    ///
    /// # Errors
    /// The first failure of a position.
    pub fn try_out(&self) -> Result<(), Failure> {
        let most = self.lock().prover.all_steps() + TRIAL_COST * self.rules.limits.steps;
        let mut rng = Seed::new(1).rng();
        let mut state = self.initial();
        for role in Role::all(self.roles()) {
            self.ask_goals(&state, role)?;
        }
        for _ in 0..TRIAL_STEPS {
            let legal = match self.outlook(&state) {
                Outlook::Failed(failure) => return Err(Failure::clone(failure)),
                Outlook::Over(_) => return Ok(()),
                Outlook::Open(legal) => legal,
            };
            if legal.iter().any(|moves| moves.is_empty()) || self.lock().prover.all_steps() > most {
                return Ok(());
            }
            let joint: Vec<_> = legal.iter().map(|moves| moves[rng.below(moves.len() as u32) as usize]).collect();
            self.advance(&mut state, &joint);
        }
        Ok(())
    }

    /// How states are drawn, as far as a short walk shows it.
    fn board(&self) -> &Board {
        self.board.get_or_init(|| {
            let states: Vec<Vec<TermId>> = view::samples(self).iter().map(|state| state.0.facts.to_vec()).collect();
            let scratch = self.lock();
            Board::detect(Evidence {
                background: &Background::new(&self.rules),
                symbols: &self.rules.symbols,
                terms: &scratch.prover.terms,
                possible: &[],
                complete: false,
                states: &states,
            })
        })
    }

    fn lock(&self) -> MutexGuard<'_, Scratch> {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The prover with `state` in mind.
    fn at(&self, state: &State) -> MutexGuard<'_, Scratch> {
        let mut scratch = self.lock();
        if !scratch.state.as_ref().is_some_and(|known| Arc::ptr_eq(&known.0, &state.0)) {
            scratch.prover.set_state(&state.0.facts);
            scratch.state = Some(state.clone());
        }
        scratch
    }

    /// What follows from a state.
    fn outlook<'s>(&self, state: &'s State) -> &'s Outlook {
        state.0.outlook.get_or_init(|| {
            self.work_out(state).unwrap_or_else(|excess| Outlook::Failed(Arc::new(Failure::new(&self.rules, excess))))
        })
    }

    fn work_out(&self, state: &State) -> Result<Outlook, Excess> {
        let mut scratch = self.at(state);
        let roles = || Role::all(self.rules.roles.len());
        if scratch.prover.holds_now(relation::TERMINAL)? {
            let goals = |role| Ok(score(self.goal_values(&mut scratch, role)?));
            return Ok(Outlook::Over(roles().map(goals).collect::<Result<_, Excess>>()?));
        }
        Ok(Outlook::Open(roles().map(|role| self.legal_moves(&mut scratch, role)).collect::<Result<_, Excess>>()?))
    }

    fn goal_values(&self, scratch: &mut Scratch, role: Role) -> Result<Vec<i32>, Excess> {
        let values = scratch.prover.values(relation::GOAL, &[self.rules.roles[role.index()]])?;
        let text = |term| scratch.prover.terms.text(term, &self.rules.symbols);
        Ok(values.into_iter().filter_map(|value| text(value).parse().ok()).collect())
    }

    fn legal_moves(&self, Scratch { prover, moves, .. }: &mut Scratch, role: Role) -> Result<Box<[Move]>, Excess> {
        let mut terms = prover.values(relation::LEGAL, &[self.rules.roles[role.index()]])?;
        terms.sort_unstable_by(|&a, &b| prover.terms.compare(a, b));
        let mut legal: Box<[Move]> = terms.iter().map(|&term| moves[role.index()].number(term)).collect();
        legal.sort_unstable();
        if legal.last().is_some_and(|mv| mv.index() >= self.capacity[role.index()]) {
            let is_legal = |number: &usize| self.rules.clauses[*number].head.relation == relation::LEGAL;
            let clause = (0..self.rules.clauses.len()).find(is_legal).unwrap_or(0) as u32;
            return Err(Excess { limit: Limit::Moves, clause });
        }
        Ok(legal)
    }

    fn ask_goals(&self, state: &State, role: Role) -> Result<Vec<i32>, Failure> {
        let mut scratch = self.at(state);
        self.goal_values(&mut scratch, role).map_err(|excess| Failure::new(&self.rules, excess))
    }
}

impl GdlGame for Interpreter {
    fn facts(&self, state: &State) -> Vec<String> {
        let scratch = self.lock();
        state.0.facts.iter().map(|&fact| scratch.prover.terms.text(fact, &self.rules.symbols)).collect()
    }

    fn is_terminal(&self, state: &State) -> bool {
        !matches!(self.outlook(state), Outlook::Open(_))
    }

    /// None also where working them out meets a limit; at the end of a game that is a failure of the position.
    fn goals(&self, state: &State, role: Role) -> Vec<i32> {
        self.ask_goals(state, role).unwrap_or_default()
    }
}

impl Game for Interpreter {
    type State = State;

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

    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn turn(&self, state: &State) -> Turn {
        let Outlook::Open(legal) = self.outlook(state) else { return Turn::One(Role(0)) };
        let mut deciders = Role::all(legal.len()).filter(|role| legal[role.index()].len() > 1);
        match (deciders.next(), deciders.next()) {
            (decider, None) => Turn::One(decider.unwrap_or(Role(0))),
            _ => Turn::Many,
        }
    }

    fn legals(&self, state: &State, role: Role, out: &mut Vec<Move>) {
        out.clear();
        match self.outlook(state) {
            Outlook::Open(legal) => out.extend_from_slice(&legal[role.index()]),
            // The rules may well go on allowing moves.
            Outlook::Over(_) => out.extend(self.legal_moves(&mut self.at(state), role).unwrap_or_default()),
            Outlook::Failed(_) => {}
        }
    }

    fn advance(&self, state: &mut State, joint: &[Move]) {
        let mut scratch = self.at(state);
        let does: Vec<_> = (self.rules.roles.iter().zip(&scratch.moves).zip(joint))
            .map(|((&role, moves), mv)| [role, moves.list[mv.index()]])
            .collect();
        scratch.prover.set_moves(&does);
        let facts = scratch.prover.values(relation::NEXT, &[]);
        scratch.prover.set_moves(&[]);
        *state = State::new(facts.map_err(|excess| Failure::new(&self.rules, excess)));
    }

    fn scores(&self, state: &State, out: &mut [f64]) -> bool {
        match self.outlook(state) {
            Outlook::Open(_) => return false,
            Outlook::Over(scores) => out.copy_from_slice(scores),
            Outlook::Failed(_) => out.fill(0.5),
        }
        true
    }

    fn failure(&self, state: &State) -> Option<String> {
        match self.outlook(state) {
            Outlook::Failed(failure) => Some(failure.to_string()),
            Outlook::Open(_) | Outlook::Over(_) => None,
        }
    }

    fn hash(&self, state: &State) -> Option<u64> {
        let scratch = self.lock();
        Some(state.0.facts.iter().fold(0, |sum, &fact| sum.wrapping_add(mix(scratch.prover.terms.hash(fact)))))
    }

    fn move_name(&self, role: Role, mv: Move) -> String {
        let scratch = self.lock();
        scratch.prover.terms.text(scratch.moves[role.index()].list[mv.index()], &self.rules.symbols)
    }

    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        let mut scratch = self.lock();
        let term = scratch.prover.terms.find_text(text, &self.rules.symbols)?;
        let mv = scratch.moves[role.index()].number(term);
        Some(mv).filter(|mv| mv.index() < self.capacity[role.index()])
    }

    fn view(&self, state: &State) -> View {
        let board = self.board();
        board.view(&state.0.facts, &self.rules.symbols, &self.lock().prover.terms)
    }

    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize> {
        let board = self.board();
        let scratch = self.lock();
        board.touched(scratch.moves[role.index()].list[mv.index()], &scratch.prover.terms)
    }
}
