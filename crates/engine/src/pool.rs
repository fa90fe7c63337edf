//! A few threads that search, and a queue before them.

use ludens_search::isolate;
use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

/// Something to do.
pub struct Job {
    /// Jobs of a higher priority come first.
    pub priority: i64,
    /// What is to be done.
    pub run: Box<dyn FnOnce() + Send>,
    /// Whether anybody still waits for it.
    pub is_wanted: Box<dyn Fn() -> bool + Send>,
}

/// Threads that take jobs by priority, and those of the same priority in the order in which they come. They end with the
/// process.
pub struct Pool {
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
            let _ = isolate(job.run);
        }
    }
}

/// The queue is full.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

impl Pool {
    /// So many threads, and at most `capacity` jobs that wait for one.
    pub fn new(threads: usize, capacity: usize) -> Pool {
        let shared = Arc::<Shared>::default();
        for _ in 0..threads {
            let shared = shared.clone();
            std::thread::spawn(move || shared.work());
        }
        Pool { shared, threads, capacity }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Puts a job into the queue, in which those that nobody wants any more take no place. Before any thread can take the
    /// job, `queued` hears how many wait before it.
    ///
    /// # Errors
    /// If as many wait as may.
    pub fn submit(&self, job: Job, queued: impl FnOnce(usize)) -> Result<(), Full> {
        let mut queue = self.shared.queue();
        queue.retain(|job| (job.is_wanted)());
        if queue.len() >= self.capacity {
            return Err(Full);
        }
        let place = queue.iter().rposition(|other| other.priority >= job.priority).map_or(0, |place| place + 1);
        queued(place);
        queue.insert(place, job);
        self.shared.wake.notify_one();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc,
    };

    fn job(run: impl FnOnce() + Send + 'static) -> Job {
        Job { priority: 0, run: Box::new(run), is_wanted: Box::new(|| true) }
    }

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
        pool.submit(job(hold), |_| {}).unwrap();
        has_started.recv().unwrap();
        let mut places = Vec::new();
        let is_wanted = Arc::new(AtomicBool::new(true));
        let mut submit = |number: usize| {
            let (done, is_wanted) = (done.clone(), is_wanted.clone());
            let run = Box::new(move || done.send(number).unwrap());
            let job = Job { priority: 0, run, is_wanted: Box::new(move || number != 1 || is_wanted.load(Relaxed)) };
            pool.submit(job, |place| places.push(place))
        };
        assert_eq!([submit(1), submit(2), submit(3)], [Ok(()), Ok(()), Err(Full)]);
        is_wanted.store(false, Relaxed);
        assert_eq!([submit(4), submit(5)], [Ok(()), Err(Full)]);
        assert_eq!(places, [0, 1, 1]);
        release.send(()).unwrap();
        assert_eq!([results.recv().unwrap(), results.recv().unwrap()], [2, 4]);
    }

    #[test]
    fn the_most_important_come_first() {
        let pool = Pool::new(1, 8);
        let (release, held) = mpsc::channel::<()>();
        let (done, results) = mpsc::channel();
        let (started, has_started) = mpsc::channel();
        let hold = move || {
            started.send(()).unwrap();
            held.recv().unwrap();
        };
        pool.submit(job(hold), |_| {}).unwrap();
        has_started.recv().unwrap();
        for (number, priority) in [(1, 0), (2, 5), (3, -1), (4, 5), (5, 0)] {
            let done = done.clone();
            pool.submit(Job { priority, ..job(move || done.send(number).unwrap()) }, |_| {}).unwrap();
        }
        release.send(()).unwrap();
        let order: Vec<i32> = results.iter().take(5).collect();
        assert_eq!(order, [2, 4, 1, 5, 3]);
    }

    #[test]
    fn a_job_that_panics_takes_no_thread_with_it() {
        let pool = Pool::new(1, 8);
        pool.submit(job(|| panic!("on purpose")), |_| {}).unwrap();
        let (done, result) = mpsc::channel();
        pool.submit(job(move || done.send(7).unwrap()), |_| {}).unwrap();
        assert_eq!(result.recv(), Ok(7));
    }
}
