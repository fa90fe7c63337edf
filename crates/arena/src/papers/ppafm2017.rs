//! Cazenave, Diemert: Memorizing the Playout Policy (2017).

use super::{Content, Paper, Swap, TableInfo, leading_number, native, ppa2015::GO_OPTIONS, preset, quick::pick};
use crate::results::Counting;

pub(super) static PAPER: Paper = Paper {
    name: "ppafm2017",
    counting: Counting::Players,
    tables: &[
        TableInfo { id: "1", title: "PPAFM against PPAF, 10,000 playouts", content: Content::Published },
        TableInfo { id: "2", title: "PPAFM against UCT, 10,000 playouts", content: Content::Published },
        TableInfo {
            id: "2-rules",
            title: "Table 2 with suicide losing and playouts keeping their own eyes",
            content: Content::Variant(&["2"], Swap::Rules(GO_OPTIONS)),
        },
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
    ],
    csv: include_str!("ppafm2017.csv"),
    agent: |name| match name {
        "ppafm(alpha=0.32)" => preset("ppafm2017", "ppafm"),
        "ppafm(alpha=0.32,initial=learned)" => preset("ppafm2017", "ppafm-learned"),
        "ppaf(alpha=0.32)" => preset("ppafm2017", "ppaf"),
        "uct" => preset("ppafm2017", "uct"),
        _ => None,
    },
    game: native,
    simulations: leading_number,
    quick: &[
        pick("1", ("knightthrough:8", 10_000), ["ppafm(alpha=0.32)", "ppaf(alpha=0.32)"], 16),
        pick("2", ("knightthrough:8", 10_000), ["ppafm(alpha=0.32)", "uct"], 16),
    ],
};
