//! Small games with known values, for the tests of whatever plays games.

mod tictactoe;

pub use tictactoe::{Marks, TicTacToe};

use crate::{Cell, Game, Layout, Move, Role, Turn, View};

/// A game given as an explicit tree: every inner node has one decider.
#[derive(Clone, Debug)]
pub struct Tree {
    roles: usize,
    root: Node,
}

/// A node of a [`Tree`].
#[derive(Clone, Debug)]
pub enum Node {
    /// The game ends with these scores.
    End(Vec<f64>),
    /// This role chooses one of the branches.
    Choice(Role, Vec<Node>),
}

impl Node {
    /// The scores under perfect play of every role for itself, ties going to the first branch.
    pub fn value(&self) -> Vec<f64> {
        match self {
            Node::End(scores) => scores.clone(),
            Node::Choice(role, branches) => {
                let values: Vec<_> = branches.iter().map(Node::value).collect();
                let best = values.iter().map(|v| v[role.index()]).fold(f64::NEG_INFINITY, f64::max);
                values.into_iter().find(|v| v[role.index()] == best).expect("a choice has branches")
            }
        }
    }

    fn widest(&self) -> usize {
        match self {
            Node::End(_) => 1,
            Node::Choice(_, branches) => branches.iter().map(Node::widest).max().unwrap_or(0).max(branches.len()),
        }
    }
}

impl Tree {
    /// A game of `roles` roles.
    pub fn new(roles: usize, root: Node) -> Tree {
        Tree { roles, root }
    }

    /// The scores under perfect play.
    pub fn value(&self) -> Vec<f64> {
        self.root.value()
    }

    fn node(&self, path: &[Move]) -> &Node {
        path.iter().fold(&self.root, |node, mv| match node {
            Node::Choice(_, branches) => &branches[mv.index()],
            Node::End(_) => unreachable!("a path does not lead beyond the end"),
        })
    }
}

impl Game for Tree {
    type State = Vec<Move>;

    fn name(&self) -> String {
        "tree".into()
    }

    fn role_names(&self) -> Vec<String> {
        numbered_roles(self.roles)
    }

    fn roles(&self) -> usize {
        self.roles
    }

    fn moves(&self, _role: Role) -> usize {
        self.root.widest()
    }

    fn initial(&self) -> Vec<Move> {
        Vec::new()
    }

    fn turn(&self, state: &Vec<Move>) -> Turn {
        match self.node(state) {
            Node::Choice(role, _) => Turn::One(*role),
            Node::End(_) => Turn::Many,
        }
    }

    fn legals(&self, state: &Vec<Move>, role: Role, out: &mut Vec<Move>) {
        out.clear();
        match self.node(state) {
            Node::Choice(decider, branches) if *decider == role => out.extend((0..branches.len() as u32).map(Move)),
            _ => out.push(Move(0)),
        }
    }

    fn advance(&self, state: &mut Vec<Move>, joint: &[Move]) {
        if let Node::Choice(role, _) = self.node(state) {
            state.push(joint[role.index()]);
        }
    }

    fn scores(&self, state: &Vec<Move>, out: &mut [f64]) -> bool {
        match self.node(state) {
            Node::End(scores) => {
                out.copy_from_slice(scores);
                true
            }
            Node::Choice(..) => false,
        }
    }

    fn hash(&self, state: &Vec<Move>) -> Option<u64> {
        // A path is a number in base `widest + 1` without the digit 0.
        let base = self.root.widest() as u64 + 1;
        Some(state.iter().fold(0, |hash, mv| hash * base + u64::from(mv.0) + 1))
    }

    fn move_name(&self, _role: Role, mv: Move) -> String {
        mv.0.to_string()
    }

    fn parse_move(&self, _role: Role, text: &str) -> Option<Move> {
        text.parse().ok().map(Move)
    }

    fn view(&self, state: &Vec<Move>) -> View {
        list_view(state.iter().map(|mv| mv.0.to_string()))
    }
}

