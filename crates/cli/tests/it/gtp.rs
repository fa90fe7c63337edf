//! `ludens gtp` with another program at the board: GNU Go plays whole games, and both count alike.

use crate::ludens::{command, document::document, ludens, refused_in_one_line};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// An engine behind a pipe.
struct Engine {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Engine {
    fn start(mut command: Command) -> Engine {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
        let (stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        Engine { child, stdin, stdout: BufReader::new(stdout) }
    }

    /// The answer to a command.
    fn ask(&mut self, line: &str) -> String {
        writeln!(self.stdin, "{line}").expect("the engine listens");
        let mut reply = String::new();
        while !reply.ends_with("\n\n") {
            let read = self.stdout.read_line(&mut reply).expect("replies are text");
            assert!(read > 0, "the engine left after {line}: {reply}");
        }
        let answer = reply.strip_prefix('=').unwrap_or_else(|| panic!("{line}: {reply}"));
        answer.trim().to_owned()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where GNU Go is, if it is.
fn gnugo() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([Path::new("/usr/games").to_owned()]);
    folders.map(|folder| folder.join("gnugo")).find(|file| file.is_file())
}

/// Plays a game; the moves and how each engine counts it.
fn game(black: &mut Engine, white: &mut Engine) -> (Vec<String>, [String; 2]) {
    for engine in [&mut *black, &mut *white] {
        for command in ["boardsize 9", "clear_board", "komi 7.5"] {
            engine.ask(command);
        }
    }
    let mut moves: Vec<String> = Vec::new();
    while !moves.ends_with(&["PASS".into(), "PASS".into()]) {
        assert!(moves.len() < 240, "the game has no end: {moves:?}");
        let (colour, mover, other) = if moves.len().is_multiple_of(2) {
            ("b", &mut *black, &mut *white)
        } else {
            ("w", &mut *white, &mut *black)
        };
        let mv = mover.ask(&format!("genmove {colour}")).to_uppercase();
        other.ask(&format!("play {colour} {mv}"));
        moves.push(mv);
    }
    (moves, [black.ask("final_score"), white.ask("final_score")])
}

#[test]
fn gnugo_plays_whole_games_and_counts_alike() {
    let Some(gnugo) = gnugo() else {
        eprintln!("SKIPPED: this test needs gnugo");
        return;
    };
    let gnugo = || {
        let mut command = Command::new(&gnugo);
        // With these it plays until dead stones are captured, and counts areas as we do.
        command.args(["--mode", "gtp", "--level", "1", "--seed", "1", "--chinese-rules", "--capture-all-dead"]);
        Engine::start(command)
    };
    let ours = || Engine::start(command(&["gtp", "go:9,eyes=on", "--player", "uct+mast@solver=on", "--sims", "300"]));
    for (mut black, mut white) in [(ours(), gnugo()), (gnugo(), ours())] {
        let (moves, [by_black, by_white]) = game(&mut black, &mut white);
        assert!(moves.len() > 20, "{moves:?}");
        assert_eq!(by_black, by_white, "{moves:?}");
    }
}

#[test]
fn the_game_in_the_guide_is_as_it_says() {
    let text = document("docs/gtp.md");
    let moves = text.lines().find_map(|line| line.strip_prefix("    1. ")).expect("the moves of a game");
    let score = text.split("final score is `").nth(1).and_then(|rest| rest.split('`').next()).expect("its score");
    let plays =
        moves.split_whitespace().zip(["b", "w"].iter().cycle()).map(|(mv, colour)| format!("play {colour} {mv}\n"));
    let run = ludens(&["gtp", "go:9,eyes=on"], format!("komi 7.5\n{}final_score\n", plays.collect::<String>()));
    assert!(!run.out.contains('?'), "{}", run.out);
    assert_eq!(run.out.trim_end().lines().last(), Some(format!("= {score}").as_str()));
    assert!(text.contains("info move ") && text.contains("kata-analyze"), "a recorded analysis");
}

#[test]
fn games_for_other_protocols_are_refused() {
    refused_in_one_line(&[
        (&["gtp", "breakthrough:5"], &["GTP cannot play breakthrough:5x5", "not single points"]),
        (&["gtp", "go:9", "--json"], &["GTP only", "ludens engine"]),
        (&["gtp", "go:9", "--player", "magic"], &["selection rules: uct"]),
        (&["gtp"], &["<GAME>"]),
    ]);
}
