//! Texts that nobody wrote: words in any order, real sheets with parts torn out and put elsewhere, and what fuzzing kept.
//! Whatever they are, they are read, remarked upon and grounded without a panic and within limits.

use crate::support;
use ludens_gdl::ground::Ground;
use ludens_gdl::render::Rendering;
use ludens_gdl::{Checked, Engine, Limits, Opened, Vectors, open};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::path::Path;
use std::time::Duration;

const LIMITS: Limits = Limits { time: Duration::from_secs(2), atoms: 5_000, instances: 50_000, ..Limits::DEFAULT };

/// Does with a text all that can be done without playing it.
fn survive(text: &str) {
    let checked = Checked::new(text);
    let places = checked
        .diagnostics
        .iter()
        .flat_map(|remark| std::iter::once(remark.span).chain(remark.related.iter().map(|related| related.0)));
    for place in places {
        assert!(text.get(place.range()).is_some(), "{place:?} is no part of the sheet");
    }
    Rendering { color: true, unicode: true }.render(&checked.diagnostics, "sheet.kif", text);
    let _ = Ground::new(&checked.rules, LIMITS);
}

/// Walks all engines through the game of a text, if it has one and all can play it.
fn play(text: &str) -> bool {
    let Ok(Opened { engine: Engine::Machine(machine), .. }) = open("sheet", text, LIMITS) else { return false };
    support::agree(&*machine, &support::interpreter("sheet", text), 1, 8);
    for vectors in Vectors::available() {
        let walks = [3, 64, 500].map(|lane| support::lanes::Walk { lane, given: Vec::new() });
        support::lanes::lanes_agree(&machine, &mut [machine.lanes_with(512, vectors)], &walks, 12);
    }
    true
}

/// Runs a property on the same cases every time.
fn always<S: Strategy>(cases: u32, strategy: &S, test: impl Fn(S::Value)) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(strategy, |value| {
        test(value);
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
}

fn words() -> impl Strategy<Value = String> {
    let common = select(vec![
        "(", "(", "(", ")", ")", ")", "(<= ", "<=", "role", "init", "true", "next", "legal", "does", "goal",
        "terminal", "base", "input", "distinct", "not", "or", "and", "?x", "?y", "?X", "a", "b", "p", "f", "0", "100",
        "TRUE", "?", ";", "\n", "++", "-1", "é",
    ]);
    prop_oneof![20 => common.prop_map(str::to_owned), 1 => any::<String>()]
}

#[test]
fn words_in_any_order() {
    let soup = prop::collection::vec(words(), 0..120).prop_map(|words| words.join(" "));
    always(3000, &soup, |text| survive(&text));
}

/// A rule whose parentheses match, with relations, keywords and connectives anywhere.
fn expression() -> impl Strategy<Value = String> {
    let leaf = select(vec!["?x", "?y", "?z", "a", "b", "p", "terminal", "true", "white"]).prop_map(str::to_owned);
    leaf.prop_recursive(5, 40, 4, |inner| {
        let head = select(vec![
            "<=", "p", "q", "f", "role", "init", "true", "next", "legal", "does", "goal", "not", "or", "and",
            "distinct",
        ]);
        (head, prop::collection::vec(inner, 0..4)).prop_map(|(head, args)| format!("({head} {})", args.join(" ")))
    })
}

#[test]
fn well_formed_nonsense() {
    let sheet =
        prop::collection::vec(expression(), 0..15).prop_map(|rules| format!("(role white) {}", rules.join("\n")));
    always(2000, &sheet, |text| survive(&text));
}

/// The project's own sheets.
fn own_sheets() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [root.join("tests/it/sheets"), root.join("../../fuzz/seeds")];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder of sheets"));
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a sheet")).collect()
}

/// A sheet as words, some of which have been taken out, doubled or exchanged.
fn torn() -> impl Strategy<Value = String> {
    let change = (0..3_u8, any::<Index>(), any::<Index>(), 1..6_usize);
    (select(own_sheets()), prop::collection::vec(change, 1..5)).prop_map(|(sheet, changes)| {
        let spaced = sheet.lines().map(|line| line.split(';').next().unwrap_or("")).collect::<Vec<_>>().join(" ");
        let spaced = spaced.replace('(', " ( ").replace(')', " ) ");
        let mut words: Vec<&str> = spaced.split_whitespace().collect();
        for (kind, from, to, count) in changes {
            let (from, to) = (from.index(words.len()), to.index(words.len()));
            let end = (from + count).min(words.len());
            match kind {
                0 => drop(words.drain(from..end)),
                1 => drop(words.splice(to..to, words[from..end].to_vec())),
                _ => words.swap(from, to),
            }
        }
        words.join(" ")
    })
}

#[test]
fn torn_sheets() {
    always(1500, &torn(), |text| survive(&text));
}

/// A sheet in which one name has become another: mostly still a game, but a strange one.
fn misnamed() -> impl Strategy<Value = String> {
    (select(own_sheets()), prop::collection::vec((any::<Index>(), any::<Index>()), 1..3)).prop_map(|(sheet, pairs)| {
        let spaced = sheet.lines().map(|line| line.split(';').next().unwrap_or("")).collect::<Vec<_>>().join(" ");
        let spaced = spaced.replace('(', " ( ").replace(')', " ) ");
        let mut words: Vec<&str> = spaced.split_whitespace().collect();
        let names: Vec<usize> = (0..words.len()).filter(|&at| !["(", ")", "<="].contains(&words[at])).collect();
        for (from, to) in pairs {
            words[names[to.index(names.len())]] = words[names[from.index(names.len())]];
        }
        words.join(" ")
    })
}

#[test]
fn strange_games_are_played_alike_by_all_engines() {
    let played = std::cell::Cell::new(0);
    always(1500, &misnamed(), |text| played.set(played.get() + u32::from(play(&text))));
    assert!(played.get() > 300, "only {} of the sheets could be played", played.get());
}

#[test]
fn what_fuzzing_kept() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut files = 0;
    for entry in std::fs::read_dir(corpus).expect("the corpus") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        survive(&text);
        play(&text);
        files += 1;
    }
    assert!(files > 0);
}
