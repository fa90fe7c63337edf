//! A few threads that search, and a queue before them.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

type Job = Box<dyn FnOnce() + Send>;

/// Threads that take jobs in the order in which they come. They end with the process.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: usize,
    capacity: usize,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<VecDeque<Job>>,
    wake: Condvar,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, VecDeque<Job>> {
        // No job runs while the lock is held.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        loop {
            let mut queue = self.queue();
            let job = loop {
                match queue.pop_front() {
                    Some(job) => break job,
                    None => queue = self.wake.wait(queue).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(queue);
            // Whoever waits for a job that panics sees its channel close; the thread goes on.
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
    }
}

/// The queue is full.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Pool {
    /// So many threads, and at most `capacity` jobs that wait for one.
    pub(crate) fn new(threads: usize, capacity: usize) -> Pool {
        let shared = Arc::<Shared>::default();
        for _ in 0..threads {
            let shared = shared.clone();
            std::thread::spawn(move || shared.work());
        }
        Pool { shared, threads, capacity }
    }

    /// The number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Puts a job into the queue. Before any thread can take it, `queued` hears how many wait before it.
    pub(crate) fn submit(&self, job: impl FnOnce() + Send + 'static, queued: impl FnOnce(usize)) -> Result<(), Full> {
        let mut queue = self.shared.queue();
        if queue.len() >= self.capacity {
            return Err(Full);
        }
        queued(queue.len());
        queue.push_back(Box::new(job));
        self.shared.wake.notify_one();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn jobs_wait_in_line_and_the_line_has_an_end() {
        let pool = Pool::new(1, 2);
        let (started, has_started) = mpsc::channel();
        let (release, held) = mpsc::channel::<()>();
        let (done, results) = mpsc::channel();
        let hold = move || {
            started.send(()).unwrap();
            held.recv().unwrap();
        };
        pool.submit(hold, |_| {}).unwrap();
        has_started.recv().unwrap();
        let mut places = Vec::new();
        let mut submit = |number: usize| {
            let done = done.clone();
            pool.submit(move || done.send(number).unwrap(), |place| places.push(place))
        };
        assert_eq!([submit(1), submit(2), submit(3)], [Ok(()), Ok(()), Err(Full)]);
        assert_eq!(places, [0, 1]);
        release.send(()).unwrap();
        assert_eq!([results.recv().unwrap(), results.recv().unwrap()], [1, 2]);
    }

    #[test]
    fn a_job_that_panics_takes_no_thread_with_it() {
        let pool = Pool::new(1, 8);
        pool.submit(|| panic!("on purpose"), |_| {}).unwrap();
        let (done, result) = mpsc::channel();
        pool.submit(move || done.send(7).unwrap(), |_| {}).unwrap();
        assert_eq!(result.recv(), Ok(7));
    }
}
