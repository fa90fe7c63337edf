//! Ctrl-C: the first one asks to stop, the second one insists.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C is noted instead of ending the program at once.
pub(crate) fn catch() {
    // Without a handler Ctrl-C ends the program as it always did, which is no reason not to work.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Whether the user asked to stop.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
