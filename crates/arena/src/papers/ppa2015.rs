//! Cazenave: Playout Policy Adaptation for Games (2015).
//!
//! The paper does not say whether suicide is legal in Atari Go, nor whether playouts fill own eyes. Table 1 has the rules that
//! come nearest to its figures of Atari Go and Go; variants change one rule at a time.

use super::{Content, Paper, Swap, TableInfo, leading_number, native, preset, quick::pick};
use crate::results::Counting;

/// Atari Go with these options, and Go with those.
fn stones(game: &str, size: &str, atarigo: &str, go: Option<&str>) -> Option<String> {
    match (game, go) {
        ("atarigo", _) => Some(native(game, size) + atarigo),
        ("go", Some(go)) => Some(native(game, size) + go),
        _ => None,
    }
}

/// What comes nearest to the figures of Table 1: in Atari Go a stone without liberties loses, in Go playouts keep their own eyes.
fn nearest(game: &str, size: &str) -> Option<String> {
    stones(game, size, ",suicide=loses", Some(",eyes=on"))
}

/// A stone without liberties loses, playouts keep their own eyes, both or neither. Go has no suicide here.
pub(super) fn both(game: &str, size: &str) -> Option<String> {
    stones(game, size, ",suicide=loses,eyes=on", None)
}

pub(super) fn neither(game: &str, size: &str) -> Option<String> {
    stones(game, size, "", Some(""))
}

pub(super) fn only_suicide(game: &str, size: &str) -> Option<String> {
    stones(game, size, ",suicide=loses", None)
}

pub(super) fn only_eyes(game: &str, size: &str) -> Option<String> {
    stones(game, size, ",eyes=on", None)
}

pub(super) static PAPER: Paper = Paper {
    name: "ppa2015",
    counting: Counting::Players,
    tables: &[
        TableInfo { id: "1", title: "PPA against UCT with 1,000 and 10,000 playouts", content: Content::Published },
        TableInfo {
            id: "1-plain",
            title: "Table 1 with plain rules: no suicide, playouts fill their own eyes",
            content: Content::Variant(&["1"], Swap::Rules(neither)),
        },
        TableInfo {
            id: "1-both",
            title: "Table 1 with plain rules, but suicide loses and playouts keep their own eyes",
            content: Content::Variant(&["1"], Swap::Rules(both)),
        },
        TableInfo {
            id: "1-eyes",
            title: "Table 1 with plain rules, but playouts keep their own eyes",
            content: Content::Variant(&["1"], Swap::Rules(only_eyes)),
        },
    ],
    csv: include_str!("ppa2015.csv"),
    agent: |name| match name {
        "ppa(alpha=1)" => preset("ppa2015", "ppa"),
        "uct" => preset("ppa2015", "uct"),
        _ => None,
    },
    game: |game, size| nearest(game, size).unwrap_or_else(|| native(game, size)),
    budget: leading_number,
    quick: &[
        pick("1", ("misere-breakthrough:5", "sims=1000"), ["ppa(alpha=1)", "uct"], 80),
        pick("1", ("misere-knightthrough:5", "sims=1000"), ["ppa(alpha=1)", "uct"], 80),
        pick("1", ("breakthrough:5", "sims=1000"), ["ppa(alpha=1)", "uct"], 80),
        pick("1", ("knightthrough:5", "sims=1000"), ["ppa(alpha=1)", "uct"], 80),
        pick("1", ("domineering:5", "sims=1000"), ["ppa(alpha=1)", "uct"], 80),
        pick("1", ("nogo:5", "sims=1000"), ["ppa(alpha=1)", "uct"], 80),
    ],
};
