//! [`Objective`]: the same game, played to win or to lose.

use crate::{Game, LanePlayouts, Lanes, LegalRow, Move, Rng, Role, RuleCircuit, Turn, View};

/// `G` as it is, or its misère form: with inverted scores, so that whoever would have won has lost.
///
/// Both are one type, so that a search of them is compiled once.
#[derive(Clone, Debug)]
pub struct Objective<G> {
    game: G,
    is_misere: bool,
}

impl<G> Objective<G> {
    /// The game as it is.
    pub fn win(game: G) -> Objective<G> {
        Objective { game, is_misere: false }
    }

    /// The misère game.
    pub fn lose(game: G) -> Objective<G> {
        Objective { game, is_misere: true }
    }

    #[inline]
    fn judge(&self, scores: &mut [f64]) {
        if self.is_misere {
            turn_round(scores);
        }
    }
}

impl<G: Game> Game for Objective<G> {
    type State = G::State;

    fn name(&self) -> String {
        let name = self.game.name();
        if self.is_misere { format!("misere-{name}") } else { name }
    }

    fn role_names(&self) -> Vec<String> {
        self.game.role_names()
    }

    #[inline]
    fn roles(&self) -> usize {
        self.game.roles()
    }

    #[inline]
    fn moves(&self, role: Role) -> usize {
        self.game.moves(role)
    }

    fn idle_move(&self, role: Role) -> Option<Move> {
        self.game.idle_move(role)
    }

    fn initial(&self) -> Self::State {
        self.game.initial()
    }

    #[inline]
    fn turn(&self, state: &Self::State) -> Turn {
        self.game.turn(state)
    }

    #[inline]
    fn legals(&self, state: &Self::State, role: Role, out: &mut Vec<Move>) {
        self.game.legals(state, role, out);
    }

    #[inline]
    fn playout_moves(&self, state: &Self::State, role: Role, out: &mut Vec<Move>) {
        self.game.playout_moves(state, role, out);
    }

    #[inline]
    fn draw_move(&self, state: &Self::State, role: Role, rng: &mut Rng) -> Option<Move> {
        self.game.draw_move(state, role, rng)
    }

    #[inline]
    fn wins(&self, state: &Self::State, role: Role, mv: Move) -> Option<bool> {
        if self.is_misere { None } else { self.game.wins(state, role, mv) }
    }

    #[inline]
    fn advance(&self, state: &mut Self::State, joint: &[Move]) {
        self.game.advance(state, joint);
    }

    fn failure(&self, state: &Self::State) -> Option<String> {
        self.game.failure(state)
    }

    #[inline]
    fn scores(&self, state: &Self::State, out: &mut [f64]) -> bool {
        let over = self.game.scores(state, out);
        if over {
            self.judge(out);
        }
        over
    }

    fn cutoff_scores(&self, state: &Self::State, out: &mut [f64]) {
        self.game.cutoff_scores(state, out);
        self.judge(out);
    }

    fn code_count(&self, role: Role) -> usize {
        self.game.code_count(role)
    }

    #[inline]
    fn codes(&self, state: &Self::State, role: Role, moves: &[Move], out: &mut Vec<u32>) {
        self.game.codes(state, role, moves, out);
    }

    #[inline]
    fn hash(&self, state: &Self::State) -> Option<u64> {
        self.game.hash(state)
    }

    fn move_name(&self, role: Role, mv: Move) -> String {
        self.game.move_name(role, mv)
    }

    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        self.game.parse_move(role, text)
    }

    fn view(&self, state: &Self::State) -> View {
        self.game.view(state)
    }

    fn touched_cells(&self, role: Role, mv: Move) -> Vec<usize> {
        self.game.touched_cells(role, mv)
    }

    fn lanes(&self, count: usize) -> Option<Box<dyn Lanes>> {
        let lanes = self.game.lanes(count)?;
        Some(if self.is_misere { Box::new(MisereLanes(lanes)) } else { lanes })
    }

    fn circuit(&self) -> Option<RuleCircuit> {
        let circuit = self.game.circuit()?;
        Some(RuleCircuit { is_inverted: circuit.is_inverted != self.is_misere, ..circuit })
    }

    fn row<'s>(&self, state: &'s Self::State) -> Option<&'s [u64]> {
        self.game.row(state)
    }

    fn engine(&self) -> &'static str {
        self.game.engine()
    }

    fn has_fast_playout(&self) -> bool {
        self.game.has_fast_playout()
    }

    #[inline]
    fn playout(&self, state: &mut Self::State, rng: &mut Rng, limit: u32) -> u32 {
        self.game.playout(state, rng, limit)
    }
}

/// Lanes with inverted scores.
struct MisereLanes(Box<dyn Lanes>);

impl Lanes for MisereLanes {
    fn lanes(&self) -> usize {
        self.0.lanes()
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn state_words(&self) -> usize {
        self.0.state_words()
    }

    fn phases(&self) -> u32 {
        self.0.phases()
    }

    fn phase_of(&self, state: &[u64]) -> u32 {
        self.0.phase_of(state)
    }

    fn phase(&self) -> u32 {
        self.0.phase()
    }

    fn set_home(&mut self, lane: usize, state: &[u64]) {
        self.0.set_home(lane, state);
    }

    fn rewind(&mut self, lane: usize) {
        self.0.rewind(lane);
    }

    fn play(&mut self, lane: usize, role: Role, mv: Move) {
        self.0.play(lane, role, mv);
    }

    fn play_each(&mut self, role: Role, moves: &[Move]) -> Result<(), usize> {
        self.0.play_each(role, moves)
    }

    fn draw_each(&mut self, role: Role, rng: &mut Rng, moves: &mut [Move]) {
        self.0.draw_each(role, rng, moves);
    }

    fn list_ended(&self, lanes: &mut Vec<usize>) {
        self.0.list_ended(lanes);
    }

    fn tick_unlisted(&mut self) {
        self.0.tick_unlisted();
    }

    fn list_legal(&mut self) {
        self.0.list_legal();
    }

    fn tick(&mut self) {
        self.0.tick();
    }

    fn is_terminal(&self, lane: usize) -> bool {
        self.0.is_terminal(lane)
    }

    fn legal(&self, lane: usize, role: Role) -> LegalRow<'_> {
        self.0.legal(lane, role)
    }

    fn store(&self, lane: usize, state: &mut [u64]) {
        self.0.store(lane, state);
    }

    fn hash(&self, state: &[u64]) -> u64 {
        self.0.hash(state)
    }

    fn scores_cost(&self) -> f64 {
        self.0.scores_cost()
    }

    fn compute_scores(&mut self) {
        self.0.compute_scores();
    }

    fn scores(&self, lane: usize, scores: &mut [f64]) {
        self.0.scores(lane, scores);
        turn_round(scores);
    }

    fn cutoff_scores(&self, lane: usize, scores: &mut [f64]) {
        self.0.cutoff_scores(lane, scores);
        turn_round(scores);
    }

    fn codes(&self, lane: usize, role: Role, moves: &[Move], codes: &mut Vec<u32>) {
        self.0.codes(lane, role, moves, codes);
    }

    fn random_playouts(&mut self, ticks: u64, rng: &mut Rng) -> LanePlayouts {
        let mut playouts = self.0.random_playouts(ticks, rng);
        for sum in &mut playouts.scores {
            *sum = playouts.count as f64 - *sum;
        }
        playouts
    }
}

fn turn_round(scores: &mut [f64]) {
    for score in scores {
        *score = 1.0 - *score;
    }
}
