//! [`Block`]: some hundred positions in the lanes of one engine.

use ludens::game::{Lanes, LegalRow, Move, Rng, Role, WAIT};
use std::sync::Arc;

/// What the caller wants to be played.
pub(crate) struct Wanted {
    /// Numbers of moves, position by position; a number that is no move at all is that of none.
    pub(crate) moves: Vec<i32>,
    /// Numbers for a position: one, of the role that decides, or one for each role.
    pub(crate) each: usize,
}

/// A move that cannot be played.
pub(crate) struct Refused {
    pub(crate) position: usize,
    pub(crate) reason: Reason,
}

pub(crate) enum Reason {
    /// The move of a role is not legal.
    Illegal(Role),
    /// Several roles decide, and there is one move.
    Several,
}

/// Who decides in a position.
pub(crate) enum Decider {
    One(Role),
    Several,
}

/// Positions that step together.
pub(crate) struct Block {
    lanes: Box<dyn Lanes>,
    /// The number of the first position.
    first: usize,
    /// How many of the lanes are used.
    count: usize,
    roles: usize,
    /// By role: the move of waiting.
    noops: Arc<[Option<Move>]>,
    /// Whether the moves that a role may have depend on nothing but the phase.
    is_plain: bool,
    /// By phase, once it was met.
    phases: Vec<Option<Phase>>,
    playing: Vec<bool>,
    /// Lanes whose game is over, which wait for the phase of the start.
    waiting: Vec<usize>,
    /// Lanes whose game ended at the last step.
    ended: Vec<usize>,
    /// Their scores, role by role.
    scores: Vec<f64>,
    /// By role and lane: the moves of the coming step.
    entered: Vec<Vec<Move>>,
    rng: Rng,
}

/// What all positions of a phase have in common.
struct Phase {
    /// The one role that decides.
    decider: Role,
    /// The only moves of all others, by role.
    forced: Vec<Move>,
}

/// A move that no game has.
const NO_MOVE: Move = Move(u32::MAX - 1);

impl Block {
    pub(crate) fn new(
        lanes: Box<dyn Lanes>,
        (first, count): (usize, usize),
        noops: Arc<[Option<Move>]>,
        is_plain: bool,
        rng: Rng,
    ) -> Block {
        let roles = noops.len();
        let phases = (0..lanes.phases()).map(|_| None).collect();
        let mut block = Block {
            lanes,
            first,
            count,
            roles,
            noops,
            is_plain,
            phases,
            playing: vec![true; count],
            waiting: Vec::new(),
            ended: Vec::new(),
            scores: Vec::new(),
            entered: vec![vec![WAIT; count]; roles],
            rng,
        };
        block.meet_phase();
        block
    }

    pub(crate) fn first(&self) -> usize {
        self.first
    }

    pub(crate) fn playing(&self) -> &[bool] {
        &self.playing
    }

    /// The positions whose game ended at the last step, with their scores.
    pub(crate) fn ended(&self) -> impl Iterator<Item = (usize, &[f64])> {
        self.ended.iter().map(|lane| self.first + lane).zip(self.scores.chunks(self.roles))
    }

    /// Looks at a phase for the first time.
    fn meet_phase(&mut self) {
        let phase = self.lanes.phase() as usize;
        if !self.is_plain || self.phases[phase].is_some() {
            return;
        }
        self.lanes.list_legal();
        let rows: Vec<LegalRow<'_>> = Role::all(self.roles).map(|role| self.lanes.legal(0, role)).collect();
        let mut deciders = Role::all(self.roles).filter(|role| rows[role.index()].moves.len() > 1);
        if let (Some(decider), None) = (deciders.next(), deciders.next()) {
            let forced = rows.iter().map(|row| row.moves[0]).collect();
            self.phases[phase] = Some(Phase { decider, forced });
        }
    }

    fn phase(&self) -> Option<&Phase> {
        self.phases[self.lanes.phase() as usize].as_ref()
    }

    /// Who decides in a position that is played.
    pub(crate) fn decider(&self, lane: usize) -> Decider {
        if let Some(phase) = self.phase() {
            return Decider::One(phase.decider);
        }
        let mut deciders = Role::all(self.roles).filter(|&role| self.lanes.legal(lane, role).count() > 1);
        match (deciders.next(), deciders.next()) {
            (Some(decider), None) => Decider::One(decider),
            (None, _) => Decider::One(self.acting(lane)),
            _ => Decider::Several,
        }
    }

