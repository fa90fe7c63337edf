//! Tak, Winands, Björnsson: N-Grams and the Last-Good-Reply Policy Applied in General Game Playing (2012).
//!
//! The paper's clocks become numbers of simulations. CadiaPlayer searched at every step and before the first one, in the time that
//! the clocks gave, and made 83 simulations a second with MAST, 66 with LGR and MAST, and 53 with LGR and NST, on average over
//! 13 games. A slow game got far fewer simulations than a fast one; how many, the paper does not tell, so [`GAMES`] takes the
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
            content: Content::Variant(
                TABLES,
                Swap::Setup(|_, name| plain_agent(name), |game, clock| budget(game, clock, false)),
            ),
        },
        TableInfo {
            id: "time",
            title: "Tables I to XI with equal time: a step costs the time of the rules and of the tables that learn; draws store no replies",
            content: Content::Variant(TABLES, Swap::Setup(timed_agent, time_budget)),
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
    budget: |game, clock| budget(game, clock, true),
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

/// What our measurements say about the speed of a game.
struct Speed {
    game: &'static str,
    /// Uniform playouts a second when the rules are worked through word by word, as `ludens bench --engine interp` measures them.
    playouts: u64,
    /// The steps of a simulation from the initial position, on average over the first 400: with uniform playouts, MAST, LGR with MAST,
    /// and LGR with NST.
    steps: [f64; 4],
}

const fn speed(game: &'static str, playouts: u64, steps: [f64; 4]) -> Speed {
    Speed { game, playouts, steps }
}

static GAMES: [Speed; 13] = [
    speed("connect5", 352, [45.9, 42.4, 33.4, 33.9]),
    speed("checkers", 116, [99.9, 94.4, 95.8, 95.9]),
    speed("breakthrough", 346, [64.0, 15.7, 18.5, 18.4]),
    speed("othello", 24, [60.4, 60.4, 60.3, 60.4]),
    speed("skirmish", 57, [99.0, 99.0, 99.0, 99.0]),
    speed("clobber", 3208, [12.4, 12.3, 12.4, 12.4]),
    speed("sheepandwolf", 1480, [41.6, 36.9, 30.4, 31.0]),
    speed("ttcc4-3p", 828, [28.3, 26.3, 30.0, 30.0]),
    speed("chinesecheckers3", 897, [53.9, 51.6, 57.5, 56.8]),
    speed("chinook", 437, [29.3, 18.2, 20.8, 20.2]),
    speed("runners", 7043, [28.0, 20.9, 19.3, 22.5]),
    speed("fighter", 11955, [20.4, 15.2, 15.1, 15.4]),
    speed("pawnwhopping", 789, [17.4, 8.9, 11.0, 10.7]),
];

fn speed_of(game: &str) -> Option<&'static Speed> {
    GAMES.iter().find(|speed| speed.game == game)
}

/// Simulations a second of the paper's CadiaPlayer with MAST, on average over these games.
const AVERAGE: u64 = 83;

/// The seconds before the first move and for each one.
fn seconds(clock: &str) -> Option<(u64, u64)> {
    match clock {
        LONG => Some((60, 30)),
        SHORT => Some((10, 10)),
        _ => None,
    }
}

/// The simulations within the paper's clock, if the speeds of its games were to each other as ours are. The start clock comes before
/// the first move, so that the first search has the time of both.
fn budget(game: &str, clock: &str, with_start: bool) -> Option<Budget> {
    let total: u64 = GAMES.iter().map(|speed| speed.playouts).sum();
    let own = speed_of(game)?.playouts;
    let (start, play) = seconds(clock)?;
    let simulations = |seconds: u64| seconds * AVERAGE * own * GAMES.len() as u64 / total;
    let first = with_start.then(|| simulations(start + play));
    Some(Budget { first, ..Budget::simulations(simulations(play)) })
}

/// A model of CadiaPlayer's time: a step of a simulation takes the time of the rules, which each game has its own of, and the time of
/// the tables that learn, which is the same in all games. Where rules are slow, learning costs next to nothing, and shorter
/// playouts are more simulations. The figures below make the averages those of the paper: 83 simulations a second with MAST, 66 with
/// LGR and MAST, 53 with LGR and NST. Uniform playouts and MAST are taken to need no time but that of the rules.
///
/// The paper tells no rules of Runners and Fighter. Ours are small and fast, and would be most of every average, so they stay out of
/// it and are taken to be as fast as an average game.
const SKETCHED: [&str; 2] = ["runners", "fighter"];

/// How often the time of our interpreter is CadiaPlayer's.
const RULES: f64 = 12.017;

/// Seconds a step of LGR with MAST, and of LGR with NST. What NST takes alone is the difference.
const LGR_MAST: f64 = 76.96e-6;
const LGR_NST: f64 = 194.5e-6;

/// Connect5 alone is fitted to the figures: Table I, which depends on the number of simulations more than any other, asks for rules
/// that take CadiaPlayer this much longer. The averages above are taken without it, which changes them by one in a hundred.
const FITTED: (&str, f64) = ("connect5", 1.65);

