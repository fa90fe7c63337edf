//! Several threads at one search: every one has a tree of its own, and their results are added up.

use crate::{
    isolate::isolate,
    runner::{RunState, Runner},
};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Makes the simulations of one thread until its budget is spent or somebody asks to stop.
pub(super) type RunOne<'r> = &'r (dyn Fn(&mut Runner, usize, &dyn Fn() -> bool) -> RunState + Sync);

/// Runs all threads until their budgets are spent, or until `stop` says so: only then there is more to do.
pub(super) fn run_all(runners: &mut [Runner], run: RunOne<'_>, stop: &dyn Fn() -> bool) -> RunState {
    let (first, others) = runners.split_first_mut().expect("a search has a runner");
    if others.is_empty() {
        return run(first, 0, stop);
    }
    // Only the first thread asks the caller; its answer is passed on.
    let stopped = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let spawn = |(thread, runner)| {
            let stopped = &stopped;
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
