//! The default player when it is asked by the page: three moves from a random position.

use super::client::Client;
use ludens_catalog as catalog;
use ludens_game::{Rng, Seed};
use serde_json::{Value, json};
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// Slow sheets need the whole clock for a few simulations; quick ones would make a thousand, which show no more than a hundred.
const BUDGET: &str = "sims=100,ms=10";

/// A position as the page gets it.
struct Seen(Value);

impl Seen {
    fn ask(client: &Client, game: &str, moves: &[String]) -> Result<Seen, String> {
        let answer = client.post("/api/position", &json!({ "game": game, "moves": moves }));
        if answer.status == 200 { Ok(Seen(answer.json())) } else { Err(answer.error()) }
    }

    fn is_over(&self) -> bool {
        !self.0["scores"].is_null()
    }

    fn roles(&self, key: &str) -> Vec<usize> {
        self.0[key].as_array().expect("roles").iter().map(|role| role.as_u64().expect("a number") as usize).collect()
    }

    fn moves(&self, role: usize) -> Vec<String> {
        let legal = self.0["legal"][role].as_array().expect("moves");
        legal.iter().map(|mv| mv["name"].as_str().expect("a name").to_owned()).collect()
    }

    /// A step in which one role may have chosen, and chance decides for the others.
    fn step(&self, rng: &mut Rng, chosen: Option<(usize, &str)>) -> String {
        let mut name = |role: usize| match chosen {
            Some((chooser, mv)) if chooser == role => mv.to_owned(),
            _ => {
                let moves = self.moves(role);
                moves[rng.below(moves.len() as u32) as usize].clone()
            }
        };
        self.roles("movers").into_iter().map(&mut name).collect::<Vec<_>>().join(" / ")
    }
}

/// The page, at which games are opened and played.
pub(super) struct Page {
    client: Client,
    /// The default player.
    player: String,
}

impl Page {
    /// The page of a server with so many threads that search.
    pub(super) fn start(threads: usize) -> Page {
        let client = Client::start(threads, PathBuf::from("no-results"));
        let player = client.get("/api/choices").json()["player"].as_str().expect("a player").to_owned();
        Page { client, player }
    }

    /// The name of a game at the page, which is given the text of a file.
    fn open(&self, game: &str) -> Result<String, String> {
        if !catalog::is_file(game) {
            return Ok(game.to_owned());
        }
        let bytes = std::fs::read(game).map_err(|error| error.to_string())?;
        let (text, name) = (String::from_utf8_lossy(&bytes), Path::new(game).file_name().and_then(OsStr::to_str));
        let checked = self.client.post("/api/sheet", &json!({ "name": name, "text": text })).json();
        checked["game"].as_str().map(str::to_owned).ok_or_else(|| checked.to_string())
    }

    /// Some random steps, then three moves of the default player at one table. The number of roles, and whether several decide at
    /// the start.
    pub(super) fn play(&self, game: &str, seed: Seed) -> Result<(usize, bool), String> {
        let played = self.play_opened(&self.open(game)?, seed);
        // While one thread waits for a slow sheet the other may open so many that the page forgets it. The page says what to do: open
        // it again.
        if played.as_ref().is_err_and(|why| why.contains("no longer loaded")) {
            return self.play_opened(&self.open(game)?, seed);
        }
        played
    }

    fn play_opened(&self, game: &str, seed: Seed) -> Result<(usize, bool), String> {
        let mut rng = seed.rng();
        let mut moves: Vec<String> = Vec::new();
        let mut seen = Seen::ask(&self.client, game, &moves)?;
        let kind = (seen.0["legal"].as_array().expect("moves").len(), seen.roles("deciders").len() > 1);
        for _ in 0..rng.below(8) {
            let mut longer = moves.clone();
            longer.push(seen.step(&mut rng, None));
            let next = Seen::ask(&self.client, game, &longer)?;
            if next.is_over() {
                break;
            }
            (moves, seen) = (longer, next);
        }
        for _ in 0..3 {
            let role = seen.roles("deciders").first().copied().unwrap_or(0);
            let told = self.client.answer(&json!({
                "game": game, "moves": moves, "role": role, "player": self.player, "budget": BUDGET, "seed": 1, "table": game,
            }));
            let mv = told["move"].as_str().ok_or_else(|| told.to_string())?;
            if !seen.moves(role).iter().any(|legal| legal == mv) {
                return Err(format!("{mv} is not legal after {moves:?}"));
            }
            moves.push(seen.step(&mut rng, Some((role, mv))));
            seen = Seen::ask(&self.client, game, &moves)?;
            if seen.is_over() {
                break;
            }
        }
        Ok(kind)
    }
}