/// The seconds that a step of a game takes CadiaPlayer without tables, by the speed of our interpreter.
fn interpreted_time(speed: &Speed) -> f64 {
    let [uniform, mast, ..] = speed.steps;
    if SKETCHED.contains(&speed.game) {
        return 1.0 / (AVERAGE as f64 * mast);
    }
    RULES / (speed.playouts as f64 * uniform)
}

/// The same as the tables are played.
fn rules_time(speed: &Speed) -> f64 {
    let (game, factor) = FITTED;
    interpreted_time(speed) * if speed.game == game { factor } else { 1.0 }
}

/// The seconds that the tables of an agent take in a step.
fn tables_time(name: &str) -> f64 {
    match (name.contains("lgrf2"), name.contains("nst")) {
        (true, true) => LGR_NST,
        (true, false) => LGR_MAST,
        (false, true) => LGR_NST - LGR_MAST,
        (false, false) => 0.0,
    }
}

/// An agent that makes as many steps as its tables leave time for, of those that the rules alone would allow. By the paper, whoever
/// scores as much as the best stores replies, also after a draw; then LGR with MAST wins half of its games of Chinook, where the paper has
/// 84 %, because both sides repeat replies that lead nowhere. So draws store nothing here.
fn timed_agent(game: &str, name: &str) -> Option<String> {
    if name == "uct" {
        return preset("tak2012", "uct");
    }
    let rules = rules_time(speed_of(game)?);
    let share = rules / (rules + tables_time(name));
    let pace = if share < 1.0 { format!(",pace={share:.2}") } else { String::new() };
    let policies = policies(name).replace("lgrf(n=2)", "lgrf(n=2,draws=leave)");
    Some(with_policies("tak2012", "uct", &policies)? + &pace)
}

/// The steps within the paper's clock, without tables.
fn time_budget(game: &str, clock: &str) -> Option<Budget> {
    let rules = rules_time(speed_of(game)?);
    let (start, play) = seconds(clock)?;
    let steps = |seconds: u64| (seconds as f64 / rules).round() as u64;
    Some(Budget { first: Some(steps(start + play)), ..Budget::steps(steps(play)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_search::Spec;

    #[test]
    fn slow_games_get_fewer_simulations() {
        // The thirteen speeds are 27,532 together: 30 s of Connect5 are 30 · 83 · 352 · 13 / 27,532 simulations.
        let text = |clock: &str| budget("connect5", clock, true).map(|budget| budget.to_string());
        let expected = [Some("first=1241,sims=413".to_owned()), Some("first=275,sims=137".to_owned()), None];
        assert_eq!([LONG, SHORT, "no clock"].map(text), expected);
        let of_game = |speed: &Speed| budget(speed.game, LONG, false).and_then(|budget| budget.simulations);
        let average = GAMES.iter().filter_map(of_game).sum::<u64>() / 13;
        assert!(average.abs_diff(30 * AVERAGE) <= 1, "{average}");
    }

    #[test]
    fn the_model_of_time_has_the_averages_of_the_paper() {
        let agents = ["mast(gibbs,tau=10)", "lgrf2+mast(eps=0.2)", "lgrf2+nst(eps=0.2)"];
        for ((place, agent), expected) in agents.iter().enumerate().zip([83.0, 66.0, 53.0]) {
            let known = GAMES.iter().filter(|speed| !SKETCHED.contains(&speed.game));
            let each =
                known.map(|speed| 1.0 / (speed.steps[place + 1] * (interpreted_time(speed) + tables_time(agent))));
            let average = each.sum::<f64>() / 11.0;
            assert!((average - expected).abs() < 0.05, "{agent}: {average}");
        }
    }

    #[test]
    fn equal_time_by_hand() {
        // A step of Chinook takes 12.017 / (437 · 29.3) = 938.5 µs: 31,965 of them in 30 s. With LGR and NST it takes 194.5 µs more:
        // 938.5 / 1,133.0 of the steps.
        let text = |game: &str, clock: &str| time_budget(game, clock).map(|budget| budget.to_string()).unwrap();
        assert_eq!(text("chinook", LONG), "first=95895,steps=31965");
        let agent = |game: &str, name: &str| timed_agent(game, name).unwrap().parse::<Spec>().unwrap();
        let lgr_nst = agent("chinook", "lgrf2+nst(eps=0.2)").to_string();
        let nst = agent("chinook", "nst(eps=0.2)").to_string();
        assert_eq!(lgr_nst, nst.replace("nst", "lgrf(draws=leave)+nst").replace("pace=0.89", "pace=0.83"));
        assert_eq!(agent("chinook", "mast(gibbs,tau=10)"), "tak2012/mast".parse().unwrap());
        // Connect5: 12.017 · 1.65 / (352 · 45.9) = 1,227.2 µs.
        assert_eq!(text("connect5", LONG), "first=73336,steps=24445");
        // Fighter: 83 simulations of 15.2 steps a second.
        assert_eq!(text("fighter", SHORT), "first=25232,steps=12616");
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
