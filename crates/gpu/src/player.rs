//! [`PlayerCode`]: a spec as the kernels read it, or the reason why they cannot play it.

use ludens_search::{Args, Budget, Final, Goals, Settings, Spec};

/// A player, word by word as `Player` in `state.h`.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerCode {
    numbers: [f64; 10],
    /// Simulations of a search and of the first one of a game, their steps, and how many simulations are expected.
    limits: [u64; 5],
    words: [u32; 22],
    pub(crate) discount: f64,
    pub(crate) features: Features,
}

/// What the kernels have to be compiled with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Features {
    pub(crate) depth: u32,
    pub(crate) means: bool,
    pub(crate) weights: bool,
    pub(crate) grams: bool,
    pub(crate) replies: bool,
    pub(crate) sharpens: bool,
    /// Means are sampled by a Gibbs distribution.
    pub(crate) samples_means: bool,
    /// All arms of a node are visited before any is preferred.
    pub(crate) visits_all: bool,
    /// Scores count less the farther the end is.
    pub(crate) discounts: bool,
    /// The difference of two roles' scores is learned from.
    pub(crate) differences: bool,
    /// The simulation that adds a node counts there.
    pub(crate) leaves: bool,
}

impl Features {
    /// What both need.
    pub(crate) fn and(self, other: Features) -> Features {
        Features {
            depth: self.depth.max(other.depth),
            means: self.means | other.means,
            weights: self.weights | other.weights,
            grams: self.grams | other.grams,
            replies: self.replies | other.replies,
            sharpens: self.sharpens | other.sharpens,
            samples_means: self.samples_means | other.samples_means,
            visits_all: self.visits_all | other.visits_all,
            discounts: self.discounts | other.discounts,
            differences: self.differences | other.differences,
            leaves: self.leaves | other.leaves,
        }
    }
}

/// Settings that the kernels know.
const SETTINGS: [&str; 9] = ["tt", "reuse", "think", "final", "depth", "discount", "goals", "leaf", "pace"];

/// Deeper simulations would take too much memory for their trails.
const MAX_DEPTH: u32 = 4096;

/// Nodes for which a tree has room at first, at least.
const FIRST_NODES: u64 = 64;

/// Sequences for which a table has room at first.
const FIRST_GRAMS: u32 = 1 << 12;

/// Main policies, numbered as in `state.h`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Main {
    Uniform,
    Mast,
    Nst,
    Ppa,
    Nppa,
}

impl PlayerCode {
    /// Bytes of the kernels' `Player`.
    pub(crate) const SIZE: usize = 10 * 8 + 5 * 8 + 22 * 4;

