//! Tak, Winands, Björnsson: N-Grams and the Last-Good-Reply Policy Applied in General Game Playing (2012).
//!
//! The paper's clocks become numbers of simulations. CadiaPlayer searched at every step and before the first one, in the time that
//! the clocks gave, and made 83 simulations a second with MAST, 66 with LGR and MAST, and 53 with LGR and NST, on average over
//! 13 games. A slow game got far fewer simulations than a fast one; how many, the paper does not tell, so `SPEEDS` takes the
//! proportions from an interpreter of today.

use super::{Content, Paper, Swap, TableInfo, preset, quick::pick, sheet, with_policies};
use crate::results::Counting;
use ludens_search::Budget;

macro_rules! table {
    ($id:literal, $title:literal) => {
        TableInfo { id: $id, title: $title, content: Content::Published }
    };
}

pub(super) static PAPER: Paper = Paper {
    name: "tak2012",
    counting: Counting::Roles,
    tables: &[
        table!("I", "MAST, ε-greedy against Gibbs"),
        table!("II", "NST against MAST ε-greedy"),
        table!("III", "LGR with MAST against MAST ε-greedy"),
        table!("IV", "LGR with NST against MAST ε-greedy"),
        table!("V", "NST against MAST with Gibbs"),
        table!("VI", "LGR with MAST against MAST with Gibbs"),
        table!("VII", "LGR with NST against MAST with Gibbs"),
        table!("VIII", "Gibbs variants against MAST with Gibbs"),
        table!("IX", "NST with and without LGR"),
        table!("X", "all against uniform playouts, 30 s"),
        table!("XI", "all against uniform playouts, 10 s"),
        TableInfo {
            id: "plain",
            title: "Tables I to XI without discount and start clock, searching at own moves only",
            content: Content::Variant(TABLES, Swap::Setup(plain_agent, |game, clock| budget(game, clock, false, &[]))),
        },
        TableInfo {
            id: "longer",
            title: "Tables I to XI with the simulations of each game counted without Runners and Fighter",
            content: Content::Variant(TABLES, Swap::Setup(agent, |game, clock| budget(game, clock, true, &SKETCHED))),
        },
        TableInfo {
            id: "steps",
            title: "Tables I to XI with equal steps instead of equal simulations: agents with shorter playouts make more of them",
            content: Content::Variant(TABLES, Swap::Setup(agent, step_budget)),
        },
        TableInfo {
            id: "skirmish",
            title: "Skirmish with the pieces that the paper names",
            content: Content::Variant(
                TABLES,
                Swap::Rules(|game, size| (game == "skirmish").then(|| sheet("skirmish-light", size))),
            ),
        },
    ],
    csv: include_str!("tak2012.csv"),
    agent,
    game: sheet,
    budget: |game, clock| budget(game, clock, true, &[]),
    quick: &[
        pick("XI", ("gdl:connect5", "first=275,sims=137"), ["nst(eps=0.2)", "uct"], 80),
        pick("XI", ("gdl:breakthrough", "first=271,sims=135"), ["nst(eps=0.2)", "uct"], 40),
        pick("XI", ("gdl:ttcc4-3p", "first=648,sims=324"), ["nst(eps=0.2)", "uct"], 36),
    ],
};

/// The clocks of the paper.
const LONG: &str = "start 60 s, play 30 s";
const SHORT: &str = "start 10 s, play 10 s";

/// All tables.
const TABLES: &[&str] = &["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI"];

fn agent(name: &str) -> Option<String> {
    match name {
        "uct" => preset("tak2012", "uct"),
        _ => Some(with_policies("tak2012", "uct", &policies(name))? + pace(name)),
    }
}

/// The policies of an agent of the paper. The temperature of Gibbs sampling is 10 on its scale of 100.
fn policies(name: &str) -> String {
    name.replace("lgrf2", "lgrf(n=2)").replace("gibbs,tau=10", "tau=0.1").replace("gibbs", "tau=0.1")
}

/// Simulations of an agent for each one that CadiaPlayer makes with MAST in the same time: 66/83 with LGR and MAST, 53/83 with LGR and
/// NST. So NST takes 66/53 of the time of MAST, with LGR and probably without. The paper does not tell how fast uniform playouts
/// are; they count as those with MAST.
fn pace(name: &str) -> &'static str {
    match (name.contains("lgrf2"), name.contains("nst")) {
        (true, true) => ",pace=0.64",
        (true, false) | (false, true) => ",pace=0.8",
        (false, false) => "",
    }
}

/// An agent without what only CadiaPlayer's source tells.
fn plain_agent(name: &str) -> Option<String> {
    let policies = if name == "uct" { String::new() } else { format!("+{}", policies(name)) };
    Some(format!("uct(c=0.4,unvisited=policy){policies}@final=score"))
}

/// Uniform playouts a second when the rules are worked through word by word, as `ludens bench --engine interp` measures them.
const SPEEDS: [(&str, u64); 13] = [
    ("connect5", 352),
    ("checkers", 116),
    ("breakthrough", 346),
    ("othello", 24),
    ("skirmish", 57),
    ("clobber", 3208),
    ("sheepandwolf", 1480),
    ("ttcc4-3p", 828),
    ("chinesecheckers3", 897),
    ("chinook", 437),
    ("runners", 7043),
    ("fighter", 11955),
    ("pawnwhopping", 789),
];

