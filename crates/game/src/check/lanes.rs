//! What the lanes of a game promise: in every position they say what the game says.

use super::any::{AnyGame, AnyState};
use super::{Plan, ensure};
use crate::{Lanes, Move, Rng, Role, Seed};

/// The lanes that walk: neighbours, the borders of words, and the last.
const WALKERS: [usize; 6] = [0, 1, 63, 64, 100, LANES - 1];
const LANES: usize = 130;

/// Scores are computed at every third tick, so that lanes have to wait for them.
const TICKS_PER_SETTLE: u32 = 3;

/// Walks in some lanes and in the game itself until `plan.walks` games have ended.
pub(super) fn check(game: &dyn AnyGame, plan: Plan) -> Result<(), String> {
    let initial = game.initial();
    let Some(mut lanes) = game.lanes(LANES).filter(|_| !game.scores(&initial, &mut vec![0.0; game.roles()])) else {
        return Ok(());
    };
    ensure(lanes.lanes() >= LANES, || format!("{} lanes instead of {LANES}", lanes.lanes()))?;
    let mut walkers = WALKERS.map(|lane| Walker {
        lane,
        stage: Stage::GoesHome,
        home: game.initial(),
        state: game.initial(),
        seen: game.initial(),
        rng: Seed::new(plan.seed).named("lanes").at(lane as u64).rng(),
    });
    let mut ended = 0;
    let most = (u64::from(plan.max_steps) + u64::from(TICKS_PER_SETTLE + lanes.phases())) * u64::from(plan.walks + 1);
    let mut ticks = 0;
    while ended < plan.walks {
        ensure(ticks < most, || format!("lanes have played {ended} games in {ticks} ticks"))?;
        ticks += 1;
        for walker in &mut walkers {
            walker.prepare(game, &mut *lanes)?;
        }
        lanes.tick();
        for walker in &mut walkers {
            walker.compare(game, &*lanes).map_err(|what| format!("lane {}: {what}", walker.lane))?;
        }
        if ticks % u64::from(TICKS_PER_SETTLE) == 0 {
            lanes.compute_scores();
            for walker in walkers.iter_mut().filter(|walker| walker.stage == Stage::Waits) {
                walker.compare_scores(game, &*lanes).map_err(|what| format!("lane {}: {what}", walker.lane))?;
                walker.move_home(game, &mut *lanes)?;
                ended += 1;
            }
        }
    }
    Ok(())
}

/// One lane, and the game beside it.
struct Walker {
    lane: usize,
    stage: Stage,
    home: AnyState,
    state: AnyState,
    /// Some state of the walk, perhaps its next home.
    seen: AnyState,
    rng: Rng,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It goes home as soon as the phase is right.
    GoesHome,
    /// It moves at the coming tick, or has moved at the last one.
    Moves,
    /// Its game is over.
    Waits,
}

impl Walker {
    /// Says what the lane does at the coming tick.
    fn prepare(&mut self, game: &dyn AnyGame, lanes: &mut dyn Lanes) -> Result<(), String> {
        if self.stage == Stage::GoesHome {
            let home_phase = lanes.phase_of(row(game, &self.home)?);
            // Either it goes home and stays there for a tick, or it goes home and moves at once.
            let stays = self.rng.chance(0.5);
            let phase = if stays { (lanes.phase() + 1) % lanes.phases() } else { lanes.phase() };
            if phase != home_phase {
                return Ok(());
            }
            lanes.rewind(self.lane);
            self.state = game.copy(&self.home);
            self.stage = Stage::Moves;
            if stays {
                return Ok(());
            }
        }
        if self.stage == Stage::Moves {
            let mut joint = Vec::new();
            for role in Role::all(game.roles()) {
                let legal = game.legals(&self.state, role);
                let mv = legal[self.rng.below(legal.len() as u32) as usize];
                lanes.play(self.lane, role, mv);
                joint.push(mv);
            }
            game.advance(&mut self.state, &joint);
        }
        Ok(())
    }

    /// Compares a lane that has just moved with the game.
    fn compare(&mut self, game: &dyn AnyGame, lanes: &dyn Lanes) -> Result<(), String> {
        if self.stage != Stage::Moves {
            return Ok(());
        }
        let mut words = vec![0; lanes.state_words()];
        lanes.store(self.lane, &mut words);
        ensure(Some(lanes.hash(&words)) == game.hash(&self.state), || "another hash".into())?;
        let mut scores = vec![0.0; game.roles()];
        let is_over = game.scores(&self.state, &mut scores);
        ensure(lanes.is_terminal(self.lane) == is_over, || format!("the game is over: {is_over} in the game"))?;
        if is_over {
            self.stage = Stage::Waits;
            return Ok(());
        }
        ensure(lanes.phase_of(row(game, &self.state)?) == lanes.phase(), || "another phase".into())?;
        let mut cut = scores.clone();
        game.cutoff_scores(&self.state, &mut scores);
        lanes.cutoff_scores(self.lane, &mut cut);
        ensure(cut == scores, || format!("cut off with {cut:?} instead of {scores:?}"))?;
        for role in Role::all(game.roles()) {
            let (expected, mut found): (_, Vec<Move>) = (game.legals(&self.state, role), Vec::new());
            lanes.legal(self.lane, role).list(&mut found);
            ensure(found == expected, || format!("role {} has the moves {found:?}, not {expected:?}", role.0))?;
            ensure(game.playout_moves(&self.state, role) == expected, || {
                "playouts do not consider all legal moves, which lanes cannot say".into()
            })?;
            let (expected, mut codes) = (game.codes(&self.state, role, &found), Vec::new());
            lanes.codes(self.lane, role, &found, &mut codes);
            ensure(codes == expected, || format!("role {} has the codes {codes:?}, not {expected:?}", role.0))?;
        }
        if self.rng.chance(0.2) {
            self.seen = game.copy(&self.state);
        }
        Ok(())
    }

    /// Compares the scores of a lane whose game is over.
    fn compare_scores(&self, game: &dyn AnyGame, lanes: &dyn Lanes) -> Result<(), String> {
        let mut expected = vec![0.0; game.roles()];
        let mut found = expected.clone();
        game.scores(&self.state, &mut expected);
        lanes.scores(self.lane, &mut found);
        ensure(found == expected, || format!("scores {found:?} instead of {expected:?}"))
    }

    /// The next walk begins at the initial state, or somewhere in the middle of the last one.
    fn move_home(&mut self, game: &dyn AnyGame, lanes: &mut dyn Lanes) -> Result<(), String> {
        self.home = if self.rng.chance(0.5) { game.initial() } else { game.copy(&self.seen) };
        lanes.set_home(self.lane, row(game, &self.home)?);
        self.stage = Stage::GoesHome;
        Ok(())
    }
}

fn row<'s>(game: &dyn AnyGame, state: &'s AnyState) -> Result<&'s [u64], String> {
    game.row(state).ok_or_else(|| "a game with lanes has no rows".into())
}
