//! The server as a browser meets it: over a socket.

use crate::client::Client;
use serde_json::{Value, json};
use std::{
    io::{Read as _, Write as _},
    path::PathBuf,
    time::{Duration, Instant},
};

fn nowhere() -> PathBuf {
    std::env::temp_dir().join("ludens-web-no-results")
}

fn client() -> Client {
    Client::start(2, nowhere())
}

fn question(budget: &str) -> Value {
    json!({ "game": "breakthrough:5", "moves": [], "role": 0, "player": "uct+ppa", "budget": budget, "seed": 1 })
}

#[test]
fn the_page_is_there_and_lets_nothing_in_from_elsewhere() {
    let client = client();
    let page = client.get("/");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("<title>Ludens</title>"), "{}", page.body);
    assert!(page.head.contains("content-security-policy: default-src 'self'"), "{}", page.head);
    for (path, kind) in [("/app.js", "text/javascript"), ("/app.css", "text/css"), ("/icon.svg", "image/svg+xml")] {
        let file = client.get(path);
        assert!(file.status == 200 && file.head.contains(kind), "{path}: {}", file.head);
        assert!(!file.body.contains("//cdn") && !file.body.contains("@import"), "{path} needs other files");
    }
    assert_eq!(client.get("/etc/passwd").status, 404);
}

#[test]
fn other_pages_and_large_requests_are_refused() {
    let client = client();
    let asked = |headers: &[(&str, &str)]| client.request("GET", "/api/choices", headers, "").status;
    assert_eq!(asked(&[]), 200);
    assert_eq!(asked(&[("host", "evil.example")]), 403);
    assert_eq!(asked(&[("origin", "http://evil.example")]), 403);
    assert_eq!(asked(&[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]), 403);
    let socket = [
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA=="),
        ("origin", "http://evil.example"),
    ];
    assert_eq!(client.request("GET", "/api/think", &socket, "").status, 403);
    let form = client.request("POST", "/api/position", &[("content-type", "text/plain")], "{\"game\":\"go:5\"}");
    assert_eq!(form.status, 415, "what a page elsewhere may send without asking is not taken");
    let large = client.post("/api/sheet", &json!({ "name": "a.kif", "text": "x".repeat(2 << 20) }));
    assert_eq!(large.status, 413);
    assert_eq!(client.post("/api/position", &json!({ "game": 7 })).status, 422);
}

#[test]
fn bad_questions_get_reasons() {
    let client = client();
    let refused = |path: &str, body: Value| {
        let answer = client.post(path, &body);
        assert_eq!(answer.status, 400, "{answer:?}");
        answer.error()
    };
    let error = refused("/api/position", json!({ "game": "brakthrough" }));
    assert!(error.contains("did you mean \"breakthrough\""), "{error}");
    let error = refused("/api/position", json!({ "game": "/etc/passwd.kif" }));
    assert!(error.contains("unknown game"), "files of the machine are not opened: {error}");
    let error = refused("/api/position", json!({ "game": "sheet:mine-0" }));
    assert!(error.contains("drop its file"), "{error}");
    let error = refused("/api/position", json!({ "game": "breakthrough:5", "moves": ["a9-a8"] }));
    assert_eq!(error, "move 1: \"a9-a8\" is not a legal move of white");
    let with = |key: &str, value: Value| {
        let mut question = question("sims=10");
        question[key] = value;
        let answer = client.answer(&question);
        assert_eq!(answer["event"], "failed", "{answer}");
        answer["error"].as_str().expect("a reason").to_owned()
    };
    assert!(with("player", json!("uct+nope")).contains("policies: "));
    assert!(with("budget", json!("ms=9999999")).contains("300 s"));
    assert!(with("role", json!(2)).contains("no role 2"));
    assert!(with("role", json!("white")).contains("invalid type"));
    assert_eq!(client.get("/api/think").status, 400, "this is no place for plain requests");
}

#[test]
fn a_search_is_watched_until_it_has_chosen() {
    let client = client();
    let news = client.think(&question("ms=600"));
    let events: Vec<_> = news.iter().map(|news| news["event"].as_str().expect("an event")).collect();
    assert_eq!((events.first(), events.last()), (Some(&"waiting"), Some(&"done")));
    assert!(events.iter().filter(|event| **event == "report").count() >= 2, "{events:?}");
    let done = news.last().expect("news");
    let thought = &done["thought"];
    assert_eq!(thought["arms"][0]["move"], done["move"], "the most visited is played");
    assert!(
        thought["simulations"].as_u64() > Some(10) && thought["simulations_per_s"].as_f64() > Some(10.0),
        "{thought}"
    );
    assert_eq!(thought["policy"].as_array().map(Vec::len), thought["arms"].as_array().map(Vec::len));
    let reply = client.post("/api/position", &json!({ "game": "breakthrough:5", "moves": [done["move"]] }));
    assert_eq!(reply.json()["deciders"], json!([1]));
}

