//! A cell: one number of a results table. It says who meets whom, in which game, with which budget.

use crate::seats::Seats;
use ludens_game::Seed;
use ludens_search::{Budget, Spec};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::{self, Display};
use std::str::FromStr;

/// A player under the name that tables show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contestant {
    /// The name in tables.
    pub name: String,
    /// What it does.
    #[serde(with = "as_text")]
    pub spec: Spec,
}

/// What is played in one cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The game, as the catalogue opens it.
    pub game: String,
    /// The budget of every player.
    #[serde(with = "as_text")]
    pub budget: Budget,
    /// The players; rates are those of the first.
    pub players: Vec<Contestant>,
    /// How they are seated.
    #[serde(default)]
    pub seats: Seats,
}

impl Cell {
    /// The seed of all its games. It depends on what is played and on the experiment's seed, not on the place of the cell
    /// in a table: the same cell of two tables is played once, and adding a cell leaves the others as they are.
    pub fn seed(&self, experiment: u64) -> Seed {
        Seed::new(experiment).named(&self.identity())
    }

    /// The name of the cell in records.
    pub fn id(&self, experiment: u64) -> CellId {
        CellId(self.seed(experiment).value())
    }

    /// Everything that decides what is played, which the players' names do not.
    fn identity(&self) -> String {
        let specs: Vec<_> = self.players.iter().map(|player| player.spec.to_string()).collect();
        let seats = if self.seats == Seats::Given { " | seats as given" } else { "" };
        format!("{} | {} | {}{seats}", self.game, self.budget, specs.join(" vs "))
    }

    /// "A vs B" by the names of the players.
    pub fn pairing(&self) -> String {
        self.players.iter().map(|player| player.name.as_str()).collect::<Vec<_>>().join(" vs ")
    }
}

impl Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}, {}", self.game, self.budget, self.pairing())
    }
}

/// The name of a cell in records: 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u64);

impl Display for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for CellId {
    type Err = String;

    fn from_str(text: &str) -> Result<CellId, String> {
        let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = digits.then(|| u64::from_str_radix(text, 16).ok()).flatten();
        value.map(CellId).ok_or_else(|| format!("{text:?} is not 16 hexadecimal digits"))
    }
}

impl Serialize for CellId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CellId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CellId, D::Error> {
        as_text::deserialize(deserializer)
    }
}

/// Numbers that are written as 16 hexadecimal digits: not every reader of JSON keeps all bits of a large number.
pub(crate) mod hex {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        CellId(*value).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        CellId::deserialize(deserializer).map(|id| id.0)
    }
}

/// Values that are written as the texts that users write.
mod as_text {
    use super::*;

    pub(super) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(game: &str, first: &str) -> Cell {
        let player = |name: &str, spec: &str| Contestant { name: name.into(), spec: spec.parse().unwrap() };
        Cell {
            game: game.into(),
            budget: Budget::simulations(10),
            players: vec![player("a", first), player("b", "uct")],
            seats: Seats::All,
        }
    }

    #[test]
    fn what_is_played_decides_the_seed() {
        let id = |game, first| cell(game, first).id(1);
        assert_eq!(id("go:5", "ppa2015/ppa"), id("go:5", "uct(unvisited=first,ties=first)+ppa(keep=0)@reuse=off"));
        assert_ne!(id("go:5", "uct"), id("go:6", "uct"));
        assert_ne!(id("go:5", "uct"), id("go:5", "uct+mast"));
        assert_ne!(cell("go:5", "uct").id(1), cell("go:5", "uct").id(2));
        let mut renamed = cell("go:5", "uct");
        renamed.players[0].name = "somebody".into();
        assert_eq!(renamed.id(1), cell("go:5", "uct").id(1));
        let given = Cell { seats: Seats::Given, ..cell("go:5", "uct") };
        assert_ne!(given.id(1), cell("go:5", "uct").id(1));
    }

    #[test]
    fn cells_are_written_as_users_write_them() {
        let text = serde_json::to_string(&cell("go:5", "uct+mast")).unwrap();
        let expected = r#"{"game":"go:5","budget":"sims=10","players":[{"name":"a","spec":"uct+mast"},{"name":"b","spec":"uct"}],"seats":"all"}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Cell>(&text).unwrap(), cell("go:5", "uct+mast"));
        let id = cell("go:5", "uct").id(7);
        assert_eq!(id.to_string().parse(), Ok(id));
        assert!("xyz".parse::<CellId>().is_err() && "+123456789abcdef".parse::<CellId>().is_err());
    }
}
