//! Games and players that several tests use.

use ludens_game::{Game, Move, Piece, Rng, Role, Seed, TurnGame, View};
use ludens_search::{Budget, InMemory, Player, Search, Spec};
use std::sync::Arc;

/// Noughts and crosses: 3 × 3, three in a row win, 0.5 each on a full board.
pub struct TicTacToe;

/// The cells of both roles as bits, and how many are taken.
#[derive(Clone, Copy)]
pub struct Cells([u16; 2]);

const LINES: [u16; 8] = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124];

impl TurnGame for TicTacToe {
    type State = Cells;

    fn name(&self) -> String {
        "tictactoe".into()
    }

    fn role_names(&self) -> &[&'static str] {
        &["x", "o"]
    }

    fn moves(&self, _role: Role) -> usize {
        9
    }

    fn initial(&self) -> Cells {
        Cells([0, 0])
    }

    fn to_move(&self, state: &Cells) -> Role {
        Role(((state.0[0] | state.0[1]).count_ones() % 2) as u8)
    }

    fn legals(&self, state: &Cells, out: &mut Vec<Move>) {
        out.clear();
        out.extend((0..9).filter(|cell| (state.0[0] | state.0[1]) >> cell & 1 == 0).map(Move));
    }

    fn random_move(&self, state: &Cells, rng: &mut Rng) -> Option<Move> {
        if TurnGame::scores(self, state, &mut [0.0; 2]) {
            return None;
        }
        let mut moves = Vec::new();
        TurnGame::legals(self, state, &mut moves);
        Some(moves[rng.below(moves.len() as u32) as usize])
    }

    fn play(&self, state: &mut Cells, mv: Move) {
        state.0[self.to_move(state).index()] |= 1 << mv.0;
    }

    fn scores(&self, state: &Cells, out: &mut [f64]) -> bool {
        let winner = (0..2).find(|&role| LINES.iter().any(|line| state.0[role] & line == *line));
        if let Some(winner) = winner {
            out.copy_from_slice(&[0.0, 0.0]);
            out[winner] = 1.0;
        } else if state.0[0] | state.0[1] == 0o777 {
            out.copy_from_slice(&[0.5, 0.5]);
        } else {
            return false;
        }
        true
    }

    fn hash(&self, state: &Cells) -> Option<u64> {
        Some(u64::from(state.0[0]) << 16 | u64::from(state.0[1]))
    }

    fn move_name(&self, _role: Role, mv: Move) -> String {
        mv.0.to_string()
    }

    fn parse_move(&self, _role: Role, text: &str) -> Option<Move> {
        text.parse().ok().filter(|&cell| cell < 9).map(Move)
    }

    fn view(&self, _state: &Cells) -> View {
        View::square(3, 3, Piece::stones())
    }

    fn touched_cells(&self, _role: Role, mv: Move) -> Vec<usize> {
        vec![mv.index()]
    }
}

/// A player for `role`, seeded.
pub fn player<G: Game>(game: &Arc<G>, role: u8, spec: &str, seed: u64) -> Search<G> {
    let spec: Spec = spec.parse().expect(spec);
    let mut player = Search::new(game.clone(), Role(role), &spec, Arc::new(InMemory::default())).expect("small game");
    player.start(Seed::new(seed));
    player
}

/// Chooses with a number of simulations.
pub fn choose<G: Game>(player: &mut Search<G>, simulations: u64) -> Move {
    player.choose(&Budget::simulations(simulations), &|| false).0
}
