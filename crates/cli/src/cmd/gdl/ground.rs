//! `ludens gdl ground`: the rules without variables.

use super::{Source, refusal, rules};
use crate::{Console, Failure};
use ludens_gdl::ground::GroundLiteral;
use serde::Serialize;
use std::io;

/// Print the ground rules of a sheet
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens gdl ground gdl:nim")]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
}

#[derive(Serialize)]
struct Instance {
    head: String,
    body: Vec<String>,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let text = rules(&args.source.sheet)?;
    let ground = ludens_gdl::ground(&text, args.source.limits());
    let ground = ground.map_err(|remarks| refusal(&args.source.sheet, &text, &remarks))?;
    let literal = |literal: &GroundLiteral| match literal.negated {
        true => format!("(not {})", ground.text(literal.atom)),
        false => ground.text(literal.atom),
    };
    let mut written: Result<(), io::Error> = Ok(());
    ground.for_each_instance(|head, body| {
        if written.is_err() {
            return;
        }
        let instance = Instance { head: ground.text(head), body: body.iter().map(literal).collect() };
        written = match (console.json, instance.body.is_empty()) {
            (true, _) => serde_json::to_writer(&mut *console.out, &instance)
                .map_err(io::Error::from)
                .and_then(|()| writeln!(console.out)),
            (false, true) => writeln!(console.out, "{}", instance.head),
            (false, false) => writeln!(console.out, "(<= {} {})", instance.head, instance.body.join(" ")),
        };
    });
    Ok(written?)
}