#[test]
fn the_same_seed_gives_the_same_thoughts_also_from_a_player_that_was_kept() {
    let client = client();
    let think = |moves: &[&str], table: Value| {
        let mut question = question("sims=300");
        question["moves"] = json!(moves);
        question["table"] = table;
        let done = client.answer(&question);
        (done["move"].clone(), done["thought"]["arms"].clone(), done["thought"]["nodes"].as_u64())
    };
    let first = think(&[], json!("t"));
    assert_eq!(first, think(&[], Value::Null));
    let own = first.0.as_str().expect("a move").to_owned();
    let moves = [own.as_str(), "a4-a3"];
    let (kept, fresh) = (think(&moves, json!("t")), think(&moves, Value::Null));
    assert!(kept.2 > fresh.2, "the tree was kept: {:?} and {:?} nodes", kept.2, fresh.2);
    assert_eq!(think(&[], json!("t")), first, "after moves that were taken back it starts anew");
}

#[test]
fn whoever_goes_away_stops_the_search() {
    let client = Client::start(1, nowhere());
    for _ in 0..3 {
        drop(client.ask(&question("ms=60000")));
    }
    let held = client.ask(&question("ms=60000"));
    std::thread::sleep(Duration::from_millis(300));
    drop(held);
    let begun = Instant::now();
    assert_eq!(client.answer(&question("sims=20"))["event"], "done");
    assert!(begun.elapsed() < Duration::from_secs(20), "four minutes of thinking were wanted by nobody");
}

#[test]
fn twenty_games_think_and_clicks_are_answered_at_once() {
    let client = client();
    let mut times = Vec::new();
    std::thread::scope(|scope| {
        let games: Vec<_> = (0..20).map(|_| scope.spawn(|| client.answer(&question("ms=200")))).collect();
        std::thread::sleep(Duration::from_millis(100));
        for _ in 0..40 {
            let begun = Instant::now();
            let answer =
                client.post("/api/position", &json!({ "game": "breakthrough:8", "moves": ["a2-a3", "a7-a6"] }));
            times.push(begun.elapsed());
            assert_eq!(answer.status, 200);
            std::thread::sleep(Duration::from_millis(20));
        }
        for game in games {
            assert_eq!(game.join().expect("an answer")["event"], "done");
        }
    });
    times.sort();
    println!("a click is answered in {:?} at the median, {:?} at worst", times[20], times[39]);
    // Behind the searches a click would wait for two seconds.
    assert!(times[39] < Duration::from_secs(1), "{times:?}");
}

#[test]
fn searches_end_when_their_tables_have_used_up_the_memory() {
    let limit = 64 << 20;
    let client = Client::with_memory(limit);
    let mut large = question("ms=60000");
    (large["game"], large["player"]) = (json!("nogo:19"), json!("uct+nppa"));
    let held = std::thread::scope(|scope| {
        let ask = || {
            let done = client.answer(&large);
            assert_eq!(done["cut"], "the memory limit was reached", "{done}");
            done["thought"]["bytes"].as_u64().expect("bytes") as usize
        };
        let both = [scope.spawn(ask), scope.spawn(ask)];
        both.map(|search| search.join().expect("an answer"))
    });
    println!("two searches held {held:?} bytes of {limit}");
    // Somebody looks ten times a second; until then tables may grow, and a table that grows doubles.
    assert!(held.iter().all(|&held| held > limit / 4 && held < 4 * limit), "{held:?}");
    let done = client.answer(&question("sims=100"));
    assert_eq!((done["thought"]["simulations"].as_u64(), &done["cut"]), (Some(100), &Value::Null));
}

#[test]
fn the_queue_has_an_end() {
    let client = Client::start(1, nowhere());
    let waiting: Vec<_> = (0..80).map(|_| client.ask(&question("ms=30000"))).collect();
    std::thread::sleep(Duration::from_millis(500));
    let answer = client.answer(&question("sims=10"));
    assert!(answer["error"].as_str().is_some_and(|error| error.contains("too many searches")), "{answer}");
    drop(waiting);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(client.answer(&question("sims=10"))["event"], "done", "whoever went away takes no place");
}

#[test]
fn hostile_rulesheets_are_refused_with_the_rule_that_grows() {
    let client = client();
    for sheet in ludens_gdl::testing::hostile() {
        let start = std::time::Instant::now();
        let told = client.post("/api/sheet", &json!({ "name": "mine.kif", "text": sheet.text })).json();
        assert!(start.elapsed().as_secs() < 20, "{}: {:?}", sheet.name, start.elapsed());
        assert_eq!(told["game"], Value::Null, "{}", sheet.name);
        let remarks = told["remarks"].as_array().expect("remarks");
        let error = remarks.iter().find(|remark| remark["severity"] == "error").expect("an error");
        assert!(error["title"].as_str().is_some_and(|title| title.contains(sheet.error)), "{}: {error}", sheet.name);
        assert_eq!(error["line"].as_u64(), Some(sheet.line as u64), "{}: {error}", sheet.name);
    }
}

