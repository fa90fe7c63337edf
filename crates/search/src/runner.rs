//! [`Runner`]: one thread's part of a search. It makes simulations one after the other, or many at once.

use crate::{
    batch::{Batch, count_visits},
    budget::{Budget, Meter},
    relay::{Relay, Runs},
    simulate::Simulation,
    tree::Tree,
    worker::Worker,
    world::{Local, World},
};
use ludens_game::Game;
use std::task::{Poll, ready};

/// Why a driver came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunState {
    /// The budget is spent or the root is solved.
    Ended,
    /// Stopped on request; driving it again continues as if nothing had happened.
    Stopped,
}

/// A tree with everything that searches it.
pub(crate) struct Runner {
    pub(crate) worker: Worker,
    simulation: Simulation,
    /// The simulations in flight, if there can be several at once.
    batch: Option<Batch>,
}

impl Runner {
    pub(crate) fn new(worker: Worker) -> Runner {
        Runner { simulation: Simulation::new(&worker.chain.space), worker, batch: None }
    }

    /// From now on makes several simulations at once, if the settings want that and the game has lanes.
    pub(crate) fn allow_batch<G: Game>(&mut self, game: &G) {
        self.batch = Batch::new(game, &self.worker);
    }

    /// A search begins at a position in which the game is not over.
    pub(crate) fn begin_search<G: Game>(&mut self, game: &G, state: &G::State, budget: &Budget) {
        self.simulation.abandon();
        self.worker.begin_search(&mut Local::new(game, state), budget.simulations.unwrap_or(0));
        if let Some(batch) = self.batch.as_mut().filter(|_| self.worker.settings.batch.is_many(budget)) {
            batch.begin_search(game.row(state).expect("a game with lanes has rows"));
        }
    }

    /// Makes simulations from the position at which the search began, until the budget is spent, the root is solved or somebody
    /// asks to stop.
    pub(crate) fn run<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        meter: &mut Meter,
        stop: &dyn Fn() -> bool,
    ) -> RunState {
        match self.batch.as_mut().filter(|_| self.worker.settings.batch.is_many(meter.budget())) {
            Some(batch) => batch.drive(&mut self.worker, meter, stop),
            None => match self.think(&mut Local::new(game, state), meter, stop) {
                Poll::Ready(progress) => progress,
                Poll::Pending => unreachable!("a local world answers at once"),
            },
        }
    }

    /// The same, one simulation after the other in any world; `Pending`: the world has to answer first.
    #[inline]
    pub(crate) fn think<W: World>(
        &mut self,
        world: &mut W,
        meter: &mut Meter,
        stop: &dyn Fn() -> bool,
    ) -> Poll<RunState> {
        loop {
            if self.simulation.is_home() {
                if meter.is_spent(self.worker.simulations, self.worker.steps, self.worker.tree.len())
                    || self.worker.is_solved()
                {
                    return Poll::Ready(RunState::Ended);
                }
                if stop() {
                    return Poll::Ready(RunState::Stopped);
                }
            }
            ready!(self.simulation.resume(&mut self.worker, world));
        }
    }

    /// Whether it has a simulation under way.
    pub(crate) fn is_under_way(&self) -> bool {
        !self.simulation.is_home()
    }

    /// Adds the visits of the simulation under way to the tree that it shares, or takes them back.
    pub(crate) fn count_flight(&self, tree: &mut Tree, sign: i32) {
        if self.is_under_way() {
            count_visits(tree, &self.simulation.path, &self.simulation.picked, sign);
        }
    }

    /// Makes simulations in turn with the other threads that share its tree, until none may begin any more. If that is because somebody
    /// asks to stop, its playout under way comes to its end, but not into the tree.
    pub(crate) fn take_turns<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        (thread, relay): (usize, &Relay),
        stop: &dyn Fn() -> bool,
    ) {
        let Runner { worker, simulation, .. } = self;
        let mut world = Local::new(game, state);
        let _runs = Runs(relay);
        while let Some(mut turn) = relay.wait(thread, worker) {
            if turn.is_stopped() {
                return turn.leave(worker);
            }
            if !simulation.is_home() {
                // Its playout is over: the results.
                go_on(simulation, worker, &mut world);
                turn.count(worker, false);
            }
            // Always at the same place in the order of turns, so that to stop and go on changes nothing.
            let stop = thread == 0 && stop();
            if !turn.may_begin(worker, stop) {
                return turn.leave(worker);
            }
            // The next one, as far as it needs the tree.
            go_on(simulation, worker, &mut world);
            turn.count(worker, !simulation.is_home());
            turn.hand_on(worker);
            if !simulation.is_home() {
                // The playout.
                go_on(simulation, worker, &mut world);
            }
        }
    }

    /// The bytes that it holds: the tree, the policies' tables, and the trails of all that is in flight.
    pub(crate) fn bytes(&self) -> usize {
        self.worker.bytes() + self.simulation.bytes() + self.batch.as_ref().map_or(0, Batch::bytes)
    }
}

/// Not inlined: it would be compiled again for every place.
#[inline(never)]
fn go_on<W: World>(simulation: &mut Simulation, worker: &mut Worker, world: &mut W) {
    let _ = simulation.resume(worker, world);
}
