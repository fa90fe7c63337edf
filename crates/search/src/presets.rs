//! Presets: one spec per agent of a paper, `PAPER/NAME`. Every deviation from a paper is stated here, with the reason.

/// An agent of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// `PAPER/NAME`.
    pub name: &'static str,
    /// The spec.
    pub spec: &'static str,
    /// The agent, and where it differs from the paper.
    pub about: &'static str,
}

const fn preset(name: &'static str, spec: &'static str, about: &'static str) -> Preset {
    Preset { name, spec, about }
}

/// A paper whose agents are presets.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// The part of its presets' names before the slash.
    pub name: &'static str,
    /// Authors, title, year.
    pub citation: &'static str,
    /// What all its presets have in common, and where that differs from the paper.
    pub about: &'static str,
}

/// All papers.
pub static PAPERS: &[Paper] = &[
    Paper {
        name: "tak2012",
        citation: "Tak, Winands, Björnsson: N-Grams and the Last-Good-Reply Policy Applied in General Game Playing (2012)",
        about: "CadiaPlayer. Unvisited arms are tried in the playout policy's order of preference. The paper's clocks (30 s \
                and 10 s at 53 to 83 simulations a second) become sims=2500 and sims=830, so results do not depend on the \
                machine. These are averages over the games; slow games got fewer simulations, and that matters. In Connect5, \
                MAST with ε = 0.1, 0.4 and 0.7 wins 2, 10 and 43 % against Gibbs sampling with 2,500 simulations (50 games) \
                but 28, 52 and 61 % with 413 (100 games); the paper has 28.1, 57.9 and 72.7 %. tak2012/speeds gives each game \
                its own number.",
    },
    Paper {
        name: "ppa2015",
        citation: "Cazenave: Playout Policy Adaptation for Games (2015)",
        about: "The strict comparison in the paper's Algorithm 4 takes unvisited arms in the order of its move generator, which \
                it does not give; ours lists cells from the bottom left. The order matters in Knightthrough. With 1,000 \
                simulations, PPA wins 42 % at size 5 in our order, 49 % in reverse order and 40 % in random order (paper: \
                42.4 %); 61, 63 and 65 % at size 8 (64.2 %); 94, 91 and 96 % at misère 5 (95.8 %); 99, 98 and 100 % at misère 8 \
                (99.8 %), in 300 to 500 games each. In most other games it hardly matters. Table 1 uses the plain rules of \
                Atari Go and Go, which three of its eight figures fit. All eight fit rules that the paper does not state: \
                suicide loses, and playouts do not fill their own eyes. Table 1-rules uses these.",
    },
    Paper {
        name: "ppafm2017",
        citation: "Cazenave, Diemert: Memorizing the Playout Policy (2017)",
        about: "The same tree as ppa2015.",
    },
    Paper {
        name: "ppr2016",
        citation: "Duguépéroux, Mazyad, Teytaud, Dehos: Pruning playouts in Monte-Carlo Tree Search for the game of Havannah (2016)",
        about: "All variants use RAVE with R = 130 and K = 0, and visit every arm of a node once before descending further.",
    },
    Paper {
        name: "sironi2021",
        citation: "Sironi, Cazenave, Winands: Enhancing Playout Policy Adaptation for General Game Playing (2021)",
        about: "As in the authors' program: no expansion phase (an unvisited arm has the value 1), a random choice among arms \
                within 0.01 of the best, and a full search at every step, even if only a noop is legal.",
    },
];

macro_rules! tak2012 {
    ($policies:literal) => {
        concat!("uct(c=0.4,unvisited=policy)", $policies, "@final=score")
    };
}

macro_rules! ppa2015 {
    ($policies:literal) => {
        concat!("uct(c=0.4,unvisited=first)", $policies, "@reuse=off")
    };
}

macro_rules! ppr2016 {
    ($policies:literal) => {
        concat!("rave(r=130,c=0,unvisited=random)", $policies, "@tt=off,reuse=off")
    };
}

macro_rules! sironi2021 {
    ($policies:literal) => {
        concat!("uct(c=0.7,fpu=1,band=0.01)", $policies, "@think=every,final=score,depth=500")
    };
}

/// The player used if none is given.
pub const DEFAULT_PLAYER: &str = "uct+mast@solver=on,batch=auto";

