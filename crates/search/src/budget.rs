//! Budgets: how long a search may think.

use std::{
    fmt,
    str::FromStr,
    time::{Duration, Instant},
};

/// Limits of one search; the first limit reached ends it. At least one is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Simulations.
    pub simulations: Option<u64>,
    /// Steps of all simulations together. Rules are paid by the step, so players with short and with long playouts get the same
    /// effort, on any machine.
    pub steps: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Wall-clock time of the first search of a game, if it differs.
    pub start: Option<Duration>,
    /// Simulations or steps of the first search of a game, if they differ: what a start clock gives. Every role makes them at the
    /// initial position, also one that has no choice there.
    pub first: Option<u64>,
    /// Nodes in the tree.
    pub nodes: Option<usize>,
}

impl Budget {
    /// A number of simulations.
    pub fn simulations(count: u64) -> Budget {
        Budget { simulations: Some(count), ..Budget::default() }
    }

    /// A number of steps.
    pub fn steps(count: u64) -> Budget {
        Budget { steps: Some(count), ..Budget::default() }
    }

    /// A time.
    pub fn time(time: Duration) -> Budget {
        Budget { time: Some(time), ..Budget::default() }
    }

    /// The limits of one search: the first of a game or a later one, by a player that makes `pace` simulations or steps for each
    /// one of the budget.
    pub fn of_search(self, is_first: bool, pace: f64) -> Budget {
        let first = |count: u64| if is_first { self.first.unwrap_or(count) } else { count };
        let paced = |count: u64| if pace == 1.0 { count } else { ((count as f64 * pace).round() as u64).max(1) };
        Budget {
            simulations: self.simulations.map(first).map(paced),
            steps: self.steps.map(first).map(paced),
            time: if is_first { self.start.or(self.time) } else { self.time },
            start: None,
            first: None,
            nodes: self.nodes,
        }
    }

    /// About how many simulations a search will make, if it counts anything: for planning, not for playing.
    pub fn about_simulations(&self) -> Option<u64> {
        let by_steps = || self.steps.map(|steps| (steps / STEPS_OF_A_SIMULATION).max(1));
        self.simulations.or_else(by_steps).or_else(|| self.nodes.map(|nodes| nodes as u64))
    }

    /// The share of one of several threads: simulations, steps and nodes are divided, time is not.
    pub(crate) fn share(self, thread: usize, threads: usize) -> Budget {
        let part = |count: u64| count / threads as u64 + u64::from((thread as u64) < count % threads as u64);
        Budget {
            simulations: self.simulations.map(part),
            steps: self.steps.map(part),
            nodes: self.nodes.map(|nodes| (nodes / threads).max(1)),
            ..self
        }
    }
}

/// Few games have shorter simulations on average.
const STEPS_OF_A_SIMULATION: u64 = 16;

/// Why a text is not a budget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "bad budget {text:?}: {reason} (examples: sims=1000, steps=50000, ms=500, nodes=100000, start=10s,play=5s, first=3000,sims=1000)"
)]
pub struct BudgetError {
    text: String,
    reason: String,
}

impl FromStr for Budget {
    type Err = BudgetError;

    fn from_str(text: &str) -> Result<Budget, BudgetError> {
        let error = |reason: String| BudgetError { text: text.to_owned(), reason };
        let mut budget = Budget::default();
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(|| error(format!("{part:?} is not KEY=VALUE")))?;
            let count = || {
                value
                    .parse::<u64>()
                    .ok()
                    .filter(|&n| n > 0)
                    .ok_or_else(|| error(format!("{value:?} is not a whole number above 0")))
            };
            let duration =
                || parse_duration(value).ok_or_else(|| error(format!("{value:?} is not a time such as 10s or 500ms")));
            match key.trim() {
                "sims" => budget.simulations = Some(count()?),
                "steps" => budget.steps = Some(count()?),
                "first" => budget.first = Some(count()?),
                "nodes" => budget.nodes = Some(count()? as usize),
                "ms" => budget.time = Some(Duration::from_millis(count()?)),
                "play" => budget.time = Some(duration()?),
                "start" => budget.start = Some(duration()?),
                other => {
                    return Err(error(format!(
                        "unknown limit {other:?}; limits: sims, steps, ms, nodes, start, play, first"
                    )));
                }
            }
        }
        let counted = [budget.simulations, budget.steps].iter().flatten().count();
        if counted == 0 && budget.time.is_none() && budget.nodes.is_none() {
            return Err(error("it does not limit a move".into()));
        }
        if budget.first.is_some() && counted != 1 {
            let reason = "first counts the simulations or steps of the first search, so it needs either sims or steps";
            return Err(error(reason.into()));
        }
        Ok(budget)
    }
}

/// `10s`, `1.5s`, `500ms`, or plain seconds.
fn parse_duration(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.parse::<f64>().ok()? * unit;
    (seconds > 0.0).then(|| Duration::try_from_secs_f64(seconds).ok()).flatten()
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.first.map(|n| format!("first={n}")));
        parts.extend(self.simulations.map(|n| format!("sims={n}")));
        parts.extend(self.steps.map(|n| format!("steps={n}")));
        parts.extend(self.nodes.map(|n| format!("nodes={n}")));
        let seconds = |time: Duration| format!("{}s", time.as_secs_f64());
        parts.extend(self.start.map(|time| format!("start={}", seconds(time))));
        parts.extend(self.time.map(|time| match self.start {
            None if time.subsec_nanos() % 1_000_000 == 0 => format!("ms={}", time.as_millis()),
            _ => format!("play={}", seconds(time)),
        }));
        f.write_str(&parts.join(","))
    }
}

