//! [`Program`]: what all blocks of a game share: the tapes of every phase, and which slot means what.

use super::choose::Tree;
use crate::network::{Network, Signal};
use crate::phases::{Phases, masks};
use crate::simplify;
use crate::tape::{FALSE, Part, TRUE, Tape, first_free_slot, input_slot};
use ludens_game::Move;

/// A game, compiled for lanes.
#[derive(Debug)]
pub(crate) struct Program {
    pub(super) fluents: usize,
    /// The initial state as a row.
    pub(super) initial: Box<[u64]>,
    /// What is computed in each phase.
    pub(super) phases: Vec<Phase>,
    /// From the state to the goals.
    pub(super) goals: Tape,
    /// Per role: goal values and the slots that decide them.
    pub(super) goal_slots: Vec<Vec<(i32, u32)>>,
    /// The first slot for moves that are drawn.
    pub(super) drawn: u32,
    /// A slot that nobody reads.
    pub(super) nowhere: u32,
    /// Slots in all.
    pub(super) slots: usize,
    /// What computing the goals costs, in steps.
    pub(super) goal_cost: f64,
}

/// States that are some number of steps away from the initial one, modulo the number of phases.
#[derive(Debug)]
pub(super) struct Phase {
    /// The bits by which its states are known.
    pub(super) bits: Bits,
    /// From the state to the legal moves and the end.
    pub(super) legal: Tape,
    /// From the state and the moves to the next state.
    pub(super) next: Tape,
    /// The slot that says whether the game is over.
    pub(super) terminal: u32,
    /// Columns to be copied after `next`, from and to: values of fluents that others take over.
    pub(super) copies: Vec<(u32, u32)>,
    /// Per fluent: the slot with its next value.
    pub(super) next_slots: Vec<u32>,
    /// The fluents that may change, and the slots with their next values.
    pub(super) changes: Vec<(u32, u32)>,
    /// The moves of each role.
    pub(super) roles: Vec<RoleMoves>,
    /// Words of the row of all roles' legal moves.
    pub(super) row_words: usize,
}

/// The moves that a role may have in a phase.
#[derive(Debug)]
pub(super) struct RoleMoves {
    /// Those that may be legal, ascending.
    pub(super) moves: Vec<Move>,
    /// The slot of each of them that says whether it is legal.
    pub(super) legal: Vec<u32>,
    /// How one of them is chosen at random.
    pub(super) tree: Tree,
    /// The same, into slots where every move can be told from the others.
    pub(super) draw: Tree,
    /// Per move of the game: its slots; and those of whatever is no move.
    move_slots: Vec<MoveSlots>,
    /// Per move of the game: the slot that says whether it is made.
    pub(super) inputs: Vec<u32>,
    /// Where its legal moves are found.
    pub(super) row: RowPlace,
}

/// The slots of a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveSlots {
    /// It says whether the move is legal.
    pub(super) legal: u32,
    /// It says whether the move is made.
    pub(super) input: u32,
}

impl RoleMoves {
    /// The slots of a move; whatever is no move of the role is never legal.
    #[inline(always)]
    pub(super) fn slots(&self, mv: Move) -> MoveSlots {
        self.move_slots[mv.index().min(self.move_slots.len() - 1)]
    }
}

/// Where the legal moves of a role are found.
#[derive(Debug)]
pub(super) enum RowPlace {
    /// They are the same in all states.
    Fixed(Box<[u64]>),
    /// In a row, from this word on.
    At(usize),
}

impl Program {
    /// Compiles a simplified network.
    pub(crate) fn new(network: &Network) -> Program {
        // Behind the inputs is the slot that nobody reads.
        let nowhere = first_free_slot(network);
        let mut initial = vec![0; network.fluents.len().div_ceil(64)].into_boxed_slice();
        for fluent in (0..network.fluents.len()).filter(|&fluent| network.initial[fluent]) {
            initial[fluent / 64] |= 1 << (fluent % 64);
        }
        let mut phases: Vec<Phase> =
            specialised(network).iter().map(|(bits, special)| Phase::new(special, bits)).collect();
        let last = |phase: &Phase| phase.legal.end.max(phase.next.end);
        let end = phases.iter().map(last).max().expect("there is a phase");
        // Goals are computed while the results of the other tapes are still needed.
        let (goals, goal_slots) = Tape::new(&Part::Goals.alone(network), Part::Goals, end);
        let drawn = goals.end;
        let mut slots_drawn = 0;
        for role in phases.iter_mut().flat_map(|phase| &mut phase.roles) {
            let made: Vec<u32> = (drawn..).take(role.moves.len()).collect();
            role.draw = Tree::new(&role.legal, &made, nowhere);
            slots_drawn = slots_drawn.max(made.len());
        }
        let steps: usize = phases.iter().map(|phase| phase.legal.ops.len() + phase.next.ops.len()).sum();
        let mut slots = goal_slots.into_iter();
        let mut take = |&(value, _): &(i32, Signal)| (value, slots.next().expect("every output has a slot"));
        Program {
            fluents: network.fluents.len(),
            initial,
            goal_slots: network.goals.iter().map(|goals| goals.iter().map(&mut take).collect()).collect(),
            goal_cost: goals.ops.len() as f64 / (steps as f64 / phases.len() as f64).max(1.0),
            slots: drawn as usize + slots_drawn,
            drawn,
            phases,
            nowhere,
            goals,
        }
    }

