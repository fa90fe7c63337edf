//! [`Trail`]: the steps of one simulation, tree part and playout part, in flat buffers that are reused.
//!
//! Everything that learns reads this and nothing else. Moves appear as **codes**: numbers that are unique over all roles,
//! the role's first code plus the move's id.

use crate::memory;
use ludens_game::{Game, Move, Role};

/// Where the codes of each role begin.
#[derive(Clone, Debug)]
pub struct CodeSpace {
    first: Vec<u32>,
    features: Vec<u32>,
    /// The codes of idle moves, by role.
    idle: Vec<Option<u32>>,
}

impl CodeSpace {
    /// The code space of a game.
    pub fn of<G: Game>(game: &G) -> CodeSpace {
        let firsts = |count: &dyn Fn(Role) -> usize| {
            let mut firsts = vec![0];
            for role in Role::all(game.roles()) {
                firsts.push(firsts[role.index()] + count(role) as u32);
            }
            firsts
        };
        let first = firsts(&|role| game.moves(role));
        let idle = |role: Role| game.idle_move(role).map(|mv| first[role.index()] + mv.0);
        CodeSpace {
            idle: Role::all(game.roles()).map(idle).collect(),
            features: firsts(&|role| game.code_count(role)),
            first,
        }
    }

    /// Whether a move is the role's idle one.
    #[inline]
    pub(crate) fn is_idle(&self, role: Role, mv: Move) -> bool {
        self.idle[role.index()] == Some(self.code(role, mv))
    }

    /// The number of roles.
    pub fn roles(&self) -> usize {
        self.first.len() - 1
    }

    /// The number of move codes of all roles together.
    pub fn total(&self) -> usize {
        self.first[self.roles()] as usize
    }

    /// The largest number of moves that a role has.
    pub(crate) fn largest(&self) -> usize {
        self.first.windows(2).map(|pair| (pair[1] - pair[0]) as usize).max().unwrap_or(0)
    }

    /// The number of feature codes of all roles together.
    pub fn total_features(&self) -> usize {
        self.features[self.roles()] as usize
    }

    /// The first code of a role; its moves follow in the order of their ids.
    #[inline]
    pub fn first(&self, role: Role) -> u32 {
        self.first[role.index()]
    }

    /// The codes of a role.
    #[inline]
    pub(crate) fn range(&self, role: Role) -> std::ops::Range<usize> {
        self.first[role.index()] as usize..self.first[role.index() + 1] as usize
    }

    /// The first feature code of a role.
    #[inline]
    pub fn first_feature(&self, role: Role) -> u32 {
        self.features[role.index()]
    }

    /// The code of a move.
    #[inline]
    pub fn code(&self, role: Role, mv: Move) -> u32 {
        self.first(role) + mv.0
    }

    /// The role and the move behind a code.
    pub fn decode(&self, code: u32) -> (Role, Move) {
        let role = self.first[1..].partition_point(|&next| next <= code);
        (Role(role as u8), Move(code - self.first[role]))
    }
}

/// A decision of one role: a step at which it had more than one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The step of the simulation, from 0 at the root.
    pub step: u32,
    /// Who decided.
    pub role: Role,
    /// The code of the move played.
    pub code: u32,
    /// The place of that move among the legal ones.
    pub played: u32,
    first: u32,
    len: u32,
}

/// The steps of one simulation.
#[derive(Clone, Debug)]
pub struct Trail {
    roles: usize,
    /// The codes of idle moves, by role.
    idle: Vec<Option<u32>>,
    steps: usize,
    /// The code of every role's move, step by step.
    played: Vec<u32>,
    choices: Vec<Choice>,
    /// The legal codes of all choices, one list after the other, if a policy wants them.
    legal: Vec<u32>,
    /// The steps of the simulation, also where none of them is noted.
    length: usize,
    /// The powers of the discount, from the 0th on; empty if there is none.
    discounts: Vec<f64>,
}

impl Trail {
    pub(crate) fn new(space: &CodeSpace) -> Trail {
        Trail {
            roles: space.roles(),
            idle: space.idle.clone(),
            steps: 0,
            played: Vec::new(),
            choices: Vec::new(),
            legal: Vec::new(),
            length: 0,
            discounts: Vec::new(),
        }
    }

    /// The bytes that the buffers hold.
    pub(crate) fn bytes(&self) -> usize {
        memory::of_vec(&self.played)
            + memory::of_vec(&self.choices)
            + memory::of_vec(&self.legal)
            + memory::of_vec(&self.discounts)
    }

    /// The number of roles.
    #[inline]
    pub fn roles(&self) -> usize {
        self.roles
    }

    /// The role before a role, the last one before the first.
    #[inline]
    pub(crate) fn role_before(&self, role: Role) -> Role {
        Role(if role.0 == 0 { self.roles as u8 - 1 } else { role.0 - 1 })
    }

    /// The number of steps.
    #[inline]
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The code of the move that `role` played at `step`.
    #[inline]
    pub fn code(&self, step: usize, role: Role) -> u32 {
        self.played[step * self.roles + role.index()]
    }

    /// The codes of one step, by role.
    #[inline]
    pub fn step(&self, step: usize) -> &[u32] {
        &self.played[step * self.roles..][..self.roles]
    }

