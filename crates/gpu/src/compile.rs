//! Compiles the kernels by NVRTC, once for a sheet and its players; the results are kept on disk.
//!
//! The calls are plain C. They are sound because a program is made, used and destroyed in one function, and every buffer has
//! the size that NVRTC asked for.
#![allow(unsafe_code)]

use crate::card::CardError;
use cudarc::nvrtc::{result, sys};
use std::collections::hash_map::DefaultHasher;
use std::ffi::{CStr, CString};
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

/// Whether NVRTC is there.
pub(crate) fn is_there() -> bool {
    // SAFETY: looks for a shared library; loading one of NVIDIA's runs only their initialisers.
    unsafe { sys::is_culib_present() }
}

/// The machine code of a source for an architecture such as `sm_90`.
pub(crate) fn compile(source: &str, architecture: &str) -> Result<Vec<u8>, CardError> {
    let kept = kept_at(source, architecture);
    if let Some(code) = kept.as_ref().and_then(|path| std::fs::read(path).ok()) {
        return Ok(code);
    }
    let code = compile_now(source, architecture)?;
    if let Some(path) = kept {
        keep(&path, &code);
    }
    Ok(code)
}

/// Writes a file that others may be reading. Whoever cannot keep it compiles again.
fn keep(path: &std::path::Path, code: &[u8]) {
    let parts = path.with_extension(format!("{}-part", std::process::id()));
    let written = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&parts, code));
    if written.and_then(|()| std::fs::rename(&parts, path)).is_err() {
        let _ = std::fs::remove_file(parts);
    }
}

/// Where the code of a source is kept: in the user's cache folder, by a hash of everything that it depends on.
fn kept_at(source: &str, architecture: &str) -> Option<PathBuf> {
    let mut hasher = DefaultHasher::new();
    (source, architecture, OPTIONS, version()).hash(&mut hasher);
    let name = format!("{:016x}.cubin", hasher.finish());
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    Some(cache.join("ludens").join("kernels").join(name))
}

/// Exact arithmetic: no contraction, no flushing of small numbers, divisions and roots as IEEE 754 has them.
const OPTIONS: [&str; 5] = ["--std=c++17", "--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true"];

fn version() -> (i32, i32) {
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both point at numbers.
    let _ = unsafe { sys::nvrtcVersion(&raw mut major, &raw mut minor) };
    (major, minor)
}

fn compile_now(source: &str, architecture: &str) -> Result<Vec<u8>, CardError> {
    let failed = |what: &str| CardError::Compiler(what.to_owned());
    let source = CString::new(source).map_err(|_| failed("the source has a zero byte"))?;
    let program = result::create_program(&source, Some(c"ludens.cu")).map_err(|_| failed("it makes no program"))?;
    let architecture = format!("--gpu-architecture={architecture}");
    let options: Vec<&str> = OPTIONS.into_iter().chain([&*architecture]).collect();
    // SAFETY: the program is the one made above, and not yet destroyed.
    let compiled = unsafe { result::compile_program(program, &options) };
    let code = match compiled {
        Ok(()) => code_of(program),
        Err(_) => Err(CardError::Compiler(log_of(program))),
    };
    // SAFETY: as above; nobody uses it afterwards.
    let _ = unsafe { result::destroy_program(program) };
    code
}

fn code_of(program: sys::nvrtcProgram) -> Result<Vec<u8>, CardError> {
    let failed = |_| CardError::Compiler("it gives no machine code".into());
    let mut size = 0;
    // SAFETY: the program is alive, and the size is a number.
    unsafe { sys::nvrtcGetCUBINSize(program, &raw mut size) }.result().map_err(failed)?;
    let mut code = vec![0_u8; size];
    // SAFETY: the buffer has the size that was asked for.
    unsafe { sys::nvrtcGetCUBIN(program, code.as_mut_ptr().cast()) }.result().map_err(failed)?;
    Ok(code)
}

/// The first lines of what the compiler says.
fn log_of(program: sys::nvrtcProgram) -> String {
    // SAFETY: the program is alive.
    let log = unsafe { result::get_program_log(program) }.unwrap_or_default();
    let bytes: Vec<u8> = log.into_iter().map(|byte| byte as u8).collect();
    let text = CStr::from_bytes_until_nul(&bytes).map(CStr::to_string_lossy).unwrap_or_default();
    text.lines().take(3).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Job, PlayerCode, Sheet, kernel};
    use ludens_search::Budget;
    use std::sync::Arc;

    /// NVRTC needs no card.
    #[test]
    fn kernels_of_all_policies_compile() {
        if !is_there() {
            println!("SKIPPED: {}", CardError::NoCompiler);
            return;
        }
        let circuit = ludens_catalog::open("gdl:tictactoe").expect("a rulesheet").circuit().expect("it has a circuit");
        let sheet = Arc::new(Sheet::new(&circuit).expect("it fits"));
        let player = |spec: &str| {
            PlayerCode::new(&spec.parse().expect("a spec"), &Budget::simulations(10)).expect("it can be played")
        };
        for players in [vec!["uct"], vec!["uct+mast"], vec!["uct+lgrf+nst", "uct+ppa(k=2)", "uct+nppa"]] {
            let job = Job::new(sheet.clone(), players.iter().map(|spec| player(spec)).collect(), Vec::new());
            for shares_values in [true, false] {
                let shape = kernel::Shape { warps: 2, min_blocks: 8, shares_values };
                let code = compile_now(&kernel::for_card(&job, shape), "sm_90").expect("the kernels compile");
                assert!(code.starts_with(b"\x7fELF"), "{players:?}");
            }
        }
    }
}