    /// The phase of a state.
    pub(super) fn phase_of(&self, state: &[u64]) -> usize {
        let fits = |phase: &Phase| phase.bits.iter().all(|&(word, mask, bits)| state[word] & mask == bits);
        self.phases.iter().position(fits).expect("every state that can be reached has a phase")
    }

    /// Words of a state.
    pub(super) fn state_words(&self) -> usize {
        self.initial.len()
    }

    /// The slot of a fluent.
    #[inline(always)]
    pub(super) fn fluent_slot(&self, fluent: usize) -> usize {
        TRUE as usize + 1 + fluent
    }

    /// How large the tapes are.
    pub(crate) fn sizes(&self) -> LaneSizes {
        let phase = |phase: &Phase| {
            let ops = phase.legal.ops.len() + phase.next.ops.len();
            (ops, phase.legal.end.max(phase.next.end) as usize)
        };
        let goals = (self.goals.ops.len(), self.goals.end as usize);
        LaneSizes { phases: self.phases.iter().map(phase).collect(), goals }
    }
}

/// Operations of tapes, and slots that they use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneSizes {
    /// Per phase: legal moves and next states.
    pub phases: Vec<(usize, usize)>,
    /// The goals.
    pub goals: (usize, usize),
}

/// Word, mask and value of bits that states have in common.
type Bits = Vec<(usize, u64, u64)>;

/// The network of each phase, without goals, and the bits by which its states are known.
fn specialised(network: &Network) -> Vec<(Bits, Network)> {
    let mut playing = network.clone();
    playing.goals.iter_mut().for_each(Vec::clear);
    let playing = simplify::share(&playing);
    let Phases { known } = Phases::prove(network);
    if known.len() > 1 {
        let special: Vec<Network> = known.iter().map(|known| simplify::specialise(&playing, known)).collect();
        // Lanes have to wait for their phase. That must be worth a tenth of the work.
        if special.iter().map(Network::edges).sum::<usize>() * 10 <= playing.edges() * special.len() * 9 {
            return known.iter().map(|known| masks(known)).zip(special).collect();
        }
    }
    vec![(Vec::new(), playing)]
}

impl Phase {
    fn new(network: &Network, bits: &Bits) -> Phase {
        let first = first_free_slot(network) + 1;
        let (legal, legal_slots) = Tape::new(&Part::Legal.alone(network), Part::Legal, first);
        let next_alone = Part::Next.alone(network);
        let (mut next, mut next_slots) = Tape::new(&next_alone, Part::Next, first);
        let fluents = network.fluents.len();
        let own_slot = |fluent: usize| input_slot(network.fluent_node(fluent));
        let mut copies = Vec::new();
        for (fluent, slot) in next_slots.iter_mut().enumerate() {
            if (own_slot(0)..own_slot(fluents)).contains(slot) && *slot != own_slot(fluent) {
                copies.push((*slot, next.end));
                *slot = next.end;
                next.end += 1;
            }
        }
        let changes = (0..fluents).filter(|&fluent| next_slots[fluent] != own_slot(fluent));
        let changes = changes.map(|fluent| (fluent as u32, next_slots[fluent])).collect();
        let (&terminal, legal_slots) = legal_slots.split_last().expect("the end is an output");
        let (roles, row_words) = role_moves(&next_alone, legal_slots);
        Phase { bits: bits.clone(), legal, next, terminal, copies, next_slots, changes, roles, row_words }
    }
}

/// The moves of each role in a phase, and the words of a row of them all. `network`: what is true next. `slots` say what is legal,
/// role by role.
fn role_moves(network: &Network, slots: &[u32]) -> (Vec<RoleMoves>, usize) {
    let nowhere = first_free_slot(network);
    let uses = simplify::uses(network);
    let mut rest = slots;
    let mut row_words = 0;
    let mut roles = Vec::new();
    for (role, moves) in network.moves.iter().enumerate() {
        let (slots, others) = rest.split_at(moves.len());
        rest = others;
        let input = |mv| match network.move_node(role, mv) {
            node if uses[node as usize] == 0 => nowhere,
            node => input_slot(node),
        };
        let inputs: Vec<u32> = (0..moves.len()).map(input).collect();
        let possible: Vec<usize> = (0..moves.len()).filter(|&mv| slots[mv] != FALSE).collect();
        let legal: Vec<u32> = possible.iter().map(|&mv| slots[mv]).collect();
        let made: Vec<u32> = possible.iter().map(|&mv| inputs[mv]).collect();
        let words = possible.len().div_ceil(64);
        let row = if legal.iter().all(|&slot| slot == TRUE) {
            let mut row = vec![0; words];
            (0..possible.len()).for_each(|bit| row[bit / 64] |= 1 << (bit % 64));
            RowPlace::Fixed(row.into())
        } else {
            row_words += words;
            RowPlace::At(row_words - words)
        };
        let moves = possible.iter().map(|&mv| Move(mv as u32)).collect();
        let (tree, draw) = (Tree::new(&legal, &made, nowhere), Tree::new(&[], &[], nowhere));
        let mut move_slots: Vec<MoveSlots> =
            slots.iter().zip(&inputs).map(|(&legal, &input)| MoveSlots { legal, input }).collect();
        move_slots.push(MoveSlots { legal: FALSE, input: nowhere });
        roles.push(RoleMoves { moves, tree, draw, move_slots, legal, inputs, row });
    }
    (roles, row_words)
}