/// Two roles show a coin at the same time. Equal sides: role 0 scores 1, otherwise role 1. Its value is one half, and only
/// mixing both sides equally gets it.
#[derive(Clone, Debug)]
pub struct Pennies;

impl Game for Pennies {
    type State = Option<[Move; 2]>;

    fn name(&self) -> String {
        "pennies".into()
    }

    fn role_names(&self) -> Vec<String> {
        vec!["even".into(), "odd".into()]
    }

    fn roles(&self) -> usize {
        2
    }

    fn moves(&self, _role: Role) -> usize {
        2
    }

    fn initial(&self) -> Self::State {
        None
    }

    fn turn(&self, _state: &Self::State) -> Turn {
        Turn::Many
    }

    fn legals(&self, _state: &Self::State, _role: Role, out: &mut Vec<Move>) {
        out.clear();
        out.extend([Move(0), Move(1)]);
    }

    fn advance(&self, state: &mut Self::State, joint: &[Move]) {
        *state = Some([joint[0], joint[1]]);
    }

    fn scores(&self, state: &Self::State, out: &mut [f64]) -> bool {
        if let Some([even, odd]) = state {
            let equal = f64::from(u8::from(even == odd));
            out.copy_from_slice(&[equal, 1.0 - equal]);
        }
        state.is_some()
    }

    fn hash(&self, state: &Self::State) -> Option<u64> {
        Some(state.map_or(0, |[even, odd]| u64::from(1 + even.0 + 2 * odd.0)))
    }

    fn move_name(&self, _role: Role, mv: Move) -> String {
        ["heads", "tails"][mv.index()].into()
    }

    fn parse_move(&self, _role: Role, text: &str) -> Option<Move> {
        ["heads", "tails"].iter().position(|&side| side == text).map(|side| Move(side as u32))
    }

    fn view(&self, state: &Self::State) -> View {
        list_view(state.iter().flatten().map(|&mv| self.move_name(Role(0), mv)))
    }
}

/// Three roles run at the same time, each step `walk` (one field) or `run` (two fields). Whoever runs while another role
/// runs too stumbles and stays. The game ends when somebody is home or after 3·length steps; the first ones share the
/// score.
#[derive(Clone, Debug)]
pub struct Race {
    length: u32,
}

/// A position of a [`Race`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runners {
    /// The field of each role, from 0.
    pub fields: [u32; 3],
    /// Steps made.
    pub steps: u32,
}

impl Race {
    /// A race over `length` fields.
    pub fn new(length: u32) -> Race {
        Race { length }
    }
}

impl Game for Race {
    type State = Runners;

    fn name(&self) -> String {
        format!("race:{}", self.length)
    }

    fn role_names(&self) -> Vec<String> {
        numbered_roles(3)
    }

    fn roles(&self) -> usize {
        3
    }

    fn moves(&self, _role: Role) -> usize {
        2
    }

    fn initial(&self) -> Runners {
        Runners { fields: [0; 3], steps: 0 }
    }

    fn turn(&self, _state: &Runners) -> Turn {
        Turn::Many
    }

    fn legals(&self, _state: &Runners, _role: Role, out: &mut Vec<Move>) {
        out.clear();
        out.extend([Move(0), Move(1)]);
    }

    fn advance(&self, state: &mut Runners, joint: &[Move]) {
        let running = joint.iter().filter(|&&mv| mv == Move(1)).count();
        for (field, &mv) in state.fields.iter_mut().zip(joint) {
            *field += match mv {
                Move(0) => 1,
                _ if running == 1 => 2,
                _ => 0,
            };
        }
        state.steps += 1;
    }

    fn scores(&self, state: &Runners, out: &mut [f64]) -> bool {
        let best = state.fields.into_iter().max().unwrap_or(0);
        let over = best >= self.length || state.steps >= 3 * self.length;
        if over {
            let first = state.fields.iter().filter(|&&field| field == best).count();
            for (score, &field) in out.iter_mut().zip(&state.fields) {
                *score = if field == best { 1.0 / first as f64 } else { 0.0 };
            }
        }
        over
    }

