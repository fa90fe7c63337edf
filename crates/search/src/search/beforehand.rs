//! Weights that a policy learns before the first search of a game, see [`Learned`](crate::Learned).

use super::Search;
use crate::{
    budget::{Budget, Meter},
    learned::{self, SIMULATIONS},
    runner::{RunState, Runner},
};
use ludens_game::{Game, Seed};

impl<G: Game> Search<G> {
    /// Where the game is before its first search: weights that were learned for this position.
    pub(super) fn install_learned(&mut self, stop: &dyn Fn() -> bool) {
        let starts_learned = self.core.runners[0].worker.chain.policies.iter().any(|policy| policy.starts_learned());
        if !starts_learned || self.core.steps_played > 1 {
            return;
        }
        let key = learned::key(&*self.game, &self.core.spec, &self.state);
        let known = self.learned.load(&key);
        let Some(weights) = known.or_else(|| {
            let weights = self.learn_beforehand(&key, stop)?;
            self.learned.store(&key, &weights);
            Some(weights)
        }) else {
            return;
        };
        for Runner { worker, .. } in &mut self.core.runners {
            if let Some(policy) = worker.chain.policies.last_mut() {
                policy.restore(&weights);
            }
        }
    }

    /// Weights from a search of their own; none if it was stopped.
    fn learn_beforehand(&self, key: &str, stop: &dyn Fn() -> bool) -> Option<Vec<f64>> {
        let mut runner = Runner::new(self.core.new_worker());
        runner.worker.reset(Seed::new(0).named(key).rng());
        let budget = Budget::simulations(SIMULATIONS);
        runner.begin_search(&*self.game, &self.state, &budget);
        let progress = runner.run(&*self.game, &self.state, &mut Meter::start(budget), stop);
        let policy = runner.worker.chain.policies.last().filter(|_| progress == RunState::Ended);
        policy.map(|policy| policy.snapshot())
    }
}
