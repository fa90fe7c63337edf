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
mod notation;
mod open;
mod progress;

use clap::{Parser, Subcommand};
use console::Console;
use failure::Failure;
use ludens_arena::shell_word;
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

#[derive(Subcommand)]
enum Command {
    Games(cmd::games::Args),
    Policies(cmd::policies::Args),
    Presets(cmd::presets::Args),
    Play(cmd::play::Args),
    Analyze(cmd::analyze::Args),
    Match(cmd::contest::Args),
    Experiment(cmd::experiment::Args),
    Reproduce(cmd::reproduce::Args),
    Perft(cmd::perft::Args),
    Bench(cmd::bench::Args),
    Gdl(cmd::gdl::Args),
    Player(cmd::player::Args),
    Referee(cmd::referee::Args),
    Web(cmd::web::Args),
    Docs(cmd::docs::Args),
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
        match cli.command {
            Command::Games(args) => cmd::games::run(&args, &mut console),
            Command::Policies(args) => cmd::policies::run(&args, &mut console),
            Command::Presets(args) => cmd::presets::run(&args, &mut console),
            Command::Play(args) => cmd::play::run(&args, &mut console),
            Command::Analyze(args) => cmd::analyze::run(&args, &mut console),
            Command::Match(args) => cmd::contest::run(&args, &mut console),
            Command::Experiment(args) => cmd::experiment::run(&args, &mut console),
            Command::Reproduce(args) => cmd::reproduce::run(&args, &mut console),
            Command::Perft(args) => cmd::perft::run(&args, &mut console),
            Command::Bench(args) => cmd::bench::run(&args, &mut console),
            Command::Gdl(args) => cmd::gdl::run(&args, &mut console),
            Command::Player(args) => cmd::player::run(&args, &mut console),
            Command::Referee(args) => cmd::referee::run(&args, &mut console),
            Command::Web(args) => cmd::web::run(&args, &mut console),
            Command::Docs(args) => cmd::docs::run(&args, &mut console),
        }?;
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
