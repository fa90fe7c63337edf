//! [`Card`]: a GPU, and what is missing where there is none.
//!
//! The few unsafe calls look for NVIDIA's shared libraries.
#![allow(unsafe_code)]

use crate::compile;
use cudarc::driver::{CudaContext, CudaModule, DriverError, sys};
use cudarc::nvrtc::Ptx;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Why a GPU cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CardError {
    /// There is no driver.
    #[error("there is no NVIDIA driver on this machine: libcuda cannot be loaded")]
    NoDriver,
    /// There is no compiler for the kernels.
    #[error("NVRTC, which compiles the kernels, is not installed: libnvrtc cannot be loaded")]
    NoCompiler,
    /// There is a driver, but no GPU.
    #[error("the NVIDIA driver finds no GPU: {0}")]
    NoCard(String),
    /// The compiler does not take the kernels.
    #[error("NVRTC refuses the kernels: {0}")]
    Compiler(String),
    /// The driver reports an error.
    #[error("the GPU failed: {0}")]
    Driver(String),
    /// Not even one warp of games fits.
    #[error("the GPU has no memory for a game: {needed} bytes are needed, {free} are free")]
    Memory {
        /// Bytes for one warp.
        needed: usize,
        /// Bytes that are free.
        free: usize,
    },
}

impl From<DriverError> for CardError {
    fn from(error: DriverError) -> CardError {
        CardError::Driver(format!("{error:?}"))
    }
}

/// A GPU with the kernels that were compiled for it.
pub struct Card {
    pub(crate) context: Arc<CudaContext>,
    /// By source.
    modules: Mutex<HashMap<String, Arc<CudaModule>>>,
    architecture: String,
}

impl Card {
    /// All GPUs of the machine; at least one.
    ///
    /// # Errors
    /// What is missing.
    pub fn all() -> Result<Vec<Card>, CardError> {
        // SAFETY: looks for a shared library; loading the driver runs only its initialisers.
        if !unsafe { sys::is_culib_present() } {
            return Err(CardError::NoDriver);
        }
        if !compile::is_there() {
            return Err(CardError::NoCompiler);
        }
        let no_card = |error: DriverError| CardError::NoCard(format!("{error:?}"));
        let count = CudaContext::device_count().map_err(no_card)?;
        if count == 0 {
            return Err(CardError::NoCard("none is installed".into()));
        }
        (0..count as usize).map(|ordinal| Card::new(ordinal).map_err(no_card)).collect()
    }

    fn new(ordinal: usize) -> Result<Card, DriverError> {
        let context = CudaContext::new(ordinal)?;
        // A thread that waits for the card leaves its core to others.
        context.set_blocking_synchronize()?;
        let (major, minor) = context.compute_capability()?;
        Ok(Card { context, modules: Mutex::default(), architecture: format!("sm_{major}{minor}") })
    }

    /// Its name and memory.
    pub fn describe(&self) -> String {
        let name = self.context.name().unwrap_or_else(|_| "a GPU without a name".into());
        let memory = self.context.total_mem().unwrap_or(0);
        format!("{name}, {} GiB", memory >> 30)
    }

    /// The kernels of a source, compiled when they are first needed.
    pub(crate) fn module(&self, source: String) -> Result<Arc<CudaModule>, CardError> {
        let known = self.modules.lock().unwrap_or_else(PoisonError::into_inner).get(&source).cloned();
        if let Some(module) = known {
            return Ok(module);
        }
        let code = compile::compile(&source, &self.architecture)?;
        let module = self.context.load_module(Ptx::from_binary(code))?;
        self.modules.lock().unwrap_or_else(PoisonError::into_inner).insert(source, module.clone());
        Ok(module)
    }
}
