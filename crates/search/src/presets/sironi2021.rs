//! Sironi, Cazenave, Winands: Enhancing Playout Policy Adaptation for General Game Playing (2021).

use super::{Paper, Preset, preset};

/// The tree and settings that all its agents share, with these policies.
macro_rules! agent {
    ($policies:literal) => {
        concat!("uct(c=0.7,fpu=1,band=0.01)", $policies, "@think=every,final=score,depth=500")
    };
}

pub(super) const PAPER: Paper = Paper {
    name: "sironi2021",
    citation: "Sironi, Cazenave, Winands: Enhancing Playout Policy Adaptation for General Game Playing (2021)",
    about: "As in the authors' program: no expansion phase (an unvisited arm has the value 1), a random choice among arms \
                within 0.01 of the best, and a full search at every step, even if only a noop is legal.",
    presets: PRESETS,
};

const PRESETS: &[Preset] = &[
    preset("sironi2021/random", agent!(""), "uniform playouts"),
    preset("sironi2021/mast", agent!("+mast(eps=0.4,keep=0.2)"), "MAST"),
    preset(
        "sironi2021/nst",
        agent!("+nst(eps=0.4,keep=0.2)"),
        "NST; predecessors by role index, as in the authors' program; the text re-orders them (order=acted)",
    ),
    preset("sironi2021/ppa1", agent!("+ppa(alpha=1)"), "PPA_1: the winner learns"),
    preset("sironi2021/ppa032", agent!("+ppa(alpha=0.32)"), "PPA_0.32: the winner learns, more slowly"),
    preset("sironi2021/ppap032", agent!("+ppa(alpha=0.32,update=payoff)"), "PPA_P0.32: every role learns by its score"),
    preset("sironi2021/nppa1", agent!("+nppa(alpha=1)"), "NPPA_1: the winner learns n-grams"),
    preset(
        "sironi2021/nppap032",
        agent!("+nppa(alpha=0.32,update=payoff,scale=0.01)"),
        "NPPA_P0.32 as it was most likely run: scores divided by 100 once too often",
    ),
    preset(
        "sironi2021/nppap032-corrected",
        agent!("+nppa(alpha=0.32,update=payoff)"),
        "NPPA_P0.32 as the paper describes it",
    ),
];
