//! Duguépéroux, Mazyad, Teytaud, Dehos: Pruning playouts in Monte-Carlo Tree Search for the game of Havannah (2016).

use super::{Paper, Preset, preset};

/// The tree and settings that all its agents share, with these policies.
macro_rules! agent {
    ($policies:literal) => {
        concat!("rave(r=130,c=0,unvisited=random)", $policies, "@tt=off,reuse=off")
    };
}

pub(super) const PAPER: Paper = Paper {
    name: "ppr2016",
    citation: "Duguépéroux, Mazyad, Teytaud, Dehos: Pruning playouts in Monte-Carlo Tree Search for the game of Havannah (2016)",
    about: "All variants use RAVE with R = 130 and K = 0, and visit every arm of a node once before descending further.",
    presets: PRESETS,
};

const PRESETS: &[Preset] = &[
    preset("ppr2016/rave", agent!(""), "RAVE with uniform playouts"),
    preset(
        "ppr2016/poolrave",
        agent!("+poolrave(n=20,p=0.5)"),
        "PoolRave; n = 20 and p = 0.5 are our choice, the paper gives none. With 1,000 playouts, PPR wins 71.5 % against it at \
         side 6 (200 games) and 73.8 % at side 10 (80 games); the paper has 70.2 and 72.2 %. With n = 10 it wins 85 and 80 % \
         (60 games), with n = 30 69.5 and 62.5 %",
    ),
    preset(
        "ppr2016/lgrf1",
        agent!("+lgrf(n=1,store=node,keep=off)"),
        "LGRF-1 with replies stored in the nodes, as the paper's text says",
    ),
    preset("ppr2016/mast", agent!("+mast(eps=0.9,keep=0)"), "MAST; ε = 0.9 is our choice, the paper gives none"),
    preset(
        "ppr2016/nast2",
        agent!("+nst(L=2,eps=0.4,keep=0)"),
        "NAST with N = 2; ε = 0.4 is our choice, the paper gives none",
    ),
    preset("ppr2016/ppr", agent!("+ppr"), "playout pruning with RAVE: T_n = 1 %, T_w = 25 %, p = 80 %"),
];
