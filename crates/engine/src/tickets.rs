//! The searches that were asked for and are not answered yet, so that they can be cancelled.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU8, Ordering::SeqCst},
    },
};

const WAITING: u8 = 0;
const RUNNING: u8 = 1;
const OVER: u8 = 2;

/// One search.
#[derive(Default)]
pub(crate) struct Ticket {
    state: AtomicU8,
    is_cancelled: AtomicBool,
}

impl Ticket {
    /// Begins, unless it was cancelled before.
    pub(crate) fn begin(&self) -> bool {
        self.state.compare_exchange(WAITING, RUNNING, SeqCst, SeqCst).is_ok()
    }

    /// Whether it is to end early.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(SeqCst)
    }

    /// Whether it still waits to be done.
    pub(crate) fn is_waiting(&self) -> bool {
        self.state.load(SeqCst) == WAITING
    }

    /// Cancels it. `true` if it had not begun: then whoever cancels has to say that it will not.
    fn cancel(&self) -> bool {
        self.is_cancelled.store(true, SeqCst);
        self.state.compare_exchange(WAITING, OVER, SeqCst, SeqCst).is_ok()
    }
}

/// All of them, by the id of the question and the turn.
#[derive(Default)]
pub(crate) struct Tickets {
    open: Mutex<BTreeMap<(String, usize), Arc<Ticket>>>,
}

impl Tickets {
    fn open(&self) -> MutexGuard<'_, BTreeMap<(String, usize), Arc<Ticket>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new one for every turn of a question. `None` if an id is in use.
    pub(crate) fn issue(&self, id: &str, turns: &[usize]) -> Option<Vec<Arc<Ticket>>> {
        let mut open = self.open();
        if open.range((id.to_owned(), 0)..=(id.to_owned(), usize::MAX)).next().is_some() {
            return None;
        }
        let issue = |&turn: &usize| open.entry((id.to_owned(), turn)).or_default().clone();
        Some(turns.iter().map(issue).collect())
    }

    /// One is answered.
    pub(crate) fn close(&self, id: &str, turn: usize) {
        self.open().remove(&(id.to_owned(), turn));
    }

    /// Cancels those of a question, or all. Gives back the ones that had not begun; they are closed.
    pub(crate) fn cancel(&self, id: Option<&str>) -> Vec<(String, usize)> {
        let mut open = self.open();
        let meant = open.iter().filter(|((known, _), _)| id.is_none_or(|id| id == known));
        let idle: Vec<_> = meant.filter(|(_, ticket)| ticket.cancel()).map(|(key, _)| key.clone()).collect();
        idle.iter().for_each(|key| drop(open.remove(key)));
        idle
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_closed_and_what_runs_is_told() {
        let tickets = Tickets::default();
        let a = tickets.issue("a", &[0, 3]).unwrap();
        let b = tickets.issue("b", &[0]).unwrap();
        assert!(tickets.issue("a", &[7]).is_none(), "the id is in use");
        assert!(a[0].begin() && !a[0].begin());
        assert_eq!(tickets.cancel(Some("a")), [("a".to_owned(), 3)]);
        assert!(a[0].is_cancelled() && !a[1].begin() && !b[0].is_cancelled());
        assert!(tickets.cancel(Some("nobody")).is_empty());
        tickets.close("a", 0);
        assert!(tickets.issue("a", &[7]).is_some(), "it is free again");
        assert_eq!(tickets.cancel(None), [("a".to_owned(), 7), ("b".to_owned(), 0)]);
    }
}
