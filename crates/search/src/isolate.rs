//! [`isolate`]: runs work that may panic without affecting anything else.
//!
//! A panic in a search is a bug of ours and should not end the program. It is caught here, and what it
//! said becomes a value that can be logged. Nothing is printed for it. Panics anywhere else are reported as usual.

use std::{
    cell::{Cell, RefCell},
    fmt,
    panic::{self, AssertUnwindSafe, PanicHookInfo},
    sync::Once,
};

/// What a panic said. Shown as `message at place`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panicked {
    /// The message.
    pub message: String,
    /// The file, line and column, if they are known.
    pub place: Option<String>,
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.place.iter().try_for_each(|place| write!(f, " at {place}"))
    }
}

impl std::error::Error for Panicked {}

thread_local! {
    /// How many calls of `isolate` this thread is inside of.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// The last panic inside of them.
    static LAST: RefCell<Option<Panicked>> = const { RefCell::new(None) };
}

/// Does some work on this thread. What the work was changing when it panicked may be half changed: drop it.
///
/// # Errors
/// If it panics: the message and the place.
pub fn isolate<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    install_hook();
    DEPTH.set(DEPTH.get() + 1);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    result.map_err(|payload| {
        // A payload that is handed on from another thread has passed no hook of this one.
        LAST.take()
            .unwrap_or_else(|| Panicked { message: text(payload.downcast_ref(), payload.downcast_ref()), place: None })
    })
}

fn text(literal: Option<&&'static str>, formatted: Option<&String>) -> String {
    literal.map(|text| (*text).to_owned()).or(formatted.cloned()).unwrap_or("a panic without a message".to_owned())
}

/// Only a hook learns the place of a panic. It keeps quiet inside of `isolate`, and hands on all others.
fn install_hook() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !DEPTH.try_with(|depth| depth.get() > 0).unwrap_or(false) || !note(info) {
                usual(info);
            }
        }));
    });
}

/// Keeps what a panic says; whether that was possible.
fn note(info: &PanicHookInfo<'_>) -> bool {
    let payload = info.payload();
    let message = text(payload.downcast_ref(), payload.downcast_ref());
    let place = info.location().map(ToString::to_string);
    LAST.try_with(|last| last.try_borrow_mut().map(|mut last| *last = Some(Panicked { message, place })).is_ok())
        .unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message_and_place() {
        assert_eq!(isolate(|| 7), Ok(7));
        let line = line!() + 1;
        let panicked = isolate(|| -> u32 { panic!("no move {}", 3) }).unwrap_err();
        assert_eq!(panicked.message, "no move 3");
        let place = panicked.place.clone().unwrap();
        assert!(place.contains(&format!("isolate.rs:{line}:")), "{place}");
        assert_eq!(panicked.to_string(), format!("no move 3 at {place}"));
        let index = isolate(|| [1, 2, 3][std::hint::black_box(3)]).unwrap_err();
        assert_eq!(index.message, "index out of bounds: the len is 3 but the index is 3");
        let odd = isolate(|| panic::panic_any(5)).unwrap_err();
        assert_eq!(odd.message, "a panic without a message");
    }

    #[test]
    fn an_inner_panic_leaves_the_outer_work_alone() {
        let outer = isolate(|| {
            let inner = isolate(|| -> u32 { panic!("inner") }).unwrap_err();
            (inner.message, 5)
        });
        assert_eq!(outer, Ok(("inner".to_owned(), 5)));
        assert_eq!(isolate(|| -> u32 { panic!("later") }).unwrap_err().message, "later");
    }

    #[test]
    fn a_panic_handed_on_from_another_thread_keeps_its_message() {
        let payload = std::thread::spawn(|| isolate(|| -> u32 { panic!("there") })).join().unwrap().unwrap_err();
        let panicked = isolate(|| -> u32 { panic::resume_unwind(Box::new(payload.message)) }).unwrap_err();
        assert_eq!(panicked, Panicked { message: "there".to_owned(), place: None });
    }
}
