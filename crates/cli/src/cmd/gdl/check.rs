//! `ludens gdl check`: all remarks about a sheet.

use super::{name_of, rules};
use crate::{Console, Failure};
use ludens_game::Charset;
use ludens_gdl::render::{Rendering, position};
use ludens_gdl::{Diagnostic, Examined, Limits, Severity, examine};
use serde::Serialize;

/// Report every error and warning in a sheet; exit code 2 if it cannot be played
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens gdl check gdl:nim")]
pub(crate) struct Args {
    /// A rulesheet: a file such as breakthrough.kif, or gdl:NAME for one that comes with Ludens
    sheet: String,
}

#[derive(Serialize)]
struct Remark<'r> {
    severity: &'static str,
    line: usize,
    column: usize,
    title: &'r str,
    #[serde(skip_serializing_if = "str::is_empty")]
    label: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'r str>,
}

fn severity(remark: &Diagnostic) -> &'static str {
    match remark.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let text = rules(&args.sheet)?;
    let Examined { remarks, .. } = examine(&name_of(&args.sheet), &text, Limits::DEFAULT);
    let errors = remarks.iter().filter(|remark| remark.is_error()).count();
    if console.json {
        let remarks = remarks.iter().map(|remark| {
            let (line, column) = position(remark.span, &text);
            let (title, label, help) = (&*remark.title, &*remark.label, remark.help.as_deref());
            Remark { severity: severity(remark), line, column, title, label, help }
        });
        console.json(&remarks.collect::<Vec<_>>())?;
    } else {
        let rendering = Rendering { color: console.style.color, unicode: console.style.charset == Charset::Unicode };
        let sheet = &args.sheet;
        write!(console.out, "{}", rendering.render(&remarks, sheet, &text))?;
        let count = |number: usize, what: &str| match number {
            0 => format!("no {what}s"),
            1 => format!("1 {what}"),
            _ => format!("{number} {what}s"),
        };
        writeln!(console.out, "{sheet}: {}, {}", count(errors, "error"), count(remarks.len() - errors, "warning"))?;
    }
    console.out.flush()?;
    if errors > 0 { Err(Failure::Told(2)) } else { Ok(()) }
}
