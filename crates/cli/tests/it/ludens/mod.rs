//! Runs the real binary.

pub(crate) mod document;

use std::io::Write;
use std::process::{Command, Stdio};

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The binary in an environment that says nothing about colours and everything about the locale.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludens"));
    command.args(args).env("LC_ALL", "C.UTF-8").env_remove("NO_COLOR");
    command
}

/// Runs `ludens` with `input` at its standard input.
pub(crate) fn ludens(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    finish(&mut command(args), input)
}

/// Runs a prepared command to its end.
pub(crate) fn finish(command: &mut Command, input: impl AsRef<[u8]>) -> Run {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a piped input");
    let input = input.as_ref().to_vec();
    // In a thread, so that neither side waits for the other; a child that has left early reads no more.
    let typing = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the binary ends");
    typing.join().expect("the input is written");
    Run {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("the output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("errors are UTF-8"),
    }
}

/// Each of these commands is refused with code 2 and one line that says all of the given texts.
pub(crate) fn refused_in_one_line(cases: &[(&[&str], &[&str])]) {
    for (args, expected) in cases {
        let run = ludens(args, "");
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{args:?}: {}", run.err);
        assert!(run.err.starts_with("error: ") && run.err.lines().count() == 1, "{args:?}: {:?}", run.err);
        for text in *expected {
            assert!(run.err.contains(text), "{args:?}: {text:?} is not in {}", run.err);
        }
    }
}
