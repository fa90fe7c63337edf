//! Experiments as the page reads them.

use crate::client::Client;
use ludens_game::{Role, Turn};
use serde_json::json;
use std::path::PathBuf;

/// The moves of a game in which everybody plays the first legal one, and its scores.
fn first_moves(game: &str) -> (Vec<String>, Vec<f64>) {
    let mut position = ludens_catalog::open(game).expect("a game").start();
    let mut moves = Vec::new();
    loop {
        if let Some(scores) = position.scores() {
            return (moves, scores);
        }
        let Turn::One(role) = position.turn() else { panic!("{game} is alternating") };
        let joint: Vec<_> = Role::all(2).map(|role| position.legals(role)[0]).collect();
        moves.push(position.move_name(role, joint[role.index()]));
        position.advance(&joint);
    }
}

/// A folder with the records of three games of one experiment, the last line of which is being written.
fn folder(name: &str, game: &str) -> PathBuf {
    let cell = serde_json::from_value(json!({
        "game": game, "budget": "sims=10",
        "players": [{ "name": "mast", "spec": "uct+mast" }, { "name": "plain", "spec": "uct" }],
    }));
    folder_of(name, &cell.expect("a cell"))
}

/// The same with games of this cell.
fn folder_of(name: &str, cell: &ludens_arena::Cell) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ludens-web-{name}-{}", std::process::id()));
    let records = folder.join(name);
    std::fs::create_dir_all(&records).expect("a folder");
    let id = cell.id(1);
    let line = |kind: &str, value: serde_json::Value| json!({ kind: value }).to_string();
    let mut described = serde_json::to_value(cell).expect("a cell is JSON");
    described["id"] = json!(id.to_string());
    described["seed"] = json!(1);
    let (moves, scores) = first_moves(&cell.game);
    let game = |index: u64, seats: [usize; 2]| {
        line(
            "game",
            json!({ "cell": id.to_string(), "index": index, "seed": "0000000000000007", "seats": seats,
            "scores": scores, "end": "terminal", "steps": moves.len(), "simulations": [20, 20], "ms": [1.0, 1.0],
            "moves": moves }),
        )
    };
    let session =
        line("session", json!({ "experiment": name, "version": "0.1.0", "machine": "a machine", "begun": 1 }));
    let lines = [session, line("cell", described), game(0, [0, 1]), game(1, [1, 0]), game(2, [0, 1])];
    std::fs::write(records.join("games.jsonl"), lines.join("\n") + "\n{\"game\":{\"cell\":").expect("written");
    folder
}

