//! Tak, Winands, Björnsson: N-Grams and the Last-Good-Reply Policy Applied in General Game Playing (2012).

use super::{Paper, Preset, preset};

/// The tree and settings that all its agents share, with these policies.
macro_rules! agent {
    ($policies:literal) => {
        concat!(
            "uct(c=0.4,unvisited=policy)",
            $policies,
            "@think=every,final=score,discount=0.999,goals=difference,leaf=count"
        )
    };
}

pub(super) const PAPER: Paper = Paper {
    name: "tak2012",
    citation: "Tak, Winands, Björnsson: N-Grams and the Last-Good-Reply Policy Applied in General Game Playing (2012)",
    about: "CadiaPlayer as its public source has it: it searches at every step and during the start clock, learns from the \
                difference of two roles' goals, discounts scores by 0.999 a step, tries unvisited arms in the playout policy's \
                order of preference, and counts the simulation that adds a node at that node, too. The discount matters most: \
                without it games take longer, and in Connect5 NST wins 50.7 instead of 86.5 % against uniform playouts (137 \
                simulations a move, 200 games each; the paper has 86.5 %). The new node matters for policies that repeat \
                themselves: without it LGR with NST tries the same reply twice at every node. The clocks become numbers of \
                simulations, so that results do not depend on the machine: each game has its own, by its speed, and agents whose \
                playouts take longer make fewer. In the games played so far most of what differs comes from these numbers and from \
                replies that draws store: the variant `tak2012/time`, which models CadiaPlayer's time, fits far better.",
    presets: PRESETS,
};

const PRESETS: &[Preset] = &[
    preset("tak2012/uct", agent!(""), "CadiaPlayer with uniform playouts"),
    preset("tak2012/mast", agent!("+mast(tau=0.1)"), "MAST with Gibbs sampling, temperature 10 on the scale 0..100"),
    preset("tak2012/mastg", agent!("+mast(eps=0.4)"), "MAST, ε-greedy with the paper's best ε = 0.4"),
    preset("tak2012/nst", agent!("+nst(eps=0.2)"), "NST, ε-greedy with the paper's best ε = 0.2"),
    preset("tak2012/lgr-mastg", agent!("+lgrf(n=2)+mast(eps=0.2)"), "LGRF-2, then MAST ε-greedy"),
    preset("tak2012/lgr-nst", agent!("+lgrf(n=2)+nst(eps=0.2)"), "LGRF-2, then NST ε-greedy"),
    preset("tak2012/nst-gibbs", agent!("+nst(tau=0.1)"), "NST with Gibbs sampling"),
    preset("tak2012/lgr-mast-gibbs", agent!("+lgrf(n=2)+mast(tau=0.1)"), "LGRF-2, then MAST with Gibbs sampling"),
    preset("tak2012/lgr-nst-gibbs", agent!("+lgrf(n=2)+nst(tau=0.1)"), "LGRF-2, then NST with Gibbs sampling"),
];