    fn hash(&self, state: &Runners) -> Option<u64> {
        let [a, b, c] = state.fields.map(u64::from);
        Some(a | b << 16 | c << 32 | u64::from(state.steps) << 48)
    }

    fn move_name(&self, _role: Role, mv: Move) -> String {
        ["walk", "run"][mv.index()].into()
    }

    fn parse_move(&self, _role: Role, text: &str) -> Option<Move> {
        ["walk", "run"].iter().position(|&gait| gait == text).map(|gait| Move(gait as u32))
    }

    fn view(&self, state: &Runners) -> View {
        list_view(state.fields.iter().enumerate().map(|(role, field)| format!("runner {role} on field {field}")))
    }
}

/// One role pulls one of several arms once; every arm has a fixed score.
#[derive(Clone, Debug)]
pub struct Bandit {
    scores: Vec<f64>,
}

impl Bandit {
    /// A bandit whose arms score `scores`.
    pub fn new(scores: &[f64]) -> Bandit {
        Bandit { scores: scores.to_vec() }
    }
}

impl Game for Bandit {
    type State = Option<Move>;

    fn name(&self) -> String {
        "bandit".into()
    }

    fn role_names(&self) -> Vec<String> {
        numbered_roles(1)
    }

    fn roles(&self) -> usize {
        1
    }

    fn moves(&self, _role: Role) -> usize {
        self.scores.len()
    }

    fn initial(&self) -> Option<Move> {
        None
    }

    fn turn(&self, _state: &Option<Move>) -> Turn {
        Turn::One(Role(0))
    }

    fn legals(&self, _state: &Option<Move>, _role: Role, out: &mut Vec<Move>) {
        out.clear();
        out.extend((0..self.scores.len() as u32).map(Move));
    }

    fn advance(&self, state: &mut Option<Move>, joint: &[Move]) {
        *state = Some(joint[0]);
    }

    fn scores(&self, state: &Option<Move>, out: &mut [f64]) -> bool {
        if let Some(arm) = state {
            out[0] = self.scores[arm.index()];
        }
        state.is_some()
    }

    fn hash(&self, state: &Option<Move>) -> Option<u64> {
        Some(state.map_or(0, |arm| u64::from(arm.0) + 1))
    }

    fn move_name(&self, _role: Role, mv: Move) -> String {
        format!("arm{}", mv.0)
    }

    fn parse_move(&self, _role: Role, text: &str) -> Option<Move> {
        text.strip_prefix("arm")?.parse().ok().map(Move)
    }

    fn view(&self, state: &Option<Move>) -> View {
        list_view(state.iter().map(|arm| format!("arm {} pulled", arm.0)))
    }
}

/// A game with a fault: whoever plays `fall` makes the program panic. Three times `stay` ends it with the score 1.
#[derive(Clone, Debug)]
pub struct Pit;

impl Game for Pit {
    type State = u32;

    fn name(&self) -> String {
        "pit".into()
    }

    fn role_names(&self) -> Vec<String> {
        numbered_roles(1)
    }

    fn roles(&self) -> usize {
        1
    }

    fn moves(&self, _role: Role) -> usize {
        2
    }

    fn initial(&self) -> u32 {
        0
    }

    fn turn(&self, _state: &u32) -> Turn {
        Turn::One(Role(0))
    }

    fn legals(&self, _state: &u32, _role: Role, out: &mut Vec<Move>) {
        out.clear();
        out.extend([Move(0), Move(1)]);
    }

    fn advance(&self, state: &mut u32, joint: &[Move]) {
        assert!(joint[0] == Move(0), "fell into the pit");
        *state += 1;
    }

    fn scores(&self, state: &u32, out: &mut [f64]) -> bool {
        out[0] = 1.0;
        *state == 3
    }

    fn hash(&self, state: &u32) -> Option<u64> {
        Some(u64::from(*state))
    }

