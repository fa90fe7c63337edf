//! Players that search: what there is of them, what they think, how they play.

use crate::ludens::{command, ludens, refused_in_one_line};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The single JSON value that a successful run prints.
fn json_of(args: &[&str]) -> Value {
    let run = ludens(&[args, &["--json"]].concat(), "");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{args:?}");
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{args:?}: {error} in {}", run.out))
}

fn text_of(args: &[&str]) -> String {
    let run = ludens(args, "");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{args:?}");
    run.out
}

fn names<'v>(list: &'v Value, key: &str) -> Vec<&'v str> {
    list.as_array().expect("an array").iter().map(|row| row[key].as_str().expect("a text")).collect()
}

#[test]
fn policies_lists_what_a_player_is_made_of() {
    let parts = json_of(&["policies"]);
    let (selects, policies) = (names(&parts["selects"], "name"), names(&parts["policies"], "name"));
    let settings = names(&parts["settings"], "name");
    assert!(selects.contains(&"uct") && policies.contains(&"ppa") && settings.contains(&"threads"), "{parts}");
    let named = |list: &str, name: &str| {
        parts[list].as_array().expect("a list").iter().find(|part| part["name"] == name).expect(name).clone()
    };
    assert_eq!(named("policies", "mast")["papers"], json!(["tak2012", "ppr2016", "sironi2021"]));
    let expected = json!({
        "name": "mem", "kind": "bytes", "allowed": "at least 64KiB", "default": "1GiB",
        "about": "memory for the tree; a full tree stops growing",
    });
    assert_eq!(named("settings", "mem"), expected);
    assert_eq!(named("selects", "uct")["params"][3]["allowed"], "random|first|last|policy");

    let text = text_of(&["policies"]);
    for name in selects.iter().chain(&policies).chain(&settings).chain(&[
        "c=0.4",
        "fpu=inf",
        "alpha=1",
        "0 to 1000000",
        "on|off",
    ]) {
        assert!(text.contains(name), "{name} is missing in\n{text}");
    }
}

#[test]
fn presets_are_players_and_say_where_they_differ() {
    let papers = json_of(&["presets"]);
    let text = text_of(&["presets"]);
    let mut papers_of_presets = BTreeSet::new();
    for preset in papers.as_array().expect("papers").iter().flat_map(|paper| paper["presets"].as_array().expect("some"))
    {
        let (name, spec) = (preset["name"].as_str().expect("a name"), preset["spec"].as_str().expect("a spec"));
        assert!(text.contains(name) && text.contains(spec), "{preset}");
        assert!(!preset["about"].as_str().expect("a text").is_empty(), "{preset}");
        papers_of_presets.insert(name.split('/').next().expect("a split has a first part"));
    }
    assert_eq!(papers_of_presets, names(&papers, "paper").into_iter().collect(), "every paper has presets");
    assert!(text.contains("as its public source has it"), "{text}");
}

#[test]
fn analyze_reports_the_whole_search() {
    let args = ["analyze", "breakthrough:5", "--moves", "a2-a3 b4-b3", "--player", "grave+ppa", "--sims", "300"];
    let report = json_of(&args);
    assert_eq!((&report["game"], &report["role"]), (&json!("breakthrough:5x5"), &json!("white")));
    assert_eq!(
        (&report["step"], &report["player"], &report["budget"]),
        (&json!(2), &json!("grave+ppa"), &json!("sims=300"))
    );
    let arms = report["arms"].as_array().expect("arms");
    let visits: Vec<u64> = arms.iter().map(|arm| arm["visits"].as_u64().expect("visits")).collect();
    assert!(visits.is_sorted_by(|a, b| a >= b) && visits.iter().sum::<u64>() == 300, "{visits:?}");
    assert_eq!(report["move"], arms[0]["move"]);
    assert_eq!(report["line"][0], report["move"]);
    for field in ["score", "amaf"] {
        assert!((0.0..=1.0).contains(&arms[0][field].as_f64().expect(field)), "{report}");
    }
    assert_eq!(report["simulations"], 300);
    assert_eq!(names(&report["policy"], "move").len(), arms.len());
    for field in ["nodes", "bytes", "steps", "seconds", "simulations_per_s"] {
        assert!(report[field].as_f64().expect(field) > 0.0, "{report}");
    }
    assert_eq!(report["is_full"], false);
    let again = json_of(&args);
    assert_eq!(again["arms"], report["arms"], "the seed decides");
    let full = text_of(&["analyze", "breakthrough:5", "--player", "uct@mem=64KiB"]);
    assert!(full.contains("MiB, full (raise the setting mem"), "{full}");

    let text = text_of(&[&args[..], &["--top", "2"]].concat());
    let beginning = "breakthrough:5x5 after 2 steps, white to move: grave+ppa, sims=300, seed 1\n\n move";
    assert!(text.starts_with(beginning), "{text}");
    for label in ["visits", "amaf", "more", "\nplays ", "\nexpects ", "\nlikes ", "\ndislikes ", "\ntree ", "\neffort "]
    {
        assert!(text.contains(label), "{label:?} is missing in\n{text}");
    }
    assert!(!text.contains('\x1b'), "live pictures are for terminals");
}

