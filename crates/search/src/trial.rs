//! Whether many simulations at once pay, as `batch=auto` wants to know it: by trying.
//!
//! A batch makes more simulations in the same time, but each knows less: those that left with it have no results yet. What
//! the lanes gain depends on the game, the processor and the playout policy, so both ways are run for a moment.

use crate::{
    batch::Batch,
    budget::{Budget, Meter},
    runner::Runner,
    worker::Worker,
    world::Local,
};
use ludens_game::Game;
use std::time::Duration;

/// So many times faster a batch has to be. A cautious round number: in matches at equal time gains of about one and a half
/// made no player stronger, and those between that and three did so in some games and not in others.
const GAIN: f64 = 2.0;

/// The length of one trial, and how many there are of either way; the fastest counts, since nothing disturbed it.
const MOMENT: Duration = Duration::from_millis(5);
const TRIALS: usize = 3;

/// Whether many simulations at once are so much faster that they find more. `fresh` makes workers.
pub(crate) fn batch_pays<G: Game>(game: &G, fresh: &dyn Fn() -> Worker) -> bool {
    let state = game.initial();
    if game.scores(&state, &mut vec![0.0; game.roles()]) {
        return false;
    }
    let Some(mut batch) = Batch::new(game, &fresh()) else { return false };
    let (mut alone, mut at_once) = (0.0, 0.0);
    for _ in 0..TRIALS {
        alone = f64::max(alone, steps_alone(game, &state, fresh()));
        at_once = f64::max(at_once, steps_at_once(game, &state, fresh(), &mut batch));
    }
    at_once >= GAIN * alone
}

/// Steps a second of simulations that follow each other.
fn steps_alone<G: Game>(game: &G, state: &G::State, worker: Worker) -> f64 {
    let mut runner = Runner::new(worker);
    let mut world = Local::new(game, state);
    runner.worker.begin_search(&mut world, 0);
    let mut meter = Meter::start(Budget::time(MOMENT));
    let progress = runner.think(&mut world, &mut meter, &|| false);
    debug_assert!(progress.is_ready(), "a local world answers at once");
    runner.worker.steps as f64 / meter.elapsed().as_secs_f64()
}

/// Steps a second of a batch.
fn steps_at_once<G: Game>(game: &G, state: &G::State, mut worker: Worker, batch: &mut Batch) -> f64 {
    worker.begin_search(&mut Local::new(game, state), 0);
    batch.begin_search(game.row(state).expect("a game with lanes has rows"));
    let mut meter = Meter::start(Budget::time(MOMENT));
    batch.drive(&mut worker, &mut meter, &|| false);
    (worker.steps + batch.steps_in_flight()) as f64 / meter.elapsed().as_secs_f64()
}