    fn move_name(&self, _role: Role, mv: Move) -> String {
        ["stay", "fall"][mv.index()].into()
    }

    fn parse_move(&self, _role: Role, text: &str) -> Option<Move> {
        ["stay", "fall"].iter().position(|name| *name == text).map(|place| Move(place as u32))
    }

    fn view(&self, state: &u32) -> View {
        list_view((0..*state).map(|_| "stayed".into()))
    }
}

fn numbered_roles(count: usize) -> Vec<String> {
    (0..count).map(|role| format!("role{role}")).collect()
}

fn list_view(names: impl Iterator<Item = String>) -> View {
    let cells =
        names.enumerate().map(|(row, name)| Cell { name, x: 0, y: row as i32, piece: None, marked: false }).collect();
    View { layout: Layout::Free, cells, pieces: Vec::new(), labels: Vec::new(), notes: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Objective, Seed,
        check::{Plan, conformance},
    };

    const PLAN: Plan = Plan { walks: 20, max_steps: 100, seed: 1 };

    fn sample_tree() -> Tree {
        let end = |a: f64| Node::End(vec![a, 1.0 - a]);
        let reply = |a, b| Node::Choice(Role(1), vec![end(a), end(b)]);
        Tree::new(2, Node::Choice(Role(0), vec![reply(0.9, 0.2), reply(0.4, 0.5), end(0.3)]))
    }

    #[test]
    fn toys_conform() {
        for result in [
            conformance(&sample_tree(), PLAN),
            conformance(&Pennies, PLAN),
            conformance(&Race::new(7), PLAN),
            conformance(&Bandit::new(&[0.25, 0.75]), PLAN),
            conformance(&Objective::lose(Race::new(4)), PLAN),
        ] {
            assert_eq!(result.map(|walks| walks.count), Ok(20));
        }
    }

    #[test]
    fn tree_value_is_minimax() {
        // Role 1 answers 0.9|0.2 by 0.2 and 0.4|0.5 by 0.4; role 0 takes the 0.4.
        assert_eq!(sample_tree().value(), [0.4, 0.6]);
    }

    #[test]
    fn pennies_pay_even_for_equal_sides() {
        let mut scores = [0.0; 2];
        for (joint, even) in [([0, 0], 1.0), ([0, 1], 0.0), ([1, 0], 0.0), ([1, 1], 1.0)] {
            let mut state = Pennies.initial();
            Pennies.advance(&mut state, &joint.map(Move));
            assert!(Pennies.scores(&state, &mut scores));
            assert_eq!(scores, [even, 1.0 - even]);
        }
    }

    #[test]
    fn runners_stumble_over_each_other_and_share_first_place() {
        let race = Race::new(3);
        let mut state = race.initial();
        let (walk, run) = (Move(0), Move(1));
        race.advance(&mut state, &[run, walk, walk]);
        assert_eq!(state.fields, [2, 1, 1]);
        race.advance(&mut state, &[run, run, walk]);
        assert_eq!(state.fields, [2, 1, 2]);
        race.advance(&mut state, &[walk, walk, walk]);
        let mut scores = [0.0; 3];
        assert!(race.scores(&state, &mut scores));
        assert_eq!(scores, [0.5, 0.0, 0.5]);
    }

    #[test]
    fn misere_turns_scores_round() {
        let game = Objective::lose(Bandit::new(&[0.25]));
        let mut state = game.initial();
        let mut scores = [0.0];
        assert!(!game.scores(&state, &mut scores));
        game.advance(&mut state, &[Move(0)]);
        assert!(game.scores(&state, &mut scores));
        assert_eq!((scores, game.name().as_str()), ([0.75], "misere-bandit"));
    }

    #[test]
    fn general_playout_stops_at_its_limit() {
        let race = Race::new(50);
        let mut state = race.initial();
        assert_eq!(race.playout(&mut state, &mut Seed::new(5).rng(), 4), 4);
        assert_eq!(state.steps, 4);
    }
}
