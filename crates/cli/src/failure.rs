//! What can go wrong in a command, and what the shell gets to know of it.

use ludens_arena::one_line;
use ludens_catalog::OpenError;
use ludens_search::Panicked;
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// clap has a text of its own to show: help or the version.
    #[error("{0}")]
    Help(clap::Error),
    /// The user asked for something that is not there; one line that names the choices.
    #[error("{0}")]
    Usage(String),
    /// No such game.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The program itself failed; one line with the reason and how to reproduce it.
    #[error("{0}")]
    Fault(String),
    /// The command has said everything on standard output; only the exit code is left to tell.
    #[error("")]
    Told(u8),
    /// Reading or writing failed.
    #[error("cannot read or write: {0}")]
    Io(#[from] io::Error),
}

/// The exit code of a command in which the program itself failed, be it in a single game of many.
pub(crate) const FAULT: u8 = 3;

impl Failure {
    /// Something failed, and `replay` is the command that reproduces it.
    pub(crate) fn fault(what: &str, panicked: &Panicked, replay: &str) -> Failure {
        Failure::Fault(format!("{what} failed: {}; replay with: {replay}", one_line(panicked)))
    }

    /// Says it on one line of standard error and gives the exit code: 2 for what the user can put right.
    pub(crate) fn report(self) -> ExitCode {
        let code = match &self {
            Failure::Help(help) => {
                // Whoever closed the pipe does not want the rest.
                let _ = help.print();
                return ExitCode::from(u8::try_from(help.exit_code()).unwrap_or(2));
            }
            Failure::Told(code) => return ExitCode::from(*code),
            Failure::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Io(_) => 1,
            Failure::Fault(_) => FAULT,
            Failure::Usage(_) | Failure::Open(_) => 2,
        };
        let _ = writeln!(io::stderr(), "error: {self}");
        ExitCode::from(code)
    }
}
