//! [`DeadEndLanes`]: many positions of a game in which a role without a legal move has one that ends the game.

use ludens_game::{LanePlayouts, Lanes, LegalRow, Move, Rng, Role};

/// Lanes of the rules as they are, and which of them have left these rules by a way out.
pub(super) struct DeadEndLanes {
    lanes: Box<dyn Lanes>,
    /// Per role: its way out.
    ways_out: Vec<[Move; 1]>,
    /// By lane: whether its game ended because a role had no move.
    stuck: Vec<bool>,
    /// Lanes that will be stuck after the coming tick.
    leaving: Vec<usize>,
    /// By lane and role: the moves for the coming tick, and how many of a lane's are there.
    joints: Vec<Move>,
    told: Vec<u8>,
}

impl DeadEndLanes {
    pub(super) fn new(lanes: Box<dyn Lanes>, ways_out: Vec<[Move; 1]>) -> DeadEndLanes {
        let count = lanes.lanes();
        DeadEndLanes {
            stuck: vec![false; count],
            leaving: Vec::new(),
            joints: vec![Move(0); count * ways_out.len()],
            told: vec![0; count],
            lanes,
            ways_out,
        }
    }

    /// A state without the word that says whether somebody was stuck.
    fn inner<'s>(&self, state: &'s [u64]) -> &'s [u64] {
        &state[..self.lanes.state_words()]
    }

    /// All roles of a lane have said what they play.
    fn pass_on(&mut self, lane: usize) {
        let roles = self.ways_out.len();
        let joint = &self.joints[lane * roles..][..roles];
        if joint.iter().zip(&self.ways_out).any(|(mv, way_out)| way_out.contains(mv)) {
            self.leaving.push(lane);
        } else {
            for (role, &mv) in Role::all(roles).zip(joint) {
                self.lanes.play(lane, role, mv);
            }
        }
    }
}

impl Lanes for DeadEndLanes {
    fn lanes(&self) -> usize {
        self.lanes.lanes()
    }

    fn bytes(&self) -> usize {
        self.lanes.bytes()
    }

    fn state_words(&self) -> usize {
        self.lanes.state_words() + 1
    }

    fn phases(&self) -> u32 {
        self.lanes.phases()
    }

    fn phase_of(&self, state: &[u64]) -> u32 {
        self.lanes.phase_of(self.inner(state))
    }

    fn phase(&self) -> u32 {
        self.lanes.phase()
    }

    /// Nobody begins where the game is over, so that a home needs no word about being stuck.
    fn set_home(&mut self, lane: usize, state: &[u64]) {
        let state = &state[..self.lanes.state_words()];
        self.lanes.set_home(lane, state);
    }

    fn rewind(&mut self, lane: usize) {
        self.stuck[lane] = false;
        self.lanes.rewind(lane);
    }

    fn play(&mut self, lane: usize, role: Role, mv: Move) {
        let roles = self.ways_out.len();
        self.joints[lane * roles + role.index()] = mv;
        self.told[lane] += 1;
        if usize::from(self.told[lane]) == roles {
            self.told[lane] = 0;
            self.pass_on(lane);
        }
    }

    fn tick(&mut self) {
        self.lanes.tick();
        for lane in self.leaving.drain(..) {
            self.stuck[lane] = true;
        }
    }

    fn is_terminal(&self, lane: usize) -> bool {
        self.stuck[lane] || self.lanes.is_terminal(lane)
    }

    fn legal(&self, lane: usize, role: Role) -> LegalRow<'_> {
        let row = self.lanes.legal(lane, role);
        if row.count() > 0 { row } else { LegalRow { bits: &[1], stride: 1, moves: &self.ways_out[role.index()] } }
    }

    fn store(&self, lane: usize, state: &mut [u64]) {
        let (stuck, inner) = state.split_last_mut().expect("a state has a word about being stuck");
        self.lanes.store(lane, inner);
        *stuck = self.stuck[lane].into();
    }

    fn hash(&self, state: &[u64]) -> u64 {
        let hash = self.lanes.hash(self.inner(state));
        if state.last() == Some(&1) { !hash } else { hash }
    }

    fn scores_cost(&self) -> f64 {
        self.lanes.scores_cost()
    }

    fn compute_scores(&mut self) {
        self.lanes.compute_scores();
    }

    fn scores(&self, lane: usize, scores: &mut [f64]) {
        if self.stuck[lane] {
            scores.fill(0.5);
        } else {
            self.lanes.scores(lane, scores);
        }
    }

    fn random_playouts(&mut self, ticks: u64, rng: &mut Rng) -> LanePlayouts {
        self.lanes.random_playouts(ticks, rng)
    }
}