    /// Reads a spec with its budget.
    ///
    /// # Errors
    /// What of it a GPU cannot play.
    pub fn new(spec: &Spec, budget: &Budget) -> Result<PlayerCode, String> {
        let settings = spec.settings();
        refuse_others("the setting", spec.setting_args(), &SETTINGS)?;
        refuse_settings(&settings, budget)?;
        let [later, first] = [false, true].map(|is_first| budget.of_search(is_first, settings.pace));
        let (Some(about_later), Some(about_first)) = (later.about_simulations(), first.about_simulations()) else {
            return Err("a GPU needs a number of simulations or steps as the budget".into());
        };
        let or_none = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
        let (select, select_args) = spec.select();
        if select.name != "uct" {
            return Err(format!("the selection rule {} does not run on a GPU, only uct", select.name));
        }
        refuse_others("uct with its parameter", select_args, &["c", "fpu", "band", "unvisited"])?;
        let policies = Policies::read(spec)?;
        let (main, args) = (policies.main, policies.args);
        let number = |name: &str, otherwise: f64| args.map_or(otherwise, |args| args.number(name));
        let is_learner = matches!(main, Main::Ppa | Main::Nppa);
        let is_mean = matches!(main, Main::Mast | Main::Nst);
        let has_grams = matches!(main, Main::Nst | Main::Nppa);
        let of = |applies: bool, name: &str, otherwise: f64| if applies { number(name, otherwise) } else { otherwise };
        let k = of(is_learner, "k", 1.0);
        if main == Main::Nppa && k != 1.0 {
            return Err("nppa with a k other than 1 does not run on a GPU".into());
        }
        let unvisited = ["random", "first", "last", "policy"];
        let unvisited = unvisited.iter().position(|&word| word == select_args.word("unvisited")).unwrap_or(0) as u32;
        let gram = |name: &str, otherwise: u64| args.filter(|_| has_grams).map_or(otherwise, |args| args.whole(name));
        let first_nodes =
            about_later.max(about_first).saturating_mul(2).clamp(FIRST_NODES, 1 << 40).next_power_of_two();
        let grams = if has_grams { args } else { None };
        Ok(PlayerCode {
            numbers: [
                select_args.number("c"),
                select_args.number("fpu"),
                select_args.number("band"),
                of(is_mean, "eps", 0.0),
                of(is_mean, "tau", 0.0),
                of(is_mean || is_learner, "keep", 1.0),
                of(is_mean, "fpu", 1.0),
                of(is_learner, "alpha", 0.0),
                k,
                of(is_learner, "scale", 1.0),
            ],
            limits: [
                or_none(later.simulations),
                or_none(first.simulations),
                or_none(later.steps),
                or_none(first.steps),
                about_later,
            ],
            words: [
                u32::from(spec.searches()),
                main as u32,
                policies.replies,
                u32::from(policies.keeps_replies),
                unvisited,
                u32::from(settings.final_by == Final::Score),
                u32::from(settings.think_every),
                u32::from(settings.transpositions),
                u32::from(settings.reuse),
                settings.depth,
                u32::from(args.is_some_and(|args| is_learner && args.word("update") == "payoff")),
                gram("L", 1) as u32,
                gram("V", 1) as u32,
                u32::from(grams.is_some_and(|args| args.word("order") == "acted")),
                u32::try_from(first_nodes).map_err(|_| "a GPU cannot hold the tree of so many simulations")?,
                FIRST_GRAMS,
                u32::from(budget.first.is_some()),
                u32::from(settings.goals == Goals::Difference),
                u32::from(settings.discount < 1.0),
                u32::from(settings.counts_leaf),
                u32::from(policies.stores_draws),
                0,
            ],
            discount: settings.discount,
            features: Features {
                depth: settings.depth,
                means: is_mean,
                weights: is_learner,
                grams: has_grams,
                replies: policies.replies > 0,
                sharpens: k != 1.0,
                samples_means: of(is_mean, "tau", 0.0) > 0.0,
                visits_all: select_args.number("fpu").is_infinite(),
                discounts: settings.discount < 1.0,
                differences: settings.goals == Goals::Difference,
                leaves: settings.counts_leaf,
            },
        })
    }

    /// The bytes of the kernels' `Player`.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let numbers = self.numbers.iter().flat_map(|number| number.to_ne_bytes());
        let words = self.words.iter().flat_map(|word| word.to_ne_bytes());
        let limits = self.limits.iter().flat_map(|limit| limit.to_ne_bytes());
        numbers.chain(limits).chain(words).collect()
    }

    /// The simulations of its longest search, at most: each makes a step.
    pub(crate) fn most_simulations(&self) -> u64 {
        let [later, first, later_steps, first_steps, _] = self.limits;
        later.min(later_steps).max(first.min(first_steps))
    }
}

/// Refuses everything but `known`: whatever the search crate learns, the kernels do not know until they are told.
fn refuse_others(what: &str, args: &Args, known: &[&str]) -> Result<(), String> {
    match args.changed().find(|name| !known.contains(name)) {
        Some(name) => Err(format!("{what} {name} does not run on a GPU")),
        None => Ok(()),
    }
}

fn refuse_settings(settings: &Settings, budget: &Budget) -> Result<(), String> {
    if budget.time.is_some() || budget.nodes.is_some() {
        return Err(format!("a GPU plays budgets of simulations or steps only, not {budget}"));
    }
    let refused = [
        (settings.reuse && !settings.transpositions, "reuse=on with tt=off"),
        (settings.depth > MAX_DEPTH, "a depth above 4096"),
    ];
    match refused.iter().find(|(applies, _)| *applies) {
        Some((_, what)) => Err(format!("the setting {what} does not run on a GPU")),
        None => Ok(()),
    }
}

