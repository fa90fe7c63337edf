//! No input ends a session.

use crate::answers;
use proptest::prelude::*;

/// Words that controllers send, and some that they should not.
const WORDS: [&str; 40] = [
    "1",
    "23",
    "name",
    "play",
    "genmove",
    "undo",
    "komi",
    "boardsize",
    "clear_board",
    "b",
    "w",
    "black",
    "white",
    "A1",
    "B2",
    "C3",
    "D4",
    "E5",
    "pass",
    "resign",
    "final_score",
    "final_status_list",
    "dead",
    "alive",
    "time_settings",
    "time_left",
    "0",
    "5",
    "-1",
    "1e9",
    "NaN",
    "lz-analyze",
    "interval",
    "kata-genmove_analyze",
    "kgs-genmove_cleanup",
    "fixed_handicap",
    "set_free_handicap",
    "#",
    "99999999999999999999",
    "é\u{7f}",
];

/// Whatever came before, the last command is answered.
fn survives(game: &str, mut input: Vec<u8>) -> Result<(), TestCaseError> {
    input.extend(b"\n77 name\n");
    let out = answers(game, input);
    prop_assert!(out.ends_with("=77 Ludens\n\n"), "{out}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes(input in prop::collection::vec(any::<u8>(), 0..400)) {
        survives("go:5", input)?;
    }

    #[test]
    fn commands(lines in prop::collection::vec(prop::collection::vec(prop::sample::select(&WORDS[..]), 1..5), 0..12)) {
        let text: Vec<String> = lines.iter().map(|words| words.join(" ")).collect();
        survives("go:5,eyes=on", text.join("\n").into_bytes())?;
    }

    #[test]
    fn commands_for_a_rulesheet(lines in prop::collection::vec(prop::collection::vec(prop::sample::select(&WORDS[..]), 1..5), 0..12)) {
        let text: Vec<String> = lines.iter().map(|words| words.join(" ")).collect();
        survives("gdl:tictactoe", text.join("\n").into_bytes())?;
    }
}
