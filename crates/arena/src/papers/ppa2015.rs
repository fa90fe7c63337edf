//! Cazenave: Playout Policy Adaptation for Games (2015).
//!
//! The paper does not say whether suicide is legal in Atari Go, nor whether playouts fill own eyes.

use super::{Content, Paper, Swap, TableInfo, leading_number, native, preset, quick::pick};
use crate::results::Counting;

/// Options of the games with stones that the paper may have had: its figures fit them better.
pub(super) const GO_OPTIONS: &[(&str, &str)] = &[("atarigo", ",suicide=loses,eyes=on"), ("go", ",eyes=on")];

pub(super) static PAPER: Paper = Paper {
    name: "ppa2015",
    counting: Counting::Players,
    tables: &[
        TableInfo { id: "1", title: "PPA against UCT with 1,000 and 10,000 playouts", content: Content::Published },
        TableInfo {
            id: "1-rules",
            title: "Table 1 with suicide losing and playouts keeping their own eyes",
            content: Content::Variant(&["1"], Swap::Rules(GO_OPTIONS)),
        },
    ],
    csv: include_str!("ppa2015.csv"),
    agent: |name| match name {
        "ppa(alpha=1)" => preset("ppa2015", "ppa"),
        "uct" => preset("ppa2015", "uct"),
        _ => None,
    },
    game: native,
    simulations: leading_number,
    quick: &[
        pick("1", ("misere-breakthrough:5", 1000), ["ppa(alpha=1)", "uct"], 80),
        pick("1", ("misere-knightthrough:5", 1000), ["ppa(alpha=1)", "uct"], 80),
        pick("1", ("breakthrough:5", 1000), ["ppa(alpha=1)", "uct"], 80),
        pick("1", ("knightthrough:5", 1000), ["ppa(alpha=1)", "uct"], 80),
        pick("1", ("domineering:5", 1000), ["ppa(alpha=1)", "uct"], 80),
        pick("1", ("nogo:5", 1000), ["ppa(alpha=1)", "uct"], 80),
    ],
};
