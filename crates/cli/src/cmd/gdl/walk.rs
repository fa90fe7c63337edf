//! `ludens gdl walk`: random walks as traces, and the comparison with a trace that some other engine made.

use super::{Source, refusal, rules};
use crate::{Console, Failure};
use ludens_game::Seed;
use ludens_gdl::trace::{self, TraceError, Walks};
use ludens_gdl::{Engine, GdlGame};
use std::path::PathBuf;

/// Print random games as JSON lines, or compare with a trace from another engine
///
/// With --follow, the exit code is 0 if everything agrees and 1 at the first difference.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens gdl walk gdl:nim --walks 2")]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    /// Seed of the walks
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of walks
    #[arg(long, default_value_t = 1)]
    walks: u32,
    /// Steps after which a walk is cut off
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Replay this trace and report the first difference
    #[arg(long, value_name = "TRACE", conflicts_with_all = ["seed", "walks", "steps"])]
    follow: Option<PathBuf>,
    /// Use the interpreter even if there is a faster engine
    #[arg(long)]
    interpret: bool,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    if args.interpret {
        let text = rules(&args.source.sheet)?;
        let game = ludens_gdl::interpret(&args.source.name(), &text);
        let game = game.map_err(|remarks| refusal(&args.source.sheet, &text, &remarks))?;
        return walk(&game, args, console);
    }
    match args.source.open()?.engine {
        Engine::Machine(game) => walk(&*game, args, console),
        Engine::Interpreter { game, .. } => walk(&*game, args, console),
    }
}

fn walk<G: GdlGame>(game: &G, args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    if let Some(trace) = &args.follow {
        let bytes = std::fs::read(trace)
            .map_err(|error| Failure::Usage(format!("cannot read {}: {error}", trace.display())))?;
        return follow(game, &String::from_utf8_lossy(&bytes), console);
    }
    let walks = Walks { count: args.walks, max_steps: args.steps, seed: Seed::new(args.seed) };
    let mut written = Ok(());
    let walked = trace::write(game, walks, |line| {
        if written.is_ok() {
            written = writeln!(console.out, "{line}");
        }
    });
    written?;
    walked.map_err(|failure| Failure::Usage(format!("{}: {failure}", args.source.sheet)))
}

fn follow<G: GdlGame>(game: &G, trace: &str, console: &mut Console<'_>) -> Result<(), Failure> {
    match trace::follow(game, trace) {
        Ok(followed) if console.json => {
            console.json(&serde_json::json!({"agrees": true, "walks": followed.walks, "states": followed.states}))
        }
        Ok(followed) => {
            let trace::Followed { walks, states } = followed;
            Ok(writeln!(console.out, "{}: {walks} walks with {states} states agree", game.name())?)
        }
        Err(error @ TraceError::Malformed { .. }) => Err(Failure::Usage(error.to_string())),
        Err(difference @ TraceError::Difference { .. }) => {
            let difference = difference.to_string();
            match console.json {
                true => console.json(&serde_json::json!({"agrees": false, "difference": difference}))?,
                false => writeln!(console.out, "{}: {difference}", game.name())?,
            }
            console.out.flush()?;
            Err(Failure::Told(1))
        }
    }
}
