//! Whether many simulations in flight pay, as `batch=auto` wants to know it: by trying.
//!
//! A batch makes more simulations in the same time, but each knows less: those that left with it have no results yet. What
//! the lanes gain depends on the game, the processor and the playout policy, so both ways are run for a moment.

use crate::{
    batch::Batch,
    budget::{Budget, Meter},
    drive::drive,
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

/// Whether simulations in flight are so much faster that they find more. `fresh` makes workers.
pub(crate) fn batch_pays<G: Game>(game: &G, fresh: &dyn Fn() -> Worker) -> bool {
    let state = game.initial();
    if game.scores(&state, &mut vec![0.0; game.roles()]) {
        return false;
    }
    let Some(mut batch) = Batch::new(game, &fresh()) else { return false };
    let (mut alone, mut in_flight) = (0.0, 0.0);
    for _ in 0..TRIALS {
        let mut worker = fresh();
        let mut world = Local::new(game, &state);
        worker.begin_search(&mut world, 0);
        let meter = Meter::start(Budget::time(MOMENT));
        drive(&mut worker, &mut world, meter.clone(), &|| false);
        alone = f64::max(alone, worker.walk.steps as f64 / meter.elapsed().as_secs_f64());

        let mut worker = fresh();
        worker.begin_search(&mut world, 0);
        batch.begin_search(game.row(&state).expect("a game with lanes has rows"));
        let meter = Meter::start(Budget::time(MOMENT));
        batch.drive(&mut worker, meter.clone(), &|| false);
        let steps = worker.walk.steps + batch.steps_in_air();
        in_flight = f64::max(in_flight, steps as f64 / meter.elapsed().as_secs_f64());
    }
    in_flight >= GAIN * alone
}
