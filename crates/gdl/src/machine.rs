//! [`Machine`]: the fast game. A state is a row of bits; everything else is kept by difference.
//!
//! States in which the control fluents (whose turn it is) have the same values are a *phase*, which has a network of its
//! own. Each thread keeps the values of every network for the state that it saw last, and brings them up to date by the bits that
//! differ. Goals are computed only when they are asked for.

mod compile;
mod control;
mod goals;
mod late;
mod legal;
mod net;
mod sample;
mod sweep;

use crate::game::{GdlGame, row_hash, score};
use crate::ground::Ground;
use crate::lanes::{LaneMachine, LaneSizes, Program, Vectors};
use crate::network::Network;
use crate::phases::masks;
use crate::simplify::{self, Sharing};
use crate::symbols::Symbols;
use crate::terms::{TermId, Terms};
use crate::view::{self, Background, Board, Evidence};
use compile::words;
use goals::{GoalValues, Goals};
use ludens_game::{Game, Lanes, Move, Rng, Role, RuleCircuit, Turn, View};
use net::{Net, Values};
use rustc_hash::FxHashMap;
use sample::Row;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A game that is played by propagating differences through a network.
pub struct Machine {
    name: String,
    parts: Arc<Parts>,
}

/// All that was made of the rules. Games of the same rules share it.
pub(crate) struct Parts {
    symbols: Symbols,
    terms: Terms,
    roles: Vec<TermId>,
    fluents: Vec<TermId>,
    moves: Vec<Vec<TermId>>,
    move_numbers: Vec<FxHashMap<TermId, Move>>,
    initial: State,
    phases: Vec<Phase>,
    goals: Goals,
    background: Background,
    board: OnceLock<Board>,
    /// What lanes are made of.
    network: Network,
    lanes: OnceLock<Arc<Program>>,
    /// Tells the values of this game from those of others in the same thread.
    id: u64,
}

/// A state: which fluents are true.
#[derive(Debug, PartialEq, Eq)]
pub struct State(Box<[u64]>);

impl Clone for State {
    fn clone(&self) -> State {
        State(self.0.clone())
    }

    /// Keeps the memory.
    fn clone_from(&mut self, other: &State) {
        self.0.copy_from_slice(&other.0);
    }
}

/// A network, and the states for which it is made: word, mask and value of the bits that must agree.
struct Phase {
    net: Net,
    bits: Vec<(usize, u64, u64)>,
}

/// What a thread keeps of a machine.
struct Scratch {
    values: Vec<Values>,
    goal_values: GoalValues,
    joint: Vec<Move>,
}

thread_local! {
    /// The machines that this thread used last, by id, the latest first.
    static DESKS: RefCell<Vec<(u64, Scratch)>> = const { RefCell::new(Vec::new()) };
}

/// A gate between others costs a change more than it saves unless many share it.
const SHARING: Sharing = Sharing { min_gates: 8, max_inputs: 16, max_pairs: 1_500_000 };

/// A thread remembers this many machines.
const MAX_DESKS: usize = 4;

impl Machine {
    /// Compiles a simplified network. `ground`: what it was made from, for the names.
    pub fn new(name: &str, ground: &Ground, mut network: Network) -> Machine {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let row_words = words(network.fluents.len());
        let mut initial = vec![0; row_words].into_boxed_slice();
        for fluent in (0..network.fluents.len()).filter(|&fluent| network.initial[fluent]) {
            initial[fluent / 64] |= 1 << (fluent % 64);
        }
        let (phases, sample) = compile_phases(&mut network, &initial);
        let number = |moves: &Vec<TermId>| (0..).map(Move).zip(moves).map(|(mv, &term)| (term, mv)).collect();
        let parts = Parts {
            symbols: ground.rules.symbols.clone(),
            terms: ground.rules.terms.clone(),
            roles: ground.rules.roles.clone(),
            fluents: network.fluents.clone(),
            moves: network.moves.clone(),
            move_numbers: network.moves.iter().map(number).collect(),
            goals: Goals::new(&network, &sample),
            phases,
            initial: State(initial),
            background: Background::of_ground(ground),
            board: OnceLock::new(),
            network,
            lanes: OnceLock::new(),
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
        };
        Machine::of(name, Arc::new(parts))
    }

    /// The game of parts that were made before.
    pub(crate) fn of(name: &str, parts: Arc<Parts>) -> Machine {
        Machine { name: name.to_owned(), parts }
    }

    pub(crate) fn parts(&self) -> &Arc<Parts> {
        &self.parts
    }

