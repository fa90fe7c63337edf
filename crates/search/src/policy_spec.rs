//! The playout policies of a spec: `POLICY(params)+POLICY …`, where a policy that chooses among others lists them between its
//! parentheses, with its own parameters after a semicolon: `auto(mast|lgrf+nst;keep=0.5)`.

use crate::{
    params::{Args, ParamError, changed, names},
    policy::{Needs, Policy},
    registry::{Build, Member, Memory, PolicyEntry, policies},
    trail::CodeSpace,
};
use std::fmt;

/// A policy with its parameters and, where it chooses among others, these.
#[derive(Clone)]
pub(crate) struct PolicySpec {
    pub(crate) entry: &'static PolicyEntry,
    pub(crate) args: Args,
    members: Vec<Vec<PolicySpec>>,
}

/// More policies than any player needs. Each has its own tables.
pub(crate) const MAX_POLICIES: usize = 8;

impl PolicySpec {
    /// A policy as it is where a spec gives its name alone.
    pub(crate) fn plain(entry: &'static PolicyEntry) -> PolicySpec {
        PolicySpec::read(entry, "").expect("a policy has defaults that fit together")
    }

    /// The policies of a chain, from the texts between its plus signs.
    pub(crate) fn chain<'t>(parts: impl Iterator<Item = &'t str>) -> Result<Vec<PolicySpec>, String> {
        let mut chain: Vec<PolicySpec> = Vec::new();
        for part in parts {
            let (name, params) = name_and_params(part)?;
            let Some(entry) = policies().find(|entry| entry.name == name) else {
                return Err(format!(
                    "there is no policy {name:?}; policies: {}",
                    names(policies().map(|entry| entry.name))
                ));
            };
            if let Some(before) = chain.last().filter(|before| before.entry.total) {
                return Err(format!("{} always chooses, so {name} after it would never be asked", before.entry.name));
            }
            if chain.len() == MAX_POLICIES {
                return Err(format!("a player has at most {MAX_POLICIES} policies"));
            }
            chain.push(PolicySpec::read(entry, params)?);
        }
        Ok(chain)
    }

    /// A policy with what stands between its parentheses.
    fn read(entry: &'static PolicyEntry, text: &str) -> Result<PolicySpec, String> {
        let (members, params) = match entry.build {
            Build::Alone(_) => (Vec::new(), text),
            Build::Over { members: default, count, .. } => {
                let parts = split(text, ';')?;
                let params = parts.get(1).copied().unwrap_or_default();
                let listed = if parts[0].trim().is_empty() { default } else { parts[0] };
                (PolicySpec::members(entry, listed, count)?, params)
            }
        };
        let args = Args::read(entry.params, params).map_err(of(entry.name))?;
        (entry.check)(&args).map_err(|reason| format!("{} {reason}", entry.name))?;
        Ok(PolicySpec { entry, args, members })
    }

    fn members(
        owner: &PolicyEntry,
        text: &str,
        (fewest, most): (usize, usize),
    ) -> Result<Vec<Vec<PolicySpec>>, String> {
        let listed = split(text, '|')?;
        if !(fewest..=most).contains(&listed.len()) {
            let range = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
            return Err(format!(
                "{} chooses among {range} policies, written with | between them, not {}",
                owner.name,
                listed.len()
            ));
        }
        let member = |text: &str| {
            let parts = split(text, '+')?;
            let is_owner = |part: &&str| name_and_params(part).is_ok_and(|(name, _)| name == owner.name);
            if parts.iter().any(is_owner) {
                return Err(format!("{0} cannot choose among other {0} policies", owner.name));
            }
            PolicySpec::chain(parts.into_iter())
        };
        listed.into_iter().map(member).collect()
    }

    /// Creates the policy for a game with these codes.
    pub(crate) fn build(&self, space: &CodeSpace) -> Box<dyn Policy> {
        match self.entry.build {
            Build::Alone(build) => build(&self.args, space),
            Build::Over { build, .. } => {
                let member = |chain: &Vec<PolicySpec>| Member {
                    name: written_chain(chain),
                    policies: chain.iter().map(|policy| policy.build(space)).collect(),
                };
                build(&self.args, space, self.members.iter().map(member).collect())
            }
        }
    }

    /// What the policy needs to know.
    pub(crate) fn needs(&self) -> Needs {
        self.build(&CodeSpace::of(&ludens_game::toy::Pennies)).needs()
    }

    /// The most that it or one of its members remembers.
    pub(crate) fn memory(&self) -> Memory {
        let members = self.members.iter().flatten().map(PolicySpec::memory);
        members.fold(self.entry.memory, Memory::max)
    }
}

impl PartialEq for PolicySpec {
    fn eq(&self, other: &PolicySpec) -> bool {
        self.entry.name == other.entry.name && self.args == other.args && self.members == other.members
    }
}

impl fmt::Display for PolicySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_default = match self.entry.build {
            Build::Alone(_) => true,
            Build::Over { .. } => self.members == PolicySpec::plain(self.entry).members,
        };
        let listed = self.members.iter().map(|chain| written_chain(chain)).collect::<Vec<_>>().join("|");
        let params = changed(&self.args);
        f.write_str(self.entry.name)?;
        match (is_default, self.members.is_empty(), params.is_empty()) {
            (true, _, true) => Ok(()),
            (true, true, false) => write!(f, "({params})"),
            (true, false, false) => write!(f, "(;{params})"),
            (false, _, true) => write!(f, "({listed})"),
            (false, _, false) => write!(f, "({listed};{params})"),
        }
    }
}

fn written_chain(chain: &[PolicySpec]) -> String {
    chain.iter().map(PolicySpec::to_string).collect::<Vec<_>>().join("+")
}

/// Says whose parameters an error is about.
pub(crate) fn of(owner: &str) -> impl Fn(ParamError) -> String + use<'_> {
    move |error| format!("{owner}: {error}")
}

/// The parts between separators, where no parenthesis is open.
pub(crate) fn split(text: &str, separator: char) -> Result<Vec<&str>, String> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if c == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
        if depth < 0 {
            return Err(format!("the parenthesis at character {at} closes nothing"));
        }
    }
    if depth > 0 {
        return Err("a parenthesis is not closed".into());
    }
    parts.push(&text[start..]);
    Ok(parts)
}

/// `name(params)` as the name and what stands between the parentheses.
pub(crate) fn name_and_params(part: &str) -> Result<(&str, &str), String> {
    let part = part.trim();
    match part.split_once('(') {
        None => Ok((part, "")),
        Some((name, rest)) => {
            let params =
                rest.strip_suffix(')').ok_or_else(|| format!("there is text after the parenthesis of {name:?}"))?;
            Ok((name.trim(), params))
        }
    }
}
