//! Cazenave, Diemert: Memorizing the Playout Policy (2017).

use super::ppa2015::{both, neither, only_eyes, only_suicide};
use super::{Content, Paper, Swap, TableInfo, leading_number, native, preset, quick::pick};
use crate::results::Counting;

/// All tables.
const TABLES: &[&str] = &["1", "2", "3", "4"];

pub(super) static PAPER: Paper = Paper {
    name: "ppafm2017",
    counting: Counting::Players,
    tables: &[
        TableInfo { id: "1", title: "PPAFM against PPAF, 10,000 playouts", content: Content::Published },
        TableInfo { id: "2", title: "PPAFM against UCT, 10,000 playouts", content: Content::Published },
        TableInfo {
            id: "3",
            title: "PPAFM with a learned start against PPAF, 10,000 playouts",
            content: Content::Published,
        },
        TableInfo {
            id: "4",
            title: "PPAFM with a learned start against UCT, 10,000 playouts",
            content: Content::Published,
        },
        TableInfo {
            id: "plain",
            title: "Tables 1 to 4 with plain rules: no suicide, playouts fill their own eyes",
            content: Content::Variant(TABLES, Swap::Rules(neither)),
        },
        TableInfo {
            id: "suicide",
            title: "Tables 1 to 4 with plain rules, but suicide loses",
            content: Content::Variant(TABLES, Swap::Rules(only_suicide)),
        },
        TableInfo {
            id: "eyes",
            title: "Tables 1 to 4 with plain rules, but playouts keep their own eyes",
            content: Content::Variant(TABLES, Swap::Rules(only_eyes)),
        },
    ],
    csv: include_str!("ppafm2017.csv"),
    agent: |name| match name {
        "ppafm(alpha=0.32)" => preset("ppafm2017", "ppafm"),
        "ppafm(alpha=0.32,initial=learned)" => preset("ppafm2017", "ppafm-learned"),
        "ppaf(alpha=0.32)" => preset("ppafm2017", "ppaf"),
        "uct" => preset("ppafm2017", "uct"),
        _ => None,
    },
    game: |game, size| both(game, size).unwrap_or_else(|| native(game, size)),
    budget: leading_number,
    quick: &[
        pick("1", ("knightthrough:8", "sims=10000"), ["ppafm(alpha=0.32)", "ppaf(alpha=0.32)"], 16),
        pick("2", ("knightthrough:8", "sims=10000"), ["ppafm(alpha=0.32)", "uct"], 16),
    ],
};
