//! The two exceptions, and how failures become them.

use ludens::search::{Panicked, isolate};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};

pyo3::create_exception!(
    ludens,
    Error,
    PyValueError,
    "Something that the caller can put right. The text is that of the command line."
);
pyo3::create_exception!(ludens, Fault, PyRuntimeError, "The engine itself failed. The text says where.");

/// Something that the caller can put right.
pub(crate) fn bad(reason: impl Display) -> PyErr {
    Error::new_err(reason.to_string())
}

/// Where an exception of a game written in Python waits until the engine has unwound. Such a game has one that is shared by all its
/// positions and players; every other game has one that stays empty.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// Keeps the first exception and leaves the engine by a panic, the only way out of its innermost loops.
    pub(crate) fn raise(&self, error: PyErr) -> ! {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        panic!("the game raised an exception")
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Does some work of the engine. A panic becomes the exception that waits, or a [`Fault`].
    pub(crate) fn catch<T>(&self, work: impl FnOnce() -> T) -> PyResult<T> {
        isolate(work).map_err(|panicked| self.error_for(&panicked))
    }

    pub(crate) fn error_for(&self, panicked: &Panicked) -> PyErr {
        self.take().unwrap_or_else(|| Fault::new_err(format!("the engine failed: {panicked}")))
    }
}