    /// The facts that are true in a state.
    fn fact_terms(&self, state: &State) -> Vec<TermId> {
        let holding = (0..self.parts.fluents.len()).filter(|&fluent| state.holds(fluent));
        holding.map(|fluent| self.parts.fluents[fluent]).collect()
    }

    /// How states are drawn.
    fn board(&self) -> &Board {
        self.parts.board.get_or_init(|| {
            let states: Vec<_> = view::samples(self).iter().map(|state| self.fact_terms(state)).collect();
            Board::detect(Evidence {
                background: &self.parts.background,
                symbols: &self.parts.symbols,
                terms: &self.parts.terms,
                possible: &self.parts.fluents,
                complete: true,
                states: &states,
            })
        })
    }

    /// An engine for at least `count` positions at once, with given vectors.
    pub fn lanes_with(&self, count: usize, vectors: Vectors) -> LaneMachine {
        LaneMachine::new(self.program().clone(), count, vectors)
    }

    /// How large the tapes of the lanes are. They are made when they are asked for first.
    pub fn lane_sizes(&self) -> LaneSizes {
        self.program().sizes()
    }

    fn program(&self) -> &Arc<Program> {
        self.parts.lanes.get_or_init(|| Arc::new(Program::new(&self.parts.network)))
    }

    /// The state of a row, as lanes have it.
    pub fn state(&self, row: &[u64]) -> State {
        State(row.into())
    }

    /// How many phases have a network of their own.
    pub fn phase_count(&self) -> usize {
        self.parts.phases.len()
    }

    /// Edges of the compiled networks, phase by phase.
    pub fn edge_counts(&self) -> Vec<usize> {
        self.parts.phases.iter().map(|phase| phase.net.edge_count()).collect()
    }

    /// Nodes of the compiled networks, phase by phase.
    pub fn node_counts(&self) -> Vec<usize> {
        self.parts.phases.iter().map(|phase| phase.net.node_count()).collect()
    }

    /// The phase of a state.
    #[inline]
    fn phase(&self, state: &State) -> usize {
        let fits = |phase: &Phase| phase.bits.iter().all(|&(word, mask, bits)| state.0[word] & mask == bits);
        self.parts.phases.iter().position(fits).expect("the last phase fits every state")
    }

    /// This thread's values.
    fn with<R>(&self, work: impl FnOnce(&mut Scratch) -> R) -> R {
        DESKS.with_borrow_mut(|desks| {
            match desks.iter().position(|&(id, _)| id == self.parts.id) {
                Some(0) => {}
                Some(place) => desks[..=place].rotate_right(1),
                None => {
                    desks.truncate(MAX_DESKS - 1);
                    desks.insert(0, (self.parts.id, self.scratch()));
                }
            }
            work(&mut desks[0].1)
        })
    }

    fn scratch(&self) -> Scratch {
        Scratch {
            values: self.parts.phases.iter().map(|phase| phase.net.values()).collect(),
            goal_values: self.parts.goals.values(),
            joint: Vec::with_capacity(self.parts.roles.len()),
        }
    }

    /// The network for a state and this thread's values, brought up to date.
    #[inline]
    fn at<'d>(&self, scratch: &'d mut Scratch, state: &State) -> (&Net, &'d mut Values) {
        let phase = self.phase(state);
        let net = &self.parts.phases[phase].net;
        let values = &mut scratch.values[phase];
        net.set_state(values, &state.0);
        (net, values)
    }

    /// The goals of a role in the state for which the inputs of the goals were set.
    fn goals_of<'a>(&'a self, scratch: &'a mut Scratch, role: Role) -> impl Iterator<Item = i32> + 'a {
        let goals = self.parts.goals.of(role).iter();
        goals.filter_map(|&(goal, decider)| self.parts.goals.holds(decider, &mut scratch.goal_values).then_some(goal))
    }
}

impl State {
    #[inline]
    fn holds(&self, fluent: usize) -> bool {
        self.0[fluent / 64] >> (fluent % 64) & 1 == 1
    }
}

/// A network for every phase; the last one is for all states. With it some states that random play meets.
fn compile_phases(network: &mut Network, initial: &[u64]) -> (Vec<Phase>, Vec<Vec<Row>>) {
    let no_goals = vec![Vec::new(); network.goals.len()];
    let goals = std::mem::replace(&mut network.goals, no_goals);
    let playing = simplify::share(network);
    network.goals = goals;
    let general = Phase { net: Net::new(&simplify::pull_pairs(&playing, SHARING)), bits: Vec::new() };
    let sample = sample::sample(&general.net, initial);
    let mut phases = Vec::new();
    if let Some(control) = control::find(&playing, &sample) {
        for values in &control.values {
            let known: Vec<_> = control.fluents.iter().copied().zip(values.iter().copied()).collect();
            let special = simplify::specialise(&playing, &known);
            let net = Net::new(&simplify::pull_pairs(&special, SHARING));
            if net.size() * 10 > general.net.size() * 9 {
                // Control decides little here: the general network does as well.
                break;
            }
            phases.push(Phase { net, bits: masks(&known) });
        }
    }
    phases.push(general);
    (phases, sample)
}

