//! `ludens gdl show`: the text of a sheet.

use super::rules;
use crate::{Console, Failure};

/// Print the rules of a sheet, to read them or to begin your own with them
#[derive(clap::Args)]
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