    /// Where nobody has a choice: the one role that does not wait.
    fn acting(&self, lane: usize) -> Role {
        let acts = |role: &Role| Some(self.lanes.legal(lane, *role).nth(0)) != self.noops[role.index()];
        let mut acting = Role::all(self.roles).filter(acts);
        acting.next().filter(|_| acting.next().is_none()).unwrap_or(Role(0))
    }

    /// Whether several roles decide in some position that is played.
    pub(crate) fn has_joint_moves(&mut self) -> bool {
        if self.phase().is_some() {
            return false;
        }
        self.lanes.list_legal();
        (0..self.count).any(|lane| self.playing[lane] && matches!(self.decider(lane), Decider::Several))
    }

    /// Before single lanes are looked at.
    pub(crate) fn list_legal(&mut self) {
        self.lanes.list_legal();
    }

    /// The legal moves of a role in a position that is played.
    pub(crate) fn legal(&self, lane: usize, role: Role) -> LegalRow<'_> {
        self.lanes.legal(lane, role)
    }

    /// A random legal move of the decider in every position that is played, -1 in the others.
    pub(crate) fn random(&mut self, out: &mut [i32]) {
        let mut drawn = std::mem::take(&mut self.entered[0]);
        if let Some(decider) = self.phase().map(|phase| phase.decider) {
            self.lanes.draw_each(decider, &mut self.rng, &mut drawn);
        } else {
            self.lanes.list_legal();
            let mut rng = self.rng.clone();
            for (lane, mv) in drawn.iter_mut().enumerate().filter(|(lane, _)| self.playing[*lane]) {
                if let Decider::One(role) = self.decider(lane) {
                    *mv = draw(self.lanes.legal(lane, role), &mut rng);
                }
            }
            self.rng = rng;
        }
        for (place, (mv, playing)) in out.iter_mut().zip(drawn.iter().zip(&self.playing)) {
            *place = if *playing { mv.0 as i32 } else { -1 };
        }
        self.entered[0] = drawn;
    }

    /// The same for every role.
    pub(crate) fn random_joint(&mut self, out: &mut [i32]) {
        self.lanes.list_legal();
        let mut rng = self.rng.clone();
        for (lane, places) in out.chunks_exact_mut(self.roles).enumerate() {
            for (role, place) in Role::all(self.roles).zip(places) {
                *place = if self.playing[lane] { draw(self.lanes.legal(lane, role), &mut rng).0 as i32 } else { -1 };
            }
        }
        self.rng = rng;
    }

    /// Checks the moves of all positions and enters them for the coming step. What was entered for a step that was refused is
    /// entered anew for the next one.
    pub(crate) fn enter(&mut self, wanted: &Wanted) -> Result<(), Refused> {
        let mut entered = std::mem::take(&mut self.entered);
        let numbers = &wanted.moves[self.first * wanted.each..][..self.count * wanted.each];
        let read = match self.phase() {
            Some(phase) if wanted.each == 1 => {
                self.read_turn(phase, numbers, &mut entered);
                Ok(())
            }
            _ => {
                self.lanes.list_legal();
                self.read_any(wanted.each, numbers, &mut entered)
            }
        };
        let told = read.and_then(|()| {
            Role::all(self.roles).zip(&entered).try_for_each(|(role, moves)| {
                self.lanes.play_each(role, moves).map_err(|lane| (lane, Reason::Illegal(role)))
            })
        });
        self.entered = entered;
        told.map_err(|(lane, reason)| Refused { position: self.first + lane, reason })
    }

    /// Reads a number for each lane, where all have the same decider.
    fn read_turn(&self, phase: &Phase, numbers: &[i32], entered: &mut [Vec<Move>]) {
        for (role, moves) in Role::all(self.roles).zip(entered) {
            let lanes = moves.iter_mut().zip(&self.playing);
            if role == phase.decider {
                for ((mv, &playing), &number) in lanes.zip(numbers) {
                    *mv = if playing { as_move(number) } else { WAIT };
                }
            } else {
                let only = phase.forced[role.index()];
                lanes.for_each(|(mv, &playing)| *mv = if playing { only } else { WAIT });
            }
        }
    }

    /// Reads one number for each lane, or one for each role of a lane.
    fn read_any(&self, each: usize, numbers: &[i32], entered: &mut [Vec<Move>]) -> Result<(), (usize, Reason)> {
        for (lane, numbers) in numbers.chunks_exact(each).enumerate() {
            if !self.playing[lane] {
                entered.iter_mut().for_each(|moves| moves[lane] = WAIT);
                continue;
            }
            let only = match (numbers, self.decider(lane)) {
                ([_], Decider::Several) => return Err((lane, Reason::Several)),
                ([number], Decider::One(role)) => Some((role, *number)),
                _ => None,
            };
            for (role, moves) in Role::all(self.roles).zip(&mut *entered) {
                let row = self.lanes.legal(lane, role);
                let number = match only {
                    Some((decider, number)) if decider == role => number,
                    Some(_) => -1,
                    None => numbers[role.index()],
                };
                // Whoever has one move need not be told.
                moves[lane] = if number == -1 && row.count() == 1 { row.nth(0) } else { as_move(number) };
            }
        }
        Ok(())
    }

    /// Whether the next tick leads to the phase in which games begin.
    fn is_home_next(&self) -> bool {
        (self.lanes.phase() + 1).is_multiple_of(self.lanes.phases())
    }

    /// Plays the moves that were entered. A game that is over begins again as soon as its phase comes.
    pub(crate) fn step(&mut self) {
        let is_home_next = self.is_home_next();
        if is_home_next {
            self.waiting.iter().for_each(|&lane| self.lanes.rewind(lane));
        }
        self.lanes.tick_unlisted();
        let playing = &self.playing;
        self.lanes.list_ended(&mut self.ended);
        // Lanes behind the last position are over or not, as they like.
        self.ended.retain(|&lane| playing.get(lane) == Some(&true));
        if is_home_next {
            self.waiting.drain(..).for_each(|lane| self.playing[lane] = true);
        }
        self.ended.iter().for_each(|&lane| self.playing[lane] = false);
        self.waiting.extend_from_slice(&self.ended);
        self.count_scores();
        self.meet_phase();
    }

    fn count_scores(&mut self) {
        if self.ended.is_empty() {
            return;
        }
        self.lanes.compute_scores();
        self.scores.resize(self.ended.len() * self.roles, 0.0);
        for (&lane, scores) in self.ended.iter().zip(self.scores.chunks_exact_mut(self.roles)) {
            self.lanes.scores(lane, scores);
        }
    }

    /// All games begin again.
    pub(crate) fn reset(&mut self, rng: Rng) {
        self.rng = rng;
        // The first tick also plays what was entered for a step that was refused, so it is never the last.
        for tick in 0.. {
            let is_home_next = self.is_home_next();
            (0..self.count).for_each(|lane| self.lanes.rewind(lane));
            self.lanes.tick();
            if is_home_next && tick > 0 {
                break;
            }
        }
        self.playing.fill(true);
        self.waiting.clear();
        self.ended.clear();
        self.meet_phase();
    }

    /// Copies the states, row by row.
    pub(crate) fn store(&self, out: &mut [u64]) {
        let words = self.lanes.state_words();
        out.chunks_exact_mut(words).enumerate().for_each(|(lane, row)| self.lanes.store(lane, row));
    }
}

