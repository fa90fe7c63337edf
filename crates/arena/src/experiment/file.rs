//! An experiment file: games × budgets × pairings.
//!
//! ```toml
//! name = "adaptation"
//! games = ["breakthrough:5", "nogo:5"]
//! budgets = ["sims=100", "sims=1000"]
//! games-per-cell = 200
//!
//! [players]
//! ppa = "ppa2015/ppa"
//! uct = "ppa2015/uct"
//! ```

use super::reader::{At, FileError, NameList, Section, Source, among};
use super::{Experiment, Planned};
use crate::{
    cell::{Cell, Contestant},
    open::OpenGames,
    results::Counting,
    seats::Seats,
    stats::Sprt,
};
use ludens_search::Budget;
use std::sync::Arc;
use toml::de::DeTable;

/// More games than any cell needs.
const MAX_GAMES: u64 = 1_000_000_000;

/// Reads an experiment and opens its games, so that errors are found before the first game.
///
/// # Errors
/// The first error, with its place.
pub fn load(path: &str, text: &str, games: &OpenGames) -> Result<Experiment, FileError> {
    let source = Source { path, text };
    let document = DeTable::parse(text)
        .map_err(|error| source.error(error.span().map_or(0, |span| span.start), first_line(error.message())))?;
    let top = Section::new(source, document.get_ref(), 0);
    let keys = Keys::read(&top)?;
    let seed = keys.seed.as_ref().map_or(1, |seed| seed.value);
    Ok(Experiment {
        name: keys.name(&source, &top)?,
        about: keys.about.as_ref().map_or(String::new(), |about| about.value.to_owned()),
        seed,
        counting: keys.counting(&source)?,
        stop: keys.stop(&source)?,
        cells: keys.cells(&source, &top, games)?,
    })
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

/// Everything that the file says, not yet understood.
struct Keys<'t> {
    name: Option<At<&'t str>>,
    about: Option<At<&'t str>>,
    seed: Option<At<u64>>,
    games: Option<Vec<At<&'t str>>>,
    budgets: Option<Vec<At<&'t str>>>,
    games_per_cell: Option<At<u64>>,
    seats: Option<At<&'t str>>,
    counting: Option<At<&'t str>>,
    pairings: Option<Vec<NameList<'t>>>,
    against: Option<At<&'t str>>,
    players: Option<Section<'t>>,
    stop: Option<Section<'t>>,
}

