//! What there is to choose from, straight from the catalogue and the registries: the page builds its forms from it.

use crate::problem::Problem;
use axum::{Json, extract::Query};
use ludens_catalog::{Entry, GAMES, Rulesheet, SHEETS};
use ludens_engine::read_spec;
use ludens_search::{DEFAULT_PLAYER, Kind, PAPERS, POLICIES, SELECTS, SETTINGS, presets};
use serde::{Deserialize, Serialize};

/// All choices.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Choices {
    games: Vec<GameChoice>,
    selects: Vec<Part>,
    policies: Vec<PolicyChoice>,
    settings: Vec<Param>,
    presets: Vec<PresetChoice>,
    papers: Vec<PaperChoice>,
    /// The player that is used if none is chosen.
    player: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct GameChoice {
    name: String,
    about: &'static str,
    roles: Vec<&'static str>,
    params: Vec<Param>,
}

/// A selection rule or a policy.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Part {
    name: &'static str,
    about: &'static str,
    params: Vec<Param>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PolicyChoice {
    #[serde(flatten)]
    part: Part,
    /// Whether it always chooses, so that no policy can follow it.
    total: bool,
}

/// A parameter of a game, a part or a search.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Param {
    name: &'static str,
    about: &'static str,
    default: String,
    domain: Domain,
}

/// What values a parameter takes. JSON has no infinity, so bounds that are infinite are left out.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Domain {
    Number {
        min: Option<f64>,
        max: Option<f64>,
    },
    /// A whole number, or one of the words.
    Whole {
        min: u64,
        max: u64,
        words: Vec<&'static str>,
    },
    Bytes {
        min: u64,
    },
    Word {
        words: &'static [&'static str],
    },
    Board {
        min: (usize, usize),
        max: (usize, usize),
    },
    Square {
        min: usize,
        max: usize,
    },
    Halves {
        min: f64,
        max: f64,
    },
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PresetChoice {
    name: &'static str,
    about: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PaperChoice {
    name: &'static str,
    citation: &'static str,
}

pub(crate) async fn all() -> Json<Choices> {
    let part = |name, about, params: &[ludens_search::Param]| Part { name, about, params: list(params) };
    let policies = POLICIES.iter().map(|entry| {
        let part = part(entry.name, entry.about, entry.params);
        PolicyChoice { part, total: entry.total }
    });
    Json(Choices {
        games: GAMES.iter().map(GameChoice::from).chain(SHEETS.iter().map(GameChoice::from)).collect(),
        selects: SELECTS.iter().map(|entry| part(entry.name, entry.about, entry.params)).collect(),
        policies: policies.collect(),
        settings: list(SETTINGS),
        presets: presets().map(|preset| PresetChoice { name: preset.name, about: preset.about }).collect(),
        papers: PAPERS.iter().map(|paper| PaperChoice { name: paper.name, citation: paper.citation }).collect(),
        player: DEFAULT_PLAYER,
    })
}

fn list(params: &[ludens_search::Param]) -> Vec<Param> {
    params.iter().map(Param::from).collect()
}

impl From<&Entry> for GameChoice {
    fn from(entry: &Entry) -> GameChoice {
        let Entry { name, about, roles, params, .. } = *entry;
        GameChoice { name: name.into(), about, roles: roles.into(), params: list(params) }
    }
}

impl From<&Rulesheet> for GameChoice {
    fn from(sheet: &Rulesheet) -> GameChoice {
        let name = format!("gdl:{}", sheet.name);
        GameChoice { name, about: sheet.about(), roles: sheet.roles(), params: Vec::new() }
    }
}

impl From<&ludens_search::Param> for Param {
    fn from(param: &ludens_search::Param) -> Param {
        let finite = |number: f64| number.is_finite().then_some(number);
        let domain = match param.kind {
            Kind::Number(low, high) => Domain::Number { min: finite(low), max: finite(high) },
            Kind::Whole(min, max) => Domain::Whole { min, max, words: Vec::new() },
            Kind::WholeOrAuto(min, max) => Domain::Whole { min, max, words: vec!["auto"] },
            Kind::Bytes(min) => Domain::Bytes { min },
            Kind::Word(words) => Domain::Word { words },
            Kind::Halves(min, max) => Domain::Halves { min, max },
            Kind::Board(min, max) => Domain::Board { min, max },
            Kind::Square(min, max) => Domain::Square { min, max },
        };
        Param { name: param.name, about: param.about, default: param.default.to_string(), domain }
    }
}

/// A player's text.
#[derive(Deserialize)]
pub(crate) struct Text {
    spec: String,
}

/// A spec or preset, written out with everything left out that is the default.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Canonical {
    spec: String,
}

pub(crate) async fn player(Query(text): Query<Text>) -> Result<Json<Canonical>, Problem> {
    let spec = read_spec(&text.spec).map_err(Problem::bad)?;
    Ok(Json(Canonical { spec: spec.to_string() }))
}
