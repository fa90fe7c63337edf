//! Whole sessions, from bytes to bytes.

mod garbage;
mod sessions;

use ludens_gtp::{Engine, Input, Options, serve};
use ludens_search::{Budget, InMemory};
use std::io::Cursor;
use std::sync::Arc;

/// What the engine answers to a text, byte by byte.
fn answers(game: &str, input: impl Into<Vec<u8>>) -> String {
    let options = Options {
        player: "uct+mast@solver=on".parse().expect("a spec"),
        budget: None,
        default_budget: Budget::simulations(60),
        seed: 1,
        learned: Arc::new(InMemory::default()),
        log: Box::new(|line| panic!("{line}")),
    };
    let mut engine = Engine::new(ludens_catalog::open(game).expect("a game"), options).expect("a board game");
    let mut out = Vec::new();
    let mut input = Input::new(Cursor::new(input.into()));
    serve(&mut engine, &mut input, &mut out).expect("memory can be written");
    String::from_utf8(out).expect("replies are text")
}

/// The replies to a session, one per command.
fn replies(game: &str, session: &str) -> Vec<String> {
    let out = answers(game, session);
    out.split_terminator("\n\n").map(str::to_owned).collect()
}
