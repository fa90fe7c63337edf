//! `ludens games`: the catalogue.

use super::policies::{self, ParamRow};
use crate::{Console, Failure};
use ludens_catalog::{Entry, GAMES, Rulesheet, SHEETS};
use serde::Serialize;
use std::borrow::Cow;

/// List the games with their parameters and roles
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens games")]
pub(crate) struct Args {}

/// What the names of rulesheets begin with.
pub(super) const SHEET_PREFIX: &str = "gdl:";

#[derive(Serialize)]
pub(super) struct GameRow {
    pub(super) name: Cow<'static, str>,
    pub(super) about: &'static str,
    pub(super) roles: Cow<'static, [&'static str]>,
    pub(super) params: Vec<ParamRow>,
    pub(super) papers: Vec<&'static str>,
}

impl From<&Entry> for GameRow {
    fn from(entry: &Entry) -> GameRow {
        let Entry { name, about, roles, .. } = *entry;
        let params = policies::rows(entry.params);
        GameRow { name: name.into(), about, roles: roles.into(), params, papers: Vec::new() }
    }
}

impl From<&Rulesheet> for GameRow {
    fn from(sheet: &Rulesheet) -> GameRow {
        GameRow {
            name: format!("{SHEET_PREFIX}{}", sheet.name).into(),
            about: sheet.about(),
            roles: sheet.roles().into(),
            params: Vec::new(),
            papers: Vec::new(),
        }
    }
}

/// The native games, then the rulesheets.
pub(super) fn rows() -> Vec<GameRow> {
    let mut papers = ludens_arena::papers::papers_by_game();
    let rows = GAMES.iter().map(GameRow::from).chain(SHEETS.iter().map(GameRow::from));
    rows.map(|row| GameRow { papers: papers.remove(&*row.name).unwrap_or_default(), ..row }).collect()
}

pub(crate) fn run(_args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let games = rows();
    if console.json {
        return console.json(&games);
    }
    let rows = games.iter().map(|game| {
        let params: Vec<_> =
            game.params.iter().map(|param| format!("{}={} ({})", param.name, param.default, param.allowed)).collect();
        vec![game.name.to_string(), game.about.to_owned(), params.join("\n"), game.roles.join(", ")]
    });
    let columns = [("game", false), ("rules", false), ("parameters", false), ("roles", false)];
    console.table(&columns, rows.collect())?;
    writeln!(console.out, "\nOpen a game as NAME or NAME:SIZE,OPTION=VALUE, for example go:9,komi=6.5")?;
    writeln!(
        console.out,
        "gdl:NAME is a rulesheet: ludens gdl show prints its rules, misere-gdl:NAME plays it to lose; \
         NAME alone works where no native game has it"
    )?;
    Ok(writeln!(console.out, "A game can also be your own .kif file")?)
}
