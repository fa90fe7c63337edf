//! How much may wait: who brings more has to wait, too.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Room for so many bytes of questions.
pub(crate) struct Room {
    limit: usize,
    used: Mutex<usize>,
    freed: Condvar,
}

impl Room {
    pub(crate) fn new(limit: usize) -> Arc<Room> {
        Arc::new(Room { limit, used: Mutex::new(0), freed: Condvar::new() })
    }

    fn used(&self) -> MutexGuard<'_, usize> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes room, or waits for it. One that is larger than all the room gets it when nobody else has any.
    pub(crate) fn take(self: &Arc<Room>, bytes: usize) -> Taken {
        let mut used = self.used();
        while *used > 0 && *used + bytes > self.limit {
            used = self.freed.wait(used).unwrap_or_else(PoisonError::into_inner);
        }
        *used += bytes;
        Taken { room: self.clone(), bytes }
    }
}

/// Room that is given back when nobody needs it any more.
pub(crate) struct Taken {
    room: Arc<Room>,
    bytes: usize,
}

impl Drop for Taken {
    fn drop(&mut self) {
        *self.room.used() -= self.bytes;
        self.room.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::mpsc, time::Duration};

    #[test]
    fn who_brings_too_much_waits() {
        let room = Room::new(100);
        let first = room.take(60);
        let (done, told) = mpsc::channel();
        let (other, send) = (room.clone(), done.clone());
        std::thread::spawn(move || {
            let taken = other.take(50);
            send.send("second").unwrap();
            drop(taken);
            let _large = other.take(1000);
            send.send("large").unwrap();
        });
        assert!(told.recv_timeout(Duration::from_millis(50)).is_err(), "there is no room yet");
        drop(first);
        assert_eq!((told.recv().unwrap(), told.recv().unwrap()), ("second", "large"));
    }
}
