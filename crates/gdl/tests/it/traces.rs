//! Traces that were written are followed, and differences are told in words.

use crate::support::{interpreter, opened};
use ludens_game::Seed;
use ludens_gdl::trace::{self, TraceError, Walks};

const TIC_TAC_TOE: &str = include_str!("sheets/tictactoe.kif");

fn written() -> String {
    let game = interpreter("tictactoe", TIC_TAC_TOE);
    let mut text = String::new();
    let written = trace::write(&game, Walks { count: 5, max_steps: 6, seed: Seed::new(2) }, |line| {
        text.push_str(line);
        text.push('\n');
    });
    assert_eq!(written, Ok(()));
    text
}

fn follow(text: &str) -> Result<trace::Followed, TraceError> {
    match opened("tictactoe", TIC_TAC_TOE).engine {
        ludens_gdl::Engine::Machine(machine) => trace::follow(&*machine, text),
        ludens_gdl::Engine::Interpreter { reason, .. } => panic!("{reason}"),
    }
}

#[test]
fn one_engine_follows_the_other() {
    let text = written();
    assert!(text.lines().any(|line| line.contains("\"cut\":true")), "no walk was cut");
    let followed = follow(&text).unwrap();
    assert_eq!(followed.walks, 5);
    assert_eq!(followed.states as usize, text.lines().filter(|line| line.contains("facts_sha")).count());
}

#[test]
fn differences_have_a_place_and_words() {
    let text = written();
    let message = |text: &str| follow(text).unwrap_err().to_string();
    let other_role = text.replacen("xplayer", "zplayer", 1);
    assert!(message(&other_role).contains("only in the trace [\"zplayer\"]"), "{}", message(&other_role));
    let missing = text.replacen("\"(cell 2 2 b)\",", "", 1);
    assert!(message(&missing).contains("only here [\"(cell 2 2 b)\"]"), "{}", message(&missing));
    let legal = text.replacen("\"(mark 3 3)\"", "\"(mark 4 4)\"", 1);
    assert!(message(&legal).contains("walk 0, step 0: the legal moves of role 1"), "{}", message(&legal));
    let ended = text.replacen("\"terminal\":false", "\"terminal\":true", 3);
    assert!(message(&ended).contains("walk 0, step 0: whether the game is over"), "{}", message(&ended));
}

#[test]
fn broken_lines_are_named() {
    let text = written();
    let cut: String = text.chars().take(text.len() / 2).collect();
    let line = cut.lines().count();
    assert!(matches!(follow(&cut), Err(TraceError::Malformed { line: at, .. }) if at == line));
}
