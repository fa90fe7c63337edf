//! The subcommands. Each is one file with its arguments and a `run` that writes to the console.

/// Declares the files of commands, and `Command`, which reads and runs one of them. Help lists them in this order.
macro_rules! commands {
    ($($file:ident: $name:ident),* $(,)?) => {
        $(pub(crate) mod $file;)*

        #[derive(clap::Subcommand)]
        pub(crate) enum Command {
            $($name($file::Args)),*
        }

        impl Command {
            pub(crate) fn run(&self, console: &mut crate::Console<'_>) -> Result<(), crate::Failure> {
                match self {
                    $(Command::$name(args) => $file::run(args, console)),*
                }
            }
        }
    };
}

// A new command is a file and a line here.
commands! {
    games: Games,
    policies: Policies,
    presets: Presets,
    play: Play,
    analyze: Analyze,
    contest: Match,
    experiment: Experiment,
    reproduce: Reproduce,
    perft: Perft,
    bench: Bench,
    gdl: Gdl,
    player: Player,
    referee: Referee,
    gtp: Gtp,
    engine: Engine,
    web: Web,
    docs: Docs,
}