#[test]
fn the_default_player_tells_what_it_plays_with() {
    let text = ludens(&["analyze", "gdl:connect4", "--sims", "300"], "").out;
    let line = text.lines().find(|line| line.starts_with("playouts ")).expect(&text);
    for policy in ["mast(tau=0.1) ", "lgrf+nst(eps=0.2) ", "ppa(alpha=0.32) "] {
        assert!(line.contains(policy) && line.contains(" % (score 0."), "{line}");
    }
    let told = json_of(&["analyze", "gdl:connect4", "--sims", "300"]);
    let shares = told["playouts"].as_array().expect("the policies of auto");
    let sum: f64 = shares.iter().map(|share| share["share"].as_f64().expect("a share")).sum();
    assert!(shares.len() == 3 && (sum - 1.0).abs() < 1e-9, "{told}");
}

#[test]
fn analyze_proves_and_needs_no_search_for_an_only_move() {
    let won = json_of(&["analyze", "domineering:2", "--player", "uct@solver=on"]);
    assert_eq!(won["proven"], 1.0);
    assert!(won["simulations"].as_u64() < Some(100), "{won}");
    let only = json_of(&["analyze", "domineering:2x3", "--moves", "a1-a2"]);
    assert_eq!((&only["move"], &only["simulations"], &only["arms"]), (&json!("a3-b3"), &json!(0), &json!([])));
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_an_analysis_with_what_there_is() {
    use std::{process::Stdio, thread::sleep, time::Duration};
    let mut long = command(&["analyze", "havannah:4", "--budget", "ms=600000", "--json"]);
    let child = long.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let status = format!("/proc/{}/status", child.id());
    let catches_interrupts = || {
        let status = std::fs::read_to_string(&status).expect("the process lives");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a mask").trim().to_owned();
        u64::from_str_radix(&caught, 16).expect("hexadecimal digits") & 0b10 != 0
    };
    while !catches_interrupts() {
        sleep(Duration::from_millis(10));
    }
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("there is a kill").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(report["simulations"].as_u64() > Some(0) && report["seconds"].as_f64() < Some(300.0), "{report}");
}

/// The events of a game at the keyboard.
fn events(args: &[&str], input: &str) -> Vec<Value> {
    let run = ludens(&[&["play", "--json"], args].concat(), input);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{args:?}");
    run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn of_kind<'v>(events: &'v [Value], kind: &str) -> Vec<&'v Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

#[test]
fn an_engine_reports_what_it_thinks_of_its_move() {
    let events = events(&["breakthrough:5", "--against", "uct+ppa", "--sims", "200"], "a2-a3\n");
    assert_eq!(events[0]["opponent"], "uct+ppa");
    let thoughts = of_kind(&events, "thought");
    assert_eq!(thoughts.len(), 1);
    assert_eq!((&thoughts[0]["role"], &thoughts[0]["simulations"]), (&json!("black"), &json!(200)));
    assert_eq!(thoughts[0]["move"], of_kind(&events, "move")[1]["moves"]["black"]);
    assert_eq!(thoughts[0]["line"][0], thoughts[0]["move"]);

    let text = ludens(&["play", "breakthrough:5", "--as", "black", "--sims", "50"], "").out;
    assert!(
        text.starts_with(
            "breakthrough:5x5: you are black, amaf+lasting@discount=0.999,leaf=count,solver=on,decisive=1 plays white. Type"
        ),
        "{text}"
    );
    assert!(text.contains("\nwhite expects ") && text.contains("; 50 simulations in "), "{text}");
}

#[test]
fn undo_brings_an_engine_back_in_step() {
    let game = ["breakthrough:6", "--against", "uct+nst", "--sims", "150", "--seed", "7"];
    let last_line = |events: &[Value]| of_kind(events, "thought").last().expect("a thought")["line"].clone();
    let straight = events(&game, "a2-a3\n");
    let reply = last_line(&straight)[0].as_str().expect("a move").to_owned();
    // At the start again: as if the moves taken back had never been.
    assert_eq!(last_line(&events(&game, "e2-e3\nundo\na2-a3\n")), last_line(&straight));
    // Later: as one who comes to the position.
    let undone = events(&game, "a2-a3\nc2-c3\nundo\ne2-e3\n");
    assert_eq!(of_kind(&undone, "undone")[0]["step"], 2);
    let begun = events(&[&game[..], &["--moves", &format!("a2-a3 {reply}")]].concat(), "e2-e3\n");
    assert_eq!(last_line(&undone), last_line(&begun));
}

#[test]
fn engines_play_to_the_end_without_people() {
    let events = events(&["havannah:3", "--as", "none", "--against", "sironi2021/mast", "--sims", "30"], "");
    assert_eq!(events[0]["people"], json!([]));
    let over = events.last().expect("an end");
    assert_eq!((&over["event"], &over["how"]), (&json!("over"), &json!("finished")));
    assert!(!of_kind(&events, "thought").is_empty());
}

const MATCH: [&str; 10] =
    ["match", "breakthrough:5", "ppa2015/ppa", "uct", "--games", "10", "--sims", "50", "--seed", "3"];

#[test]
fn a_match_has_rates_and_intervals() {
    let result = json_of(&MATCH);
    let head = ["game", "budget", "seed", "games"].map(|key| &result[key]);
    assert_eq!(head, [&json!("breakthrough:5x5"), &json!("sims=50"), &json!(3), &json!(10)]);
    let players = result["players"].as_array().expect("players");
    assert_eq!(names(&result["players"], "spec"), ["uct(unvisited=first,ties=first)+ppa(keep=0)@reuse=off", "uct"]);
    let number = |player: &Value, key: &str| player[key].as_f64().unwrap_or_else(|| panic!("{key} in {player}"));
    for player in players {
        assert_eq!(number(player, "wins") + number(player, "draws") + number(player, "losses"), 10.0);
        assert_eq!(number(player, "rate"), 10.0 * (number(player, "wins") + number(player, "draws") / 2.0));
        let (low, rate, high) = (number(player, "low"), number(player, "rate"), number(player, "high"));
        assert!(0.0 <= low && low <= rate && rate <= high && high <= 100.0, "{player}");
        assert!(number(player, "simulations_per_s") > 0.0);
    }
    assert_eq!(number(&players[0], "rate") + number(&players[1], "rate"), 100.0);

    let text = text_of(&MATCH);
    assert!(text.starts_with("breakthrough:5x5, sims=50, seed 3: 10 games of "), "{text}");
    assert_eq!(text.lines().count(), 5, "{text}");
}

#[test]
fn a_match_is_the_same_on_any_number_of_threads() {
    let result = |threads: &str, seed: &str| {
        let mut args = MATCH;
        args[9] = seed;
        let mut result = json_of(&[&args[..], &["--threads", threads]].concat());
        for player in result["players"].as_array_mut().expect("players") {
            player["simulations_per_s"].take();
        }
        result
    };
    assert_eq!(result("1", "3"), result("2", "3"));
    assert_ne!(result("1", "3"), result("1", "4"));
}

#[test]
fn bad_players_and_budgets_are_one_line_with_the_choices() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["match", "go:5", "ppa", "uct"], &["ppa is a policy", "uct+ppa"]),
        (&["match", "go:5", "uct+pppa", "uct"], &["no policy \"pppa\"", "policies: uniform, mast"]),
        (&["match", "go:5", "uct(c=x)", "uct"], &["uct: c cannot be \"x\"; allowed: 0 to"]),
        (&["match", "go:5", "uct", "ppa2015/xyz"], &["no preset \"ppa2015/xyz\"", "sironi2021/nppa1"]),
        (&["match", "go:5", "uct"], &["go:5x5 has 2 roles: give 2 players, not 1"]),
        (&["match", "go:5", "uct", "uct", "uct"], &["give 2 players, not 3"]),
        (&["match", "go:5"], &["<PLAYERS>"]),
        (&["match", "go:5", "uct", "rave", "--sims", "0"], &["'0'", "1 to"]),
        (&["match", "go:5", "uct", "rave", "--games", "-4"], &["'-4'", "1 to"]),
        (&["match", "go:5", "uct", "rave", "--budget", "hours=1"], &["limits: sims, steps, ms, nodes, start, play"]),
        (&["match", "go:5", "uct", "rave", "--budget", "ms=1", "--sims", "5"], &["cannot be used with"]),
        (&["match", "go:5", "uct", "rave", "--threads", "0"], &["'0'", "1 to 1024"]),
        (&["match", "gho:5", "uct", "rave"], &["unknown game \"gho\""]),
        (&["analyze", "go:5", "--player", "uct@reus=on"], &["unknown parameter \"reus\" (did you mean \"reuse\"?)"]),
        (&["analyze", "go:5", "--as", "red"], &["no role \"red\"", "black, white"]),
        (&["analyze", "go:5", "--as", "white"], &["white has no choice here", "black"]),
        (&["analyze", "go:5", "--moves", "a1 a1"], &["move 2: a1 is taken"]),
        (&["analyze", "domineering:2", "--moves", "a1-a2"], &["the game is over"]),
        (&["play", "go:5", "--as", "none", "--against", "human"], &["--as none needs --against random"]),
        (&["play", "go:5", "--against", "uct+"], &["'uct+'", "human, random", "no policy \"\""]),
        (&["bench", "--signature", "--policies"], &["cannot be used with"]),
        (&["bench", "--network", "breakthrough"], &["breakthrough has no rulesheet to send"]),
        (&["bench", "--policies", "chess"], &["unknown game \"chess\""]),
    ];
    refused_in_one_line(cases);
}

