//! [`Lanes`]: many positions of one game that step together.
//!
//! An engine that computes hundreds of positions with the same instructions needs them side by side. Each position lives in
//! a *lane*; all lanes make one step in a *tick*. The driver decides for each lane what happens at the next tick:
//! play a move, return to the home state, or wait.

use crate::{Move, Rng, Role};

/// What [`Lanes::play_each`] takes for a lane that is told nothing.
pub const WAIT: Move = Move(u32::MAX);

/// Many positions of one game that step together.
///
/// **Phases.** In most games the number of steps determines which role decides. The engine may then rely on all lanes
/// being in the same phase: tick number `t` takes states of phase `t % phases` to the next one. A lane whose state has
/// another phase has to wait. Games without such a rhythm have one phase.
///
/// A tick carries out what each lane was told since the last one:
///
/// | told | afterwards the lane has | needs |
/// |---|---|---|
/// | `play` of every role | the next state | its state has the phase of the tick |
/// | `rewind`, `play` | the state after its home state | its home state has the phase of the tick |
/// | `rewind` | its home state | nothing |
/// | nothing | the same state | nothing |
///
/// [`legal`](Lanes::legal) is valid for a lane whose state has the phase of the coming tick.
/// [`is_terminal`](Lanes::is_terminal) is valid if that was so after the tick at which the lane moved, and stays valid while it
/// waits. [`store`](Lanes::store) is always valid.
///
/// **Agreement.** For every position, lanes and game agree on legal moves, codes, hash, whether it is over, scores, and scores
/// at a cut-off. Lanes have no [`Game::playout_moves`](crate::Game::playout_moves), so a game with lanes considers
/// every legal move in playouts. The [conformance suite](crate::check::conformance) checks all of this.
pub trait Lanes: Send {
    /// The number of lanes.
    fn lanes(&self) -> usize;

    /// The bytes that it holds, at least.
    fn bytes(&self) -> usize {
        self.lanes() * self.state_words() * size_of::<u64>()
    }

    /// The number of words in a state, which is a row of bits.
    fn state_words(&self) -> usize;

    /// The number of phases.
    fn phases(&self) -> u32;

    /// The phase of a state that can be reached from the initial one.
    fn phase_of(&self, state: &[u64]) -> u32;

    /// The phase of the coming tick.
    fn phase(&self) -> u32;

    /// Sets a lane's home state. Its current state does not change.
    fn set_home(&mut self, lane: usize, state: &[u64]);

    /// At the coming tick the lane returns to its home state before it plays.
    fn rewind(&mut self, lane: usize);

    /// The legal move of a role at the coming tick. Either all roles of a lane play or none.
    fn play(&mut self, lane: usize, role: Role, mv: Move);

    /// Makes one step in all lanes that were given moves, then computes legal moves and which games are over.
    fn tick(&mut self);

    /// Whether the game in a lane is over.
    fn is_terminal(&self, lane: usize) -> bool;

    /// The legal moves of a role in a lane whose game is not over.
    fn legal(&self, lane: usize, role: Role) -> LegalRow<'_>;

    /// Copies the state of a lane.
    fn store(&self, lane: usize, state: &mut [u64]);

    /// The [`Game::hash`](crate::Game::hash) of a state.
    fn hash(&self, state: &[u64]) -> u64;

    /// The cost of one [`compute_scores`](Lanes::compute_scores), in ticks.
    fn scores_cost(&self) -> f64;

    /// Computes the scores of all lanes whose game is over.
    ///
    /// This may cost more than a tick, and costs the same for one lane as for all: let lanes wait at the end of their games
    /// until many need it. A good moment is when the waiting lanes have lost as much time as it costs.
    fn compute_scores(&mut self);

    /// The scores of a lane whose game was over when [`compute_scores`](Lanes::compute_scores) was called, and that has not moved since.
    fn scores(&self, lane: usize, scores: &mut [f64]);

    /// The [`Game::cutoff_scores`](crate::Game::cutoff_scores) of a lane whose game is not over.
    fn cutoff_scores(&self, lane: usize, scores: &mut [f64]) {
        let _ = lane;
        scores.fill(0.5);
    }

    /// The [`Game::codes`](crate::Game::codes) of moves that are legal in a lane.
    fn codes(&self, lane: usize, role: Role, moves: &[Move], codes: &mut Vec<u32>) {
        let _ = (lane, role);
        codes.clear();
        codes.extend(moves.iter().map(|mv| mv.0));
    }

    /// The legal moves of a role at the coming tick, for all lanes from the first one on; [`WAIT`] is no move. A role that has no other move
    /// in any lane must be told as well.
    ///
    /// # Errors
    /// The first lane whose move is not legal. Until the tick all moves can be replaced by others.
    fn play_each(&mut self, role: Role, moves: &[Move]) -> Result<(), usize> {
        for (lane, &mv) in moves.iter().enumerate().filter(|(_, mv)| **mv != WAIT) {
            if !self.legal(lane, role).has(mv) {
                return Err(lane);
            }
            self.play(lane, role, mv);
        }
        Ok(())
    }

