//! [`Block`]: some hundred positions in the lanes of one engine.

use ludens::game::{Lanes, LegalRow, Move, Rng, Role};
use std::sync::Arc;

/// What the caller wants to be played.
pub(crate) struct Wanted {
    /// Numbers of moves, position by position.
    pub(crate) moves: Vec<i64>,
    /// Numbers for a position: one, of the role that decides, or one for each role.
    pub(crate) each: usize,
}

/// A move that cannot be played.
pub(crate) struct Refused {
    pub(crate) position: usize,
    pub(crate) reason: Reason,
}

pub(crate) enum Reason {
    /// This move of a role is not legal.
    Illegal(Role, i64),
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
    rng: Rng,
}

/// What all positions of a phase have in common.
struct Phase {
    /// The one role that decides.
    decider: Role,
    /// The only moves of all others, by role.
    forced: Vec<Move>,
    /// By move of the decider: its place in the row of legal moves.
    places: Vec<u32>,
}

/// No place in a row.
const NOWHERE: u32 = u32::MAX;

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
        let rows: Vec<LegalRow<'_>> = Role::all(self.roles).map(|role| self.lanes.legal(0, role)).collect();
        let mut deciders = Role::all(self.roles).filter(|role| rows[role.index()].moves.len() > 1);
        if let (Some(decider), None) = (deciders.next(), deciders.next()) {
            let moves = rows[decider.index()].moves;
            let last = moves.last().map_or(0, |mv| mv.index());
            let mut places = vec![NOWHERE; last + 1];
            (0..).zip(moves).for_each(|(place, mv)| places[mv.index()] = place);
            let forced = rows.iter().map(|row| row.moves[0]).collect();
            self.phases[phase] = Some(Phase { decider, forced, places });
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
    pub(crate) fn has_joint_moves(&self) -> bool {
        let is_joint = |lane| self.playing[lane] && matches!(self.decider(lane), Decider::Several);
        self.phase().is_none() && (0..self.count).any(is_joint)
    }

    /// The legal moves of a role in a position that is played.
    pub(crate) fn legal(&self, lane: usize, role: Role) -> LegalRow<'_> {
        self.lanes.legal(lane, role)
    }

    /// A random legal move of the decider in every position that is played, -1 in the others.
    pub(crate) fn random(&mut self, out: &mut [i32]) {
        let mut rng = self.rng.clone();
        for (lane, place) in out.iter_mut().enumerate() {
            *place = match self.playing[lane].then(|| self.decider(lane)) {
                Some(Decider::One(role)) => draw(self.lanes.legal(lane, role), &mut rng),
                _ => -1,
            };
        }
        self.rng = rng;
    }

    /// The same for every role.
    pub(crate) fn random_joint(&mut self, out: &mut [i32]) {
        let mut rng = self.rng.clone();
        for (lane, places) in out.chunks_exact_mut(self.roles).enumerate() {
            for (role, place) in Role::all(self.roles).zip(places) {
                *place = if self.playing[lane] { draw(self.lanes.legal(lane, role), &mut rng) } else { -1 };
            }
        }
        self.rng = rng;
    }

    /// Checks the moves of all positions and enters them for the coming step. What was entered for a step that was refused is
    /// entered anew for the next one.
    pub(crate) fn enter(&mut self, wanted: &Wanted) -> Result<(), Refused> {
        let numbers = &wanted.moves[self.first * wanted.each..][..self.count * wanted.each];
        let mut joint = vec![Move(0); self.roles];
        for (lane, numbers) in numbers.chunks_exact(wanted.each).enumerate().filter(|(lane, _)| self.playing[*lane]) {
            let refused = |reason| Refused { position: self.first + lane, reason };
            self.read(lane, numbers, &mut joint).map_err(refused)?;
            for (role, &mv) in Role::all(self.roles).zip(&joint) {
                self.lanes.play(lane, role, mv);
            }
        }
        Ok(())
    }

    /// The joint move that some numbers mean in a lane.
    #[inline]
    fn read(&self, lane: usize, numbers: &[i64], joint: &mut [Move]) -> Result<(), Reason> {
        if let (Some(phase), [number]) = (self.phase(), numbers) {
            let row = self.lanes.legal(lane, phase.decider);
            let place = usize::try_from(*number).ok().and_then(|number| phase.places.get(number));
            let is_legal = place.is_some_and(|&place| {
                place != NOWHERE && row.bits[place as usize / 64 * row.stride] >> (place % 64) & 1 == 1
            });
            if !is_legal {
                return Err(Reason::Illegal(phase.decider, *number));
            }
            joint.copy_from_slice(&phase.forced);
            joint[phase.decider.index()] = Move(*number as u32);
            return Ok(());
        }
        let only = match (numbers, self.decider(lane)) {
            ([_], Decider::Several) if self.roles > 1 => return Err(Reason::Several),
            ([number], Decider::One(role)) => Some((role, *number)),
            _ => None,
        };
        for (role, place) in Role::all(self.roles).zip(joint) {
            let row = self.lanes.legal(lane, role);
            let number = match only {
                Some((decider, number)) if decider == role => number,
                Some(_) => -1,
                None => numbers[role.index()],
            };
            *place = match number {
                // Whoever has one move need not be told.
                -1 if row.count() == 1 => row.nth(0),
                number if is_legal(row, number) => Move(number as u32),
                number => return Err(Reason::Illegal(role, number)),
            };
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
        self.lanes.tick();
        self.ended.clear();
        for (lane, _) in self.playing.iter().enumerate().filter(|(_, playing)| **playing) {
            if self.lanes.is_terminal(lane) {
                self.ended.push(lane);
            }
        }
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
fn draw(row: LegalRow<'_>, rng: &mut Rng) -> i32 {
    row.nth(rng.below(row.count())).0 as i32
}

/// Whether a number is that of a legal move.
fn is_legal(row: LegalRow<'_>, number: i64) -> bool {
    let Ok(place) = row.moves.binary_search_by_key(&number, |mv| i64::from(mv.0)) else { return false };
    row.bits[place / 64 * row.stride] >> (place % 64) & 1 == 1
}

/// Writes a row of legal moves as one truth value per move of the game.
pub(crate) fn write_mask(row: LegalRow<'_>, mask: &mut [bool]) {
    mask.fill(false);
    let first = row.moves.first().map_or(0, |mv| mv.index());
    let is_dense = row.moves.last().is_some_and(|last| last.index() - first + 1 == row.moves.len());
    for (word, moves) in row.moves.chunks(64).enumerate() {
        let bits = row.bits[word * row.stride];
        if is_dense {
            let mask = &mut mask[first + 64 * word..][..moves.len()];
            mask.iter_mut().enumerate().for_each(|(bit, place)| *place = bits >> bit & 1 == 1);
        } else {
            moves.iter().enumerate().for_each(|(bit, mv)| mask[mv.index()] = bits >> bit & 1 == 1);
        }
    }
}