#[test]
fn bench_measures_the_network_player() {
    let rows = json_of(&["bench", "--network", "gdl:breakthrough"]);
    let [row] = &rows.as_array().expect("a list")[..] else { panic!("{rows}") };
    let number = |name: &str| row[name].as_f64().expect("a number");
    // The margin is at most half of the clock, and an answer never comes after it.
    assert!((0.5..1.0).contains(&number("clock_used")), "{row}");
    assert!(number("player_simulations_per_second") > 0.0 && number("search_simulations_per_second") > 0.0, "{row}");
}

#[test]
fn bench_measures_what_learning_costs() {
    let args = ["bench", "--policies", "domineering:4", "--runs", "1"];
    let rows = json_of(&args);
    let specs = names(&rows, "spec");
    assert_eq!(specs[..2], ["uct", "uct+uniform"]);
    assert!(specs.contains(&"rave+ppr") && specs.contains(&"uct+nppa"), "{specs:?}");
    for row in rows.as_array().expect("rows") {
        for field in ["ms_per_1000_simulations", "steps_per_simulation", "ns_per_step", "ratio"] {
            assert!(row[field].as_f64().expect(field) > 0.0, "{row}");
        }
    }
    assert_eq!(rows[1]["ratio"], 1.0);
    assert_eq!(text_of(&args).lines().count(), specs.len() + 4);
}

