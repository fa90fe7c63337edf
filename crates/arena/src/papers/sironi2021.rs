//! Sironi, Cazenave, Winands: Enhancing Playout Policy Adaptation for General Game Playing (2021).
//!
//! Figure 1 prints no numbers; the budgets here are ours, within the figure's.

use super::{Content, Entry, Paper, Point, Swap, TableInfo, figures, leading_number, preset, quick::pick, sheet};
use crate::results::Counting;
use ludens_search::Budget;

/// NPPA_P0.32 in the paper's terms, and as the paper describes it rather than as it was probably run.
const NPPA_P: &str = "nppa(alpha=0.32,update=payoff)";
const NPPA_P_CORRECTED: &str = "nppa(alpha=0.32,update=payoff,corrected)";

pub(super) static PAPER: Paper = Paper {
    name: "sironi2021",
    counting: Counting::Players,
    tables: &[
        TableInfo {
            id: "1",
            title: "PPA and MAST against random playouts and each other",
            content: Content::Published,
        },
        TableInfo {
            id: "2",
            title: "PPA with and without payoff-based update against MAST",
            content: Content::Published,
        },
        TableInfo { id: "3", title: "NPPA and NST against random playouts, NST and PPA", content: Content::Published },
        TableInfo {
            id: "3-corrected",
            title: "Table 3 with NPPA_P as the paper describes it",
            content: Content::Variant(&["3"], Swap::Agent(NPPA_P, NPPA_P_CORRECTED)),
        },
        TableInfo {
            id: "4",
            title: "time for 1,000 simulations",
            content: Content::Times(timed, include_str!("sironi2021-timing.csv")),
        },
        TableInfo {
            id: "figure1",
            title: "win rate against random playouts by budget",
            content: Content::Curve(budgets),
        },
    ],
    csv: include_str!("sironi2021.csv"),
    agent: |name| {
        let preset = |name| preset("sironi2021", name);
        match name {
            "random" | "mast" | "nst" => preset(name),
            "ppa(alpha=1)" => preset("ppa1"),
            "ppa(alpha=0.32)" => preset("ppa032"),
            "ppa(alpha=0.32,update=payoff)" => preset("ppap032"),
            "nppa(alpha=1)" => preset("nppa1"),
            NPPA_P => preset("nppap032"),
            NPPA_P_CORRECTED => preset("nppap032-corrected"),
            _ => None,
        }
    },
    game: sheet,
    budget: leading_number,
    quick: &[
        pick("1", ("gdl:connect4", "sims=1000"), ["ppa(alpha=1)", "random"], 30),
        pick("1", ("gdl:knightthrough", "sims=1000"), ["mast", "random"], 30),
        pick("3", ("gdl:knightthrough", "sims=1000"), ["nst", "random"], 30),
    ],
};

/// The agents of Figure 1 and Table 4 that meet random playouts.
const AGENTS: [&str; 4] = ["mast", "ppa(alpha=0.32,update=payoff)", "nst", "nppa(alpha=1)"];

/// The games of Table 1, which are those of all tables.
fn games(paper: &Paper) -> Vec<(String, u64)> {
    let entries = figures::entries(paper, "1", None);
    let first =
        entries.iter().filter(|entry| entry.cells.len() == 1 && entry.player == "mast" && entry.opponent == "random");
    first.map(|entry| (entry.game.clone(), entry.games)).collect()
}

/// Figure 1: the average over all games, by budget.
fn budgets(paper: &Paper) -> Vec<Entry> {
    let games = games(paper);
    let point = |agent: &str, simulations: u64| Entry {
        game: "all games".into(),
        player: agent.to_owned(),
        opponent: "random".into(),
        cells: games
            .iter()
            .map(|(game, _)| paper.cell(game, Budget::simulations(simulations), [agent, "random"]))
            .collect(),
        games: 500,
        published: None,
        point: Some(Point {
            curve: agent.to_owned(),
            axis: "simulations per step",
            is_log: true,
            x: simulations as f64,
        }),
    };
    let budgets = [100, 250, 500, 1000, 2500, 5000, 10_000];
    budgets.into_iter().flat_map(|budget| AGENTS.map(|agent| point(agent, budget))).collect()
}

/// Table 4: the games in which the times are taken, each agent against random playouts.
fn timed(paper: &Paper) -> Vec<Entry> {
    let cells = games(paper).into_iter().flat_map(|game| AGENTS.map(|agent| (agent, game.clone())));
    let entry = |(agent, (game, games)): (&str, (String, u64))| {
        let cells = vec![paper.cell(&game, Budget::simulations(1000), [agent, "random"])];
        let (player, opponent) = (agent.to_owned(), "random".to_owned());
        Entry { game, player, opponent, cells, games, published: None, point: None }
    };
    cells.map(entry).collect()
}
