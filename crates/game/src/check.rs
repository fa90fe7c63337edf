//! The conformance suite: what every [`Game`] promises, checked on random walks.
//!
//! A game's own tests show that its rules are right; this suite shows that its interface is.

mod any;
mod lanes;

use crate::{Game, Move, Rng, Role, Seed, Turn, TurnGame};
use any::{AnyGame, AnyState};
use std::fmt;

/// What the walks of a conformance run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walks {
    /// Number of walks.
    pub count: u32,
    /// Steps of all of them.
    pub steps: u64,
}

/// A broken promise, and the moves that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The game's name.
    pub game: String,
    /// What was promised and what was found.
    pub what: String,
    /// The joint moves from the initial position, by name.
    pub path: Vec<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} after [{}]", self.game, self.what, self.path.join(", "))
    }
}

impl std::error::Error for Violation {}

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Number of random walks.
    pub walks: u32,
    /// Steps after which a walk has failed to end.
    pub max_steps: u32,
    /// Seed of the walks.
    pub seed: u64,
}

/// Checks all promises of `game` along random walks, and those of its [`Lanes`](crate::Lanes) if it has any.
///
/// # Errors
/// The first promise that is broken.
pub fn conformance<G: Game + 'static>(game: &G, plan: Plan) -> Result<Walks, Violation> {
    conformance_of(game, plan)
}

fn conformance_of(game: &dyn AnyGame, plan: Plan) -> Result<Walks, Violation> {
    let mut seen = Walks::default();
    for walk in 0..plan.walks {
        let mut checker = Walk { game, path: Vec::new(), joints: Vec::new(), hashes: Vec::new() };
        let mut rng = Seed::new(plan.seed).at(u64::from(walk)).rng();
        checker.run(plan.max_steps, &mut rng).map_err(|what| Violation {
            game: game.name(),
            what,
            path: checker.path.clone(),
        })?;
        seen.count += 1;
        seen.steps += checker.joints.len() as u64;
    }
    lanes::check(game, plan).map_err(|what| Violation { game: game.name(), what, path: Vec::new() })?;
    Ok(seen)
}

struct Walk<'g> {
    game: &'g dyn AnyGame,
    path: Vec<String>,
    joints: Vec<Vec<Move>>,
    hashes: Vec<Option<u64>>,
}

