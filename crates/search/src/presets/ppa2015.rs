//! Cazenave: Playout Policy Adaptation for Games (2015).

use super::{Paper, Preset, preset};

/// The tree and settings that all its agents share, with these policies.
macro_rules! agent {
    ($policies:literal) => {
        concat!("uct(c=0.4,unvisited=first)", $policies, "@reuse=off")
    };
}

pub(super) const PAPER: Paper = Paper {
    name: "ppa2015",
    citation: "Cazenave: Playout Policy Adaptation for Games (2015)",
    about: "The strict comparison in the paper's Algorithm 4 takes unvisited arms in the order of its move generator, which \
                it does not give; ours lists cells from the bottom left. The order matters in Knightthrough. With 1,000 \
                simulations, PPA wins 42 % at size 5 in our order, 49 % in reverse order and 40 % in random order (paper: \
                42.4 %); 61, 63 and 65 % at size 8 (64.2 %); 94, 91 and 96 % at misère 5 (95.8 %); 99, 98 and 100 % at misère 8 \
                (99.8 %), in 300 to 500 games each. In most other games it hardly matters. Table 1 uses the plain rules of \
                Atari Go and Go, which three of its eight figures fit. All eight fit rules that the paper does not state: \
                suicide loses, and playouts do not fill their own eyes. Table 1-rules uses these.",
    presets: PRESETS,
};

const PRESETS: &[Preset] = &[
    preset("ppa2015/uct", agent!(""), "UCT with uniform playouts and a new tree for every move"),
    preset("ppa2015/ppa", agent!("+ppa(alpha=1,keep=0)"), "PPA with weights per role, reset for every move"),
];
