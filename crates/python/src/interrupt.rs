//! Long work without the GIL that Ctrl-C can end.

use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// How long Ctrl-C may wait.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// Does work that asks now and then whether to stop. Other Python threads run meanwhile.
///
/// # Errors
/// What the signal's handler raises: `KeyboardInterrupt` for Ctrl-C.
pub(crate) fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&dyn Fn() -> bool) -> T + Send) -> PyResult<T> {
    let (done, signal) = py.detach(|| {
        let next = Cell::new(Instant::now() + LOOK);
        let signal = RefCell::new(None);
        let stop = || {
            if signal.borrow().is_some() {
                return true;
            }
            if Instant::now() < next.get() {
                return false;
            }
            let seen = Python::attach(|py| py.check_signals());
            next.set(Instant::now() + LOOK);
            signal.replace(seen.err());
            signal.borrow().is_some()
        };
        let done = work(&stop);
        (done, signal.into_inner())
    });
    signal.map_or(Ok(done), Err)
}
