//! Many simulations, one after the other, and the driver of a single search: one state, a game that answers at once.

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
pub(crate) async fn think<W: World>(
    worker: &mut Worker,
    world: &mut W,
    mut meter: Meter,
    stop: &dyn Fn() -> bool,
) -> Progress {
    while !meter.is_spent(worker.simulations, worker.tree.len()) && !worker.is_solved() {
        if stop() {
            return Progress::Stopped;
        }
        simulate(worker, world).await;
    }
    Progress::Ended
}

/// [`think`] in a world that answers at once.
pub(crate) fn drive<W: World>(worker: &mut Worker, world: &mut W, meter: Meter, stop: &dyn Fn() -> bool) -> Progress {
    at_once(think(worker, world, meter, stop))
}

/// The result of something that never has to wait.
pub(crate) fn at_once<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => unreachable!("whoever is asked here answers at once"),
    }
}
