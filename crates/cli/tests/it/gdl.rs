//! `ludens gdl` on small sheets.

use crate::ludens::{Run, ludens};
use serde_json::Value;
use std::path::PathBuf;

const PILE: &str = "\
(role white)
(succ 0 1)
(succ 1 2)
(init (pile 2))
(<= (legal white (take ?n)) (true (pile ?n)))
(<= (next (pile ?m)) (true (pile ?n)) (does white (take ?n)) (succ ?m ?n))
(<= terminal (true (pile 0)))
(<= (goal white 100) (true (pile 0)))
";

/// A file with this text, for one test.
fn file(name: &str, text: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the file is written");
    path.into_os_string().into_string().expect("the path is text")
}

fn gdl(args: &[&str]) -> Run {
    ludens(&[&["gdl"], args].concat(), "")
}

fn lines(run: &Run) -> Vec<Value> {
    run.out.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn check_is_content_with_a_good_sheet() {
    let sheet = file("good.kif", PILE);
    let run = gdl(&["check", &sheet]);
    assert_eq!((run.code, run.out), (Some(0), format!("{sheet}: no errors, no warnings\n")));
    assert_eq!(gdl(&["check", &sheet, "--json"]).out, "[]\n");
}

#[test]
fn check_tells_everything_and_exits_with_2() {
    let sheet = file("bad.kif", format!("{PILE}(suc 4 ?x)\n(true x)\n"));
    let run = gdl(&["check", &sheet]);
    assert_eq!(run.code, Some(2));
    for part in ["a fact contains the variable ?x", "9 │ (suc 4 ?x)", "`true` cannot be a head", "2 errors, 1 warning"]
    {
        assert!(run.out.contains(part), "{part} is missing in {}", run.out);
    }
    let run = gdl(&["check", &sheet, "--json"]);
    assert_eq!(run.code, Some(2));
    let remarks = &lines(&run)[0];
    assert_eq!(remarks.as_array().map(Vec::len), Some(3));
    assert_eq!(remarks[1]["severity"], "error");
    assert_eq!((&remarks[1]["line"], &remarks[1]["column"]), (&9.into(), &8.into()));
}

#[test]
fn other_commands_refuse_bad_sheets_with_one_line() {
    let sheet = file("broken.kif", format!("{PILE}(suc 4 ?x)\n(true x)\n"));
    for command in ["info", "ground", "walk"] {
        let run = gdl(&[command, &sheet]);
        assert_eq!((run.code, run.err.lines().count(), run.out.as_str()), (Some(2), 1, ""), "{command}: {}", run.err);
        assert!(
            run.err.contains("broken.kif:9:8: a fact contains the variable ?x (the first of 2 errors"),
            "{}",
            run.err
        );
    }
    let run = gdl(&["check", "/no/such/file.kif"]);
    assert_eq!((run.code, run.err.lines().count()), (Some(2), 1), "{}", run.err);
}

#[test]
fn info_tells_what_becomes_of_a_sheet() {
    let sheet = file("info.kif", PILE);
    let run = gdl(&["info", &sheet]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    for part in [
        "info is played by the machine",
        "role white, moves 3: take 3",
        "facts 3: pile 3",
        "network",
        "lanes, goals",
        "ms",
    ] {
        assert!(run.out.contains(part), "{part} is missing in {}", run.out);
    }
    let info = &lines(&gdl(&["info", &sheet, "--json"]))[0];
    assert_eq!((&info["engine"], &info["roles"][0]["name"]), (&"machine".into(), &"white".into()));
    assert_eq!(info["facts"][0]["count"], 3);
    assert!(info["stages"].as_array().is_some_and(|stages| stages.len() > 3));
}

#[test]
fn ground_prints_instances() {
    let sheet = file("ground.kif", PILE);
    let run = gdl(&["ground", &sheet]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.lines().any(|line| line == "(<= terminal (true (pile 0)))"), "{}", run.out);
    let instances = lines(&gdl(&["ground", &sheet, "--json"]));
    assert_eq!(instances.len(), run.out.lines().count());
    assert!(
        instances.iter().any(|instance| instance["head"] == "terminal" && instance["body"][0] == "(true (pile 0))")
    );
}

#[test]
fn walks_can_be_followed_by_either_engine() {
    let sheet = file("walk.kif", PILE);
    let walk = gdl(&["walk", &sheet, "--seed", "7", "--walks", "2"]);
    assert_eq!(walk.code, Some(0), "{}", walk.err);
    let told = lines(&walk);
    assert_eq!(told[0]["initial"], serde_json::json!(["(pile 2)"]));
    assert_eq!(told.len(), 1 + 2 * 3);
    assert_eq!(told[3]["goals"], serde_json::json!([100]));
    assert_eq!(gdl(&["walk", &sheet, "--seed", "7", "--walks", "2", "--interpret"]).out, walk.out);

    let trace = file("walk.jsonl", &walk.out);
    for more in [&[][..], &["--interpret"]] {
        let run = gdl(&[&["walk", &sheet, "--follow", &trace], more].concat());
        assert_eq!((run.code, run.out.as_str()), (Some(0), "walk: 2 walks with 6 states agree\n"));
    }
    let wrong = file("wrong.jsonl", walk.out.replace("[100]", "[50]"));
    let run = gdl(&["walk", &sheet, "--follow", &wrong]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("walk 0, step 2: the goals"), "{}", run.out);
    let run = gdl(&["walk", &sheet, "--follow", &sheet]);
    assert_eq!((run.code, run.err.lines().count()), (Some(2), 1));
}

#[test]
fn bytes_that_are_no_text_are_read_in_comments() {
    let sheet = file("latin.kif", [b"; caf\xe9\n", PILE.as_bytes()].concat());
    assert_eq!(gdl(&["check", &sheet]).code, Some(0));
}

#[test]
fn bench_plays_sheets_in_lanes_or_one_by_one() {
    let sheet = file("bench.kif", PILE);
    for (asked, played) in [("auto", "lanes"), ("lanes", "lanes"), ("machine", "machine"), ("interp", "interp")] {
        let run = ludens(&["bench", &sheet, "--engine", asked, "--seconds", "0.02", "--runs", "2", "--json"], "");
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        let row = &lines(&run)[0][0];
        assert_eq!(row["engine"], played, "{row}");
        assert_eq!(row["mean_length"], 2.0, "every game has two steps: {row}");
        assert_eq!(row["mean_branching"], 1.0, "{row}");
    }
}