/// A random one of some moves.
fn draw(row: LegalRow<'_>, rng: &mut Rng) -> Move {
    row.nth(rng.below(row.count()))
}

/// The move that a number may be.
fn as_move(number: i32) -> Move {
    if number >= 0 { Move(number as u32) } else { NO_MOVE }
}

/// Writes a row of legal moves as one byte per move of the game, 1 where it is legal.
pub(crate) fn write_mask(row: LegalRow<'_>, mask: &mut [u8]) {
    mask.fill(0);
    let first = row.moves.first().map_or(0, |mv| mv.index());
    let is_dense = row.moves.last().is_some_and(|last| last.index() - first + 1 == row.moves.len());
    for (word, moves) in row.moves.chunks(64).enumerate() {
        let bits = row.bits[word * row.stride];
        if is_dense {
            let mut places = mask[first + 64 * word..][..moves.len()].chunks_exact_mut(8);
            let bytes = bits.to_le_bytes();
            places.by_ref().zip(bytes).for_each(|(places, bits)| places.copy_from_slice(&spread(bits)));
            let rest = places.into_remainder();
            rest.iter_mut().zip(spread(bytes[moves.len() / 8 % 8])).for_each(|(place, bit)| *place = bit);
        } else {
            moves.iter().enumerate().for_each(|(bit, mv)| mask[mv.index()] = (bits >> bit & 1) as u8);
        }
    }
}

/// Eight bits as eight bytes.
fn spread(bits: u8) -> [u8; 8] {
    let alone = (u64::from(bits) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    // Byte i is 0 or 1 << i: adding 127 carries into its highest bit if there is anything.
    (((alone + 0x7f7f_7f7f_7f7f_7f7f) >> 7) & 0x0101_0101_0101_0101).to_le_bytes()
}