#[test]
fn experiments_lead_down_to_single_games() {
    let folder = folder("small", "breakthrough:5x5");
    let client = Client::start(1, folder.clone());
    let list = client.get("/api/results").json();
    assert_eq!(list["experiments"][0]["name"], "small");
    assert_eq!(list["experiments"][0]["games"], 3, "{list}");
    let one = client.get("/api/results/small").json();
    let table = one["blocks"].as_array().expect("blocks").iter().find(|block| block["table"].is_object());
    let row = &table.expect("a table")["table"]["rows"][0];
    let (moves, scores) = first_moves("breakthrough:5x5");
    // White sat at the first player's place in two of three games, and the same colour won all of them.
    let rate = if scores[0] == 1.0 { "66.7" } else { "33.3" };
    assert_eq!((&row[0], &row[4]), (&json!("breakthrough:5x5"), &json!(rate)), "{row}");
    assert!(one["blocks"].as_array().expect("blocks").iter().any(|block| block["plot"].is_string()));
    let id = one["cells"][0].as_str().expect("a cell");
    let cell = client.get(&format!("/api/results/small/{id}")).json();
    assert_eq!(cell["games"].as_array().map(Vec::len), Some(3));
    // The same role wins every game, and the first player has it in the first and the third.
    let curve = cell["curve"].as_array().expect("a curve");
    let rates: Vec<_> = curve.iter().map(|stand| stand["rate"].as_f64().expect("a rate")).collect();
    let expected = if scores[0] == 1.0 { [1.0, 0.5, 2.0 / 3.0] } else { [0.0, 0.5, 1.0 / 3.0] };
    assert_eq!(rates, expected);
    let width = |stand: &serde_json::Value| stand["high"].as_f64().expect("high") - stand["low"].as_f64().expect("low");
    assert!(width(&curve[2]) < width(&curve[0]), "intervals shrink");
    let page = client.get(&format!("/api/results/small/{id}?from=1&count=1")).json();
    assert_eq!((&page["total"], &page["games"][0]["index"], &page["games"][1]), (&json!(3), &json!(1), &json!(null)));
    let none = client.get("/api/results?from=1").json();
    assert_eq!((&none["total"], &none["experiments"]), (&json!(1), &json!([])), "pages of the list");
    assert_eq!(client.get("/api/results").json()["experiments"], list["experiments"], "what is remembered");
    let game = client.get(&format!("/api/results/small/{id}/2")).json();
    assert_eq!((&game["game"]["moves"], &game["sheet"]), (&json!(moves), &json!(null)));
    let position = client.post("/api/position", &json!({ "game": game["opens"], "moves": game["game"]["moves"] }));
    assert_eq!(position.json()["scores"], json!(scores));
    for path in ["small/0000000000000000", "small/xyz", &format!("small/{id}/99"), "..%2f", "..", "nothing"] {
        let status = client.get(&format!("/api/results/{path}")).status;
        assert!(status == 404 || status == 400, "{path}: {status}");
    }
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn games_of_a_rulesheet_in_a_file_open_while_it_is_the_same() {
    let sheet = std::env::temp_dir().join(format!("ludens-web-sheet-{}.kif", std::process::id()));
    let rules = ludens_catalog::rules("gdl:tictactoe").expect("a rulesheet");
    std::fs::write(&sheet, &*rules).expect("written");
    let path = sheet.display().to_string();
    let folder = folder("sheets", &path);
    let client = Client::start(1, folder.clone());
    let id = client.get("/api/results/sheets").json()["cells"][0].as_str().expect("a cell").to_owned();
    let open = || client.get(&format!("/api/results/sheets/{id}/0"));
    let game = open().json();
    assert_eq!((game["sheet"]["text"].as_str(), &game["cell"]["game"]), (Some(&*rules), &json!(path)));
    assert!(game["opens"].as_str().is_some_and(|name| name.starts_with("sheet:ludens-web-sheet-")), "{game}");
    let position = client.post("/api/position", &json!({ "game": game["opens"], "moves": game["game"]["moves"] }));
    assert_eq!(position.json()["scores"], game["game"]["scores"]);

    let refused = |rules: &str, status: u16| {
        std::fs::write(&sheet, rules).expect("written");
        let answer = open();
        assert_eq!(answer.status, status, "{answer:?}");
        answer.error()
    };
    let renamed = refused(&rules.replace("mark", "scratch"), 400);
    assert!(renamed.contains("move 1: ") && renamed.contains("the file has changed"), "{renamed}");
    let turned = refused(&rules.replace("100", "99"), 400);
    assert!(turned.contains("the game ends differently; the file has changed"), "{turned}");
    let broken = refused("(role x", 400);
    assert!(broken.contains(".kif:1:1: ") && broken.contains("no longer compiles"), "{broken}");
    std::fs::remove_file(&sheet).expect("removed");
    let missing = open().error();
    assert!(missing.contains(&format!("cannot read {path}")) && missing.contains("in the folder where"), "{missing}");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn papers_are_shown_with_or_without_games() {
    let client = Client::start(1, std::env::temp_dir().join("ludens-web-no-papers"));
    let papers = client.get("/api/papers").json();
    assert_eq!(papers.as_array().map(Vec::len), Some(ludens_arena::papers::PAPERS.len()));
    let paper = client.get("/api/papers/sironi2021").json();
    assert_eq!(paper["title"], "Reproduction of sironi2021");
    let text = paper["blocks"].to_string();
    // Without records the page shows the figures that came with the program.
    assert!(text.contains("Nothing was played here") && text.contains("210 published figures"), "{text}");
    assert!(papers[0]["citation"].as_str().is_some_and(|text| text.contains("come with the program")), "{papers}");
    assert!(client.get("/api/papers/nobody").error().contains("tak2012"));
}

#[test]
fn a_few_games_of_a_paper_do_not_hide_the_figures_that_come_with_the_program() {
    let paper = ludens_arena::papers::PAPERS.iter().find(|paper| paper.name == "sironi2021").expect("a paper");
    let tables = paper.all_tables();
    let mut cells = tables.iter().flat_map(|table| &table.entries).flat_map(|entry| &entry.cells);
    let cell = cells.find(|cell| cell.game == "gdl:connect4").expect("a published figure");
    let folder = folder_of("sironi2021", cell);
    let client = Client::start(1, folder.clone());
    let text = client.get("/api/papers/sironi2021").json()["blocks"].to_string();
    assert!(
        text.contains("whichever has more games") && text.contains("210 published figures, 210 measured"),
        "{text}"
    );
    std::fs::remove_dir_all(folder).expect("it was written");
}

#[test]
fn experiments_are_played_paused_and_gone_on_with() {
    let folder = std::env::temp_dir().join(format!("ludens-web-runs-{}", std::process::id()));
    let client = Client::start(2, folder.clone());
    let wait = |name: &str, is_there: &dyn Fn(&serde_json::Value) -> bool| {
        for _ in 0..600 {
            let runs = client.get("/api/runs").json();
            let run = runs.as_array().and_then(|runs| runs.iter().find(|run| run["name"] == name)).cloned();
            if let Some(run) = run.filter(|run| is_there(run)) {
                return run;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("{name} does not get there: {:?}", client.get("/api/runs"));
    };
    let new = |name: &str, games: u64| {
        json!({ "name": name, "games": ["breakthrough:5"], "budgets": ["sims=20"], "players": ["uct", "uct+mast"],
            "games_per_cell": games, "sprt": false })
    };
    assert_eq!(client.post("/api/runs", &new("short", 4)).status, 200);
    let done = wait("short", &|run| run["state"] == "done");
    assert_eq!((&done["games"], &done["wanted"]), (&json!(4), &json!(4)));
    let one = client.get("/api/results/short").json();
    assert_eq!((&one["games"], &one["wanted"]), (&json!(4), &json!(4)), "the records are those of any experiment");
    assert_eq!(client.post("/api/runs", &new("long", 20_000)).status, 200);
    assert_eq!(client.post("/api/runs", &new("next", 2)).status, 200);
    wait("long", &|run| run["state"] == "running" && run["games"].as_u64() > Some(2));
    wait("next", &|run| run["state"] == "waiting");
    assert_eq!(client.post("/api/runs/long/pause", &json!({})).status, 200);
    let paused = wait("long", &|run| run["state"] == "paused")["games"].as_u64();
    wait("next", &|run| run["state"] == "done");
    assert_eq!(client.post("/api/runs/long/start", &json!({})).status, 200);
    wait("long", &|run| run["games"].as_u64() > paused);
    assert_eq!(client.post("/api/runs/long/pause", &json!({})).status, 200);
    wait("long", &|run| run["state"] == "paused");
    let runs = client.post("/api/runs/long/stop", &json!({})).json();
    assert!(runs.as_array().is_some_and(|runs| runs.iter().all(|run| run["name"] != "long")), "{runs}");
    let refused = |new: serde_json::Value| {
        let answer = client.post("/api/runs", &new);
        assert_eq!(answer.status, 400, "{answer:?}");
        answer.error()
    };
    assert!(refused(new("short", 5)).contains("choose another name"));
    assert!(refused(new("../up", 5)).contains("name must consist of letters"));
    assert!(refused(new("none", 0)).contains("between 1 and"));
    let mut file = new("file", 2);
    file["games"] = json!(["/etc/passwd.kif"]);
    assert!(refused(file).contains("is a file"));
    assert_eq!(client.post("/api/runs/nothing/start", &json!({})).status, 404);
    std::fs::remove_dir_all(folder).expect("removed");
}
