//! The signature: a hash of the visit counts that fixed searches leave at their roots.
//!
//! Whatever only makes the program faster or clearer must not change it; what changes a search changes it, and the new
//! value is committed with that change. The searches use `exp` and `ln` of the platform, so another platform may round
//! differently and have another signature.

use super::show_progress;
use crate::{Console, Failure};
use ludens_catalog as catalog;
use ludens_game::{Role, Seed};
use ludens_search::{Budget, InMemory, Player, Spec};
use serde::Serialize;
use std::sync::Arc;

/// The signature of the searches as they are.
const COMMITTED: u64 = 0xa8f2_b7eb_8a5c_1a3e;

const GAMES: &[&str] = &[
    "atarigo:5",
    "breakthrough:6",
    "domineering:6",
    "go:5",
    "havannah:4",
    "knightthrough:6",
    "misere-breakthrough:5",
    "nogo:5",
];

/// Every selection rule, every policy, and the settings that change what is found.
const SPECS: &[&str] = &[
    "uct",
    "uct(fpu=1,band=0.01)+uniform@final=score",
    "uct(unvisited=first)@tt=off,reuse=off",
    "uct@solver=on",
    "uct@depth=8,threads=2",
    "uct+mast@threads=3,tree=shared",
    "uct(unvisited=policy)+mast",
    "uct+mast(tau=0.1,keep=0.2)",
    "uct+nst",
    "uct+nst(L=2,tau=0.1,V=2,order=acted)",
    "uct+lgrf+nst(eps=0.2)",
    "uct(unvisited=policy)+lgrf+mast(eps=0.2)@leaf=count",
    "rave+lgrf(n=1,store=node,keep=off)",
    "uct+ppa",
    "uct+ppa(k=2,update=payoff,keep=0.5)",
    "uct+ppa(alpha=0.32,features=on)",
    "uct+nppa(V=2)",
    "uct+nppa(alpha=0.32,update=payoff,order=acted)",
    "rave",
    "rave(unvisited=random)+ppr",
    "rave+poolrave+mast",
    "grave+ppa",
    "grave(c=0.2)+poolrave",
    "uct+auto(mast|lgrf+nst;keep=0.9)@solver=on,decisive=2",
    "grave+auto",
    "amaf+lasting@discount=0.999,leaf=count,solver=on,decisive=1",
    "amaf(r=2000)+lasting(uniform|mast(tau=0.3,sample=draw,keep=0.5))",
    "uct(ties=first)+mast@discount=0.99",
    "rave(ties=first)+nst@discount=0.9,goals=difference",
    "grave(ties=first)+ppa(update=payoff)@discount=0.9,pace=0.7",
];

const SIMULATIONS: u64 = 200;

/// So many steps of a game are played, each after a search: what is kept from move to move counts too.
const STEPS: usize = 3;

#[derive(Serialize)]
struct Signature {
    signature: String,
    committed: String,
    specs: Vec<SpecSignature>,
}

#[derive(Serialize)]
struct SpecSignature {
    spec: &'static str,
    signature: String,
}

pub(super) fn run(console: &mut Console<'_>) -> Result<(), Failure> {
    let mut all = Hash::default();
    let mut specs = Vec::new();
    for spec in SPECS {
        show_progress(spec);
        let of_spec = of_spec(spec).map_err(Failure::Usage)?;
        all.add(of_spec);
        specs.push(SpecSignature { spec, signature: hex(of_spec) });
    }
    show_progress("");
    let result = Signature { signature: hex(all.0), committed: hex(COMMITTED), specs };
    if console.json {
        return console.json(&result);
    }
    let rows = result.specs.into_iter().map(|row| vec![row.spec.to_owned(), row.signature]).collect();
    console.table(&[("player", false), ("signature", false)], rows)?;
    let verdict =
        if all.0 == COMMITTED { "as committed".to_owned() } else { format!("committed: {}", result.committed) };
    Ok(writeln!(console.out, "\nsignature {} ({verdict})", result.signature)?)
}

fn hex(signature: u64) -> String {
    format!("{signature:016x}")
}

/// The signature of a spec over all games.
fn of_spec(text: &str) -> Result<u64, String> {
    let spec: Spec = text.parse().map_err(|error| format!("{error}"))?;
    let mut hash = Hash::default();
    for game in GAMES {
        let game = catalog::open(game).map_err(|error| error.to_string())?;
        let roles = Role::all(game.role_names().len());
        let player = |role| game.clone().player(role, &spec, Arc::new(InMemory::default()));
        let mut players: Vec<_> = roles.map(player).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let seed = Seed::new(1).named(&game.name()).named(text);
        for (role, player) in (0..).zip(&mut players) {
            player.start(seed.at(role));
        }
        for _ in 0..STEPS {
            let joint: Vec<_> = players.iter_mut().map(|player| search(player, &mut hash)).collect();
            players.iter_mut().for_each(|player| player.observe(&joint));
        }
    }
    Ok(hash.0)
}

/// Searches, notes the visits of all moves, and gives the chosen one.
fn search(player: &mut Box<dyn Player>, hash: &mut Hash) -> ludens_game::Move {
    let (mv, _) = player.choose(&Budget::simulations(SIMULATIONS), &|| false);
    for arm in player.report().arms {
        hash.add(u64::from(arm.mv.0));
        hash.add(arm.visits);
    }
    hash.add(u64::from(mv.0));
    mv
}

/// FNV-1a over the bytes of whole numbers.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_search::{POLICIES, SELECTS};

    #[test]
    fn everything_in_the_registries_is_covered() {
        let parts: Vec<&str> =
            SPECS.iter().flat_map(|spec| spec.split(['+', '(', '@'])).filter(|part| !part.contains('=')).collect();
        for name in SELECTS.iter().map(|entry| entry.name).chain(POLICIES.iter().map(|entry| entry.name)) {
            assert!(parts.contains(&name), "{name} is missing");
        }
    }

    #[test]
    fn published_values_of_the_hash() {
        let mut hash = Hash::default();
        assert_eq!(hash.0, 0xcbf2_9ce4_8422_2325, "of nothing");
        // FNV-1a of the eight bytes of "foobar" and two zeros goes on from that of "foobar".
        let prime = 0x0000_0100_0000_01b3_u64;
        hash.add(u64::from_le_bytes(*b"foobar\0\0"));
        assert_eq!(hash.0, 0x8594_4171_f739_67e8_u64.wrapping_mul(prime).wrapping_mul(prime));
    }
}
