//! Tak, Winands, Björnsson: N-Grams and the Last-Good-Reply Policy Applied in General Game Playing (2012).

use super::{Paper, Preset, preset};

/// The tree and settings that all its agents share, with these policies.
macro_rules! agent {
    ($policies:literal) => {
        concat!("uct(c=0.4,unvisited=policy)", $policies, "@final=score")
    };
}

pub(super) const PAPER: Paper = Paper {
    name: "tak2012",
    citation: "Tak, Winands, Björnsson: N-Grams and the Last-Good-Reply Policy Applied in General Game Playing (2012)",
    about: "CadiaPlayer. Unvisited arms are tried in the playout policy's order of preference. The paper's clocks (30 s \
                and 10 s at 53 to 83 simulations a second) become sims=2500 and sims=830, so results do not depend on the \
                machine. These are averages over the games; slow games got fewer simulations, and that matters. In Connect5, \
                MAST with ε = 0.1, 0.4 and 0.7 wins 2, 10 and 43 % against Gibbs sampling with 2,500 simulations (50 games) \
                but 28, 52 and 61 % with 413 (100 games); the paper has 28.1, 57.9 and 72.7 %. tak2012/speeds gives each game \
                its own number.",
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
