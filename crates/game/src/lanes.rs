//! [`Lanes`]: many positions of one game that take their steps together.
//!
//! An engine that computes hundreds of positions with the same instructions needs them side by side. Each position lives in
//! a *lane*; all lanes make one step in a *tick*. Whoever drives them decides per lane what happens at the next tick:
//! it plays on, goes back to its home state, or waits.

use crate::{Move, Rng, Role};

/// Many positions of one game that take their steps together.
///
/// **Phases.** In most games it is known which role decides after how many steps. The engine may then use that all lanes
/// are in the same phase: tick number `t` takes states of the phase `t % phases` to the next one. A lane whose state has
/// another phase has to wait for its turn. Games without such a rhythm have one phase.
///
/// A tick does in every lane what it was told since the last one:
///
/// | told | afterwards the lane has | needs |
/// |---|---|---|
/// | `play` of every role | the next state | its state has the phase of the tick |
/// | `rewind`, `play` | the state after its home state | its home state has the phase of the tick |
/// | `rewind` | its home state | nothing |
/// | nothing | the state that it had | nothing |
///
/// What [`legal`](Lanes::legal) tells of a lane is right if its state has the phase of the coming tick. What
/// [`is_terminal`](Lanes::is_terminal) tells is right if that was so after the tick at which the lane moved, and stays so while it
/// waits. [`store`](Lanes::store) is always right.
///
/// **Agreement.** Of every position the lanes say what the game says: legal moves, codes, hash, whether it is over, scores, scores
/// at a cut-off. Lanes have no word for [`Game::playout_moves`](crate::Game::playout_moves), so a game that has lanes considers
/// every legal move in playouts. The [conformance suite](crate::check::conformance) tries all of this.
pub trait Lanes: Send {
    /// How many lanes there are.
    fn lanes(&self) -> usize;

    /// The number of words of a state, which is a row of bits.
    fn state_words(&self) -> usize;

    /// How many phases there are.
    fn phases(&self) -> u32;

    /// The phase of a state that can be reached from the initial one.
    fn phase_of(&self, state: &[u64]) -> u32;

    /// The phase of the coming tick.
    fn phase(&self) -> u32;

    /// Gives a lane a home. Its state stays as it is.
    fn set_home(&mut self, lane: usize, state: &[u64]);

    /// At the coming tick the lane goes back to its home, before it plays.
    fn rewind(&mut self, lane: usize);

    /// The legal move that a role makes at the coming tick. Either all roles make one or none.
    fn play(&mut self, lane: usize, role: Role, mv: Move);

    /// One step in all lanes that were given moves; then finds out what is legal, and who is at the end.
    fn tick(&mut self);

    /// Whether the game in a lane is over.
    fn is_terminal(&self, lane: usize) -> bool;

    /// The legal moves of a role in a lane whose game is not over.
    fn legal(&self, lane: usize, role: Role) -> LegalRow<'_>;

    /// Writes down the state of a lane.
    fn store(&self, lane: usize, state: &mut [u64]);

    /// What [`Game::hash`](crate::Game::hash) says of a state.
    fn hash(&self, state: &[u64]) -> u64;

    /// What one [`settle`](Lanes::settle) costs, in ticks.
    fn settle_cost(&self) -> f64;

    /// Computes the scores of all lanes whose game is over.
    ///
    /// This may cost more than a tick, and is the same work for one lane as for all: let lanes wait at the end of their games
    /// until many need it. A good moment is when the waiting lanes have lost as much as it costs.
    fn settle(&mut self);

    /// The scores of a lane whose game was over when [`settle`](Lanes::settle) was called, and that has not moved since.
    fn scores(&self, lane: usize, scores: &mut [f64]);

    /// What [`Game::cutoff_scores`](crate::Game::cutoff_scores) says of a lane whose game is not over.
    fn cutoff_scores(&self, lane: usize, scores: &mut [f64]) {
        let _ = lane;
        scores.fill(0.5);
    }

    /// What [`Game::codes`](crate::Game::codes) says of moves that are legal in a lane.
    fn codes(&self, lane: usize, role: Role, moves: &[Move], codes: &mut Vec<u32>) {
        let _ = (lane, role);
        codes.clear();
        codes.extend(moves.iter().map(|mv| mv.0));
    }

    /// Plays uniformly at random in all lanes for some ticks; a lane whose game is over goes home and begins again. Playouts
    /// that are under way at the end go on at the next call. Afterwards nothing is known of a lane until it is rewound.
    ///
    /// A role that cannot move ends its game as well.
    fn wander(&mut self, ticks: u64, rng: &mut Rng) -> LanePlayouts;
}

/// What uniform playouts in lanes did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LanePlayouts {
    /// Playouts that ended.
    pub count: u64,
    /// Steps that were made, those of playouts under way among them.
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
        assert_eq!([0, 1, 2].map(|n| row.nth(n)), [Move(6), Move(126), Move(138)]);
    }
}
