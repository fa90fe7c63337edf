//! `ludens games`: the catalogue.

use crate::{Console, Failure};
use ludens_games::Param;
use ludens_games::catalog::{Entry, GAMES};
use serde::Serialize;

/// List the games, their parameters and roles
#[derive(clap::Args)]
pub(crate) struct Args {}

#[derive(Serialize)]
struct GameRow {
    name: &'static str,
    about: &'static str,
    roles: &'static [&'static str],
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
        GameRow { name, about, roles, params: entry.params.iter().map(ParamRow::from).collect(), papers }
    }
}

impl From<&Param> for ParamRow {
    fn from(param: &Param) -> ParamRow {
        let Param { name, default, domain, about } = *param;
        ParamRow { name, default, allowed: domain.to_string(), about }
    }
}

pub(crate) fn run(_args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    if console.json {
        return console.json(&GAMES.iter().map(GameRow::from).collect::<Vec<_>>());
    }
    let rows = GAMES.iter().map(|entry| {
        let params: Vec<_> =
            entry.params.iter().map(|param| format!("{}={} ({})", param.name, param.default, param.domain)).collect();
        vec![entry.name.to_owned(), entry.about.to_owned(), params.join("\n"), entry.roles.join(", ")]
    });
    let columns = [("game", false), ("what it is", false), ("parameters", false), ("roles", false)];
    console.table(&columns, rows.collect())?;
    Ok(writeln!(console.out, "\nOpen a game as NAME or NAME:SIZE,OPTION=VALUE, for example go:9,komi=6.5")?)
}
