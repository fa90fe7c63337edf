//! How many bytes of questions may wait; who brings more has to wait, too.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A limit on the bytes of questions that wait.
pub(crate) struct ByteBudget {
    limit: usize,
    used: Mutex<usize>,
    freed: Condvar,
}

impl ByteBudget {
    pub(crate) fn new(limit: usize) -> Arc<ByteBudget> {
        Arc::new(ByteBudget { limit, used: Mutex::new(0), freed: Condvar::new() })
    }

    fn used(&self) -> MutexGuard<'_, usize> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves bytes, or waits for them. A question larger than the limit gets its bytes when no other has any.
    pub(crate) fn take(self: &Arc<ByteBudget>, bytes: usize) -> ReservedBytes {
        let mut used = self.used();
        while *used > 0 && *used + bytes > self.limit {
            used = self.freed.wait(used).unwrap_or_else(PoisonError::into_inner);
        }
        *used += bytes;
        ReservedBytes { budget: self.clone(), bytes }
    }
}

/// Bytes that are given back when they are dropped.
pub(crate) struct ReservedBytes {
    budget: Arc<ByteBudget>,
    bytes: usize,
}

impl Drop for ReservedBytes {
    fn drop(&mut self) {
        *self.budget.used() -= self.bytes;
        self.budget.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::mpsc, time::Duration};

    #[test]
    fn who_brings_too_much_waits() {
        let budget = ByteBudget::new(100);
        let first = budget.take(60);
        let (done, told) = mpsc::channel();
        let (other, send) = (budget.clone(), done.clone());
        std::thread::spawn(move || {
            let taken = other.take(50);
            send.send("second").unwrap();
            drop(taken);
            let _large = other.take(1000);
            send.send("large").unwrap();
        });
        assert!(told.recv_timeout(Duration::from_millis(50)).is_err(), "the bytes are still taken");
        drop(first);
        assert_eq!((told.recv().unwrap(), told.recv().unwrap()), ("second", "large"));
    }
}