impl<'t> Keys<'t> {
    fn read(top: &Section<'t>) -> Result<Keys<'t>, FileError> {
        let keys = Keys {
            name: top.text("name")?,
            about: top.text("about")?,
            seed: top.whole("seed")?,
            games: top.texts("games")?,
            budgets: top.texts("budgets")?,
            games_per_cell: top.whole("games-per-cell")?,
            seats: top.text("seats")?,
            counting: top.text("counting")?,
            pairings: top.lists("pairings")?,
            against: top.text("against")?,
            players: top.section("players")?,
            stop: top.section("stop")?,
        };
        top.finish().map(|()| keys)
    }

    /// The name is that of a folder.
    fn name(&self, source: &Source<'_>, top: &Section<'_>) -> Result<String, FileError> {
        let name = self.name.as_ref().ok_or_else(|| top.missing("name"))?;
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.value.is_empty() || name.value.starts_with('.') || !name.value.chars().all(plain) {
            let message = "name must consist of letters, digits, '-', '_' and '.', and not start with '.'";
            return Err(source.error(name.place, message));
        }
        Ok(name.value.to_owned())
    }

    fn counting(&self, source: &Source<'_>) -> Result<Counting, FileError> {
        word(source, ("counting", &self.counting), &[("players", Counting::Players), ("roles", Counting::Roles)])
    }

    fn seats(&self, source: &Source<'_>) -> Result<Seats, FileError> {
        word(source, ("seats", &self.seats), &[("all", Seats::All), ("given", Seats::Given)])
    }

    fn stop(&self, source: &Source<'_>) -> Result<Option<Sprt>, FileError> {
        let Some(stop) = &self.stop else { return Ok(None) };
        let (rule, elo0, elo1) = (stop.text("rule")?, stop.number("elo0")?, stop.number("elo1")?);
        let (alpha, beta) = (stop.number("alpha")?, stop.number("beta")?);
        stop.finish()?;
        word(source, ("rule", &rule), &[("sprt", ())])?;
        let (elo0, elo1) = (elo0.ok_or_else(|| stop.missing("elo0"))?, elo1.ok_or_else(|| stop.missing("elo1"))?);
        if elo0.value >= elo1.value {
            return Err(source.error(elo1.place, "elo1 must be greater than elo0"));
        }
        let chance = |error: Option<At<f64>>| match error {
            None => Ok(0.05),
            Some(At { value, .. }) if value > 0.0 && value < 0.5 => Ok(value),
            Some(At { place, .. }) => Err(source.error(place, "alpha and beta must be between 0 and 0.5")),
        };
        Ok(Some(Sprt { elo0: elo0.value, elo1: elo1.value, alpha: chance(alpha)?, beta: chance(beta)? }))
    }

    fn players(&self, source: &Source<'_>, top: &Section<'_>) -> Result<Vec<Contestant>, FileError> {
        let section = self.players.as_ref().ok_or_else(|| top.missing("[players]"))?;
        let player = |(name, value)| {
            let spec = section.text_of(name, value)?;
            let parsed = spec.value.parse().map_err(|error| source.error(spec.place, format!("{error}")))?;
            Ok(Contestant { name: name.to_owned(), spec: parsed })
        };
        section.entries().into_iter().map(player).collect()
    }

    /// Who meets whom: the pairings given, everybody against one, or all pairs.
    fn pairings(&self, source: &Source<'_>, players: &[Contestant]) -> Result<Vec<Vec<Contestant>>, FileError> {
        let find = |name: &At<&str>| {
            let names = players.iter().map(|player| player.name.as_str());
            let unknown =
                || source.error(name.place, format!("unknown player {:?}{}", name.value, among(name.value, names)));
            players.iter().find(|player| player.name == name.value).cloned().ok_or_else(unknown)
        };
        match (&self.pairings, &self.against) {
            (Some(_), Some(against)) => Err(source.error(against.place, "give either pairings or against")),
            (Some(pairings), None) => pairings.iter().map(|pairing| pairing.value.iter().map(find).collect()).collect(),
            (None, Some(name)) => {
                let other = find(name)?;
                let pair = |player: &Contestant| vec![player.clone(), other.clone()];
                Ok(players.iter().filter(|player| **player != other).map(pair).collect())
            }
            (None, None) => {
                let pair = |(i, first): (usize, &Contestant)| {
                    let first = first.clone();
                    players[i + 1..].iter().map(move |second| vec![first.clone(), second.clone()])
                };
                Ok(players.iter().enumerate().flat_map(pair).collect())
            }
        }
    }

    fn budgets(&self, source: &Source<'_>, top: &Section<'_>) -> Result<Vec<Budget>, FileError> {
        let budgets = self.budgets.as_ref().ok_or_else(|| top.missing("budgets"))?;
        let read =
            |budget: &At<&str>| budget.value.parse().map_err(|error| source.error(budget.place, format!("{error}")));
        budgets.iter().map(read).collect()
    }

    fn cells(&self, source: &Source<'_>, top: &Section<'_>, open: &OpenGames) -> Result<Vec<Planned>, FileError> {
        let games = self.games.as_ref().ok_or_else(|| top.missing("games"))?;
        let per_cell = self.games_per_cell.as_ref().ok_or_else(|| top.missing("games-per-cell"))?;
        if !(1..=MAX_GAMES).contains(&per_cell.value) {
            return Err(source.error(per_cell.place, format!("games-per-cell must be 1 to {MAX_GAMES}")));
        }
        let seats = self.seats(source)?;
        let budgets = self.budgets(source, top)?;
        let pairings = self.pairings(source, &self.players(source, top)?)?;
        let mut cells: Vec<Planned> = Vec::new();
        for name in games {
            let game = open.open(name.value).map_err(|error| source.error(name.place, error.to_string()))?;
            let roles = game.role_names().len();
            for budget in &budgets {
                for players in &pairings {
                    let (budget, players) = (*budget, players.clone());
                    let seatings = seats
                        .seatings(players.len(), roles)
                        .ok_or_else(|| source.error(name.place, seats.misfit(name.value, players.len(), roles)))?;
                    let cell = Cell { game: name.value.trim().to_owned(), budget, players, seats };
                    let games = per_cell.value.next_multiple_of(seatings.len() as u64);
                    if cells.iter().any(|planned| planned.cell.id(0) == cell.id(0)) {
                        return Err(source.error(name.place, format!("{cell} appears twice")));
                    }
                    cells.push(Planned { cell: Arc::new(cell), games, first: 0 });
                }
            }
        }
        if cells.is_empty() {
            return Err(source.error(0, "nothing to play: give games, budgets and at least two players"));
        }
        Ok(cells)
    }
}

/// One of some words; the first is the default.
fn word<T: Copy>(
    source: &Source<'_>,
    (key, given): (&str, &Option<At<&str>>),
    words: &[(&str, T)],
) -> Result<T, FileError> {
    let Some(given) = given else { return Ok(words[0].1) };
    let found = words.iter().find(|(word, _)| *word == given.value).map(|(_, value)| *value);
    let names = words.iter().map(|(word, _)| *word);
    found.ok_or_else(|| {
        source.error(given.place, format!("{key} cannot be {:?}{}", given.value, among(given.value, names)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"name = "adaptation"
about = "what it is about"
seed = 7
games = ["breakthrough:5", "nogo:4"]
budgets = ["sims=10", "sims=20"]
games-per-cell = 5

[players]
uct = "uct"
mast = "uct+mast"
ppa = "uct+ppa"
"#;

    fn read(text: &str) -> Result<Experiment, FileError> {
        load("file.toml", text, &OpenGames::default())
    }

    fn error(from: &str, to: &str) -> String {
        assert!(GOOD.contains(from), "{from}");
        read(&GOOD.replace(from, to)).expect_err(to).to_string()
    }

    #[test]
    fn cells_are_games_times_budgets_times_pairings() {
        let experiment = read(GOOD).unwrap();
        assert_eq!((experiment.name.as_str(), experiment.seed, experiment.stop), ("adaptation", 7, None));
        let cells: Vec<String> = experiment.cells.iter().map(|planned| planned.cell.to_string()).collect();
        assert_eq!(cells.len(), 2 * 2 * 3);
        assert_eq!(cells[..2], ["breakthrough:5, sims=10, uct vs mast", "breakthrough:5, sims=10, uct vs ppa"]);
        assert!(experiment.cells.iter().all(|planned| planned.games == 6), "rounded up to whole rounds");

        let against = read(&GOOD.replace("seed = 7", "against = 'uct'")).unwrap();
        let pairings: Vec<_> = against.cells.iter().take(2).map(|planned| planned.cell.pairing()).collect();
        assert_eq!(pairings, ["mast vs uct", "ppa vs uct"]);
        let given = read(&GOOD.replace("seed = 7", "pairings = [['ppa', 'uct']]\nseats = 'given'")).unwrap();
        assert_eq!((given.cells.len(), given.cells[0].games, given.cells[0].cell.seats), (4, 5, Seats::Given));
    }

    #[test]
    fn tests_stop_cells() {
        let stop = "\n[stop]\nrule = 'sprt'\nelo0 = 0\nelo1 = 30.5\nalpha = 0.1\n";
        let sprt = read(&format!("{GOOD}{stop}")).unwrap().stop.unwrap();
        assert_eq!(sprt, Sprt { elo0: 0.0, elo1: 30.5, alpha: 0.1, beta: 0.05 });
        let error = |from: &str, to: &str| read(&format!("{GOOD}{}", stop.replace(from, to))).unwrap_err().to_string();
        assert_eq!(error("elo1 = 30.5", "elo1 = -1"), "file.toml:16:8: elo1 must be greater than elo0");
        assert_eq!(error("elo0 = 0\n", ""), "file.toml:13:1: elo0 is missing");
        assert_eq!(error("0.1", "2"), "file.toml:17:9: alpha and beta must be between 0 and 0.5");
        assert!(error("'sprt'", "'spr'").ends_with("rule cannot be \"spr\" (did you mean \"sprt\"?); known: sprt"));
    }

    #[test]
    fn errors_have_a_place_and_a_reason() {
        assert_eq!(
            error("budgets", "budegts"),
            "file.toml:5:1: unknown key \"budegts\" (did you mean \"budgets\"?); known: name, about, seed, games, \
             budgets, games-per-cell, seats, counting, pairings, against, players, stop"
        );
        assert!(
            error("nogo:4", "nogoo:4").starts_with("file.toml:4:28: unknown game \"nogoo\" (did you mean \"nogo\"?)")
        );
        assert!(error("sims=20", "simz=20").starts_with("file.toml:5:23: bad budget \"simz=20\""));
        assert!(error("uct+mast", "uct+mest").starts_with("file.toml:10:8: bad player \"uct+mest\""));
        assert_eq!(
            error("seed = 7", "seed = -7"),
            "file.toml:3:8: seed must be a whole number, 0 or more, not integer"
        );
        assert_eq!(
            error("games-per-cell = 5", "games-per-cell = 0"),
            "file.toml:6:18: games-per-cell must be 1 to 1000000000"
        );
        assert_eq!(error("name = \"adaptation\"\n", ""), "file.toml:1:1: name is missing");
        assert!(error("\"adaptation\"", "\"../x\"").contains("name must consist of letters"));
        assert!(
            error("seed = 7", "pairings = [['ppa', 'utc']]")
                .ends_with("(did you mean \"uct\"?); known: uct, mast, ppa")
        );
        assert!(error("seed = 7", "seats = 'al'").contains("seats cannot be \"al\""));
        assert!(
            error("seed = 7", "pairings = [['ppa', 'uct', 'mast']]").contains("has 2 roles: give 2 players, not 3")
        );
        assert!(error("nogo:4", "breakthrough:5").contains("appears twice"));
        assert!(error("seed = 7", "seed = ").starts_with("file.toml:3:"));
        let alone = "uct = \"uct\"\nmast = \"uct+mast\"\n";
        assert!(error(alone, "").contains("nothing to play"));
    }

    #[test]
    fn any_text_is_read_or_refused() {
        for end in 0..GOOD.len() {
            let _ = read(&GOOD[..end]);
        }
        for text in ["", "\u{0}", "name", "[players]\n[players]", "games = [[[[[[", "name = 1", "é = é"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