impl Walk<'_> {
    fn run(&mut self, max_steps: u32, rng: &mut Rng) -> Result<(), String> {
        let game = self.game;
        self.check_names()?;
        let mut state = game.initial();
        let mut scores = vec![f64::NAN; game.roles()];
        while !game.scores(&state, &mut scores) {
            ensure(scores.iter().all(|s| s.is_nan()), || "scores were written before the end".into())?;
            ensure(self.joints.len() < max_steps as usize, || format!("no end after {max_steps} steps"))?;
            self.hashes.push(game.hash(&state));
            let joint = self.check_state(&state, rng)?;
            self.path.push(self.joint_name(&joint));
            self.check_clone(&state, &joint)?;
            game.advance(&mut state, &joint);
            self.joints.push(joint);
        }
        ensure(scores.iter().all(|s| (0.0..=1.0).contains(s)), || format!("scores {scores:?} leave [0, 1]"))?;
        let _ = game.view(&state);
        self.check_replay(&scores)?;
        self.check_playout(max_steps, rng)
    }

    fn check_names(&self) -> Result<(), String> {
        let names = self.game.role_names();
        ensure(!names.is_empty() && names.len() == self.game.roles(), || {
            format!("{} roles with the names {names:?}", self.game.roles())
        })?;
        let mut sorted = names.clone();
        sorted.sort();
        sorted.dedup();
        ensure(sorted.len() == names.len(), || format!("two roles share a name: {names:?}"))
    }

    /// Checks everything that can be asked of a state that is not terminal, and draws a joint move.
    fn check_state(&self, state: &AnyState, rng: &mut Rng) -> Result<Vec<Move>, String> {
        let game = self.game;
        let cells = game.view(state).cells.len();
        let mut joint = Vec::new();
        for role in Role::all(game.roles()) {
            let legals = game.legals(state, role);
            let who = || format!("role {}", role.0);
            ensure(!legals.is_empty(), || format!("{} has no legal move", who()))?;
            ensure(legals.is_sorted_by(|a, b| a < b), || format!("{}'s legal moves do not ascend: {legals:?}", who()))?;
            ensure(legals.iter().all(|m| m.index() < game.moves(role)), || {
                format!("{} has a legal move of {} or more", who(), game.moves(role))
            })?;
            ensure(legals.len() == 1 || game.idle_move(role).is_none_or(|idle| !legals.contains(&idle)), || {
                format!("{}'s idle move is legal beside others", who())
            })?;
            if let Turn::One(decider) = game.turn(state) {
                ensure(role == decider || legals.len() == 1, || {
                    format!("role {} decides, but {} has {} legal moves", decider.0, who(), legals.len())
                })?;
            }
            let considered = game.playout_moves(state, role);
            ensure(!considered.is_empty() && considered.is_sorted_by(|a, b| a < b), || {
                format!("{}'s playout moves {considered:?} are empty or do not ascend", who())
            })?;
            ensure(considered.iter().all(|m| legals.binary_search(m).is_ok()), || {
                format!("{} has a playout move that is not legal", who())
            })?;
            let drawn = game.draw_move(state, role, &mut Seed::new(self.joints.len() as u64).rng());
            ensure(drawn.is_none_or(|mv| considered.binary_search(&mv).is_ok()), || {
                format!("{} draws {drawn:?}, which is no playout move", who())
            })?;
            self.check_wins(state, role, &legals)?;
            let codes = game.codes(state, role, &legals);
            ensure(codes.len() == legals.len(), || {
                format!("{} has {} legal moves and {} codes", who(), legals.len(), codes.len())
            })?;
            ensure(codes.iter().all(|&c| (c as usize) < game.code_count(role)), || {
                format!("{} has a code of {} or more: {codes:?}", who(), game.code_count(role))
            })?;
            let mut names = Vec::new();
            for &mv in &legals {
                let name = game.move_name(role, mv);
                ensure(game.parse_move(role, &name) == Some(mv), || {
                    format!(
                        "{}'s move {} is written {name:?}, which reads as {:?}",
                        who(),
                        mv.0,
                        game.parse_move(role, &name)
                    )
                })?;
                ensure(game.touched_cells(role, mv).iter().all(|&cell| cell < cells), || {
                    format!("{name:?} touches a cell that the view has not")
                })?;
                names.push(name);
            }
            names.sort();
            ensure(names.windows(2).all(|pair| pair[0] != pair[1]), || {
                format!("two legal moves of {} share a name", who())
            })?;
            joint.push(legals[rng.below(legals.len() as u32) as usize]);
        }
        Ok(joint)
    }

    /// What the game says about winning moves must be what happens when they are played.
    fn check_wins(&self, state: &AnyState, role: Role, legals: &[Move]) -> Result<(), String> {
        let game = self.game;
        if game.turn(state) != Turn::One(role) {
            return Ok(());
        }
        let mut joint: Vec<_> = Role::all(game.roles()).map(|role| game.legals(state, role)[0]).collect();
        for &mv in legals {
            let Some(says) = game.wins(state, role, mv) else { continue };
            joint[role.index()] = mv;
            let mut ahead = game.copy(state);
            game.advance(&mut ahead, &joint);
            let mut scores = vec![0.0; game.roles()];
            let is_over = game.scores(&ahead, &mut scores);
            let is_win = |(other, score): (Role, &f64)| *score == if other == role { 1.0 } else { 0.0 };
            let wins = is_over && Role::all(game.roles()).zip(&scores).all(is_win);
            ensure(says == wins, || {
                format!("role {} is told {says} of its move {}, which wins: {wins}", role.0, mv.0)
            })?;
        }
        Ok(())
    }

    /// Advancing a clone must leave the original as it was.
    fn check_clone(&self, state: &AnyState, joint: &[Move]) -> Result<(), String> {
        let game = self.game;
        let picture = |state: &AnyState| {
            let legals: Vec<_> = Role::all(game.roles()).map(|role| game.legals(state, role)).collect();
            (game.view(state), game.hash(state), legals)
        };
        let before = picture(state);
        game.advance(&mut game.copy(state), joint);
        ensure(picture(state) == before, || "advancing a clone changed the original".into())
    }

    /// The same moves must lead to the same hashes and scores.
    fn check_replay(&self, scores: &[f64]) -> Result<(), String> {
        let game = self.game;
        let mut state = game.initial();
        for (step, joint) in self.joints.iter().enumerate() {
            ensure(game.hash(&state) == self.hashes[step], || format!("a replay has another hash at step {step}"))?;
            game.advance(&mut state, joint);
        }
        let mut again = vec![f64::NAN; game.roles()];
        ensure(game.scores(&state, &mut again) && again == scores, || {
            format!("a replay ends with {again:?} instead of {scores:?}")
        })
    }

    /// The game's own fast playout must reach an end, and count its steps.
    fn check_playout(&self, max_steps: u32, rng: &mut Rng) -> Result<(), String> {
        let game = self.game;
        let mut scores = vec![0.0; game.roles()];
        let mut state = game.initial();
        let steps = game.playout(&mut state, rng, max_steps);
        ensure(game.scores(&state, &mut scores), || format!("a playout of {steps} steps did not end the game"))?;
        ensure(game.playout(&mut game.copy(&state), rng, max_steps) == 0, || {
            "a playout from the end made steps".into()
        })?;
        let short = game.playout(&mut game.initial(), rng, 1);
        ensure(short <= 1, || format!("a playout limited to 1 step made {short}"))
    }

    fn joint_name(&self, joint: &[Move]) -> String {
        let names: Vec<_> =
            Role::all(joint.len()).zip(joint).map(|(role, &mv)| self.game.move_name(role, mv)).collect();
        names.join("/")
    }
}

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// Checks along random walks that [`TurnGame::random_move`] draws uniformly from [`TurnGame::playout_moves`].
///
/// Every state of a walk gets `draws` draws; the counts of all states together give one chi-square statistic, which may
/// exceed its mean by five standard deviations.
///
/// # Errors
/// A draw that was not on the list, or a statistic beyond what chance explains.
pub fn random_moves<G: TurnGame>(game: &G, plan: Plan, draws: u32) -> Result<(), Violation> {
    let violation = |what| Violation { game: TurnGame::name(game), what, path: Vec::new() };
    let (mut statistic, mut freedom) = (0.0, 0.0);
    let mut moves = Vec::new();
    for walk in 0..plan.walks {
        let mut rng = Seed::new(plan.seed).at(u64::from(walk)).rng();
        let mut state = TurnGame::initial(game);
        let mut scores = vec![0.0; TurnGame::role_names(game).len()];
        while !TurnGame::scores(game, &state, &mut scores) {
            TurnGame::playout_moves(game, &state, &mut moves);
            let mut counts = vec![0_u32; moves.len()];
            for _ in 0..draws {
                let index = game.random_move(&state, &mut rng).and_then(|m| moves.binary_search(&m).ok());
                counts[index.ok_or_else(|| violation("a random move is not a playout move".into()))?] += 1;
            }
            let expected = f64::from(draws) / moves.len() as f64;
            statistic += counts.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum::<f64>();
            freedom += moves.len() as f64 - 1.0;
            let mv = moves[rng.below(moves.len() as u32) as usize];
            game.play(&mut state, mv);
        }
        ensure(game.random_move(&state, &mut rng).is_none(), || "a random move after the end".into())
            .map_err(violation)?;
    }
    // A chi-square statistic with f degrees of freedom has mean f and variance 2f; the few draws per move make ours a
    // little narrower still.
    ensure((statistic - freedom).abs() <= 5.0 * (2.0 * freedom).sqrt(), || {
        format!("random moves are not uniform: chi-square {statistic:.0} with {freedom} degrees of freedom")
    })
    .map_err(violation)
}
