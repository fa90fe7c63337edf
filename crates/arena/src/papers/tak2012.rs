//! Tak, Winands, Björnsson: N-Grams and the Last-Good-Reply Policy Applied in General Game Playing (2012).
//!
//! The paper's clocks become numbers of simulations: 30 s and 10 s at 53 to 83 simulations a second.

use super::{Content, Paper, TableInfo, preset, sheet, with_policies};
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
        table!("VIII", "Gibbs forms against MAST with Gibbs"),
        table!("IX", "NST without and with LGR"),
        table!("X", "all against uniform playouts, 30 s"),
        table!("XI", "all against uniform playouts, 10 s"),
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
    simulations: |budget| match budget {
        "start 60 s, play 30 s" => Some(2500),
        "start 10 s, play 10 s" => Some(830),
        _ => None,
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_search::Spec;

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