impl GdlGame for Machine {
    fn facts(&self, state: &State) -> Vec<String> {
        self.fact_terms(state).iter().map(|&fact| self.parts.terms.text(fact, &self.parts.symbols)).collect()
    }

    fn is_terminal(&self, state: &State) -> bool {
        self.with(|scratch| {
            let (net, values) = self.at(scratch, state);
            net.is_terminal(values)
        })
    }

    fn goals(&self, state: &State, role: Role) -> Vec<i32> {
        self.with(|scratch| {
            self.parts.goals.set_state(&mut scratch.goal_values, &state.0);
            self.goals_of(scratch, role).collect()
        })
    }
}

impl Game for Machine {
    type State = State;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn role_names(&self) -> Vec<String> {
        self.parts.roles.iter().map(|&role| self.parts.terms.text(role, &self.parts.symbols)).collect()
    }

    #[inline]
    fn roles(&self) -> usize {
        self.parts.roles.len()
    }

    #[inline]
    fn moves(&self, role: Role) -> usize {
        self.parts.moves[role.index()].len()
    }

    fn initial(&self) -> State {
        self.parts.initial.clone()
    }

    fn turn(&self, state: &State) -> Turn {
        self.with(|scratch| {
            let (net, values) = self.at(scratch, state);
            let mut deciders = Role::all(self.roles()).filter(|role| net.has_choice(values, role.index()));
            match (deciders.next(), deciders.next()) {
                (decider, None) => Turn::One(decider.unwrap_or(Role(0))),
                _ => Turn::Many,
            }
        })
    }

    fn legals(&self, state: &State, role: Role, out: &mut Vec<Move>) {
        out.clear();
        self.with(|scratch| {
            let (net, values) = self.at(scratch, state);
            net.legals(values, role.index(), out);
        });
    }

    fn advance(&self, state: &mut State, joint: &[Move]) {
        self.with(|scratch| {
            let (net, values) = self.at(scratch, state);
            net.advance(values, joint, &mut state.0);
        });
    }

    fn scores(&self, state: &State, out: &mut [f64]) -> bool {
        self.with(|scratch| {
            let (net, values) = self.at(scratch, state);
            if !net.is_terminal(values) {
                return false;
            }
            self.parts.goals.set_state(&mut scratch.goal_values, &state.0);
            for (role, place) in Role::all(self.roles()).zip(out) {
                *place = score(self.goals_of(scratch, role));
            }
            true
        })
    }

    fn hash(&self, state: &State) -> Option<u64> {
        Some(row_hash(&state.0))
    }

    fn move_name(&self, role: Role, mv: Move) -> String {
        self.parts.terms.text(self.parts.moves[role.index()][mv.index()], &self.parts.symbols)
    }

    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        let term = self.parts.terms.find_text(text, &self.parts.symbols)?;
        self.parts.move_numbers[role.index()].get(&term).copied()
    }

    fn view(&self, state: &State) -> View {
        self.board().view(&self.fact_terms(state), &self.parts.symbols, &self.parts.terms)
    }

    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize> {
        self.board().touched(self.parts.moves[role.index()][mv.index()], &self.parts.terms)
    }

    fn lanes(&self, count: usize) -> Option<Box<dyn Lanes>> {
        Some(Box::new(self.lanes_with(count, Vectors::best())))
    }

    fn circuit(&self) -> Option<RuleCircuit> {
        Some(self.program().circuit())
    }

    fn row<'s>(&self, state: &'s State) -> Option<&'s [u64]> {
        Some(&state.0)
    }

    fn playout(&self, state: &mut State, rng: &mut Rng, limit: u32) -> u32 {
        self.with(|scratch| {
            let mut joint = std::mem::take(&mut scratch.joint);
            let mut steps = 0;
            while steps < limit {
                let (net, values) = self.at(scratch, state);
                if net.is_terminal(values) {
                    break;
                }
                joint.clear();
                joint.extend((0..self.parts.roles.len()).map_while(|role| net.random_legal(values, role, rng)));
                if joint.len() < self.parts.roles.len() {
                    break;
                }
                net.advance(values, &joint, &mut state.0);
                steps += 1;
            }
            scratch.joint = joint;
            steps
        })
    }
}
