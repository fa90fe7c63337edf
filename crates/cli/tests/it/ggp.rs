//! The guide to GGP matches is followed to the letter: its players are started, its matches played.

use crate::ludens::document::{all_blocks, document, follow, missing_links, words};
use crate::ludens::{command, finish, ludens};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

const GUIDE: &str = "docs/ggp.md";
const LUDENS: &str = "ludens ";

/// A player that ends with the test.
struct Player {
    child: Child,
    greeting: String,
}

impl Player {
    fn start(args: &[&str], folder: &Path) -> Player {
        let mut command = command(args);
        let pipes = command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = pipes.spawn().expect("the binary starts");
        let mut greeting = String::new();
        let out = child.stdout.as_mut().expect("a piped output");
        BufReader::new(out).read_line(&mut greeting).expect("a line of text");
        Player { child, greeting }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port().to_string()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a writable folder");
    folder
}

#[test]
fn the_guide_can_be_followed() {
    let folder = folder("ggp");
    // The usual port may be in use on this machine.
    let text =
        document(GUIDE).replace("9147", &free_port()).replace("9148", &free_port()).replace("0.0.0.0", "127.0.0.1");
    let port = text.split("listens on 127.0.0.1:").nth(1).expect("a greeting").split(' ').next().expect("a port");
    let mut players = Vec::new();
    let mut matches = 0;
    for block in all_blocks(&text) {
        match block.language {
            "console" => drop(follow(&block.lines, LUDENS, &folder)),
            "sh" => {
                for line in block.lines {
                    let Some(args) = line.strip_prefix(LUDENS) else {
                        assert!(line.starts_with("cargo install "), "{line}");
                        continue;
                    };
                    let mut args = words(args);
                    if args[0] == "player" {
                        if !args.contains(&"--port") {
                            args.extend(["--port", port]);
                        }
                        players.push(Player::start(&args, &folder));
                        continue;
                    }
                    let run = finish(command(&args).current_dir(&folder), "");
                    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{line}");
                    matches += run.out.matches("steps").count();
                }
            }
            other => panic!("a block in {other:?}"),
        }
    }
    assert!(text.contains(players[0].greeting.trim_end()), "{}", players[0].greeting);
    assert!(players[1].greeting.starts_with("Challenger listens on 127.0.0.1:"), "{}", players[1].greeting);
    assert_eq!(matches, 4, "one, two and one");
    let records: Vec<_> = std::fs::read_dir(folder.join("records")).expect("the folder of records").collect();
    assert_eq!(records.len(), 2);
    for record in records {
        let record = std::fs::read_to_string(record.expect("a file").path()).expect("a record");
        let record: serde_json::Value = serde_json::from_str(&record).expect("JSON");
        for (field, _) in record.as_object().expect("an object") {
            assert!(text.contains(&format!("`{field}`")), "{field} is not in the guide");
        }
        assert_eq!(record["isCompleted"], true);
        assert!(record["errors"].as_array().expect("rows").iter().all(|row| row[0] == "" && row[1] == ""), "{record}");
    }
    // What a browser would show.
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("it listens");
    stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it reads");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("a reply");
    assert!(page.ends_with("( ( name Ludens ) ( status available ) ( species computer ) )"), "{page}");
}

#[test]
fn every_link_leads_somewhere() {
    assert_eq!(missing_links(GUIDE), Vec::<PathBuf>::new());
}

#[test]
fn a_person_can_take_part() {
    let moves =
        "mark 9 9\n(mark 1 1)\nmark 2 2\nMARK 3 3\nmark 1 2\nmark 2 1\nmark 1 3\nmark 3 1\nmark 3 2\nmark 2 3\n";
    let args = ["referee", "gdl:tictactoe", "human", "random", "--play", "5", "--scramble", "--json"];
    let run = ludens(&args, moves);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("crosses, you have"), "{}", run.err);
    assert!(run.err.contains("legal moves: (mark 1 1), (mark 1 2)"), "{}", run.err);
    let result: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((&result["standings"][0]["matches"], &result["standings"][0]["illegal"]), (&1.into(), &0.into()));
}

#[test]
fn a_player_logs_to_a_file_and_says_where_it_is() {
    let folder = folder("log");
    let args = ["player", "--port", "0", "--log", "player.log", "--json"];
    let player = Player::start(&args, &folder);
    let greeting: serde_json::Value = serde_json::from_str(&player.greeting).expect("JSON");
    let address = greeting["address"].as_str().expect("an address");
    let run = ludens(&["referee", "gdl:nim", address, "random", "--start", "1", "--play", "1"], "");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let log = std::fs::read_to_string(folder.join("player.log")).expect("a log");
    assert!(log.contains("1 s to prepare, 1 s per step"), "{log}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_aborts_the_match_and_keeps_the_record() {
    let folder = folder("interrupt");
    let args = ["referee", "gdl:breakthrough", "uct", "uct+mast", "--start", "1", "--play", "30", "--records", "."];
    let child = command(&args).current_dir(&folder).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the binary starts");
    let pid = child.id().to_string();
    // Into the first step, whose clock is long.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let sent = std::process::Command::new("kill").args(["-INT", &pid]).status().expect("a way to send signals");
    assert!(sent.success());
    let begun = std::time::Instant::now();
    let output = child.wait_with_output().expect("it ends");
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(out.starts_with("match 1: aborted, ") && err.contains("stopped"), "{out}{err}");
    let records: Vec<_> =
        std::fs::read_dir(&folder).expect("the folder").map(|file| file.expect("a file").path()).collect();
    let [record] = &records[..] else { panic!("{records:?}") };
    let record: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(record).expect("a file")).expect("JSON");
    assert_eq!((&record["isAborted"], &record["isCompleted"]), (&true.into(), &false.into()));
}
