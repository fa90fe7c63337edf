//! Experiments end to end: killed and resumed, in shards, on a full disk.

use crate::ludens::{Run, command, finish, ludens};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// A folder of its own for each test, with the experiment in it.
struct Lab {
    folder: PathBuf,
}

const EXPERIMENT: &str = r#"name = "small"
seed = 5
games = ["breakthrough:5", "nogo:5", "misere-domineering:5"]
budgets = ["sims=40", "sims=120"]
games-per-cell = GAMES

[players]
ppa = "ppa2015/ppa"
uct = "ppa2015/uct"
"#;

impl Lab {
    fn new(name: &str, games: u32) -> Lab {
        let folder = std::env::temp_dir().join(format!("ludens-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a writable folder");
        let lab = Lab { folder };
        lab.write("small.toml", &EXPERIMENT.replace("GAMES", &games.to_string()));
        lab
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).expect("a writable folder");
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().expect("UTF-8").to_owned()
    }

    /// Runs `ludens experiment ARGS` with `--out` in the lab.
    fn run(&self, args: &[&str], out: &str) -> Run {
        let out = self.path(out);
        let file = self.path("small.toml");
        let args: Vec<&str> = args.iter().map(|arg| if *arg == "FILE" { file.as_str() } else { arg }).collect();
        ludens(&[&["experiment"], &args[..], &["--out", &out]].concat(), "")
    }

    fn ok(&self, args: &[&str], out: &str) -> Run {
        let run = self.run(args, out);
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
        run
    }

    /// The statistics that must be the same byte by byte.
    fn statistics(&self, out: &str) -> String {
        let read = |name: &str| std::fs::read_to_string(Path::new(&self.path(out)).join(name)).expect(name);
        ["report.csv", "report.json", "report.html", "counts.csv"].map(read).concat()
    }

    fn games(&self, out: &str) -> usize {
        let text = std::fs::read(Path::new(&self.path(out)).join("games.jsonl")).unwrap_or_default();
        String::from_utf8_lossy(&text).matches("{\"game\":{").count()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Differs from run to run: the test must hold for all of them.
fn clock() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| u64::from(time.subsec_nanos()))
}