    /// Draws a uniformly random legal move of a role in every lane whose game is not over, from the first lane on.
    fn draw_each(&mut self, role: Role, rng: &mut Rng, moves: &mut [Move]) {
        for (lane, mv) in moves.iter_mut().enumerate() {
            if !self.is_terminal(lane) {
                let row = self.legal(lane, role);
                *mv = row.nth(rng.below(row.count()));
            }
        }
    }

    /// Replaces `lanes` by those whose game is over, ascending or not.
    fn list_ended(&self, lanes: &mut Vec<usize>) {
        lanes.clear();
        lanes.extend((0..self.lanes()).filter(|&lane| self.is_terminal(lane)));
    }

    /// A [`tick`](Lanes::tick) for drivers that do not look at single lanes: [`legal`](Lanes::legal) is valid only after
    /// [`list_legal`](Lanes::list_legal).
    fn tick_unlisted(&mut self) {
        self.tick();
    }

    /// Makes [`legal`](Lanes::legal) valid after [`tick_unlisted`](Lanes::tick_unlisted).
    fn list_legal(&mut self) {}

    /// Plays uniformly at random in all lanes for some ticks; a lane whose game is over starts again from its home state. Playouts
    /// that are unfinished at the end continue at the next call. Afterwards the state of a lane is undefined until it is rewound.
    ///
    /// A role that cannot move ends its game as well.
    fn random_playouts(&mut self, ticks: u64, rng: &mut Rng) -> LanePlayouts;
}

/// What uniform playouts in lanes did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LanePlayouts {
    /// Playouts that ended.
    pub count: u64,
    /// Steps made, including those of unfinished playouts.
    pub steps: u64,
    /// Per role: the sum of the scores.
    pub scores: Vec<f64>,
}

/// The legal moves of a role in a lane: a row of bits over the moves that are possible in its phase.
#[derive(Clone, Copy, Debug)]
pub struct LegalRow<'l> {
    /// Bit `i % 64` of `bits[i / 64 * stride]` says whether `moves[i]` is legal.
    pub bits: &'l [u64],
    /// The distance between the words of the row.
    pub stride: usize,
    /// The moves that may be legal, ascending.
    pub moves: &'l [Move],
}

impl<'l> LegalRow<'l> {
    /// The words of the row, each with its moves.
    #[inline]
    fn words(self) -> impl Iterator<Item = (u64, &'l [Move])> {
        self.moves.chunks(64).enumerate().map(move |(word, moves)| (self.bits[word * self.stride], moves))
    }

    /// Whether a move is legal.
    pub fn has(self, mv: Move) -> bool {
        let place = self.moves.binary_search(&mv);
        place.is_ok_and(|place| self.bits[place / 64 * self.stride] >> (place % 64) & 1 == 1)
    }

    /// How many moves are legal.
    #[inline]
    pub fn count(self) -> u32 {
        self.words().map(|(word, _)| word.count_ones()).sum()
    }

    /// The legal move that has `n` legal moves below it; there are more than `n`.
    #[inline]
    pub fn nth(self, mut n: u32) -> Move {
        for (word, moves) in self.words() {
            let here = word.count_ones();
            if n < here {
                let rest = (0..n).fold(word, |rest, _| rest & (rest - 1));
                return moves[rest.trailing_zeros() as usize];
            }
            n -= here;
        }
        panic!("there are not so many legal moves")
    }

    /// Replaces `out` by the legal moves, ascending.
    #[inline]
    pub fn list(self, out: &mut Vec<Move>) {
        // Places that are there need no check of the capacity, move by move.
        out.resize(self.count() as usize, Move(0));
        let mut places = out.iter_mut();
        for (word, moves) in self.words() {
            let mut rest = word;
            while rest != 0 {
                let Some(place) = places.next() else { return };
                *place = moves[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_list_the_moves_whose_bits_are_set() {
        let moves: Vec<Move> = (0..70).map(|mv| Move(2 * mv)).collect();
        let row = LegalRow { bits: &[1 << 63 | 1 << 3, 7, 1 << 5], stride: 2, moves: &moves };
        let mut list = vec![Move(9)];
        row.list(&mut list);
        assert_eq!(list, [Move(6), Move(126), Move(138)]);
        assert_eq!(row.count(), 3);
        assert!([6, 126, 138].iter().all(|&mv| row.has(Move(mv))) && ![0, 7, 139].iter().any(|&mv| row.has(Move(mv))));
        assert_eq!([0, 1, 2].map(|n| row.nth(n)), [Move(6), Move(126), Move(138)]);
    }
}
