//! Specs, the strings that describe players: `SELECT(params)+POLICY(params)[+POLICY …][@key=value,…]`, a preset with settings, or
//! `random`.

use crate::{
    params::{Args, changed, names, written},
    policy_spec::{PolicySpec, name_and_params, of, split},
    presets::presets,
    registry::{Memory, PolicyEntry, SelectEntry, policies},
    select::SELECTS,
    settings::{SETTINGS, Settings},
};
use std::{fmt, str::FromStr};

/// The player that does not search. It draws one of the moves that a playout considers.
pub const RANDOM: &str = "random";

/// A player's description, parsed and checked. `Display` writes it without default values.
#[derive(Clone)]
pub struct Spec {
    select: &'static SelectEntry,
    select_args: Args,
    policies: Vec<PolicySpec>,
    settings: Args,
    searches: bool,
}

impl Spec {
    /// Whether it searches, as all players but [`RANDOM`] do.
    pub fn searches(&self) -> bool {
        self.searches
    }

    /// The settings after the `@`.
    pub fn settings(&self) -> Settings {
        Settings::of(&self.settings)
    }

    /// The same as parameters.
    pub fn setting_args(&self) -> &Args {
        &self.settings
    }

    /// The selection rule and its parameters.
    pub fn select(&self) -> (&'static SelectEntry, &Args) {
        (self.select, &self.select_args)
    }

    /// The playout policies in the order in which they are asked, with their parameters.
    pub fn entries(&self) -> impl Iterator<Item = (&'static PolicyEntry, &Args)> {
        self.policies.iter().map(|policy| (policy.entry, &policy.args))
    }

    pub(crate) fn policies(&self) -> &[PolicySpec] {
        &self.policies
    }

    /// The most that one of its policies remembers.
    pub fn memory(&self) -> Memory {
        self.policies.iter().map(PolicySpec::memory).max().unwrap_or(Memory::Nothing)
    }
}

impl PartialEq for Spec {
    fn eq(&self, other: &Spec) -> bool {
        self.select.name == other.select.name
            && self.select_args == other.select_args
            && self.policies == other.policies
            && self.settings == other.settings
            && self.searches == other.searches
    }
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Spec({self})")
    }
}

/// Why a text is not a spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad player {text:?}: {reason}")]
pub struct SpecError {
    text: String,
    reason: String,
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        parse(text.trim()).map_err(|reason| SpecError { text: text.to_owned(), reason })
    }
}

fn parse(text: &str) -> Result<Spec, String> {
    if text == RANDOM {
        return Ok(Spec { searches: false, ..parse_chain("uct")? });
    }
    let (chain, settings) = match text.split_once('@') {
        Some((chain, settings)) => (chain, Some(settings)),
        None => (text, None),
    };
    let mut spec = if chain.contains('/') { preset(chain)? } else { parse_chain(chain)? };
    // Several `@` are one: `a@tt=on@reuse=off`.
    for part in settings.into_iter().flat_map(|settings| settings.split([',', '@'])) {
        spec.settings.set(part).map_err(of("settings"))?;
    }
    exclude_batch_with_leaf(&spec)?;
    exclude_unusable_decisive(&spec.settings())?;
    exclude_batch_with_shared_tree(&spec.settings())?;
    Ok(spec)
}

fn exclude_unusable_decisive(settings: &Settings) -> Result<(), String> {
    if settings.decisive > 0 && !settings.solver {
        return Err("decisive proves wins, so it needs solver=on".into());
    }
    if settings.decisive > 0 && settings.batch.lanes() > 1 {
        return Err("decisive looks at one position at a time, so it needs batch=1".into());
    }
    Ok(())
}

fn exclude_batch_with_shared_tree(settings: &Settings) -> Result<(), String> {
    if settings.shares_tree && settings.batch.lanes() > 1 {
        return Err("threads that share a tree make one simulation each at a time, so tree=shared needs batch=1".into());
    }
    Ok(())
}

