//! Several threads at one search: every one has a tree of its own, and their results are added up, or all share the tree of the first.

use crate::{
    budget::Meter,
    isolate::isolate,
    relay::Relay,
    runner::{RunState, Runner},
};
use std::mem::swap;
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

/// A search begins with the tree of the first thread, which all others look at.
pub(super) fn begin_with_one_tree(runners: &mut [Runner], begin: &dyn Fn(&mut Runner)) {
    let (first, others) = runners.split_first_mut().expect("a search has a runner");
    begin(first);
    for other in others {
        swap(&mut first.worker.tree, &mut other.worker.tree);
        begin(other);
        swap(&mut first.worker.tree, &mut other.worker.tree);
    }
}

/// Takes turns with a tree until no simulation may begin any more.
type TakeTurns<'r> = &'r (dyn Fn(&mut Runner, usize, &Relay, &dyn Fn() -> bool) + Sync);

/// Runs all threads with the tree of the first one, until the limits of all together are reached or `stop` says so.
pub(super) fn run_with_one_tree(
    runners: &mut [Runner],
    meter: &Meter,
    take_turns: TakeTurns<'_>,
    stop: &dyn Fn() -> bool,
) -> RunState {
    let made = runners.iter().fold((0, 0), |(simulations, steps), Runner { worker, .. }| {
        (simulations + worker.simulations, steps + worker.steps)
    });
    // Meanwhile every worker has an empty tree.
    let mut tree = runners[1].worker.tree.clone();
    swap(&mut tree, &mut runners[0].worker.tree);
    runners.iter().for_each(|runner| runner.count_flight(&mut tree, 1));
    let relay = Relay::new(tree, runners.iter().map(Runner::is_under_way).collect(), meter.clone(), made);
    let run = |runner: &mut Runner, thread: usize, stop: &dyn Fn() -> bool| {
        take_turns(runner, thread, &relay, stop);
        RunState::Ended
    };
    run_all(runners, &run, stop);
    let (mut tree, end) = relay.end();
    runners.iter().for_each(|runner| runner.count_flight(&mut tree, -1));
    runners[0].worker.tree = tree;
    end
}
