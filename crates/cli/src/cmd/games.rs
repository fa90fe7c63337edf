//! `ludens games`: the catalogue.

use crate::{Console, Failure};
use ludens_games::Param;
use ludens_games::catalog::{Entry, GAMES, Rulesheet, SHEETS};
use serde::Serialize;
use std::borrow::Cow;

/// List the games, their parameters and roles
#[derive(clap::Args)]
pub(crate) struct Args {}

#[derive(Serialize)]
struct GameRow {
    name: Cow<'static, str>,
    about: &'static str,
    roles: Cow<'static, [&'static str]>,
    params: Vec<ParamRow>,
    papers: &'static [&'static str],
}

#[derive(Serialize)]
struct ParamRow {
    name: &'static str,
    default: &'static str,
    allowed: String,
    about: &'static str,
}

impl From<&Entry> for GameRow {
    fn from(entry: &Entry) -> GameRow {
        let Entry { name, about, roles, papers, .. } = *entry;
        let params = entry.params.iter().map(ParamRow::from).collect();
        GameRow { name: name.into(), about, roles: roles.into(), params, papers }
    }
}

impl From<&Rulesheet> for GameRow {
    fn from(sheet: &Rulesheet) -> GameRow {
        GameRow {
            name: format!("gdl:{}", sheet.name).into(),
            about: sheet.about(),
            roles: sheet.roles().into(),
            params: Vec::new(),
            papers: sheet.papers,
        }
    }
}

impl From<&Param> for ParamRow {
    fn from(param: &Param) -> ParamRow {
        let Param { name, default, domain, about } = *param;
        ParamRow { name, default, allowed: domain.to_string(), about }
    }
}

pub(crate) fn run(_args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let games: Vec<_> = GAMES.iter().map(GameRow::from).chain(SHEETS.iter().map(GameRow::from)).collect();
    if console.json {
        return console.json(&games);
    }
    let rows = games.iter().map(|game| {
        let params: Vec<_> =
            game.params.iter().map(|param| format!("{}={} ({})", param.name, param.default, param.allowed)).collect();
        vec![game.name.to_string(), game.about.to_owned(), params.join("\n"), game.roles.join(", ")]
    });
    let columns = [("game", false), ("what it is", false), ("parameters", false), ("roles", false)];
    console.table(&columns, rows.collect())?;
    writeln!(console.out, "\nOpen a game as NAME or NAME:SIZE,OPTION=VALUE, for example go:9,komi=6.5")?;
    writeln!(
        console.out,
        "A gdl:NAME is a rulesheet: ludens gdl show prints its rules, misere-gdl:NAME plays it to lose"
    )?;
    Ok(writeln!(console.out, "A game can also be a .kif file of your own")?)
}
