//! Reads the arguments; what clap says about bad ones becomes one line.

use crate::Failure;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use ludens_search::{Budget, BudgetError, Spec, SpecError};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

pub(crate) fn parse<P: Parser + CommandFactory>() -> Result<P, Failure> {
    P::try_parse().map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Failure::Help(error)
        }
        kind => {
            let mut line = one_line(&error.render().to_string());
            if kind == ErrorKind::InvalidSubcommand {
                let commands = P::command();
                let shown = commands.get_subcommands().filter(|command| !command.is_hide_set());
                let names: Vec<_> = shown.map(|command| command.get_name()).collect();
                line.push_str(&format!("; commands: {}", names.join(", ")));
            }
            Failure::Usage(line)
        }
    })
}

/// Reads a number within bounds; the error names them.
pub(crate) fn number<T>(allowed: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| allowed.contains(number));
        number.ok_or_else(|| format!("give {} to {}", allowed.start(), allowed.end()))
    }
}

/// What plays the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum EngineChoice {
    /// The faster one for each game
    Auto,
    /// One position at a time
    Machine,
    /// Hundreds of positions that step together (rulesheets only)
    Lanes,
    /// Tens of thousands of searches at once on an NVIDIA GPU (rulesheets only)
    Gpu,
    /// The rules interpreted directly, slowly (rulesheets only)
    Interp,
}

impl EngineChoice {
    /// The engine that plays the games of an experiment. All of them play the same games, with one exception: the interpreter numbers
    /// the moves of a sheet without `input` as they appear, which changes what random numbers mean.
    pub(crate) fn for_experiments(self) -> &'static dyn ludens_arena::Backend {
        match self {
            EngineChoice::Auto => &ludens_arena::Fastest,
            EngineChoice::Machine | EngineChoice::Interp => &ludens_arena::OneByOne,
            EngineChoice::Lanes => &ludens_arena::InLanes,
            EngineChoice::Gpu => &ludens_arena::OnGpu,
        }
    }
}

/// How long an engine may think: arguments shared by all commands that search.
#[derive(clap::Args)]
pub(crate) struct BudgetArgs {
    /// Simulations per move
    #[arg(long, value_parser = number(1..=u64::MAX), allow_negative_numbers = true, conflicts_with = "budget")]
    sims: Option<u64>,
    /// Budget per move instead of --sims: sims=1000, steps=50000, ms=500, nodes=100000 or start=10s,play=5s
    #[arg(long, value_parser = budget)]
    budget: Option<Budget>,
}

impl BudgetArgs {
    /// The budget, if one was given.
    pub(crate) fn given(&self) -> Option<Budget> {
        self.budget.or(self.sims.map(Budget::simulations))
    }

    /// The budget that was given, or so many simulations.
    pub(crate) fn or_simulations(&self, default: u64) -> Budget {
        self.given().unwrap_or(Budget::simulations(default))
    }
}

/// One thread per core, unless the user says otherwise.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Reads a player.
pub(crate) fn spec(text: &str) -> Result<Spec, String> {
    text.parse().map_err(|error: SpecError| error.to_string())
}

/// Reads a budget.
pub(crate) fn budget(text: &str) -> Result<Budget, String> {
    text.parse().map_err(|error: BudgetError| error.to_string())
}

/// clap's message without its first word and its last paragraph, which points at `--help`.
fn one_line(message: &str) -> String {
    let paragraphs = message.trim_start_matches("error: ").split("\n\n");
    let kept = paragraphs.filter(|paragraph| !paragraph.starts_with("For more information"));
    let words = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    kept.map(words).collect::<Vec<_>>().join("; ").replace("Usage:", "usage:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_become_clauses() {
        let message =
            "error: these are missing:\n  <GAME>\n\nUsage: ludens play <GAME>\n\nFor more information, try '--help'.\n";
        assert_eq!(one_line(message), "these are missing: <GAME>; usage: ludens play <GAME>");
    }
}