/// The games of which the paper tells no rules. Ours are small and fast, theirs may have been slower: then every other game had
/// a larger share of the simulations.
const SKETCHED: [&str; 2] = ["runners", "fighter"];

/// Simulations a second of the paper's CadiaPlayer with MAST, on average over these games.
const AVERAGE: u64 = 83;

/// The simulations within the paper's clock, if the speeds of its games were to each other as ours are, apart from some that were
/// as fast as the average. The start clock comes before the first move, so that the first search has the time of both.
fn budget(game: &str, clock: &str, with_start: bool, apart: &[&str]) -> Option<Budget> {
    let known = SPEEDS.iter().filter(|(name, _)| !apart.contains(name));
    let (total, count) = known.fold((0, 0), |(total, count), (_, speed)| (total + speed, count + 1));
    let (name, own) = SPEEDS.iter().find(|(name, _)| *name == game)?;
    let (own, total) = if apart.contains(name) { (1, count) } else { (*own, total) };
    let (start, play) = match clock {
        LONG => (60, 30),
        SHORT => (10, 10),
        _ => return None,
    };
    let simulations = |seconds: u64| seconds * AVERAGE * own * count / total;
    let first = with_start.then(|| simulations(start + play));
    Some(Budget { first, ..Budget::simulations(simulations(play)) })
}

/// The steps of a simulation from the initial position, on average over the first 400 of `tak2012/mast`. Uniform playouts are
/// longer: 64 steps in Breakthrough, 46 in Connect5, 29 in Chinook.
const STEPS: [(&str, f64); 13] = [
    ("connect5", 42.4),
    ("checkers", 94.4),
    ("breakthrough", 15.7),
    ("othello", 60.4),
    ("skirmish", 99.0),
    ("clobber", 12.3),
    ("sheepandwolf", 36.9),
    ("ttcc4-3p", 26.3),
    ("chinesecheckers3", 51.6),
    ("chinook", 18.2),
    ("runners", 20.9),
    ("fighter", 15.2),
    ("pawnwhopping", 8.9),
];

/// The same clock if a step takes the same time whoever makes it: as many steps as the simulations of MAST have. Agents with shorter
/// playouts then make more simulations, those with longer ones fewer.
fn step_budget(game: &str, clock: &str) -> Option<Budget> {
    let Budget { simulations, first, .. } = budget(game, clock, true, &[])?;
    let (_, steps) = STEPS.iter().find(|(name, _)| *name == game)?;
    let of = |simulations: u64| (simulations as f64 * steps).round() as u64;
    Some(Budget { first: first.map(of), ..Budget::steps(of(simulations?)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_search::Spec;

    #[test]
    fn slow_games_get_fewer_simulations() {
        // The thirteen speeds are 27,532 together: 30 s of Connect5 are 30 · 83 · 352 · 13 / 27,532 simulations.
        let text = |clock: &str| budget("connect5", clock, true, &[]).map(|budget| budget.to_string());
        let expected = [Some("first=1241,sims=413".to_owned()), Some("first=275,sims=137".to_owned()), None];
        assert_eq!([LONG, SHORT, "no clock"].map(text), expected);
        let of_game = |game: &str| budget(game, LONG, false, &[]).and_then(|budget| budget.simulations);
        let average = SPEEDS.iter().filter_map(|(game, _)| of_game(game)).sum::<u64>() / 13;
        assert!(average.abs_diff(30 * AVERAGE) <= 1, "{average}");
        // Eleven speeds are 8,534 together: 30 · 83 · 352 · 11 / 8,534. The two apart have 30 · 83.
        let longer = ["connect5", "runners"]
            .map(|game| budget(game, LONG, false, &SKETCHED).and_then(|budget| budget.simulations));
        assert_eq!(longer, [Some(1129), Some(2490)]);
    }

    #[test]
    fn equal_steps_by_hand() {
        // 413 and 1,241 simulations of 42.4 steps.
        let connect5 = step_budget("connect5", LONG).map(|budget| budget.to_string());
        assert_eq!(connect5, Some("first=52618,steps=17511".to_owned()));
        assert!(SPEEDS.iter().all(|(game, _)| step_budget(game, SHORT).is_some()), "every game has its steps");
    }

    #[test]
    fn agents_are_the_presets_where_there_is_one() {
        let spec = |name: &str| (PAPER.agent)(name).unwrap().parse::<Spec>().unwrap();
        let preset = |name: &str| format!("tak2012/{name}").parse::<Spec>().unwrap();
        for (name, same) in [
            ("uct", "uct"),
            ("mast(gibbs,tau=10)", "mast"),
            ("mast(eps=0.4)", "mastg"),
            ("nst(eps=0.2)", "nst@pace=0.8"),
            ("lgrf2+mast(eps=0.2)", "lgr-mastg@pace=0.8"),
            ("lgrf2+nst(eps=0.2)", "lgr-nst@pace=0.64"),
            ("nst(gibbs)", "nst-gibbs@pace=0.8"),
            ("lgrf2+mast(gibbs)", "lgr-mast-gibbs@pace=0.8"),
            ("lgrf2+nst(gibbs)", "lgr-nst-gibbs@pace=0.64"),
        ] {
            assert_eq!(spec(name), preset(same), "{name}");
        }
        assert_eq!(plain_agent("nst(eps=0.2)").unwrap(), "uct(c=0.4,unvisited=policy)+nst(eps=0.2)@final=score");
    }
}
