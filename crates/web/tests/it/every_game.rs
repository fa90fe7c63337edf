//! The default player survives every game when it is asked by the page: three moves under a short clock from a random
//! position, on the whole catalogue and, where they are at hand, on real rulesheets.

use crate::client::Client;
use ludens_catalog::{GAMES, SHEETS};
use ludens_game::{Rng, Seed};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
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

/// Some random steps, then three moves of the default player at one table. The number of roles, and whether several decide at
/// the start.
fn play(client: &Client, game: &str, player: &str) -> Result<(usize, bool), String> {
    let mut rng = Seed::new(1).named(game).rng();
    let mut moves: Vec<String> = Vec::new();
    let mut seen = Seen::ask(client, game, &moves)?;
    let kind = (seen.0["legal"].as_array().expect("moves").len(), seen.roles("deciders").len() > 1);
    for _ in 0..rng.below(8) {
        let mut longer = moves.clone();
        longer.push(seen.step(&mut rng, None));
        let next = Seen::ask(client, game, &longer)?;
        if next.is_over() {
            break;
        }
        (moves, seen) = (longer, next);
    }
    for _ in 0..3 {
        let role = seen.roles("deciders").first().copied().unwrap_or(0);
        let told = client.answer(&json!({
            "game": game, "moves": moves, "role": role, "player": player, "budget": BUDGET, "seed": 1, "table": game,
        }));
        let mv = told["move"].as_str().ok_or_else(|| told.to_string())?;
        if !seen.moves(role).iter().any(|legal| legal == mv) {
            return Err(format!("{mv} is not legal after {moves:?}"));
        }
        moves.push(seen.step(&mut rng, Some((role, mv))));
        seen = Seen::ask(client, game, &moves)?;
        if seen.is_over() {
            break;
        }
    }
    Ok(kind)
}

/// Plays all games on all processors; `open` brings one to the server and gives its name there. There must be games of every
/// kind.
fn survive(games: &[String], open: impl Fn(&Client, &str) -> Option<String> + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let client = Client::start(threads, PathBuf::from("no-results"));
    let player = client.get("/api/choices").json()["player"].as_str().expect("a player").to_owned();
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let kinds = Mutex::new(BTreeSet::new());
    let work = || {
        while let Some(game) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(name) = open(&client, game) else {
                eprintln!("LEFT OUT: {game} cannot be opened");
                continue;
            };
            let mut played = play(&client, &name, &player);
            // While one thread waits for a slow sheet the other may open so many that the page forgets it. The page says what to
            // do: open it again.
            if played.as_ref().is_err_and(|why| why.contains("no longer loaded")) && open(&client, game).is_some() {
                played = play(&client, &name, &player);
            }
            match played {
                Ok((roles, at_once)) => drop(kinds.lock().unwrap().insert((roles.min(3), at_once))),
                Err(why) => failed.lock().unwrap().push(format!("{game}: {why}")),
            }
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{} of {} games:\n{}", failed.len(), games.len(), failed.join("\n"));
    // One role, two and more; in turns and at the same time.
    let kinds = kinds.into_inner().unwrap();
    assert!([(1, false), (2, false), (2, true), (3, false)].iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
}

#[test]
fn the_page_survives_the_catalogue() {
    let native = GAMES.iter().flat_map(|entry| {
        let [least, _] = entry.params[0].kind.bounds().expect("the first parameter is the size");
        let smallest = format!("{}:{least}", entry.name);
        [entry.name.to_owned(), smallest]
    });
    let sheets = SHEETS.iter().flat_map(|sheet| ["gdl", "misere-gdl"].map(|form| format!("{form}:{}", sheet.name)));
    let games: Vec<String> = native.chain(sheets).collect();
    survive(&games, |_, game| Some(game.to_owned()));
}

#[test]
fn the_page_survives_real_sheets() {
    survive(&ludens_gdl::testing::real_sheet_files(), |client, file| {
        let text = String::from_utf8_lossy(&std::fs::read(file).ok()?).into_owned();
        let name = PathBuf::from(file).file_name()?.to_str()?.to_owned();
        let checked = client.post("/api/sheet", &json!({ "name": name, "text": text }));
        checked.json()["game"].as_str().map(str::to_owned)
    });
}
