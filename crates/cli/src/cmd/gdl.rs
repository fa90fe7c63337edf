//! `ludens gdl`: rulesheets, from the remarks about them to walks through their games.

use crate::{Console, Failure};
use ludens_catalog as catalog;
use ludens_gdl::render::refusal_line;
use ludens_gdl::{Diagnostic, Limits, Opened, open};
use std::borrow::Cow;
use std::path::Path;
use std::time::Duration;

/// Check, inspect and compile rulesheets
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

commands! {
    check: Check,
    info: Info,
    ground: Ground,
    show: Show,
    walk: Walk,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    args.command.run(console)
}

/// The sheet, and how long may be tried to ground it.
#[derive(clap::Args)]
struct Source {
    /// A rulesheet: a file such as breakthrough.kif, or gdl:NAME for one that comes with Ludens
    sheet: String,
    /// Time limit for grounding in seconds, after which the interpreter takes over
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    time: u64,
}

impl Source {
    fn limits(&self) -> Limits {
        Limits { time: Duration::from_secs(self.time), ..Limits::default() }
    }

    /// The name of the game: that of the file.
    fn name(&self) -> String {
        name_of(&self.sheet)
    }

    /// The game of the sheet, which must have no errors.
    fn open(&self) -> Result<Opened, Failure> {
        let text = rules(&self.sheet)?;
        open(&self.name(), &text, self.limits()).map_err(|remarks| refusal(&self.sheet, &text, &remarks))
    }
}

/// The name of the game in a sheet: that of the file.
fn name_of(sheet: &str) -> String {
    Path::new(sheet).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The text of a sheet.
fn rules(sheet: &str) -> Result<Cow<'static, str>, Failure> {
    catalog::rules(sheet).map_err(|error| Failure::Usage(error.to_string()))
}

/// Why a sheet is refused.
fn refusal(sheet: &str, text: &str, remarks: &[Diagnostic]) -> Failure {
    Failure::Usage(refusal_line(sheet, text, remarks))
}