/// If a change of a search is meant, `ludens bench --signature` prints the new value to commit.
#[test]
fn the_searches_find_what_they_found() {
    let found = json_of(&["bench", "--signature"]);
    assert_eq!(found["signature"], found["committed"], "{found}");
}

#[test]
fn a_game_for_one_player_tells_the_mean_score() {
    let args = ["match", "gdl:pegs", "random", "--games", "6"];
    let told = json_of(&args);
    assert_eq!(told["measure"], "mean score");
    let player = &told["players"][0];
    let rate = player["rate"].as_f64().expect("a rate");
    assert!(rate > 0.0 && rate < 100.0, "random moves leave some pegs: {player}");
    assert_eq!((&player["wins"], &player["losses"]), (&json!(0), &json!(0)), "there is nobody to win against");
    let text = text_of(&args);
    assert!(text.contains("mean score") && !text.contains("win rate") && !text.contains("won"), "{text}");
    refused_in_one_line(&[(&["match", "gdl:pegs", "uct", "uct"], &["has 1 role: give 1 player, not 2"])]);
}

#[test]
fn random_is_a_player_everywhere() {
    let told = json_of(&["match", "breakthrough:5", "uct", "random", "--games", "6", "--sims", "200"]);
    assert_eq!(told["players"][1]["spec"], "random");
    assert!(told["players"][0]["wins"].as_u64() >= Some(5), "{told}");
    assert_eq!(told["players"][1]["simulations_per_s"], 0.0);
    let in_lanes = ["match", "gdl:nim", "random", "random", "--games", "40", "--sims", "1", "--engine"];
    let result = |engine: &str| json_of(&[&in_lanes[..], &[engine]].concat())["players"].clone();
    assert_eq!(result("lanes"), result("machine"));
    refused_in_one_line(&[(&["analyze", "breakthrough:5", "--player", "random"], &["random does not search"])]);
}

