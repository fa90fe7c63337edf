//! Cazenave: Playout Policy Adaptation for Games (2015).

use super::{Content, Paper, TableInfo, leading_number, native, preset};
use crate::results::Counting;

pub(super) static PAPER: Paper = Paper {
    name: "ppa2015",
    counting: Counting::Players,
    tables: &[TableInfo {
        id: "1",
        title: "PPA against UCT with 1,000 and 10,000 playouts",
        content: Content::Published,
    }],
    csv: include_str!("ppa2015.csv"),
    agent: |name| match name {
        "ppa(alpha=1)" => preset("ppa2015", "ppa"),
        "uct" => preset("ppa2015", "uct"),
        _ => None,
    },
    game: native,
    simulations: leading_number,
};
