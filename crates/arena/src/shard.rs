//! Shards: an experiment cut into parts that separate machines play.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Part `index` of `count`, counted from 0: the games whose number has that remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    /// Which part.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

impl Default for Shard {
    fn default() -> Shard {
        Shard { index: 0, count: 1 }
    }
}

/// Environment variables in which cluster schedulers give a job its index.
pub const INDEX_VARIABLES: [&str; 3] = ["SLURM_ARRAY_TASK_ID", "HQ_TASK_ID", "JOB_COMPLETION_INDEX"];

impl Shard {
    /// Whether a game belongs to this part.
    pub fn has(self, game: u64) -> bool {
        game % self.count == self.index
    }

    /// Whether this is everything.
    pub fn is_whole(self) -> bool {
        self.count == 1
    }

    /// Reads `i/n` with i from 0 to n - 1, or `/n`, whose index a scheduler's variable gives.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, String> {
        let Some(count) = text.strip_prefix('/') else { return text.parse() };
        let found = INDEX_VARIABLES.iter().find_map(|name| Some((name, variable(name)?)));
        let (name, index) = found
            .ok_or_else(|| format!("shard {text:?} has no index, and none of {} is set", INDEX_VARIABLES.join(", ")))?;
        format!("{}/{count}", index.trim()).parse().map_err(|error| format!("{error} (the index comes from {name})"))
    }

    /// The name of the file with its games.
    pub fn file_name(self) -> String {
        if self.is_whole() { "games.jsonl".into() } else { format!("games-{}of{}.jsonl", self.index, self.count) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((index, count)) if index < count => Ok(Shard { index, count }),
            _ => Err(format!("{text:?} is not a shard: write INDEX/COUNT with INDEX from 0 to COUNT - 1, such as 0/4")),
        }
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Shard, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read() {
        let none = |_: &str| None;
        assert_eq!(Shard::read("1/4", none), Ok(Shard { index: 1, count: 4 }));
        for bad in ["4/4", "1/0", "-1/4", "a/b", "3", "", "1/4/2"] {
            assert!(Shard::read(bad, none).unwrap_err().contains("INDEX/COUNT"), "{bad}");
        }
        assert!(Shard::read("/4", none).unwrap_err().contains("SLURM_ARRAY_TASK_ID"));
        for name in INDEX_VARIABLES {
            let set = |asked: &str| (asked == name).then(|| "3".to_owned());
            assert_eq!(Shard::read("/4", set), Ok(Shard { index: 3, count: 4 }), "{name}");
            assert!(Shard::read("/3", set).unwrap_err().contains(name));
        }
    }

    #[test]
    fn every_game_belongs_to_one_shard() {
        let shards: Vec<Shard> = (0..4).map(|index| Shard { index, count: 4 }).collect();
        for game in 0..100 {
            assert_eq!(shards.iter().filter(|shard| shard.has(game)).count(), 1);
        }
    }
}