#[test]
fn rulesheets_are_checked_and_played() {
    let client = client();
    let send = |text: &str| client.post("/api/sheet", &json!({ "name": "mine.kif", "text": text })).json();
    let broken =
        send("(role white)\n(init (cell 1))\n(<= (legal white ?x) (true (cell 1)))\n(<= terminal (true (cell 1))");
    assert_eq!(broken["game"], Value::Null);
    let remark = &broken["remarks"][0];
    assert_eq!(remark["severity"], "error", "{broken}");
    assert!(
        remark["line"].as_u64() >= Some(1) && remark["text"].as_str().is_some_and(|text| text.contains("mine.kif"))
    );
    let rules = ludens_catalog::rules("gdl:tictactoe").expect("a rulesheet");
    let elsewhere = self::client().post("/api/sheet", &json!({ "name": "mine.kif", "text": rules })).json();
    assert_eq!(client.post("/api/position", &json!({ "game": elsewhere["game"] })).status, 400, "not here yet");
    let good = send(&rules);
    assert_eq!(good["game"], elsewhere["game"], "a link finds the sheet again, whichever server had it");
    let game = good["game"].as_str().expect("it can be played");
    assert!(game.starts_with("sheet:mine-"), "{game}");
    let position = client.post("/api/position", &json!({ "game": game })).json();
    assert_eq!(position["legal"][0].as_array().map(Vec::len), Some(9));
    assert_eq!(position["legal"][0][0]["cells"].as_array().map(Vec::len), Some(1), "moves can be clicked");
}

#[test]
fn every_game_of_the_catalogue_has_a_first_position_and_moves() {
    let client = client();
    let choices = client.get("/api/choices").json();
    let games = choices["games"].as_array().expect("games");
    assert!(games.len() > 30);
    for game in games {
        let position = client.post("/api/position", &json!({ "game": game["name"] })).json();
        assert_eq!(position["roles"], game["roles"], "{game}");
        let mover = position["deciders"][0].as_u64().expect("somebody decides") as usize;
        let moves = position["legal"][mover].as_array().expect("moves");
        assert!(!moves.is_empty(), "{game}");
        let is_rulesheet = game["name"].as_str().is_some_and(|name| name.starts_with("gdl:"));
        assert!(is_rulesheet || moves.iter().any(|mv| mv["cells"][0].is_u64()), "{game} cannot be clicked");
    }
    let spec = client.get("/api/player?spec=ppa2015%2Fppa").json();
    assert_eq!(spec["spec"], "uct(unvisited=first,ties=first)+ppa(keep=0)@reuse=off");
    assert_eq!(client.get("/api/player?spec=nobody").status, 400);
}

#[test]
fn whoever_asks_too_slowly_is_turned_away() {
    let client = client();
    let begun = Instant::now();
    let mut silent: Vec<_> = (0..300).map(|_| client.connect()).collect();
    let mut slow = client.connect();
    slow.write_all(b"POST /api/position HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{").expect("sent");
    for socket in &mut silent {
        // Some letters of a head and then nothing, which is no answer to anybody.
        let _ = socket.write_all(b"GET / HT");
        let mut answer = Vec::new();
        let _ = socket.read_to_end(&mut answer);
        assert!(!answer.starts_with(b"HTTP/1.1 200"));
    }
    let mut answer = String::new();
    slow.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert_eq!(client.get("/api/choices").status, 200, "everybody else is answered");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn a_search_without_news_shows_that_the_server_is_there() {
    let client = Client::start(1, nowhere());
    let busy = client.ask(&question("ms=60000"));
    std::thread::sleep(Duration::from_millis(300));
    let mut waiting = client.ask(&question("sims=10"));
    let events: Vec<Value> = (0..3)
        .map(|_| waiting.read().expect("news").to_text().expect("text").to_owned())
        .map(|text| serde_json::from_str::<Value>(&text).expect("JSON")["event"].clone())
        .collect();
    assert_eq!(events, ["waiting", "alive", "alive"]);
    drop(busy);
}

#[test]
fn the_rules_of_a_sheet_can_be_read() {
    let client = client();
    let text = |game: &str| client.get(&format!("/api/source?game={game}")).json()["text"].clone();
    let rules = ludens_catalog::rules("gdl:nim").expect("a rulesheet");
    assert_eq!((text("gdl:nim"), text("misere-gdl:nim")), (json!(rules), json!(rules)));
    assert_eq!((text("go:9"), text("/etc/passwd.kif"), text("gdl:nothing")), (Value::Null, Value::Null, Value::Null));
    let checked = client.post("/api/sheet", &json!({ "name": "mine.kif", "text": rules, "play": false })).json();
    assert_eq!((&checked["game"], &checked["remarks"]), (&Value::Null, &json!([])), "only checked");
    let sent = client.post("/api/sheet", &json!({ "name": "mine.kif", "text": rules })).json();
    assert_eq!(text(sent["game"].as_str().expect("a name")), json!(rules));
}
