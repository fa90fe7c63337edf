//! Cazenave, Diemert: Memorizing the Playout Policy (2017).

use super::{Paper, Preset, preset};

/// The tree and settings that all its agents share, with these policies.
macro_rules! agent {
    ($policies:literal) => {
        concat!("uct(c=0.4,unvisited=first,ties=first)", $policies, "@reuse=off")
    };
}

pub(super) const PAPER: Paper = Paper {
    name: "ppafm2017",
    citation: "Cazenave, Diemert: Memorizing the Playout Policy (2017)",
    about: "The same tree and the same rules of Atari Go as ppa2015.",
    presets: PRESETS,
};

const PRESETS: &[Preset] = &[
    preset("ppafm2017/uct", agent!(""), "UCT with uniform playouts and a new tree for every move"),
    preset("ppafm2017/ppaf", agent!("+ppa(alpha=0.32,keep=0,features=on)"), "PPA with move features"),
    preset("ppafm2017/ppafm", agent!("+ppa(alpha=0.32,features=on)"), "PPAF that remembers its policy between moves"),
    preset(
        "ppafm2017/ppafm-learned",
        agent!("+ppa(alpha=0.32,features=on,initial=learned)"),
        "PPAFM that starts the game with a policy learned beforehand by 100,000 playouts from the position of its first \
         search; the paper learns for all positions with fewer than two moves, of which a game meets only this one",
    ),
];
