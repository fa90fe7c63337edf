//! What there is to choose from, straight from the catalogue and the registries: the page builds its forms from it.

use crate::{problem::Problem, think::read_spec};
use axum::{Json, extract::Query};
use ludens_catalog::{Domain, GAMES, SHEETS};
use ludens_search::{DEFAULT_PLAYER, Kind, PAPERS, POLICIES, Param, SELECTS, SETTINGS, presets};
use serde::Deserialize;
use serde_json::{Value, json};

/// All choices.
pub(crate) async fn all() -> Json<Value> {
    let native = GAMES.iter().map(|entry| {
        let params: Vec<_> = entry.params.iter().map(game_param).collect();
        json!({ "name": entry.name, "about": entry.about, "roles": entry.roles, "params": params })
    });
    let sheets = SHEETS.iter().map(|sheet| {
        let name = format!("gdl:{}", sheet.name);
        json!({ "name": name, "about": sheet.about(), "roles": sheet.roles(), "params": [] })
    });
    let selects = SELECTS.iter().map(|entry| part(entry.name, entry.about, entry.params));
    let policies = POLICIES.iter().map(|entry| {
        let mut part = part(entry.name, entry.about, entry.params);
        part["total"] = entry.total.into();
        part
    });
    let presets = presets().map(|preset| json!({ "name": preset.name, "about": preset.about }));
    let papers = PAPERS.iter().map(|paper| json!({ "name": paper.name, "citation": paper.citation }));
    Json(json!({
        "games": native.chain(sheets).collect::<Vec<_>>(),
        "selects": selects.collect::<Vec<_>>(),
        "policies": policies.collect::<Vec<_>>(),
        "settings": SETTINGS.iter().map(param).collect::<Vec<_>>(),
        "presets": presets.collect::<Vec<_>>(),
        "papers": papers.collect::<Vec<_>>(),
        "player": DEFAULT_PLAYER,
    }))
}

fn part(name: &str, about: &str, params: &[Param]) -> Value {
    json!({ "name": name, "about": about, "params": params.iter().map(param).collect::<Vec<_>>() })
}

/// A parameter of a player. JSON has no infinity, so bounds that are infinite are left out.
fn param(param: &Param) -> Value {
    let finite = |number: f64| number.is_finite().then_some(number);
    let domain = match param.kind {
        Kind::Number(low, high) => json!({ "kind": "number", "min": finite(low), "max": finite(high) }),
        Kind::Whole(low, high) => json!({ "kind": "whole", "min": low, "max": high }),
        Kind::WholeOrAuto(low, high) => json!({ "kind": "whole", "min": low, "max": high, "words": ["auto"] }),
        Kind::Bytes(low) => json!({ "kind": "bytes", "min": low }),
        Kind::Word(words) => json!({ "kind": "word", "words": words }),
    };
    json!({ "name": param.name, "about": param.about, "default": param.default.to_string(), "domain": domain })
}

fn game_param(param: &ludens_catalog::Param) -> Value {
    let domain = match param.domain {
        Domain::Board { min, max } => json!({ "kind": "board", "min": min, "max": max }),
        Domain::Square { min, max } | Domain::Side { min, max } => json!({ "kind": "side", "min": min, "max": max }),
        Domain::Halves { min, max } => json!({ "kind": "halves", "min": min, "max": max }),
        Domain::Word(words) => json!({ "kind": "word", "words": words }),
    };
    json!({ "name": param.name, "about": param.about, "default": param.default, "domain": domain })
}

/// A player's text.
#[derive(Deserialize)]
pub(crate) struct Text {
    spec: String,
}

/// A spec or preset, written out with everything left out that is the default.
pub(crate) async fn player(Query(text): Query<Text>) -> Result<Json<Value>, Problem> {
    let spec = read_spec(&text.spec).map_err(Problem::bad)?;
    Ok(Json(json!({ "spec": spec.to_string() })))
}
