//! Duguépéroux, Mazyad, Teytaud, Dehos: Pruning playouts in Monte-Carlo Tree Search for the game of Havannah (2016).
//!
//! The figures print no numbers, and not all places at which they measured; the places here are ours, within theirs.

use super::{Content, Entry, Paper, Point, TableInfo, leading_number, native, preset, quick::pick, with_policies};
use crate::results::Counting;
use ludens_search::Budget;

pub(super) static PAPER: Paper = Paper {
    name: "ppr2016",
    counting: Counting::Players,
    tables: &[
        TableInfo { id: "1", title: "PPR against other enhancements in Havannah", content: Content::Published },
        TableInfo { id: "figure5", title: "PPR against RAVE, by parameters", content: Content::Curve(parameters) },
        TableInfo {
            id: "figure6",
            title: "PPR against RAVE by playouts and board size",
            content: Content::Curve(scaling),
        },
    ],
    csv: include_str!("ppr2016.csv"),
    agent: |name| match name.strip_prefix("rave+") {
        Some(other) => preset("ppr2016", other),
        None if name.starts_with("ppr(") => with_policies("ppr2016", "rave", name),
        None => preset("ppr2016", name),
    },
    game: native,
    budget: leading_number,
    quick: &[
        pick("1", ("havannah:6", "sims=1000"), ["ppr", "rave"], 40),
        pick("1", ("havannah:6", "sims=1000"), ["ppr", "rave+nast2"], 40),
    ],
};

/// The games of each point.
const GAMES: u64 = 600;

/// A point at which a form of PPR meets RAVE.
fn entry(paper: &Paper, player: &str, (side, simulations): (u32, u64), point: Point) -> Entry {
    let cell = paper.cell(&format!("havannah:{side}"), Budget::simulations(simulations), [player, "rave"]);
    Entry {
        game: cell.game.clone(),
        player: player.to_owned(),
        opponent: "rave".into(),
        cells: vec![cell],
        games: GAMES,
        published: None,
        point: Some(point),
    }
}

/// Figure 5: each parameter alone, side 6, 1,000 playouts. The middle of each row is the default of the paper.
fn parameters(paper: &Paper) -> Vec<Entry> {
    let sweeps: [(&str, &str, &[f64], bool); 3] = [
        ("tn", "T_n: share of the playouts that a node needs", &[0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.5], true),
        ("tw", "T_w: win rate below which a move is pruned", &[0.05, 0.15, 0.25, 0.35, 0.45, 0.6], false),
        ("p", "p: probability of a move from the list", &[0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0], false),
    ];
    let sweep = |(name, axis, values, is_log): (&str, &'static str, &'static [f64], bool)| {
        let name = name.to_owned();
        values.iter().map(move |&x| {
            let point = Point { curve: "ppr vs rave".into(), axis, is_log, x };
            entry(paper, &format!("ppr({name}={x})"), (6, 1000), point)
        })
    };
    sweeps.into_iter().flat_map(sweep).collect()
}

/// Figure 6: the number of playouts at side 6, and the side at 1,000 playouts.
fn scaling(paper: &Paper) -> Vec<Entry> {
    let curve = || "ppr vs rave".to_owned();
    let budgets = [100, 300, 1000, 3000, 10_000, 30_000].map(|simulations| {
        let point = Point { curve: curve(), axis: "playouts per move, side 6", is_log: true, x: simulations as f64 };
        entry(paper, "ppr", (6, simulations), point)
    });
    let sides = (3..=10).map(|side| {
        let point =
            Point { curve: curve(), axis: "side of the board, 1,000 playouts", is_log: false, x: f64::from(side) };
        entry(paper, "ppr", (side, 1000), point)
    });
    budgets.into_iter().chain(sides).collect()
}