#[test]
fn one_game_of_a_match_can_be_played_alone() {
    let args = ["match", "nogo:4", "uct", "random", "--sims", "20", "--seed", "5"];
    let wins = |more: &[&str]| json_of(&[&args[..], more].concat())["players"][0]["wins"].as_u64().expect("a number");
    let alone: u64 = ["0", "1", "2", "3"].iter().map(|number| wins(&["--game", number])).sum();
    assert_eq!(alone, wins(&["--games", "4"]));
    let text = text_of(&[&args[..], &["--game", "3"]].concat());
    assert!(text.contains("seed 5: 1 game of "), "{text}");
}

#[test]
fn lanes_are_refused_where_there_are_none() {
    let lanes = |game, player, budget| ["match", game, player, "uct", "--budget", budget, "--engine", "lanes"];
    refused_in_one_line(&[
        (&lanes("breakthrough:5", "uct", "sims=5"), &["breakthrough:5x5 has no lanes", "--engine auto"]),
        (&lanes("gdl:nim", "uct", "ms=5"), &["wait for each other", "--engine auto"]),
    ]);
}

/// Where there is no GPU, one line says what is missing; where there is one, it plays the games that the processor plays.
#[test]
fn a_gpu_plays_the_same_games_or_says_what_is_missing() {
    let arguments = |engine| {
        ["match", "gdl:tictactoe", "uct+mast", "uct", "--games", "6", "--sims", "20", "--engine", engine, "--json"]
    };
    let run = ludens(&arguments("gpu"), "");
    if run.code == Some(0) {
        let machine = json_of(&arguments("machine")[..10]);
        let gpu: Value = serde_json::from_str(&run.out).expect("JSON");
        for key in ["games", "mean_length"] {
            assert_eq!(gpu[key], machine[key]);
        }
        let wins = |outcome: &Value| -> Vec<Value> {
            outcome["players"].as_array().expect("players").iter().map(|player| player["wins"].clone()).collect()
        };
        assert_eq!(wins(&gpu), wins(&machine));
    } else {
        println!("SKIPPED: {}", run.err.trim());
        let missing = ["NVIDIA driver", "NVRTC"].iter().any(|what| run.err.contains(what));
        assert!(run.code == Some(2) && missing && run.err.lines().count() == 1, "{run:?}");
    }
}