/// A budget under way. Asking is cheap: the clock is read only about every half millisecond.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    budget: Budget,
    begun: Instant,
    deadline: Option<Instant>,
    /// The number of simulations at which the clock is read next.
    next_look: u64,
}

/// How often the clock is read.
const LOOK: Duration = Duration::from_micros(500);

impl Meter {
    pub(crate) fn start(budget: Budget) -> Meter {
        let begun = Instant::now();
        Meter { budget, begun, deadline: budget.time.map(|time| begun + time), next_look: 1 }
    }

    /// The same clock with the limits of one of several threads.
    pub(crate) fn share(&self, thread: usize, threads: usize) -> Meter {
        Meter { budget: self.budget.share(thread, threads), ..self.clone() }
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether a limit is reached.
    #[inline]
    pub(crate) fn is_spent(&mut self, simulations: u64, steps: u64, nodes: usize) -> bool {
        if self.budget.simulations.is_some_and(|limit| simulations >= limit)
            || self.budget.steps.is_some_and(|limit| steps >= limit)
            || self.budget.nodes.is_some_and(|limit| nodes >= limit)
        {
            return true;
        }
        match self.deadline {
            Some(deadline) if simulations >= self.next_look => self.look(simulations, deadline),
            _ => false,
        }
    }

    /// Whether one more than so many simulations may be made.
    pub(crate) fn allows(&self, simulations: u64) -> bool {
        self.budget.simulations.is_none_or(|limit| simulations < limit)
    }

    /// Whether the time is up; reads the clock.
    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn look(&mut self, simulations: u64, deadline: Instant) -> bool {
        let now = Instant::now();
        let pace = simulations as f64 / (now - self.begun).as_secs_f64().max(1e-9);
        let wait = LOOK.min(deadline.saturating_duration_since(now)).as_secs_f64();
        self.next_look = simulations + ((pace * wait) as u64).max(1);
        now >= deadline
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_and_written() {
        for text in [
            "sims=1000",
            "ms=500",
            "nodes=5000",
            "sims=10,ms=20",
            "start=10s,play=1.5s",
            "sims=7,nodes=9",
            "first=90,sims=30",
            "first=900,steps=300",
            "sims=5,steps=80",
        ] {
            let budget: Budget = text.parse().unwrap();
            assert_eq!(budget.to_string().parse(), Ok(budget), "{text} printed as {budget}");
        }
        assert_eq!("play=250ms".parse::<Budget>(), "ms=250".parse());
        assert_eq!("sims=1000".parse::<Budget>().unwrap().to_string(), "sims=1000");
    }

    #[test]
    fn bad_budgets_are_refused_with_a_reason() {
        for (text, reason) in [
            ("", "KEY=VALUE"),
            ("sims", "KEY=VALUE"),
            ("sims=0", "whole number above 0"),
            ("sims=-3", "whole number above 0"),
            ("ms=x", "whole number above 0"),
            ("play=NaNs", "time such as"),
            ("play=1e999s", "time such as"),
            ("start=5s", "does not limit"),
            ("first=5", "does not limit"),
            ("first=5,ms=5", "needs either sims or steps"),
            ("first=5,sims=5,steps=5", "needs either sims or steps"),
            ("steps=0", "whole number above 0"),
            ("hours=3", "limits: sims"),
        ] {
            let error = text.parse::<Budget>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn first_searches_and_paces_by_hand() {
        let budget: Budget = "first=90,sims=30".parse().unwrap();
        let simulations = |is_first, pace| budget.of_search(is_first, pace).simulations;
        assert_eq!((simulations(true, 1.0), simulations(false, 1.0)), (Some(90), Some(30)));
        // 0.64 · 90 = 57.6 and 0.64 · 30 = 19.2; at least one.
        assert_eq!((simulations(true, 0.64), simulations(false, 0.64)), (Some(58), Some(19)));
        assert_eq!(simulations(false, 0.001), Some(1));
        let steps = "first=90,steps=30".parse::<Budget>().unwrap().of_search(true, 0.64);
        assert_eq!((steps.steps, steps.simulations, steps.first), (Some(58), None, None));
        let clock: Budget = "start=10s,play=5s".parse().unwrap();
        let seconds = [true, false].map(|is_first| clock.of_search(is_first, 0.5).time.unwrap().as_secs());
        assert_eq!(seconds, [10, 5], "time is the same for all");
    }

    #[test]
    fn shares_add_up() {
        let budget = Budget::simulations(10);
        let shares: Vec<_> = (0..3).map(|thread| budget.share(thread, 3).simulations.unwrap()).collect();
        assert_eq!(shares, [4, 3, 3]);
    }

    #[test]
    fn time_is_kept() {
        let mut meter = Meter::start(Budget::time(Duration::from_millis(30)));
        let mut simulations = 0;
        while !meter.is_spent(simulations, 0, 0) {
            simulations += 1;
            std::thread::sleep(Duration::from_micros(200));
        }
        let spent = meter.elapsed();
        assert!(spent >= Duration::from_millis(30) && spent < Duration::from_millis(60), "{spent:?}");
    }
}