#[test]
fn killed_twenty_times_or_on_more_threads_the_statistics_are_the_same() {
    let lab = Lab::new("killed", 120);
    lab.ok(&["run", "FILE", "--threads", "1"], "whole");
    let expected = lab.statistics("whole");
    assert_eq!(lab.games("whole"), 6 * 120);

    lab.ok(&["run", "FILE", "--threads", "2"], "threads");
    assert_eq!(lab.statistics("threads"), expected);

    let (file, out) = (lab.path("small.toml"), lab.path("killed"));
    let mut interrupted = 0;
    for kill in 0..20 {
        let mut child = command(&["experiment", "run", &file, "--out", &out, "--threads", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        std::thread::sleep(Duration::from_millis(10 + clock() % 90));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        interrupted += u32::from(lab.games("killed") < 6 * 120);
        if kill % 3 == 0 {
            // A kill hardly ever hits the middle of a line; this does.
            let journal = Path::new(&out).join("games.jsonl");
            // On a busy machine the kill may come before there is a journal.
            let Ok(bytes) = std::fs::read(&journal) else { continue };
            let cut = bytes.len().saturating_sub(1 + clock() as usize % 40);
            std::fs::write(&journal, &bytes[..cut]).expect("the journal can be cut");
        }
    }
    lab.ok(&["run", "FILE"], "killed");
    assert_eq!(lab.statistics("killed"), expected);
    assert!(interrupted >= 5, "only {interrupted} kills came before the end");
}

#[test]
fn a_torn_line_is_repaired_and_said_and_nothing_is_played_twice() {
    let lab = Lab::new("torn", 4);
    lab.ok(&["run", "FILE"], "out");
    let expected = lab.statistics("out");
    let journal = lab.folder.join("out/games.jsonl");
    let bytes = std::fs::read(&journal).expect("a journal");
    std::fs::write(&journal, &bytes[..bytes.len() - 30]).expect("it can be cut");
    let run = lab.ok(&["run", "FILE"], "out");
    assert!(run.err.contains("note: repaired") && run.err.contains("removed an incomplete last line"), "{}", run.err);
    assert_eq!(lab.statistics("out"), expected);
    assert_eq!(lab.games("out"), 24);
    let again = lab.ok(&["run", "FILE"], "out");
    assert_eq!((again.err.as_str(), lab.games("out")), ("", 24));

    let text = String::from_utf8(bytes).expect("UTF-8");
    std::fs::write(&journal, text.replacen("{\"game\":{\"cell\"", "{\"game\":{\"sell\"", 1)).expect("writable");
    let bad = lab.run(&["run", "FILE"], "out");
    assert_eq!(bad.code, Some(2));
    assert!(bad.err.contains("games.jsonl:") && bad.err.contains("not a record: missing field `cell`"), "{}", bad.err);
}

#[test]
fn four_shards_merged_are_the_whole() {
    let lab = Lab::new("shards", 10);
    lab.ok(&["run", "FILE"], "whole");
    for index in 0..4 {
        let run = lab.ok(&["run", "FILE", "--shard", &format!("{index}/4")], "shards");
        assert!(run.err.contains("ludens experiment merge"), "{}", run.err);
    }
    let merged = lab.ok(&["merge", "FILE"], "shards");
    assert_eq!(merged.err, "");
    assert_eq!(lab.statistics("shards"), lab.statistics("whole"));

    // The index also comes from a scheduler.
    let (file, out) = (lab.path("small.toml"), lab.path("slurm"));
    let mut slurm = command(&["experiment", "run", &file, "--out", &out, "--shard", "/4"]);
    assert_eq!(finish(slurm.env("SLURM_ARRAY_TASK_ID", "2"), "").code, Some(0));
    let one = std::fs::read_to_string(Path::new(&out).join("games-2of4.jsonl")).expect("the third shard");
    assert!(one.contains("\"index\":2,") && !one.contains("\"index\":1,"));

    // A hole.
    let shard = |n: u32| lab.path(&format!("shards/games-{n}of4.jsonl"));
    let hole = lab.run(&["merge", "FILE", &shard(0), &shard(1), &shard(3)], "hole");
    assert_eq!(hole.code, Some(2));
    let expected = "hole: breakthrough:5, sims=40, ppa vs uct lacks games 2, 6";
    assert!(hole.err.contains(expected), "{}", hole.err);
    // A duplicate.
    let all: Vec<String> = (0..4).map(shard).chain([out.clone()]).collect();
    let args: Vec<&str> = ["merge", "FILE"].into_iter().chain(all.iter().map(String::as_str)).collect();
    let twice = lab.run(&args, "twice");
    assert_eq!(twice.code, Some(0), "{}", twice.err);
    assert!(
        twice.err.contains("duplicate: game 2 of breakthrough:5, sims=40, ppa vs uct was played twice: "),
        "{}",
        twice.err
    );
    assert_eq!(lab.statistics("twice"), lab.statistics("whole"));
    // Other seeds, of the experiment and of a game.
    let text = std::fs::read_to_string(&file).expect("the experiment");
    lab.write("small.toml", &text.replace("seed = 5", "seed = 6"));
    let seeds = lab.run(&["merge", "FILE", &shard(0)], "seeds");
    assert_eq!(seeds.code, Some(2));
    assert!(seeds.err.contains("was played with seed 5; the experiment has seed 6"), "{}", seeds.err);
    lab.write("small.toml", &text);
    let games = std::fs::read_to_string(shard(0)).expect("a shard");
    let place = games.find("\"seed\":\"").expect("a game has a seed") + 8;
    let changed = if &games[place..=place] == "0" { "1" } else { "0" };
    lab.write("forged.jsonl", &format!("{}{changed}{}", &games[..place], &games[place + 1..]));
    let forged = lab.run(&["merge", "FILE", &lab.path("forged.jsonl")], "forged");
    assert_eq!(forged.code, Some(2));
    assert!(forged.err.contains("forged.jsonl: game 0 of ") && forged.err.contains("has seed"), "{}", forged.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_no_finished_game() {
    let lab = Lab::new("full", 10);
    lab.ok(&["run", "FILE"], "whole");
    let (file, out) = (lab.path("small.toml"), lab.path("full"));
    // A limit on the size of files is as good as a full disk, and needs no disk.
    let script =
        format!("trap '' XFSZ; ulimit -f 16; exec {} experiment run {file} --out {out}", env!("CARGO_BIN_EXE_ludens"));
    let full = finish(std::process::Command::new("sh").args(["-c", &script]), "");
    assert_eq!(full.code, Some(1), "{}", full.err);
    assert!(full.err.contains("games.jsonl") && full.err.contains("earlier games are saved"), "{}", full.err);
    let safe = lab.games("full");
    assert!(safe > 0 && safe < 60, "{safe}");
    let rest = lab.ok(&["run", "FILE"], "full");
    assert_eq!(rest.err, "", "nothing had to be repaired");
    assert_eq!(lab.statistics("full"), lab.statistics("whole"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_finished_games_and_says_how_to_go_on() {
    let lab = Lab::new("interrupt", 100_000);
    let (file, out) = (lab.path("small.toml"), lab.path("out"));
    let child = command(&["experiment", "run", &file, "--out", &out])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    while lab.games("out") < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("there is a kill").success());
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains(&format!("to continue: ludens experiment run {file}")), "{said}");
    let journal = std::fs::read_to_string(lab.folder.join("out/games.jsonl")).expect("a journal");
    assert!(journal.ends_with("}\n"), "the last line is whole");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains(" left") && shown.contains("report.html"), "{shown}");
}

#[test]
fn one_game_is_played_again_alone() {
    let lab = Lab::new("replay", 4);
    let before = lab.ok(&["replay", "FILE", "--cell", "3", "--game", "1"], "out");
    assert!(before.out.contains("not recorded yet"), "{}", before.out);
    lab.ok(&["run", "FILE"], "out");
    let after = lab.ok(&["replay", "FILE", "--cell", "3", "--game", "1"], "out");
    assert!(after.out.contains("game 1 of nogo:5, sims=120, ppa vs uct"), "{}", after.out);
    assert!(after.out.contains("same game as recorded"), "{}", after.out);
    assert_eq!(before.out.lines().nth(3), after.out.lines().nth(3), "the moves");

    let plan = lab.ok(&["plan", "FILE", "--json"], "out");
    let plan: serde_json::Value = serde_json::from_str(&plan.out).expect("JSON");
    assert_eq!((&plan[3]["games"], &plan[3]["done"]), (&4.into(), &4.into()));
    let name = plan[3]["cell"].as_str().expect("a name");
    let named = lab.ok(&["replay", "FILE", "--cell", name, "--game", "1"], "out");
    assert_eq!(named.out, after.out);
    for (args, reason) in [
        (["--cell", "6", "--game", "1"], "give a number from 0 to 5"),
        (["--cell", "0", "--game", "4"], "has games 0 to 3"),
    ] {
        let bad = lab.run(&[&["replay", "FILE"], &args[..]].concat(), "out");
        assert_eq!(bad.code, Some(2));
        assert!(bad.err.contains(reason), "{}", bad.err);
    }
}

#[test]
fn bad_files_are_one_line_with_their_place() {
    let lab = Lab::new("bad", 4);
    let text = std::fs::read_to_string(lab.path("small.toml")).expect("the experiment");
    for (from, to, reason) in [
        ("budgets", "budgest", "small.toml:4:1: unknown key \"budgest\" (did you mean \"budgets\"?)"),
        ("nogo:5", "nogo:99", "small.toml:3:28: nogo: size cannot be \"99\""),
        ("ppa2015/uct", "ppa2015/utc", "small.toml:9:7: bad player"),
    ] {
        lab.write("small.toml", &text.replace(from, to));
        for command in ["run", "plan", "report", "merge"] {
            let bad = lab.run(&[command, "FILE"], "out");
            assert_eq!((bad.code, bad.out.as_str()), (Some(2), ""), "{command} {to}");
            assert!(bad.err.contains(reason) && bad.err.lines().count() == 1, "{command}: {}", bad.err);
        }
    }
    lab.write("small.toml", &text);
    let nothing = lab.run(&["report", "FILE"], "out");
    assert_eq!(nothing.code, Some(2));
    assert!(nothing.err.contains("has no records"), "{}", nothing.err);
    for shard in ["4/4", "x", "/4"] {
        let bad = lab.run(&["run", "FILE", "--shard", shard], "out");
        assert_eq!(bad.code, Some(2), "{shard}");
        assert_eq!(bad.err.lines().count(), 1, "{}", bad.err);
    }
}

#[test]
fn a_table_of_a_paper_is_played_and_compared() {
    let lab = Lab::new("paper", 4);
    let out = lab.path("results");
    let reproduce = |args: &[&str]| ludens(&[&["reproduce"], args, &["--out", &out]].concat(), "");
    let some = ["ppa2015/1", "--only", "breakthrough:5", "--only", "misere-knightthrough:5", "--budget", "sims=1000"];
    let run = reproduce(&[&some[..], &["--games", "3"]].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert!(run.out.contains("misere-knightthrough:5") && run.out.contains(" 95.8 "), "{}", run.out);
    assert!(run.out.contains("agree, ") && run.out.contains("ppa2015-1.html"), "{}", run.out);
    assert_eq!(lab.games("results/ppa2015"), 8, "rounded up to both seatings");
    let more = reproduce(&[&some[..], &["--games", "6", "--json"]].concat());
    assert_eq!((more.code, lab.games("results/ppa2015")), (Some(0), 12), "{}", more.err);
    let list: serde_json::Value = serde_json::from_str(&more.out).expect("JSON");
    let measured: Vec<_> = list.as_array().expect("a list").iter().filter(|row| !row["ours"].is_null()).collect();
    assert_eq!(measured.len(), 2);
    assert_eq!((&measured[0]["game"], &measured[0]["ours"]["games"]), (&"breakthrough:5".into(), &6.into()));

    let state = reproduce(&[]);
    let line = state.out.lines().find(|line| line.contains("ppa2015/1 ")).expect("a line per table");
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words[words.len() - 10..][..4], ["20,000", "12", "40", "2"], "{line}");
    let docs = lab.path("docs");
    assert_eq!(reproduce(&["--report", &docs]).code, Some(0));
    let page = std::fs::read_to_string(Path::new(&docs).join("reproduction.md")).expect("a page");
    assert!(page.contains("| ppa2015/1 | breakthrough:5 | sims=1000 | ppa(alpha=1) | uct | 60.0 |"), "{page}");

    for (args, reason) in [
        (&["ppa2016"][..], "unknown paper \"ppa2016\"; papers: tak2012, ppa2015"),
        (&["tak2012/I,XII"], "tak2012 has no table \"XII\"; tables: I, II"),
        (&["ppa2015/1,1-eyes", "--budget", "sims=7"], "games: atarigo:5"),
        (&["ppa2015/1", "--only", "chess"], "no cell matches --only and --budget; games: atarigo:5"),
        (&["ppa2015/1", "--budget", "sims=7"], "budgets: sims=1000, sims=10000"),
    ] {
        let bad = reproduce(args);
        assert_eq!(bad.code, Some(2), "{args:?}");
        assert!(bad.err.contains(reason), "{}", bad.err);
    }
}

#[test]
fn a_report_that_goes_on_keeps_the_points_and_times_of_the_earlier_one() {
    let lab = Lab::new("goes-on", 4);
    let reproduce = |args: &[&str], out: &str| {
        let run = ludens(&[&["reproduce"], args, &["--out", &lab.path(out)]].concat(), "");
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
    };
    let times = |folder: &str| -> Vec<String> {
        let page = std::fs::read_to_string(Path::new(&lab.path(folder)).join("reproduction.md")).expect("a page");
        let (_, table) = page.split_once("## sironi2021 Table 4").expect("the table of times");
        let rows = table.lines().filter(|line| line.starts_with("| gdl:connect4 |"));
        rows.map(|row| row.split(" | ").nth(3).expect("a time").to_owned()).collect()
    };
    let play = ["sironi2021/4", "--only", "connect4", "--games"];
    reproduce(&[&play[..], &["2"]].concat(), "first");
    let (first, second) = (lab.path("first"), lab.path("second"));
    reproduce(&["--report", &first], "first");
    let known = format!("{first}/reproduction.csv");
    assert!(times("first").iter().all(|time| time != "-"), "{:?}", times("first"));
    // Without records all stays as it is.
    reproduce(&["--report", &second, "--with", &known], "nothing");
    assert_eq!(times("second"), times("first"));
    let csv = |folder: &str| std::fs::read_to_string(format!("{folder}/reproduction.csv")).expect("figures");
    assert_eq!(csv(&second), csv(&first));
    // Two games more are added.
    reproduce(&[&play[..], &["4", "--with", &known]].concat(), "more");
    assert_eq!(lab.games("more/sironi2021"), 4 * 2);
    reproduce(&["--report", &second, "--with", &known], "more");
    let both = csv(&second);
    let line =
        both.lines().find(|line| line.starts_with("sironi2021/4,gdl:connect4,sims=1000,mast,random")).expect("a line");
    assert!(line.contains(",4,"), "{line}");
}

#[test]
fn counts_of_earlier_runs_add_up_without_their_records() {
    let lab = Lab::new("counts", 10);
    lab.ok(&["run", "FILE"], "whole");
    let read = |out: &str, name: &str| std::fs::read_to_string(Path::new(&lab.path(out)).join(name)).expect(name);
    let whole = read("whole", "counts.csv");
    let name = "game,budget,player,against,cell,games,points,next\nbreakthrough:5,sims=40,ppa,uct,";
    assert!(whole.starts_with(name) && whole.lines().count() == 7, "{whole}");

    // Four games a cell, then the rest in a folder that has no records of them; one budget after the other.
    let text = std::fs::read_to_string(lab.path("small.toml")).expect("the experiment");
    lab.write("small.toml", &text.replace("games-per-cell = 10", "games-per-cell = 4"));
    lab.ok(&["run", "FILE"], "first");
    lab.write("small.toml", &text);
    let first = lab.path("first/counts.csv");
    let run = lab.ok(&["run", "FILE", "--with", &first, "--budget", "sims=40"], "second");
    assert_eq!(lab.games("second"), 3 * 6);
    assert!(run.out.contains("Of 42 games 24 are only counted"), "{}", run.out);
    assert!(!run.out.contains(" won ") && run.out.contains("6 left"), "{}", run.out);
    let second = lab.path("second/counts.csv");
    lab.ok(&["run", "FILE", "--with", &first, "--with", &second], "third");
    assert_eq!(lab.games("third"), 3 * 6, "the second file counts more games of the other budget");
    assert_eq!(read("third", "counts.csv"), whole);

    // The report of all games has the same rates as that of their records.
    let third = lab.path("third/counts.csv");
    let counted = lab.ok(&["report", "FILE", "--with", &third, "--json"], "counted");
    let recorded = lab.ok(&["report", "FILE", "--json"], "whole");
    let cells = |run: &Run| -> Vec<serde_json::Value> {
        let report: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        report["cells"].as_array().expect("a list").clone()
    };
    for (counted, recorded) in cells(&counted).iter().zip(&cells(&recorded)) {
        for key in ["cell", "games", "rate", "interval", "elo", "wanted"] {
            assert_eq!(counted[key], recorded[key], "{key}");
        }
        assert_eq!((&counted["counted"], &recorded["counted"]), (&10.into(), &0.into()));
    }

    // Counts of other players do not count.
    lab.write("small.toml", &text.replace("\"ppa2015/uct\"", "\"uct+mast\""));
    let other = lab.ok(&["report", "FILE", "--with", &third, "--json"], "counted");
    assert!(other.err.contains("note: --with: 6 cells left out") && cells(&other)[0]["games"] == 0, "{}", other.err);
    assert_eq!(read("counted", "counts.csv").lines().count(), 1);
    lab.write("small.toml", &text);

    lab.write("bad.csv", &whole.replacen(",10,", ",x,", 1));
    let bad = lab.path("bad.csv");
    let stop = text.clone() + "[stop]\nrule = \"sprt\"\nelo0 = 0\nelo1 = 10\n";
    lab.write("stop.toml", &stop);
    let stop = lab.path("stop.toml");
    for (args, reason) in [
        (&["run", "FILE", "--with", &bad][..], "bad.csv: line 2: \"x\" is not a number of games"),
        (&["report", "FILE", "--with", "nowhere.csv"], "nowhere.csv: "),
        (&["run", &stop, "--with", &third], "small has a sequential test"),
        (
            &["run", "FILE", "--only", "chess"],
            "games: breakthrough:5, nogo:5, misere-domineering:5; budgets: sims=40, sims=120",
        ),
        (&["run", "FILE", "--with", &third, "--plan", &bad], "cannot be used with"),
    ] {
        let bad = lab.run(args, "bad");
        assert_eq!((bad.code, bad.err.lines().count()), (Some(2), 1), "{args:?}: {}", bad.err);
        assert!(bad.err.contains(reason), "{args:?}: {}", bad.err);
    }
}

#[test]
fn tasks_of_a_plan_merged_are_the_whole_whichever_of_them_died() {
    let lab = Lab::new("tasks", 10);
    lab.ok(&["run", "FILE"], "whole");
    let planned_in = |folder: &str, args: &[&str]| -> serde_json::Value {
        let run = lab.ok(&[&["plan", "FILE", "--json"], args].concat(), folder);
        serde_json::from_str(&run.out).expect("JSON")
    };
    let planned = |args: &[&str]| planned_in("tasks", args);
    let plan = planned(&["--tasks", "5", "--for", "slurm"]);
    assert_eq!((&plan["tasks"], &plan["games"], &plan["measured_cells"]), (&5.into(), &60.into(), &0.into()));
    let seconds = |key: &str| plan[key].as_f64().expect("seconds");
    assert!(seconds("longest") < 2.0 * seconds("shortest"), "{plan}");
    let script = std::fs::read_to_string(plan["script"].as_str().expect("a path")).expect("a script");
    assert!(script.contains("#SBATCH --array=0-4\n") && !script.contains("gpu"), "{script}");
    let on_gpu = planned_in("on-gpu", &["--tasks", "5", "--for", "slurm", "--engine", "gpu"]);
    let script = std::fs::read_to_string(on_gpu["script"].as_str().expect("a path")).expect("a script");
    assert!(script.contains("#SBATCH --gpus-per-task=1\n") && script.ends_with("--engine gpu\n"), "{script}");
    let path = plan["plan"].as_str().expect("a path");

    // Three tasks are played, one of them by an index from a scheduler; of the last the end is lost.
    let (file, out) = (lab.path("small.toml"), lab.path("tasks"));
    let run = ["run", "FILE", "--plan", path, "--threads", "1", "--task"];
    lab.ok(&[&run[..], &["0"]].concat(), "tasks");
    lab.ok(&[&run[..], &["3"]].concat(), "tasks");
    let mut job = command(&["experiment", "run", &file, "--out", &out, "--plan", path]);
    assert_eq!(finish(job.env("HQ_TASK_ID", "1"), "").code, Some(0));
    let journals = std::fs::read_dir(&out).expect("a folder").map(|file| file.expect("a file").path());
    let torn = journals.filter(|path| path.to_string_lossy().ends_with("-3.jsonl")).collect::<Vec<_>>();
    let bytes = std::fs::read(&torn[0]).expect("a journal");
    std::fs::write(&torn[0], &bytes[..bytes.len() - 30]).expect("it can be cut");

    let status = || -> serde_json::Value {
        let run = ludens(&["experiment", "status", &out, "--json"], "");
        assert_eq!(run.code, Some(0), "{}", run.err);
        serde_json::from_str(&run.out).expect("JSON")
    };
    let half = status();
    assert_eq!((&half["plans"][0]["complete"], &half["plans"][0]["left"]), (&2.into(), &"2-4".into()), "{half}");
    let left = half["plans"][0]["games_left"].as_u64().expect("a number");
    assert_eq!(half["done"].as_u64(), Some(60 - left));
    let shown = ludens(&["experiment", "status", &out], "");
    assert!(
        shown.out.contains("2 of 5 tasks complete; ") && shown.out.contains(" games left in tasks 2-4"),
        "{}",
        shown.out
    );

    // What is left becomes another plan, with costs that are measured by now.
    let rest = planned(&["--tasks", "2", "--for", "parallel"]);
    assert_eq!(rest["games"].as_u64(), Some(left));
    assert!(rest["measured_cells"].as_u64() >= Some(1), "{rest}");
    let path = rest["plan"].as_str().expect("a path");
    for task in ["0", "1"] {
        lab.ok(&["run", "FILE", "--plan", path, "--task", task], "tasks");
    }
    assert_eq!(status()["done"], 60);
    let merged = lab.ok(&["merge", "FILE"], "tasks");
    assert!(merged.err.lines().all(|line| line.contains("ignored the last line")), "{}", merged.err);
    assert_eq!(lab.statistics("tasks"), lab.statistics("whole"));
    // All is in one file now, and nothing is left to plan.
    assert_eq!(lab.games("tasks"), 60);
    let nothing = lab.run(&["plan", "FILE", "--tasks", "2", "--for", "slurm"], "tasks");
    assert!(nothing.code == Some(2) && nothing.err.contains("nothing to plan"), "{}", nothing.err);
    for (args, reason) in [
        (&["run", "FILE", "--plan", path, "--task", "7"][..], "there is no task 7"),
        (&["run", "FILE", "--plan", path], "give --task"),
        (&["run", "FILE", "--plan", &file, "--task", "0"], "is not a plan"),
        (&["plan", "FILE", "--tasks", "3"], "--for"),
        (&["plan", "FILE", "--tasks", "3", "--for", "pbs"], "hyperqueue, slurm, kubernetes, parallel"),
    ] {
        let bad = lab.run(args, "tasks");
        assert_eq!((bad.code, bad.err.lines().count()), (Some(2), 1), "{args:?}: {}", bad.err);
        assert!(bad.err.contains(reason), "{args:?}: {}", bad.err);
    }
    let lost = ludens(&["experiment", "status", &lab.path("nowhere")], "");
    assert!(lost.code == Some(2) && lost.err.contains("is this a folder of records?"), "{}", lost.err);
}