fn exclude_batch_with_leaf(spec: &Spec) -> Result<(), String> {
    let many = spec.settings().batch.lanes() > 1;
    let Some(single) = spec.policies.iter().find(|policy| many && policy.needs().leaf) else { return Ok(()) };
    let able = policies().filter(|entry| !PolicySpec::plain(entry).needs().leaf);
    Err(format!(
        "{single} follows one playout at a time, but batch={} runs many; policies that can be batched: {}",
        spec.settings.get("batch"),
        names(able.map(|entry| entry.name))
    ))
}

fn preset(name: &str) -> Result<Spec, String> {
    let found = presets().find(|preset| preset.name == name);
    let Some(preset) = found else {
        let names: Vec<_> = presets().map(|preset| preset.name).collect();
        return Err(format!("there is no preset {name:?}; presets: {}", names.join(", ")));
    };
    parse(preset.spec)
}

fn parse_chain(text: &str) -> Result<Spec, String> {
    let mut parts = split(text, '+')?.into_iter();
    let (name, params) = name_and_params(parts.next().unwrap_or_default())?;
    if name == RANDOM {
        return Err(format!("{RANDOM} does not search, so it takes no parameters, policies or settings"));
    }
    let Some(select) = SELECTS.iter().find(|entry| entry.name == name) else {
        let policy = policies().any(|entry| entry.name == name);
        let hint = if policy { format!("; {name} is a policy: write uct+{name}") } else { String::new() };
        return Err(format!(
            "there is no selection rule {name:?}; selection rules: {}{hint}",
            names(SELECTS.iter().map(|e| e.name))
        ));
    };
    let select_args = Args::read(select.params, params).map_err(of(select.name))?;
    let chain = PolicySpec::chain(parts)?;
    Ok(Spec { select, select_args, policies: chain, settings: Args::defaults(SETTINGS), searches: true })
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.searches {
            return f.write_str(RANDOM);
        }
        f.write_str(&written(self.select.name, &self.select_args))?;
        for policy in &self.policies {
            write!(f, "+{policy}")?;
        }
        match changed(&self.settings) {
            settings if settings.is_empty() => Ok(()),
            settings => write!(f, "@{settings}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn defaults_are_left_out() {
        for (text, printed) in [
            ("uct", "uct"),
            (" uct( c = 0.4 ) + ppa( alpha=1 ) ", "uct+ppa"),
            ("uct(c=0.7,fpu=1,band=0.01)+nst(eps=0.4,keep=0.2)@reuse=on", "uct(c=0.7,fpu=1,band=0.01)+nst(keep=0.2)"),
            ("uct+lgrf(n=1)+nst(eps=0.2)@tt=off@mem=512MiB", "uct+lgrf(n=1)+nst(eps=0.2)@tt=off,mem=512MiB"),
            ("rave(unvisited=random)+ppr@final=score,depth=100", "rave(unvisited=random)+ppr@final=score,depth=100"),
            ("grave(bias=0.0000000001)+ppa(k=2)", "grave+ppa(k=2)"),
            ("uct(fpu=inf)@mem=1024MiB", "uct"),
            ("uct+lgrf+mast@solver=on,batch=64,threads=2", "uct+lgrf+mast@solver=on,threads=2,batch=64"),
            ("uct@threads=1,batch=auto", "uct@batch=auto"),
            ("uct+auto( mast | lgrf + nst(eps=0.4) ; keep=0.9 )", "uct+auto(mast|lgrf+nst;keep=0.9)"),
            ("uct+auto()", "uct+auto"),
            ("uct+auto(;keep=0.9)", "uct+auto(;keep=0.9)"),
            (" random ", "random"),
            ("ppr2016/ppr@batch=1", "rave(unvisited=random)+ppr@tt=off,reuse=off"),
        ] {
            let spec: Spec = text.parse().unwrap();
            assert_eq!(spec.to_string(), printed);
            assert_eq!(printed.parse(), Ok(spec));
        }
    }

    #[test]
    fn errors_name_the_place_and_the_choices() {
        for (text, reason) in [
            ("", "selection rules: uct, rave, grave"),
            ("ppa", "write uct+ppa"),
            ("uct+magic", "policies: uniform, mast, nst"),
            ("uct(d=1)", "uct: unknown parameter \"d\"; parameters: c, fpu, band, unvisited"),
            ("uct+uniform(x=1)", "uniform: unknown parameter \"x\"; there are none"),
            ("uct(c=-1)", "uct: c cannot be \"-1\"; allowed: 0 to 1000000"),
            ("uct(c=NaN)", "c cannot be \"NaN\""),
            ("uct(c=1,c=2)", "uct: c is given twice"),
            ("uct(c)", "is not KEY=VALUE"),
            ("uct(c=1", "not closed"),
            ("uct)c=1(", "closes nothing"),
            ("uct(c=1)x", "text after"),
            ("uct+lgrf+lgrf+lgrf+lgrf+lgrf+lgrf+lgrf+lgrf+lgrf", "at most 8 policies"),
            ("uct+mast+ppa", "mast always chooses, so ppa after it would never be asked"),
            ("uct+mast(eps=0.1,tau=0.5)", "either eps (greedy) or tau (Gibbs)"),
            ("uct(unvisited=middle)", "allowed: random|first|last|policy"),
            ("uct@speed=9", "parameters: tt, reuse"),
            ("uct@mem=3", "at least 64KiB"),
            ("uct+nst(L=4)", "nst: L cannot be \"4\"; allowed: 1 to 3"),
            ("sironi2021/magic", "presets: tak2012/uct"),
            ("uct+auto(mast)", "auto chooses among 2 to 8 policies"),
            ("uct+lasting(mast|nst|ppa)", "lasting chooses among 2 policies, written with | between them, not 3"),
            ("uct+mast(tau=0.01,sample=draw)", "mast with sample=draw needs a tau of at least 0.05"),
            ("uct+auto(mast|auto)", "auto cannot choose among other auto policies"),
            ("uct+auto(mast|magic)", "there is no policy \"magic\""),
            ("uct+auto(mast|nst;speed=1)", "auto: unknown parameter \"speed\""),
            ("uct+auto(mast|nst)+ppa", "auto always chooses, so ppa after it would never be asked"),
            ("random+mast", "random does not search"),
            ("random@threads=2", "random does not search"),
            ("uct@threads=2,tree=shared,batch=64", "so tree=shared needs batch=1"),
            ("uct@decisive=1", "needs solver=on"),
            ("uct@decisive=1,solver=on,batch=8", "needs batch=1"),
            ("uct@batch=0", "allowed: auto or 1 to 4096"),
            ("uct+ppr@batch=auto", "but batch=auto runs many"),
            ("ppr2016/ppr@batch=8", "ppr follows one playout at a time, but batch=8 runs many"),
            ("rave+poolrave@batch=2", "can be batched: uniform, mast, nst"),
            ("uct+lgrf(n=1,store=node)+mast@batch=2", "lgrf(n=1,store=node) follows one playout"),
        ] {
            let error = text.parse::<Spec>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn presets_are_specs_and_take_settings() {
        for preset in presets() {
            let spec: Spec = preset.name.parse().unwrap();
            assert_eq!(spec.to_string().parse::<Spec>().unwrap(), spec, "{}", preset.name);
        }
        let spec: Spec = "ppa2015/ppa@threads=2".parse().unwrap();
        assert_eq!(spec.settings().threads, 2);
        assert!(!spec.settings().reuse);
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in "[a-z0-9(),=+@/.|; ]{0,60}") {
            if let Ok(spec) = text.parse::<Spec>() {
                prop_assert_eq!(spec.to_string().parse::<Spec>().unwrap(), spec);
            }
        }
    }
}