    /// The codes of one step with their roles, without [idle moves](Game::idle_move): what is worth learning about.
    #[inline]
    pub fn moves(&self, step: usize) -> impl Iterator<Item = (Role, u32)> {
        let codes = Role::all(self.roles).zip(self.step(step)).map(|(role, &code)| (role, code));
        codes.filter(|&(role, code)| self.idle[role.index()] != Some(code))
    }

    /// All decisions in the order in which they were made.
    #[inline]
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The legal codes of a decision, relative to the role's first code; empty unless a policy asked for them.
    #[inline]
    pub fn legal(&self, choice: &Choice) -> &[u32] {
        &self.legal[choice.first as usize..][..choice.len as usize]
    }

    /// What the scores of the simulation count for a move at `step`: 1 for the last step, and for every step before it the
    /// search's discount less.
    #[inline]
    pub fn discount(&self, step: usize) -> f64 {
        if self.discounts.is_empty() { 1.0 } else { self.discounts[self.length - 1 - step] }
    }

    /// The simulation has ended after so many steps.
    #[inline]
    pub(crate) fn set_discount(&mut self, discount: f64, length: usize) {
        self.length = length;
        if discount < 1.0 {
            let mut power = self.discounts.last().map_or(1.0, |last| last * discount);
            while self.discounts.len() < length {
                self.discounts.push(power);
                power *= discount;
            }
        }
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.steps = 0;
        self.played.clear();
        self.choices.clear();
        self.legal.clear();
    }

    /// Opens a decision of `role` at the step under way; its legal codes follow.
    #[inline]
    pub(crate) fn open_choice(&mut self, role: Role) {
        let (step, first) = (self.steps() as u32, self.legal.len() as u32);
        self.choices.push(Choice { step, role, code: 0, played: 0, first, len: 0 });
    }

    /// The legal codes of the open decision are added here.
    #[inline]
    pub(crate) fn legal_buffer(&mut self) -> &mut Vec<u32> {
        &mut self.legal
    }

    /// The legal codes of the open decision.
    #[inline]
    pub(crate) fn open_legal(&self) -> &[u32] {
        self.choices.last().map_or(&[], |choice| &self.legal[choice.first as usize..])
    }

    /// Closes the open decision.
    #[inline]
    pub(crate) fn close_choice(&mut self, played: usize, code: u32) {
        let end = self.legal.len() as u32;
        let choice = self.choices.last_mut().expect("a choice is open");
        choice.len = end - choice.first;
        choice.played = played as u32;
        choice.code = code;
    }

    /// Ends the step under way with the codes that all roles played.
    #[inline]
    pub(crate) fn end_step(&mut self, codes: impl Iterator<Item = u32>) {
        self.played.extend(codes);
        self.steps += 1;
        debug_assert_eq!(self.played.len(), self.steps * self.roles);
    }
}

#[cfg(test)]
impl CodeSpace {
    /// A code space with the given number of moves per role, without features.
    pub(crate) fn by_hand(moves: &[u32]) -> CodeSpace {
        let mut first = vec![0];
        for &count in moves {
            first.push(first[first.len() - 1] + count);
        }
        CodeSpace { features: first.clone(), first, idle: vec![None; moves.len()] }
    }
}

#[cfg(test)]
impl Trail {
    /// A trail written by hand: for every step and role the legal moves and the place of the one played.
    pub(crate) fn by_hand(space: &CodeSpace, steps: &[&[(&[u32], usize)]]) -> Trail {
        let mut trail = Trail::new(space);
        for step in steps {
            let mut codes = Vec::new();
            for (role, (legal, played)) in Role::all(space.roles()).zip(*step) {
                let code = space.code(role, Move(legal[*played]));
                if legal.len() > 1 {
                    trail.open_choice(role);
                    trail.legal_buffer().extend_from_slice(legal);
                    trail.close_choice(*played, code);
                }
                codes.push(code);
            }
            trail.end_step(codes.into_iter());
        }
        trail
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::toy::TicTacToe;

    #[test]
    fn discounts_by_hand() {
        let mut trail = Trail::new(&CodeSpace::by_hand(&[2, 2]));
        trail.set_discount(1.0, 3);
        assert_eq!([0, 1, 2].map(|step| trail.discount(step)), [1.0; 3]);
        // Three steps: the last move counts in full, the first one half of a half.
        trail.set_discount(0.5, 3);
        assert_eq!([0, 1, 2].map(|step| trail.discount(step)), [0.25, 0.5, 1.0]);
        // A longer and a shorter simulation use the same powers.
        trail.set_discount(0.5, 5);
        assert_eq!([0, 4].map(|step| trail.discount(step)), [0.0625, 1.0]);
        trail.set_discount(0.5, 1);
        assert_eq!(trail.discount(0), 1.0);
    }

    #[test]
    fn idle_moves_are_not_worth_learning_about() {
        // Nine cells and a noop for each role: codes 0 to 9 and 10 to 19.
        let space = CodeSpace::of(&TicTacToe);
        let steps: &[&[(&[u32], usize)]] = &[&[(&[0, 4, 8], 1), (&[9], 0)], &[(&[9], 0), (&[0, 8], 1)]];
        let trail = Trail::by_hand(&space, steps);
        assert_eq!((trail.step(0), trail.step(1)), (&[4, 19][..], &[9, 18][..]));
        assert_eq!(trail.moves(0).collect::<Vec<_>>(), [(Role(0), 4)]);
        assert_eq!(trail.moves(1).collect::<Vec<_>>(), [(Role(1), 18)]);
    }
}
