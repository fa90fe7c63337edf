//! Tak, Winands, Björnsson: N-Grams and the Last-Good-Reply Policy Applied in General Game Playing (2012).
//!
//! The paper's clocks become numbers of simulations: 30 s and 10 s at 53 to 83 simulations a second. That is its average over
//! 13 games, whose rules an interpreter of 2012 worked through; a slow game got far fewer simulations than a fast one. How many,
//! it does not tell; `speeds` takes them from an interpreter of today.

use super::{Content, Paper, Swap, TableInfo, preset, quick::pick, sheet, with_policies};
use crate::results::Counting;

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
            id: "speeds",
            title: "Tables I to XI with each game's own number of simulations",
            content: Content::Variant(
                &["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI"],
                Swap::Simulations(by_speed),
            ),
        },
    ],
    csv: include_str!("tak2012.csv"),
    agent: |name| {
        if name == "uct" {
            return preset("tak2012", "uct");
        }
        // The temperature of Gibbs sampling is 10 on the paper's scale of 100.
        let policies =
            name.replace("lgrf2", "lgrf(n=2)").replace("gibbs,tau=10", "tau=0.1").replace("gibbs", "tau=0.1");
        with_policies("tak2012", "uct", &policies)
    },
    game: sheet,
    simulations: |clock| match clock {
        LONG => Some(2500),
        SHORT => Some(830),
        _ => None,
    },
    quick: &[
        pick("XI", ("gdl:connect5", 830), ["nst(eps=0.2)", "uct"], 40),
        pick("XI", ("gdl:ttcc4-3p", 830), ["nst(eps=0.2)", "uct"], 36),
        pick("XI", ("gdl:sheepandwolf", 830), ["nst(eps=0.2)", "uct"], 30),
    ],
};

/// The clocks of the paper, which give 30 s and 10 s a move.
const LONG: &str = "start 60 s, play 30 s";
const SHORT: &str = "start 10 s, play 10 s";

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

/// Simulations a second of the paper's CadiaPlayer with MAST, on average over these games.
const AVERAGE: u64 = 83;

/// The simulations within the paper's clock, if the speeds of its games were to each other as ours are.
fn by_speed(game: &str, clock: &str) -> Option<u64> {
    let total: u64 = SPEEDS.iter().map(|(_, speed)| speed).sum();
    let (_, own) = SPEEDS.iter().find(|(name, _)| *name == game)?;
    let seconds = match clock {
        LONG => 30,
        SHORT => 10,
        _ => return None,
    };
    Some(seconds * AVERAGE * own * SPEEDS.len() as u64 / total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_search::Spec;

    #[test]
    fn slow_games_get_fewer_simulations() {
        // The thirteen speeds are 27,532 together: 30 s of Connect5 are 30 · 83 · 352 · 13 / 27,532 simulations.
        assert_eq!([LONG, SHORT, "no clock"].map(|clock| by_speed("connect5", clock)), [Some(413), Some(137), None]);
        let average = SPEEDS.iter().filter_map(|(game, _)| by_speed(game, LONG)).sum::<u64>() / 13;
        assert!(average.abs_diff(30 * AVERAGE) <= 1, "{average}");
    }

    #[test]
    fn agents_are_the_presets_where_there_is_one() {
        let spec = |name: &str| (PAPER.agent)(name).unwrap().parse::<Spec>().unwrap();
        let preset = |name: &str| format!("tak2012/{name}").parse::<Spec>().unwrap();
        for (name, same) in [
            ("uct", "uct"),
            ("mast(gibbs,tau=10)", "mast"),
            ("mast(eps=0.4)", "mastg"),
            ("nst(eps=0.2)", "nst"),
            ("lgrf2+mast(eps=0.2)", "lgr-mastg"),
            ("lgrf2+nst(eps=0.2)", "lgr-nst"),
            ("nst(gibbs)", "nst-gibbs"),
            ("lgrf2+mast(gibbs)", "lgr-mast-gibbs"),
            ("lgrf2+nst(gibbs)", "lgr-nst-gibbs"),
        ] {
            assert_eq!(spec(name), preset(same), "{name}");
        }
    }
}