/// All presets.
pub static PRESETS: &[Preset] = &[
    preset("tak2012/uct", tak2012!(""), "CadiaPlayer with uniform playouts"),
    preset("tak2012/mast", tak2012!("+mast(tau=0.1)"), "MAST with Gibbs sampling, temperature 10 on the scale 0..100"),
    preset("tak2012/mastg", tak2012!("+mast(eps=0.4)"), "MAST, ε-greedy with the paper's best ε = 0.4"),
    preset("tak2012/nst", tak2012!("+nst(eps=0.2)"), "NST, ε-greedy with the paper's best ε = 0.2"),
    preset("tak2012/lgr-mastg", tak2012!("+lgrf(n=2)+mast(eps=0.2)"), "LGRF-2, then MAST ε-greedy"),
    preset("tak2012/lgr-nst", tak2012!("+lgrf(n=2)+nst(eps=0.2)"), "LGRF-2, then NST ε-greedy"),
    preset("tak2012/nst-gibbs", tak2012!("+nst(tau=0.1)"), "NST with Gibbs sampling"),
    preset("tak2012/lgr-mast-gibbs", tak2012!("+lgrf(n=2)+mast(tau=0.1)"), "LGRF-2, then MAST with Gibbs sampling"),
    preset("tak2012/lgr-nst-gibbs", tak2012!("+lgrf(n=2)+nst(tau=0.1)"), "LGRF-2, then NST with Gibbs sampling"),
    preset("ppa2015/uct", ppa2015!(""), "UCT with uniform playouts and a new tree for every move"),
    preset("ppa2015/ppa", ppa2015!("+ppa(alpha=1,keep=0)"), "PPA with weights per role, reset for every move"),
    preset("ppafm2017/uct", ppa2015!(""), "UCT with uniform playouts and a new tree for every move"),
    preset("ppafm2017/ppaf", ppa2015!("+ppa(alpha=0.32,keep=0,features=on)"), "PPA with move features"),
    preset("ppafm2017/ppafm", ppa2015!("+ppa(alpha=0.32,features=on)"), "PPAF that remembers its policy between moves"),
    preset(
        "ppafm2017/ppafm-learned",
        ppa2015!("+ppa(alpha=0.32,features=on,initial=learned)"),
        "PPAFM that starts the game with a policy learned beforehand by 100,000 playouts from the position of its first \
         search; the paper learns for all positions with fewer than two moves, of which a game meets only this one",
    ),
    preset("ppr2016/rave", ppr2016!(""), "RAVE with uniform playouts"),
    preset(
        "ppr2016/poolrave",
        ppr2016!("+poolrave(n=20,p=0.5)"),
        "PoolRave; n = 20 and p = 0.5 are our choice, the paper gives none. With 1,000 playouts, PPR wins 71.5 % against it at \
         side 6 (200 games) and 73.8 % at side 10 (80 games); the paper has 70.2 and 72.2 %. With n = 10 it wins 85 and 80 % \
         (60 games), with n = 30 69.5 and 62.5 %",
    ),
    preset(
        "ppr2016/lgrf1",
        ppr2016!("+lgrf(n=1,store=node,keep=off)"),
        "LGRF-1 with replies stored in the nodes, as the paper's text says",
    ),
    preset("ppr2016/mast", ppr2016!("+mast(eps=0.9,keep=0)"), "MAST; ε = 0.9 is our choice, the paper gives none"),
    preset(
        "ppr2016/nast2",
        ppr2016!("+nst(L=2,eps=0.4,keep=0)"),
        "NAST with N = 2; ε = 0.4 is our choice, the paper gives none",
    ),
    preset("ppr2016/ppr", ppr2016!("+ppr"), "playout pruning with RAVE: T_n = 1 %, T_w = 25 %, p = 80 %"),
    preset("sironi2021/random", sironi2021!(""), "uniform playouts"),
    preset("sironi2021/mast", sironi2021!("+mast(eps=0.4,keep=0.2)"), "MAST"),
    preset(
        "sironi2021/nst",
        sironi2021!("+nst(eps=0.4,keep=0.2)"),
        "NST; predecessors by role index, as in the authors' program; the text re-orders them (order=acted)",
    ),
    preset("sironi2021/ppa1", sironi2021!("+ppa(alpha=1)"), "PPA_1: the winner learns"),
    preset("sironi2021/ppa032", sironi2021!("+ppa(alpha=0.32)"), "PPA_0.32: the winner learns, more slowly"),
    preset(
        "sironi2021/ppap032",
        sironi2021!("+ppa(alpha=0.32,update=payoff)"),
        "PPA_P0.32: every role learns by its score",
    ),
    preset("sironi2021/nppa1", sironi2021!("+nppa(alpha=1)"), "NPPA_1: the winner learns n-grams"),
    preset(
        "sironi2021/nppap032",
        sironi2021!("+nppa(alpha=0.32,update=payoff,scale=0.01)"),
        "NPPA_P0.32 as it was most likely run: scores divided by 100 once too often",
    ),
    preset(
        "sironi2021/nppap032-corrected",
        sironi2021!("+nppa(alpha=0.32,update=payoff)"),
        "NPPA_P0.32 as the paper describes it",
    ),
];
