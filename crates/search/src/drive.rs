//! The driver of a single search: one state, a game that answers at once.

use crate::{budget::Meter, simulate::simulate, worker::Worker, world::World};
use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

/// Why a driver came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The budget is spent or the root is solved.
    Ended,
    /// Somebody asked to stop; driving on goes on as if nobody had.
    Stopped,
}

/// Makes simulations until the budget is spent, the root is solved or somebody asks to stop.
pub(crate) fn drive<W: World>(
    worker: &mut Worker,
    world: &mut W,
    mut meter: Meter,
    stop: &dyn Fn() -> bool,
) -> Progress {
    while !meter.is_spent(worker.simulations, worker.tree.len()) && !worker.is_solved() {
        if stop() {
            return Progress::Stopped;
        }
        let simulation = pin!(simulate(worker, world));
        match simulation.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(()) => {}
            Poll::Pending => unreachable!("a local world answers at once"),
        }
    }
    Progress::Ended
}
