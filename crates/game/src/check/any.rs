//! [`AnyGame`]: a game whose states have lost their type, so that the suite is compiled once and not once for every game.

use crate::{Game, Lanes, Move, Rng, Role, Turn, View};
use std::any::Any;

/// A state of some game.
pub(super) struct AnyState(Box<dyn Any>);

impl AnyState {
    fn of<G: Game + 'static>(&self) -> &G::State {
        self.0.downcast_ref().expect("states stay with their game")
    }

    fn of_mut<G: Game + 'static>(&mut self) -> &mut G::State {
        self.0.downcast_mut().expect("states stay with their game")
    }
}

/// What the suite asks of a [`Game`]; see there.
pub(super) trait AnyGame {
    fn name(&self) -> String;
    fn role_names(&self) -> Vec<String>;
    fn roles(&self) -> usize;
    fn moves(&self, role: Role) -> usize;
    fn idle_move(&self, role: Role) -> Option<Move>;
    fn initial(&self) -> AnyState;
    fn copy(&self, state: &AnyState) -> AnyState;
    fn turn(&self, state: &AnyState) -> Turn;
    fn legals(&self, state: &AnyState, role: Role) -> Vec<Move>;
    fn playout_moves(&self, state: &AnyState, role: Role) -> Vec<Move>;
    fn draw_move(&self, state: &AnyState, role: Role, rng: &mut Rng) -> Option<Move>;
    fn wins(&self, state: &AnyState, role: Role, mv: Move) -> Option<bool>;
    fn advance(&self, state: &mut AnyState, joint: &[Move]);
    fn scores(&self, state: &AnyState, out: &mut [f64]) -> bool;
    fn cutoff_scores(&self, state: &AnyState, out: &mut [f64]);
    fn code_count(&self, role: Role) -> usize;
    fn codes(&self, state: &AnyState, role: Role, moves: &[Move]) -> Vec<u32>;
    fn hash(&self, state: &AnyState) -> Option<u64>;
    fn move_name(&self, role: Role, mv: Move) -> String;
    fn parse_move(&self, role: Role, text: &str) -> Option<Move>;
    fn view(&self, state: &AnyState) -> View;
    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize>;
    fn lanes(&self, count: usize) -> Option<Box<dyn Lanes>>;
    fn row<'s>(&self, state: &'s AnyState) -> Option<&'s [u64]>;
    fn playout(&self, state: &mut AnyState, rng: &mut Rng, limit: u32) -> u32;
}

impl<G: Game + 'static> AnyGame for G {
    fn name(&self) -> String {
        Game::name(self)
    }

    fn role_names(&self) -> Vec<String> {
        Game::role_names(self)
    }

    fn roles(&self) -> usize {
        Game::roles(self)
    }

    fn moves(&self, role: Role) -> usize {
        Game::moves(self, role)
    }

    fn idle_move(&self, role: Role) -> Option<Move> {
        Game::idle_move(self, role)
    }

    fn initial(&self) -> AnyState {
        AnyState(Box::new(Game::initial(self)))
    }

    fn copy(&self, state: &AnyState) -> AnyState {
        AnyState(Box::new(state.of::<G>().clone()))
    }

    fn turn(&self, state: &AnyState) -> Turn {
        Game::turn(self, state.of::<G>())
    }

    fn legals(&self, state: &AnyState, role: Role) -> Vec<Move> {
        let mut out = Vec::new();
        Game::legals(self, state.of::<G>(), role, &mut out);
        out
    }

    fn playout_moves(&self, state: &AnyState, role: Role) -> Vec<Move> {
        let mut out = Vec::new();
        Game::playout_moves(self, state.of::<G>(), role, &mut out);
        out
    }

    fn draw_move(&self, state: &AnyState, role: Role, rng: &mut Rng) -> Option<Move> {
        Game::draw_move(self, state.of::<G>(), role, rng)
    }

    fn wins(&self, state: &AnyState, role: Role, mv: Move) -> Option<bool> {
        Game::wins(self, state.of::<G>(), role, mv)
    }

    fn advance(&self, state: &mut AnyState, joint: &[Move]) {
        Game::advance(self, state.of_mut::<G>(), joint);
    }

    fn scores(&self, state: &AnyState, out: &mut [f64]) -> bool {
        Game::scores(self, state.of::<G>(), out)
    }

    fn cutoff_scores(&self, state: &AnyState, out: &mut [f64]) {
        Game::cutoff_scores(self, state.of::<G>(), out);
    }

    fn code_count(&self, role: Role) -> usize {
        Game::code_count(self, role)
    }

    fn codes(&self, state: &AnyState, role: Role, moves: &[Move]) -> Vec<u32> {
        let mut out = Vec::new();
        Game::codes(self, state.of::<G>(), role, moves, &mut out);
        out
    }

    fn hash(&self, state: &AnyState) -> Option<u64> {
        Game::hash(self, state.of::<G>())
    }

    fn move_name(&self, role: Role, mv: Move) -> String {
        Game::move_name(self, role, mv)
    }

    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        Game::parse_move(self, role, text)
    }

    fn view(&self, state: &AnyState) -> View {
        Game::view(self, state.of::<G>())
    }

    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize> {
        Game::touched_cells(self, role, mv)
    }

    fn lanes(&self, count: usize) -> Option<Box<dyn Lanes>> {
        Game::lanes(self, count)
    }

    fn row<'s>(&self, state: &'s AnyState) -> Option<&'s [u64]> {
        Game::row(self, state.of::<G>())
    }

    fn playout(&self, state: &mut AnyState, rng: &mut Rng, limit: u32) -> u32 {
        Game::playout(self, state.of_mut::<G>(), rng, limit)
    }
}
