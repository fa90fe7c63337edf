//! Presets: one spec per agent of a paper, `PAPER/NAME`. Every deviation from a paper is stated in its file, with the reason.

use crate::spec::Spec;

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
    /// Its agents.
    pub presets: &'static [Preset],
}

/// Declares the files of the papers and lists them.
macro_rules! papers {
    ($($file:ident),*) => {
        $(mod $file;)*

        /// All papers, in the order of their years. A new one is a file with a `PAPER` and its name here.
        pub static PAPERS: &[Paper] = &[$($file::PAPER),*];
    };
}

papers![tak2012, ppa2015, ppr2016, ppafm2017, sironi2021];

/// The agents of all papers.
pub fn presets() -> impl Iterator<Item = &'static Preset> {
    PAPERS.iter().flat_map(|paper| paper.presets)
}

/// The papers that have an agent with this policy.
pub fn papers_with(policy: &str) -> impl Iterator<Item = &'static Paper> {
    let has = move |preset: &Preset| {
        let spec: Spec = preset.spec.parse().expect("the tests parse all presets");
        spec.policies().iter().any(|known| known.entry.name == policy)
    };
    PAPERS.iter().filter(move |paper| paper.presets.iter().any(has))
}

/// The player used if none is given.
pub const DEFAULT_PLAYER: &str = "amaf+lasting@discount=0.999,leaf=count,solver=on,decisive=1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_named_after_their_papers() {
        for paper in PAPERS {
            let own = |preset: &Preset| preset.name.strip_prefix(paper.name).is_some_and(|rest| rest.starts_with('/'));
            assert!(!paper.presets.is_empty() && paper.presets.iter().all(own), "{}", paper.name);
        }
    }

    #[test]
    fn a_policy_has_the_papers_whose_agents_use_it() {
        let papers = |policy| papers_with(policy).map(|paper| paper.name).collect::<Vec<_>>();
        assert_eq!(papers("lgrf"), ["tak2012", "ppr2016"]);
        assert_eq!(papers("ppa"), ["ppa2015", "ppafm2017", "sironi2021"], "nppa is another policy");
        assert!(papers("uniform").is_empty());
    }
}