/// The policies of a spec: replies perhaps, then a main one.
struct Policies<'s> {
    main: Main,
    args: Option<&'s Args>,
    replies: u32,
    keeps_replies: bool,
    stores_draws: bool,
}

impl Policies<'_> {
    fn read(spec: &Spec) -> Result<Policies<'_>, String> {
        let mut found =
            Policies { main: Main::Uniform, args: None, replies: 0, keeps_replies: true, stores_draws: true };
        for (entry, args) in spec.entries() {
            let (main, known): (Main, &[&str]) = match entry.name {
                "uniform" => (Main::Uniform, &[]),
                "mast" => (Main::Mast, &["eps", "tau", "keep", "fpu"]),
                "nst" => (Main::Nst, &["eps", "tau", "keep", "fpu", "L", "V", "order"]),
                "ppa" => (Main::Ppa, &["alpha", "k", "update", "scale", "keep"]),
                "nppa" => (Main::Nppa, &["alpha", "k", "update", "scale", "keep", "L", "V", "order"]),
                "lgrf" if found.replies == 0 && args.word("store") == "global" => {
                    refuse_others("lgrf with its parameter", args, &["n", "store", "keep", "draws"])?;
                    found.replies = args.whole("n") as u32;
                    found.keeps_replies = args.on("keep");
                    found.stores_draws = args.word("draws") == "store";
                    continue;
                }
                "lgrf" if found.replies > 0 => return Err("two tables of replies do not run on a GPU".into()),
                "lgrf" => return Err("lgrf with store=node does not run on a GPU".into()),
                other => return Err(format!("the policy {other} does not run on a GPU")),
            };
            refuse_others(&format!("{} with its parameter", entry.name), args, known)?;
            (found.main, found.args) = (main, Some(args));
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(spec: &str) -> Result<PlayerCode, String> {
        PlayerCode::new(&spec.parse().expect("a spec"), &Budget::simulations(100))
    }

    #[test]
    fn budgets_that_no_card_holds_are_refused() {
        let spec = "uct".parse().expect("a spec");
        for budget in ["sims=18446744073709551615", "steps=18446744073709551615", "sims=3000000000"] {
            let refused = PlayerCode::new(&spec, &budget.parse().expect("a budget")).expect_err(budget);
            assert!(refused.contains("cannot hold the tree"), "{budget}: {refused}");
        }
        assert!(PlayerCode::new(&spec, &"first=9000,steps=3000".parse().expect("a budget")).is_ok());
    }

    #[test]
    fn all_agents_of_papers_can_be_played() {
        for paper in ["sironi2021/", "tak2012/"] {
            let presets = ludens_search::presets().filter(|preset| preset.name.starts_with(paper));
            let codes: Vec<_> = presets.map(|preset| code(preset.name)).collect();
            assert!(codes.len() > 5 && codes.iter().all(Result::is_ok), "{paper}");
        }
    }

    #[test]
    fn what_cannot_be_played_is_named() {
        for (spec, reason) in [
            ("rave", "the selection rule rave"),
            ("uct+ppr", "the policy ppr"),
            ("uct+mast@solver=on", "the setting solver"),
            ("uct@threads=2", "the setting threads"),
            ("uct@mem=1MiB", "the setting mem"),
            ("uct+ppa(features=on)", "ppa with its parameter features"),
            ("uct+ppa(initial=learned)", "ppa with its parameter initial"),
            ("uct+auto", "the policy auto"),
            ("uct+lgrf(store=node)+mast", "store=node"),
            ("uct@tt=off", "reuse=on with tt=off"),
            ("uct+nppa(k=2)", "a k other than 1"),
        ] {
            let error = code(spec).expect_err(spec);
            assert!(error.contains(reason), "{spec}: {error}");
        }
        let budget = "ms=100".parse().expect("a budget");
        assert!(PlayerCode::new(&"uct".parse().expect("a spec"), &budget).is_err());
    }

    #[test]
    fn a_player_has_the_size_that_the_kernels_expect() {
        assert_eq!(code("uct+mast").expect("it can be played").bytes().len(), PlayerCode::SIZE);
    }
}
