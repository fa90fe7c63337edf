//! `ludens gdl show`: the text of a sheet.

use super::rules;
use crate::{Console, Failure};

/// Print the rules of a sheet, to read or to start your own from
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens gdl show gdl:nim")]
pub(crate) struct Args {
    /// gdl:NAME for a rulesheet that comes with Ludens, or a file
    sheet: String,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let text = rules(&args.sheet)?;
    match console.json {
        true => console.json(&text),
        false => Ok(write!(console.out, "{text}")?),
    }
}
