//! The kernels without a card: the host's C++ compiler makes a program of the same source, in which a warp is a loop. Slow, and
//! meant for tests: whatever it plays has to be what the search crate plays.

use crate::{
    job::{Job, Status},
    kernel,
};
use ludens_search::Played;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Why a job was not played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmulateError {
    /// There is no C++ compiler.
    #[error("no C++ compiler: neither $CXX nor c++, g++ or clang++ can be run")]
    NoCompiler,
    /// The compiler does not take the source.
    #[error("the C++ compiler refuses the kernels: {0}")]
    Refused(String),
    /// The program failed.
    #[error("the emulated kernels failed: {0}")]
    Failed(String),
    /// A file cannot be read or written.
    #[error("the emulated kernels: {0}")]
    Io(#[from] std::io::Error),
}

/// How a job is played.
#[derive(Clone, Copy, Debug)]
pub struct Emulation<'f> {
    /// Warps that play at once.
    pub warps: usize,
    /// Steps after which each warp is stopped and taken up again.
    pub ticks: usize,
    /// Bytes for trees and tables. The system gives only what is used.
    pub pool: usize,
    /// Whether the compiler adds checks of every access to memory. It takes several times as long.
    pub is_checked: bool,
    /// Where programs are kept.
    pub folder: &'f Path,
}

/// Plays a job. Games that the kernels leave to the processor, or for which there is no memory, are `None`.
///
/// # Errors
/// If there is no compiler, or something fails.
pub fn play(job: &Job, emulation: Emulation<'_>) -> Result<Vec<Option<Played>>, EmulateError> {
    let Emulation { warps, ticks, pool, is_checked, folder } = emulation;
    std::fs::create_dir_all(folder)?;
    let program = compile(&kernel::for_host(job), is_checked, folder)?;
    let (sheet, players, tasks) = (&job.sheet.words, job.player_bytes(), job.task_bytes());
    let (logs, discounts) = (job.logs(), job.discounts());
    let mut input = Vec::new();
    let head = [
        4 * sheet.len(),
        players.len(),
        tasks.len(),
        logs.len(),
        job.games.len(),
        job.history,
        ticks,
        warps,
        pool,
        usize::from(job.searches_only),
        WIDTH,
        discounts.len(),
    ];
    head.iter().for_each(|&number| input.extend((number as u64).to_ne_bytes()));
    sheet.iter().for_each(|word| input.extend(word.to_ne_bytes()));
    input.extend(players);
    input.extend(tasks);
    logs.iter().chain(&discounts).for_each(|number| input.extend(number.to_ne_bytes()));
    let (given, got) = (folder.join(unique("job")), folder.join(unique("games")));
    std::fs::write(&given, input)?;
    // The parts of the pool are given back when the program ends.
    let output = Command::new(&program).args([&given, &got]).env("ASAN_OPTIONS", "detect_leaks=0").output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(EmulateError::Failed(format!("{} {}", output.status, said.trim())));
    }
    let bytes = std::fs::read(&got)?;
    std::fs::remove_file(given)?;
    std::fs::remove_file(got)?;
    let (results, moves) = bytes.split_at(job.result_size() * job.games.len());
    let games = results.chunks_exact(job.result_size()).zip(moves.chunks_exact(job.moves_size()));
    let game = |(result, moves)| (job.status(result) == Status::Played).then(|| job.played(result, moves));
    Ok(games.map(game).collect())
}

/// All lanes of a warp have a seat.
const WIDTH: usize = 32;

/// The program for a source, which is compiled once.
fn compile(source: &str, is_checked: bool, folder: &Path) -> Result<PathBuf, EmulateError> {
    let mut hasher = DefaultHasher::new();
    (source, is_checked).hash(&mut hasher);
    let name = format!("kernels-{:016x}", hasher.finish());
    let program = folder.join(&name);
    if program.exists() {
        return Ok(program);
    }
    let compiler = compiler().ok_or(EmulateError::NoCompiler)?;
    // Others may be waiting for the same program: they see it when it is whole.
    let (text, part) = (folder.join(unique(&name)).with_extension("cpp"), folder.join(unique(&name)));
    std::fs::write(&text, source)?;
    let flags = ["-std=c++17", "-O1", "-ffp-contract=off", "-fno-strict-aliasing", "-w", "-o"];
    let checks =
        if is_checked { &["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g1"][..] } else { &[] };
    let output = Command::new(compiler).args(checks).args(flags).arg(&part).arg(&text).output()?;
    if !output.status.success() {
        return Err(EmulateError::Refused(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    std::fs::rename(text, program.with_extension("cpp"))?;
    std::fs::rename(part, &program)?;
    Ok(program)
}

/// A name that no other thread uses.
fn unique(name: &str) -> String {
    let thread = format!("{:?}", std::thread::current().id());
    format!("{name}-{}-{}", std::process::id(), thread.replace(['(', ')'], ""))
}

/// A C++ compiler that can be run.
fn compiler() -> Option<String> {
    let named = std::env::var("CXX").ok();
    let names = named.into_iter().chain(["c++", "g++", "clang++"].map(str::to_owned));
    names.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success()))
}
