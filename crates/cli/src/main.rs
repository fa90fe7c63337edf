//! `ludens`: the command line. One file per subcommand in `cmd`.

mod arguments;
mod campaign;
mod cmd;
mod console;
#[cfg(test)]
mod every_game;
mod failure;
mod interrupt;
mod learned_store;
mod open;
mod progress;
mod selection;

use clap::Parser;
use cmd::Command;
use console::Console;
use failure::Failure;
use ludens_arena::shell_word;
use ludens_catalog::notation;
use ludens_search::isolate;
use std::process::ExitCode;

/// A general game player whose playouts learn while it plays, and a laboratory to compare players.
#[derive(Parser)]
#[command(name = "ludens", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Print JSON instead of text.
    #[arg(long, global = true)]
    json: bool,
}

fn main() -> ExitCode {
    let result = isolate(run).unwrap_or_else(|panicked| {
        let words = std::env::args_os().skip(1).map(|word| shell_word(&word.to_string_lossy()));
        let command = words.collect::<Vec<_>>().join(" ");
        Err(Failure::fault("the command", &panicked, &format!("ludens {command}")))
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run() -> Result<(), Failure> {
    arguments::parse::<Cli>().and_then(|cli| {
        let mut out = std::io::stdout().lock();
        let mut console = Console::new(&mut out, cli.json);
        cli.command.run(&mut console)?;
        Ok(console.out.flush()?)
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_formed() {
        super::Cli::command().debug_assert();
    }
}
