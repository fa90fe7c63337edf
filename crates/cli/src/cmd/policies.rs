//! `ludens policies`: what a player can be made of.

use crate::{Console, Failure};
use ludens_search::{Kind, POLICIES, Param, SELECTS, SETTINGS, Value, papers_with};
use serde::Serialize;

/// List the parts of a player's spec: selection rules, playout policies and settings
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens policies")]
pub(crate) struct Args {}

#[derive(Serialize)]
pub(super) struct Parts {
    pub(super) selects: Vec<Part>,
    pub(super) policies: Vec<Part>,
    pub(super) settings: Vec<ParamRow>,
}

/// A selection rule or a policy.
#[derive(Serialize)]
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) papers: Option<Vec<&'static str>>,
    pub(super) params: Vec<ParamRow>,
}

#[derive(Serialize)]
pub(super) struct ParamRow {
    pub(super) name: &'static str,
    kind: &'static str,
    pub(super) allowed: String,
    pub(super) default: String,
    pub(super) about: &'static str,
}

impl From<&Param> for ParamRow {
    fn from(param: &Param) -> ParamRow {
        let (kind, allowed) = match param.kind {
            Kind::Number(low, high) => ("number", format!("{low} to {high}")),
            Kind::Whole(low, high) => ("whole", format!("{low} to {high}")),
            Kind::WholeOrAuto(low, high) => ("whole", format!("auto or {low} to {high}")),
            Kind::Bytes(low) => ("bytes", format!("at least {}", Value::Bytes(low))),
            Kind::Word(words) => ("word", words.join("|")),
        };
        ParamRow { name: param.name, kind, allowed, default: param.default.to_string(), about: param.about }
    }
}

fn rows(params: &[Param]) -> Vec<ParamRow> {
    params.iter().map(ParamRow::from).collect()
}

/// Everything that a spec can contain.
pub(super) fn parts() -> Parts {
    Parts {
        selects: SELECTS
            .iter()
            .map(|entry| Part { name: entry.name, about: entry.about, papers: None, params: rows(entry.params) })
            .collect(),
        policies: POLICIES
            .iter()
            .map(|entry| {
                let papers = Some(papers_with(entry.name).map(|paper| paper.name).collect());
                Part { name: entry.name, about: entry.about, papers, params: rows(entry.params) }
            })
            .collect(),
        settings: rows(SETTINGS),
    }
}

pub(crate) fn run(_args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let parts = parts();
    if console.json {
        return console.json(&parts);
    }
    parts_table("selection rule", &parts.selects, console)?;
    writeln!(console.out)?;
    parts_table("playout policy", &parts.policies, console)?;
    writeln!(console.out)?;
    let columns = [("setting", false), ("default", false), ("allowed", false), ("what it does", false)];
    let settings = parts
        .settings
        .iter()
        .map(|row| vec![row.name.to_owned(), row.default.clone(), row.allowed.clone(), row.about.to_owned()]);
    console.table(&columns, settings.collect())?;
    Ok(writeln!(
        console.out,
        "\nA player is SELECT+POLICY+POLICY@SETTING=VALUE, for example uct(c=0.7)+lgrf(n=2)+nst(eps=0.2)@reuse=off.\n\
         If a policy does not choose, the next one does; if none is left, the move is random."
    )?)
}

/// A block of lines per part: what it is, and its parameters.
fn parts_table(title: &str, parts: &[Part], console: &mut Console<'_>) -> Result<(), Failure> {
    let columns = [(title, false), ("parameter", false), ("allowed", false), ("what it is", false)];
    let mut lines = Vec::new();
    for part in parts {
        let about = match part.papers.as_deref() {
            None | Some([]) => part.about.to_owned(),
            Some(papers) => format!("{} ({})", part.about, papers.join(", ")),
        };
        lines.push(vec![part.name.to_owned(), String::new(), String::new(), about]);
        for row in &part.params {
            let default = format!("{}={}", row.name, row.default);
            lines.push(vec![String::new(), default, row.allowed.clone(), row.about.to_owned()]);
        }
    }
    console.table(&columns, lines)
}
