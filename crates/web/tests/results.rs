//! Experiments as the page reads them.

#[allow(dead_code)]
mod client;

use client::Client;
use serde_json::json;
use std::path::PathBuf;

/// A folder with the records of one small experiment, the last line of which is being written.
fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ludens-web-results-{}", std::process::id()));
    let records = folder.join("small");
    std::fs::create_dir_all(&records).expect("a folder");
    let cell: ludens_arena::Cell = serde_json::from_value(json!({
        "game": "breakthrough:5x5", "budget": "sims=10",
        "players": [{ "name": "mast", "spec": "uct+mast" }, { "name": "plain", "spec": "uct" }],
    }))
    .expect("a cell");
    let id = cell.id(1);
    let line = |kind: &str, value: serde_json::Value| json!({ kind: value }).to_string();
    let mut described = serde_json::to_value(&cell).expect("a cell is JSON");
    described["id"] = json!(id.to_string());
    described["seed"] = json!(1);
    let game = |index: u64, scores: [f64; 2]| {
        let seats = if index.is_multiple_of(2) { [0, 1] } else { [1, 0] };
        line(
            "game",
            json!({ "cell": id.to_string(), "index": index, "seed": "0000000000000007", "seats": seats,
            "scores": scores, "end": "terminal", "steps": 2, "simulations": [20, 20], "ms": [1.0, 1.0],
            "moves": ["a2-a3", "b4-b3"] }),
        )
    };
    let session =
        line("session", json!({ "experiment": "small", "version": "0.1.0", "machine": "a machine", "begun": 1 }));
    let lines = [session, line("cell", described), game(0, [1.0, 0.0]), game(1, [0.0, 1.0]), game(2, [0.0, 1.0])];
    std::fs::write(records.join("games.jsonl"), lines.join("\n") + "\n{\"game\":{\"cell\":").expect("written");
    folder
}

#[test]
fn experiments_lead_down_to_single_games() {
    let folder = folder();
    let client = Client::start(1, folder.clone());
    let list = client.get("/api/results").json();
    assert_eq!(list["experiments"][0]["name"], "small");
    assert_eq!(list["experiments"][0]["games"], 3, "{list}");
    let one = client.get("/api/results/small").json();
    let table = one["blocks"].as_array().expect("blocks").iter().find(|block| block["table"].is_object());
    let row = &table.expect("a table")["table"]["rows"][0];
    assert_eq!((&row[0], &row[4]), (&json!("breakthrough:5x5"), &json!("66.7")), "{row}");
    assert!(one["blocks"].as_array().expect("blocks").iter().any(|block| block["plot"].is_string()));
    let id = one["cells"][0].as_str().expect("a cell");
    let cell = client.get(&format!("/api/results/small/{id}")).json();
    assert_eq!(cell["games"].as_array().map(Vec::len), Some(3));
    let game = client.get(&format!("/api/results/small/{id}/2")).json();
    assert_eq!(game["game"]["moves"], json!(["a2-a3", "b4-b3"]));
    let position =
        client.post("/api/position", &json!({ "game": game["cell"]["game"], "moves": game["game"]["moves"] }));
    assert_eq!(position.status, 200);
    for path in ["small/0000000000000000", "small/xyz", &format!("small/{id}/99"), "..%2f", "..", "nothing"] {
        let status = client.get(&format!("/api/results/{path}")).status;
        assert!(status == 404 || status == 400, "{path}: {status}");
    }
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn papers_are_shown_with_or_without_games() {
    let client = Client::start(1, std::env::temp_dir().join("ludens-web-no-papers"));
    let papers = client.get("/api/papers").json();
    assert_eq!(papers.as_array().map(Vec::len), Some(5));
    let paper = client.get("/api/papers/sironi2021").json();
    assert_eq!(paper["title"], "Reproduction of sironi2021");
    let text = paper["blocks"].to_string();
    assert!(
        text.contains("nothing is measured yet") && text.contains("sironi2021/1: published, not measured"),
        "{text}"
    );
    assert!(client.get("/api/papers/nobody").error().contains("tak2012"));
}
