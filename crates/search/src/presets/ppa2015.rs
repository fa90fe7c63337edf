//! Cazenave: Playout Policy Adaptation for Games (2015).

use super::{Paper, Preset, preset};

/// The tree and settings that all its agents share, with these policies.
macro_rules! agent {
    ($policies:literal) => {
        concat!("uct(c=0.4,unvisited=first,ties=first)", $policies, "@reuse=off")
    };
}

pub(super) const PAPER: Paper = Paper {
    name: "ppa2015",
    citation: "Cazenave: Playout Policy Adaptation for Games (2015)",
    about: "The strict comparison in the paper's Algorithm 4 takes the first of equal arms, visited or not, in the order of its move \
                generator, which it does not give; ours lists cells from the bottom left. With 1,000 simulations PPA so wins \
                65.0 % at Knightthrough of size 8, and 57.5 % if ties among visited arms are broken at random (paper: 64.2 %); \
                40.0 and 45.5 % at size 5 (42.4 %), in 200 games each. The paper does not state all rules of Atari Go and Go. Table 1 \
                has those that come nearest: in Atari Go suicide loses and playouts may fill their own eyes, in Go they keep them. \
                With 10,000 simulations PPA wins 85.0 % at Atari Go of size 5 and 96.7 % at size 8 if only suicide loses (60 games \
                each; paper: 90.6 and 94.4 %), 83.0 and 86.0 % if playouts also keep their eyes (100 games each), 66.7 and 71.7 % \
                if they only do that, 63.3 and 70.0 % with neither (60 games each). With 1,000 at size 5 the same four are 69.5, \
                69.5, 59.5 and 58.0 % (81.2 %, 200 games each), so a gap remains there. At Go of size 8 it wins 28 % with eyes (100 \
                games) and 8.2 % without (500 games; paper: 23.0 %), both with random ties.",
    presets: PRESETS,
};

const PRESETS: &[Preset] = &[
    preset("ppa2015/uct", agent!(""), "UCT with uniform playouts and a new tree for every move"),
    preset("ppa2015/ppa", agent!("+ppa(alpha=1,keep=0)"), "PPA with weights per role, reset for every move"),
];
