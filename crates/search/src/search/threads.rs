//! Several threads at one search: every one has a tree of its own, and their results are added up.

use super::Search;
use crate::{
    budget::Meter,
    isolate::isolate,
    runner::{RunState, Runner},
};
use ludens_game::Game;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

impl<G: Game> Search<G> {
    /// Runs all threads until their budgets are spent, or until `stop` says so: only then there is more to do.
    pub(super) fn run(&mut self, meter: &Meter, stop: &dyn Fn() -> bool) -> RunState {
        let threads = self.runners.len();
        let (game, state) = (&*self.game, &self.state);
        let run = |runner: &mut Runner, thread: usize, stop: &dyn Fn() -> bool| {
            runner.run(game, state, &mut meter.share(thread, threads), stop)
        };
        let progress = match self.runners.as_mut_slice() {
            [runner] => run(runner, 0, stop),
            runners => {
                // Only the first thread asks the caller; its answer is passed on.
                let stopped = AtomicBool::new(false);
                std::thread::scope(|scope| {
                    let (first, others) = runners.split_first_mut().expect("there is a runner");
                    let spawn = |(thread, runner)| {
                        let (run, stopped) = (&run, &stopped);
                        scope.spawn(move || isolate(|| run(runner, thread, &|| stopped.load(Relaxed))))
                    };
                    let others: Vec<_> = (1..).zip(others).map(spawn).collect();
                    let progress = run(first, 0, &|| {
                        let stop = stop();
                        stopped.fetch_or(stop, Relaxed);
                        stop
                    });
                    // A panic of another thread goes on here, where whoever asked for the search can catch it.
                    for other in others {
                        if let Ok(Err(panicked)) = other.join() {
                            resume_unwind(Box::new(panicked.to_string()));
                        }
                    }
                    progress
                })
            }
        };
        self.end(meter);
        progress
    }
}
