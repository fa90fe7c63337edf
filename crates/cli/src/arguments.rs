//! Reads the arguments; what clap says about bad ones becomes one line.

use crate::Failure;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
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
                let names: Vec<_> = commands.get_subcommands().map(|command| command.get_name()).collect();
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
